import subprocess
import sys
from pathlib import Path

from pydantic import SecretStr

from clocks import HandClock
from deepresearch_mcp.settings.project import EXTRAS, adding
from deepresearch_mcp.store.opening import open_store
from postgres_server import own_schema


async def test_without_an_address_the_data_directory_is_the_store(tmp_path: Path) -> None:
    async with open_store(tmp_path / "home", HandClock()) as store:
        assert store.reports.place("r1") == str(tmp_path / "home" / "runs" / "r1")


async def test_with_an_address_the_database_is_the_store(tmp_path: Path, database_url: str) -> None:
    with own_schema(database_url) as url:
        async with open_store(tmp_path / "home", HandClock(), SecretStr(url)) as store:
            await store.reports.write("r1", "# Ice", "{}")
            assert store.reports.place("r1") == ""
    assert not (tmp_path / "home").exists()


_WITHOUT_DRIVER = """
import sys
from pathlib import Path
from pydantic import SecretStr
from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.store.opening import open_store
from deepresearch_mcp.system_clock import SystemClock

sys.modules["psycopg"] = None
try:
    open_store(Path("."), SystemClock(), SecretStr("postgresql://host/name"))
except SettingsError as error:
    print(error)
"""


def test_without_the_driver_it_is_said_how_to_get_it() -> None:
    ran = subprocess.run([sys.executable, "-c", _WITHOUT_DRIVER], capture_output=True, text=True, check=True)

    assert "psycopg is not installed" in ran.stdout
    assert adding(*EXTRAS["postgres"]) in ran.stdout
