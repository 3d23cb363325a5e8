from pathlib import Path

from deepresearch_mcp.records.principal import CallerLimits
from http_service import Served, serve_here


async def test_a_wrong_link_says_what_to_do_and_guesses_are_slowed_down(tmp_path: Path) -> None:
    async with serve_here(tmp_path / "home", requests_a_minute=2) as served, served.client() as http:
        answers = [await http.get("/shared/guess") for _ in range(3)]

    assert [one.status_code for one in answers] == [404, 404, 429]
    assert "Ask for a new one" in answers[0].json()["detail"]
    assert answers[0].headers["cache-control"] == "private, no-store"
    assert int(answers[2].headers["retry-after"]) > 0


async def test_a_link_is_read_and_nothing_is_sent_to_it(served: Served) -> None:
    async with served.client() as http:
        assert (await http.post("/shared/guess")).status_code == 405


async def test_a_token_may_say_how_often_its_caller_asks(served: Served) -> None:
    slow, _ = await served.token("runs:read", limits=CallerLimits(requests_a_minute=1))
    async with served.client(slow) as http:
        assert [(await http.get("/research/runs")).status_code for _ in range(2)] == [200, 429]
