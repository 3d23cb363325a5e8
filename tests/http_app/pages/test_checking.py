from pages_world import Visitor, key_in, text_of


async def test_a_pasted_text_is_checked_and_its_findings_are_read(visitor: Visitor) -> None:
    text = f"Ice floats on water because it is less dense [1].\n\n[1] {visitor.web.base}/density"

    started = await visitor.send("/check", form_on="/check", text=text, web="1")
    await visitor.jobs.follow(started.headers["location"].rpartition("/")[2], wait_seconds=60)
    page = await visitor.get(started.headers["location"])

    assert "Ice floats on water because it is less dense" in text_of(page.text)
    assert "Check citations again" not in page.text


async def test_nothing_to_check_is_said_on_the_form(visitor: Visitor) -> None:
    key = key_in((await visitor.get("/check")).text)

    page = await visitor.post("/check", form_key=key, text="  ")

    assert page.status_code == 422
    assert "nothing to check" in page.text
