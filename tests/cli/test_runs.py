def test_runs_are_listed_newest_first(after_demo, shown):
    object_ = after_demo("runs", "list", "--json").json
    said = after_demo("runs", "list")

    [line] = [line for line in object_["runs"] if line["run_id"] == shown.run["run_id"]]
    assert line["status"] == "completed"
    assert line["created"].endswith("Z")
    assert shown.run["run_id"] in said.out
    assert "completed · " in said.out


def test_a_list_can_be_narrowed(after_demo):
    assert after_demo("runs", "list", "--status", "failed", "--json").json == {"runs": []}
    assert "No run is like that" in after_demo("runs", "list", "--query", "zebra").err
    assert len(after_demo("runs", "list", "--status", "completed", "--limit", "1", "--json").json["runs"]) == 1


def test_without_runs_the_list_says_so(cli):
    assert "No run yet" in cli("runs", "list").err


def test_a_run_is_shown_in_figures_or_whole(after_demo, shown):
    run_id = shown.run["run_id"]

    said = after_demo("runs", "show", run_id)

    assert "completed" in said.out
    assert shown.run["path"] in said.out
    assert f"deepresearch-mcp report {run_id}" in said.out
    assert after_demo("runs", "show", run_id, "--json").json == shown.run


def test_cancelling_what_has_ended_changes_nothing(after_demo, shown):
    run_id = shown.run["run_id"]

    assert "had ended before: it is completed" in after_demo("runs", "cancel", run_id).err
    assert after_demo("runs", "cancel", run_id, "--json").json["status"] == "completed"


def test_an_unknown_run_is_bad_input_for_every_command(cli):
    for command in (("runs", "show"), ("runs", "cancel"), ("report",)):
        said = cli(*command, "nothing", "--json")
        assert said.code == 2
        assert said.error["name"] == "UNKNOWN_RUN"
