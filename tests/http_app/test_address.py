import re
import socket

import pytest

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.http_app.address import address_of, hosts_of, listening, origins_of, refuse_open


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])
def test_a_host_that_others_reach_is_refused(host: str) -> None:
    with pytest.raises(SettingsError, match=r"use --host 127\.0\.0\.1"):
        refuse_open(host)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.0.1", "::1", "localhost"])
def test_a_host_of_this_machine_alone_needs_no_sign_in(host: str) -> None:
    refuse_open(host)


def test_requests_may_name_our_own_address_the_public_one_and_those_that_are_allowed() -> None:
    with listening("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        hosts = hosts_of(listener, "https://research.example.com", ["inner:8765"])

    own = [f"{one}:{port}" for one in ("127.0.0.1", "localhost", "[::1]")]
    assert hosts == [*own, "research.example.com", "inner:8765"]
    assert "https://research.example.com" in origins_of(hosts, "https://research.example.com")
    assert origins_of(["a"]) == ["http://a"]


def test_a_port_that_is_taken_is_refused_in_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match=rf"Port {port} of 127\.0\.0\.1 cannot be used \([^(]*\)\. Choose"):
            listening("127.0.0.1", port)


def test_the_address_is_one_that_can_be_pasted() -> None:
    with listening("localhost", 0) as four:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/mcp", address_of(four))
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    try:
        six = listening("::1", 0)
    except SettingsError:
        pytest.skip("no IPv6 loopback here")
    with six:
        assert re.fullmatch(r"http://\[::1\]:\d+/mcp", address_of(six))
