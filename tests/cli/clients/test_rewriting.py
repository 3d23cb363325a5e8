import os
import stat

import pytest

from deepresearch_mcp.cli.clients.rewriting import FileChange, apply_change, backup_of, bare, diff_lines, file_text
from deepresearch_mcp.exceptions import InvalidRequest


def test_a_file_is_written_whole_with_its_mode_and_a_backup(tmp_path):
    file = tmp_path / "a.json"
    file.write_text("old")
    file.chmod(0o640)

    kept = apply_change(FileChange(file, "old", "new"), backup="anew")

    assert file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert kept == backup_of(file)
    assert kept.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["a.json", "a.json.before-deepresearch"]


def test_a_backup_of_the_file_without_us_is_not_overwritten_by_one_with_us(tmp_path):
    file = tmp_path / "a.json"
    file.write_text("one")
    apply_change(FileChange(file, "one", "two"), backup="anew")
    apply_change(FileChange(file, "two", "three"), backup="once")
    assert backup_of(file).read_text() == "one"

    apply_change(FileChange(file, "three", "four"), backup="anew")
    assert backup_of(file).read_text() == "three"


def test_what_another_program_wrote_meanwhile_is_not_lost(tmp_path):
    file = tmp_path / "a.json"
    file.write_text("theirs")

    with pytest.raises(InvalidRequest, match="changed by another program"):
        apply_change(FileChange(file, "old", "new"), backup="anew")

    assert file.read_text() == "theirs"
    assert not backup_of(file).exists()


def test_a_new_file_comes_with_its_folders_for_its_owner_alone(tmp_path):
    file = tmp_path / "a" / "b" / "c.toml"

    assert apply_change(FileChange(file, None, "é\r\n"), backup="anew") is None

    assert file.read_bytes() == "é\r\n".encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_private_file_is_closed_to_others(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text("a = 1\n")
    file.chmod(0o644)

    apply_change(FileChange(file, "a = 1\n", "a = 2\n"), private=True)

    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "dotfiles").mkdir()
    real, link = tmp_path / "dotfiles" / "mcp.json", tmp_path / "mcp.json"
    real.write_text("old")
    link.symlink_to(real)

    apply_change(FileChange(link, "old", "new"))

    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_file_can_be_taken_away(tmp_path):
    file = tmp_path / "a.json"
    file.write_text("x")

    apply_change(FileChange(file, "x", None))

    assert not file.exists()
    assert file_text(file) is None


def test_where_a_file_cannot_be_read_or_written_it_says_so(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "latin").write_bytes(b"\xff\xfe")

    with pytest.raises(InvalidRequest, match="cannot be read"):
        file_text(tmp_path / "folder")
    with pytest.raises(InvalidRequest, match="not UTF-8 text"):
        file_text(tmp_path / "latin")
    with pytest.raises(InvalidRequest, match=r"cannot be (read|written)"):
        apply_change(FileChange(tmp_path / "latin" / "x", None, "new"))
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    "line",
    [
        '"GITHUB_TOKEN": "sesame-1"',
        'api_key = "sesame-1"',
        '"headers": {"Authorization": "Bearer sesame-1"}',
        '"env": {"A_PASSWORD": "sesame-1", "B": "shown"}',
        '"url": "https://user:sesame-1@example.org"',
        "secret: sesame-1",
    ],
)
def test_neighbours_secrets_are_not_shown(line, tmp_path):
    change = FileChange(tmp_path / "a", f"{line}\nold\n", f"{line}\nnew\n")

    text = "\n".join(diff_lines(change))

    assert "sesame" not in text
    assert "+new" in text
    assert "shown" not in line or "shown" in text


def test_a_file_in_one_long_line_is_not_shown_whole(tmp_path):
    assert all(len(line) <= 160 for line in diff_lines(FileChange(tmp_path / "a", "a" * 9_000, "b" * 9_000)))


def test_a_byte_order_mark_is_set_aside():
    assert bare("\ufeff{}") == ("\ufeff", "{}")
    assert bare(None) == ("", "")
