"""What a piece of a page is worth before it is ranked."""

import pytest

from deepresearch_mcp.pipeline.research.unit_worth import is_menu, worth_of

PROSE = "Ice floats on water, because it is less dense. Salt water carries it higher. " * 6
NAMES = "Ice And Water Sails — How They Work Density Tables Frost Melting Of Snow Skates And Blades " * 5


def worth(text: str = PROSE, address: str = "https://a.example/ice", title: str = "Ice", heading: str = "") -> float:
    return worth_of(address, title, heading, text)


def test_running_text_keeps_all_of_its_score() -> None:
    assert worth() == 1.0
    assert worth(title="What ice is made of", heading="Changes of state") == 1.0


@pytest.mark.parametrize(
    "less",
    [
        worth(NAMES),
        worth(heading="History › References"),
        worth(title="Ice 2.0 release notes — Ice 3.1 documentation"),
        worth(title="ice.floating — documentation", heading="Source code for ice.floating"),
        worth(address="https://a.example/_modules/ice/floating.html"),
    ],
)
def test_menus_references_lists_of_changes_and_source_code_keep_less(less: float) -> None:
    assert less < worth()


def test_a_menu_is_worth_less_than_a_list_of_changes() -> None:
    assert worth(NAMES) < worth(title="Change log")


@pytest.mark.parametrize(
    "text",
    [
        "| Name | Default |\n|---|---|\n" + "| ice and water | on and off again |\n" * 30,
        "```\n" + "ice = water and cold\n" * 40 + "```",
        "Ice, Water",
        "* floats(ice)\n: Whether it floats.\n" * 20,
        "лёд плавает на воде " * 40,
    ],
)
def test_tables_listings_short_notes_entries_and_other_scripts_are_no_menus(text: str) -> None:
    assert not is_menu(text)
