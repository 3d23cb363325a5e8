"""Turns whatever ends a command into a sentence or one JSON object, and an exit code."""

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
"""Status of a run → exit code; a run that was left unfinished elsewhere is a failure here."""

_BAD_INPUT = (InvalidRequest, ModelUnusable, SettingsError, UnknownRun, UnknownCollection)
_HELP = "See `deepresearch-mcp --help`."


@contextmanager
def exit_codes(*, as_json: bool = False) -> Generator[None]:
    """Turn what ends a command into what a person or a program can use.

    Raises:
        typer.Exit: With the exit code, after the sentence was shown.
    """
    try:
        yield
    except typer.Exit:
        raise
    except (KeyboardInterrupt, typer.Abort):
        exit_with_error(DeepResearchError("Stopped."), CANCELLED, as_json=as_json)
    except TyperException as error:
        if not error.format_message().strip():
            # A command alone: its help has been shown.
            raise typer.Exit(BAD_INPUT) from None
        exit_with_error(InvalidRequest(_sentence(error.format_message()), _help(error)), BAD_INPUT, as_json=as_json)
    except BrokenPipeError as error:
        if not _reader_gone():
            exit_with_error(_fault(error), FAILED, as_json=as_json)
        _write_to_nowhere()
        raise typer.Exit(FAILED) from None  # As rich and typer do where they meet it first.
    except DeepResearchError as error:
        exit_with_error(error, BAD_INPUT if isinstance(error, _BAD_INPUT) else FAILED, as_json=as_json)
    except BaseExceptionGroup as group:
        with exit_codes(as_json=as_json):
            raise _leaf(group) from None
    except Exception as error:  # noqa: BLE001 - no caller is left that could handle it, and a stack trace helps no user
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
    """Whether it is standard output that no one reads any more; where that cannot be asked, it is taken to be."""
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(_STDOUT, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _write_to_nowhere() -> None:
    """Give standard output another end: `… | head` has read enough, and what is still buffered would fail at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, _STDOUT)
    os.close(nowhere)


def _leaf(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first that is an error of ours, else the first."""
    leaves: list[BaseException] = []
    groups: list[BaseExceptionGroup[BaseException]] = [group]
    for one in groups:
        for error in one.exceptions:
            (groups if isinstance(error, BaseExceptionGroup) else leaves).append(error)  # pyright: ignore[reportArgumentType, reportUnknownMemberType, reportUnknownArgumentType] - which list takes which is what the test tells
    return next((error for error in leaves if isinstance(error, DeepResearchError)), leaves[0])


def _sentence(text: str) -> str:
    """A usage error of the parser as one sentence."""
    text = " ".join(text.split()).replace(": Value error, ", ": ").strip()
    return text if text.endswith((".", "?")) else f"{text}."


def _help(error: TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"See `{context.command_path} --help`." if context is not None else _HELP


def _fault(error: Exception) -> DeepResearchError:
    """A fault of ours; the place is what a report of it needs."""
    if isinstance(error, OSError) and error.strerror:
        return DeepResearchError(
            f"The system refused something: {error.strerror.lower()}.", "Correct that and try again."
        )
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}, line {last.lineno}"
    return DeepResearchError(
        f"deepresearch-mcp failed because of an error of its own ({type(error).__name__} in {place}).",
        "Try again; if it happens twice, report it with these words. Nothing that was stored is lost.",
    )
