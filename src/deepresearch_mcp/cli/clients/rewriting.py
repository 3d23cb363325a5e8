"""Changes files of other programs: shows the change, then writes the file whole, with a backup beside it."""

import difflib
import os
import re
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, cast

from deepresearch_mcp.exceptions import InvalidRequest

_SUFFIX = ".before-deepresearch"
_BOM = "\ufeff"
_WIDEST = 160
_PRIVATE = 0o600
_SECRET = re.compile(
    r"""((?:key|token|secret|password|passwd|auth\w*|bearer|credential\w*)["']?\s*[:=]\s*)(?!\s*[\[{])(?:"[^"]*"?|'[^']*'?|[^"',}\s]+)""",
    re.IGNORECASE,
)
_BEARER = re.compile(r"(Bearer\s+)[^\s\"'@]+|(//)[^\s\"'/@]+(?=@)")


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file before and after."""

    file: Path
    before: str | None
    """None: there is no such file."""
    after: str | None
    """None: the file is removed."""

    @property
    def idle(self) -> bool:
        """Whether nothing would change."""
        return self.before == self.after


def backup_of(file: Path) -> Path:
    """Where the file's state before our first change is kept."""
    return file.with_name(file.name + _SUFFIX)


def file_text(file: Path) -> str | None:
    """A file's text, its byte order mark and line ends as they are; None where there is none.

    Raises:
        InvalidRequest: It cannot be read.
    """
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeError:
        raise InvalidRequest(
            f"{file} is not UTF-8 text, so it is left alone.", "Correct the file and try again."
        ) from None
    except OSError as error:
        raise InvalidRequest(f"{file} cannot be read: {error.strerror}.", "Correct that and try again.") from None


def bare(text: str | None) -> tuple[str, str]:
    """The byte order mark of a text, if it has one, and the rest."""
    text = text or ""
    return (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)


def diff_lines(change: FileChange) -> list[str]:
    """The lines that change, with a few around them; what looks like a secret in them is not shown."""
    before, after = ((text or "").splitlines() for text in (change.before, change.after))
    lines = difflib.unified_diff(before, after, str(change.file), str(change.file), lineterm="", n=2)
    return [_cut(line if line[:3] in {"---", "+++"} else masked(line)) for line in lines if line.strip()]


def masked(text: str) -> str:
    """A text of one line, without what looks like a secret in it."""
    return _SECRET.sub(r"\1…", _BEARER.sub(r"\1\2…", text))


def entry_without_secrets(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry as it may be shown: names of headers and variables stay, their values do not."""
    return {name: _hidden(value) for name, value in entry.items()}


def _hidden(value: object) -> object:
    match value:
        case dict():
            return dict.fromkeys(cast("dict[str, object]", value), "…")
        case list():
            words = cast("list[object]", value)
            return ["…" if _is_given_to(before) else _hidden(word) for before, word in pairwise(["", *words])]
        case str():
            return masked(value)
        case _:
            return value


def _is_given_to(option: object) -> bool:
    """Whether the word behind this one is a secret, as behind `--api-key`."""
    return isinstance(option, str) and option.startswith("-") and bool(_SECRET.search(f"{option.lstrip('-')}=x"))


def _cut(line: str) -> str:
    return line if len(line) <= _WIDEST else f"{line[: _WIDEST - 1]}…"


def apply_change(
    change: FileChange,
    *,
    backup: Literal["anew", "once"] | None = None,
    private: bool = False,
    private_backup: bool = False,
    mode: int | None = None,
) -> Path | None:
    """Carry out a change at once or not at all; the backup, where one was made.

    Args:
        change: What to do.
        backup: Keep what the file held: `anew` instead of an older backup, `once` only where there is none, as
            the older one knows the file without us.
        private: No other user of this machine may read the file.
        private_backup: Nor the backup.
        mode: The file's mode afterwards; default: as before.

    Raises:
        InvalidRequest: The file was changed since it was read, or cannot be written.
    """
    # A link, as of people who keep such files in a repository, stays a link.
    file = Path(os.path.realpath(change.file))
    try:
        if file_text(file) != change.before:
            raise InvalidRequest(
                f"{change.file} was changed by another program meanwhile, so nothing was written.", "Try again."
            )
        if change.before is not None and not file.stat().st_mode & stat.S_IWUSR:
            raise InvalidRequest(
                f"{change.file} is set to be read only, so it is left alone.", "Make it writable, and try again."
            )
        kept = None
        if backup and change.before is not None:
            kept = _keep(file, anew=backup == "anew", private=private_backup)
        if change.after is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            _replace(file, change.after.encode("utf-8"), _PRIVATE if private else mode)
    except OSError as error:
        raise InvalidRequest(
            f"{change.file} cannot be written: {error.strerror}.", "Correct that and try again."
        ) from None
    return kept


def drop_empty(folder: Path, *, below: Path) -> None:
    """Remove a folder, and those above it up to `below`, as long as they are empty.

    Some programs take an empty folder of a client for a sign that it is installed; we do so ourselves.
    """
    if folder.is_symlink() or below not in folder.parents:
        return
    with suppress(OSError):  # Not empty, or not ours to remove.
        folder.rmdir()
        drop_empty(folder.parent, below=below)


def _keep(file: Path, *, anew: bool, private: bool) -> Path:
    beside = backup_of(file)
    if anew or not beside.exists():
        # With its mode: what only its owner could read stays so.
        _replace(beside, file.read_bytes(), _PRIVATE if private else stat.S_IMODE(file.stat().st_mode))
    elif private:
        beside.chmod(_PRIVATE)
    return beside


def _replace(file: Path, content: bytes, mode: int | None) -> None:
    """Write a file whole; without a `mode` it keeps its own, and a new one is private."""
    if mode is None and file.exists():
        mode = stat.S_IMODE(file.stat().st_mode)
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)  # Its mode is 0600.
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        if mode is not None:
            os.chmod(name, mode)
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
