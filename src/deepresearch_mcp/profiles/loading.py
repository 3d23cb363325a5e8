"""Reads the profiles of this package, and those that a user keeps in a folder."""

import os
import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import ValidationError

from deepresearch_mcp.exceptions import InvalidRequest, SettingsError
from deepresearch_mcp.records.profile import Profile
from deepresearch_mcp.records.specs import PROFILE_NAMES

_LARGEST = 100_000
"""The largest file of a profile, in bytes: a larger one was put there by mistake."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


def open_profile(name: str, folder: str = "") -> Profile:
    """Return a profile: the file NAME.toml of the user's folder if it has one, else the package's own.

    Raises:
        InvalidRequest: There is no profile of this name.
        SettingsError: The file cannot be read or used; the error names the wrong key and what to do.
    """
    own = _folder(folder)
    if own and _NAME.fullmatch(name) and (path := own / f"{name}.toml").is_file():
        return _read(name, path)
    if name in PROFILE_NAMES:
        return _built_in(name)
    there = ", ".join(dict.fromkeys((*PROFILE_NAMES, *names_in(folder))))
    hint = "" if own else " Profiles of your own are files in the folder that research.profiles_dir names."
    raise InvalidRequest(f"There is no profile {name[:40]!r}.", f"Known are: {there}.{hint}")


def names_in(folder: str) -> tuple[str, ...]:
    """Return the names of the profiles in a user's folder, in order; none if it cannot be read."""
    own = _folder(folder)
    try:
        found = sorted(path.stem for path in own.glob("*.toml")) if own else []
    except OSError:
        return ()
    return tuple(name for name in found if _NAME.fullmatch(name))


def _folder(folder: str) -> Path | None:
    return Path(os.path.expanduser(folder.strip())) if folder.strip() else None


@cache
def _built_in(name: str) -> Profile:
    text = (files("deepresearch_mcp.profiles") / f"{name}.toml").read_text(encoding="utf-8")
    return Profile.model_validate({"name": name} | tomllib.loads(text))


def _read(name: str, path: Path) -> Profile:
    try:
        with path.open("rb") as opened:
            raw = opened.read(_LARGEST + 1)
        if len(raw) > _LARGEST:
            raise SettingsError(f"{path} has more than {_LARGEST:,} bytes.", "Put a profile there, or remove it.")
        return Profile.model_validate({"name": name} | tomllib.loads(raw.decode("utf-8-sig")))
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
