"""The other sides of bench/load.py, each a process of its own: a bare handler to compare with, and a slow web.

load_sides.py bare    one Starlette handler that answers a line of JSON, served as our server is
load_sides.py web     a search and pages that keep their readers waiting, so that runs take their time
"""

import random
import sys

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from deepresearch_mcp.http_app.address import listening
from deepresearch_mcp.http_app.connections import Bounded

SEARCH, PAGE = (2.0, 8.0), (1.0, 10.0)
"""Seconds that an answer takes, from and to."""
PAGES = 12
_FACTS = (
    "Ice floats on water because it is about 9 percent less dense than liquid water.",
    "Water reaches its greatest density at 4 degrees Celsius.",
    "In ice, hydrogen bonds hold the molecules in an open hexagonal lattice.",
    "Lakes freeze from the top because the floating ice keeps the water below from freezing.",
)


async def bare(_: Request) -> Response:
    """Answer at once."""
    return JSONResponse({"status": "ok"})


async def search(request: Request) -> Response:
    """Find every page, after a while."""
    await anyio.sleep(random.uniform(*SEARCH))
    base = str(request.base_url)
    rows = [{"url": f"{base}page/{n}", "title": f"Ice, part {n}", "content": _FACTS[n % 4]} for n in range(PAGES)]
    return JSONResponse({"results": rows})


async def page(request: Request) -> Response:
    """Give an article, after a while."""
    await anyio.sleep(random.uniform(*PAGE))
    number = int(request.path_params["number"])
    told = "".join(f"<p>{_FACTS[(number + n) % 4]} Observation {number}-{n} says so too.</p>" for n in range(12))
    return HTMLResponse(f"<title>Ice, part {number}</title><article><h1>Ice, part {number}</h1>{told}</article>")


ROUTES = {"bare": [Route("/", bare)], "web": [Route("/search", search), Route("/page/{number}", page)]}


def main() -> None:
    """Serve until told to stop; the first line of standard output is the address."""
    with listening("127.0.0.1", 0) as listener:
        print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
        config = uvicorn.Config(Starlette(routes=ROUTES[sys.argv[1]]), http=Bounded, log_config=None, access_log=False)
        anyio.run(lambda: uvicorn.Server(config).serve(sockets=[listener]))


if __name__ == "__main__" and len(sys.argv) > 1:
    main()
