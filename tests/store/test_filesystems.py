from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.store import sqlite
from deepresearch_mcp.store.filesystems import kind_in, network_kind
from deepresearch_mcp.store.sqlite import open_sqlite_store

MOUNTS = """21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
30 21 0:40 / /home rw - nfs4 server:/home rw
31 30 0:41 / /home/me/local\\040disk rw - xfs /dev/sdb1 rw
a line of something else
32 21 0:42 / /mnt/share rw - cifs //server/share rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/data", ""),
        ("/home", "nfs4"),
        ("/home/me/.local/share", "nfs4"),
        ("/home/me/local disk/data", ""),
        ("/homely", ""),
        ("/mnt/share/data", "cifs"),
    ],
)
def test_the_innermost_mount_tells_whether_a_path_lies_on_a_network(path: str, kind: str) -> None:
    assert kind_in(MOUNTS, path) == kind


def test_this_machines_own_directory_is_local(tmp_path: Path) -> None:
    assert network_kind(tmp_path / "missing") == ""


async def test_a_data_directory_on_a_network_is_refused_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "network_kind", lambda path: "nfs4")

    with pytest.raises(StoreError, match="is on a network file system") as caught:
        async with open_sqlite_store(tmp_path / "home", HandClock()):
            pass

    assert "DEEPRESEARCH_HOME" in caught.value.action
    assert not (tmp_path / "home").exists()
