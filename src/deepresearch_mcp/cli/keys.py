"""`deepresearch-server config init`: asks for keys with hidden input, tries each, and writes our `config.toml`."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from getpass import getpass
from typing import TYPE_CHECKING, Annotated, Any

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.clients.rewriting import FileChange, apply_change, file_text
from deepresearch_mcp.cli.clients.toml_tables import set_values, value_at
from deepresearch_mcp.cli.console import NAME, emit, say
from deepresearch_mcp.cli.options import Json, flags_of, is_secret_setting, setting_fields, settings_with_origins
from deepresearch_mcp.cli.waiting import read_line, user_present
from deepresearch_mcp.exceptions import UNREACHABLE, InvalidRequest, SettingsError

if TYPE_CHECKING:
    from deepresearch_mcp.cli.checks import Check
    from deepresearch_mcp.settings.asking import Question

Try = Callable[[str, Mapping[str, object]], "Check"]
"""Tries a setting with one real call. The mapping holds its value, and those of the settings given before it."""
Ask = Callable[[str, bool], str | None]
"""Shows a prompt, hides the input if the flag is set, and returns it; None if the user leaves."""


def init(
    *,
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="SETTING=VALUE", help="Keep a setting, as search.engines=brave,wikipedia; no key."
        ),
    ] = None,
    key_from_stdin: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Keep the key that standard input gives: anthropic, brave, … or its setting."
        ),
    ] = None,
    unset: Annotated[list[str] | None, typer.Option(metavar="SETTING", help="Remove a setting.")] = None,
    keyring: Annotated[
        bool, typer.Option("--keyring", help="Keep keys in the system's keyring (extra keyring), not in the file.")
    ] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Try no key: ask nothing outside this machine.")] = False,
    json: Json = False,
) -> None:
    """Ask for keys with hidden input, try each with one real call, and keep them where only you can read them.

    With --set, --unset or --key-from-stdin nothing is asked. Comments and other entries of config.toml stay.
    """
    trying = None if offline else _try
    if sets or unset or key_from_stdin:
        found = _given(sets or [], unset or [], key_from_stdin, trying)
    elif user_present() and not json:
        try:
            found = prompt_for_settings(_ask, trying)
        except KeyboardInterrupt:
            say("", "Nothing was written.")
            raise
    else:
        raise InvalidRequest(
            "There is no terminal to ask on.",
            "Use --key-from-stdin NAME, --set SETTING=VALUE or --unset SETTING.",
        )
    _keep(found, keyring=keyring, as_json=json)


@dataclass(frozen=True, slots=True)
class SettingChanges:
    """The settings to save, and the results of trying them."""

    values: Mapping[str, Any]
    """Values by dotted setting; None removes the setting."""
    checks: "tuple[Check, ...]" = ()


def prompt_for_settings(ask: Ask, trying: Try | None) -> SettingChanges:
    """Ask which engines the user has keys for; then for each key in turn, and again if it does not work."""
    origins: Mapping[str, str] = {}
    try:
        origins = settings_with_origins().origins
    except SettingsError as error:
        # The user may be about to correct exactly this fault.
        say(error.message, style="note")
    say("Everything may stay empty: it works without a key. Enter keeps a setting as it is, - removes it.")
    say("Keys are not shown while you type.")
    values: dict[str, str | None] = {}
    checks: list[Check] = []
    for setting, question in _wanted(ask, origins).items():
        # Show the origin without the file's path, which is always the same.
        there = f" (set: {origins[setting].partition(' /')[0]})" if setting in origins else ""
        while typed := _typed(ask, f"{question.title}{there}: ", hidden=question.secret):
            if typed == "-":
                values[setting] = None
                break
            tried = trying if question.tried else None
            if tried:
                say("  trying it …", style="dim")
            check = tried(setting, _kept(values) | {setting: typed}) if tried else None
            if check is None or check.ok:
                values[setting] = typed
                checks += [check] if check else []
                say(f"  {check.name} {check.said}" if check else "  not tried", style="ok" if check else "")
                break
            say(f"  {check.name}: {check.said}", style="bad")
            say(f"  {check.action or 'Try another one.'}")
            if _typed(ask, "  Keep it anyway? [y/N] ", hidden=False).lower() in {"y", "yes"}:
                values[setting] = typed
                break
    return SettingChanges(values, tuple(checks))


def _wanted(ask: Ask, origins: Mapping[str, str]) -> "dict[str, Question]":
    """Return the questions to ask: those of the providers of models, and those of the engines that the user names."""
    asked = lazy.setting_questions.asked_first()
    engines = dict.fromkeys(one.service for one in asked.values() if one.setting.startswith("search."))
    known = {one.service for one in asked.values() if one.setting in origins}
    shown = ", ".join(f"{name} (set)" if name in known else name for name in engines)
    while True:
        typed = _typed(ask, f"Which search engines do you have keys for? ({shown}; Enter: no other) ", hidden=False)
        named = [name.strip().lower() for name in typed.split(",") if name.strip()]
        if all(name in engines for name in named):
            break
        wrong = next(name for name in named if name not in engines)
        say(f"  There is no {wrong[:40]!r} among them. Write their names with commas between.", style="bad")
    return {setting: one for setting, one in asked.items() if one.setting.startswith("model.") or one.service in named}


def _typed(ask: Ask, prompt: str, *, hidden: bool) -> str:
    typed = ask(prompt, hidden)
    if typed is None:
        raise KeyboardInterrupt
    return typed


def _given(sets: list[str], unset: list[str], key: str | None, trying: Try | None) -> SettingChanges:
    values: dict[str, Any] = {_known(setting): None for setting in unset}
    for setting, text in flags_of(sets).items():
        field = setting_fields()[_known(setting)]
        try:
            values[setting] = _plain(lazy.values.parse_value(field, text))
        except ValueError as error:
            raise InvalidRequest(f"The value of {setting} cannot be read: {error}.", "Correct it.") from None
    checks: list[Check] = []
    if key:
        setting = _secret_named(key)
        secret = sys.stdin.readline().strip()
        if not secret:
            raise InvalidRequest(
                "Standard input gave no key.", f"Send it there, as: … | config init --key-from-stdin {key}"
            )
        values[setting] = secret
        if trying and setting in lazy.setting_questions.asked_first():
            check = trying(setting, _kept(values) | {setting: secret})
            if not check.ok and UNREACHABLE in check.said:
                raise InvalidRequest(
                    f"Nothing was written: {check.name} {check.said}, so the key was not tried.",
                    f"{check.action} Add --offline to keep the key untried.".strip(),
                )
            if not check.ok:
                raise InvalidRequest(
                    f"Nothing was written: {check.name} refused that key or could not be asked ({check.said})",
                    check.action or "Add --offline to keep it untried.",
                )
            checks.append(check)
    return SettingChanges(values, tuple(checks))


def _known(setting: str) -> str:
    if setting not in setting_fields():
        raise InvalidRequest(
            f"There is no setting {setting[:60]!r}.", "See them all with `deepresearch-server config show`."
        )
    return setting


def _secret_named(name: str) -> str:
    secrets = [setting for setting in setting_fields() if is_secret_setting(setting)]
    for setting in secrets:
        last = setting.rpartition(".")[2]
        if name in {setting, last, last.removesuffix("_key")}:
            return setting
    raise InvalidRequest(f"There is no key {name[:40]!r}.", f"Known keys: {', '.join(secrets)}.")


def _plain(value: object) -> object:
    """Return a value with its TOML type: numbers and booleans are not strings."""
    if not isinstance(value, str):
        return value
    if value.lower() in {"true", "false"}:
        return value.lower() == "true"
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value


def _keep(found: SettingChanges, *, keyring: bool, as_json: bool) -> None:

    # Load the values first: invalid settings must not be written.
    lazy.runtime.load_settings(_kept(found.values))
    file = lazy.reading.config_file()
    before = file_text(file)
    placed = _placed(found.values, before or "", keyring=keyring)
    try:
        after = set_values(before or "", placed)
    except ValueError as error:
        raise InvalidRequest(f"{file} is left alone: {error}.", "Correct the file and try again.") from None
    if after != (before or ""):
        apply_change(FileChange(file, before, after), private=True)
    names = list(_kept(found.values))
    gone = [setting for setting, value in found.values.items() if value is None]
    if as_json:
        emit({"file": str(file), "kept": names, "taken_out": gone, "checks": [asdict(check) for check in found.checks]})
        return
    if not found.values:
        say("Nothing was changed.")
        return
    place = f"{file} (readable by you alone)"
    hidden = [setting for setting in names if placed[setting] != found.values[setting]]
    open_ = [setting for setting in names if setting not in hidden]
    say(
        *([f"Kept {', '.join(hidden)} in the system's keyring; {file} says so."] if hidden else []),
        style="ok",
        whole=True,
    )
    say(*([f"Kept {', '.join(open_)} in {place}."] if open_ else []), style="ok", whole=True)
    say(*([f"Removed from {place}: {', '.join(gone)}."] if gone else []), whole=True)
    say(f"Try everything with `{NAME} doctor`; connect a client with `{NAME} install`.")


def _kept(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that have a value; the others are to be removed."""
    return {setting: value for setting, value in values.items() if value is not None}


def _placed(values: Mapping[str, Any], before: str, *, keyring: bool) -> dict[str, Any]:
    """Return the values for the file. With `keyring`, secrets go to the keyring and the file only refers to it.

    If the file in `before` refers to the keyring, a secret that is replaced or removed is also removed from there.
    """
    placed = dict(values)
    for setting, value in values.items():
        if not is_secret_setting(setting):
            continue
        try:
            if keyring and value is not None:
                lazy.keyring.keep(setting, value)
                placed[setting] = lazy.keyring.MARK
            elif keyring or value_at(before, setting) == lazy.keyring.MARK:
                lazy.keyring.forget(setting)
        except ValueError as error:
            raise InvalidRequest(*_halves(str(error))) from None
    return placed


def _halves(text: str) -> tuple[str, str]:
    """Split a text into its message and its last sentence, the remedy."""
    message, stop, action = text.rpartition(". ")
    return (f"{message}.", action) if stop else (text, "")


def _ask(prompt: str, hidden: bool) -> str | None:

    if not hidden:
        return read_line(prompt)
    try:
        return getpass(prompt, stream=sys.stderr).strip()
    except EOFError:
        return None


def _try(setting: str, values: Mapping[str, object]) -> "Check":
    loaded = lazy.runtime.load_settings(values, walk_env_file=True)
    return anyio.run(lazy.checks.try_setting, loaded.settings, setting)
