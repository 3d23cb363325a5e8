import json


def test_the_events_of_a_run_are_one_object_and_followed_ones_a_line_each(after_demo, shown):
    own = shown.run["run_id"]

    said = after_demo("runs", "events", own, "--json").json
    followed = [json.loads(line) for line in after_demo("runs", "events", own, "--follow", "--json").out.splitlines()]

    assert said == {"run_id": own, "events": followed}
    assert followed[-1]["kind"] == "ended"
    assert {"sub_question_started", "plan_marked", "section_written"} <= {one["kind"] for one in followed}


def test_for_a_person_an_event_is_a_line(after_demo, shown):
    lines = after_demo("runs", "events", shown.run["run_id"]).out.splitlines()

    assert any("section_written  writer" in line for line in lines)
    assert max(map(len, lines)) < 1_000
