"""Rows of tables that hold what is asked for, told by their labels."""

import re
from collections.abc import Iterator, Sequence

from deepresearch_mcp.text.keywords import stem, words
from deepresearch_mcp.thinkers.extractive.terms import asked, weight

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
    stem(word): stem(first)
    for first, *others in (
        ("sales", "revenue", "revenues", "turnover"),
        ("expenses", "expenditure", "expenditures", "spending", "costs", "cost", "spend", "spent"),
        ("income", "profit", "profits", "earnings"),
        ("inventories", "inventory"),
        ("receivable", "receivables"),
        ("tax", "taxes"),
        ("repurchased", "buyback", "buybacks", "repurchases"),
    )
    for word in (first, *others)
}
"""Words of accounts that name one thing."""


def spelt_out(text: str) -> str:
    """The text with abbreviations of accounts as words."""
    for pattern, said in _SPELT_OUT:
        text = pattern.sub(said, text)
    return text


def account_stems(text: str) -> list[str]:
    """The stems of a text's words, each thing of accounts under one of its names."""
    return [_SAME.get(one, one) for one in map(stem, words(spelt_out(text)))]


def row_match(topic: str, text: str, headings: Sequence[str]) -> float:
    """How well the best row of the tables in a passage is what is asked for, 0 to 1; 0 without a row with figures.

    It counts how much of the topic its label and the headings hold, and how much of the label is asked for.
    """
    wanted = {_SAME.get(stem(one), stem(one)) for one in asked(spelt_out(topic))}
    wanted = {one for one in wanted if not one[0].isdigit()}
    whole = sum(map(weight, wanted))
    if not whole:
        return 0.0
    above = set(account_stems(" ".join(headings)))
    best = 0.0
    for label in _labels(text):
        held = set(account_stems(label))
        mine = held & wanted
        if not mine:
            continue
        recall = (sum(map(weight, mine)) + 0.5 * sum(map(weight, (above & wanted) - mine))) / whole
        precision = sum(map(weight, mine)) / max(1e-9, sum(map(weight, held)))
        best = max(best, min(1.0, recall) ** 0.5 * precision)
    return best


def _labels(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if not line.startswith("|") or _RULE.fullmatch(line):
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if any(_FIGURE.search(cell) for cell in cells[1:]):
            yield cells[0]
