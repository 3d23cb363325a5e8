import gzip
import json
from pathlib import Path

import pytest


@pytest.fixture
def sets_(tmp_path: Path) -> Path:
    (tmp_path / "json_repair").mkdir()
    (tmp_path / "json_repair" / "cases.json").write_text(json.dumps([{"input": '{"a": 1', "expected": {"a": 1}}]))
    (tmp_path / "neardup").mkdir()
    (tmp_path / "neardup" / "texts.json.gz").write_bytes(gzip.compress(b'{"a": "one two", "b": "three four"}'))
    (tmp_path / "neardup" / "pairs.json").write_text(json.dumps([{"kind": "near", "a": "a", "b": "b"}]))
    return tmp_path


def test_figures_and_floors_are_told_in_words(cli, sets_):
    said = cli("eval", "json", "--data", str(sets_))

    assert said.code == 0
    assert "json (1 cases, extractive): accuracy 1" in said.out
    assert "No figure is under its floor." in said.out


def test_a_program_gets_one_flat_object(cli, sets_):
    said = cli("eval", "json", "--data", str(sets_), "--json")

    assert said.json == {"name": "json", "n": 1, "accuracy": 1.0, "thinker": "extractive", "under": []}


def test_a_figure_under_its_floor_is_exit_code_1(cli, sets_):
    said, object_ = cli("eval", "neardup", "--data", str(sets_)), cli("eval", "neardup", "--data", str(sets_), "--json")

    assert (said.code, object_.code) == (1, 1)
    assert "Under the floor: recall is 0.000 and should be at least 0.99." in said.out
    assert object_.json["under"] == ["recall is 0.000 and should be at least 0.99"]


@pytest.mark.parametrize(
    ("name", "said"), [("speed", "There is no evaluation 'speed'"), ("quotes", "There is no set 'quotes_quotesum'")]
)
def test_what_is_not_there_is_bad_input(cli, sets_, name: str, said: str):
    answer = cli("eval", name, "--data", str(sets_), "--json")

    assert answer.code == 2
    assert said in answer.error["message"]
