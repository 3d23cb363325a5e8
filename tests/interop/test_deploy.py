"""The files of deploy/ before the tools that read them, and a database saved and brought back."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

import postgres_server
from foreign import installed_by_pip, missing
from postgres_server import own_server

pytestmark = [pytest.mark.interop, pytest.mark.timeout(300)]

DEPLOY = Path(__file__).parents[2] / "deploy"
CHECKERS = ("check-jsonschema==0.37.3", "kubernetes-validate==1.37.0", "grafana-foundation-sdk==1769699998!10.1.0")
READ_BACK = """
import json, sys
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard
register_default_plugins()
print(JSONEncoder().encode(Dashboard.from_json(json.load(open(sys.argv[1])))))
"""
"""Grafana's own types of a dashboard, filled from a file."""


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


def test_the_dashboard_is_one_that_grafana_reads_whole(tools: Path) -> None:
    file = DEPLOY / "grafana" / "dashboards" / "deepresearch.json"
    told = ran(tools / "python", "-c", READ_BACK, file)

    assert told.returncode == 0, told.stderr
    assert flat(json.loads(file.read_text(encoding="utf-8"))).items() <= flat(json.loads(told.stdout)).items()


def flat(value: Any, path: str = "") -> dict[str, str]:
    """Each single value of a JSON document by its path."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(cast("dict[str, Any]", value).items())
    elif isinstance(value, list):
        inner = list(enumerate(cast("list[Any]", value)))
    return (
        {path: repr(value)} if not inner else {k: v for at, one in inner for k, v in flat(one, f"{path}/{at}").items()}
    )


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
            columns = "collection_id, name, path, updated"
            conn.execute(f"INSERT INTO collections ({columns}) VALUES ('local/kept', 'kept', '/x', 0)")
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
