"""Reads subtitles (.srt, .vtt): the words, in paragraphs of a minute with their time."""

import re

from deepresearch_mcp.web.pages.markdown import tidy
from deepresearch_mcp.web.parsed import Parsed, unread_page

_TIME = re.compile(r"^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,]\d{1,3}\s+-->\s", re.MULTILINE)
_TAG = re.compile(r"<[^<>\n]{0,100}>|\{\\[^{}\n]{0,100}\}")
_NUMBER = re.compile(r"\d+\s*$")
_SECONDS = 60


def is_subtitles(head: str) -> bool:
    """Return whether a text begins as subtitles do."""
    return head.lstrip("\ufeff \n\r\t").startswith("WEBVTT") or (
        bool(_TIME.search(head[:300])) and bool(re.match(r"[\ufeff\s]*\d", head))
    )


def parse_subtitles(text: str, limit: int) -> Parsed:
    """Return what is said, at most `limit` characters. Lines that repeat the one before, as rolling captions do, go."""
    minutes: list[tuple[int, list[str]]] = []
    last = ""
    moment = -1
    for line in tidy(text).split("\n"):
        time = _TIME.match(line)
        if time:
            moment = int(time[1] or 0) * 3600 + int(time[2]) * 60 + int(time[3])
            continue
        words = " ".join(_TAG.sub("", line).split())
        if moment < 0 or not words or _NUMBER.fullmatch(words) or words == last:
            continue
        last = words
        if not minutes or moment - minutes[-1][0] >= _SECONDS:
            minutes.append((moment, []))
        minutes[-1][1].append(words)
    whole = "\n\n".join(f"[{at // 3600}:{at // 60 % 60:02}:{at % 60:02}] {' '.join(said)}" for at, said in minutes)
    if not whole:
        return unread_page("empty", "The subtitles hold no words.")
    return {"kind": "subtitles", "text": whole[:limit], "flags": ["truncated"] if len(whole) > limit else []}
