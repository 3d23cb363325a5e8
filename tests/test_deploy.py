"""The files that an operator deploys with, held to the settings and commands that really are; see tests/interop too."""

import configparser
import ipaddress
import json
import re
import shlex
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from typer.main import get_command

from deepresearch_mcp.cli.app import commands as typer_commands
from deepresearch_mcp.ports.figures import StatusFigures, Totals
from deepresearch_mcp.ports.journal import StepKind, Used
from deepresearch_mcp.settings.project import COMMANDS, EXTRAS
from deepresearch_mcp.settings.reading import all_settings, variable
from deepresearch_mcp.telemetry.metrics_page import RUN_SECONDS, metrics_page
from deepresearch_mcp.telemetry.observing import SeenStep
from deepresearch_mcp.telemetry.process_figures import ProcessFigures

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
KUBERNETES: list[dict[str, Any]] = list(
    yaml.safe_load_all((DEPLOY / "kubernetes" / "deepresearch.yaml").read_text(encoding="utf-8"))
)
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
PODS = [one["spec"]["template"]["spec"] for one in KUBERNETES if one["kind"] == "Deployment"]
OURS = [one for one in COMPOSE["services"].values() if one["image"] == "deepresearch-server"]


def test_every_setting_that_a_file_names_is_one() -> None:
    said = "\n".join(path.read_text(encoding="utf-8") for path in DEPLOY.rglob("*") if path.is_file())

    assert set(re.findall(r"DEEPRESEARCH_[A-Z_]+", said)) <= {variable(name) for name in all_settings()}


def commands() -> list[list[str]]:
    units = [re.findall(r"^ExecStart=\S+/deepresearch-server (.+)$", one.read_text(), re.MULTILINE) for one in UNITS]
    return [
        *(one["command"] for one in OURS),
        *(pod["containers"][0]["args"] for pod in PODS),
        *(one[0].split() for one in units),
    ]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_that_is_started_exists_with_its_options(words: list[str]) -> None:
    command: Any = get_command(typer_commands)
    rest = list(words)
    while rest and hasattr(command, "commands") and rest[0] in command.commands:
        command = command.commands[rest.pop(0)]

    assert command.make_context("deploy", rest, resilient_parsing=True)
    known = {option for one in command.params for option in one.opts}
    assert {word for word in rest if word.startswith("--")} <= known


def test_two_servers_and_two_workers_share_one_database_and_one_port_behind_a_proxy() -> None:
    services = COMPOSE["services"]

    assert [services[name]["deploy"]["replicas"] for name in ("app", "worker")] == [2, 2]
    assert {"postgres", "searxng", "prometheus", "grafana"} <= services.keys()
    # Every port that is open is open to this machine alone.
    ports = [port for one in services.values() for port in one.get("ports", ())]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_nothing_of_ours_runs_as_root_or_writes_into_its_image() -> None:
    assert all(one["read_only"] and one["cap_drop"] == ["ALL"] for one in OURS)
    for pod in PODS:
        assert pod["securityContext"]["runAsNonRoot"]
        safe = pod["containers"][0]["securityContext"]
        assert safe["readOnlyRootFilesystem"]
        assert not safe["allowPrivilegeEscalation"]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_of_systemd_gives_its_process_no_rights_beyond_its_own_folder(path: Path) -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # pyright: ignore[reportAttributeAccessIssue] - the names of systemd have capitals
    unit.read(path, encoding="utf-8")
    service = unit["Service"]

    assert (service["DynamicUser"], service["NoNewPrivileges"], service["ProtectSystem"]) == ("yes", "yes", "strict")
    assert service["Environment"] == f"DEEPRESEARCH_HOME=/var/lib/{service['StateDirectory']}"


def test_every_file_that_the_services_read_is_there_or_is_a_secret_that_the_operator_writes() -> None:
    mounted = {
        one.split(":")[0]
        for service in COMPOSE["services"].values()
        for one in service.get("volumes", ())
        if one.startswith("./")
    }
    secrets = {"./metrics-token"}

    assert secrets < mounted
    assert [one for one in mounted - secrets if not (DEPLOY / one).exists()] == []


def test_no_secret_has_a_value_here() -> None:
    lines = (DEPLOY / "example.env").read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if re.search(r"(?:PASSWORD|SECRET|KEY)=.", line)] == []


def test_the_dashboard_asks_for_figures_and_labels_that_a_scrape_has() -> None:
    board = json.loads((DEPLOY / "grafana" / "dashboards" / "deepresearch.json").read_text(encoding="utf-8"))
    asked = [one["expr"] for panel in board["panels"] for one in panel["targets"]]
    [alerts] = re.findall(r"^Alert on .*$", OPERATING, re.MULTILINE)
    said = re.findall(r"`(research_[^`]+)`", alerts)
    found = scrape()

    assert len({name for one in asked for name in NAMED.findall(one)}) >= 10
    assert len(said) == 2
    for one in [*asked, *said]:
        names = NAMED.findall(one)
        assert set(names) <= found.keys(), one
        labels = {label for group in GROUPED.findall(one) for label in re.split(r", ?", group)}
        chosen = re.findall(r'(\w+)="([^"]*)"', one)
        assert all(labels | {label for label, _ in chosen} <= found[name].keys() for name in names), one
        assert all(value in found[name][label] for name in names for label, value in chosen), one
    [source] = yaml.safe_load((DEPLOY / "grafana/provisioning/datasources/prometheus.yaml").read_text())["datasources"]
    assert {panel["datasource"]["uid"] for panel in board["panels"]} == {source["uid"]}


NAMED, GROUPED = re.compile(r"\bresearch_\w+"), re.compile(r"\bby \(([^)]*)\)")


def scrape() -> dict[str, dict[str, set[str]]]:
    """Each figure that a server with every kind of run and step exports → its labels → their values."""
    ended = StatusFigures("completed", 1, 1.0, 1.0, 1, 1, 1, 1, 1, 9, 1, 0.5, 1, (1,) * len(RUN_SECONDS))
    here = ProcessFigures()
    for kind in get_args(StepKind):
        here.step_ended(SeenStep("a", "read/q1", kind, "reader", 0.1, Used(by="openai:one"), "TimedOut"))
    page = metrics_page(Totals(ended=[ended], errors={"TIMEOUT": 1}), here).decode()
    found: dict[str, dict[str, set[str]]] = {}
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            labels = found.setdefault(sample.name, {})
            for label, value in sample.labels.items():
                labels.setdefault(label, set()).add(value)
    return found


def test_servers_answer_to_the_names_that_prometheus_calls_them_by() -> None:
    servers, workers = yaml.safe_load((DEPLOY / "prometheus.yml").read_text(encoding="utf-8"))["scrape_configs"]
    app, worker = COMPOSE["services"]["app"], COMPOSE["services"]["worker"]
    port = worker["command"][worker["command"].index("--metrics-port") + 1]

    def names(service: str, port: str) -> list[str]:
        replicas = COMPOSE["services"][service]["deploy"]["replicas"]
        return [f"{COMPOSE['name']}-{service}-{number}:{port}" for number in range(1, replicas + 1)]

    assert servers["static_configs"][0]["targets"] == names("app", "8765")
    assert json.loads(app["environment"][variable("http.allowed_hosts")]) == names("app", "8765")
    assert workers["static_configs"][0]["targets"] == names("worker", port)


def test_the_proxy_tells_who_calls_and_the_servers_believe_it_alone() -> None:
    nginx = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    told = COMPOSE["services"]["app"]["environment"][variable("http.trusted_proxies")]
    networks = [ipaddress.ip_network(one) for one in json.loads(told)]

    assert "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;" in nginx
    assert networks
    assert all(one.is_private for one in networks)


def test_in_a_cluster_prometheus_may_call_servers_and_workers_by_the_addresses_of_their_pods() -> None:
    server, worker = (pod["containers"][0] for pod in PODS)
    told = {one["name"]: one.get("value") for one in server["env"]}
    [policy] = [one for one in KUBERNETES if one["kind"] == "NetworkPolicy"]
    [port] = worker["ports"]

    assert json.loads(told[variable("http.allowed_hosts")]) == [f"$(POD_IP):{server['ports'][0]['containerPort']}"]
    assert list(told).index("POD_IP") < list(told).index(variable("http.allowed_hosts"))
    assert worker["args"][worker["args"].index("--metrics-port") + 1] == str(port["containerPort"])
    assert {one["port"] for one in policy["spec"]["ingress"][0]["ports"]} == {server["ports"][0]["name"], port["name"]}


OPERATING = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")


def operating_commands() -> list[list[str]]:
    blocks = re.findall(r"^```sh\n(.*?)^```$", OPERATING, re.DOTALL | re.MULTILINE)
    return [shlex.split(line, comments=True) for block in blocks for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("words", operating_commands(), ids=" ".join)
def test_every_command_of_the_operators_page_names_things_that_exist(words: list[str]) -> None:
    match words:
        case ["cp", here, there]:
            assert (ROOT / here).is_file()
            assert Path(there).parent == Path("deploy")
        case ["touch", path]:
            assert f"./{Path(path).name}" in COMPOSE["services"]["prometheus"]["volumes"][1]
        case ["export", assigned]:
            assert assigned.partition("=")[0] == variable("database_url")
        case ["docker", "compose", "-f", "deploy/compose.yaml", "up", "--build", "--detach"]:
            pass
        case ["docker", "compose", "-f", "deploy/compose.yaml", "exec", service, command, *rest]:
            assert service in COMPOSE["services"]
            assert command in COMMANDS
            test_every_command_that_is_started_exists_with_its_options(rest)
        case [script, "FILE"]:
            assert (ROOT / script).is_file()  # Run in tests/interop/test_deploy.py.
        case [command, *rest]:
            assert command in COMMANDS
            test_every_command_that_is_started_exists_with_its_options(rest)
        case _:
            pytest.fail("an empty command")


def test_the_operators_page_names_settings_extras_and_files_that_exist() -> None:
    settings = all_settings()
    rooms = {name.partition(".")[0] for name in settings}
    told = {name for name in re.findall(r"`([a-z]+\.[a-z_.]+)", OPERATING) if name.partition(".")[0] in rooms}

    assert {name for name in told if name not in settings} == set()
    assert set(re.findall(r"DEEPRESEARCH_[A-Z_]+", OPERATING)) <= {variable(name) for name in settings}
    [extras] = re.findall(r'EXTRAS="([^"]+)"', OPERATING)
    assert set(extras.split()) <= set(EXTRAS)
    links = re.findall(r"\]\((?!http)([^)#]+)", OPERATING)
    assert [place for place in links if not (ROOT / "docs" / place).exists()] == []
