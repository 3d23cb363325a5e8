import pytest
from pydantic import ValidationError

from deepresearch_mcp.settings.telemetry import LogSettings, TelemetrySettings


def test_nothing_is_open_unless_it_is_set() -> None:
    settings = TelemetrySettings()
    assert (settings.metrics_open, LogSettings().format) == (False, "text")


def test_a_log_format_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValidationError):
        LogSettings.model_validate({"format": "xml"})
