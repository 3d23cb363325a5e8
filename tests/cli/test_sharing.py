import re


def test_a_link_is_printed_once_listed_without_what_opens_it_and_revoked(after_demo, shown):
    own = shown.run["run_id"]

    made = after_demo("runs", "share", own, "--expires", "12h")
    link = made.out.strip()
    [row] = [one for one in after_demo("runs", "share", own, "--list", "--json").json["shares"] if one["valid"]]

    assert re.fullmatch(r"http://127\.0\.0\.1:8765/shared/[\w-]{43}", link)
    assert link.rsplit("/", 1)[1] not in str(row)
    assert after_demo("runs", "share", own, "--revoke", row["share_id"]).code == 0
    assert "ended" in after_demo("runs", "share", own, "--list").out
    assert "no valid link" in after_demo("runs", "share", own, "--revoke", row["share_id"]).err


def test_a_link_has_to_end(after_demo, shown):
    assert "has to end" in after_demo("runs", "share", shown.run["run_id"], "--expires", "never").err
