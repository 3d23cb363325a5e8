def test_a_rating_is_shown_with_its_run_and_a_later_one_replaces_it(after_demo, shown):
    own = shown.run["run_id"]

    after_demo("runs", "rate", own, "down", "--note", "thin")
    said = after_demo("runs", "rate", own, "up", "--note", "two \u202eof it", "--json").json
    seen = after_demo("runs", "show", own, "--json").json["rating"]

    assert (said["run_id"], seen["rated"], seen["note"]) == (own, "up", "two of it")
    assert "Rated      up: two of it" in after_demo("runs", "show", own).out


def test_a_run_that_is_not_there_cannot_be_rated(cli, home):
    assert "There is no run" in cli("runs", "rate", "zzz", "up").err
