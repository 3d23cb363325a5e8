"""Verdicts on a cited statement: of each page that it cites, and of all of them together."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal

from deepresearch_mcp.cited_text.masked_text import CitationMark
from deepresearch_mcp.cited_text.parse import Statement
from deepresearch_mcp.pipeline.check.evidence import FOREIGN, BestWords, page_verdict
from deepresearch_mcp.pipeline.machine_gate import is_readers_word
from deepresearch_mcp.pipeline.numbering import link_to
from deepresearch_mcp.pipeline.report_frame import REASONS
from deepresearch_mcp.records.checks import CheckedClaim
from deepresearch_mcp.records.evidence import Judgement, Verdict
from deepresearch_mcp.records.sources import Document, Unread
from deepresearch_mcp.text.url_secrets import without_secrets
from deepresearch_mcp.text.urls import host_of


@dataclass(frozen=True, slots=True)
class CitedPair:
    """A statement with one page that it cites."""

    mark: CitationMark
    found: BestWords | None = None
    """The best words of the page; None if it was not read, or has none."""
    read: bool = False
    foreign: bool = False
    """Whether the page was read and is in another language."""
    unread: Unread | None = None
    verdict: Verdict = "unverifiable"
    reason: str = ""
    by: Literal["none", "machine", "model", "self"] = "none"


def paired(pair: CitedPair, given: Mapping[str, Judgement]) -> CitedPair:
    """The pair with its verdict: that of the machine if it refuses, else that of the judge."""
    if not pair.read:
        return replace(pair, reason=_unread(pair))
    if pair.found is None:
        if pair.foreign:
            return replace(pair, reason=FOREIGN)
        return replace(pair, verdict="unsupported", reason="nothing on the page speaks of it", by="machine")
    verdict, reason = page_verdict(pair.found)
    judgement = given.get(pair.found.claim.claim_id)
    overruled = judgement is not None and is_readers_word(judgement) and pair.found.unsure
    if verdict != "supported" and not overruled:
        return replace(pair, verdict=verdict, reason=reason, by="machine")
    if judgement is None:
        return replace(pair, reason=f"{FOREIGN}: only a model could compare them" if pair.foreign else _UNJUDGED)
    if pair.foreign and judgement.verdict not in {"supported", "partly"}:
        # The words were chosen by what two languages share. Other words of the page may say it.
        return replace(pair, reason=FOREIGN, by=judgement.by)
    if not pair.foreign and judgement.verdict in {"supported", "partly"} and pair.found.finding.hardly_covered:
        # A page may tell a judge what to say. It still has to contain the words.
        return replace(pair, verdict="unsupported", reason="hardly a word of it stands on the page", by="machine")
    return replace(pair, verdict=judgement.verdict, reason=judgement.reason, by=judgement.by)


_UNJUDGED = "it could not be judged"


def _unread(pair: CitedPair) -> str:
    mark = pair.mark
    if mark.kind == "author" and not mark.url:
        return "it names an author and a year, and no address"
    if mark.dangles:
        return "there is no such reference"
    if not mark.url and mark.reference and "library://" in mark.reference.title:
        return "it is a document of a local collection, which is read only for the run that cites it: verify that run"
    if not mark.url:
        return "the reference names no address"
    reason = pair.unread.reason if pair.unread else "ceiling"
    return f"the page was not read: {REASONS.get(reason, reason.replace('_', ' '))}"


RANK: tuple[Verdict, ...] = ("supported", "partly", "disputed", "unsupported", "unverifiable")
"""A verdict wins over those behind it."""


def checked(statement: Statement, pairs: Sequence[CitedPair], documents: Mapping[str, Document]) -> CheckedClaim:
    """One verdict from all cited pages: a page that supports it wins, then one that carries a part of it.

    If a page that was read does not say it and another page could not be read, the verdict is `unverifiable`.
    """
    best = min(pairs, key=lambda pair: (RANK.index(pair.verdict), -pair.found.covered if pair.found else 0.0))
    verdict, reasons = best.verdict, [best]
    if verdict == "unsupported" and (open_ends := [pair for pair in pairs if pair.verdict == "unverifiable"]):
        verdict, reasons = "unverifiable", [best, *open_ends]
    elif verdict == "unverifiable":
        reasons = list(pairs)
    several = len({name_of_mark(pair.mark) for pair in pairs}) > 1
    said = [f"{name_of_mark(one.mark)}: {one.reason}" if several else one.reason for one in reasons if one.reason]
    shown = "; ".join(list(dict.fromkeys(said))[:_REASONS]) if verdict != "supported" else ""
    quotes = best.found.claim.quotes if best.found else ()
    marks = _told(statement.marks)
    deciding = next(iter(quotes), None)
    document = documents.get(deciding.source_id) if deciding else None
    return CheckedClaim(
        claim_id=f"k{sha256(f'{statement.start}:{statement.text}'.encode('utf-8', 'replace')).hexdigest()[:10]}",
        text=statement.text,
        start=statement.start,
        end=statement.end,
        cites=tuple(dict.fromkeys(name_of_mark(mark) for mark in marks)),
        urls=tuple(dict.fromkeys(without_secrets(mark.url) for mark in marks if mark.url)),
        closed=statement.closed,
        verdict=verdict,
        reason=shown,
        checked_by=best.by,
        quotes=quotes,
        url=document.url if document else "",
        link=link_to(document.url, deciding.text, document.kind, leaf=deciding.page) if document and deciding else "",
    )


def _told(marks: Sequence[CitationMark]) -> list[CitationMark]:
    """The marks, where a source has many quotes one for the source: a number without letters stands for all of them."""
    sources = [found.group() if (found := _OF_SOURCE.match(mark.key)) else "" for mark in marks]
    many = {one for one, times in Counter(filter(None, sources)).items() if times > _LETTERED}
    return [
        replace(mark, key=source, url=mark.url.partition(":~:")[0].rstrip("#")) if source in many else mark
        for mark, source in zip(marks, sources, strict=True)
    ]


_OF_SOURCE = re.compile(r"\d+(?=[a-z])")
_LETTERED = 6
"""The most quotes of a source that are named one by one."""
_REASONS = 3
"""Reasons that are named if several pages are cited."""


def name_of_mark(mark: CitationMark) -> str:
    """The name of a mark in a report: `[3]`, `[^note]`, `(Smith, 2020)`, or the site of a link."""
    if mark.kind in {"number", "note"}:
        return f"[{mark.key}]"
    return f"({mark.key})" if mark.kind == "author" else host_of(mark.url) or without_secrets(mark.url)
