"""What a query names that some data source knows best."""

import pytest

from deepresearch_mcp.records.specs import ENGINES
from deepresearch_mcp.text.subjects import subjects_in


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("doi 10.1038/s41586-020-2649-2 array programming", {"doi"}),
        ("attention is all you need arXiv:1706.03762", {"arxiv"}),
        ("arXiv paper on retrieval", {"arxiv"}),
        ("PMID 31978945", {"pubmed"}),
        ("clinical trials of semaglutide", {"pubmed"}),
        ("latest version of numpy", {"package"}),
        ("pip install httpx fails", {"package"}),
        ("github pallets flask", {"repository"}),
        ("ConnectionResetError asyncio", {"code"}),
        ("NASDAQ: AAPL dividend", {"ticker"}),
        ("$MSFT guidance", {"ticker"}),
        ("Intel 10-Q revenue", {"filing"}),
        ("unemployment rate in Spain 2024", {"series"}),
        ("Roe v. Wade holding", {"case"}),
        ("H.R. 3684 infrastructure", {"bill"}),
        ("news about the election", {"event"}),
        ("why does ice float on water", set()),
        ("PostgreSQL 18 wal_level default", set()),
        ("best time to visit the Alps, A vs B", set()),
        ("", set()),
    ],
)
def test_a_query_names_its_subjects_and_no_others(query: str, named: set[str]) -> None:
    assert subjects_in(query) == named


def test_every_subject_of_a_data_source_can_be_found() -> None:
    wanted = {subject for spec in ENGINES for subject in spec.subjects}
    said = ("10.1038/x1 arxiv pubmed pypi github traceback ticker 10-K GDP docket 'act of congress' breaking news",)

    assert wanted <= subjects_in(said[0])
