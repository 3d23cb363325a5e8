"""The keyring is one of a test's own, chosen by the variable that its library offers for that."""

import json
import re
import sys
from pathlib import Path

import keyring
import pytest

from deepresearch_mcp.settings.keyring import SERVICE, forget, keep, secret_of
from deepresearch_mcp.settings.project import adding
from deepresearch_mcp.settings.reading import describe, read_settings
from drawers import Drawer


@pytest.fixture
def drawer():
    before, own = keyring.get_keyring(), Drawer()
    keyring.set_keyring(own)
    yield own
    keyring.set_keyring(before)


def config(folder: Path, text: str) -> Path:
    (folder / "config.toml").write_text(text)
    (folder / "config.toml").chmod(0o644)
    return folder


def test_what_is_kept_is_fetched_and_forgotten(drawer):
    keep("search.brave_key", "sesame")
    assert drawer.held == {(SERVICE, "search.brave_key"): "sesame"}
    assert secret_of("search.brave_key") == "sesame"

    forget("search.brave_key")
    forget("search.brave_key")

    assert drawer.held == {}


def test_a_setting_comes_from_the_keyring_with_its_origin_and_is_not_shown(drawer, tmp_path):
    keep("search.brave_key", "sesame")

    loaded = read_settings(env={}, config_dir=config(tmp_path, '[search]\nbrave_key = "keyring"\n'))

    assert loaded.settings.search.brave_key.get_secret_value() == "sesame"
    assert loaded.origins["search.brave_key"].startswith("keyring, as config.toml ")
    assert "sesame" not in json.dumps(describe(loaded))


def test_a_keyring_that_is_not_needed_is_not_asked(drawer, tmp_path):
    drawer.locked = True
    folder = config(tmp_path, '[search]\nbrave_key = "keyring"\n[library]\nembeddings_model = "keyring"\n')

    loaded = read_settings(env={"BRAVE_API_KEY": "k"}, config_dir=folder)

    assert loaded.settings.search.brave_key.get_secret_value() == "k"
    assert loaded.settings.library.embeddings_model == "keyring"  # No secret: the word itself.


def test_a_keyring_that_does_not_answer_is_told_with_a_way_out(drawer, tmp_path):
    folder = config(tmp_path, '[search]\nbrave_key = "keyring"\n')

    with pytest.raises(ValueError, match=r"does not hold search.brave_key.*config init --keyring"):
        read_settings(env={}, config_dir=folder)
    drawer.locked = True
    with pytest.raises(ValueError, match=r"cannot be read: It is locked\. Set the key"):
        read_settings(env={}, config_dir=folder)
    with pytest.raises(ValueError, match=r"did not store the key: It is locked\."):
        keep("search.brave_key", "k")
    with pytest.raises(ValueError, match="could not be changed: It is locked"):
        forget("search.brave_key")


def test_without_its_library_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)

    with pytest.raises(ValueError, match=re.escape(f"is not installed. Run: {adding('keyring')}")):
        secret_of("search.brave_key")
