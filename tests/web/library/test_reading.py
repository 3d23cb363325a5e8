"""Documents of collections are read beside the web, by the runs of their caller alone."""

from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchFailed, FetchRefused
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.library.reading import WebWithLibrary
from deepresearch_mcp.web.reader import open_web

NOTE = "library://notes/ice.md"


async def test_an_address_of_the_library_is_read_from_it_and_any_other_from_the_web(
    settings: WebSettings, clock: HandClock, documents: Any, collections: Any, site: Any, make: Any
) -> None:
    site.pages["/ice"] = make.http()
    async with open_web(settings, clock, documents) as web:
        page = await web.fetch(site.url("/ice"))
        document = page.model_copy(update={"url": NOTE})
        await collections.put("notes", "/notes", 0.0)
        await collections.add("notes", FileStamp("ice.md", 1, 1), document)
        reading = WebWithLibrary(web, collections, web.readied)

        assert await reading.fetch(NOTE) == document
        assert (await reading.fetch(site.url("/ice"))).text == page.text
        with pytest.raises(FetchFailed) as missing:
            await reading.fetch("library://notes/other.md")
        # All callers of a process have this web in common.
        with pytest.raises(FetchRefused) as alone:
            await web.fetch(NOTE)

    assert (missing.value.reason, alone.value.reason) == ("not_found", "address_refused")
