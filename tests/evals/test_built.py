from dataclasses import replace

from deepresearch_mcp.evals.built import constructed, found_again, linked, own_reports


def test_what_is_built_is_found_again_in_every_form() -> None:
    built = [*constructed(), *linked(), *own_reports()]

    assert len(built) > 300
    assert [one.form for one in built if not found_again(one)] == []


def test_another_structure_is_told_from_the_one_built() -> None:
    built = next(constructed())
    [(text, urls), *rest] = built.statements
    wrong = [
        replace(built, statements=(("Something else.", urls), *rest)),
        replace(built, statements=((text, ("https://other.example",)), *rest)),
        replace(built, statements=tuple(rest)),
        replace(built, unused=frozenset({"https://other.example"})),
        replace(built, text=f"{built.text}\n[9] https://more.example\n"),
    ]

    assert [found_again(one) for one in wrong] == [False] * 5


def test_the_texts_are_the_same_every_time_and_hold_what_hangs_loose() -> None:
    assert list(constructed()) == list(constructed())
    assert any("" in urls for one in constructed() for _, urls in one.statements)
    assert any(one.unused for one in constructed())
    assert any(not urls for one in constructed() for _, urls in one.statements)
