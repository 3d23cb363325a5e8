from pathlib import Path

from deepresearch_mcp.http_app.pages.asking import request_of
from deepresearch_mcp.http_app.pages.forms import Form
from deepresearch_mcp.settings.defaults import DefaultSettings
from pages_world import BAD, Visitor, text_of, visiting
from small_web import settings_for

NO_DEFAULTS = DefaultSettings()
MINE = DefaultSettings(
    effort="deep",
    max_pages=7,
    exclude_domains=("evil.example", "bad.example"),
    profile="medical",
    language="de",
    template="timeline",
)


async def test_an_estimate_starts_nothing_and_keeps_what_was_entered(visitor: Visitor) -> None:
    fields = {"question": f"Why does ice float? {BAD}", "effort": "deep", "max_usd": "2.5", "boxes": "1", "web": "1"}

    page = await visitor.send("/ask", form_on="/", action="estimate", **fields)

    assert page.status_code == 200
    assert "What it is likely to use" in text_of(page.text)
    assert 'value="2.5"' in page.text
    assert 'value="deep" checked' in page.text
    assert 'name="approve_plan" value="1">' in page.text
    assert BAD not in page.text
    assert await visitor.jobs.find("local") == []


async def test_what_is_wrong_is_said_above_the_form_which_keeps_the_rest(visitor: Visitor) -> None:
    page = await visitor.send("/ask", form_on="/", action="start", question="Why does ice float?", max_usd="much")

    blank = await visitor.send("/ask", form_on="/", action="start", question="  ")

    assert "The question is empty" in blank.text
    assert page.status_code == 422
    assert "much" in text_of(page.text).partition("Effort")[0]
    assert "Why does ice float?" in page.text


async def test_a_token_that_may_only_read_starts_nothing(visitor: Visitor) -> None:
    token = await visitor.token("runs:read")
    visitor.http.cookies.clear()
    visitor.http.cookies.set("deepresearch_token", token)

    page = await visitor.get("/")
    answer = await visitor.send("/ask", form_on="/", action="start", question="Why does ice float?")

    assert "may read runs, and not start them" in text_of(page.text)
    assert answer.status_code == 403
    assert "Your token does not allow this" in text_of(answer.text)
    assert (await visitor.get("/settings")).status_code == 403


def test_the_boxes_of_the_whole_form_count_and_a_short_form_has_the_defaults() -> None:
    whole = {
        "question": ["Why?"],
        "boxes": ["1"],
        "web": ["1"],
        "include_domains": ["a.org, b.org"],
        "max_pages": ["9"],
    }

    asked = request_of(Form(whole), NO_DEFAULTS)
    short = request_of(Form({"question": ["Why?"], "follow_up_of": ["r1"]}), NO_DEFAULTS)

    assert (asked.web, asked.clarify, asked.approve_plan, asked.asks) == (True, "never", False, True)
    assert asked.include_domains == ("a.org", "b.org")
    assert asked.max_pages == 9
    assert (short.follow_up_of, short.web, short.clarify) == ("r1", True, "auto")


async def test_the_form_shows_the_defaults_of_the_settings(tmp_path: Path) -> None:
    settings = settings_for(tmp_path).model_copy(update={"defaults": MINE})
    async with visiting(tmp_path, settings=settings) as visitor:
        page = (await visitor.get("/")).text

    assert 'value="deep" checked' in page
    assert "<option selected>medical</option>" in page
    assert all(f'value="{one}"' in page for one in ("evil.example, bad.example", "de", "timeline"))


def test_the_defaults_of_the_settings_hold_for_what_a_form_does_not_say() -> None:
    short = request_of(Form({"question": ["Why?"], "follow_up_of": ["r1"]}), MINE)
    cleared = {"question": ["Why?"], "boxes": ["1"], "web": ["1"], "effort": ["quick"], "profile": ["general"]}
    whole = request_of(Form(cleared), MINE)

    assert (short.effort, short.profile, short.language, short.template) == ("deep", "medical", "de", "timeline")
    assert (short.shape.max_pages, short.exclude_domains) == (7, ("evil.example", "bad.example"))
    assert (whole.effort, whole.profile, whole.shape.max_pages) == ("quick", "general", 7)
    assert (whole.language, whole.template, whole.exclude_domains) == ("", "", ())
