"""What holds for every test: one event loop, no deadline, no network, no settings of the developer's own."""

import ipaddress
import os
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

import postgres_server
from served import bare_env

# A busy machine is no failure; and the whole suite is run often, so that fewer examples at a time find as much.
hypothesis.settings.register_profile("house", deadline=None, max_examples=60)
hypothesis.settings.load_profile("house")


class NetworkRefused(RuntimeError):
    """A test reached for something beyond this machine.

    No OSError on purpose: the code under test would take that for a dead host and carry on.
    """


def _beyond_this_machine(host: object) -> bool:
    if not isinstance(host, str) or not host or host == "localhost" or host.endswith(".localhost"):
        return False
    try:
        return not ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return True


def _refuse_network(event: str, args: tuple[Any, ...]) -> None:
    if event in {"socket.connect", "socket.sendto"}:
        address = args[1]
        if isinstance(address, tuple) and _beyond_this_machine(address[0]):
            raise NetworkRefused(f"{event} to {address}: tests talk to loopback only")
    elif event == "socket.getaddrinfo" and _name_beyond_this_machine(args[0]):
        raise NetworkRefused(f"look-up of {args[0]!r}: tests ask no name server")


def _name_beyond_this_machine(host: object) -> bool:
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    try:
        ipaddress.ip_address(str(text))
    except ValueError:
        return _beyond_this_machine(text)
    return False  # An address is not looked up anywhere.


# An audit hook and not a patch of the socket module: it sees every library, also one that had taken hold of
# `socket.connect` before us, and it cannot be undone by accident. What it cannot see: sockets that compiled code
# opens by itself (ddgs does), and child processes.
sys.addaudithook(_refuse_network)


class _PatientSys:
    """`sys` for the module `threading`, which waits for its turn to install the tracer of the coverage measurement.

    CPython 3.11 lets one thread at a time install a tracer and refuses a second one. The hook above runs within that,
    so on a busy machine two threads that start together meet there, and one of them would die.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(sys, name)

    @staticmethod
    def settrace(function: Any) -> None:
        while True:
            try:
                return sys.settrace(function)
            except RuntimeError:
                time.sleep(0)


if sys.version_info < (3, 12):
    threading._sys = _PatientSys()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The one backend that the SDKs of the models support."""
    return "asyncio"


@pytest.fixture
def child_env(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that a test starts: a data directory of its own, and no key or setting of ours."""
    return bare_env(tmp_path)


@pytest.fixture(scope="session")
def database_url() -> Generator[str]:
    """A PostgreSQL server; without one, tests that need it are skipped, and say so."""
    if why := postgres_server.missing():
        pytest.skip(why)
    if named := os.environ.get(postgres_server.NAMED):
        yield named
        return
    with postgres_server.own_server() as server:
        yield server.url
