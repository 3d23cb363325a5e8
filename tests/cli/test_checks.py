import shutil
from importlib.util import find_spec

import anyio
import pytest

from deepresearch_mcp.cli.checks import examine, thinks, through_proxy
from deepresearch_mcp.cli.demo.server import serve_site
from deepresearch_mcp.cli.demo.site import build
from deepresearch_mcp.settings.schema import ModelSettings, Settings
from deepresearch_mcp.system_clock import SystemClock
from postgres_server import own_schema
from wires import Fault, Scripted
from wires import serve as serve_model

needs_chromium = pytest.mark.skipif(
    find_spec("playwright") is None or not (shutil.which("chromium") or shutil.which("google-chrome")),
    reason="the extra browser or Chromium is not installed",
)


def settings(home, base: str, **model) -> Settings:
    return Settings.model_validate(
        {
            "home": home,
            "search": {"engines": ["searxng"], "searxng_url": base},
            "web": {"allow_private": [base.removeprefix("http://") or "127.0.0.1"]},
            "model": model,
        }
    )


def fates(checks) -> dict[str, tuple[bool, bool]]:
    return {check.name: (check.ok, check.needed) for check in checks}


async def test_where_all_is_well_every_check_says_so(home):
    async with serve_site(build("try"), SystemClock()) as base, serve_model(Scripted(lambda _: "ready")) as model:
        where = {"use": "openai:m", "openai_base_url": f"{model}/v1", "openai_key": "any"}

        checks = await examine(settings(home, base, **where), offline=False, page=f"{base}/reference/try")

    assert fates(checks) == {
        "data directory": (True, True),
        "page parser": (True, True),
        "search searxng": (True, False),
        "model openai:m": (True, True),
        "web page": (True, True),
    }
    assert all(check.said for check in checks)


async def test_what_fails_says_so_with_a_way_out(home):
    async with serve_model(Scripted(lambda _: Fault(401))) as model:
        where = {"use": "openai:m", "openai_base_url": f"{model}/v1", "openai_key": "secret"}

        checks = await examine(settings(home, "http://127.0.0.1:9", **where), offline=False, page="http://127.0.0.1:9/")

    failed = {check.name: check for check in checks if not check.ok}
    assert failed.keys() == {"search searxng", "model openai:m", "web page"}
    assert failed["web page"].said.startswith("http://127.0.0.1:9/: ")
    assert all(check.needed and check.said for check in failed.values())
    assert failed["model openai:m"].action
    assert "secret" not in str(failed)


@pytest.mark.parametrize("status", [401, 404, 429, 500, 503])
async def test_whatever_a_service_says_no_with_is_told_once_and_with_a_way_out(status, home):
    async with serve_model(Scripted(lambda _: Fault(status))) as model:
        where = {"use": "openai:m", "openai_base_url": f"{model}/v1", "openai_key": "any"}

        checks = await examine(settings(home, model, **where), offline=False, page=f"{model}/")

    failed = [check for check in checks if not check.ok]
    assert len(failed) == 3
    assert all(check.action for check in failed)
    assert not [check for check in failed if check.said.startswith(check.name.split()[-1])]


@pytest.mark.parametrize(
    ("web", "said"),
    [
        ({"browser_program": "/nowhere/chromium"}, "/nowhere/chromium cannot be started."),
        ({"browser": True, "proxy": "http://127.0.0.1:9"}, "It is not used behind web.proxy."),
    ],
)
async def test_a_browser_that_was_asked_for_and_cannot_be_used_is_told(home, web, said):
    if find_spec("playwright") is None:
        pytest.skip("The extra browser is not installed.")
    known = settings(home, "http://127.0.0.1:9").model_dump(exclude_defaults=True)
    asked = Settings.model_validate(known | {"web": {"allow_private": ["127.0.0.1"]} | web})

    checks = await examine(asked, offline=False, page="http://127.0.0.1:9/")

    [browser] = [check for check in checks if check.name == "browser"]
    assert (browser.ok, browser.needed, browser.said) == (False, False, said)
    assert browser.action


@needs_chromium
async def test_the_browser_is_tried_on_the_page(home):
    async with serve_site(build("try"), SystemClock()) as base:
        checks = await examine(settings(home, base), offline=False, page=f"{base}/reference/try", browser=True)

    [browser] = [check for check in checks if check.name == "browser"]
    assert browser.ok, browser.said
    assert f"loaded {base}/reference/try" in browser.said


async def test_a_service_that_never_answers_does_not_keep_the_user_waiting(home):
    async with serve_model(Scripted(lambda _: anyio.sleep_forever())) as model:
        where = {"use": "openai:m", "openai_base_url": f"{model}/v1", "openai_key": "any"}
        silent = settings(home, "http://127.0.0.1:9", **where)

        checks = await examine(silent, offline=False, page="http://127.0.0.1:9/", patience=0.5)

    [silence] = [check for check in checks if check.name == "model openai:m"]
    assert silence.said == "no answer within 0.5 s"
    assert "OPENAI_BASE_URL" in silence.action


async def test_runs_left_to_workers_without_a_database_are_told_of(home):
    alone = Settings.model_validate({"home": home, "server": {"carry_out": "workers"}})

    checks = {check.name: check for check in await examine(alone, offline=True)}

    assert not checks["workers"].ok
    assert "no database is set" in checks["workers"].said


async def test_offline_asks_no_one(home):
    checks = await examine(settings(home, "http://127.0.0.1:9"), offline=True)

    assert [check.name for check in checks] == ["data directory", "page parser"]


async def test_a_data_directory_that_cannot_be_used_is_a_failed_check(tmp_path):
    (tmp_path / "file").write_text("no folder")

    [check] = await examine(settings(tmp_path / "file" / "home", ""), offline=True)

    assert (check.name, check.ok, check.needed) == ("data directory", False, True)
    assert check.action


@pytest.mark.parametrize(
    ("model", "name", "why"),
    [
        ({}, "extractive", "no model is configured"),
        ({"use": "extractive", "openai_key": "x"}, "extractive", "model.use says"),
        ({"openai_key": "x"}, "openai:", "first provider"),
        ({"use": "ollama:llama4"}, "ollama:llama4", "model.use says"),
    ],
)
def test_it_says_who_thinks_and_what_another_would_cost(model, name, why):
    found = thinks(ModelSettings.model_validate(model))

    assert name in found.name
    assert why in found.why
    assert "$1.00" in found.why + found.change or "no cost" in found.change


@pytest.mark.parametrize(("carry_out", "needed"), [("auto", False), ("workers", True), ("here", None)])
async def test_workers_of_a_shared_database_are_looked_for_where_it_needs_any(carry_out, needed, home, database_url):
    with own_schema(database_url) as url:
        shared = Settings.model_validate({"home": home, "database_url": url, "server": {"carry_out": carry_out}})

        checks = {check.name: check for check in await examine(shared, offline=True)}

    assert checks["database"].ok
    if needed is None:
        assert "workers" not in checks
    else:
        assert not checks["workers"].ok
        assert checks["workers"].needed is needed
        assert checks["workers"].action == "Start one, on any machine: deepresearch-server worker"


def test_behind_a_proxy_the_doctor_says_what_is_no_longer_promised() -> None:
    assert through_proxy("") == ""
    assert "private address is the proxy's to refuse" in through_proxy("http://proxy.example:3128")
