"""Recognises network file systems, on which locks and the write-ahead log are unreliable."""

import os
import sys
from pathlib import Path

if sys.platform == "win32":  # pragma: no cover - measured on Linux
    import ctypes

_NETWORK_SPELT = (
    "afs afpfs beegfs ceph cifs davfs fuse.davfs2 fuse.glusterfs fuse.rclone fuse.s3fs fuse.sshfs gfs2 glusterfs gpfs "
    "lustre ncpfs nfs nfs4 ocfs2 smb2 smb3 smbfs webdav"
)
NETWORK = frozenset(_NETWORK_SPELT.split())
_MOUNTS = Path("/proc/self/mountinfo")
_REMOTE = 4
"""DRIVE_REMOTE, the type that Windows reports for a network drive."""


def network_kind(path: Path) -> str:
    """The kind of network file system that holds a directory, such as `nfs4`; "" if it is local or unknown.

    The directory need not exist yet.
    """
    whole = os.path.realpath(path)
    if sys.platform == "win32":  # pragma: no cover - measured on Linux
        drive = os.path.splitdrive(whole)[0]
        remote = drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(f"{drive}\\") == _REMOTE
        return "a network drive" if remote else ""
    try:
        return kind_in(_MOUNTS.read_text(encoding="utf-8", errors="replace"), whole)
    except OSError:
        return ""


def kind_in(mounts: str, path: str) -> str:
    """As `network_kind`, given the lines of /proc/self/mountinfo; the innermost mount decides."""
    best, kind = "", ""
    for line in mounts.splitlines():
        left, found, right = line.partition(" - ")
        fields = left.split()
        if not found or len(fields) < 5 or not right.split():
            continue
        point = fields[4].replace("\\040", " ").rstrip("/")
        if (path == point or path.startswith(f"{point}/")) and len(point) >= len(best):
            best, kind = point, right.split()[0]
    return kind if kind in NETWORK else ""
