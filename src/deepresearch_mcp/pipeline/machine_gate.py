"""Gate 1: hold a claim against its own quote, by machine."""

import re
from collections.abc import Mapping

from deepresearch_mcp.entailment.check import Evidence, Finding, PageWords, check
from deepresearch_mcp.injection.screen import MACHINE, is_clean
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.pipeline.passage_tag import versions_of_address, without_tagged
from deepresearch_mcp.records.evidence import Claim, Judgement, Quote, Verdict
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.dates import dates
from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.text.passages import table_head

_WALLED = "the page is kept from readers who do not pay"
_NOT_THERE = "the quote is not in the snapshot"
_FINAL = frozenset({_NOT_THERE, MACHINE})
"""Reasons that no reader of the words can overrule."""
_COVER = 3_000
"""Characters at the beginning of a page in which it says of when it is."""
_PERIOD = re.compile(r"\d{4}(?:-Q[1-4]|-\d\d)?")
"""A report on one quarter seldom names it beside each figure, nor the same quarter of the year before."""
_QUARTER = re.compile(r"q[1-4]|h[12]|fy")
_UNIT = {"1000": "thousand", "1000000": "million", "1000000000": "billion"}
"""A unit that a claim tells once for several figures: "(in $ million)"."""
_SMALL = re.compile(r"(?:\d|1[0-2])(?:st|nd|rd|th)?")
"""A number that a reader may have counted: "one of four weights (A, B, C, D)"."""


def by_machine(claim: Claim, documents: Mapping[str, Document]) -> Claim:
    """Gate 1: the quote is in the snapshot, and the claim's numbers, dates, negations and names are in the quote.

    A date or name may be in the head of the quote's table; a version ("Django 3.2") in the title, the headings or the
    address of the page; for its date and for counts in headings see `passage_tag`.
    """
    quote = claim.quotes[0]
    document = documents[quote.source_id]
    if document.text[quote.start : quote.end] != quote.text:
        return claim.model_copy(update={"verdict": "unsupported", "reason": _NOT_THERE, "checked_by": "machine"})
    if "paywalled" in document.flags:
        # A page that a reader cannot open supports nothing.
        return claim.model_copy(update={"verdict": "unverifiable", "reason": _WALLED, "checked_by": "machine"})
    if not is_clean(document, quote.start, quote.end) or is_screened(claim.text):
        return claim.model_copy(update={"verdict": "unsupported", "reason": MACHINE, "checked_by": "machine"})
    finding = _finding(claim, quote, document)
    verdict: Verdict = "unsupported" if finding.faults else "supported"
    return claim.model_copy(update={"verdict": verdict, "reason": finding.faults, "checked_by": "machine"})


def is_for_a_reader(claim: Claim, documents: Mapping[str, Document]) -> bool:
    """Whether the machine refuses a claim only for what a reader of its passage can tell better.

    That is a negation that may mean something else, a number, name or date that stands above or around the quote, a
    date at the beginning of the page, where a report says of when it is, a quarter or year of account of such a date or
    of the year before, the sign of a number, the unit of a table, a name made of words of the page, and a small number,
    which may have been counted.
    """
    if claim.verdict != "unsupported" or claim.reason in _FINAL:
        return False
    quote = claim.quotes[0]
    document = documents[quote.source_id]
    finding = _finding(claim, quote, document)
    if finding.denial and finding.flatly_denied:
        return False
    near = f"{document.title}\n{quote.heading}\n{quote.context}"
    above = document.text[max(0, quote.start - _TABLE) : quote.start]
    dated = dates(f"{near}\n{document.text[:_COVER]}\n{above}")
    years = {int(one[:4]) for one in dated if one[:4].isdigit()}
    details = (
        one
        for one in (*finding.missing, *finding.addresses)
        if one not in dated and not (_PERIOD.fullmatch(one) and not years.isdisjoint({int(one[:4]), int(one[:4]) + 1}))
    )
    return all(_is_near(one.casefold(), near.casefold(), document) for one in details)


def _is_near(detail: str, near: str, document: Document) -> bool:
    unit = _UNIT.get(detail.partition(" ")[0])
    if unit and unit in document.text.casefold():
        return True
    # A loss stands in brackets or beside "decreased".
    signless = detail.removeprefix("-")
    if signless != detail and re.search(rf"(?<![\w.]){re.escape(signless.rstrip('%'))}(?!\w|\.\d)", near):
        return True
    if (
        _SMALL.fullmatch(detail)
        or _QUARTER.fullmatch(detail)
        or re.search(rf"(?<![\w.]){re.escape(detail)}(?!\w|\.\d)", near)
    ):
        return True
    own = [word for word in words(detail) if len(word) > 1]
    if not own or any(map(str.isdigit, detail)):
        return False
    page = document.text.casefold()
    return all(word in page for word in own)


def _finding(claim: Claim, quote: Quote, document: Document) -> Finding:
    """What speaks against a claim; what the tag of its passage carries is left out only where something does."""
    finding = check(claim.text, _evidence(claim.text, quote, document))
    if finding.missing or finding.addresses:
        return check(without_tagged(claim.text, quote, document), finding.evidence)
    return finding


def _evidence(claim: str, quote: Quote, document: Document) -> Evidence:
    """A quote with its surroundings: a claim names what its quote calls "it", and the page must name it."""
    page = f"{document.title}\n{document.url}\n{document.text}"
    return Evidence(
        # The row of a table says what it says for the periods and subjects that its head names.
        words="\n\n".join((quote.text, _scaled(quote, document), table_head(document.text, quote.start))),
        titles="\n".join((document.title, quote.heading, *versions_of_address(claim, document))),
        near=f"{document.title}\n\n{quote.context}\n\n{quote.text}",
        page=PageWords(page, document.url),
        # An address that is nowhere on the page was typed by the reader, and not read.
        addresses=page,
        lacks="not in the quote",
    )


_TABLE = 4_000
"""Characters before a number in which the head of its table is searched."""
_IN = re.compile(
    r"(?:[(|]|^)[ \t]*(?:(?:amounts|(?:u\.?s\.? )?dollars|usd|(?:us)?\$)[ \t]+)?in (thousands|millions|billions)"
    r"(?:[ \t]+of (?:u\.?s\.? )?dollars)?[ \t]*(?:[,;)|]|$)"
    r"|(?<![\w$])\(?\$[ ]?([BMK])(?![\w.])",
    re.IGNORECASE | re.MULTILINE,
)
"""The head of a table, in brackets, in a cell or on a line. "$B" is one. "Used in millions of homes" is none, nor is
the "in thousands" of "(in millions, except shares, which are in thousands)". A head in euros gives no dollars."""
_LETTERS = {"B": "billion", "M": "million", "K": "thousand"}
_BARE = re.compile(
    r"(?<![\w.,€£¥])(?:\d{1,3}(?:,\d{3})++|\d++)(?:\.\d++)?+"
    r"(?![.,]?\d|\s?(?:%|per\s?cent|thousand|million|billion|trillion)|\w)",
    re.IGNORECASE,
)
"""A number without a unit of its own."""


def _scaled(quote: Quote, document: Document) -> str:
    """The bare numbers of a quote in the unit of their table's head, as "(in millions)"; "" without such a head."""
    if not any(char.isdigit() for char in quote.text):
        return ""
    # Up to the end of the quote, as a row may be quoted together with its head.
    heads = list(_IN.finditer(document.text, max(0, quote.start - _TABLE), quote.end))
    if not heads:
        return ""
    word, letter = heads[-1].groups()
    unit = word.lower().removesuffix("s") if word else _LETTERS[letter.upper()]
    return "; ".join(f"${number} {unit}" for number in _BARE.findall(quote.text))


def is_readers_word(judgement: Judgement) -> bool:
    """Whether a reader judged, and not rules, which would only compare the same words again."""
    return judgement.by != "machine" and judgement.verdict != "unverifiable"
