"""Small records to think about, made from a few words."""

import hashlib
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.sources import Passage


@pytest.fixture
def brief() -> Callable[..., Brief]:
    """Make a brief of a question."""

    def make(question: str = "Why does ice float?", language: str = "en") -> Brief:
        request = ResearchRequest(question=question)
        return Brief(question=question, language=language, today=date(2026, 11, 20), request=request)

    return make


@pytest.fixture
def part() -> Callable[..., SubQuestion]:
    """Make a sub-question of its text."""

    def make(text: str, name: str = "q1", **more: Any) -> SubQuestion:
        return SubQuestion(id=name, text=text, **more)

    return make


@pytest.fixture
def passage() -> Callable[..., Passage]:
    """Make a passage of its text."""

    def make(text: str, source: str = "s1", heading: str = "", number: int = 1) -> Passage:
        name = f"{source}:{number}"
        return Passage(passage_id=name, source_id=source, start=0, end=len(text), text=text, heading=heading)

    return make


@pytest.fixture
def claim() -> Callable[..., Claim]:
    """Make a claim that quotes itself, unless told otherwise."""

    def make(
        text: str,
        source: str = "s1",
        start: int = 0,
        quote: str = "",
        context: str = "",
        heading: str = "",
        **more: Any,
    ) -> Claim:
        words = quote or text
        said = Quote(
            source_id=source,
            snapshot="0" * 64,
            start=start,
            end=start + len(words),
            text=words,
            context=context or words,
            heading=heading,
        )
        name = hashlib.sha256(f"{text}{source}{start}".encode()).hexdigest()[:10]
        return Claim(**{"claim_id": f"c{name}", "sub_question": "q1", "text": text, "quotes": (said,), **more})

    return make
