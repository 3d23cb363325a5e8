import json
import re
from pathlib import Path

import pytest

import deepresearch_mcp
from deepresearch_mcp.settings.reading import all_settings, read_settings, variable
from deepresearch_mcp.settings.retired import ROLES, SETTINGS
from deepresearch_mcp.settings.schema import Settings

SOURCE = Path(deepresearch_mcp.__file__).parent


@pytest.mark.parametrize("setting", sorted(SETTINGS))
@pytest.mark.parametrize("way", ["file", "flag", "environment"])
def test_a_retired_setting_is_ignored_and_told_of(tmp_path: Path, setting: str, way: str) -> None:
    group, name = setting.split(".")
    if way == "file":
        (tmp_path / "config.toml").write_text(f"[{group}]\n{name} = 1\n")
    env = {variable(setting): "1"} if way == "environment" else {}

    loaded = read_settings({setting: 1} if way == "flag" else {}, env=env, config_dir=tmp_path)

    assert loaded.settings == Settings()
    [note] = loaded.notes
    assert note.startswith(variable(setting) if way == "environment" else setting)
    assert "no longer has any effect" in note


@pytest.mark.parametrize("role", sorted(ROLES))
@pytest.mark.parametrize("way", ["file", "environment"])
def test_a_retired_role_is_ignored_and_told_of_and_the_others_hold(tmp_path: Path, role: str, way: str) -> None:
    roles = {role: "smart", "reader": "smart"}
    if way == "file":
        (tmp_path / "config.toml").write_text(f'[model.roles]\n{role} = "smart"\nreader = "smart"\n')
    env = {"DEEPRESEARCH_MODEL__ROLES": json.dumps(roles)} if way == "environment" else {}

    loaded = read_settings(env=env, config_dir=tmp_path)

    assert loaded.settings.model.roles == {"reader": "smart"}
    [note] = loaded.notes
    assert note.startswith(f"model.roles.{role} (")


def test_roles_that_are_no_table_are_reported_once(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"model\.roles"):
        read_settings(env={"DEEPRESEARCH_MODEL__ROLES": "scope"}, config_dir=tmp_path)
    with pytest.raises(ValueError, match=r"model\.roles"):
        read_settings({"model.roles": ["scope"]}, env={}, config_dir=tmp_path)


_BY_NAME = re.compile(r"^(?:(?:search|model)\.\w+_(?:key|url|api|engine_id)|defaults\.\w+)$")
"""Made from the specs of engines and providers, and read by their names: `ServiceSettings`, `DefaultSettings`."""


def test_every_setting_is_read_somewhere() -> None:
    # `web.contact` is read through `web.sent_as`, beside which it stands.
    own = {"settings/schema.py", "settings/bounds.py", "settings/retired.py"}
    source = "\n".join(file.read_text() for file in SOURCE.rglob("*.py") if file.name not in own)
    holders = (
        r"\b(?:self|\w*settings|model|search|web|_?limits|keep|server|research|wanted|settings|shaped|own"
        r"|http|telemetry|webhooks|logs|oauth)\."
    )
    names = [setting.rpartition(".")[2] for setting in all_settings() if not _BY_NAME.search(setting)]

    assert [name for name in names if not re.search(rf"{holders}{name}\b", source)] == []
