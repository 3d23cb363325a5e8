"""Grades a source by the scale's weights. Pure: the same page, context and scale give the same grades."""

import math
import re
from dataclasses import dataclass
from datetime import date

from deepresearch_mcp.quality.authors import author_grade
from deepresearch_mcp.quality.scale import Content, External, KindGrades, Scale
from deepresearch_mcp.quality.signs import DocumentSigns
from deepresearch_mcp.quality.sites import site_kind, worth_of
from deepresearch_mcp.records.quality import Flag, Quality, Standing
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.keywords import content_words, stem


@dataclass(frozen=True, slots=True)
class SourceContext:
    """Facts about a source that are not on its page; the defaults mean unknown."""

    today: date
    topic: str
    """The name of one of the scale's topics: see `topic_of`."""
    question: str = ""
    linked_from: int = 0
    """How many other sites among the pages read link to it."""
    engines: int = 1
    """How many search engines returned it."""
    claims: int = 0
    """How many kept claims rest on it."""
    shared: int = 0
    """How many of these an independent source supports too."""
    disputed: int = 0
    """How many of these a better source disputes."""


def grade(document: Document, known: SourceContext, scale: Scale, signs: DocumentSigns | None = None) -> Quality:
    """Return all grades of one source; `scale` is already the profile's (`Scale.under`).

    `signs` are the document's signs, if they were already found with this scale: finding them is most of the work.

    The score is the weighted mean of four parts. It needs only the page. Links and engines, if known, can only raise
    it; claims that better sources dispute lower it. A flag that puts a source last (`_LAST`) and a kind that is no
    evidence limit it, so the standing follows from the score alone.
    """
    signs = signs or DocumentSigns(document, scale)
    place = site_kind(document.url, scale, document.title, document.text)
    kind = scale.kinds[place.kind]
    authority, vouched = worth_of(place, scale)
    author = author_grade(document, scale, answers=kind.answers and place.listed)
    content = _content(signs, scale.content)
    external = _external(vouched, known, scale.external, identified=signs.has_identifier)
    weights = scale.weights
    parts = ((weights.authority, authority), (weights.author, author), (weights.content, content))
    parts = (*parts, (weights.external, external))
    score = sum(weight * part for weight, part in parts) / sum(weight for weight, _ in parts)
    disputed = known.disputed / known.claims if known.claims else 0.0
    recency = recency_of(document.published, known, scale)
    flags = _flags(signs, known, scale, recency, authority, biased=kind.biased)
    return Quality(
        score=(score := _within(score - scale.thresholds.disputed * disputed, kind, flags, scale)),
        authority=round(authority, 3),
        author=author,
        content=round(content, 3),
        external=round(external, 3),
        recency=round(recency, 3),
        relevance=round(_relevance(known.question, signs.folded), 3),
        corroboration=round(known.shared / known.claims, 3) if known.claims else 0.0,
        kind=place.kind,
        peer_reviewed=(kind.reviewed or (kind.papers and signs.is_paper)) and not signs.is_retracted,
        disputed=round(disputed, 3),
        standing=standing_of(score, scale),
        flags=flags,
    )


def recency_of(published: date | None, known: SourceContext, scale: Scale) -> float:
    """Return `exp(-decay × days)`; for a page without a date, the scale's middle value."""
    if published is None:
        return scale.thresholds.undated
    return math.exp(-scale.topics[known.topic].decay * max(0, (known.today - published).days))


def _content(signs: DocumentSigns, worth: Content) -> float:
    document = signs.document
    shown = (
        (worth.long, signs.words >= worth.long_words),
        (worth.structured, signs.is_structured),
        (worth.dated, document.published is not None),
        (worth.figures, signs.has_figures),
        (worth.sources, signs.names_sources),
        (-worth.shouting, signs.shouts),
        (-worth.advertising, signs.advertises),
        (-worth.machine, signs.by_machine),
        (-worth.cut, bool({"truncated", "paywalled"} & set(document.flags))),
    )
    total = worth.base + sum(value for value, there in shown if there)
    return 0.0 if signs.is_retracted else min(1.0, max(0.0, total))


def _external(vouched: float, known: SourceContext, worth: External, *, identified: bool) -> float:
    links = min(worth.linked_most, worth.linked * known.linked_from)
    engines = min(worth.engine_most, worth.engine * max(0, known.engines - 1))
    return min(1.0, vouched + worth.identifier * identified + links + engines)


def _flags(
    signs: DocumentSigns, known: SourceContext, scale: Scale, recency: float, authority: float, *, biased: bool
) -> tuple[Flag, ...]:
    limits = scale.thresholds
    found: dict[Flag, bool] = {
        "outdated": signs.document.published is not None and recency < limits.outdated,
        "single_source": known.claims > 0 and not known.shared,
        "potential_bias": biased or signs.takes_sides,
        "low_authority": authority < limits.low_authority or signs.is_retracted,
        "paywalled": "paywalled" in signs.document.flags,
        "machine_generated": signs.by_machine,
    }
    return tuple(flag for flag, there in found.items() if there)


_LAST: frozenset[Flag] = frozenset({"outdated", "machine_generated", "low_authority"})


def _within(score: float, kind: KindGrades, flags: tuple[Flag, ...], scale: Scale) -> float:
    """Limit the score, so that a source put last always has fewer points than one that is not."""
    last = scale.thresholds.poor - _POINT if not _LAST.isdisjoint(flags) else 1.0
    return round(max(0.0, min(score, kind.most, last)), 3)


_POINT = 0.01
"""Scores are displayed in points from 0 to 100."""


def points_of(score: float) -> int:
    """Return a score in points from 0 to 100, as displayed."""
    return math.floor(score / _POINT + 0.5)


def standing_of(score: float, scale: Scale) -> Standing:
    """Return the standing for a score, from its displayed points, so that name and number agree."""
    shown = points_of(score)
    if shown < points_of(scale.thresholds.poor):
        return "poor"
    return "good" if shown >= points_of(scale.thresholds.good) else "fair"


def _relevance(question: str, folded: str) -> float:
    """Return the share of the question's content words that the text holds, with any ending."""
    wanted = {stem(word) for word in content_words(question)}
    held = sum(
        bool(re.search(rf"(?<!\w){re.escape(word)}" if word.isascii() else re.escape(word), folded)) for word in wanted
    )
    return held / len(wanted) if wanted else 0.0
