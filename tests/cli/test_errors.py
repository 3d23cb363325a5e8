import errno
import io
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout

import pytest
import typer

from deepresearch_mcp.cli.errors import exit_codes
from deepresearch_mcp.exceptions import (
    InvalidRequest,
    ProviderError,
    SettingsError,
    StoreError,
    UnknownCollection,
    UnknownRun,
)


def through(error: BaseException, *, as_json: bool = False) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(typer.Exit) as left, exit_codes(as_json=as_json):
        raise error
    return left.value.exit_code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidRequest("Wrong.", "Correct it."), 2),
        (SettingsError("Wrong.", "Correct it."), 2),
        (UnknownRun("r"), 2),
        (UnknownCollection("Wrong.", "Correct it."), 2),
        (StoreError("Wrong.", "Correct it."), 1),
        (ProviderError("x", "down"), 1),
        (KeyboardInterrupt(), 130),
        (typer.Exit(3), 3),
        (typer.BadParameter("Wrong."), 2),
    ],
)
def test_each_kind_of_error_has_its_exit_code(error, code):
    assert through(error)[0] == code


def test_a_person_reads_a_sentence_and_what_to_do():
    assert through(InvalidRequest("It is [wrong].", "Mend [it].")) == (2, "", "It is [wrong].\nMend [it].\n")


def test_a_program_reads_one_object_and_nothing_beside_it():
    code, out, err = through(UnknownRun("r"), as_json=True)

    assert (code, err) == (2, "")
    assert json.loads(out)["error"].keys() == {"code", "name", "message", "action"}
    assert json.loads(out)["error"]["code"] == "E1103"


def test_a_help_that_was_shown_is_not_commented_on():
    assert through(typer.TyperException("")) == (2, "", "")


def test_the_error_of_ours_is_found_in_a_group_of_groups():
    inner = ExceptionGroup("inner", [ValueError("x"), StoreError("The disk is full.", "Make room.")])

    assert through(ExceptionGroup("outer", [inner])) == (1, "", "The disk is full.\nMake room.\n")
    assert through(BaseExceptionGroup("outer", [KeyboardInterrupt()]))[0] == 130


def test_what_the_system_refuses_is_said_in_its_words():
    assert through(OSError(28, "No space left on device"))[2].startswith(
        "The system refused something: no space left on device."
    )


def test_another_broken_pipe_than_the_output_s_is_told():
    code, out, err = through(BrokenPipeError(errno.EPIPE, "Broken pipe"))

    assert (code, out) == (1, "")
    assert "broken pipe" in err


def test_a_fault_of_ours_names_its_place_and_shows_no_stack_trace():
    code, _, err = through(KeyError("secret"))

    assert code == 1
    assert "KeyError in test_errors.py, line " in err
    assert "Traceback" not in err
    assert "secret" not in err


def test_a_command_that_ends_well_passes_the_door():
    with exit_codes():
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is another error there")
def test_a_reader_of_the_output_that_has_read_enough_is_told_nothing():
    code = (
        "import sys, typer\n"
        "from deepresearch_mcp.cli.errors import exit_codes\n"
        "try:\n"
        "    with exit_codes(): print('words', flush=True)\n"
        "except typer.Exit as left:\n"
        "    sys.exit(left.exit_code)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        said = process.stderr.read().decode()

    assert (process.returncode, said) == (1, "")
