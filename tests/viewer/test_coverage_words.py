import json
from typing import get_args

from deepresearch_mcp.records.evidence import PointStatus
from deepresearch_mcp.viewer.coverage_words import COVERAGE
from deepresearch_mcp.viewer.html_report import report_script


def test_each_status_of_a_part_has_a_sign_and_words_and_the_script_is_given_the_same() -> None:
    [line] = [line for line in report_script().splitlines() if line.startswith("const COVERAGE = ")]

    assert {*get_args(PointStatus)} < COVERAGE.keys()
    assert json.loads(line.removeprefix("const COVERAGE = ").removesuffix(";")) == {
        status: [*words] for status, words in COVERAGE.items()
    }
    shown = [json.dumps(words, ensure_ascii=False) for words in COVERAGE.values()]
    assert [report_script().count(words) for words in shown] == [1] * len(shown)
