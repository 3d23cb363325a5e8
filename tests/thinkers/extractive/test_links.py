"""Links that name what is asked."""

from collections.abc import Callable

import pytest

from deepresearch_mcp.records.sources import DocumentCard, Link, Passage
from deepresearch_mcp.thinkers.extractive.links import link_leads
from pipeline_fakes import page

QUESTION = "What is new in Ora 3.2?"


@pytest.fixture
def led() -> Callable[..., list[str]]:
    def made(
        *links: tuple[str, str], title: str = "Release notes — Ora 3.2.9 documentation", question: str = QUESTION
    ) -> list[str]:
        one = page("https://ora.example/all", "All notes are listed here.", title=title)
        card: DocumentCard = one.card().model_copy(
            update={"links": tuple(Link(url=url, text=text) for url, text in links)}
        )
        passage = Passage(passage_id="p1", source_id=one.source_id, start=0, end=len(one.text), text=one.text)
        return [lead.url for lead in link_leads(question, [passage], {one.source_id: card}, "en")]

    return made


def test_the_link_that_holds_every_name_and_version_is_followed(led: Callable[..., list[str]]) -> None:
    assert led(
        ("https://ora.example/3.2.1", "Ora 3.2.1 release notes"),
        ("https://ora.example/3.2#top", "Ora 3.2 release notes"),
        ("https://ora.example/3.1", "Ora 3.1 release notes"),
        ("https://ora.example/all#3.2", "Ora 3.2 release notes"),
    ) == ["https://ora.example/3.2"]


def test_nothing_is_followed_where_the_page_itself_is_called_so_or_nothing_is_named(
    led: Callable[..., list[str]],
) -> None:
    link = ("https://ora.example/3.2", "Ora 3.2 release notes")

    assert led(link, title="What is new in Ora 3.2 — Ora 3.2.9 documentation") == []
    assert led(link, question="What is new?") == []
    assert led(("https://ora.example/x", "Ora")) == []


def test_a_link_that_only_names_the_thing_is_not_followed_and_one_to_a_kind_is(led: Callable[..., list[str]]) -> None:
    question = "What does the with statement do in Ora?"

    assert led(("https://ora.example/", "Ora"), question=question) == []
    assert led(("https://ora.example/with", "8.5. The with statement"), question=question) == [
        "https://ora.example/with"
    ]
