import pytest

from deepresearch_mcp.llm.endpoints import is_address, is_private


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://localhost:1234/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://192.168.1.20/v1", True),
        ("http://10.0.0.7/v1", True),
        ("http://169.254.1.1/v1", True),
        ("http://gpu-box:8000/v1", True),
        ("http://llm.internal/v1", True),
        ("http://llm.local./v1", True),
        ("https://api.openai.com/v1", False),
        ("http://8.8.8.8/v1", False),
        ("https://127.0.0.1.example.org/v1", False),
        ("", False),
        ("http://host:port/v1", False),
    ],
)
def test_an_address_of_this_machine_or_network_is_private(address: str, private: bool) -> None:
    assert is_private(address) is private


@pytest.mark.parametrize(
    ("address", "there"),
    [
        ("https://api.openai.com/v1", True),
        ("http://[::1]:8000/v1", True),
        ("127.0.0.1/v1", False),
        ("localhost:11434", False),
        ("ftp://models.example/v1", False),
        ("http:///v1", False),
        ("http://host:port/v1", False),
    ],
)
def test_a_service_can_be_asked_over_http_at_a_host_alone(address: str, there: bool) -> None:
    assert is_address(address) is there
