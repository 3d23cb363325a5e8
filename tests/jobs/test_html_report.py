from deepresearch_mcp.jobs.html_report import page_of
from deepresearch_mcp.records.run import Provenance, Run


def run_with(report: str, question: str = "Why?", language: str = "") -> Run:
    provenance = Provenance(version="1", thinker="extractive", request={"language": language})
    return Run(run_id="r", status="completed", stage="ended", question=question, report=report, provenance=provenance)


def test_a_report_becomes_a_page_with_its_links() -> None:
    page = page_of(run_with("# Ice\n\nIt floats [1].\n\n- [1] “Ice” [↗](<https://example.org/ice#:~:text=floats>)\n"))

    assert "<h1>Ice</h1>" in page
    assert '<a href="https://example.org/ice#:~:text=floats">↗</a>' in page


def test_what_a_source_wrote_never_becomes_markup_of_the_page() -> None:
    page = page_of(run_with("<script>steal()</script> [x](javascript:steal())", question="</title><script>"))

    assert "<script>" not in page
    assert 'href="javascript' not in page
    assert "default-src 'none'" in page


def test_the_language_asked_for_is_the_page_s() -> None:
    assert '<html lang="de">' in page_of(run_with("Eis.", language="de"))
    assert "<html>" in page_of(run_with("Ice."))
    assert "<html>" in page_of(Run(run_id="r", status="failed", stage="ended", question="Why?"))
