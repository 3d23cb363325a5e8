"""The run object as text: whole where it fits, without its longest parts where not, or one of its lists in pages."""

import json
from typing import TYPE_CHECKING, Any, cast

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.mcp_server.texts import ROOM, Slice, call
from deepresearch_mcp.text.utf8 import shortened_to_bytes, size

if TYPE_CHECKING:
    from deepresearch_mcp.records.run import Run

LISTS = (
    *("sections", "citations", "claims", "sources", "unread", "warnings"),
    *("checks", "dead", "dangling", "unused", "uncited"),
)
"""What of a run object can be paged as JSON."""


def run_json(run: "Run", part: Slice, longest: int) -> str:
    """The run object, or a page of one of its lists, as JSON of at most `longest` bytes.

    A run object that is too long comes without its longest parts, and says how to get each of them. An item that is
    too long by itself comes with its texts shortened.

    Raises:
        InvalidRequest: There is no such list, or nothing behind the offset.
    """
    if part.section:
        return _list_page(run, part, longest - ROOM)
    whole = run.model_dump(mode="json")
    text = _compact(whole)
    left_out: dict[str, str] = {}
    provenance: dict[str, Any] = whole["provenance"] or {}
    if size(text) > longest - ROOM and provenance.pop("calls", ()):
        left_out["provenance.calls"] = f"research://runs/{run.run_id}/report.json"
        text = _compact({**whole, "left_out": left_out})
    pages = {"report": {"format": "markdown"}} | {
        name: {"format": "json", "section": name, "offset": 0} for name in LISTS
    }
    named = {"run_id", "status", "stage", *pages}
    for name in sorted(pages, key=lambda name: -size(_compact(whole[name]))) + sorted(
        {*whole} - named, key=lambda name: -size(_compact(whole[name]))
    ):
        if size(text) <= longest - ROOM:
            break
        del whole[name]
        how = pages.get(name)
        there = f"research://runs/{run.run_id}/report.json"
        left_out[name] = call("get_report", run_id=run.run_id, **how) if how else there
        text = _compact({**whole, "left_out": left_out})
    return text


def _list_page(run: "Run", part: Slice, room: int) -> str:
    if part.section not in LISTS:
        raise InvalidRequest(
            f"The run object has no list {part.section[:60]!r}.", f"With format=json, section is one of: {_named()}."
        )
    whole: list[Any] = run.model_dump(mode="json", include={part.section})[part.section]
    if part.offset and part.offset >= len(whole):
        raise InvalidRequest(
            f"offset {part.offset:,} is past the end: there are {len(whole):,} {part.section}.",
            "Use a smaller offset.",
        )

    items: list[Any] = []
    for item in whole[part.offset :]:
        took = size(_compact(item)) + 1
        if items and (took > room or len(items) == part.limit):
            break
        items.append(item if took <= room else _shorter(item, room))
        room -= took
    end = part.offset + len(items)
    following = end if end < len(whole) else None
    head = {"run_id": run.run_id, "status": run.status, "section": part.section, "total": len(whole)}
    return _compact({**head, "offset": part.offset, "next_offset": following, "items": items})


def _shorter(item: object, room: int) -> object:
    """An item of a list with its long texts shortened until it has so many bytes."""

    def cut(value: object, most: int) -> object:
        if isinstance(value, str):
            return shortened_to_bytes(value, most)
        if isinstance(value, list):
            return [cut(one, most) for one in cast("list[object]", value)[: max(1, most // 20)]]
        if isinstance(value, dict):
            return {name: cut(one, most) for name, one in cast("dict[str, object]", value).items()}
        return value

    most = room
    while most > 20 and size(_compact(cut(item, most))) + 1 > room:
        most = most * 2 // 3
    return cut(item, most)


def _named() -> str:
    return ", ".join(LISTS)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
