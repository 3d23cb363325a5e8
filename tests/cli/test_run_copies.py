"""`runs fork|verify|delete` on the run that the demo left."""

import shutil

import pytest


@pytest.fixture
def own(shown, tmp_path, monkeypatch, cli):
    """A copy of the demo's data, to change at will; gives its run's id."""
    home = tmp_path / "copy"
    shutil.copytree(shown.home, home)
    monkeypatch.setenv("DEEPRESEARCH_HOME", str(home))
    return shown.run["run_id"]


def test_a_run_is_examined_and_what_is_wrong_is_said_and_made_again(cli, own, tmp_path):
    sound = cli("runs", "verify", own)
    (tmp_path / "copy" / "runs" / own / "report.json").write_text("{}")
    broken = cli("runs", "verify", own, "--json")
    mended = cli("runs", "verify", own, "--rebuild", "--set", "model.use=extractive")

    assert sound.code == 0
    assert "Nothing changed" in sound.err
    assert broken.code == 1
    assert "cannot be read" in broken.json["faults"][0]
    assert mended.code == 0, mended.err
    assert "Nothing changed" in mended.err


def test_a_deleted_run_is_gone_and_says_what_went(cli, own):
    deleted = cli("runs", "delete", own, "--yes")

    assert deleted.code == 0
    assert "steps" in deleted.err
    assert "1 reports" in deleted.err
    assert cli("runs", "show", own).code == 2


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_without_a_yes_and_a_terminal_nothing_is_deleted(cli, own, form):
    refused = cli("runs", "delete", own, *form)

    assert refused.code == 2
    assert "--yes" in (refused.error["action"] if form else refused.err)
    assert cli("runs", "show", own).code == 0
