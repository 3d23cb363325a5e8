"""Finds the identifiers of papers in a text: DOI, arXiv, PubMed and PubMed Central."""

import re
from typing import NamedTuple
from urllib.parse import unquote

_MOST = 20
"""Most identifiers returned of each kind: services accept at least as many in one question."""

# An old DOI of Wiley holds one pair of angle brackets; any other "<" ends a DOI, because it opens a tag.
_CHARACTER = r"[^\s<>\"“”‘’«»{}|\\^`\[\]，。；、）]"
_DOI = re.compile(rf"(?<![\d.])10\.\d{{4,9}}/{_CHARACTER}{{1,200}}(?:<\d{{1,6}}:[^\s<>]{{0,40}}>{_CHARACTER}{{1,40}})?")
_ARXIV_NEW = r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d{1,2})?(?![\d.]*\d)"
_ARXIV_OLD = r"[a-z]{2,8}(?:-[a-z]{2,4})?(?:\.[a-z]{2})?/\d{7}(?:v\d{1,2})?(?!\d)"
_ARXIV = re.compile(
    rf"(?:arxiv\.org/(?:abs|pdf|html|format)/|(?<![\w/.])arxiv[:\s.]\s?)({_ARXIV_NEW}|{_ARXIV_OLD})", re.IGNORECASE
)
_BARE_ARXIV = re.compile(rf"(?<![\w./:-])({_ARXIV_NEW})(?![\w%/-])")
_ARXIV_DOI = re.compile(rf"10\.48550/arxiv\.({_ARXIV_NEW}|{_ARXIV_OLD})", re.IGNORECASE)
_PUBMED = re.compile(
    r"(?:\bpmid(?:\s?:|\s)\s?|\bpubmed(?:\s?id)?(?:\s?:|\s)\s?|\bpubmed\.ncbi\.nlm\.nih\.gov/|\bncbi\.nlm\.nih\.gov/pubmed/)"
    r"(\d{1,8})(?![\d.]*\d)",
    re.IGNORECASE,
)
_PMC = re.compile(r"\bPMC\s?(\d{3,9})(?!\d)", re.IGNORECASE)
_TAIL = ".,;:!?'\"*_~’”»…"
_SUFFIXES = re.compile(r"(?:/(?:full|abstract|pdf|epdf|meta|html|fulltext)|\.pdf|\.full|\.abstract)$", re.IGNORECASE)


class Identifiers(NamedTuple):
    """Identifiers in order of appearance, each once, at most 20 of each kind."""

    doi: tuple[str, ...] = ()
    """In lower case, without `https://doi.org/`; none that arXiv gave."""
    arxiv: tuple[str, ...] = ()
    """`2401.12345` or `hep-th/9901001`, with `v2` if a version is named."""
    pubmed: tuple[str, ...] = ()
    """PubMed's number."""
    pmc: tuple[str, ...] = ()
    """PubMed Central's number, with `PMC`."""

    @property
    def all_dois(self) -> tuple[str, ...]:
        """The DOIs, and those that arXiv gave to its papers."""
        return (*self.doi, *(f"10.48550/arxiv.{without_version(number)}" for number in self.arxiv))


def identifiers_in(text: str) -> Identifiers:
    """Return the identifiers of papers that a text names, in words (`doi:`, `PMID 123`) or in addresses.

    A bare number such as 2401.12345 is an arXiv number only in a text that says "arXiv".
    """
    text = unquote(text) if "%" in text else text
    dois: list[str] = []
    arxiv: list[str] = []
    for match in _DOI.finditer(text):
        if given := _ARXIV_DOI.match(match.group()):
            arxiv.append(given.group(1).lower())
        elif doi := _trimmed(match.group()):
            dois.append(doi.lower())
    arxiv.extend(match.group(1).lower() for match in _ARXIV.finditer(text))
    if "arxiv" in text.casefold():
        arxiv.extend(match.group(1).lower() for match in _BARE_ARXIV.finditer(text))
    return Identifiers(
        doi=_each_once(dois),
        arxiv=_each_once(arxiv),
        pubmed=_each_once([match.group(1).lstrip("0") for match in _PUBMED.finditer(text)]),
        pmc=_each_once([f"PMC{match.group(1)}" for match in _PMC.finditer(text)]),
    )


def without_version(arxiv: str) -> str:
    """Return an arXiv number without its version."""
    return re.sub(r"v\d{1,2}$", "", arxiv)


def _trimmed(doi: str) -> str:
    """Return a DOI without what follows it in a sentence or in a publisher's address; "" if nothing is left of it."""
    doi = re.split(r"[?#&]", doi, maxsplit=1)[0]
    while doi:
        if doi[-1] in _TAIL or (doi[-1] == ")" and doi.count("(") < doi.count(")")) or doi[-1] in "/":
            doi = doi[:-1]
        elif ending := _SUFFIXES.search(doi):
            doi = doi[: ending.start()]
        else:
            break
    return doi if "/" in doi else ""


def _each_once(found: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in found if one))[:_MOST]
