"""Rows of tables that hold what is asked for, told by their labels."""

import re
from collections.abc import Collection, Iterator, Mapping

from deepresearch_mcp.text.keywords import stem, words

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
_SLIGHT = {stem(word): 0.2 for word in ("total", "net", "other", "and", "of", "for", "the", "in", "a", "from", "by")}
"""Words of labels that tell little."""


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


def row_match(wanted: Mapping[str, float], text: str, above: Collection[str]) -> float:
    """How well the rows of tables in a passage are what is asked for, 0 to 1; 0 without a row with figures.

    Args:
        wanted: Stems of what is asked for, with their weights.
        text: The passage.
        above: Stems of the headings over it; they count half.
    """
    whole = sum(wanted.values())
    best: dict[str, float] = {}
    top = 0.0
    for label in _labels(text):
        held = set(account_stems(label))
        mine = held & wanted.keys()
        if not mine:
            continue
        precision = len(mine) / (len(mine) + sum(_SLIGHT.get(one, 1.0) for one in held - mine))
        share = sum(wanted[one] for one in mine) / whole
        top = max(top, precision * min(1.0, share + 0.5 * _share(wanted, above, mine)) ** 0.5)
        for one in mine:
            best[one] = max(best.get(one, 0.0), precision)
    together = sum(wanted[one] * found for one, found in best.items()) / whole if whole else 0.0
    return (top + together) / 2


def _share(wanted: Mapping[str, float], above: Collection[str], known: Collection[str]) -> float:
    return sum(heavy for one, heavy in wanted.items() if one in above and one not in known) / sum(wanted.values())


def _labels(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if not line.startswith("|") or _RULE.fullmatch(line):
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if any(_FIGURE.search(cell) for cell in cells[1:]):
            yield cells[0]
