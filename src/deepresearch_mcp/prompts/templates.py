"""Prompts as files: what they need, what answers them, and how page text enters them as data."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from string import Template
from types import MappingProxyType

from deepresearch_mcp.exceptions import SettingsError

DIVIDER = "--8<--"
"""A line that divides a prompt: the system part, the call's own part, and perhaps the plain form."""

_FRONT = re.compile(r"---\nneeds: (?P<needs>[^\n]*)\nanswers: (?P<answers>\w+)\n---\n(?P<rest>.*)", re.DOTALL)
_INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\U000e0000-\U000e007f]")
"""Control characters, and the tag characters that can carry invisible words."""
_BREAKING = re.compile(rf'[<>"]|{_INVISIBLE.pattern}')
"""Characters that an attribute must not hold."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file, checked: it uses the variables that it declares, and no others."""

    name: str
    needs: frozenset[str]
    answers: str
    """The model of the answer, by name; `text` for plain text."""
    system: str
    """Holds no variable: it is the same for all calls, so providers can cache it."""
    plain: str
    """How to answer in lines, for a model that gives no usable JSON; "" without such a form."""
    _body: Template = field(repr=False)

    def fill(self, **values: str) -> str:
        """The call's own part with these values. Braces and dollars in a value stay text.

        Raises:
            SettingsError: A declared variable is missing, or one is given that was not declared.
        """
        if wrong := self.needs.symmetric_difference(values):
            raise SettingsError(f"The prompt {self.name} needs {_list(self.needs)}; wrong or missing: {_list(wrong)}.")
        return self._body.substitute(values).strip()


@cache
def load(name: str) -> Prompt:
    """Read `prompts/NAME.md`, once for each process.

    Raises:
        SettingsError: There is no such prompt, or it does not use exactly what it declares.
    """
    try:
        text = (files("deepresearch_mcp.prompts") / f"{name}.md").read_text(encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"There is no prompt {name!r}.", "Install the package again.") from error
    return parse(name, text)


@cache
def hashes() -> Mapping[str, str]:
    """The SHA-256 of every prompt file, by its name."""
    found = (one for one in files("deepresearch_mcp.prompts").iterdir() if one.name.endswith(".md"))
    return MappingProxyType(
        {
            one.name.removesuffix(".md"): hashlib.sha256(one.read_bytes()).hexdigest()
            for one in sorted(found, key=lambda one: one.name)
            if one.name != "README.md"
        }
    )


def parse(name: str, text: str) -> Prompt:
    """Make a prompt of a file's text.

    Raises:
        SettingsError: It has no front matter, no divider, a variable in the system part, a variable that it uses and
            does not declare, or one that it declares and does not use.
    """
    front = _FRONT.fullmatch(text)
    if front is None:
        raise SettingsError(f"The prompt {name} does not open with its front matter, needs and answers.")
    system, *rest = (part.strip() for part in re.split(rf"(?m)^{re.escape(DIVIDER)}$", front["rest"]))
    if not 1 <= len(rest) <= 2:
        raise SettingsError(f"The prompt {name} has {len(rest)} lines {DIVIDER}; one or two are wanted.")
    body, plain = Template(rest[0]), "".join(rest[1:])
    if stray := _used(Template(system + plain)):
        raise SettingsError(f"The prompt {name} has variables in a part that is always the same: {_list(stray)}.")
    declared = frozenset(word.strip() for word in front["needs"].split(",") if word.strip())
    if not body.is_valid():
        raise SettingsError(f"The prompt {name} has a dollar sign without a name.", "Write $$ for the sign itself.")
    if wrong := declared ^ _used(body):
        raise SettingsError(f"The prompt {name} does not use exactly what it declares: {_list(wrong)}.")
    return Prompt(name, declared, front["answers"], system, plain, body)


def _used(template: Template) -> frozenset[str]:
    return frozenset(template.get_identifiers())


def _list(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def fence(kind: str, label: str, text: str, nonce: str, under: str = "", dated: str = "") -> str:
    """Wrap text that others wrote, so that a model can tell it from ours.

    The form is `<kind under="headings" dated="2026-02-12" id="label">`, the text, `</kind nonce>`, without empty
    attributes. The nonce is drawn for each run, so no page knows the closing tag. In anything that looks like a tag of
    this kind, `<` becomes `‹`, so the text cannot seem to close the fence or open another. Invisible characters are
    removed; the rest stays unchanged, so that it can be quoted.
    """
    above = one_line(_BREAKING.sub(" ", under))
    attributes = {"under": above, "dated": dated, "id": label}
    opening = kind + "".join(f' {name}="{value}"' for name, value in attributes.items() if value)
    inside = re.sub(rf"<(?=[\s/]*{re.escape(kind)})", "‹", _INVISIBLE.sub("", text), flags=re.IGNORECASE)
    return f"<{opening}>\n{inside.strip()}\n</{kind} {nonce}>"


def one_line(text: str, most: int = 0) -> str:
    """The text with single blanks for white space, cut after a word at `most` characters; 0: not cut."""
    line = " ".join(text.split())
    if 0 < most < len(line):
        line = line[: most - 1].rsplit(" ", 1)[0] + "…"
    return line
