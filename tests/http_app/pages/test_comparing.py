from deepresearch_mcp.http_app.pages.comparing import split
from deepresearch_mcp.records.assessment import CoveredPoint, RunAssessment
from deepresearch_mcp.viewer.coverage_words import COVERAGE
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


async def test_what_each_covers_is_told_in_the_words_of_the_report(visitor: Visitor) -> None:
    points = tuple(
        CoveredPoint(point=f"d{number}", text=f"Part {number}", status=status)
        for number, status in enumerate(("covered", "thin", "one_sided", "open"), 1)
    )
    assessed = {**reported("It floats.", *URLS), "assessment": RunAssessment(coverage=points)}
    first = await visitor.plant("Why does ice float?", **assessed)
    second = await visitor.plant("Does ice float?", **reported("It floats.", *URLS))

    shown = text_of((await visitor.get(f"/compare?run={first}&run={second}")).text)

    for point in points:
        assert f"{point.text} – {COVERAGE[point.status][1]}" in shown
    assert "It was not assessed by part." in shown
