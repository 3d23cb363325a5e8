import re
import socket

import pytest

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.mcp_server.http_address import address_of, listening


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])
def test_a_host_that_others_reach_is_refused(host: str) -> None:
    with pytest.raises(SettingsError, match=r"Use --host 127\.0\.0\.1"):
        listening(host, 0)


def test_a_port_that_is_taken_is_refused_in_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match=rf"Port {port} of 127\.0\.0\.1 cannot be used .* Choose another"):
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
