from typing import Any

from deepresearch_mcp.records.run import Run
from deepresearch_mcp.viewer.text_files import as_json, as_markdown

NO_DOCUMENTS: Any = None
CUT = Run(run_id="r", status="cancelled", stage="ended", question="Why?", report="# Ice\n\nIt floats.\n")


async def test_a_report_that_was_cut_short_says_so_as_markdown() -> None:
    text = await as_markdown(CUT, NO_DOCUMENTS)

    assert text.startswith("Cancelled before it was done")
    assert text.rstrip().endswith("It floats.")


async def test_json_holds_the_run_whole_and_on_several_lines() -> None:
    text = await as_json(CUT, NO_DOCUMENTS)

    assert Run.model_validate_json(text) == CUT
    assert text.count("\n") > 5
