"""The validated arguments of `deep_research`, and the numbers behind each effort."""

import unicodedata
from datetime import date
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from deepresearch_mcp.records.conditions import checked_condition

Effort = Literal["quick", "standard", "deep", "exhaustive"]
Mode = Literal["report", "answer"]
Role = Literal["planner", "reader", "verifier", "analyst", "writer", "critic"]
"""What a language model does in a run."""
Length = Literal["brief", "standard", "long"]

MAX_QUESTION = 10_000
"""Longest question, in characters."""
MAX_URL = 2_000
"""Longest address of a page, in characters."""
MAX_TEXT = 200_000
"""Longest text whose citations are checked, in characters."""


class Shape(BaseModel):
    """Breadth and depth of a run, and its five ceilings."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    breadth: int
    """Sub-questions at most, each with 1 to 3 queries per round."""
    depth: int
    """Rounds at most: they end when everything is covered. 0 searches nothing."""
    max_usd: float
    max_tokens: int
    """Input and output tokens of all model calls together."""
    max_searches: int
    """One query to one engine counts as one search."""
    max_pages: int
    max_minutes: float


EFFORTS: MappingProxyType[Effort, Shape] = MappingProxyType(
    {
        "quick": Shape(
            breadth=3, depth=1, max_usd=0.20, max_tokens=100_000, max_searches=20, max_pages=24, max_minutes=4
        ),
        "standard": Shape(
            breadth=6, depth=3, max_usd=1.0, max_tokens=450_000, max_searches=80, max_pages=80, max_minutes=10
        ),
        "deep": Shape(
            breadth=8, depth=4, max_usd=3.0, max_tokens=1_300_000, max_searches=200, max_pages=160, max_minutes=20
        ),
        "exhaustive": Shape(
            breadth=10, depth=5, max_usd=8.0, max_tokens=3_500_000, max_searches=400, max_pages=320, max_minutes=40
        ),
    }
)


_UNSEEN = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Hangul fillers and the blank Braille pattern, which render as nothing although Unicode calls them letters or
symbols."""


def is_blank(text: str) -> bool:
    """Whether a text renders as nothing: only white space, zero-width characters or marks without a letter."""
    return all(unicodedata.category(char)[0] in "ZCM" or char in _UNSEEN for char in text)


def _question(text: str) -> str:
    text = text.strip()
    if is_blank(text):
        raise ValueError("the question is empty: say what you want to find out")
    if len(text) > MAX_QUESTION:
        raise ValueError(f"the question has {len(text):,} characters; at most {MAX_QUESTION:,} are taken")
    if any(unicodedata.category(char) in {"Cc", "Cs"} and char not in "\n\r\t" for char in text):
        raise ValueError("the question holds control characters: remove them")
    return text


def _domain(text: str) -> str:
    domain = text.strip().lower().removeprefix("https://").removeprefix("http://").split("/")[0].removeprefix("*.")
    if not domain or any(char.isspace() or not char.isprintable() for char in domain) or "@" in domain:
        raise ValueError(f"{text!r} is not a domain: write it like example.org")
    return domain


Domain = Annotated[str, AfterValidator(_domain)]


def _language(text: str) -> str:
    code = text.strip().lower().replace("_", "-").partition("-")[0]
    if not (len(code) in {2, 3} and code.isascii() and code.isalpha()):
        raise ValueError(f"{text[:40]!r} is not a language: write its code of two letters, like de")
    return code


Language = Annotated[str, AfterValidator(_language)]


def _address(text: str) -> str:
    url = text.strip()
    if not url.lower().startswith(("http://", "https://")) or len(url) > MAX_URL or any(map(str.isspace, url)):
        raise ValueError(f"{text[:80]!r} is not the address of a page: write it whole, from http:// or https:// on")
    return url


Address = Annotated[str, AfterValidator(_address)]
Where = Annotated[str, AfterValidator(checked_condition)]


class Filters(BaseModel):
    """Limits on the origin and date of sources, and the report's language."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    include_domains: tuple[Domain, ...] = ()
    """Only these domains and their subdomains; empty: all."""
    exclude_domains: tuple[Domain, ...] = ()
    published_after: date | None = None
    """Inclusive."""
    published_before: date | None = None
    """Inclusive."""
    region: str = Field(default="", max_length=20)
    """Two-letter ISO 3166 code, such as `de`."""
    language: str = Field(default="", max_length=40)
    """Language of the report, as an ISO 639-1 code; empty: the question's."""

    @model_validator(mode="after")
    def _leave_pages(self) -> Self:
        if self.published_after and self.published_before and self.published_after > self.published_before:
            raise ValueError("published_after is later than published_before: no page can match both")
        if both := set(self.include_domains) & set(self.exclude_domains):
            raise ValueError(f"{min(both)} is both included and excluded: take it out of one list")
        return self


MOST_USD = 1000.0
"""The highest `max_usd` that a request may set."""


class Limits(BaseModel):
    """Ceilings that replace those of a resumed run; None: unchanged."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_usd: float | None = Field(default=None, ge=0, le=MOST_USD, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1)
    max_searches: int | None = Field(default=None, ge=0)
    max_pages: int | None = Field(default=None, ge=0)
    max_minutes: float | None = Field(default=None, gt=0, le=24 * 60, allow_inf_nan=False)

    def over(self, request: BaseModel) -> dict[str, Any]:
        """The ceilings that are given and that this kind of request has."""
        fields = type(request).model_fields
        return {name: value for name, value in self if value is not None and name in fields}


_LATER = frozenset({"where", "roles", "template"})
"""Arguments that older versions did not have."""


class ResearchRequest(Filters):
    """The arguments of one `deep_research` call, except those about waiting."""

    question: Annotated[str, AfterValidator(_question)]
    mode: Mode = "report"
    effort: Effort = "standard"
    breadth: int | None = Field(default=None, ge=1, le=10)
    depth: int | None = Field(default=None, ge=0, le=5)
    drafts: int = Field(default=1, ge=1, le=5)
    max_usd: float | None = Field(default=None, ge=0, le=MOST_USD, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1)
    max_searches: int | None = Field(default=None, ge=0)
    max_pages: int | None = Field(default=None, ge=0)
    max_minutes: float | None = Field(default=None, gt=0, le=24 * 60, allow_inf_nan=False)
    profile: str = Field(default="general", min_length=1, max_length=40)
    """Name of a profile: one of ours, or of a file in the user's folder of profiles."""
    prefer_domains: tuple[Domain, ...] = Field(default=(), max_length=50)
    """Their pages come first; others are read too."""
    source_languages: tuple[Language, ...] = Field(default=(), max_length=8)
    """Languages in which sources are looked for; empty: as the planner sees fit."""
    urls: tuple[Address, ...] = Field(default=(), max_length=50)
    """Pages that are read first; with `web=False`, these and the collections alone."""
    template: str = Field(default="", max_length=40)
    """The form of the report: the name of a template of ours, or of a file in the user's folder; empty: none."""
    length: Length = "standard"
    """How long the report is to be, beside what the question needs."""
    collections: tuple[str, ...] = ()
    """Names of local document collections to search in addition to the web."""
    where: tuple[Where, ...] = Field(default=(), max_length=20)
    """Conditions that all documents of the collections must meet to be found, such as `type=pdf`."""
    web: bool = True
    """False: search the collections only, and read `urls`."""
    clarify: Literal["auto", "never"] = "auto"
    approve_plan: bool = False
    follow_up_of: str = ""
    model: str = "auto"
    """`auto`, `client`, `extractive` or `PROVIDER:NAME`."""
    roles: dict[Role, str] = Field(default={}, max_length=6)
    """Role → `PROVIDER:NAME`, for this run alone; other roles go to `model`."""
    asks: bool = False
    """The surface can ask its user: a terminal, or a client that shows forms."""
    fresh: bool = False
    """The user wants everything asked anew: no engine's answer of the last minutes is used again."""

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if not self.web and not self.collections and not self.urls:
            raise ValueError("web=false needs collections or urls to look in: name at least one")
        if self.where and not self.collections:
            raise ValueError("where chooses among the documents of collections: name at least one")
        if both := set(self.prefer_domains) & set(self.exclude_domains):
            raise ValueError(f"{min(both)} is both preferred and excluded: take it out of one list")
        if self.approve_plan and not self.shape.depth:
            raise ValueError(
                "with depth=0 nothing is researched, so there is no plan to approve: leave one of them out"
            )
        return self

    @property
    def shape(self) -> Shape:
        """The effort's numbers, replaced by those that the request gives."""
        given = {name: value for name in Shape.model_fields if (value := getattr(self, name)) is not None}
        return EFFORTS[self.effort].model_copy(update=given)

    @property
    def filters(self) -> Filters:
        """The limits on sources alone."""
        return Filters.model_validate({name: getattr(self, name) for name in Filters.model_fields})

    def canonical(self) -> dict[str, Any]:
        """The request in a canonical form, equal for equal requests: numbers resolved, lists sorted."""
        whole = self.model_dump(mode="json") | self.shape.model_dump(mode="json")
        # `shape` has replaced the effort, and neither the surface nor freshness changes what is asked for.
        del whole["effort"], whole["asks"], whole["fresh"]
        whole["question"] = " ".join(self.question.split())
        for name in ("include_domains", "exclude_domains", "prefer_domains", "source_languages", "urls", "collections"):
            whole[name] = sorted(set(whole[name]))
        # Left out where there is none, so that requests from before there were such stay equal.
        whole["where"] = sorted(set(whole["where"]))
        return {name: value for name, value in whole.items() if value or name not in _LATER}
