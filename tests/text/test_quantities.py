import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.quantities import apart, differing, quantities, undated_names, undated_stems


def differ(one: str, other: str) -> tuple[str, ...]:
    return differing(quantities(one), quantities(other))


@pytest.mark.parametrize(
    ("one", "other", "kinds"),
    [
        ("It holds 420 people.", "It holds 450 people.", ("",)),
        ("It grew by 3%.", "It grew by 4 per cent.", ("%",)),
        ("It cost $5 million.", "It cost 6m dollars.", ("usd",)),
        ("It grew by 3%.", "It grew to 4 towns.", ()),
        ("About 3.5 million live there.", "3,461,000 people live there.", ()),
        ("It covers 20%.", "It covers 20.4%.", ()),
        ("It covers 20%.", "It covers 21%.", ("%",)),
        ("400 live there.", "420 live there.", ("",)),
        ("It holds 420 people.", "It holds people.", ()),
        ("It has 5 rooms and 3 doors.", "It has 5 rooms.", ()),
    ],
)
def test_only_figures_of_one_kind_differ_and_rounding_is_no_difference(
    one: str, other: str, kinds: tuple[str, ...]
) -> None:
    assert differ(one, other) == kinds
    assert differ(other, one) == kinds


def test_a_figure_that_names_a_thing_is_no_measure() -> None:
    found = quantities("PostgreSQL 17 keeps 5 copies in version 3.2, for the 3rd time since 2019, says 1.2.3.")

    assert set(found.figures) == {""}
    assert {int(value) for value in found.figures[""]} == {5}
    assert found.labels == {"17", "3.2", "3rd", "1.2.3"}
    assert found.dates == {"2019"}


def test_the_year_behind_a_capital_is_a_date() -> None:
    assert quantities("In 2019 Oslo grew.").dates == {"2019"}
    assert quantities("In 2019 Oslo grew.").labels == frozenset()


@pytest.mark.parametrize(
    ("one", "other", "other_dates"),
    [
        ("It opened in 1990.", "It opened in 1991.", True),
        ("It opened in May 1990.", "It opened in 1990.", False),
        ("It opened in 1990.", "It opened.", False),
    ],
)
def test_a_year_agrees_with_a_day_in_it(one: str, other: str, *, other_dates: bool) -> None:
    assert apart(quantities(one).dates, quantities(other).dates) is other_dates


@given(st.text(alphabet="0123456789.,%$ kmAv", max_size=40), st.text(alphabet="0123456789., %", max_size=40))
def test_no_figures_make_it_fail_and_a_text_never_differs_from_itself(one: str, other: str) -> None:
    assert differ(one, one) == ()
    assert differ(one, other) == differ(other, one)


def test_what_a_text_is_about_leaves_out_figures_and_months() -> None:
    text = "In May 2021 the town of Lund had 94,393 inhabitants, says Statistics Sweden."

    assert undated_stems(text) >= {"town", "lund", "inhabitant"}
    assert not undated_stems(text) & {"may", "2021", "94,393"}
    assert undated_names(text) >= {"lund"}
    assert not any(name.startswith(("may", "2021")) for name in undated_names(text))
