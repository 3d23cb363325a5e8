"""Every function of the room takes text from strangers: none may need more than linear time for it."""

from collections.abc import Callable

import pytest

from deepresearch_mcp.entailment.denial import negations
from deepresearch_mcp.entailment.details import details_missing_from
from deepresearch_mcp.text.citations import marks, strip_marks, text_fragment
from deepresearch_mcp.text.dates import dates
from deepresearch_mcp.text.keywords import keywords
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.markdown import escape, section, without_markdown
from deepresearch_mcp.text.names import names_in
from deepresearch_mcp.text.near_duplicates import sketch
from deepresearch_mcp.text.normalise import normalise
from deepresearch_mcp.text.numbers import numbers
from deepresearch_mcp.text.passages import pieces
from deepresearch_mcp.text.quotes import locate
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.text.tokens import estimate, upper_bound
from deepresearch_mcp.text.urls import in_domains, normalise_url

SIZE = 200_000
"""Characters. What needs quadratic time at this size takes minutes, and the test's own timeout ends it."""

UNITS = [
    "a",
    " ",
    "\n",
    "a. ",
    "A.",
    ".",
    "…",
    "[",
    "](",
    "[a](",
    "[1]",
    "[1,",
    "*",
    "**a ",
    "_a",
    "`",
    "```\n",
    "~",
    "#",
    "> ",
    "- ",
    "a-\n",
    "| a ",
    "|",
    "\\",
    "\\*",
    "1",
    "1,",
    "1 111 ",
    "2024-",
    "march ",
    "one ",
    "not ",
    "U.S.",
    "Ab ",
    "é",
    "中",
    "。",
    "a\u0301\u0323",
    "\u0301\u0323",
    "\u00ad",
    '"a ',
    "a'",
    "http://",
    "a@",
    "<",
    "&",
    "   \n",
    "%",
    "$",
    "\t",
]

FUNCTIONS: dict[str, Callable[[str], object]] = {
    "citations": lambda text: (marks(text), strip_marks(text), text_fragment("http://a.b", text)),
    "keywords": keywords,
    "language": guess,
    "markdown": lambda text: (without_markdown(text), escape(text), section(text, "x")),
    "near_duplicates": sketch,
    "normalise": normalise,
    "numbers": lambda text: (numbers(text), dates(text), negations(text)),
    "names": names_in,
    "details": lambda text: details_missing_from(text[:2000], text),
    "passages": pieces,
    "ranking": lambda text: Ranker([text]).top(text[:2000], 1),
    "sentences": sentences,
    "tokens": lambda text: (estimate(text), upper_bound(text)),
    "urls": lambda text: (
        normalise_url(f"http://{text}"),
        normalise_url(f"http://a/{text[:8000]}"),
        in_domains("http://a", [text]),
    ),
    "quotes": lambda text: (
        locate("the committee did not raise rates above five percent", text),
        locate(f"{text[:500]} zebra", text),
        locate(f"{text[:300]} zebra … {text[300:500]}", text),
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_hostile_text_costs_no_more_than_its_length(name: str) -> None:
    # Every unit at a twentieth of the size, so that the whole stays quick; the commonest attacks at full size.
    for unit in UNITS:
        FUNCTIONS[name](unit * (SIZE // 20 // len(unit)))
    for unit in ("a", "a. ", "[", "."):
        FUNCTIONS[name](unit * (SIZE // len(unit)) + "x")
