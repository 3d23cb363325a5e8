"""What the words of a query name that some data source knows best: a DOI, a filing, a package, a bill."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from deepresearch_mcp.text.identifiers import identifiers_in

_MOST = 1_000
"""Characters of a query that are looked at."""

_WORDS: Final = {
    "arxiv": [r"\barxiv\b"],
    "pubmed": [r"\bpubmed\b", r"\bclinical trials?\b"],
    "package": [
        r"\bpypi\b",
        r"\bpip install\b",
        r"\bnpm\b",
        r"\b(?:python|node|javascript) (?:package|library|module)\b",
        r"\b(?:latest|current|newest) (?:version|release) of\b",
    ],
    "repository": [r"\bgithub\b", r"\b(?:source|git) repository\b", r"\bopen[- ]source project\b", r"\bpull request\b"],
    "code": [r"\bstack ?overflow\b", r"\berror message\b", r"\bstack trace\b", r"\btraceback\b", r"\bexception\b"],
    "ticker": [r"\bticker\b", r"\b(?:share|stock) price\b", r"\bearnings per share\b"],
    "filing": [
        r"\b10-[kq]\b",
        r"\b8-k\b",
        r"\b20-f\b",
        r"\bsec filings?\b",
        r"\bedgar\b",
        r"\b(?:annual|quarterly) report of\b",
        r"\bproxy statement\b",
        r"\bfiscal (?:year|quarter)\b",
    ],
    "series": [
        r"\b(?:gdp|cpi)\b",
        r"\b(?:inflation|unemployment|poverty|federal funds) rate\b",
        r"\binterest rates?\b",
        r"\bpopulation of\b",
        r"\blife expectancy\b",
        r"\bper capita\b",
        r"\btreasury yields?\b",
    ],
    "case": [r"\bsupreme court\b", r"\bcourt of appeals\b", r"\bdocket\b", r"\bcase law\b", r"\blawsuit\b"],
    "bill": [
        r"\bact of congress\b",
        r"\bu\.?s\.? (?:senate|house) bill\b",
        r"\b\d{2,3}(?:st|nd|rd|th) congress\b",
    ],
    "event": [r"\b(?:latest|breaking) news\b", r"\bnews (?:about|on|of)\b", r"\bheadlines\b"],
}
"""Words and spellings that tell the subject, in any case."""
_SHAPES: Final = {
    "code": [r"\b\w{3,30}(?:Error|Exception)\b", r"\b\w{2,40}\(\)", r"\bERR_[A-Z]{3,20}"],
    "ticker": [r"\b(?:NASDAQ|NYSE|LSE|XETRA|AMEX): ?[A-Z]{1,6}\b", r"\$[A-Z]{1,5}\b"],
    "case": [r"\b[A-Z][\w.&']{1,30}(?: [\w.&']{1,30}){0,3} vs?\. [A-Z]", r"\b\d{1,3} (?:U\.S\.|F\.[23]d|S\. ?Ct\.)"],
    "bill": [r"\bH\. ?R\. ?\d{1,5}\b", r"\bS\. ?\d{3,4}\b", r"\bPub(?:lic|\.) L(?:aw|\.) ?(?:No\. ?)?\d"],
}
"""Spellings in which capital letters tell."""


def _signs() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    return MappingProxyType(
        {
            name: tuple(
                re.compile("|".join(patterns), flags)
                for patterns, flags in ((words, re.IGNORECASE), (_SHAPES.get(name, []), re.NOFLAG))
                if patterns
            )
            for name, words in _WORDS.items()
        }
    )


_SIGNS: Final = _signs()


def subjects_in(query: str) -> frozenset[str]:
    """Return the subjects that the beginning of a query names, by the names of `records.spec_types.Subject`."""
    text = query[:_MOST]
    papers = identifiers_in(text)
    held = {"doi": papers.doi, "arxiv": papers.arxiv, "pubmed": (*papers.pubmed, *papers.pmc)}
    return frozenset(
        {name for name, signs in _SIGNS.items() if any(sign.search(text) for sign in signs)}
        | {name for name, found in held.items() if found}
    )
