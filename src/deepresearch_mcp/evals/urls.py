"""`urls`: does a connection go to the host that the URL standard reads in an address?"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, folder, json_file
from deepresearch_mcp.exceptions import FetchRefused
from deepresearch_mcp.text.urls import joined_url, normalise_url
from deepresearch_mcp.web.fetching.guard import AllowList, check_url

_EVERYTHING = AllowList.of(("0.0.0.0/0", "::/0"))
"""Private addresses too: here it is measured which host is read, not whether it may be asked."""
_PORTS = range(1, 65_536)
_WEB = {"http:", "https:"}


async def measure(data: Path, lab: Lab) -> Result:
    """Hold the host and port that we would connect to against those that the Web Platform Tests expect.

    Relative addresses are joined to their base, as redirects and links are. `differing`: number of addresses that we
    accept with another scheme, host or port than expected, or although the standard refuses them. `renamed`: number
    whose host changes when the address is normalised. `agreed`: share of the valid http and https addresses that we
    accept; refused are those that two parsers could read differently. `crashes`: other exceptions.

    Raises:
        InvalidRequest: The set is missing or damaged.
    """
    del lab
    where = folder(data, FOLDERS["urls"])
    counted: Counter[str] = Counter()
    notes: list[str] = []
    cases = list(_cases(where))
    for given, expected in cases:
        verdict = _verdict(given, expected)
        counted[verdict] += 1
        counted["valid"] += expected is not None and expected[0] in _WEB
        if verdict in {"differing", "renamed", "crashes"}:
            notes.append(f"{verdict}: {ascii(given)[:100]}, expected {expected}")
    figures = {
        "differing": counted["differing"],
        "renamed": counted["renamed"],
        "agreed": counted["agreed"] / max(1, counted["valid"]),
        "crashes": counted["crashes"],
    }
    return Result("urls", len(cases), figures, notes[:20])


def _cases(where: Path) -> Iterator[tuple[str, tuple[str, str, str] | None]]:
    """Yield each address with the scheme, host and port expected; None: the standard refuses it."""
    for name in ("wpt_urltestdata*.json*", "wpt_ada_extra_urltestdata*.json*"):
        for case in _objects(json_file(where, name)):
            base = case.get("base") or ""
            if not base.startswith(("http://", "https://")) and base not in {"", "about:blank"}:
                continue  # no page that we read has such an address
            if base.startswith("http") and not normalise_url(base):
                continue
            joined = _joined(base if base.startswith("http") else "", case["input"])
            expected = None if case.get("failure") else (case["protocol"], case["hostname"], case["port"])
            yield joined, expected
    for name in ("wpt_toascii*.json*", "wpt_IdnaTestV2*.json*"):
        for case in _objects(json_file(where, name)):
            host = case["output"]
            if "/" not in case["input"] and "?" not in case["input"] and "#" not in case["input"]:
                yield f"https://{case['input']}/", ("https:", host, "") if host else None


def _objects(rows: list[Any]) -> Iterator[dict[str, Any]]:
    return (cast(dict[str, Any], row) for row in rows if isinstance(row, dict))


def _joined(base: str, given: str) -> str:
    try:
        return joined_url(base, given) if base else given
    except ValueError:
        return given


def _verdict(given: str, expected: tuple[str, str, str] | None) -> str:
    try:
        url = check_url(given, _EVERYTHING, _PORTS)
    except FetchRefused:
        return "refused"
    except Exception:  # noqa: BLE001 - what is measured is whether anything else is raised
        return "crashes"
    host = url.raw_host.decode("ascii")
    shown = f"[{host}]" if ":" in host else host
    found = (f"{url.scheme}:", shown, str(url.port or ""))
    # A full stop behind a name is the root of all names; without it the same host is asked.
    if expected is None or found != (expected[0], expected[1].removesuffix("."), expected[2]):
        return "differing"
    named = urlsplit(normalise_url(str(url))).hostname or ""
    return "agreed" if named in {host, host.removeprefix("www."), ""} else "renamed"
