"""Finds signs of how a text was made: sources, advertising, machine writing. It counts words and judges nothing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from deepresearch_mcp.quality.scale import Scale
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.urls import site_of

_HEAD, _TAIL = 24_000, 6_000
"""Characters read from the beginning and from the end, where a list of sources stands."""
_TOP = 3_000
"""Characters at the top in which a page gives its own identifier."""

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
"""The number of links to other sites, or of works named by identifier, that counts as naming sources."""
_FIGURES = 1 / 200
"""Numbers per word above which a text has figures: two or three per printed page."""
_SHOUTS = 1 / 150
"""Exclamation marks per word above which a text shouts."""


@dataclass(frozen=True)
class DocumentSigns:
    """The signs of one document under one scale; each is computed on first use."""

    document: Document
    scale: Scale

    @cached_property
    def sample(self) -> str:
        """The beginning and the end of the text."""
        text = self.document.text
        return text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"

    @cached_property
    def folded(self) -> str:
        """Title and sample on one line, casefolded, for searching words."""
        whole = f"{self.document.title}\n{self.sample}"
        return " ".join(whole.casefold().replace("’", "'").split())

    @cached_property
    def words(self) -> int:
        """The number of words in the sample; in scripts without spaces, two characters count as one word."""
        return len(_WORD.findall(self.sample)) + len(_WIDE.findall(self.sample)) // 2

    @cached_property
    def is_structured(self) -> bool:
        """Whether the sample has two headings or more."""
        return sum(1 for _ in _HEADING.finditer(self.sample)) > 1

    @cached_property
    def has_figures(self) -> bool:
        """Whether the sample has numbers at least now and then."""
        return len(_NUMBER.findall(self.sample)) > _FIGURES * max(self.words, 1)

    @cached_property
    def has_references(self) -> bool:
        """Whether the sample has a heading of a list of sources, with text below it."""
        found = self.scale.reference_heading.search(self.sample)
        return bool(found) and len(self.sample) - found.end() > 80

    @cached_property
    def names_sources(self) -> bool:
        """Whether it has a list of sources, links to several other sites, or works named by identifier."""
        if self.has_references or len(_CITED.findall(self.sample)) >= _LINKS:
            return True
        # Hosts are compared, not addresses: a hundred links have few hosts, and parsing a whole address is slow.
        hosts = {link.url.partition("://")[2].partition("/")[0] for link in self.document.links}
        return len({site_of(f"http://{host}") for host in hosts} - {"", site_of(self.document.url)}) >= _LINKS

    @cached_property
    def has_identifier(self) -> bool:
        """Whether it has its own identifier (DOI, PMID, PMC, arXiv, ISSN, RFC), near its top or in its address."""
        return bool(_IN_ADDRESS.search(self.document.url) or _OWN_IDENTIFIER.search(self.document.text[:_TOP]))

    @cached_property
    def is_paper(self) -> bool:
        """Whether it looks like a reviewed paper: identifier, list of references, and traces of a review."""
        return self.has_identifier and self.has_references and self._any(self.scale.signs.review)

    @cached_property
    def is_retracted(self) -> bool:
        """Whether its title begins with a notice of retraction."""
        title = self.document.title.casefold().lstrip("[( ")
        return title.startswith(self.scale.signs.retracted)

    @cached_property
    def shouts(self) -> bool:
        """Whether it has more exclamation marks than prose has."""
        return sum(1 for _ in _SHOUT.finditer(self.sample)) > max(3, _SHOUTS * self.words)

    @cached_property
    def by_machine(self) -> bool:
        """Whether it has phrases that a language model leaves behind, unquoted, or many of its typical phrases."""
        signs = self.scale.signs
        return self._said(signs.machine_strong) or self._count(signs.machine_weak) >= self.scale.thresholds.machine

    @cached_property
    def advertises(self) -> bool:
        """Whether it says that it is paid for."""
        return self._any(self.scale.signs.bias_strong)

    @cached_property
    def takes_sides(self) -> bool:
        """Whether it is paid for, stands in an opinion section, or has several words of sales or outrage."""
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
        """Return whether one of the phrases occurs unquoted: articles about language models quote them."""
        for phrase in phrases:
            at = self.folded.find(phrase)
            while at >= 0:
                before = self.folded[max(0, at - 2) : at].rstrip()
                if not before or before[-1] not in _QUOTES:
                    return True
                at = self.folded.find(phrase, at + 1)
        return False
