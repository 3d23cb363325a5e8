import pytest
from pydantic import ValidationError

from deepresearch_mcp.settings.telemetry import LogSettings, TelemetrySettings, headers_of


def test_nothing_is_open_unless_it_is_set() -> None:
    settings = TelemetrySettings()
    assert (settings.metrics_open, LogSettings().format) == (False, "text")


def test_a_log_format_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValidationError):
        LogSettings.model_validate({"format": "xml"})


def test_headers_of_a_collector_are_read_and_a_wrong_one_is_told_without_its_value() -> None:
    headers = TelemetrySettings.model_validate({"otlp_headers": "X-Api-Key = planted , team=ice"}).otlp_headers
    assert headers is not None
    assert headers_of(headers) == {"x-api-key": "planted", "team": "ice"}
    with pytest.raises(ValidationError) as caught:
        TelemetrySettings.model_validate({"otlp_headers": "planted-without-a-name"})
    assert "planted" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "fine"),
    [
        ("http://127.0.0.1:4318", True),
        ("http://collector:4318", True),
        ("https://x.example", True),
        ("http://x.example", False),
    ],
)
def test_what_leaves_this_network_is_encrypted(url: str, fine: bool) -> None:
    for name in ("otlp_endpoint", "analytics_url"):
        if fine:
            assert getattr(TelemetrySettings.model_validate({name: url}), name) == url
        else:
            with pytest.raises(ValidationError, match="use https"):
                TelemetrySettings.model_validate({name: url})
