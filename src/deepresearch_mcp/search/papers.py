"""What data sources know of a paper, and the page of it that can be read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote

from deepresearch_mcp.records.sources import Hit
from deepresearch_mcp.search.rows import from_html, hit
from deepresearch_mcp.text.dates import MONTHS
from deepresearch_mcp.text.identifiers import identifiers_in, without_version
from deepresearch_mcp.text.urls import normalise_url

_PMC_HOST = "https://pmc.ncbi.nlm.nih.gov"
_PUBMED_HOST = "https://pubmed.ncbi.nlm.nih.gov"
_HEAD = re.compile(r"^\s*<(?:jats:)?(?:title|h\d)>\s*(?:abstract|summary)\s*</(?:jats:)?(?:title|h\d)>", re.IGNORECASE)
_BLOCK = re.compile(r"</?(?:jats:)?(?:p|sec|title|label|list-item|h\d|br|div|li)\b[^<>]*>", re.IGNORECASE)
"""Tags that separate words, in JATS and in HTML."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper as one service describes it; what is unknown is empty."""

    title: str = ""
    abstract: str = ""
    """With the service's markup, if it has any."""
    published: date | None = None
    """None unless the service knows the day."""
    doi: str = ""
    arxiv: str = ""
    pubmed: str = ""
    pmc: str = ""
    """With or without `PMC`."""
    open_copy: str = ""
    """Address of a full text that anyone may read."""
    landing: str = ""
    """Address of a page about it."""

    def address(self) -> str:
        """Return the address where most of it can be read; "" if there is none.

        The full text at arXiv or PubMed Central comes first: whichever service names the paper, its address is the
        same, so that one paper is read once. Then come other open copies, the abstract at PubMed, the page about it,
        and its DOI.
        """
        arxiv = next(iter(identifiers_in(f"arXiv:{self.arxiv}").arxiv or identifiers_in(self.open_copy).arxiv), "")
        if arxiv:
            return f"https://arxiv.org/pdf/{without_version(arxiv)}"
        if pmc := re.fullmatch(r"(?:PMC)?(\d{1,9})", self.pmc.strip(), re.IGNORECASE):
            return f"{_PMC_HOST}/articles/PMC{pmc.group(1)}/"
        if normalise_url(self.open_copy):
            return self.open_copy
        if re.fullmatch(r"\d{1,9}", self.pubmed.strip()):
            return f"{_PUBMED_HOST}/{self.pubmed.strip()}/"
        doi = without_resolver(self.doi)
        if normalise_url(self.landing) and not (doi and "doi.org/" in self.landing):
            return self.landing
        return f"https://doi.org/{quote(doi, safe='/:;()._-')}" if doi else ""


def paper_hits(engine: str, papers: Sequence[Paper], limit: int) -> list[Hit]:
    """Return the hits for papers that have an address, in order, at most `limit`."""
    return [
        hit(
            engine,
            address,
            from_html(paper.title),
            from_html(_BLOCK.sub(" ", _HEAD.sub("", paper.abstract))),
            paper.published.isoformat() if paper.published else "",
        )
        for paper in papers
        if (address := paper.address())
    ][:limit]


def day(year: object, month: object, number: object) -> date | None:
    """Return a day whose parts are numbers or the names of months; None if a part is missing or wrong."""
    try:
        return date(int(str(year)), MONTHS.get(str(month).strip().casefold()) or int(str(month)), int(str(number)))
    except (ValueError, OverflowError):
        return None


def without_resolver(doi: str) -> str:
    """Return a DOI without `https://doi.org/` or `doi:` before it; "" if it is none."""
    found = re.search(r"10\.\d{4,9}/\S{1,300}", doi)
    return found.group() if found else ""
