import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal

from deepresearch_mcp.records.run import Run
from small_web import small_web

TRUE = "Fish survive the winter in the water below the floating ice."
LOCAL = ("--model", "extractive")


@pytest.fixture
def base(monkeypatch):
    with start_blocking_portal("asyncio") as portal, portal.wrap_async_context_manager(small_web()) as web:
        monkeypatch.setenv("DEEPRESEARCH_WEB__ALLOW_PRIVATE", web.base.removeprefix("http://"))
        yield web.base


@pytest.fixture
def good(cli, base, tmp_path):
    file = tmp_path / "good.md"
    file.write_text(f"{TRUE} [1]\n\n[1]: {base}/lakes\n", encoding="utf-8")
    return file


@pytest.fixture
def bad(cli, base, tmp_path):
    file = tmp_path / "bad.md"
    file.write_text(f"Ice is about 12 percent less dense than liquid water [1].\n\n[1]: {base}/density\n")
    return file


def test_a_file_is_checked_and_its_report_printed(cli, good):
    said = cli("verify", str(good), *LOCAL)

    assert said.code == 0
    assert said.out.startswith("# Check of “Fish survive the winter")
    assert "## Similar words found" in said.out
    assert "Completed. 1 statement: similar words found: 1. No model has judged them" in " ".join(said.err.split())


def test_without_a_model_a_wrong_figure_is_told_as_words_compared_and_not_as_a_verdict(cli, bad):
    told, found = cli("verify", str(bad), *LOCAL), cli("verify", str(bad), *LOCAL, "--json", "--fresh")

    assert "## Numbers differ" in told.out
    assert "1 statement: numbers differ: 1." in told.err
    assert "quotes verified" not in told.err
    assert "No model has read them" in told.out
    assert "isputed" not in told.out
    assert [(one["verdict"], one["wording"]) for one in found.json["checks"]] == [("disputed", "numbers differ")]


def test_strict_fails_for_what_does_not_hold_and_only_for_that(cli, good, bad, base, tmp_path):
    dead = tmp_path / "dead.md"
    dead.write_text(f"{good.read_text()}\nSnow is white and cold [9].\n")

    assert cli("verify", str(good), *LOCAL, "--strict").code == 0
    assert cli("verify", str(bad), *LOCAL).code == 0
    assert cli("verify", str(bad), *LOCAL, "--strict").code == 1
    assert cli("verify", str(dead), *LOCAL, "--strict").code == 1


def test_strict_takes_a_text_that_cites_nothing_for_no_proof(cli, tmp_path):
    bare = tmp_path / "bare.md"
    bare.write_text("Ice is about 9 percent less dense than liquid water.\n")

    lenient, strict = cli("verify", str(bare), *LOCAL), cli("verify", str(bare), *LOCAL, "--strict")

    assert (lenient.code, strict.code) == (0, 1)
    assert "cites nothing" in strict.err


def test_json_is_the_run_object_and_a_run_is_checked_by_its_id(cli, bad):
    said = cli("verify", str(bad), *LOCAL, "--json")
    run = Run.model_validate_json(said.out)
    again = cli("verify", run.run_id, *LOCAL, "--json")
    joined = cli("verify", str(bad), *LOCAL)

    assert [one.verdict for one in run.checks] == ["disputed"]
    assert [(one["verdict"], one["before"]) for one in again.json["checks"]] == [("disputed", "disputed")]
    assert "This was checked a moment ago: here is that report. `--fresh` checks it again." in joined.err


def test_standard_input_is_a_text_too(cli, good, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(good.read_text()))

    assert "## Similar words found" in cli("verify", "-", *LOCAL).out


def test_offline_knows_only_what_was_read_before(cli, good):
    before = cli("verify", str(good), *LOCAL, "--offline", "--json")
    cli("verify", str(good), *LOCAL)
    after = cli("verify", str(good), *LOCAL, "--offline", "--json", "--fresh")

    assert before.json["checks"][0]["verdict"] == "unverifiable"
    assert after.json["checks"][0]["verdict"] == "supported"


def test_a_limit_that_is_met_is_a_partial_report_and_exit_code_3(cli, base, tmp_path):
    file = tmp_path / "two.md"
    file.write_text(f"Ice floats [here]({base}/density). Lakes freeze [there]({base}/lakes).")

    assert cli("verify", str(file), *LOCAL, "--max-pages", "1").code == 3


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("nowhere.md", "'nowhere.md' is neither a file nor the id of a run."),
        ("0" * 26, "There is no run"),
        (".", "'.' is neither a file nor the id of a run."),
    ],
)
def test_what_cannot_be_checked_is_bad_input(cli, target, words):
    said = cli("verify", target, *LOCAL)

    assert said.code == 2
    assert words in said.err


def test_an_empty_or_unreadable_file_is_bad_input(cli, tmp_path):
    empty = tmp_path / "empty.md"
    empty.write_text(" \n")
    shut = Path("/proc/self/mem")

    assert "There is nothing to check" in cli("verify", str(empty), *LOCAL).err
    assert cli("verify", str(shut), *LOCAL).code == 2


def test_the_report_goes_to_a_file_on_request(cli, good, tmp_path):
    place = tmp_path / "check.html"
    said = cli("verify", str(good), *LOCAL, "--output", str(place), "--quiet")

    assert (said.code, said.out, said.err) == (0, "", "")
    assert place.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_standard_input_that_is_not_utf_8_is_read_all_the_same(cli, good, child_env):
    command = [sys.executable, "-m", "deepresearch_mcp", "verify", "-", *LOCAL, "--offline", "--json"]

    def said(text, **env):
        return subprocess.run(command, input=text, env=child_env | env, capture_output=True, check=False, timeout=60)

    latin = said(b"The caf\xe9 is open [1].\n\n[1]: https://example.org/cafe\n")
    marked = said(
        "\ufeffThe caf\u00e9 is open [1].\n\n[1]: https://example.org/cafe\n".encode(), LC_ALL="C", PYTHONUTF8="0"
    )

    assert (latin.returncode, marked.returncode) == (0, 0), latin.stderr + marked.stderr
    assert json.loads(latin.stdout)["checks"][0]["text"].startswith("The caf\ufffd is open")
    assert json.loads(marked.stdout)["checks"][0]["text"].startswith("The café is open")


def test_a_file_of_a_user_who_does_not_exist_is_bad_input(cli, good, tmp_path):
    target = cli("verify", "~nosuchuser/x.md", *LOCAL)
    output = cli("verify", str(good), *LOCAL, "--output", "~nosuchuser/x.md")

    assert (target.code, output.code) == (2, 2)
    assert "is neither a file nor the id of a run" in target.err
    assert "cannot be written: its folder does not exist" in output.err
