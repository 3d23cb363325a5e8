"""Reads the settings; no other file reads the environment.

`read_settings` merges these sources, strongest first: flags, environment variables (ours, then the vendors' own), a
`.env` file, `config.toml`, defaults. It records where each value came from.
"""

import os
import shlex
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from deepresearch_mcp.settings import keyring as setting_keyring
from deepresearch_mcp.settings import retired as setting_retired
from deepresearch_mcp.settings import tool_engines
from deepresearch_mcp.settings.bounds import SettingsModel
from deepresearch_mcp.settings.files import (
    ConfigFile,
    config_home,
    find_config,
    read_config,
    read_env_file,
    walk_to_env_file,
)
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.settings.services import VENDOR_NAMES
from deepresearch_mcp.settings.values import is_secret, parse_value, show_value, suggestion, without_credentials

CONFIG_NAME = "DEEPRESEARCH_CONFIG"
"""Variable with the path of `config.toml`; read from the environment only."""
ENV_FILE_NAME = "DEEPRESEARCH_ENV_FILE"
"""Variable with the path of the `.env` file; read from the environment only."""

_PREFIX = "DEEPRESEARCH_"
_NOT_IN_ENV_FILE = frozenset({"proxy", "ca_file", "home", "database_url", "allow_private", "quality_file"})

_Values = dict[str, tuple[Any, str]]
"""Dotted setting → its given value and origin."""


@dataclass(frozen=True)
class Loaded:
    """The settings, and where they came from."""

    settings: Settings
    origins: Mapping[str, str]
    """Dotted setting → `flag`, `environment NAME`, `.env FILE`, `config.toml FILE` or `keyring, …`; no defaults."""
    files: tuple[Path, ...] = ()
    """Files that were read, strongest last."""
    notes: tuple[str, ...] = ()
    """Sentences for the user on what was ignored and why; they contain no secret."""


class Shown(NamedTuple):
    """A setting as `doctor` and `config show` print it."""

    setting: str
    value: str
    """A secret appears as `set` or `not set`, an address without its password and query."""
    origin: str
    """As in `Loaded.origins`, or `default`."""
    description: str

    def as_json(self) -> dict[str, str]:
        """The row as JSON data. `knob`, the older name of `setting`, stays for one version."""
        return {**self._asdict(), "knob": self.setting}


@cache
def all_settings() -> Mapping[str, FieldInfo]:
    """Every setting by its dotted name, in the order of the models."""

    def below(model: type[SettingsModel], prefix: str) -> dict[str, FieldInfo]:
        found: dict[str, FieldInfo] = {}
        for name, field in model.model_fields.items():
            part = field.annotation
            if isinstance(part, type) and issubclass(part, SettingsModel):
                found |= below(part, f"{prefix}{name}.")
            else:
                found[prefix + name] = field
        return found

    return MappingProxyType(below(Settings, ""))


def variable(setting: str) -> str:
    """Our environment variable for a setting: `search.brave_key` → `DEEPRESEARCH_SEARCH__BRAVE_KEY`."""
    return _PREFIX + setting.upper().replace(".", "__")


def foreign_variables(*names: str) -> dict[str, str]:
    """Values of other programs' variables, such as those for their folders; unset and empty ones are omitted."""
    return {name: text for name in names if (text := os.environ.get(name, "").strip())}


def read_settings(
    flags: Mapping[str, Any] = MappingProxyType({}),
    *,
    env: Mapping[str, str] | None = None,
    walk_env_file: bool = False,
    config_dir: Path | None = None,
) -> Loaded:
    """Merge all sources into one `Settings`.

    A stronger source replaces a list or table as a whole. Empty variables, and flags that are None, count as not given.

    Args:
        flags: Nested (`{"search": {"timeout": 3}}`) or dotted (`{"search.timeout": 3}`).
        env: Replaces the environment of the process.
        walk_env_file: Look for `.env` from the working directory upwards, unless `DEEPRESEARCH_ENV_FILE` names one.
            Only for the command line, because a server's working directory is chosen by another program.
        config_dir: The folder of `config.toml`, unless `DEEPRESEARCH_CONFIG` names a file; by default the user's
            configuration directory.

    Raises:
        ValueError: Says what is wrong, where, and what to do; never contains the value of a secret.
    """
    env = os.environ if env is None else env
    values: _Values = {}
    files: list[Path] = []
    notes: list[str] = []
    if config := _named(env, CONFIG_NAME) or find_config(config_dir):
        values |= _from_config(read_config(config), notes)
        files.append(config)
    env_file = _named(env, ENV_FILE_NAME)
    if found := env_file or (walk_to_env_file() if walk_env_file else None):
        try:
            variables = read_env_file(found)
        except ValueError as error:
            if env_file:
                raise ValueError(f"{error} Correct {ENV_FILE_NAME}, or unset it.") from None
            # Found by walking up, so it probably belongs to another project: not a reason to stop.
            notes.append(f"{error} It was not used.")
        else:
            values |= _from_env_file(found, variables, notes)
            files.append(found)
    values |= _from_variables(env, lambda name: f"environment {name}")
    notes += _unknown_variables(env, "the environment", {CONFIG_NAME, ENV_FILE_NAME})
    flat = _flat(flags, "a flag", notes)
    values |= {setting: (value, "flag") for setting, value in flat.items() if value is not None}
    notes += setting_retired.role_notes(*values.get("model.roles", ("", "")))
    values |= setting_keyring.named({setting: given for setting, given in values.items() if _secret(setting)})
    settings = _checked(values)
    origins = {setting: values[setting][1] for setting in all_settings() if setting in values}
    return Loaded(settings, MappingProxyType(origins), tuple(files), tuple(notes))


def config_file() -> Path:
    """The path of `config.toml`, which need not exist."""
    return _named(os.environ, CONFIG_NAME) or config_home() / "config.toml"


def describe(loaded: Loaded) -> list[Shown]:
    """Every setting with its value and origin, in the order of the models; never a secret."""
    rows: list[Shown] = []
    for setting, field in all_settings().items():
        value: Any = loaded.settings
        for name in setting.split("."):
            value = getattr(value, name)
        rows.append(
            Shown(
                setting,
                _masked(setting, show_value(field, value)),
                loaded.origins.get(setting, "default"),
                field.description or "",
            )
        )
    return rows


def _named(env: Mapping[str, str], name: str) -> Path | None:
    named = env.get(name, "").strip()
    return Path(os.path.expanduser(named)).absolute() if named else None


def _from_config(config: ConfigFile, notes: list[str]) -> _Values:
    flat = _flat(config.table, str(config.path), notes)
    if config.exposed and any(
        _secret(setting) and value not in {"", setting_keyring.MARK} for setting, value in flat.items()
    ):
        raise ValueError(
            f"The settings file {config.path} holds a key and can be read by other users of this machine. "
            f"Run: chmod 600 {shlex.quote(str(config.path))}"
        )
    return {setting: (value, f"config.toml {config.path}") for setting, value in flat.items()}


def _from_env_file(file: Path, variables: Mapping[str, str], notes: list[str]) -> _Values:
    forbidden = {
        name
        for setting in all_settings()
        if _address(setting) or setting.rpartition(".")[2] in _NOT_IN_ENV_FILE
        for name in _variables(setting)
    }
    forbidden |= {name for name in _variables("search.engines") if tool_engines.PREFIX in variables.get(name, "")}
    forbidden |= {CONFIG_NAME, ENV_FILE_NAME}
    notes += [
        f"{name} in {file} was ignored, as a .env file may not say where keys and data go or whom to trust: "
        f"set it in the environment or in config.toml."
        for name in sorted(forbidden & set(variables))
    ]
    allowed = {name: text for name, text in variables.items() if name not in forbidden}
    notes += _unknown_variables(allowed, str(file))
    return _from_variables(allowed, lambda _: f".env {file}")


def _variables(setting: str) -> tuple[str, ...]:
    return (variable(setting), *VENDOR_NAMES.get(setting, ()))


def _from_variables(variables: Mapping[str, str], origin: Callable[[str], str]) -> _Values:
    values: _Values = {}
    for setting in all_settings():
        for name in _variables(setting):
            text = variables.get(name, "").strip()
            # For a field left empty in a bundle's form, Claude Desktop passes the placeholder itself.
            if text and not text.startswith("${user_config."):
                values[setting] = (text, origin(name))
                break
    return values


def _unknown_variables(variables: Mapping[str, str], where: str, known: AbstractSet[str] = frozenset()) -> list[str]:
    ours = {variable(setting) for setting in all_settings()} | known
    gone = {variable(setting) for setting in setting_retired.SETTINGS}
    unknown = sorted(name for name in variables if name.startswith(_PREFIX) and name not in ours | gone)
    notes = [setting_retired.note(name, where) for name in sorted(gone & set(variables))]
    return notes + [
        f"{name} in {where} is not a setting and was ignored.{suggestion(name, ours, _PREFIX)}" for name in unknown
    ]


def _flat(table: Mapping[str, Any], where: str, notes: list[str], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in table.items():
        setting = prefix + name
        if setting in all_settings():
            flat[setting] = value
        elif setting in setting_retired.SETTINGS:
            notes.append(setting_retired.note(setting, where))
        elif not any(known.startswith(f"{setting}.") for known in all_settings()):
            hint = suggestion(setting, set(all_settings()))
            raise ValueError(f"There is no setting {setting!r} ({where}).{hint} Correct its name.")
        elif isinstance(value, Mapping):
            flat |= _flat(cast("Mapping[str, Any]", value), where, notes, f"{setting}.")
        elif value is not None:
            raise ValueError(
                f"The name {setting!r} ({where}) is a group of settings: name the setting, as {setting}.NAME."
            )
    return flat


def _checked(values: _Values) -> Settings:
    tree: dict[str, Any] = {}
    for setting, (value, origin) in values.items():
        branch = tree
        *groups, name = setting.split(".")
        for group in groups:
            branch = branch.setdefault(group, {})
        try:
            branch[name] = parse_value(all_settings()[setting], value)
        except ValueError as error:
            raise ValueError(_complaint(setting, value, origin, str(error))) from None
    try:
        return Settings.model_validate(tree)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        path = ".".join(str(part) for part in first["loc"])
        setting = next(known for known in values if path == known or path.startswith(f"{known}."))
        inside = f" at {path.removeprefix(f'{setting}.')}" if path != setting else ""
        wanted = first["msg"].removeprefix("Value error, ").replace("Input should", "it should") + inside
    # Raised outside the handler, so that pydantic's error, which contains the value, is not chained to ours.
    raise ValueError(_complaint(setting, *values[setting], wanted))


def _complaint(setting: str, value: object, origin: str, wanted: str) -> str:
    came = "(a secret)" if _secret(setting) else repr(_masked(setting, str(value)))
    if len(came) > 100:
        came = f"{came[:99]}…"
    sentence = wanted if wanted.endswith((".", "?")) else f"{wanted}."
    return f"The setting {setting} = {came} ({origin}) is wrong: {sentence} Correct it there, or remove it."


def _secret(setting: str) -> bool:
    return is_secret(all_settings()[setting])


def _address(setting: str) -> bool:
    return setting.endswith(("_url", ".url")) or setting == "web.proxy"


def _masked(setting: str, text: str) -> str:
    return without_credentials(text) if _address(setting) else tool_engines.without_servers(text)
