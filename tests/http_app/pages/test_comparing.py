from deepresearch_mcp.http_app.pages.comparing import split
from pages_world import BAD, Visitor, reported, text_of

URLS = ("https://a.example/1", "https://b.example/2", "https://c.example/3")


def test_what_two_have_in_common_and_apart_is_told_by_key() -> None:
    found = split({"a": "A", "b": "B"}, {"b": "b", "c": "C"})

    assert (found.first, found.both, found.second) == (["A"], ["B"], ["C"])


async def test_two_runs_stand_side_by_side(visitor: Visitor) -> None:
    first = await visitor.plant("Why does ice float?", **reported("It is less dense.", *URLS[:2]))
    second = await visitor.plant("Does ice float?", **reported("It floats.", *URLS[1:]))

    choice = await visitor.get(f"/compare?run={first}")
    page = await visitor.get(f"/compare?run={first}&run={second}")

    assert f'<option value="{second}">' in choice.text
    assert f'<option value="{first}">' not in choice.text
    shown = text_of(page.text)
    assert "It is less dense." in shown
    assert "It floats." in shown
    assert "1 in both, 1 in the first alone, 1 in the second alone" in shown
    assert BAD not in page.text
