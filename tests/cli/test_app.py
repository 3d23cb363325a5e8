import logging
import subprocess
import sys

import pytest

from deepresearch_mcp.cli import app as module
from deepresearch_mcp.records.specs import FORMAT_NAMES, joined_with_or
from deepresearch_mcp.version import __version__

COMMANDS = ("research", "runs", "report", "library", "doctor", "demo", "config", "serve")


def test_help_names_every_command(cli):
    said = cli("--help")

    assert said.code == 0
    assert [name for name in COMMANDS if name not in said.out] == []


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS), ("runs", "list"), ("library", "add")])
def test_every_command_has_help(cli, command):
    said = cli(*command, "-h")

    assert said.code == 0
    assert "Usage:" in said.out


def test_the_version_is_one_line(cli):
    assert cli("--version").out == f"{__version__}\n"


@pytest.mark.parametrize("command", ["research", "install", "runs list", "worker"])
def test_help_is_in_whole_paragraphs_and_gives_no_value_to_what_takes_none(command, cli, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")

    said = cli(*command.split(), "--help")

    assert "<bool>" not in said.out
    assert "[[" not in said.out
    sentences = [line.strip() for line in said.out.splitlines() if line.startswith(" ") and "Usage" not in line]
    assert all(line.endswith(".") for line in sentences if line), sentences


def test_a_group_alone_shows_its_help_and_is_bad_input(cli):
    for command in ((), ("runs",)):
        said = cli(*command)
        assert said.code == 2
        assert "Usage:" in said.out
        assert said.err == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("resaerch",), "Did you mean 'research'?"),
        (("research", "x", "--dpeth", "2"), "No such option: --dpeth"),
        (("research",), "Missing argument 'QUESTION'"),
        (("research", "x", "--depth", "two"), "--depth"),
    ],
)
def test_what_the_parser_refuses_is_one_sentence_and_bad_input(cli, arguments, words):
    said = cli(*arguments)

    assert said.code == 2
    assert said.out == ""
    assert words in said.err
    assert "--help`" in said.err


def test_what_the_parser_refuses_is_one_object_where_json_was_asked_for(cli):
    said = cli("research", "x", "--depth", "two", "--json")

    assert said.code == 2
    assert said.error["code"] == "E1101"
    assert said.err == ""


def test_json_behind_two_hyphens_is_no_option(cli):
    said = cli("runs", "show", "--", "--json")

    assert said.code == 2
    assert "There is no run '--json'." in said.err


def test_a_wrong_setting_is_bad_input(cli):
    said = cli("runs", "list", "--set", "search.timeout=soon", "--json")

    assert said.code == 2
    assert said.error["name"] == "INVALID_SETTINGS"
    assert "search.timeout" in said.error["message"]


def test_help_loads_nothing_that_only_a_run_needs():
    code = (
        "import sys; from deepresearch_mcp.cli.app import main; main(['--help']);"
        "print([name for name in ('mcp', 'httpx2', 'trafilatura', 'pydantic', 'aiosqlite') if name in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "[]"


def test_our_warnings_are_sentences_and_the_log_is_left_as_it_was(capsys):
    before = logging.getLogger().handlers[:]

    with module.quiet_log():
        try:
            raise ValueError("inside")
        except ValueError:
            logging.getLogger("deepresearch_mcp.somewhere").warning("The trail has a gap.", exc_info=True)
        logging.getLogger("another.package").warning("Chatter.")

    assert capsys.readouterr().err == "The trail has a gap.\n"
    assert logging.getLogger().handlers == before
    assert logging.getLogger("deepresearch_mcp").handlers == []


def test_the_process_ends_with_the_exit_code(child_env, tmp_path):
    command = [sys.executable, "-m", "deepresearch_mcp", "runs", "show", "nothing"]

    done = subprocess.run(command, env=child_env, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_form_of_report_that_there_is_not_is_refused_with_those_there_are(cli):
    said = cli("report", "x", "--format", "odt")

    assert (said.code, said.out) == (2, "")
    assert said.err == f"There is no format 'odt'.\nUse {joined_with_or(FORMAT_NAMES)}.\n"
