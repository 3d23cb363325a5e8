import re
from pathlib import Path

import pytest

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.http_app.pages.forms import Form
from deepresearch_mcp.http_app.pages.runs import answer_of
from deepresearch_mcp.records.consent import InputRequest
from deepresearch_mcp.records.plan import Clarification
from pages_world import BAD, Visitor, key_in, reported, text_of, visiting
from small_web import QUESTION


async def test_without_scripts_a_question_is_asked_its_plan_approved_watched_and_read(tmp_path: Path) -> None:
    async with visiting(tmp_path, held=True) as visitor:
        fields = {"question": QUESTION, "effort": "quick", "boxes": "1", "web": "1", "approve_plan": "1"}
        started = await visitor.send("/ask", form_on="/", action="start", **fields)
        path = started.headers["location"]
        run_id = path.rpartition("/")[2]
        await visitor.jobs.follow(run_id, wait_seconds=30)
        plan = await visitor.get(path)
        answered = await visitor.post(f"{path}/answer", form_key=key_in(plan.text), action="approve")
        await visitor.web.searched.wait()
        live = await visitor.get(path)
        visitor.web.open.set()
        await visitor.jobs.follow(run_id, wait_seconds=60)
        report = await visitor.get(path)
        listed = await visitor.get("/runs?query=ice&status=completed")
        exported = await visitor.http.get(f"/research/runs/{run_id}/report?format=md")

    assert started.status_code == 303
    assert "Is this the right plan?" in plan.text
    assert "Start with this plan" in plan.text
    assert answered.headers["location"] == f"{path}?told=answered"
    # It loads itself anew without scripts, and shows what there is.
    assert '<noscript><meta http-equiv="refresh" content="4"></noscript>' in live.text
    assert f'data-follow="/research/runs/{run_id}/stream"' in live.text
    assert "Searches" in text_of(live.text)
    assert "Why does ice float on water?" in text_of(report.text)
    assert "9 percent less dense" in text_of(report.text)
    assert re.search(r'<script src="/assets/report.js\?v=[0-9a-f]{12}" defer>', report.text)
    assert f"/runs/{run_id}" in listed.text
    assert exported.text.startswith(f"# {QUESTION}")


async def test_a_report_page_holds_no_script_and_what_a_page_wrote_is_never_markup(visitor: Visitor) -> None:
    run_id = await visitor.plant(f"Why? {BAD}", **reported(f"It floats {BAD}.", "javascript:alert(1)"))

    page = await visitor.get(f"/runs/{run_id}")
    history = await visitor.get("/runs")

    assert page.status_code == 200
    for one in (page, history):
        assert "<script>" not in one.text
        assert "unsafe" not in one.headers["content-security-policy"]
        assert "script-src 'self'" in one.headers["content-security-policy"]
        assert one.headers["cache-control"] == "no-store"
    assert 'href="javascript' not in page.text
    assert re.findall(r"<script(?! src=)[^>]*>", page.text) == ['<script id="data" type="application/json">']


async def test_a_run_of_another_caller_is_not_there(visitor: Visitor) -> None:
    foreign = await visitor.plant("A secret of another?", caller="token:9", **reported("It floats."))
    own = await visitor.plant("Why does ice float?", **reported("It floats."))
    key = key_in((await visitor.get("/")).text)

    reads = [
        f"/runs/{foreign}",
        f"/runs/{foreign}/delete",
        f"/compare?run={own}&run={foreign}",
        f"/compare?run={foreign}",
    ]
    for path in reads:
        answer = await visitor.get(path)
        assert answer.status_code == 404, path
        assert "A secret" not in answer.text
    for action in ("answer", "cancel", "resume", "delete", "rate"):
        answer = await visitor.post(f"/runs/{foreign}/{action}", form_key=key, action="up")
        assert answer.status_code in {404, 422}, action
    follow_up = {"question": "And?", "follow_up_of": foreign, "action": "start", "form_key": key}
    assert (await visitor.post("/ask", **follow_up)).status_code == 404
    assert (await visitor.post("/check", run_id=foreign, form_key=key)).status_code == 404
    assert "A secret" not in (await visitor.get("/runs")).text
    assert await visitor.jobs.get(foreign, "token:9")


async def test_a_run_is_rated_and_deleted_after_a_question(visitor: Visitor) -> None:
    run_id = await visitor.plant("Why does ice float?", **reported("It floats."))

    rated = await visitor.send(f"/runs/{run_id}/rate", form_on=f"/runs/{run_id}", action="up")
    asked = await visitor.get(f"/runs/{run_id}/delete")
    deleted = await visitor.post(f"/runs/{run_id}/delete", form_key=key_in(asked.text))
    gone = await visitor.get(f"/runs/{run_id}")
    after = await visitor.get(deleted.headers["location"])

    assert rated.headers["location"] == f"/runs/{run_id}?told=rated"
    assert gone.status_code == 404
    assert "The run is deleted" in text_of(after.text)


async def test_history_goes_on_where_a_page_of_it_ends(visitor: Visitor) -> None:
    for number in range(22):
        await visitor.plant(f"Question {number:02}?", **reported("It floats."))

    first = await visitor.get("/runs?query=Question")
    [older] = re.findall(r'href="(/runs\?query=Question[^"]*cursor=[^"]+)"', first.text)
    second = await visitor.get(older.replace("&amp;", "&"))

    assert first.text.count('class="badge status completed"') == 20
    assert second.text.count('class="badge status completed"') == 2


async def test_history_is_filtered_by_days_which_its_address_keeps(visitor: Visitor) -> None:
    for number in range(22):
        await visitor.plant(f"Question {number:02}?", **reported("It floats."))  # on 1970-01-01

    first = await visitor.get("/runs?from=1970-01-01&to=1970-01-01")
    [older] = re.findall(r'href="(/runs\?[^"]*cursor=[^"]+)"', first.text)
    second = await visitor.get(older.replace("&amp;", "&"))
    before, after = await visitor.get("/runs?to=1969-12-31"), await visitor.get("/runs?from=1970-01-02")
    wrong = await visitor.get("/runs?from=yesterday")

    assert "from=1970-01-01&amp;to=1970-01-01" in older
    assert [one.text.count('class="badge status completed"') for one in (first, second)] == [20, 2]
    assert '<input type="date" name="from" value="1970-01-01"' in second.text
    assert "No run matches" in before.text
    assert "No run matches" in after.text
    assert (wrong.status_code, "yesterday" in wrong.text, "2026-01-31" in wrong.text) == (422, True, True)


async def test_what_a_run_asks_is_chosen_or_written(visitor: Visitor) -> None:
    asked = Clarification(question=f"Which ice? {BAD}", options=("water", "dry"))
    inquiry = InputRequest(inquiry_id="ask", kind="clarification", text="It can mean two.", questions=(asked,))
    run_id = await visitor.begin("Does ice float?", inquiry)

    page = await visitor.get(f"/runs/{run_id}")
    fields = {"form_key": key_in(page.text), "asked": "1", "answer_0": "dry", "action": "approve"}
    answer = await visitor.post(f"/runs/{run_id}/answer", **fields)

    assert 'type="radio" name="answer_0" value="dry"' in page.text
    assert BAD not in page.text
    assert answer.status_code == 303
    said = await visitor.jobs.runtime.store.inquiries.last(run_id)
    assert said
    assert said.answers == ("dry",)


def test_the_button_decides_what_a_plan_s_form_says() -> None:
    fields = {"sub_questions": ["One?\n\n Two? "], "max_usd": ["2"], "asked": ["2"], "answer_0": ["the metal"]}
    fields |= {"answer_1": ["the planet"], "other_1": ["the god"]}

    approved = answer_of(Form(fields | {"action": ["approve"]}))
    changed = answer_of(Form(fields | {"action": ["change"]}))
    noted = answer_of(Form(fields | {"action": ["change"], "note": ["Leave out lakes."]}))

    assert (approved.decision, approved.sub_questions, approved.answers) == ("approve", (), ("the metal", "the god"))
    assert approved.limits.max_usd == 2
    assert (changed.decision, changed.sub_questions) == ("change", ("One?", "Two?"))
    assert (noted.note, noted.sub_questions) == ("Leave out lakes.", ())
    assert answer_of(Form({"action": ["decline"]})).decision == "decline"
    with pytest.raises(InvalidRequest):
        answer_of(Form({"action": ["change"]}))
