"""Verify: hold each claim against its own words, by machine, then by one who sees nothing else; count witnesses."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from deepresearch_mcp.entailment.check import Evidence, PageWords, check, details_missing_from
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.injection.screen import MACHINE, is_clean
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.pipeline.research.comparing import REASONS
from deepresearch_mcp.pipeline.research.witnesses import Witnesses, publisher
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import KEPT, OTHERWISE, Claim, Comparison, Judgement, Quote, Verdict
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.quality import STANDINGS
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.markdown import without_markdown
from deepresearch_mcp.text.quantities import apart, quantities
from deepresearch_mcp.thinkers.base import Thinker

_PLAINLY: Mapping[Verdict, str] = {
    "partly": "the source carries a part of it only",
    "disputed": "the source reports it as contested",
    "unsupported": "the source does not say it",
    "unverifiable": "it could not be checked",
}
"""What a verdict means, for a reader, where the judge gave no reason."""

_WALLED = "the page is kept from readers who do not pay"
_NOT_THERE = "the quote is not in the snapshot"
_FINAL = frozenset({_NOT_THERE, MACHINE})
"""Reasons that no reader of the words can answer."""

_SAME = 0.8
"""Share of content words in common when two claims say the same; numbers and names must be equal besides."""


async def verify(
    brief: Brief, claims: Sequence[Claim], documents: Mapping[str, Document], thinker: Thinker, step: Step
) -> list[Claim]:
    """Give every claim a verdict, in the order given: gate 1 by machine, gate 2 by the thinker.

    A judgement that cannot be had, at a ceiling too, leaves a claim that passed the
    machine `supported` by it, and `checked_by` says so; one bad answer never ends a
    run, and what was read is never lost. Where all that the machine found is a denial
    of which it cannot be sure, a reader's word stands against its own.

    Raises:
        KeyRefused: Going on would fail in the same way.
    """
    checked = [by_machine(claim, documents) for claim in claims]
    unsure = {claim.claim_id for claim in checked if only_perhaps_denied(claim, documents)}
    open_claims = [claim for claim in checked if claim.verdict == "supported" or claim.claim_id in unsure]
    if not open_claims:
        return checked
    try:
        judgements = await thinker.judge(brief, open_claims, step)
    except KeyRefused:
        raise
    except (ProviderError, BudgetExceeded):
        return checked
    given = {judgement.claim_id: judgement for judgement in judgements}
    return [_judged(claim, given.get(claim.claim_id), unsure=claim.claim_id in unsure) for claim in checked]


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


def _judged(claim: Claim, judgement: Judgement | None, *, unsure: bool) -> Claim:
    if judgement is None or not (claim.verdict == "supported" or (unsure and reads(judgement))):
        return claim
    reason = "" if judgement.verdict == "supported" else judgement.reason or _PLAINLY[judgement.verdict]
    return claim.model_copy(update={"verdict": judgement.verdict, "reason": reason, "checked_by": judgement.by})


def reads(judgement: Judgement) -> bool:
    """Whether more than words were compared; without a model they would only be compared once more."""
    return judgement.by != "machine" and judgement.verdict != "unverifiable"


def settle(
    claims: Sequence[Claim],
    documents: Mapping[str, Document],
    comparisons: Sequence[Comparison] = (),
    corroborates: Callable[[Document], bool] | None = None,
) -> dict[str, Claim]:
    """Gate 3: every claim's id with the claim that stands for it.

    Claims that say the same, by their words or by what comparing them gave, are one: the best founded of them, with
    the quotes that carry its verdict and the number of independent sources behind it, and of those that are good enough
    to corroborate (`corroborates`; None: all). Of those that contradict each
    other both sides become `disputed`, each naming the other; one source that gives another figure for another date
    disputes nothing.
    """
    merged, stands_for = _merged(claims)
    by_id = {claim.claim_id: claim for claim in claims}
    # In an order of their own: who was faster must not change what is written.
    known = sorted(
        (one for one in comparisons if one.first in by_id and one.second in by_id),
        key=lambda one: (one.first, one.second),
    )
    for one in known:
        first, second = stands_for[one.first], stands_for[one.second]
        if one.relation == "same" and first != second and _may_be_one(merged[first], merged[second]):
            merged[first] = _join(merged[first], merged[second])
            stands_for = {name: first if index == second else index for name, index in stands_for.items()}
    witnesses = Witnesses(documents, corroborates)
    counted = {index: witnesses.count(merged[index]) for index in set(stands_for.values())}
    for one in known:
        first, second = stands_for[one.first], stands_for[one.second]
        sides = by_id[one.first], by_id[one.second]
        if one.relation == "contradict" and first != second and not _of_one_source(*sides, documents):
            mine, theirs = counted[first], counted[second]
            if mine.verdict in KEPT and theirs.verdict in KEPT:
                counted[first] = _disputed(mine, theirs, REASONS[one.reason])
                counted[second] = _disputed(theirs, mine, REASONS[one.reason])
    return {name: counted[index] for name, index in stands_for.items()}


def _merged(claims: Sequence[Claim]) -> tuple[list[Claim], dict[str, int]]:
    """Claims whose words say the same made one, and where each claim is among them."""
    merged: list[Claim] = []
    keys: list[tuple[frozenset[str], tuple[str, ...]]] = []
    stands_for: dict[str, int] = {}
    for claim in claims:
        words, details = _said(claim.text)
        for index, (other, its_details) in enumerate(keys):
            if details == its_details and _alike(words, other) >= _SAME:
                merged[index] = _join(merged[index], claim)
                stands_for[claim.claim_id] = index
                break
        else:
            stands_for[claim.claim_id] = len(merged)
            merged.append(claim)
            keys.append((words, details))
    return merged, stands_for


def _may_be_one(one: Claim, other: Claim) -> bool:
    """Whatever a thinker says: a figure or a date that only one of two claims has makes them two."""
    first, second = quantities(one.text), quantities(other.text)
    return first.figures == second.figures and first.labels == second.labels and not first.dates ^ second.dates


def _of_one_source(one: Claim, other: Claim, documents: Mapping[str, Document]) -> bool:
    """Whether two claims are two lines of one source's own table, not two sources at odds."""
    first, second = ({quote.source_id for quote in claim.quotes} for claim in (one, other))
    if first & second:
        return True
    mine, theirs = ({publisher(documents[name]) for name in names if name in documents} for names in (first, second))
    return bool(mine & theirs) and apart(*(_holding(claim) for claim in (one, other)))


def _holding(claim: Claim) -> frozenset[str]:
    return quantities(claim.text).dates or quantities(claim.dated).dates


def _disputed(claim: Claim, by: Claim, reason: str) -> Claim:
    # What a page supports only in part is worded down to its own words: `partly` is not shown any more.
    text = " ".join(without_markdown(claim.quotes[0].text).split()) if claim.verdict == "partly" else claim.text
    known = reason if claim.reason in {"", OTHERWISE} or not claim.disputes else claim.reason
    disputes = tuple(dict.fromkeys((*claim.disputes, by.claim_id)))
    return claim.model_copy(update={"text": text, "verdict": "disputed", "reason": known, "disputes": disputes})


@lru_cache(maxsize=2048)
def _said(text: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The stems of a claim, and its details in their order: who outdoes whom is told by nothing else."""
    return frozenset(map(stem, content_words(text))), details_missing_from(text, "")


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    # A word put in the place of another may be its opposite: one claim may only say more than the other.
    return len(one & other) / max(1, len(one | other)) if one <= other or other <= one else 0.0


def _join(first: Claim, second: Claim) -> Claim:
    stronger, weaker = (first, second) if _weight(first) >= _weight(second) else (second, first)
    # Words that carry a claim in part are no witness of the whole; a dispute keeps both sides.
    carried = weaker.quotes if stronger.verdict in {weaker.verdict, "disputed"} else ()
    quotes = dict.fromkeys((*stronger.quotes, *carried))
    best = min((stronger, weaker) if carried else (stronger,), key=lambda claim: STANDINGS.index(claim.standing))
    more = {"score": max(first.score, second.score), "standing": best.standing}
    return stronger.model_copy(update={"quotes": tuple(quotes), **more})


def _weight(claim: Claim) -> tuple[int, int]:
    sources = len({quote.source_id for quote in claim.quotes})
    return {"disputed": 2, "supported": 1}.get(claim.verdict, 0), sources
