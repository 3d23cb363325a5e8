"""Gate 1: hold a claim against its own quote, by machine."""

import re
from collections.abc import Mapping

from deepresearch_mcp.entailment.check import Evidence, PageWords, check
from deepresearch_mcp.injection.screen import MACHINE, is_clean
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.records.evidence import Claim, Judgement, Quote, Verdict
from deepresearch_mcp.records.sources import Document

_WALLED = "the page is kept from readers who do not pay"
_NOT_THERE = "the quote is not in the snapshot"
_FINAL = frozenset({_NOT_THERE, MACHINE})
"""Reasons that no reader of the words can answer."""


def by_machine(claim: Claim, documents: Mapping[str, Document]) -> Claim:
    """Gate 1: the quote stands in the snapshot, and the claim's numbers, dates, negations and names stand by it.

    A version ("Django 3.2") may stand in the page's title or headings in the place of the quote.
    """
    quote = claim.quotes[0]
    document = documents[quote.source_id]
    if document.text[quote.start : quote.end] != quote.text:
        return claim.model_copy(update={"verdict": "unsupported", "reason": _NOT_THERE, "checked_by": "machine"})
    if "paywalled" in document.flags:
        # What a reader cannot look up supports nothing.
        return claim.model_copy(update={"verdict": "unverifiable", "reason": _WALLED, "checked_by": "machine"})
    if not is_clean(document, quote.start, quote.end) or is_screened(claim.text):
        return claim.model_copy(update={"verdict": "unsupported", "reason": MACHINE, "checked_by": "machine"})
    finding = check(claim.text, _evidence(quote, document))
    verdict: Verdict = "unsupported" if finding.faults else "supported"
    return claim.model_copy(update={"verdict": verdict, "reason": finding.faults, "checked_by": "machine"})


def only_perhaps_denied(claim: Claim, documents: Mapping[str, Document]) -> bool:
    """Whether a negation that may mean something else is all that the machine has against a claim."""
    if claim.verdict != "unsupported" or claim.reason in _FINAL:
        return False
    quote = claim.quotes[0]
    return check(claim.text, _evidence(quote, documents[quote.source_id])).perhaps_denied


def _evidence(quote: Quote, document: Document) -> Evidence:
    """A quote, and what may stand for it: a claim names what its quote calls "it", and the page has to name it."""
    page = f"{document.title}\n{document.url}\n{document.text}"
    return Evidence(
        words=f"{quote.text}\n\n{_scaled(quote, document)}",
        titles=f"{document.title}\n{quote.heading}",
        near=f"{document.title}\n\n{quote.context}\n\n{quote.text}",
        page=PageWords(page, document.url),
        # An address is the program's to give: one that the quote does not hold was typed by the reader.
        addresses=page,
        lacks="not in the quote",
    )


_TABLE = 4_000
"""Characters before a number in which the head of its table is looked for."""
_IN = re.compile(
    r"(?:[(|]|^)[ \t]*(?:(?:amounts|(?:u\.?s\.? )?dollars|usd|(?:us)?\$)[ \t]+)?in (thousands|millions|billions)"
    r"(?:[ \t]+of (?:u\.?s\.? )?dollars)?[ \t]*(?:[,;)|]|$)"
    r"|(?<![\w$])\(?\$[ ]?([BMK])(?![\w.])",
    re.IGNORECASE | re.MULTILINE,
)
"""The head of a table, in brackets, a cell or a line of its own. "Used in millions of homes" and the "in thousands"
of "(in millions, except shares, which are in thousands)" are none, and one in euros carries no dollars; "$B" is one."""
_LETTERS = {"B": "billion", "M": "million", "K": "thousand"}
_BARE = re.compile(
    r"(?<![\w.,€£¥])(?:\d{1,3}(?:,\d{3})++|\d++)(?:\.\d++)?+"
    r"(?![.,]?\d|\s?(?:%|per\s?cent|thousand|million|billion|trillion)|\w)",
    re.IGNORECASE,
)
"""A number without a unit of its own."""


def _scaled(quote: Quote, document: Document) -> str:
    """The bare numbers of a quote in the unit that the head of their table gives, as "(in millions)"; else empty."""
    if not any(char.isdigit() for char in quote.text):
        return ""
    # To the quote's end: a row may be quoted together with its head.
    heads = list(_IN.finditer(document.text, max(0, quote.start - _TABLE), quote.end))
    if not heads:
        return ""
    word, letter = heads[-1].groups()
    unit = word.lower().removesuffix("s") if word else _LETTERS[letter.upper()]
    return "; ".join(f"${number} {unit}" for number in _BARE.findall(quote.text))


def is_readers_word(judgement: Judgement) -> bool:
    """Whether more than words were compared; without a model they would only be compared once more."""
    return judgement.by != "machine" and judgement.verdict != "unverifiable"
