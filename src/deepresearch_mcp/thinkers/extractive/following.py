"""Follow: what to ask next about newly learnt names, so that a chain of facts is found link by link."""

import re
from collections.abc import Sequence

from deepresearch_mcp.records.evidence import FollowUp
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.text.chains import Chains, TitledText
from deepresearch_mcp.text.dates import MONTHS
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.names import name_runs
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from deepresearch_mcp.thinkers.extractive.leads import at_home, is_a_chain, is_a_name
from deepresearch_mcp.thinkers.extractive.terms import phrases

_ASKED = 6
"""Words of the question that are added to a name: those that its page leaves open."""
_LONG = 40
"""Words. The parts of a longer question may be unrelated."""
_BESIDE = 0.5
"""The weight of question words near a name, beside the worth of its page."""


class Learnt:
    """What the claims of some sub-questions say, page by page, and how the pages are connected."""

    def __init__(self, question: str, parts: Sequence[SubQuestionEvidence], language: str) -> None:
        self._question = question
        self._language = language
        self._parts = {part.sub_question.id: part.sub_question for part in parts}
        self._said: dict[str, dict[str, None]] = {}
        self._for: dict[str, SubQuestion] = {}
        for part in parts:
            for claim in part.claims:
                for quote in claim.quotes:
                    self._said.setdefault(quote.source_id, {}).update({quote.context or quote.text: None})
                    self._for.setdefault(quote.source_id, part.sub_question)
        quotes = (quote for part in parts for claim in part.claims for quote in claim.quotes)
        self._at_home = at_home(question, (quote.heading for quote in quotes))
        self._texts = {name: "\n".join(said) for name, said in self._said.items()}
        self._pages = [TitledText("", text) for text in self._texts.values()]
        self.chains = Chains(question, self._pages)

    def closed(self, sub_question: str) -> float:
        """The share of a sub-question that one of its pages covers, or two that a name joins, 0 to 1.

        Any page answers a sub-question without a topic word.
        """
        part = self._parts[sub_question]
        chains = Chains(part.text, self._pages)
        if not chains.asked:
            return 1.0
        alone = ((at,) for at in range(len(self._pages)))
        return max((chains.covered(pages) for pages in (*alone, *chains.joined)), default=0.0)

    def follow_ups(self) -> list[FollowUp]:
        """A query for each new name that no page is about, best first; none where a thing's own site was read.

        A name is worth as much as its page, and more where words of the question are in the same sentence.
        """
        if self._at_home:
            return []
        ranked: dict[str, tuple[float, FollowUp]] = {}
        for at, ((source, text), worth) in enumerate(zip(self._texts.items(), self.chains.worth, strict=True)):
            missing = self.chains.missing(at)
            part = self._next(self._for[source])
            if not is_a_chain(part.text):
                continue
            asked = self._question if len(self._question.split()) <= _LONG else part.text
            words = [
                word
                for word in phrases(asked, self._language)
                if not missing.isdisjoint(map(stem, content_words(word)))
            ]
            for name, beside in self._names(text):
                query = " ".join([name, *[word for word in words if word.casefold() not in name.casefold()][:_ASKED]])
                value = worth + _BESIDE * beside
                key = name.casefold()
                if key not in ranked or ranked[key][0] < value:
                    ranked[key] = (value, FollowUp(sub_question=part.id, query=query, lead=True))
        return [follow_up for _, follow_up in sorted(ranked.values(), key=lambda pair: -pair[0])]

    def _next(self, part: SubQuestion) -> SubQuestion:
        """The sub-question that depends on this one, if there is one: it asks for what was learnt here."""
        return next((other for other in self._parts.values() if part.id in other.depends_on), part)

    def _names(self, text: str) -> list[tuple[str, float]]:
        """The new names in a text, and the share of the question that their sentences hold."""
        found: list[tuple[str, float]] = []
        for start, end in sentences(text):
            sentence = text[start:end]
            stems = frozenset(map(stem, content_words(sentence)))
            beside = len(self.chains.asked & stems) / max(1, len(self.chains.asked))
            for run in name_runs(sentence):
                name = " ".join(run)
                own = frozenset(map(stem, content_words(name)))
                if (
                    own
                    and not own <= self.chains.asked
                    and run[0].casefold() not in MONTHS
                    and is_a_name(name, sentence)
                    and not self._explained(name)
                ):
                    found.append((name, beside))
        return found

    def _explained(self, name: str) -> bool:
        """Whether a page is about it: the page opens with the name."""
        opening = re.compile(rf"(?:the |an? )?{re.escape(name)}(?!\w)", re.IGNORECASE)
        return any(opening.match(text) for text in self._texts.values())
