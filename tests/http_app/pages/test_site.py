from deepresearch_mcp.http_app.pages.site import PAGES
from pages_world import Visitor, reported


async def test_every_page_has_a_heading_a_title_one_main_part_and_no_inline_script(visitor: Visitor) -> None:
    run_id = await visitor.plant("Why does ice float?", **reported("It floats."))

    for page in PAGES:
        if page.method == "GET":
            answer = await visitor.get(page.path.replace("{run_id}", run_id))
            assert answer.status_code == 200, page.path
            assert answer.text.count("<main") == 1, page.path
            assert answer.text.count("<h1>") == 1, page.path
            assert "<title>" in answer.text, page.path
            assert " style=" not in answer.text, page.path
            assert " onclick=" not in answer.text, page.path


def test_what_changes_something_is_sent_as_a_form_and_needs_more_than_reading() -> None:
    assert {page.scope for page in PAGES if page.method == "POST"} == {"runs:write", "library:write"}
