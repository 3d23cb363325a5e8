"""Rewords errors for the command line: lower layers name the server's tools and arguments in them."""

import re

from deepresearch_mcp.cli.console import command

_COMMANDS = {
    "deep_research": "research QUESTION",
    "get_report": "runs show RUN",
    "list_runs": "runs list",
    "cancel_run": "runs cancel RUN",
    "continue_research": "runs answer RUN",
    "check_citations": "verify FILE",
    "search_library": "library search QUERY",
}
_CALL = re.compile(rf"\b(Read it with )?({'|'.join(_COMMANDS)})\b")
_SWITCHES = {"fresh=true": "--fresh", "web=false": "--no-web", "approve_plan=true": "--approve-plan"}
_SWITCH = re.compile(rf"(?<![\w.-])({'|'.join(_SWITCHES)})\b")
_VALUE = re.compile(r"(?<![\w.-])(breadth|clarify|depth|drafts|effort|length|mode|model)=([\w:-]+)")
_CEILING = re.compile(r"(?<![\w.-])max_(usd|tokens|searches|pages|minutes)\b")


def spoken(action: str) -> str:
    """Return the text with commands and options instead of tools and arguments."""
    action = _CALL.sub(_command, action)
    action = _SWITCH.sub(lambda match: _SWITCHES[match[1]], action)
    action = _VALUE.sub(r"--\1 \2", action)
    return _CEILING.sub(r"--max-\1", action)


def _command(match: re.Match[str]) -> str:
    # "Read it with get_report" means that the report exists; otherwise the user checks the progress.
    reading, tool = match.groups(default="")
    return f"{reading}`{command()} {'report RUN' if reading and tool == 'get_report' else _COMMANDS[tool]}`"
