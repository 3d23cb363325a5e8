"""The trace that a request belongs to, in the words of W3C Trace Context. Needs the API of OpenTelemetry alone."""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager

_FORM = re.compile(r"[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")


def current_traceparent() -> str:
    """The context of the span that the present task works in, as `traceparent` writes it; "" for none.

    The MCP SDK enters the one that a request's `_meta` names, `following` that of a request's header.
    """
    # Late: what serves no request needs none of it.
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get("traceparent", "")


@contextmanager
def following(headers: Mapping[str, str]) -> Generator[None]:
    """Enter the trace that the header `traceparent` of a request names; a wrong one is ignored."""
    given = headers.get("traceparent", "").strip()
    if not _FORM.fullmatch(given):
        yield
        return
    from opentelemetry import context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    token = context.attach(TraceContextTextMapPropagator().extract({"traceparent": given}))
    try:
        yield
    finally:
        context.detach(token)
