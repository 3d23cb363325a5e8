"""The files of deploy/ before the tools that read them, and a database saved and brought back."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import postgres_server
from foreign import installed_by_pip, missing
from postgres_server import own_server

pytestmark = [pytest.mark.interop, pytest.mark.timeout(300)]

DEPLOY = Path(__file__).parents[2] / "deploy"
CHECKERS = ("check-jsonschema==0.37.3", "kubernetes-validate==1.37.0")


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the checkers' programs."""
    return Path(installed_by_pip(tmp_path_factory.mktemp("checkers") / "env", *CHECKERS)).parent


def ran(*command: str | Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, timeout=120, env=env)


def test_the_compose_file_is_one(tools: Path, tmp_path: Path) -> None:
    told = ran(tools / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")
    wrong = tmp_path / "compose.yaml"
    wrong.write_text((DEPLOY / "compose.yaml").read_text().replace("    command: [serve", "    comand: [serve"))

    assert told.returncode == 0, told.stdout
    # The tool tells a mistake.
    assert ran(tools / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", wrong).returncode == 1


def test_the_manifests_are_what_kubernetes_takes(tools: Path) -> None:
    told = ran(tools / "kubernetes-validate", "--strict", *sorted((DEPLOY / "kubernetes").glob("*.yaml")))

    assert told.returncode == 0, told.stdout + told.stderr


def test_a_saved_database_is_brought_back_whole(tmp_path: Path) -> None:
    if postgres_server.missing() or not (found := postgres_server.programs()):
        missing("PostgreSQL is not installed.")
    import psycopg

    # Named as Debian does not: backup.sh finds the programs in PATH, and our command too.
    path = f"{found}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    with own_server() as server:
        env = {**os.environ, "PATH": path, "DEEPRESEARCH_HOME": str(tmp_path), "PGCONNECT_TIMEOUT": "10"}
        here = server.url
        there = here.removesuffix("/postgres") + "/second"
        made = ran("deepresearch-server", "store", "migrate", env={**env, "DEEPRESEARCH_DATABASE_URL": here})
        assert made.returncode == 0, made.stderr
        with psycopg.connect(here, autocommit=True) as conn:
            conn.execute("INSERT INTO collections (name, path, updated) VALUES ('kept', '/x', 0)")
            conn.execute("CREATE DATABASE second")

        file = tmp_path / "saved"
        saved = ran(DEPLOY / "backup.sh", file, env={**env, "DEEPRESEARCH_DATABASE_URL": here})
        assert saved.returncode == 0, saved.stderr
        assert file.stat().st_mode & 0o077 == 0
        back = ran(DEPLOY / "restore.sh", file, env={**env, "DEEPRESEARCH_DATABASE_URL": there})
        assert back.returncode == 0, back.stderr
        with psycopg.connect(there) as conn:
            assert conn.execute("SELECT name FROM collections").fetchall() == [("kept",)]
        again = ran(DEPLOY / "restore.sh", file, env={**env, "DEEPRESEARCH_DATABASE_URL": there})
        assert again.returncode != 0, "a database that is not empty is not written over"
