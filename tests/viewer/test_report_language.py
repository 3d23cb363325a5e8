import pytest

from deepresearch_mcp.records.run import Run
from deepresearch_mcp.viewer.report_language import language_of
from exported_runs import run_of


@pytest.mark.parametrize(("asked", "found"), [("de", "de"), ("", "en")])
def test_the_language_asked_for_counts_else_that_of_the_words(asked: str, found: str) -> None:
    assert language_of(run_of(language=asked)) == found


def test_a_run_of_which_nothing_is_known_has_the_language_of_its_question() -> None:
    bare = Run(run_id="r", status="completed", stage="ended", question="Warum schwimmt Eis auf dem Wasser?")

    assert language_of(bare) == "de"
