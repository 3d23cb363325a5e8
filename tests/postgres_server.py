"""A PostgreSQL server for tests: the one that DEEPRESEARCH_TEST_DATABASE_URL names, else one of our own on loopback.

Our own lives in a temporary directory, belongs to an account that is not root, and is stopped with us.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

NAMED = "DEEPRESEARCH_TEST_DATABASE_URL"


def programs() -> Path | None:
    """The folder of PostgreSQL's own programs: Debian keeps them out of PATH."""
    found = [Path(path).parent for path in [shutil.which("initdb")] if path]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name))
    return next((folder for folder in found if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


def missing() -> str:
    """Why there is no server to test with; "" where there can be one."""
    if os.environ.get(NAMED) or programs():
        return ""
    return f"no PostgreSQL: name a server in {NAMED}, or install Debian's package postgresql"


class Server:
    """One server of our own, which can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        """`folder` must lie where another account can go, so not in pytest's own."""
        self._bin = programs()
        self._data = folder / "data"
        self._log = folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        self._account: dict[str, str] = {}
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root.
            self._account = {"user": "postgres" if _known("postgres") else "nobody"}
            shutil.chown(folder, self._account["user"])
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        made = [f"{self._bin}/initdb", "-D", str(self._data), "-U", "tests", "-A", "trust", "-E", "UTF8", "-N"]
        subprocess.run([*made, "--locale=C.UTF-8"], check=True, capture_output=True, cwd="/", **self._account)
        with (self._data / "postgresql.conf").open("a") as settings:
            settings.write(
                f"listen_addresses = '127.0.0.1'\nport = {self.port}\nunix_socket_directories = ''\n"
                "max_connections = 200\nfsync = off\nfull_page_writes = off\n"
            )

    @property
    def url(self) -> str:
        return f"postgresql://tests@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [f"{self._bin}/postgres", "-D", str(self._data)], stdout=log, stderr=log, cwd="/", **self._account
            )
        until = time.monotonic() + 30
        while not self._answers():
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < until, self._log.read_text()
            time.sleep(0.05)

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT: end all sessions and stop; SIGQUIT: stop at once, as a crash would."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None


@contextmanager
def own_server() -> Generator[Server]:
    with tempfile.TemporaryDirectory(prefix="deepresearch-pg-") as folder:
        server = Server(Path(folder))
        try:
            server.start()
            yield server
        finally:
            server.stop(signal.SIGQUIT)


@contextmanager
def own_schema(url: str) -> Generator[str]:
    """An address with a schema of its own, as apart from others as a database; dropped at the end."""
    import psycopg

    name = f"t{uuid.uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(f"CREATE SCHEMA {name}".encode())
    joined = "&" if "?" in url else "?"
    try:
        yield f"{url}{joined}options=-csearch_path%3D{name}"
    finally:
        with psycopg.connect(url, autocommit=True) as conn:
            conn.execute(f"DROP SCHEMA {name} CASCADE".encode())


def _known(account: str) -> bool:
    import pwd

    try:
        pwd.getpwnam(account)
    except KeyError:
        return False
    return True
