from deepresearch_mcp.records.evidence import Reading
from deepresearch_mcp.thinkers.prompted import lines
from deepresearch_mcp.thinkers.prompted.answers import ReadAnswer
from deepresearch_mcp.thinkers.prompted.prompt_spec import PromptSpec


def test_a_sheet_puts_no_limits_of_its_own_on_an_answer() -> None:
    sheet = PromptSpec("read", "reader", {}, ReadAnswer, lines.read, lambda answer: Reading(), 100)

    assert sheet.limits == {}
