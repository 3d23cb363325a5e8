"""The word lists and thresholds of the room, read from its data files."""

import re
import tomllib
from pathlib import Path

import pytest

from deepresearch_mcp.entailment import rules
from deepresearch_mcp.entailment.rules import LANGUAGES, alternatives, bounded, threshold, whole_threshold, word_list

ROOM = Path(rules.__file__).parent
LISTS = {name for file in (ROOM / "words").iterdir() for name in re.findall(r"^\[([\w.]+)\]$", file.read_text(), re.M)}
THRESHOLDS = tomllib.loads((ROOM / "thresholds.toml").read_text(encoding="utf-8"))
CODE = "\n".join(file.read_text(encoding="utf-8") for file in ROOM.glob("*.py"))


def test_words_stand_with_blanks_between_them_and_notes_are_left_out() -> None:
    assert word_list("phrases.places") == {"in", "at", "on", "within", "inside", "during", "of", "into"}


def test_expressions_of_all_languages_are_one_in_their_order() -> None:
    assert alternatives("denial.instead").split("|")[:3] == ["instead of", "rather than", "anstatt"]
    assert re.search(bounded("denial.instead"), "Tee statt Kaffee")
    assert not re.search(bounded("denial.instead"), "anstattlich")


def test_a_threshold_is_named_by_its_table() -> None:
    assert threshold("check.subject") == 0.5
    assert whole_threshold("coverage.shown") == 5


@pytest.mark.parametrize("name", ["check.nothing", "nothing.at_all"])
def test_what_no_file_has_is_an_error_at_once(name: str) -> None:
    with pytest.raises(ValueError, match=r"has no number"):
        threshold(name)
    with pytest.raises(ValueError, match=r"has a list"):
        word_list(name)


def test_every_file_of_words_is_of_a_language_that_is_read() -> None:
    assert {file.name for file in (ROOM / "words").iterdir()} == {f"{language}.txt" for language in LANGUAGES}


def test_every_list_and_every_threshold_is_used() -> None:
    unused = {name for name in LISTS if f'"{name}"' not in CODE and f"'{name}'" not in CODE}
    kinds = {f"ties.{one}" for one in ("cause", "comparison", "extreme", "most", "only", "all", "certainty")}
    kinds |= {name.replace("ties.", "ties.grounds.", 1) for name in kinds}
    kinds |= {f"ties.limits.{one}" for one in ("certainty", "extent", "condition")}

    assert unused == kinds
    assert [
        f"{table}.{name}"
        for table, values in THRESHOLDS.items()
        for name in values
        if f'"{table}.{name}"' not in CODE and (table, name) not in _BY_NAME
    ] == []


_BY_NAME = {("coverage", name) for name in ("bias", "covered", "missing", "said")}
"""Read by one expression, in a row."""


def test_every_threshold_says_what_it_is_for_or_stands_below_a_note_that_does() -> None:
    noted = False
    bare: list[str] = []
    for line in (ROOM / "thresholds.toml").read_text(encoding="utf-8").splitlines():
        noted = line.startswith("#") or (noted and bool(line) and not line.startswith("["))
        if "=" in line and "#" not in line and not noted:
            bare.append(line)

    assert bare == []


def test_every_expression_can_be_read_by_itself() -> None:
    for name in LISTS:
        re.compile(alternatives(name).replace("{no_superlatives}", "rest"))
