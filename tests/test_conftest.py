import socket
from pathlib import Path

import pytest


@pytest.mark.parametrize("host", ["192.0.2.1", "8.8.8.8", "0.0.0.0"])
def test_a_test_that_reaches_beyond_this_machine_is_stopped(host: str) -> None:
    with socket.socket() as opened, pytest.raises(RuntimeError, match="loopback only"):
        opened.connect((host, 80))


def test_a_datagram_beyond_this_machine_is_stopped() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as opened, pytest.raises(RuntimeError, match="loopback only"):
        opened.sendto(b"x", ("192.0.2.1", 53))


@pytest.mark.parametrize("host", ["search.example", b"search.example"])
def test_a_name_is_not_looked_up_outside(host: str | bytes) -> None:
    with pytest.raises(RuntimeError, match="no name server"):
        socket.getaddrinfo(host, 80)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "192.0.2.1", None])
def test_what_needs_no_name_server_is_resolved(host: str | None) -> None:
    assert socket.getaddrinfo(host, 80)


def test_loopback_can_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()


def test_a_child_process_gets_a_data_directory_of_its_own_and_no_key(child_env: dict[str, str], tmp_path: Path) -> None:
    assert child_env["DEEPRESEARCH_HOME"].startswith(str(tmp_path))
    assert not {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DEEPRESEARCH_CONFIG"} & child_env.keys()
