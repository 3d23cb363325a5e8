"""Where the server's log goes: standard error, one plain line an entry."""

import logging


def to_stderr(level: str, *, anew: bool = False) -> None:
    """Send what is logged to standard error; logging that is set up already is kept, unless it is done `anew`."""
    logging.basicConfig(level=level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=anew)
    if anew:
        logging.getLogger("deepresearch_mcp").handlers.clear()
    # Every request of a client to a page or a service would be a line.
    for chatty in ("httpx2", "httpcore2", "mcp", "procrastinate", "psycopg"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, logging.getLogger().level))
