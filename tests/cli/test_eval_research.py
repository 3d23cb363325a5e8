from pathlib import Path

import pytest

WHY = "Why does ice float on water?"


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    file = tmp_path / "questions.txt"
    file.write_text(f"{WHY}\n")
    return file


def test_two_configurations_are_compared_without_a_model(cli, folder, questions):
    cli("library", "add", str(folder), "--name", "ice")
    given = ("eval", "research", "--questions", str(questions), "--collection", "ice", "--no-web")

    said = cli(*given, "--against", "length=brief", "--against", "research.pages_per_query=1", "--json")
    alone = cli(*given)

    assert said.code == alone.code == 0
    assert said.json["systems"] == ["first", "against"]
    [question] = said.json["questions"]
    first, against = question["reports"]
    assert first["run_id"] != against["run_id"]
    assert first["located"] == first["supported"] == 1.0
    assert said.json["judge"] is None
    assert "1: Why does ice float on water?" in alone.out
    assert "Quotes that stand on their pages" in alone.out
    assert "Not measured without a judge" in alone.out
    assert "ours: question 1 of 1" in alone.err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "given no questions"),
        (("--questions", "none.txt"), "There is no none.txt"),
        (("--questions", "FILE", "--against", "effort"), "--against was not followed by NAME=VALUE"),
        (("--questions", "FILE", "--against", "speed=5"), "there is no such argument of a research"),
        (("--questions", "FILE", "--against", "search.brave_key=x"), "search.brave_key is a secret"),
        (("--questions", "FILE", "--against", "effort=deep", "--reports", "peer.md"), "two different things"),
        (("--questions", "FILE", "--reports", "../peer.md"), "is a path"),
        (("--questions", "FILE", "--judge", "client"), "not at hand to judge"),
        (("--questions", "FILE", "--judge", "nobody:m"), "names no model provider"),
    ],
)
def test_what_cannot_be_compared_is_bad_input(cli, questions, given: tuple[str, ...], said: str):
    given = tuple(str(questions) if one == "FILE" else one for one in given)

    answer = cli("eval", "research", *given, "--json")

    assert answer.code == 2
    assert said in answer.error["message"]


def test_a_set_needs_its_folder(cli):
    answer = cli("eval", "json", "--json")

    assert (answer.code, answer.error["message"]) == (2, "eval json was given no data.")
