"""Gate 3: claims that say the same become one, and contradictions name each other."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from deepresearch_mcp.entailment.check import NEGATION, details_missing_from
from deepresearch_mcp.pipeline.same_fact import absorbed, name_different_things, things_missing, with_what_it_stands_for
from deepresearch_mcp.pipeline.witnesses import Witnesses, publisher
from deepresearch_mcp.records.evidence import KEPT, OTHERWISE, Claim, Comparison, Difference, Quote
from deepresearch_mcp.records.quality import STANDINGS
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.markdown import without_markdown
from deepresearch_mcp.text.quantities import apart, quantities

REASONS: Mapping[Difference, str] = {
    "": OTHERWISE,
    "date": "they speak of different dates",
    "version": "they speak of different versions",
    "definition": "they define it differently",
    "measure": "they measure it differently",
    "scope": "one speaks of more than the other",
}
"""What a reader is told about the reason of a contradiction."""
_RESOLVED: frozenset[Difference] = frozenset({"date", "version"})
"""For these reasons both claims can be right, each in its time: a writer names the time, and neither is disputed."""
_SAME = 0.8
"""Share of common content words from which two claims say the same, if their numbers and names are equal."""


def settle(
    claims: Sequence[Claim],
    documents: Mapping[str, Document],
    comparisons: Sequence[Comparison] = (),
    corroborates: Callable[[Document], bool] | None = None,
) -> dict[str, Claim]:
    """Gate 3: the id of every claim, with the claim that stands for it.

    Claims that say the same, by their words or by a comparison, become one: the best founded of them, with the quotes
    that carry its verdict. It counts its independent sources, and those that are good enough to corroborate
    (`corroborates`; None: all). Both sides of a contradiction become `disputed` and name each other, unless they speak
    of different dates or versions. A source that gives another figure for another date disputes nothing.
    """
    merged, stands_for = _merged_and_absorbed(claims)
    by_id = {claim.claim_id: claim for claim in claims}
    # Sorted: which answer came first must not change what is written.
    known = sorted(
        (one for one in comparisons if one.first in by_id and one.second in by_id),
        key=lambda one: (one.first, one.second),
    )
    for one in known:
        first, second = stands_for[one.first], stands_for[one.second]
        if first == second or one.relation not in {"same", "within"}:
            continue
        mine, theirs = merged[first], merged[second]
        if one.relation == "same" and _may_be_one(mine, theirs):
            merged[first] = _fuller(mine, theirs)
        elif _may_go(mine, theirs, documents):
            merged[first] = with_what_it_stands_for(theirs, [mine])
        elif one.relation == "same" and _may_go(theirs, mine, documents):
            merged[first] = with_what_it_stands_for(mine, [theirs])
        else:
            continue
        stands_for = {name: first if index == second else index for name, index in stands_for.items()}
    witnesses = Witnesses(documents, corroborates)
    counted = {index: witnesses.count(witnesses.with_copies(merged[index])) for index in set(stands_for.values())}
    for one in known:
        first, second = stands_for[one.first], stands_for[one.second]
        sides = by_id[one.first], by_id[one.second]
        if one.relation == "contradict" and first != second and not _of_one_source(*sides, documents):
            mine, theirs = counted[first], counted[second]
            if one.reason in _RESOLVED:
                counted[first] = _held_against(mine, REASONS[one.reason])
                counted[second] = _held_against(theirs, REASONS[one.reason])
            elif mine.verdict in KEPT and theirs.verdict in KEPT:
                counted[first] = _disputed(mine, theirs, REASONS[one.reason])
                counted[second] = _disputed(theirs, mine, REASONS[one.reason])
    return {name: counted[index] for name, index in stands_for.items()}


def _merged_and_absorbed(claims: Sequence[Claim]) -> tuple[list[Claim], dict[str, int]]:
    """The claims merged by their words, without those that another claim from the same words of a page holds whole."""
    by_id = {claim.claim_id: claim for claim in claims}
    # A page that carries the fuller claim only in part may carry the shorter one whole.
    gone = absorbed([claim for claim in claims if claim.verdict == "supported"])
    merged, stands_for = _merged([claim for claim in claims if claim.claim_id not in gone])
    for name, holder in gone.items():
        at = stands_for[name] = stands_for[holder]
        merged[at] = with_what_it_stands_for(merged[at], [by_id[name]])
    return merged, {claim.claim_id: stands_for[claim.claim_id] for claim in claims}


def _may_go(claim: Claim, holder: Claim, documents: Mapping[str, Document]) -> bool:
    """Whether a claim can go for one that says all it says: no detail is lost, and no witness.

    The words of another publisher carry only a part of the fuller claim, so they would be lost with it.
    """
    if {claim.verdict, holder.verdict} != {"supported"} or _lost(claim.text, holder.text):
        return False
    if things_missing(claim.text, holder.text):
        return False
    mine, theirs = ({_publisher(quote, documents) for quote in one.quotes} for one in (claim, holder))
    return mine <= theirs


def _lost(text: str, fuller: str) -> list[str]:
    """The figures and names of a text that a fuller one lacks. Whether both deny the same, a reader has said."""
    missing = (one for one in details_missing_from(text, fuller) if one != NEGATION)
    # `QuerySet.update` is what another calls `update()`.
    return [one for one in missing if not ("." in one and one.rpartition(".")[2] in fuller and one[0].isalpha())]


def _publisher(quote: Quote, documents: Mapping[str, Document]) -> str:
    document = documents.get(quote.source_id)
    return publisher(document) if document else quote.source_id


def _merged(claims: Sequence[Claim]) -> tuple[list[Claim], dict[str, int]]:
    """Claims merged by their words, and the index of the merged claim for each claim."""
    merged: list[Claim] = []
    keys: list[tuple[frozenset[str], tuple[str, ...]]] = []
    stands_for: dict[str, int] = {}
    for claim in claims:
        words, details = _said(claim.text)
        for index, (other, its_details) in enumerate(keys):
            if (
                details == its_details
                and _alike(words, other) >= _SAME
                and not name_different_things(claim.text, merged[index].text)
            ):
                merged[index] = _join(merged[index], claim)
                stands_for[claim.claim_id] = index
                break
        else:
            stands_for[claim.claim_id] = len(merged)
            merged.append(claim)
            keys.append((words, details))
    return merged, stands_for


def _may_be_one(one: Claim, other: Claim) -> bool:
    """Whether two claims can be one, whatever a thinker says.

    Not if only one of them has some figure or date, nor if they speak of different functions, options or versions.
    """
    if name_different_things(one.text, other.text):
        return False
    first, second = quantities(one.text), quantities(other.text)
    return first.figures == second.figures and first.labels == second.labels and not first.dates ^ second.dates


def _of_one_source(one: Claim, other: Claim, documents: Mapping[str, Document]) -> bool:
    """Whether two claims are two lines of a table of one source, and not two sources that differ."""
    first, second = ({quote.source_id for quote in claim.quotes} for claim in (one, other))
    if first & second:
        return True
    mine, theirs = ({publisher(documents[name]) for name in names if name in documents} for names in (first, second))
    return bool(mine & theirs) and apart(*(_holding(claim) for claim in (one, other)))


def _holding(claim: Claim) -> frozenset[str]:
    return quantities(claim.text).dates or quantities(claim.dated).dates


def _held_against(claim: Claim, reason: str) -> Claim:
    return claim if claim.reason else claim.model_copy(update={"reason": reason})


def _disputed(claim: Claim, by: Claim, reason: str) -> Claim:
    # `disputed` hides that the page carries the claim only in part, so the words of the page replace the claim.
    text = " ".join(without_markdown(claim.quotes[0].text).split()) if claim.verdict == "partly" else claim.text
    known = reason if claim.reason in {"", OTHERWISE} or not claim.disputes else claim.reason
    disputes = tuple(dict.fromkeys((*claim.disputes, by.claim_id)))
    return claim.model_copy(update={"text": text, "verdict": "disputed", "reason": known, "disputes": disputes})


@lru_cache(maxsize=2048)
def _said(text: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The stems of a claim, and its details in their order: only the order says which of two is greater."""
    return frozenset(map(stem, content_words(text))), details_missing_from(text, "")


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    # A replaced word may be an opposite, so one claim may only say more than the other.
    return len(one & other) / max(1, len(one | other)) if one <= other or other <= one else 0.0


def _fuller(first: Claim, second: Claim) -> Claim:
    """Two claims that a thinker calls one, joined, in the words that have the names of both."""
    joined = _join(first, second)
    if guess(first.text) != guess(second.text):
        return joined
    other = second if joined.text == first.text else first
    lost = _lost(other.text, joined.text) and not _lost(joined.text, other.text)
    return joined.model_copy(update={"text": other.text}) if lost and other.verdict == joined.verdict else joined


def _join(first: Claim, second: Claim) -> Claim:
    stronger, weaker = (first, second) if _weight(first) >= _weight(second) else (second, first)
    # Words that carry a claim in part do not witness the whole claim. A dispute keeps both sides.
    carried = weaker.quotes if stronger.verdict in {weaker.verdict, "disputed"} else ()
    quotes = dict.fromkeys((*stronger.quotes, *carried))
    best = min((stronger, weaker) if carried else (stronger,), key=lambda claim: STANDINGS.index(claim.standing))
    more = {"score": max(first.score, second.score), "standing": best.standing}
    stronger = with_what_it_stands_for(stronger, [weaker])
    return stronger.model_copy(update={"quotes": tuple(quotes), **more})


def _weight(claim: Claim) -> tuple[int, int]:
    sources = len({quote.source_id for quote in claim.quotes})
    return {"disputed": 2, "supported": 1}.get(claim.verdict, 0), sources
