import os
import uuid
from pathlib import Path

import pytest

from deepresearch_mcp.store.locks import Ownership, alone


def never(owner: str) -> bool:
    return False


def test_an_owner_lives_until_it_lets_go(tmp_path: Path) -> None:
    one, two = Ownership.take(tmp_path), Ownership.take(tmp_path)

    assert one.owner != two.owner
    assert one.lives(one.owner)
    assert one.lives(two.owner)
    assert two.lives(one.owner)

    two.release()

    assert not one.lives(two.owner)
    one.release()
    assert list(tmp_path.iterdir()) == []


def test_no_one_and_strangers_do_not_live(tmp_path: Path) -> None:
    ownership = Ownership.take(tmp_path)

    assert not ownership.lives(None)
    assert not ownership.lives(uuid.uuid4().hex)
    ownership.release()


def test_asking_does_not_take_the_lock_of_a_dead_owner_away(tmp_path: Path) -> None:
    ownership = Ownership.take(tmp_path)
    (tmp_path / "dead.lock").touch()

    assert [ownership.lives("dead") for _ in range(3)] == [False, False, False]
    ownership.release()


def test_a_lock_file_is_for_the_user_alone(tmp_path: Path) -> None:
    ownership = Ownership.take(tmp_path)

    [path] = tmp_path.iterdir()

    assert path.stat().st_mode & 0o777 == 0o600
    ownership.release()


def test_sweeping_removes_the_dead_and_spares_the_living_and_the_needed(tmp_path: Path) -> None:
    ownership, living = Ownership.take(tmp_path), Ownership.take(tmp_path)
    for name in ("dead", "needed"):
        (tmp_path / f"{name}.lock").touch()

    ownership.sweep(lambda owner: owner == "needed")

    assert {path.stem for path in tmp_path.iterdir()} == {ownership.owner, living.owner, "needed"}
    living.release()
    ownership.release()


def test_what_cannot_be_swept_is_left(tmp_path: Path) -> None:
    ownership = Ownership.take(tmp_path)
    (tmp_path / "odd.lock").mkdir()

    ownership.sweep(never)

    assert (tmp_path / "odd.lock").is_dir()
    ownership.release()


def test_letting_go_of_a_lock_whose_file_is_gone_is_no_error(tmp_path: Path) -> None:
    ownership = Ownership.take(tmp_path)
    for path in tmp_path.iterdir():
        path.unlink()

    ownership.release()


def test_one_at_a_time_comes_through_the_gate(tmp_path: Path) -> None:
    with alone(tmp_path / "gate"):
        descriptor = os.open(tmp_path / "gate", os.O_RDWR)
        if os.name == "posix":
            import fcntl

            with pytest.raises(BlockingIOError):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(descriptor)

    with alone(tmp_path / "gate"):
        pass
