"""Which passages answer each part of a question, best first: of several things that it asks about, each in turn."""

from collections.abc import Sequence
from itertools import zip_longest

from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION
from deepresearch_mcp.pipeline.report.page_outline import release_outline
from deepresearch_mcp.pipeline.report.passage_pool import PassagePool
from deepresearch_mcp.pipeline.report.pool_passage import is_log, names_thing
from deepresearch_mcp.pipeline.report.ranked_passage import RankedPassage
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.thinkers.extractive.relevance import Relevance

OF_A_THING = 2
"""Of these for one thing, where a sub-question asks about several."""
_TOGETHER = 2
"""Passages that set the compared things side by side."""
_SIDE_BY_SIDE = 0.8
"""The share of what is asked that these hold."""
_BELOW_BEST = 0.6
"""A passage with less than this share of the best one's merit is left out."""
_BELOW_BEST_OF_MANY = 0.4
"""The same where no site is about what is asked, so that each says a part of it."""
FULL = Relevance(1.0, 0, 1.0)
"""Of the sections of a page that lists just what is asked for."""


class PartRanking:
    """Ranks the passages of one digest."""

    def __init__(
        self, pool: PassagePool, subjects: Sequence[str], language: str, *, chained: bool, at_home: bool
    ) -> None:
        """`subjects`: the things that the question compares; see `digest` for the others."""
        self._pool = pool
        self._subjects = subjects
        self._language = language
        self._chained = chained
        self._at_home = at_home

    def of(self, part: SubQuestion, *, several: bool) -> list[RankedPassage]:
        """What answers a part, best first; where it asks about several things, the best for each of them in turn."""
        if outline := release_outline(self._pool, part.text):
            return [RankedPassage(one, FULL, 1.0) for one in outline]
        named = [name for name in self._subjects if names_thing(part.text, name)]
        if self._pool.meant(part.text):
            return self._pool.ranked(part.text)
        if (whole := part.id == WHOLE_QUESTION) or len(named) < 2:
            subject = named[0] if named and not whole else ""
            found = self._worthy(
                self._pool.ranked(part.text, part.queries, self._language, subject, chained=self._chained)
            )
            # Beside parts on each thing, the whole question is answered by what sets them side by side.
            together = [
                one
                for one in found
                if one.passage.prose
                and not is_log(one.passage)
                and one.held >= _SIDE_BY_SIDE
                and all(names_thing(one.passage.text, name) for name in named)
            ]
            return together[:_TOGETHER] if self._at_home and whole and several and len(named) > 1 else found
        of_each = [self._worthy(self._about(name, part, named)) for name in named]
        rows = (row for depth, row in enumerate(zip_longest(*of_each)) if depth < OF_A_THING)
        return [one for row in rows for one in row if one]

    def _about(self, name: str, part: SubQuestion, named: Sequence[str]) -> list[RankedPassage]:
        """What answers a part about several things for one of them, in the sense that its queries give it."""
        queries = [
            one
            for one in part.queries
            if sum(names_thing(one, thing) for thing in named) == names_thing(one, name) == 1
        ]
        context = [word for query in queries for word in words(query) if word not in words(part.text)]
        return self._pool.ranked(part.text, queries, self._language, name, context, chained=self._chained)

    def _worthy(self, ranked: Sequence[RankedPassage]) -> list[RankedPassage]:
        share = _BELOW_BEST if self._at_home else _BELOW_BEST_OF_MANY
        least = share * ranked[0].merit if ranked else 0.0
        return [one for one in ranked if one.merit >= least]
