from pathlib import Path

import pytest

from rest_world import served_rest
from small_web import QUESTION

ASKED = {"question": QUESTION, "effort": "quick"}


async def test_a_research_is_started_followed_read_and_deleted(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        begun = await world.call("POST", "/research/runs", ASKED)
        there = begun.headers["location"]
        run = (await world.call("GET", f"{there}?wait_seconds=45")).json()
        listed = (await world.call("GET", "/research/runs?query=ICE&limit=1")).json()
        joined = await world.call("POST", "/research/runs", ASKED)
        gone = await world.call("DELETE", there)
        after = await world.call("GET", there)

    assert (begun.status_code, begun.json()["question"]) == (202, QUESTION)
    assert run["status"] in {"completed", "partial"}, run["error"]
    assert run["question"] == QUESTION
    assert [one["run_id"] for one in listed["runs"]] == [run["run_id"]]
    assert joined.json()["run_id"] == run["run_id"] or run["status"] == "partial"
    assert gone.json()["deleted"]["steps"] > 0
    assert (after.status_code, after.json()["code"]) == (404, "E1103")


async def test_nothing_of_one_caller_is_there_for_another(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        there = (await world.call("POST", "/research/runs", ASKED)).headers["location"]
        await world.call("GET", f"{there}?wait_seconds=45")
        tried = [
            await world.call(method, f"{there}{rest}", body, caller="token:2")
            for method, rest, body in (
                ("GET", "", None),
                ("DELETE", "", None),
                ("POST", "/cancel", None),
                ("POST", "/resume", {}),
                ("POST", "/fork", {}),
                ("POST", "/answer", {"approve": True}),
                *(
                    ("GET", f"/{part}", None)
                    for part in ("report", "claims", "sources", "events", "claims/k", "sources/s")
                ),
            )
        ]
        others = (await world.call("GET", "/research/runs", caller="token:2")).json()

    assert [(one.request.url.path, one.status_code) for one in tried if one.status_code != 404] == []
    assert others == {"runs": [], "next_cursor": None}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"question": QUESTION, "tiefe": 3}, "tiefe"),
        ({"question": QUESTION, "depth": 30}, "depth"),
        ({"question": ""}, "question"),
        ({"question": QUESTION, "asks": True}, "asks"),
        ({}, "question"),
    ],
)
async def test_a_wrong_value_is_named_and_nothing_is_started(
    tmp_path: Path, body: dict[str, object], field: str
) -> None:
    async with served_rest(tmp_path) as world:
        refused = await world.call("POST", "/research/runs", body)
        listed = (await world.call("GET", "/research/runs")).json()

    assert (refused.status_code, refused.json()["code"]) == (422, "E1101")
    assert field in str(refused.json()["errors"])
    assert listed["runs"] == []


async def test_a_token_without_the_scope_is_told_which_it_needs(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        unknown = await world.http.get("/research/runs")
        reading = await world.call("POST", "/research/runs", ASKED, x_scopes="runs:read")

    assert (unknown.status_code, unknown.headers["www-authenticate"]) == (401, "Bearer")
    assert (reading.status_code, "runs:write" in reading.json()["detail"]) == (403, True)


async def test_a_plan_is_approved_and_a_second_answer_is_a_conflict(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        there = (await world.call("POST", "/research/runs", {**ASKED, "approve_plan": True})).headers["location"]
        waiting = (await world.call("GET", f"{there}?wait_seconds=45")).json()
        await world.call("POST", f"{there}/answer", {"approve": True})
        ended = (await world.call("GET", f"{there}?wait_seconds=45")).json()
        again = await world.call("POST", f"{there}/answer", {"approve": False})

    assert (waiting["status"], waiting["waiting"]["kind"]) == ("input_required", "approval")
    assert ended["status"] in {"completed", "partial"}
    assert (again.status_code, again.json()["code"]) == (409, "E1101")


async def test_what_it_would_use_is_told_before_anything_starts(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        found = (await world.call("POST", "/research/estimate", ASKED)).json()
        listed = (await world.call("GET", "/research/runs")).json()
        for wrong in ({"profile": "../../etc/passwd"}, {"collections": ["no"]}, {"follow_up_of": "x" * 26}):
            paths = ("/research/runs", "/research/estimate")
            refused = [(await world.call("POST", path, {**ASKED, **wrong})) for path in paths]
            assert refused[0].status_code in {404, 422}
            assert refused[0].text == refused[1].text

    assert found["estimate"]["pages"] > 0
    assert listed["runs"] == []
