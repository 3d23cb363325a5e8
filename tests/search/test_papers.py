from datetime import date

import pytest

from deepresearch_mcp.search.papers import Paper, day, paper_hits, without_resolver

ALL = Paper(
    doi="10.1000/a",
    arxiv="2401.12345v3",
    pubmed="123",
    pmc="PMC456",
    open_copy="https://journal.example/a.pdf",
    landing="https://journal.example/a",
)


@pytest.mark.parametrize(
    ("paper", "address"),
    [
        (ALL, "https://arxiv.org/pdf/2401.12345"),
        (Paper(arxiv="hep-th/9901001"), "https://arxiv.org/pdf/hep-th/9901001"),
        (Paper(doi="10.1/x", open_copy="http://arxiv.org/pdf/2401.12345v1"), "https://arxiv.org/pdf/2401.12345"),
        (Paper(pmc="456", open_copy="https://a.example/a.pdf"), "https://pmc.ncbi.nlm.nih.gov/articles/PMC456/"),
        (Paper(open_copy="https://a.example/a.pdf", pubmed="123"), "https://a.example/a.pdf"),
        (Paper(pubmed="123", doi="10.1000/a"), "https://pubmed.ncbi.nlm.nih.gov/123/"),
        (Paper(landing="https://journal.example/a", doi="10.1000/a"), "https://journal.example/a"),
        (Paper(landing="https://doi.org/10.1000/a", doi="10.1000/a"), "https://doi.org/10.1000/a"),
        (Paper(doi="https://doi.org/10.1000/a<1:b>2"), "https://doi.org/10.1000/a%3C1:b%3E2"),
        (Paper(landing="https://doi.org/10.1000/a"), "https://doi.org/10.1000/a"),
        (Paper(open_copy="javascript:alert(1)", landing="file:///etc/passwd"), ""),
        (Paper(arxiv="../../x", pmc="PMC1/../x", pubmed="1 2", doi="no"), ""),
        (Paper(), ""),
    ],
)
def test_the_address_is_where_most_of_the_paper_can_be_read(paper: Paper, address: str) -> None:
    assert paper.address() == address


def test_a_paper_without_an_address_is_no_hit_and_markup_is_removed() -> None:
    papers = [
        Paper(title="Lost"),
        Paper(
            title="Of <i>E. coli</i> &amp; us",
            abstract="<jats:title>Abstract</jats:title><jats:p>We <b>grew</b> it.</jats:p><h4>So</h4>",
            published=date(2024, 2, 29),
            pubmed="1",
        ),
        Paper(pubmed="2"),
        Paper(pubmed="3"),
    ]

    hits = paper_hits("pubmed", papers, 2)

    assert [one.url[-2:] for one in hits] == ["1/", "2/"]
    assert (hits[0].title, hits[0].snippet) == ("Of E. coli & us", "We grew it. So")
    assert (hits[0].published, hits[0].engines, hits[1].published) == (date(2024, 2, 29), ("pubmed",), None)


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ((2020, 9, 16), date(2020, 9, 16)),
        (("2020", "Sep", "16"), date(2020, 9, 16)),
        (("2020", "09", "16"), date(2020, 9, 16)),
        (("2020", "Sep", None), None),
        ((2021, 2, 29), None),
        (("x", "y", "z"), None),
        ((10**30, 1, 1), None),
    ],
)
def test_a_day_needs_all_its_parts(parts: tuple[object, object, object], found: date | None) -> None:
    assert day(*parts) == found


def test_a_doi_loses_its_resolver() -> None:
    assert [without_resolver(one) for one in ("https://doi.org/10.1000/A", "doi:10.1000/A", "x")] == [
        "10.1000/A",
        "10.1000/A",
        "",
    ]
