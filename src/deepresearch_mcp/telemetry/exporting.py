"""Sends traces to an OpenTelemetry collector, from a thread of its own; off without the extra and the setting."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import anyio
import anyio.to_thread

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.ports.watching import Traces
from deepresearch_mcp.settings.project import EXTRAS, adding, is_installed
from deepresearch_mcp.settings.telemetry import TelemetrySettings, headers_of
from deepresearch_mcp.telemetry.tracing import AGENT, Tracing
from deepresearch_mcp.version import __version__

_PATH = "/v1/traces"
_SECONDS = 5
"""For one request to the collector; also for what is left when the process ends."""
_EVERY_MS = 2_000


@asynccontextmanager
async def open_tracing(
    settings: TelemetrySettings, traces: Traces, installed: Callable[[str], bool] = is_installed
) -> AsyncGenerator[Tracing | None]:
    """Open tracing; None where no collector is set. Leaving the context sends what is left.

    Raises:
        SettingsError: The extra is not installed.
    """
    if not settings.otlp_endpoint:
        yield None
        return
    if not installed("otel"):
        raise SettingsError(
            "telemetry.otlp_endpoint is set, and the packages for traces are not installed.",
            f"Run: {adding(*EXTRAS['otel'])}",
        )
    # Late, and in a thread: it takes a tenth of a second.
    provider = await anyio.to_thread.run_sync(_provider, settings)
    try:
        yield Tracing(provider.get_tracer("deepresearch_mcp", __version__), traces)
    finally:
        with anyio.move_on_after(_SECONDS + 1, shield=True):
            await anyio.to_thread.run_sync(provider.shutdown, abandon_on_cancel=True)


def _provider(settings: TelemetrySettings):  # noqa: ANN202 - its type comes with the extra
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.sampling import ALWAYS_ON, ParentBased

    # All is given here: what is left out would be read from the environment.
    exporter = OTLPSpanExporter(
        endpoint=settings.otlp_endpoint if settings.otlp_endpoint.endswith(_PATH) else settings.otlp_endpoint + _PATH,
        headers=headers_of(settings.otlp_headers) if settings.otlp_headers else {},
        timeout=_SECONDS,
    )
    resource = Resource({"service.name": AGENT, "service.version": __version__})
    provider = TracerProvider(sampler=ParentBased(ALWAYS_ON), resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=_EVERY_MS))
    return provider
