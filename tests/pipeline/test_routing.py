"""Which engines a query is put to, and why."""

from collections.abc import Sequence

import pytest

from deepresearch_mcp.pipeline.routing import MOST, Router
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.profile import Profile
from deepresearch_mcp.records.specs import ENGINES
from pipeline_fakes import FakeEngine

SOURCES = {spec.name: spec.subjects for spec in ENGINES if spec.data and spec.subjects}
SUBJECT_QUERIES = {
    "doi": "10.1038/s41586-020-2649-2",
    "arxiv": "arXiv 1706.03762",
    "pubmed": "PMID 31978945",
    "package": "latest version of numpy on PyPI",
    "repository": "github pallets flask",
    "code": "ConnectionResetError traceback",
    "ticker": "NASDAQ: AAPL",
    "filing": "Intel 10-Q revenue",
    "series": "unemployment rate in Spain",
    "case": "Roe v. Wade",
    "bill": "H.R. 3684",
    "event": "news about the election",
}


def named(groups: Sequence[Sequence[SearchEngine]]) -> list[list[str]]:
    return [[engine.name for engine in group] for group in groups]


def engines(*names: str) -> list[FakeEngine]:
    return [FakeEngine({}, name=name) for name in names]


def test_our_own_store_does_not_wait_for_the_web() -> None:
    asked = engines("local", "brave", "earlier", "tavily")

    assert named(Router().groups("why does ice float", asked)) == [["local", "earlier"], ["brave", "tavily"]]
    assert named(Router().groups("why does ice float", asked, {"brave", "local", "earlier"})) == [["tavily"]]


def test_the_sources_of_a_profile_are_asked_with_every_query_and_before_the_web() -> None:
    router = Router(Profile(name="birds", sources=("ornithology", "not_open")))
    asked = engines("brave", "ornithology")

    assert named(router.groups("why does ice float", asked)) == [["ornithology", "brave"]]
    assert router.why("why does ice float", ["brave", "ornithology"]) == {"ornithology": "profile birds"}
    assert router.regular(["local", "brave", "ornithology"]) == ("local", "ornithology", "brave")


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_is_asked_about_its_subjects_alone(source: str) -> None:
    router, asked = Router(sparing=[source]), engines("brave", source)
    subjects = [one for one in SOURCES[source] if one in SUBJECT_QUERIES]

    assert named(router.groups("why does ice float", asked)) == [["brave"]]
    for subject in subjects:
        query = SUBJECT_QUERIES[subject]
        assert named(router.groups(query, asked)) == [[source, "brave"]]
        assert router.why(query, ["brave", source])[source].startswith("it ")
    assert router.regular(["brave", source]) == ("brave",)


def test_a_source_that_the_user_configured_is_asked_like_an_engine_of_the_web() -> None:
    source = next(iter(SOURCES), "wikipedia")

    assert named(Router().groups("why does ice float", engines("brave", source))) == [["brave", source]]


def test_no_query_is_put_to_more_than_three_sources_beside_the_web() -> None:
    names = [f"source{number}" for number in range(5)]
    router = Router(Profile(name="all", sources=tuple(names)))

    assert len(router.why("10.1038/x", names)) == MOST
