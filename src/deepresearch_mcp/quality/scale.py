"""The scale that grades sources: weights, decay, thresholds, kinds of sites and signs, as the data files give them.

The weights of the four parts and the decay by topic are the published ones; the other values are our choice, with
reasons in `scale.toml`. The lists of sites come from general knowledge: they say what a site is, not whether it is
right.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

from deepresearch_mcp.text.urls import host_of

UNKNOWN, COLLECTION, INTRANET, DOCUMENTATION = "unknown", "collection", "intranet", "documentation"
"""Kinds that the program itself gives."""

_STRICT = ConfigDict(extra="forbid", allow_inf_nan=False)


def _site(text: str) -> str:
    """Return a domain, with its path if any, in lower case and ASCII."""
    host, _, path = text.strip().partition("://")[-1 if "://" in text else 0].partition("/")
    bare = host.casefold().removeprefix("www.")
    name = f"{host_of(f'http://{bare[:-2]}')}.*" if bare.endswith(".*") else host_of(f"http://{bare}")
    if name in {"", ".*"} or "*" in name.removesuffix(".*"):
        raise ValueError("it should be a domain, such as example.org, example.org/path or gov.*")
    return f"{name}/{path.strip('/')}".rstrip("/")


def _words(text: str) -> str:
    folded = text.casefold().replace("’", "'")
    if len(folded.strip()) < 2:
        raise ValueError("it should be at least two characters long")
    return folded


Share = Annotated[float, Field(ge=0, le=1)]
Site = Annotated[str, AfterValidator(_site)]
Words = Annotated[str, AfterValidator(_words)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of the four parts of the score; only their proportions count."""

    __pydantic_config__ = _STRICT

    authority: Annotated[float, Field(ge=0)]
    author: Annotated[float, Field(ge=0)]
    content: Annotated[float, Field(ge=0)]
    external: Annotated[float, Field(ge=0)]

    def __post_init__(self) -> None:
        if self.authority + self.author + self.content + self.external <= 0:
            raise ValueError("at least one weight should be above 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Limits at which a number becomes a flag or a standing: see `scale.toml`."""

    __pydantic_config__ = _STRICT

    outdated: Share
    undated: Share
    low_authority: Share
    good: Share
    poor: Share
    corroborates: Share
    disputed: Share
    bias: Annotated[int, Field(ge=1)]
    machine: Annotated[int, Field(ge=1)]
    history_years: Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Grades for the author line."""

    __pydantic_config__ = _STRICT

    credentials: Share
    person: Share
    organisation: Share
    unnamed: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What each sign in a text adds to the content grade, or subtracts from it."""

    __pydantic_config__ = _STRICT

    base: Share
    long: Share
    structured: Share
    dated: Share
    figures: Share
    sources: Share
    shouting: Share
    advertising: Share
    machine: Share
    cut: Share
    long_words: Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class External:
    """What links, engines and identifiers add to the external grade."""

    __pydantic_config__ = _STRICT

    identifier: Share
    linked: Share
    linked_most: Share
    engine: Share
    engine_most: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """How fast one topic ages, and the words that questions about it use."""

    __pydantic_config__ = _STRICT

    decay: Annotated[float, Field(ge=0, le=10)]
    """Per day."""
    words: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KindGrades:
    """One kind of site: see the head of `sites.toml`."""

    __pydantic_config__ = _STRICT

    authority: Share
    vouched: Share = 0.2
    answers: bool = False
    reviewed: bool = False
    papers: bool = False
    biased: bool = False
    most: Share = 1.0
    domains: tuple[Site, ...] = ()
    titles: tuple[Words, ...] = ()
    hosts: tuple[Words, ...] = ()
    paths: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """The changes that a profile makes to the scale."""

    __pydantic_config__ = _STRICT

    topic: str
    """The topic if the question's words do not decide one."""
    weights: dict[str, Annotated[float, Field(ge=0)]] = field(default_factory=dict[str, float])
    authority: dict[str, Share] = field(default_factory=dict[str, float])
    """Kind → authority."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignWords:
    """Words that show how a text was made: see `signs.toml`."""

    __pydantic_config__ = _STRICT

    credentials: tuple[Words, ...]
    nobody: tuple[Words, ...]
    references: tuple[Words, ...]
    review: tuple[Words, ...]
    retracted: tuple[Words, ...]
    machine_strong: tuple[Words, ...]
    machine_weak: tuple[Words, ...]
    bias_strong: tuple[Words, ...]
    bias_weak: tuple[Words, ...]
    bias_paths: tuple[Words, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Scale:
    """The whole scale, for one profile."""

    __pydantic_config__ = _STRICT

    weights: Weights
    thresholds: Thresholds
    author: Author
    content: Content
    external: External
    topics: dict[str, Topic]
    profiles: dict[str, Shift]
    kinds: dict[str, KindGrades]
    signs: SignWords

    def under(self, profile: str) -> "Scale":
        """Return the scale with the profile's changes. Call it on the loaded scale, not on a changed one."""
        shift = self.profiles[profile]
        kinds = {
            name: replace(kind, authority=shift.authority[name]) if name in shift.authority else kind
            for name, kind in self.kinds.items()
        }
        return replace(self, weights=replace(self.weights, **shift.weights), kinds=kinds)

    @cached_property
    def sites(self) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """Domain → its paths and their kinds, the longest path first; the path "" is the whole domain."""
        found: dict[str, list[tuple[str, str]]] = {}
        for name, kind in self.kinds.items():
            for site in kind.domains:
                domain, _, path = site.partition("/")
                found.setdefault(domain, []).append((path.casefold(), name))
        return {domain: tuple(sorted(rows, key=lambda row: -len(row[0]))) for domain, rows in found.items()}

    @cached_property
    def reference_heading(self) -> re.Pattern[str]:
        """A pattern for a heading above a list of sources, numbered or not."""
        titles = "|".join(re.escape(title) for title in self.signs.references)
        return re.compile(rf"(?m)^[ \t#*_\d.]*(?:{titles})[ \t:*_#]*$", re.IGNORECASE)


def problem_in(scale: Scale) -> tuple[str, str]:
    """Return the first key with an unknown name, and what it should be; two empty strings if there is none."""
    parts = [field.name for field in fields(Weights)]
    for profile, shift in scale.profiles.items():
        at = f"profiles.{profile}"
        if shift.topic not in scale.topics:
            return f"{at}.topic", f"it should be one of {', '.join(scale.topics)}"
        if strange := sorted(shift.authority.keys() - scale.kinds.keys()):
            return f"{at}.authority.{strange[0]}", f"its name should be one of {', '.join(scale.kinds)}"
        if strange := sorted(shift.weights.keys() - set(parts)):
            return f"{at}.weights.{strange[0]}", f"its name should be one of {', '.join(parts)}"
        if not any(shift.weights.get(name, getattr(scale.weights, name)) for name in parts):
            return f"{at}.weights", "at least one weight should be above 0"
    return "", ""
