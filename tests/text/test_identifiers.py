import pytest

from deepresearch_mcp.text.identifiers import Identifiers, identifiers_in, without_version

SICI = "10.1002/(sici)1096-8644(199605)100:1<1::aid-ajpa1>3.0.co;2-n"


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("doi:10.1038/s41586-020-2649-2", "10.1038/s41586-020-2649-2"),
        ("What does https://doi.org/10.1038/S41586-020-2649-2 say?", "10.1038/s41586-020-2649-2"),
        ("see (10.1016/S0140-6736(20)30183-5).", "10.1016/s0140-6736(20)30183-5"),
        ("https://onlinelibrary.wiley.com/doi/10.1002/adma.2020/full?x=1", "10.1002/adma.2020"),
        ("https://www.biorxiv.org/content/10.1101/2020.01.01.123456v1.full.pdf", "10.1101/2020.01.01.123456v1"),
        ("https://doi.org/10.1000%2Fabc.def", "10.1000/abc.def"),
        ("<a>10.1000/abc</a>", "10.1000/abc"),
        (f"{SICI} is old", SICI),
    ],
)
def test_a_doi_is_found_without_what_surrounds_it(text: str, doi: str) -> None:
    assert identifiers_in(text) == Identifiers(doi=(doi,))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("arXiv:1706.03762v5 [cs.CL]", "1706.03762v5"),
        ("https://arxiv.org/abs/1706.03762.", "1706.03762"),
        ("https://arxiv.org/pdf/1706.03762.pdf", "1706.03762"),
        ("arxiv hep-th/9901001", "hep-th/9901001"),
        ("arXiv:math.GT/0309136", "math.gt/0309136"),
        ("the arXiv paper 2401.12345 on scaling", "2401.12345"),
        ("10.48550/arXiv.1706.03762", "1706.03762"),
    ],
)
def test_an_arxiv_number_is_found_in_each_of_its_forms(text: str, number: str) -> None:
    assert identifiers_in(text) == Identifiers(arxiv=(number,))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("PMID: 012345", Identifiers(pubmed=("12345",))),
        ("pubmed id 31978945", Identifiers(pubmed=("31978945",))),
        ("https://pubmed.ncbi.nlm.nih.gov/31978945/", Identifiers(pubmed=("31978945",))),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC7092803/", Identifiers(pmc=("PMC7092803",))),
    ],
)
def test_numbers_of_pubmed_are_found(text: str, found: Identifiers) -> None:
    assert identifiers_in(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "", "It rose by 10.5/2 to 2401.12345 tons.", "version 10.1234", "PMC and PMID", "10.1234/", "10.1234/...",
        "arXiv 2413.12345", "1,706.03762", "the PubMed 3.5 release",
    ],
)  # fmt: skip
def test_what_only_looks_like_an_identifier_is_none(text: str) -> None:
    assert identifiers_in(text) == Identifiers()


def test_each_is_named_once_in_order_and_not_without_end() -> None:
    text = "10.1000/b 10.1000/a 10.1000/B " + " ".join(f"10.2000/{n}" for n in range(99))

    found = identifiers_in(text).doi

    assert found[:3] == ("10.1000/b", "10.1000/a", "10.2000/0")
    assert len(found) == 20


def test_papers_of_arxiv_have_a_doi_of_arxiv() -> None:
    found = identifiers_in("10.1000/a and arXiv:1706.03762v2")

    assert found.all_dois == ("10.1000/a", "10.48550/arxiv.1706.03762")
    assert [without_version(one) for one in ("1706.03762v12", "hep-th/9901001")] == ["1706.03762", "hep-th/9901001"]
