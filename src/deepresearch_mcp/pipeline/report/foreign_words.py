"""Whether a question can be answered from pages in another language, by the words that both have."""

import re
from collections.abc import Collection, Sequence

from deepresearch_mcp.pipeline.report.asked_words import AskedWords
from deepresearch_mcp.pipeline.report.homes import Homes
from deepresearch_mcp.pipeline.report.pool_passage import PoolPassage
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.keywords import stem, words
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.passages import headings_of
from deepresearch_mcp.text.question_words import ASKING
from deepresearch_mcp.thinkers.extractive.terms import asked

_SAMPLE = 4_000
_SHARED = 0.65
"""The share of the words of a question that pages in another language must have: `VACUUM` of `¿Qué hace VACUUM?`."""

_HEADED = 0.5
"""The share of these words that the headings above a passage must hold."""

_CODED = re.compile(r"\w*(?:[A-Z]{2}|[a-z][A-Z]|\w_\w)\w*")
"""A word that is written as no common word of any language: `WAL`, `QuerySet`, `max_connections`."""


class ForeignQuestions:
    """Knows which questions some pages share too few words with, as they are in another language.

    A number, and the name of what a whole site is about, are on any of its pages: they tell of no answer.
    """

    def __init__(self, counts: Sequence[Collection[str]], homes: Homes) -> None:
        """`counts`: the stems of each passage of the pages."""
        self._counts = counts
        self._homes = homes
        self._of_page: dict[str, str] = {}
        self._shared: dict[tuple[str, str], bool] = {}

    def may_answer(self, passage: PoolPassage, question: str, language: str, ask: AskedWords) -> bool:
        """Whether a passage is in the question's language, or has words of it that are more than chance.

        These are most words of the question, and what the passage stands under holds them.

        Args:
            passage: A passage of a page.
            question: What is asked.
            language: ISO 639-1 of the question.
            ask: What the pages have of the question.
        """
        code = language.partition("-")[0].lower()
        if code == "en" or self._language(passage.document) == code:
            return True
        if (question, code) not in self._shared:
            self._shared[question, code] = self._are_shared(question, code)
        return self._shared[question, code] and ask.share(*headings_of(passage.heading)) >= _HEADED

    def _language(self, document: Document) -> str:
        if document.source_id not in self._of_page:
            known = guess(document.text[:_SAMPLE]) or document.language.partition("-")[0].lower()
            self._of_page[document.source_id] = known
        return self._of_page[document.source_id]

    def _are_shared(self, question: str, code: str) -> bool:
        own = {word for thing in self._homes.things for word in thing.split()} | ASKING.get(code, frozenset())
        telling = [word for word in asked(question, code) if word not in own and not word[0].isdigit()]
        held = {word for word in telling if any(stem(word) in counts for counts in self._counts)}
        coded = {part for name in _CODED.findall(question) for part in words(name)}
        return len(held) >= _SHARED * len(telling) or not held.isdisjoint(coded)
