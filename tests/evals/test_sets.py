import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from deepresearch_mcp.evals.sets import auroc, common_f1, folder, grades, json_file, json_lines, one_file
from deepresearch_mcp.exceptions import InvalidRequest


def test_rows_are_read_from_either_half_of_a_set_whatever_stands_in_the_middle_of_its_name(tmp_path):
    packed = gzip.compress(b'{"claim": "a"}\n\n{"claim": "b"}\n')
    (tmp_path / "claim_kept.jsonl.gz").write_bytes(packed)
    (tmp_path / "plain.jsonl").write_text('{"claim": "c"}\n')

    assert [row["claim"] for row in json_lines(tmp_path, "claim_*.jsonl.gz")] == ["a", "b"]
    assert [row["claim"] for row in json_lines(tmp_path, "plain*")] == ["c"]


def test_a_whole_file_is_read_packed_or_not(tmp_path):
    (tmp_path / "texts.json.gz").write_bytes(gzip.compress(json.dumps({"k": "v"}).encode()))
    (tmp_path / "cases.json").write_text("[1]")

    assert json_file(tmp_path, "texts.json*") == {"k": "v"}
    assert json_file(tmp_path, "cases.json*") == [1]


def test_grades_are_told_by_query_and_document(tmp_path):
    (tmp_path / "qrels.tsv").write_text("q1\td1\t2\nq1\td2\t1\nq2\td3\t1\n")

    assert grades(tmp_path) == {"q1": {"d1": 2, "d2": 1}, "q2": {"d3": 1}}


def test_what_is_missing_is_named_with_what_to_do(tmp_path):
    with pytest.raises(InvalidRequest, match="no set 'quotes_quotesum'") as caught:
        folder(tmp_path, "quotes_quotesum")

    assert "--data" in caught.value.action
    with pytest.raises(InvalidRequest, match=r"holds no file \*\.jsonl"):
        one_file(tmp_path, "*.jsonl")


@pytest.mark.parametrize(
    "read", [lambda where: list(json_lines(where, "x.gz")), lambda where: json_file(where, "x.gz"), grades]
)
def test_a_damaged_file_is_named_without_its_words(tmp_path: Path, read):
    (tmp_path / "x.gz").write_bytes(b"not packed")
    (tmp_path / "qrels.tsv").write_text("one column")

    with pytest.raises(InvalidRequest, match="cannot be read") as caught:
        read(tmp_path)

    assert "not packed" not in str(caught.value)


def test_a_set_is_found_by_its_folder(tmp_path):
    (tmp_path / "neardup").mkdir()

    assert folder(tmp_path, "neardup") == tmp_path / "neardup"


@pytest.mark.parametrize(
    ("scored", "area"),
    [
        ([(0.9, True), (0.1, False)], 1.0),
        ([(0.1, True), (0.9, False)], 0.0),
        ([(0.5, True), (0.5, False)], 0.5),
        ([(0.9, True), (0.5, True), (0.5, False), (0.1, False)], 0.875),
        ([(0.9, True)], 0.5),
    ],
)
def test_the_area_under_the_curve_counts_pairs(scored, area):
    assert auroc(scored) == pytest.approx(area)


def test_what_two_countings_have_in_common_counts_as_often_as_both_have_it():
    assert common_f1(Counter("aab"), Counter("abc")) == pytest.approx(2 / 3)
    assert common_f1(Counter("a"), Counter("b")) == 0
    assert common_f1(Counter(), Counter()) == 1
