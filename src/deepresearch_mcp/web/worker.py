"""A parser process: reads jobs from standard input, answers on standard output and ends with its parent.

A frame is four bytes of length (big-endian) and that many bytes. A job is two frames: a JSON object of arguments and
the page's bytes. An answer is one frame, a JSON object. Two empty frames ask whether the process is alive. Answers
are JSON, not pickles: a hostile page that takes over this process must not run code in its parent.
"""

import ctypes
import json
import logging
import os
import signal
import sys
import warnings
from collections.abc import Mapping
from datetime import date
from importlib import import_module
from types import ModuleType
from typing import Any, BinaryIO

from deepresearch_mcp.web.parsed import Parsed, unread_page

MEMORY = 1_500_000_000
"""Limit of the address space in bytes, where the system supports one."""
SECONDS, SECONDS_A_CHARACTER = 1.0, 1e-5
"""Processor time for screening a text, fixed and per character. Ordinary texts take less than a third of it."""
GRACE = 5
"""Seconds over its time limit after which a process ends itself, in case its parent has died."""
READY = b'{"ready": true}'
ALIVE = bytes(8)
"""Two empty frames. A process that is alive answers with `READY`."""


def main() -> None:
    """Serve until standard input ends."""
    source, sink = _take_streams()
    _limit_memory()
    _load()
    _send(sink, READY)
    while (head := _receive(source)) is not None and (body := _receive(source)) is not None:
        _send(sink, do_job(head, body) if head else READY)
        del head, body
        give_back()


def do_job(head: bytes, body: bytes) -> bytes:
    """Do one job: parse and screen the page in `body`; if the job has `text`, only screen `body` as text."""
    job = json.loads(head)
    _set_alarm(int(job["seconds"]) + GRACE)
    try:
        page = _screened(body) if job.get("text") else _parsed(job, body)
    except Exception:  # noqa: BLE001 - third-party parsers on untrusted input; MemoryError is common
        page = unread_page("unparsable", "The page cannot be parsed.")
    finally:
        _set_alarm(0)
        _limit_time(0.0)
    return json.dumps(page).encode("ascii")


def _parsed(job: Mapping[str, Any], body: bytes) -> Parsed:
    today = date.fromisoformat(job["today"])
    extract = _parsers()
    page: Parsed = extract.parsed(body, job["url"], job["media_type"], job["charset"], job["limit"], job["most"], today)
    _limit_time(_allowed(page.get("text", "")))
    return extract.with_screening(page)


def _screened(body: bytes) -> Parsed:
    text = body.decode("utf-8", "surrogatepass")
    _limit_time(_allowed(text))
    return _parsers().screening(text)


def _allowed(text: str) -> float:
    return SECONDS + SECONDS_A_CHARACTER * len(text)


def give_back() -> None:
    """Return freed memory to the system if the C library can; otherwise a process grows by half."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def _take_streams() -> tuple[BinaryIO, BinaryIO]:
    """Move the two pipes to new descriptors, so that no library can print between the frames."""
    source, sink = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return os.fdopen(source, "rb"), os.fdopen(sink, "wb")


def _limit_memory() -> None:
    if sys.platform == "linux":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        wanted = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _load() -> None:
    """Import and run what a job needs, so that no job pays for loading it."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    extract = _parsers()
    extract.screening("Loaded.")
    extract.parse_html("<html><body><article><p>Loaded.</p></article></body></html>", "", 100, date(2000, 1, 1))


def _parsers() -> ModuleType:
    """Import the parsers, late: the parent imports this module too and should stay small.

    The streams must be taken and the memory limited before: the parsers may print and allocate while they load.
    """
    return import_module("deepresearch_mcp.web.extract")


def _set_alarm(seconds: int) -> None:
    if hasattr(signal, "alarm"):
        # Without a handler the alarm ends the process, even inside a C function.
        signal.alarm(seconds)


def _limit_time(seconds: float) -> None:
    """End this process after `seconds` of processor time; 0 removes the limit.

    Processor time does not depend on the load, so a busy machine kills no ordinary page. Without a handler the signal
    ends the process even inside a regular expression.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _receive(source: BinaryIO) -> bytes | None:
    size = source.read(4)
    if len(size) < 4:
        return None
    data = source.read(int.from_bytes(size, "big"))
    return data if len(data) == int.from_bytes(size, "big") else None


def _send(sink: BinaryIO, data: bytes) -> None:
    sink.write(len(data).to_bytes(4, "big") + data)
    sink.flush()


if __name__ == "__main__":
    main()
