from pathlib import Path

import pytest

from pages_world import Visitor, text_of, visiting


@pytest.mark.parametrize("path", ["/runs/nothere", "/runs/%3Cb%3E", "/library?collection=none"])
async def test_what_is_not_there_is_a_page_with_what_to_do(visitor: Visitor, path: str) -> None:
    answer = await visitor.get(path)

    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "Not found" in text_of(answer.text)
    assert "<b>" not in answer.text


async def test_without_tokens_the_page_is_there_at_once_and_its_forms_are_still_guarded(tmp_path: Path) -> None:
    async with visiting(tmp_path, token=None) as visitor:
        page = await visitor.get("/")
        forged = await visitor.post("/ask", question="Why does ice float?", action="start")
        sent = await visitor.send("/ask", form_on="/", question="Why does ice float?", action="estimate")

    assert page.status_code == 200
    assert "Sign out" not in page.text
    assert (forged.status_code, sent.status_code) == (422, 200)
