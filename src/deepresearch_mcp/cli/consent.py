"""Asks the user of a waiting run on the terminal, or takes the answer later with `runs answer`."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import complain, emit, say
from deepresearch_mcp.cli.options import (
    Json,
    MaxMinutes,
    MaxPages,
    MaxSearches,
    MaxTokens,
    MaxUsd,
    Output,
    Quiet,
    Sets,
    settings_of,
)
from deepresearch_mcp.cli.runs import RunId
from deepresearch_mcp.cli.waiting import read_line, user_present
from deepresearch_mcp.cli.wording import spoken
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.text.markdown import visible

if TYPE_CHECKING:
    from deepresearch_mcp.cli.answering import Work
    from deepresearch_mcp.cli.running import Showing
    from deepresearch_mcp.records.consent import InputRequest, Reply
    from deepresearch_mcp.records.run import Run
    from deepresearch_mcp.settings.schema import Settings

_PATIENCE = 3.0
"""Seconds that a running server has to take an answered run; after that it continues here."""

Read = Callable[[str], str | None]
"""Shows a prompt and returns the line; None if the user leaves."""


def with_user(run: "Run", settings: "Settings", showing: "Showing", read: Read = read_line) -> "Run":
    """Ask the user the run's questions until it no longer waits or the user postpones the answer."""
    while run.status == "input_required" and run.waiting and run.waiting.kind != "work":
        clarifying = run.waiting.kind == "clarification"
        about = ("", run.waiting.text) if run.waiting.kind == "budget" else ()
        say(
            *about,
            "",
            *(clarifying_lines(run.waiting) if clarifying else lazy.described.inquiry_lines(run.waiting)),
            "",
        )
        try:
            said = prompt_for_reply(run.waiting, read)
            if said is None:
                break
            run = anyio.run(lazy.answering.answer_to_the_end, run.run_id, said, settings, 0.0, showing)
        except InvalidRequest as error:
            complain(error.message, spoken(error.action))
            run = anyio.run(lazy.answering.current, run.run_id, settings)
    return run


def prompt_for_reply(inquiry: "InputRequest", read: Read) -> "Reply | None":
    """Return the user's reply to an inquiry that was shown; None to answer later."""
    if inquiry.kind == "clarification":
        answers: list[str] = []
        for number, question in enumerate(inquiry.questions, 1):
            line = read(f"{number} > ")
            if line is None:
                return None
            answers.append(_chosen(line, question.options))
        return lazy.asking.reply_of(approve=True, answers=answers)
    if inquiry.kind == "budget":
        return _afforded(inquiry, read)
    deaf = not inquiry.hears_notes
    other = "the sub-questions you want, with | between them" if deaf else "what is to be different"
    while True:
        line = read(f"Continue with this plan? y (yes), n (no, end it), l (later), or write {other}: ")
        word = (line or "").casefold()
        if line is None or word in {"l", "later"}:
            return None
        if word in {"y", "yes", "n", "no"}:
            return lazy.asking.reply_of(approve=word.startswith("y"))
        if "|" in word or (deaf and line):
            return lazy.asking.reply_of(sub_questions=[part.strip() for part in line.split("|") if part.strip()])
        if line:
            return lazy.asking.reply_of(note=line)


def _chosen(line: str, options: "Sequence[str]") -> str:
    """Return the option for a lower-case letter, or for a letter with a bracket; else the user's own words.

    A capital letter alone counts as the user's words, because `C` may be an answer itself.
    """
    letter = line.removesuffix(")").strip().lower() if line.endswith(")") else line
    at = ord(letter) - ord("a") if len(letter) == 1 else -1
    return options[at] if 0 <= at < len(options) else line


def clarifying_lines(inquiry: "InputRequest") -> list[str]:
    """Return the planner's questions, with a letter for each option."""
    lines = ["Before the research begins, it helps to know:"]
    for number, one in enumerate(inquiry.questions, 1):
        lines += ["", f"{number}. {visible(one.question)}"]
        lines += [f"   {chr(ord('a') + at)}) {visible(option)}" for at, option in enumerate(one.options[:26])]
    lettered = any(one.options for one in inquiry.questions)
    letters = "Answer with a small letter or in your own words (a capital alone is words)"
    how = letters if lettered else "Answer in your own words"
    return [*lines, "", f"{how}; Enter skips a question."]


def _afforded(inquiry: "InputRequest", read: Read) -> "Reply | None":

    ways = lazy.described.ways_on(inquiry)
    keys = {"r": "raise", "n": "narrow", "": "narrow", "s": "stop"}
    shown = ", ".join(f"{name[0]} ({title[0].lower()}{title[1:]})" for name, title in ways.items())
    while True:
        line = read(f"{shown}, l (later); Enter takes n: ")
        word = (line or "").casefold()
        if line is None or word in {"l", "later"}:
            return None
        if keys.get(word, word) in ways:
            return lazy.replies.decided(inquiry, keys.get(word, word))


def answer(
    run_id: RunId,
    *,
    approve: Annotated[bool, typer.Option("--approve", help="Continue, with any change given here.")] = False,
    decline: Annotated[bool, typer.Option("--decline", help="End the run.")] = False,
    note: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What is to be different in the plan.", show_default=False)
    ] = None,
    sub_question: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Instead of the plan's, word for word; repeat.", show_default=False),
    ] = None,
    answer: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="To the run's question; repeat, in their order.", show_default=False),
    ] = None,
    work: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="With --model client: your model's answers, a JSON object by packet; - is standard input.",
            show_default=False,
        ),
    ] = None,
    max_usd: MaxUsd = None,
    max_tokens: MaxTokens = None,
    max_searches: MaxSearches = None,
    max_pages: MaxPages = None,
    max_minutes: MaxMinutes = None,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Only keep the answer: a running server continues with it.")
    ] = False,
    output: Output = None,
    json: Json = False,
    quiet: Quiet = False,
    sets: Sets = None,
) -> None:
    """Answer a run that waits for its user, and stay with it to its end.

    Without an answer given here it is asked for on the terminal. A change alone shows the changed plan again; with
    --approve it is followed at once. Exit codes as of `research`.
    """
    showing = lazy.running.Showing(as_json=json, quiet=quiet, output=lazy.report_files.checked_output(output))
    if approve and decline:
        raise InvalidRequest("--approve and --decline exclude each other.", "Give one of them.")
    given = (note, sub_question, answer, max_usd, max_tokens, max_searches, max_pages, max_minutes)
    said: Reply | Work | None = None
    if work is not None:
        if decline or any(one not in (None, []) for one in given):
            raise InvalidRequest("--work is given by itself, or with --approve.", "Leave the other options out.")
        said = lazy.answering.read_work(work, enough=approve)
    elif approve or decline or any(one not in (None, []) for one in given):
        said = lazy.asking.reply_of(
            approve=True if approve else False if decline else None,
            note=note,
            sub_questions=sub_question,
            answers=answer,
            max_usd=max_usd,
            max_tokens=max_tokens,
            max_searches=max_searches,
            max_pages=max_pages,
            max_minutes=max_minutes,
        )
    settings = settings_of(sets)
    if said is None and (json or not user_present()):
        raise InvalidRequest(
            "Nothing was answered.", "Give --approve, --decline, --note, --sub-question, --answer, --work or a ceiling."
        )
    if said and (no_wait or decline):
        found = anyio.run(lazy.answering.keep_answer, run_id, said, settings, showing)
        if json:
            emit(found.model_dump_json())
        return
    found = (
        anyio.run(lazy.answering.answer_to_the_end, run_id, said, settings, _PATIENCE, showing)
        if said
        else anyio.run(lazy.answering.current, run_id.strip(), settings)
    )
    if not json and user_present():
        found = with_user(found, settings, showing)
    anyio.run(lazy.running.show_result, found, showing, settings)
