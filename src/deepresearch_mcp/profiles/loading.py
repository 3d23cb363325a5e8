"""Reads the profiles of this package, and those that a user keeps in a folder."""

from deepresearch_mcp.named_files import NamedFiles
from deepresearch_mcp.records.profile import Profile
from deepresearch_mcp.records.specs import PROFILE_NAMES

_PROFILES = NamedFiles("profile", "research.profiles_dir", "deepresearch_mcp.profiles", PROFILE_NAMES, Profile)


def open_profile(name: str, folder: str = "") -> Profile:
    """Return a profile: the file NAME.toml of the user's folder if it has one, else the package's own.

    Raises:
        InvalidRequest: There is no profile of this name.
        SettingsError: The file cannot be read or used; the error names the wrong key and what to do.
    """
    return _PROFILES.open(name, folder)


def names_in(folder: str) -> tuple[str, ...]:
    """Return the names of the profiles in a user's folder, in order; none if it cannot be read."""
    return _PROFILES.names_in(folder)
