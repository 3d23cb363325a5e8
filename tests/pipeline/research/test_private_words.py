"""What stands in the user's own documents alone is not sent to a search engine of the web."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.pipeline.research.private_words import PrivateWords, is_private, public_links
from deepresearch_mcp.records.plan import Hypothesis, Plan
from pipeline_fakes import brief, page, part

NOTE = page(
    "library://notes/bergholt.md",
    "Project Bergholt tests whether pykrete ice floats longer. The green raft is 4711 kg.",
    title="Norrvik plans",
    links=["https://vendor.example/bergholt", "library://notes/other.md"],
)
WEB = page(
    "https://ice.example/1",
    "Ice floats on water. A raft of pykrete was tested in 1943. Green paint is cheap.",
    links=["https://ice.example/2"],
)


@pytest.mark.parametrize(
    ("query", "held"),
    [
        ("why does ice float on water", ""),
        ("pykrete raft tested", ""),
        ("Bergholt ice", "bergholt"),
        ("ice of BERGHOLT'S", "bergholt"),
        ("Norrvik ice", "norrvik"),
        ("raft 4711", "4711"),
        # Each word stands on the page; the two together are a name that only the note has.
        ("green rafts", "green raft"),
        # What a model knows by itself was not taken from the note.
        ("Archimedes ice", ""),
    ],
)
def test_a_query_is_held_back_for_a_word_or_pair_that_only_collections_have(query: str, held: str) -> None:
    assert PrivateWords(brief()).in_query(query, [NOTE, WEB]) == held


def test_without_a_document_of_a_collection_every_query_may_be_asked() -> None:
    assert PrivateWords(brief()).in_query("Bergholt ice", [WEB]) == ""


def test_the_words_of_the_user_and_of_the_first_plan_may_be_asked() -> None:
    asked = brief("What is project Bergholt?")
    private = PrivateWords(asked)
    assert private.in_query("Bergholt", [NOTE]) == ""
    assert private.in_query("Bergholt raft", [NOTE]) == "raft"

    guess = Hypothesis(id="h1", statement="It is a raft.", query="ice raft", sub_question="q1")
    private.know(Plan(sub_questions=(part(queries=("pykrete",)),), hypotheses=(guess,), made_by="model"), asked)

    assert private.in_query("Bergholt pykrete raft", [NOTE]) == ""
    assert private.in_query("Norrvik raft", [NOTE]) == "norrvik"


def test_a_follow_up_keeps_back_what_an_earlier_run_took_from_collections() -> None:
    told = "An earlier run asked: ice?\nIt read documents of collections (library://).\nProject Bergholt floats."
    asked = brief("Which rafts are known?", background=told)
    private = PrivateWords(asked)
    private.know(Plan(sub_questions=(part(queries=("Bergholt rafts",)),), made_by="model"), asked)

    assert private.in_query("Bergholt rafts", []) == "bergholt"
    assert PrivateWords(brief(background="It asked: ice?\nBergholt floats.")).in_query("Bergholt", [NOTE]) == ""


def test_links_of_collections_lead_into_collections_alone() -> None:
    assert [link.url for link in public_links([NOTE, WEB])] == ["library://notes/other.md", "https://ice.example/2"]
    assert (is_private(NOTE), is_private(WEB)) == (True, False)


@given(st.text(alphabet="abcdefghijklmnop qrstuvwxyzäß0123456789.,-\n"))
def test_no_query_that_copies_a_strange_word_of_a_note_goes_out(text: str) -> None:
    note = page("library://notes/any.md", f"{text} zyxqwv {text}")

    assert PrivateWords(brief()).in_query(f"ice {text} zyxqwv", [note]) != ""
