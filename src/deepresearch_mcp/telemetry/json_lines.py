"""Log lines as JSON objects, with the run and step that wrote them and without secrets."""

import json
import logging
import re
from collections.abc import Iterable
from datetime import UTC, datetime

from typing_extensions import override

from deepresearch_mcp.telemetry.observing import where

HIDDEN = "***"
_SHORTEST = 4
"""Characters of a secret: hiding a shorter one would hide half of all words."""
_LONGEST = 20_000
"""Characters of a message or a trace; the rest is cut, so that one line stays one write."""
_HEADER = re.compile(
    r"(?i)\b(authorization|proxy-authorization|cookie|x-api-key|x-subscription-token)\b\W{1,4}[^\r\n,}]*"
)
_BEARER = re.compile(r"(?i)\bbearer [^\s'\",}]+")
_USER = re.compile(r"(?<=://)[^\s/@]{1,400}@")


class JsonLines(logging.Formatter):
    """One object a line: `at`, `level`, `logger`, `message`, `run_id`, `step`, and `trace` where there is one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        super().__init__()
        self._secrets = sorted({one for one in secrets if len(one) >= _SHORTEST}, key=len, reverse=True)

    @override
    def format(self, record: logging.LogRecord) -> str:
        at = where()
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": self._clean(record.getMessage()),
            **({"run_id": at.run_id} if at.run_id else {}),
            **({"step": at.step} if at.step else {}),
            **({"trace": self._clean(self.formatException(record.exc_info))} if record.exc_info else {}),
        }
        return json.dumps(line, ensure_ascii=False)

    def _clean(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        text = _HEADER.sub(rf"\1: {HIDDEN}", text[:_LONGEST])
        return _USER.sub(f"{HIDDEN}@", _BEARER.sub(f"Bearer {HIDDEN}", text))
