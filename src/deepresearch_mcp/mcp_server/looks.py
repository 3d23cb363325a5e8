"""How the server looks in a client's menus."""

from urllib.parse import quote

from mcp import types

_LENS = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2a6fdb" stroke-width="2">'
    '<circle cx="10" cy="10" r="7"/><path d="m15 15 6 6M7 10l2 2 4-4"/></svg>'
)

ICONS = [types.Icon(src=f"data:image/svg+xml,{quote(_LENS, safe='=:/')}", mime_type="image/svg+xml", sizes=["any"])]
"""A lens with a tick: found, and checked."""
