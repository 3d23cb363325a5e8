"""What a text shows of how it was made: its sources, its seller, its machine. Plain words and counts, no judgement."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from deepresearch_mcp.quality.scale import Scale
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.urls import site_of

_HEAD, _TAIL = 24_000, 6_000
"""Characters looked at from the beginning and from the end: a list of sources stands there."""
_TOP = 3_000
"""Characters in which a page says what it is itself, with its own identifier."""

_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*")
_WORD = re.compile(r"[^\W\d_]+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_HEADING = re.compile(r"(?m)^ {0,3}#{1,6} \S|^[^\n]{3,80}\n(?:={3,}|-{3,})$")
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>)\]]{2,200}", re.IGNORECASE)
_OWN_IDENTIFIER = re.compile(
    rf"{_DOI.pattern}|\bPMID:? ?\d{{4,9}}\b|\bPMC\d{{4,9}}\b|\barXiv:? ?\d{{4}}\.\d{{4,5}}"
    r"|\bISSN:? ?\d{4}-\d{3}[\dX]\b",
    re.IGNORECASE,
)
_IN_ADDRESS = re.compile(
    rf"{_DOI.pattern}|/(?:abs|pdf|html)/\d{{4}}\.\d{{4,5}}|/rfc-?\d{{2,5}}\b|/PMC\d{{4,9}}\b|pubmed[^/]*/\d{{4,9}}\b",
    re.IGNORECASE,
)
_CITED = re.compile(rf"{_DOI.pattern}|\barXiv:|\bPMID\b|\bISBN\b|\bet al\.", re.IGNORECASE)
_SHOUT = re.compile(r"!")
_QUOTES = "\"“”„«»‘'`>"

_LINKS = 3
"""Links to other sites, or works named by identifier, that count as naming one's sources."""
_FIGURES = 1 / 200
"""Numbers a word from which on a text has figures: two or three to a page of print."""
_SHOUTS = 1 / 150
"""Exclamation marks a word from which on it shouts."""


@dataclass(frozen=True)
class DocumentSigns:
    """One document, looked at with one scale; each thing is counted when it is asked for."""

    document: Document
    scale: Scale

    @cached_property
    def sample(self) -> str:
        """The beginning and the end of the text."""
        text = self.document.text
        return text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"

    @cached_property
    def folded(self) -> str:
        """Title and sample in one line, to look for words in."""
        whole = f"{self.document.title}\n{self.sample}"
        return " ".join(whole.casefold().replace("’", "'").split())

    @cached_property
    def words(self) -> int:
        """Words of the sample; of scripts without spaces every second character counts."""
        return len(_WORD.findall(self.sample)) + len(_WIDE.findall(self.sample)) // 2

    @cached_property
    def is_structured(self) -> bool:
        """Two headings or more."""
        return sum(1 for _ in _HEADING.finditer(self.sample)) > 1

    @cached_property
    def has_figures(self) -> bool:
        """Numbers, every now and then."""
        return len(_NUMBER.findall(self.sample)) > _FIGURES * max(self.words, 1)

    @cached_property
    def has_references(self) -> bool:
        """A heading over a list of sources, with something below it."""
        found = self.scale.reference_heading.search(self.sample)
        return bool(found) and len(self.sample) - found.end() > 80

    @cached_property
    def names_sources(self) -> bool:
        """A list of sources, links to several other sites, or works named by identifier."""
        if self.has_references or len(_CITED.findall(self.sample)) >= _LINKS:
            return True
        # A hundred links have few hosts, and parsing a whole address is slow.
        hosts = {link.url.partition("://")[2].partition("/")[0] for link in self.document.links}
        return len({site_of(f"http://{host}") for host in hosts} - {"", site_of(self.document.url)}) >= _LINKS

    @cached_property
    def has_identifier(self) -> bool:
        """Its own: a DOI, PMID, PMC, arXiv or ISSN near its top or in its address, an RFC's number in the address."""
        return bool(_IN_ADDRESS.search(self.document.url) or _OWN_IDENTIFIER.search(self.document.text[:_TOP]))

    @cached_property
    def is_paper(self) -> bool:
        """The marks of a reviewed paper: an identifier, a list of references, and what reviews leave behind."""
        return self.has_identifier and self.has_references and self._any(self.scale.signs.review)

    @cached_property
    def is_retracted(self) -> bool:
        """Its title opens by saying that it is withdrawn."""
        title = self.document.title.casefold().lstrip("[( ")
        return title.startswith(self.scale.signs.retracted)

    @cached_property
    def shouts(self) -> bool:
        """More exclamation marks than prose has."""
        return sum(1 for _ in _SHOUT.finditer(self.sample)) > max(3, _SHOUTS * self.words)

    @cached_property
    def by_machine(self) -> bool:
        """Words that a language model leaves behind, not quoted from one; or many of its turns of phrase."""
        signs = self.scale.signs
        return self._said(signs.machine_strong) or self._count(signs.machine_weak) >= self.scale.thresholds.machine

    @cached_property
    def advertises(self) -> bool:
        """It says that it is paid for."""
        return self._any(self.scale.signs.bias_strong)

    @cached_property
    def takes_sides(self) -> bool:
        """It is paid for, stands among opinions, or sells or rages in several ways."""
        signs = self.scale.signs
        address = f"{self.document.url.casefold()}/"
        if self.advertises or any(part in address for part in signs.bias_paths):
            return True
        return self._count(signs.bias_weak) >= self.scale.thresholds.bias

    def _any(self, phrases: Sequence[str]) -> bool:
        return any(phrase in self.folded for phrase in phrases)

    def _count(self, phrases: Sequence[str]) -> int:
        return sum(phrase in self.folded for phrase in phrases)

    def _said(self, phrases: Sequence[str]) -> bool:
        """One of the phrases stands there in the text's own voice: articles on machines quote them."""
        for phrase in phrases:
            at = self.folded.find(phrase)
            while at >= 0:
                before = self.folded[max(0, at - 2) : at].rstrip()
                if not before or before[-1] not in _QUOTES:
                    return True
                at = self.folded.find(phrase, at + 1)
        return False
