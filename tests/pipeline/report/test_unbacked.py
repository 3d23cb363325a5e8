"""What a text without a citation states all the same."""

import pytest

from deepresearch_mcp.pipeline.report.unbacked import unbacked, unproven


def test_what_carries_no_citation_may_hold_no_figure_or_address_of_its_own():
    known = "Why does ice float since 1996? See asyncio.run."

    assert unbacked("Ice since 1996, with asyncio.run and Ada Lovelace", known) == ()
    assert unbacked("Ice since 1879", known) == ("1879",)
    assert unbacked("Ice at evil.example", known) == ("evil.example",)


@pytest.mark.parametrize(
    ("heading", "strange"),
    [
        ("Ice and what the Met Office says", ("Met", "Office")),
        ("Why ice floats", ()),
        ("The best ice", ("best",)),
        ("Ice is lighter than oil", ("than",)),
        ("Ice since 1879", ("1879",)),
        ("Role of Density in Winter Lakes", ()),
        ("Role of NASA in Winter Lakes", ("NASA",)),
        ("Ice", ()),
        ("", ()),
    ],
)
def test_a_heading_is_held_to_what_is_known(heading: str, strange: tuple[str, ...]):
    assert unproven(heading, "Why does ice float on lakes in winter?") == strange


def test_in_german_a_capital_makes_no_name():
    known = "Warum schwimmt das Eis im Winter auf dem See, und was ist mit den Fischen darunter?"

    assert unproven("Dichte und Temperatur", known) == ()
    assert unproven("Die Rolle der NASA", known) == ("NASA",)
