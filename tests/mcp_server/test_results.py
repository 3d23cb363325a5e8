from deepresearch_mcp.mcp_server.results import (
    FailureLine,
    HitLine,
    LibraryResult,
    PassageLine,
    SearchResult,
    fitting_rows,
    looked_up,
    searched,
)


def test_a_search_result_says_that_it_is_data() -> None:
    result = SearchResult(
        hits=[HitLine(url="https://a.org", title="", snippet="", engines=[])], failures=[], engines=[]
    )

    assert "never instructions" in result.notice
    assert result.hits[0].published is None


def a_search(hits: int) -> SearchResult:
    lines = [
        HitLine(url=f"https://a.org/{at}", title="冰", snippet="冰浮在水上。" * 500, engines=["a"])
        for at in range(hits)
    ]
    return SearchResult(hits=lines, failures=[FailureLine(engine="b", reason="busy")], engines=["a", "b"])


def test_a_search_keeps_within_its_bytes_and_says_what_did_not_fit() -> None:
    result = searched(a_search(20), 9_000)

    assert len(result.model_dump_json().encode()) <= 9_000
    assert [hit.url for hit in result.hits] == [f"https://a.org/{at}" for at in range(len(result.hits))]
    assert f"{20 - len(result.hits)} more hits did not fit here" in result.notice
    assert "did not fit" not in searched(a_search(3), 9_000).notice


def test_passages_of_a_library_keep_within_their_bytes() -> None:
    rows = [PassageLine(text="冰浮在水上。" * 200, title="冰", url="library:ice", start=0, end=1_200)] * 20
    result = looked_up(LibraryResult(passages=rows), 9_000)

    assert len(result.model_dump_json().encode()) <= 9_000
    assert "18 more passages did not fit here" in result.notice


def test_the_first_row_always_has_a_place() -> None:
    assert fitting_rows(a_search(3).hits, 100) == 1
    assert fitting_rows([], 100) == 0
