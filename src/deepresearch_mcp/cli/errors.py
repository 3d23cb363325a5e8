"""Turns errors and interrupts of a command into a sentence or one JSON object, and an exit code."""

import os
import select
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import typer
from typer.exceptions import TyperException

from deepresearch_mcp.cli.console import as_called, complain, emit
from deepresearch_mcp.cli.wording import spoken
from deepresearch_mcp.exceptions import (
    DeepResearchError,
    InvalidRequest,
    ModelUnusable,
    SettingsError,
    UnknownCollection,
    UnknownRun,
)

COMPLETED, FAILED, BAD_INPUT, PARTIAL, WAITING, CANCELLED = 0, 1, 2, 3, 4, 130
_STDOUT = 1

EXIT_CODES = {
    "completed": COMPLETED,
    "failed": FAILED,
    "partial": PARTIAL,
    "input_required": WAITING,
    "cancelled": CANCELLED,
}
"""Exit code by status of a run. Any other status means that the run was left unfinished, which is a failure."""

_BAD_INPUT = (InvalidRequest, ModelUnusable, SettingsError, UnknownRun, UnknownCollection)
_HELP = "See `deepresearch-server --help`."


@contextmanager
def exit_codes(*, as_json: bool = False) -> Generator[None]:
    """Report an error or an interrupt of a command, and end it with its exit code.

    Raises:
        typer.Exit: With the exit code, after the error was shown.
    """
    try:
        yield
    except typer.Exit:
        raise
    except (KeyboardInterrupt, typer.Abort):
        exit_with_error(DeepResearchError("Stopped."), CANCELLED, as_json=as_json)
    except TyperException as error:
        if not error.format_message().strip():
            # A command without arguments: its help was shown.
            raise typer.Exit(BAD_INPUT) from None
        exit_with_error(InvalidRequest(_sentence(error.format_message()), _help(error)), BAD_INPUT, as_json=as_json)
    except BrokenPipeError as error:
        if not _reader_gone():
            exit_with_error(_fault(error), FAILED, as_json=as_json)
        _write_to_nowhere()
        raise typer.Exit(FAILED) from None  # as rich and typer do for a broken pipe
    except DeepResearchError as error:
        exit_with_error(error, BAD_INPUT if isinstance(error, _BAD_INPUT) else FAILED, as_json=as_json)
    except BaseExceptionGroup as group:
        with exit_codes(as_json=as_json):
            raise _leaf(group) from None
    except Exception as error:  # noqa: BLE001 - no caller is left to handle it, and a stack trace does not help users
        exit_with_error(_fault(error), FAILED, as_json=as_json)


def exit_with_error(error: DeepResearchError, code: int, *, as_json: bool) -> None:
    """Show an error and end the command.

    Raises:
        typer.Exit: Always.
    """
    action = as_called(spoken(error.action))
    if as_json:
        emit({"error": {"code": error.code, "name": error.name, "message": error.message, "action": action}})
    else:
        complain(error.message, action)
    raise typer.Exit(code)


def _reader_gone() -> bool:
    """Return whether the reader of standard output is gone; True if the system cannot tell."""
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(_STDOUT, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _write_to_nowhere() -> None:
    """Redirect standard output to the null device: flushing the buffer at exit would fail after `… | head`."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, _STDOUT)
    os.close(nowhere)


def _leaf(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first of our own errors in a group, else the first error."""
    leaves: list[BaseException] = []
    groups: list[BaseExceptionGroup[BaseException]] = [group]
    for one in groups:
        for error in one.exceptions:
            (groups if isinstance(error, BaseExceptionGroup) else leaves).append(error)  # pyright: ignore[reportArgumentType, reportUnknownMemberType, reportUnknownArgumentType] - the test decides which list takes which type
    return next((error for error in leaves if isinstance(error, DeepResearchError)), leaves[0])


def _sentence(text: str) -> str:
    """Return a usage error of the parser as one sentence."""
    text = " ".join(text.split()).replace(": Value error, ", ": ").strip()
    return text if text.endswith((".", "?")) else f"{text}."


def _help(error: TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"See `{context.command_path} --help`." if context is not None else _HELP


def _fault(error: Exception) -> DeepResearchError:
    """Return the error for an unexpected exception: a refusal of the system, or a bug of ours with its place."""
    if isinstance(error, OSError) and error.strerror:
        return DeepResearchError(
            f"The system refused something: {error.strerror.lower()}.", "Correct that and try again."
        )
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}, line {last.lineno}"
    return DeepResearchError(
        f"deepresearch-server failed because of an error of its own ({type(error).__name__} in {place}).",
        "Try again; if it happens twice, report it with these words. Nothing that was stored is lost.",
    )
