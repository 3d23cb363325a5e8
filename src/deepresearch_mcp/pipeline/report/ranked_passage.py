"""How well one passage answers a question, and what orders the passages that do."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from deepresearch_mcp.pipeline.report.asked_words import AskedWords
from deepresearch_mcp.pipeline.report.homes import Homes
from deepresearch_mcp.pipeline.report.pool_passage import PoolPassage, is_log, own_title
from deepresearch_mcp.text.passages import headings_of, path_of
from deepresearch_mcp.thinkers.extractive.relevance import FLOOR, Relevance, relevance_of, sentences_in
from deepresearch_mcp.thinkers.extractive.terms import pairs

_RANK = 0.5
"""The weight of the rank by rare words, 0 to 1, beside the relevance."""
_HOLDS = 0.5
"""The weight of the share of what is asked, rare words weighing more, that a passage and its headings hold."""
_HEADS = 0.6
"""The weight of the share that the headings above it hold, its page's own title among them."""
_HEADED = 0.2
"""What a heading adds that names all that is asked for."""
_ABOUT = 0.3
"""What it adds that the page is about a thing that the question names."""
_AT_HOME = 0.25
"""What it adds that the site is about what is asked about, and what it costs that only another one is."""
_OPENS = 0.15
"""What it adds to open a page or section that is called like what is asked for."""
_FOCUS = 0.4
"""What it adds that all passages of its page hold what is asked, as those of a page on it do; less for fewer."""
_EARLY = 0.25
"""What it adds to stand at the top of its page, where the essence is; less further down, nothing at the end."""
_LOG = 0.4
"""What a line of a change log loses: it tells of one change, not of how things are."""
_AGREED = 0.1
"""What it adds that two or more independent sources say the same."""
_READ = 0.1
"""What it adds that the reader took a sentence from the passage."""
_NO_PROSE = 0.2
"""What a passage loses that is a listing or loose lines."""
_PAIRED = 0.3
"""What it adds that neighbouring words of the question are neighbours in it: `functional index`."""
_DEFINES = 0.5
"""What the top of a page adds, and a title that is the thing's name, where only that is asked what a thing is."""
_SHOWS = 0.2
"""What a listing adds where is asked how something is done."""
_ENTRY = 1.6
"""What it adds to be the entry on an identifier that the question names: others only mention it."""
_NEAR = 0.6
"""The share of the floor from which a passage comes near a question that it does not answer."""
_NEAR_HELD = 0.33
"""The share of what is asked that it holds, with its headings."""


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage, and how far it answers one question."""

    passage: PoolPassage
    relevance: Relevance
    merit: float
    """Orders the passages that answer one question."""
    held: float = 1.0
    """The share of what is asked that it and its headings hold, rare words weighing more."""

    @property
    def is_near(self) -> bool:
        """Whether it may be shown as what comes nearest, where nothing answers."""
        enough = self.relevance.score >= _NEAR * FLOOR and self.held >= _NEAR_HELD
        return enough and self.relevance.to_the_point and self.passage.prose and not is_log(self.passage)


def ranked_passage(
    one: PoolPassage, ask: AskedWords, rank: float, focus: Mapping[str, float], known: Homes
) -> RankedPassage:
    """Say how far a passage answers, and its merit among those that do.

    Args:
        one: The passage.
        ask: What is asked.
        rank: Its rank by rare words, 0 to 1.
        focus: How much of what is asked the passages of each page hold on average, by the page's id.
        known: Which sites are about what.
    """
    homes = known.of(one.document)
    trail = headings_of(one.heading)
    # What a site is about need not be said on each of its pages.
    called = f"{trail[0] if trail else ''} ({', '.join(sorted(homes))})" if homes else ""
    heading = path_of(called, *trail[1:]) if called else one.heading
    found = relevance_of(ask.question, sentences_in(one.text), heading, ask.language)
    if ask.subject and not ask.is_about(one, homes):
        return RankedPassage(one, replace(found, to_the_point=False, headed=False), 0.0, 0.0)
    heads = ask.share(own_title(trail), *trail[1:])
    held = ask.share(one.text, *trail, *homes)
    merit = found.score + _RANK * rank + _HOLDS * held + _HEADS * heads + _HEADED * found.headed
    merit += _ABOUT * found.about + _AGREED * (one.backing > 1) + _READ * bool(one.claims) - _NO_PROSE * (not one.prose)
    if ask.pairs:
        merit += _PAIRED * len(ask.pairs & pairs(one.text)) / len(ask.pairs)
    if ask.how and "```" in one.text:
        merit += _SHOWS
    merit += _ENTRY * bool(trail and ask.is_entry(trail[-1]))
    if ask.defines:
        merit += _DEFINES * (1 - one.start / max(1, len(one.document.text)) + ask.called(own_title(trail)))
    at_home = bool(homes & ask.things)
    elsewhere = not at_home and any(map(known.has_home, ask.things))
    merit += _AT_HOME * (at_home - elsewhere) + _OPENS * heads * one.opens
    centred = focus.get(one.document.source_id, 0.0)
    merit += _FOCUS * centred + _EARLY * held * (1 - one.start / max(1, len(one.document.text)))
    logged = is_log(one) and not ask.of_changes
    return RankedPassage(one, found, round(merit - _LOG * logged, 4), held)
