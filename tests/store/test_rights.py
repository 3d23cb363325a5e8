"""What is done about a data directory, or a file in it, that other users may write or read."""

import os
from pathlib import Path

import pytest

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.store.rights import Decision, access_decision, check_directory, check_file

US, ROOT, ANOTHER = 1000, 0, 1001

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")


@pytest.mark.parametrize(
    ("mode", "owner", "us", "decision"),
    [
        (0o40700, US, US, "use"),
        (0o40755, ROOT, US, "use"),
        (0o40777, US, US, "restrict"),
        (0o40775, US, US, "restrict"),
        (0o40777, ROOT, ROOT, "restrict"),
        (0o41777, ROOT, US, "refuse"),
        (0o41777, ROOT, ROOT, "refuse"),
        (0o41777, US, US, "refuse"),
        (0o42777, ROOT, US, "use"),
        (0o40777, ROOT, US, "use"),
        (0o42770, ANOTHER, US, "use"),
        (0o40777, ANOTHER, US, "refuse"),
    ],
)
def test_only_our_own_directories_are_restricted_and_shared_ones_are_never_changed(
    mode: int, owner: int, us: int, decision: Decision
) -> None:
    assert access_decision(mode, owner, us) == decision


def test_a_shared_directory_with_a_sticky_bit_keeps_its_mode_and_a_new_one_inside_is_advised(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)

    with pytest.raises(StoreError, match="Other users may write") as caught:
        check_directory(tmp_path)

    assert f"a new directory inside it, such as {tmp_path}/deepresearch." in caught.value.action
    assert tmp_path.stat().st_mode & 0o7777 == 0o1777


@pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="only root may give a file away")
def test_a_file_of_another_user_is_used_as_it_is_unless_everyone_may_open_it(tmp_path: Path) -> None:
    file = tmp_path / "deepresearch.db"
    file.touch()
    os.chown(file, ANOTHER, 0)
    file.chmod(0o660)

    check_file(file)
    assert file.stat().st_mode & 0o777 == 0o660

    file.chmod(0o666)
    with pytest.raises(StoreError, match=r"belongs to another user.* Set DEEPRESEARCH_HOME"):
        check_file(file)
