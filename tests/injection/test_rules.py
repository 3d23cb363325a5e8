"""The word lists of the room, read from its data files."""

import re
from pathlib import Path

from deepresearch_mcp.injection import rules
from deepresearch_mcp.injection.rules import LANGUAGES, alternatives, word_list

ROOM = Path(rules.__file__).parent
LISTS = {name for file in (ROOM / "words").iterdir() for name in re.findall(r"^\[([\w.]+)\]$", file.read_text(), re.M)}
CODE = "\n".join(file.read_text(encoding="utf-8") for file in ROOM.glob("*.py"))


def test_a_list_holds_the_words_of_all_languages() -> None:
    assert {"ignore", "translate"} <= word_list("orders.verbs")
    assert alternatives("orders.opening").split("|")[0] == r"bitte\b"
    assert re.search(alternatives("orders.negated"), "So do not go")


def test_every_file_of_words_is_of_a_language_that_is_read() -> None:
    assert {file.name for file in (ROOM / "words").iterdir()} == {f"{language}.txt" for language in LANGUAGES}


def test_every_list_is_used() -> None:
    assert {name for name in LISTS if f'"{name}"' not in CODE and f"'{name}'" not in CODE} == set()


def test_every_expression_can_be_read_by_itself() -> None:
    for name in LISTS:
        re.compile(alternatives(name))
