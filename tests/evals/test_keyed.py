import json
from pathlib import Path

import pytest

from deepresearch_mcp.evals.keyed import questions_at
from deepresearch_mcp.exceptions import InvalidRequest

ONE = {"question": "Why does ice float?", "keys": [{"id": "1", "fact": "It is lighter.", "weight": 3}]}


def test_a_text_file_holds_a_question_a_line(tmp_path: Path) -> None:
    file = tmp_path / "q.txt"
    file.write_text("# Ours\nWhy does ice float?\n\nWhy is the sky blue?\n")

    assert [(one.name, one.asked.question) for one in questions_at(file)] == [
        ("1", "Why does ice float?"),
        ("2", "Why is the sky blue?"),
    ]


def test_folders_hold_keys_and_reports_of_another_system(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "keys.json").write_text(json.dumps(ONE))
        (tmp_path / name / "peer.md").write_text(f"Report {name}")

    found = questions_at(tmp_path, "peer.md")
    alone = questions_at(tmp_path / "a" / "keys.json", "peer.md")

    assert [(one.name, one.report, one.asked.keys[0].weight) for one in found] == [
        ("a", "Report a", 3),
        ("b", "Report b", 3),
    ]
    assert [(one.name, one.report) for one in alone] == [("a", "Report a")]
    (tmp_path / "b" / "peer.md").unlink()
    with pytest.raises(InvalidRequest, match=r"peer\.md cannot be read"):
        questions_at(tmp_path, "peer.md")


def test_a_json_file_may_hold_a_list(tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    file.write_text(json.dumps([ONE, {"question": "And salt?"}]))

    assert [(one.name, len(one.asked.keys)) for one in questions_at(file)] == [("1", 1), ("2", 0)]
    with pytest.raises(InvalidRequest, match=r"have to stand beside a keys\.json"):
        questions_at(file, "peer.md")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "no question"),
        ('{"query": "Why?"}', "question: Field required"),
        (json.dumps({**ONE, "keys": [*ONE["keys"], *ONE["keys"]]}), "two keys have the id 1"),
    ],
)
def test_what_cannot_be_read_is_told_with_what_to_write(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "keys.json"
    file.write_text(text)

    with pytest.raises(InvalidRequest, match=said) as caught:
        questions_at(file)

    assert caught.value.action
