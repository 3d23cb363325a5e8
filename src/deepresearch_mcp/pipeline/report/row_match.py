"""Rows of tables that hold what is asked for, told by their labels."""

import re
from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice

from deepresearch_mcp.text.keywords import stem, words

_INTRODUCING = 300
"""Characters."""
_FIGURE = re.compile(r"\d")
_RULE = re.compile(r"[\s|:-]+")
_SPELT_OUT = (
    (re.compile(r"\bR\s?&\s?D\b"), "research and development"),
    (re.compile(r"\bSG\s?&\s?A\b"), "selling, general and administrative"),
    (re.compile(r"\bEPS\b"), "earnings per share"),
    (re.compile(r"\bcapex\b", re.IGNORECASE), "capital expenditures"),
    (re.compile(r"\boperational\b", re.IGNORECASE), "operating"),
)
_SAME = {
    stem(word): stem(one[0])
    for one in (
        ("sales", "revenue", "revenues", "turnover"),
        ("expenses", "expenditure", "expenditures", "spending", "costs", "cost", "spend", "spent"),
        ("income", "profit", "profits", "earnings"),
        ("inventories", "inventory"),
        ("receivable", "receivables"),
        ("tax", "taxes", "taxation"),
        ("repurchases", "repurchased", "repurchase", "buyback", "buybacks"),
        ("acquisitions", "acquisition", "acquired", "acquire"),
        ("divestitures", "divestments", "divestment", "divested", "divest"),
    )
    for word in one
}
"""Words of accounts that name one thing."""
_SLIGHT_SPELT = (
    "total net other and of for the in a an from by on to or our with item note part information condensed "
    "consolidated statements statement summary overview unaudited"
)
_SLIGHT = {stem(word): 0.2 for word in _SLIGHT_SPELT.split()}
"""Words of labels and headings that tell little."""


def spelt_out(text: str) -> str:
    """The text with abbreviations of accounts as words."""
    for pattern, said in _SPELT_OUT:
        text = pattern.sub(said, text)
    return text


def same_stem(word: str) -> str:
    """The stem that stands for all words of accounts that mean the same."""
    return _SAME.get(word, word)


def account_stems(text: str) -> list[str]:
    """The stems of a text's words, each thing of accounts under one of its names."""
    return [same_stem(one) for one in map(stem, words(spelt_out(text)))]


def row_match(wanted: Mapping[str, float], text: str, above: AbstractSet[str]) -> float:
    """How well the rows of tables in a passage are what is asked for, 0 to 1; 0 without a row with figures.

    Args:
        wanted: Stems of what is asked for, with their weights.
        text: The passage.
        above: Stems of the headings over it; they count half.
    """
    whole = sum(wanted.values())
    if not whole:
        return 0.0
    best: dict[str, float] = {}
    top = 0.0
    for label in _labels(text):
        held = set(account_stems(label))
        mine = held & wanted.keys()
        if not mine:
            continue
        precision = _precision(held, mine)
        share = (
            sum(wanted[one] for one in mine) + sum(wanted[one] for one in wanted.keys() & above - mine) / 2
        ) / whole
        top = max(top, precision * min(1.0, share) ** 0.5)
        for one in mine:
            best[one] = max(best.get(one, 0.0), precision)
    together = sum(wanted[one] * found for one, found in best.items()) / whole
    return (top + together) / 2


def heading_match(wanted: Mapping[str, float], heading: str) -> float:
    """How far a heading is what is asked for and no more, 0 to 1."""
    held = set(account_stems(heading))
    mine = held & wanted.keys()
    share = sum(wanted[one] for one in mine) / max(1e-9, sum(wanted.values()))
    return _precision(held, mine) * share**0.5 if mine else 0.0


def introduced(text: str) -> str:
    """The words right before the first table of a passage, which say what it is of; "" without a table."""
    before, bar, _ = f"\n{text}".partition("\n|")
    return before.rstrip()[-_INTRODUCING:] if bar else ""


def has_rows(text: str) -> bool:
    """Whether a passage has a table of figures."""
    return len(list(islice(_labels(text), 2))) > 1


def _precision(held: Collection[str], mine: Collection[str]) -> float:
    """The share of a label that is asked for; numbers such as `Note 7` do not count."""
    rest = sum(_SLIGHT.get(one, 1.0) for one in held if one not in mine and not one[0].isdigit())
    return len(mine) / (len(mine) + rest)


def _labels(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if not line.startswith("|") or _RULE.fullmatch(line):
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if any(_FIGURE.search(cell) for cell in cells[1:]):
            yield cells[0]
