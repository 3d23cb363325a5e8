import pytest

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.http_app.pages.forms import Form
from pages_world import OWN, Visitor, key_in


def test_fields_are_read_as_what_they_are() -> None:
    form = Form(
        {"usd": [" 1,000.5 "], "pages": ["20"], "day": ["2026-01-31"], "sites": ["a.org, b.org\n c.org"], "none": [" "]}
    )

    assert form.number("usd") == 1000.5
    assert form.whole("pages") == 20
    assert str(form.day("day")) == "2026-01-31"
    assert form.lines("sites") == ["a.org", "b.org", "c.org"]
    assert not form.has("none")
    assert (form.number("none"), form.whole("x"), form.day("x"), form.text("x")) == (None, None, None, "")


@pytest.mark.parametrize(("field", "value"), [("number", "many"), ("whole", "1.5"), ("day", "31.1.2026")])
def test_a_value_that_is_none_says_how_to_write_one(field: str, value: str) -> None:
    with pytest.raises(InvalidRequest, match="x is no") as caught:
        getattr(Form({"x": [value]}), field)("x")
    assert caught.value.action.startswith("Write it like")


async def test_no_form_is_taken_from_another_site_or_an_earlier_session(visitor: Visitor) -> None:
    key = key_in((await visitor.get("/")).text)
    fields = {"question": "Why does ice float?", "action": "start"}

    missing = await visitor.post("/ask", **fields)
    wrong = await visitor.post("/ask", form_key="0" * 64, **fields)
    elsewhere = await visitor.http.post(
        "/ask", data={"form_key": key, **fields}, headers={"sec-fetch-site": "cross-site"}
    )
    foreign = await visitor.http.post(
        "/ask", data={"form_key": key, **fields}, headers={"origin": "http://evil.example"}
    )
    as_json = await visitor.http.post("/ask", json={"form_key": key}, headers={"origin": f"http://{OWN}"})

    assert [one.status_code for one in (missing, wrong, elsewhere, foreign, as_json)] == [422, 422, 422, 403, 422]
    assert await visitor.jobs.find("local") == []
