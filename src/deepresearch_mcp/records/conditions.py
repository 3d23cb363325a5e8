"""Conditions on what is known of a document, such as `type=pdf` or `date>=2024-06`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, cast

Sign = Literal["=", "!=", ">=", "<=", ">", "<"]
_WRITTEN = re.compile(r"\s{0,9}([A-Za-z][\w.-]{0,39})\s{0,9}(!=|>=|<=|=|>|<)\s{0,9}(\S.{0,199})")
HOW = "write key=value, such as type=pdf, path=reports/* or date>=2024-06; signs are = != >= <= > <"
LONGEST = 250
"""Characters of a condition."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition; several must all hold."""

    key: str
    """In lower case: `path`, `type`, `date`, `title`, `author`, `language`, `url`, or a key of front matter."""
    sign: Sign
    value: str

    def holds(self, facts: Mapping[str, str]) -> bool:
        """Whether it holds of a document; one that does not know the key fails every condition but `!=`.

        `=` ignores case, takes `*` and `?` as wildcards, and matches any item of a list. The others compare as numbers
        where both are, else as text, so that dates compare by as many of their parts as the condition names.
        """
        known = facts.get(self.key, "").strip()
        if self.sign in {"=", "!="}:
            same = bool(known) and self._matches(known)
            return same if self.sign == "=" else not same
        return bool(known) and self._compares(known)

    def _matches(self, known: str) -> bool:
        wanted = self.value.casefold().strip()
        items = {known.casefold(), *(item.strip().casefold() for item in known.split(","))}
        return any(fnmatchcase(item, wanted.replace("[", "[[]")) for item in items)

    def _compares(self, known: str) -> bool:
        have, want = _number(known), _number(self.value)
        if have is not None and want is not None:
            order = (have > want) - (have < want)
        else:
            begun, value = known.casefold()[: len(self.value)], self.value.casefold()
            order = (begun > value) - (begun < value)
        return {">=": order >= 0, "<=": order <= 0, ">": order > 0, "<": order < 0}[self.sign]


def condition_in(written: str) -> Condition | None:
    """Read a condition, `key=value` with any of the signs; None for anything else."""
    match = _WRITTEN.fullmatch(written) if len(written) <= LONGEST else None
    return match and Condition(match[1].lower(), cast("Sign", match[2]), match[3].strip())


def checked_condition(written: str) -> str:
    """Return a condition as it was written, without the blanks around it.

    Raises:
        ValueError: It is none; the message says how to write one.
    """
    if condition_in(written) is None:
        raise ValueError(f"{written[:80]!r} is no condition: {HOW}")
    return written.strip()


def all_hold(conditions: Sequence[Condition], facts: Mapping[str, str]) -> bool:
    """Whether all conditions hold of a document."""
    return all(condition.holds(facts) for condition in conditions)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
