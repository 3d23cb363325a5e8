"""Small TOML files that are asked for by name: those of this package, and those that a user keeps in a folder."""

import os
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from deepresearch_mcp.exceptions import InvalidRequest, SettingsError

T = TypeVar("T", bound=BaseModel)

_LARGEST = 100_000
"""The largest file, in bytes: a larger one was put there by mistake."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


@dataclass(frozen=True)
class NamedFiles(Generic[T]):
    """The files of one kind."""

    noun: str
    """What one of them is called in a message: `profile`."""
    setting: str
    """The setting that names the user's folder."""
    package: str
    """Where our own are."""
    names: Sequence[str]
    """Of our own."""
    record: type[T]
    """What a file is read as; its field `name` is the file's name."""

    def open(self, name: str, folder: str = "") -> T:
        """Return the file NAME.toml of the user's folder if it has one, else the package's own.

        Raises:
            InvalidRequest: There is none of this name.
            SettingsError: The file cannot be read or used; the error names the wrong key and what to do.
        """
        own = _folder(folder)
        if own and _NAME.fullmatch(name) and (path := own / f"{name}.toml").is_file():
            return _read(self.noun, self.record, path)
        if name in self.names:
            text = _built_in(self.package, name)
            return self.record.model_validate({"name": name} | tomllib.loads(text))
        there = ", ".join(dict.fromkeys((*self.names, *self.names_in(folder))))
        hint = (
            "" if own else f" {self.noun.capitalize()}s of your own are files in the folder that {self.setting} names."
        )
        raise InvalidRequest(f"There is no {self.noun} {name[:40]!r}.", f"Known are: {there}.{hint}")

    def names_in(self, folder: str) -> tuple[str, ...]:
        """Return the names of the files in a user's folder, in order; none if it cannot be read."""
        own = _folder(folder)
        try:
            found = sorted(path.stem for path in own.glob("*.toml")) if own else []
        except OSError:
            return ()
        return tuple(name for name in found if _NAME.fullmatch(name))


def _folder(folder: str) -> Path | None:
    return Path(os.path.expanduser(folder.strip())) if folder.strip() else None


@cache
def _built_in(package: str, name: str) -> str:
    return (files(package) / f"{name}.toml").read_text(encoding="utf-8")


def _read(noun: str, record: type[T], path: Path) -> T:
    try:
        with path.open("rb") as opened:
            raw = opened.read(_LARGEST + 1)
        if len(raw) > _LARGEST:
            raise SettingsError(f"{path} has more than {_LARGEST:,} bytes.", f"Put a {noun} there, or remove it.")
        return record.model_validate({"name": path.stem} | tomllib.loads(raw.decode("utf-8-sig")))
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}.", "Make it readable, or remove it.") from None
    except (tomllib.TOMLDecodeError, UnicodeError, RecursionError) as error:
        what = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "it is not UTF-8 text with tables"
        raise SettingsError(f"{path} is not valid TOML: {what}.", "Correct it there.") from None
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"])) or "the file"
        wrong = first["msg"].removeprefix("Value error, ")
        raise SettingsError(f"{path}: {key}: {wrong[0].lower()}{wrong[1:]}.", "Correct it there.") from None
