import gzip
import re
from collections.abc import AsyncGenerator, Callable
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchFailed, FetchRefused, SettingsError
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.masking import Masking
from deepresearch_mcp.web.reader import PageReader, open_web


@pytest.fixture
async def web(settings: WebSettings, clock: HandClock, documents: Any) -> AsyncGenerator[PageReader]:
    async with open_web(settings, clock, documents) as reader:
        yield reader


async def reason(web: PageReader, url: str) -> str:
    with pytest.raises(FetchFailed) as caught:
        await web.fetch(url)
    assert caught.value.url == url
    return caught.value.reason


async def test_a_page_becomes_a_document(web: PageReader, site: Any, make: Any, clock: HandClock) -> None:
    site.pages["/ice"] = make.http()

    document = await web.fetch(site.url("/ice#part"), needs=("search/1",))

    assert document.text.startswith("# Ice")
    assert (document.title, document.site, document.kind) == ("Why ice floats", "127.0.0.1", "html")
    assert (document.url, document.requested_url) == (site.url("/ice"), site.url("/ice#part"))
    assert document.read_at == clock.now()
    assert document.flags == ("undated",)
    assert site.asked == ["/robots.txt", "/ice"]


async def test_a_page_is_used_again_and_then_asked_whether_it_changed(
    web: PageReader, site: Any, make: Any, clock: HandClock
) -> None:
    site.pages["/ice"] = [
        make.http(ETag='"v1"', Last_Modified="Thu, 01 Jan 2026 00:00:00 GMT"),
        make.http("", "304 Not Modified"),
    ]
    first = await web.fetch(site.url("/ice"))

    again = await web.fetch(site.url("/ice?utm_source=x"))
    clock.advance(3601)
    unchanged = await web.fetch(site.url("/ice"))
    still = await web.fetch(site.url("/ice"))

    assert [again.text, unchanged.text, still.text] == [first.text] * 3
    assert again.flags == still.flags == ("undated", "from_cache")
    assert [path for path in site.asked if path == "/ice"] == ["/ice"] * 2
    assert b'if-none-match: "v1"' in site.requests[-1].lower()
    assert b"if-modified-since" in site.requests[-1].lower()


@pytest.mark.parametrize("kind", ["pdf", "docx", "xlsx", "pptx", "epub"])
async def test_a_document_that_seldom_changes_is_used_for_longer(
    web: PageReader, site: Any, make: Any, documents: Any, clock: HandClock, kind: str
) -> None:
    site.pages["/ice"] = make.http()
    await web.fetch(site.url("/ice"))
    [(key, (card, validators))] = documents.cache.items()
    expires = validators["expires"] + 6 * 86_400
    documents.cache[key] = (card.model_copy(update={"kind": kind}), validators | {"expires": expires})

    clock.advance(5 * 86_400)
    await web.fetch(site.url("/ice"))
    clock.advance(2 * 86_400)
    await web.fetch(site.url("/ice"))

    assert site.asked.count("/ice") == 2


async def test_a_changed_page_replaces_the_one_kept(web: PageReader, site: Any, make: Any, clock: HandClock) -> None:
    site.pages["/ice"] = [make.http(), make.http(make.page.replace("Ice floats", "Wood floats"))]
    await web.fetch(site.url("/ice"))
    clock.advance(3601)

    document = await web.fetch(site.url("/ice"))

    assert "Wood floats" in document.text
    assert "from_cache" not in document.flags


@pytest.mark.parametrize(("control", "kept"), [("no-store", False), ("max-age=0, no-cache", True)])
async def test_a_server_may_want_to_be_asked_each_time(
    web: PageReader, site: Any, make: Any, documents: Any, control: str, kept: bool
) -> None:
    site.pages["/ice"] = make.http(Cache_Control=control)

    await web.fetch(site.url("/ice"))
    await web.fetch(site.url("/ice"))

    assert site.asked.count("/ice") == 2
    assert bool(documents.cache) is kept


async def test_a_kept_page_whose_text_is_gone_is_fetched_anew(
    web: PageReader, site: Any, make: Any, documents: Any
) -> None:
    site.pages["/ice"] = make.http(ETag='"v1"')
    await web.fetch(site.url("/ice"))
    documents.texts.clear()

    assert (await web.fetch(site.url("/ice"))).text
    assert b"if-none-match" not in site.requests[-1].lower()


async def test_personal_data_is_masked_before_a_page_is_kept(
    settings: WebSettings, clock: HandClock, documents: Any, site: Any, make: Any
) -> None:
    site.pages["/ice"] = make.http(make.page.replace("Ice floats", "Ask ann@lee.example why ice floats"))

    async with open_web(settings, clock, documents) as web:
        assert "ann@lee.example" in (await web.fetch(site.url("/ice"))).text
    async with open_web(settings, clock, documents, masker=Masking(["email"])) as web:
        cached = await web.fetch(site.url("/ice"))
        clock.advance(3601)
        fresh = await web.fetch(site.url("/ice"))

    assert "Ask ███████████████ why" in cached.text
    assert fresh.text == cached.text
    assert documents.cache[site.url("/ice")][0].snapshot == fresh.snapshot
    assert documents.texts[fresh.snapshot] == fresh.text


@pytest.mark.parametrize("respected", [True, False])
async def test_a_page_that_wants_no_ai_is_left_unread_by_setting(
    settings: WebSettings, clock: HandClock, documents: Any, site: Any, make: Any, *, respected: bool
) -> None:
    site.pages["/header"] = make.http(X_Robots_Tag="noindex, noai")
    site.pages["/meta"] = make.http(make.page.replace("<title>", '<meta name="robots" content="noai"><title>'))
    settings = settings.model_copy(update={"respect_noai": respected})

    async with open_web(settings, clock, documents) as web:
        for path in ("/header", "/meta", "/meta"):
            if respected:
                assert await reason(web, site.url(path)) == "no_ai"
            else:
                assert "no_ai" in (await web.fetch(site.url(path))).flags


@pytest.mark.parametrize("path", ["/moved", "/sent"])
async def test_redirects_of_both_kinds_lead_to_the_page(web: PageReader, site: Any, make: Any, path: str) -> None:
    site.pages["/moved"] = make.http("", "301 Moved", Location="/ice")
    site.pages["/sent"] = make.http('<html><head><meta http-equiv="refresh" content="0; url=/ice"></head></html>')
    site.pages["/ice"] = make.http()

    document = await web.fetch(site.url(path))

    assert (document.url, document.requested_url) == (site.url("/ice"), site.url(path))


async def test_a_page_that_sends_its_reader_nowhere_is_read_where_it_has_words(
    web: PageReader, site: Any, make: Any
) -> None:
    refresh = '<meta http-equiv="refresh" content="0; url=/gone">'
    site.pages["/empty"] = make.http(f"<html><head>{refresh}</head></html>")
    site.pages["/words"] = make.http(f"<html><head>{refresh}</head><body><p>Ice floats.</p></body></html>")
    site.pages["/loop"] = make.http('<meta http-equiv="refresh" content="0; url=/empty2">')
    site.pages["/empty2"] = make.http('<meta http-equiv="refresh" content="0; url=/loop">')

    assert await reason(web, site.url("/empty")) == "not_found"
    assert (await web.fetch(site.url("/words"))).text == "Ice floats."
    assert await reason(web, site.url("/loop")) == "empty"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ({"body": "", "status": "404 Not Found"}, "not_found"),
        ({"body": "", "status": "503 Busy"}, "server_error"),
        ({"body": b"\x89PNG", "media_type": "image/png"}, "unsupported_type"),
        ({"body": "<html><body><script>run()</script></body></html>"}, "empty"),
        ({"body": "<html><title>404 Not Found</title><body>Nothing</body></html>"}, "not_found"),
        ({"body": b"%PDF-1.4 broken", "media_type": "application/pdf"}, "unparsable"),
        ({"body": "", "status": "302 Found", "Location": "http://10.0.0.1/"}, "address_refused"),
        ({"body": gzip.compress(b"x" * 40_000_000), "Content_Encoding": "gzip"}, "too_large"),
    ],
    ids=["404", "503", "picture", "script", "soft 404", "pdf", "inside", "bomb"],
)
async def test_each_unread_page_has_its_reason(
    web: PageReader, site: Any, make: Any, reply: dict[str, Any], expected: str
) -> None:
    site.pages["/page"] = make.http(**reply)

    assert await reason(web, site.url("/page")) == expected


async def test_pages_that_robots_txt_forbids_are_refused(
    site: Any, make: Any, web: PageReader, settings: WebSettings, clock: HandClock, documents: Any
) -> None:
    site.pages["/robots.txt"] = make.http("User-agent: *\nDisallow: /secret\n", media_type="text/plain")
    site.pages["/secret"] = make.http()
    site.pages["/moved"] = make.http("", "302 Found", Location="/secret")

    assert await reason(web, site.url("/secret")) == "robots"
    assert await reason(web, site.url("/moved")) == "robots"
    assert "/secret" not in site.asked

    fearless = settings.model_copy(update={"robots": False})
    async with open_web(fearless, clock, documents) as other:
        assert (await other.fetch(site.url("/secret"))).text


async def test_a_dead_host_is_left_alone(web: PageReader, site: Any, make: Any) -> None:
    site.pages["/page"] = make.http("", "500 Broken")

    heard = [await reason(web, site.url("/page")) for _ in range(6)]

    assert heard == ["server_error"] * 5 + ["circuit_open"]


async def test_a_wrong_charset_and_a_slow_page_are_told(
    site: Any, make: Any, settings: WebSettings, clock: HandClock, documents: Any
) -> None:
    async def stall(stream: Any) -> None:
        await anyio.sleep_forever()

    site.pages["/german"] = make.http(make.page.replace("Ice floats", "Eis läßt sich").encode("cp1252"))
    site.pages["/slow"] = stall
    async with open_web(settings, clock, documents) as web:
        document = await web.fetch(site.url("/german"))
    hasty = settings.model_copy(update={"timeout": 0.3})
    async with open_web(hasty, clock, documents) as web:
        assert await reason(web, site.url("/slow")) == "timed_out"

    assert "charset_guessed" in document.flags
    assert "läßt" in document.text


@pytest.mark.parametrize("url", ["", "no address", "ftp://example.org/", "http://10.0.0.1/", "http://example.org:22/"])
async def test_addresses_that_may_not_be_read_are_refused(web: PageReader, url: str) -> None:
    with pytest.raises(FetchRefused):
        await web.fetch(url)


async def test_a_name_is_looked_up_where_it_is_told(
    site: Any, make: Any, settings: WebSettings, clock: HandClock, documents: Any
) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return {"ice.example": ["127.0.0.1"], "inside.example": ["10.0.0.7"]}[host]

    site.pages["/ice"] = make.http()
    allowed = settings.model_copy(update={"allow_private": (f"ice.example:{site.port}",)})
    async with open_web(allowed, clock, documents, resolve=resolve) as web:
        document = await web.fetch(f"http://ice.example:{site.port}/ice")
        with pytest.raises(FetchRefused) as caught:
            await web.fetch("http://inside.example/")

    assert document.site == "ice.example"
    assert "10.0.0.7" not in str(caught.value)


async def test_an_allow_list_that_makes_no_sense_is_told_at_once(clock: HandClock, documents: Any) -> None:
    with pytest.raises(SettingsError):
        async with open_web(WebSettings(allow_private=("no host!",)), clock, documents):
            pass


async def test_nothing_hostile_does_more_than_fail(web: PageReader, site: Any, data: Callable[[str], Any]) -> None:
    for number, row in enumerate(data("http_hostile/responses.json")[::3]):

        async def send(stream: Any, raw: bytes = row["latin1"].encode("latin-1")) -> None:
            await stream.send(raw)
            await stream.send_eof()

        site.pages[f"/{number}"] = send
        try:
            document = await web.fetch(site.url(f"/{number}"))
        except FetchFailed:
            continue
        assert not re.search(r"[\x00-\x08]", document.text)


async def test_a_secret_in_an_address_fetches_the_page_and_is_kept_nowhere(
    web: PageReader, site: Any, make: Any, documents: Any
) -> None:
    site.pages["/ice?token=tops3cret"] = make.http()

    first = await web.fetch(site.url("/ice?token=tops3cret"))
    await web.fetch(site.url("/ice?token=tops3cret"))

    assert site.asked.count("/ice?token=tops3cret") == 2
    assert first.url == first.requested_url == site.url("/ice")
    assert not documents.cache


def older(documents: Any, key: str) -> None:
    """As if a version that did not keep it had stored the page."""
    card, validators = documents.cache[key]
    documents.cache[key] = (card.model_copy(update={"screening": None}), validators)


async def test_a_page_that_an_older_version_stored_is_screened_once(
    web: PageReader, site: Any, make: Any, documents: Any
) -> None:
    site.pages["/ice"] = make.http()
    new = await web.fetch(site.url("/ice"))
    [key] = documents.cache
    older(documents, key)

    again = await web.fetch(site.url("/ice"))

    assert new.screening is not None
    assert again.screening == new.screening == documents.cache[key][0].screening
    assert again.flags == ("undated", "from_cache")
    assert site.asked == ["/robots.txt", "/ice"]


async def test_a_page_that_is_not_modified_is_screened_too(
    web: PageReader, site: Any, make: Any, documents: Any, clock: HandClock
) -> None:
    site.pages["/ice"] = [make.http(ETag='"v1"'), make.http("", "304 Not Modified")]
    new = await web.fetch(site.url("/ice"))
    [key] = documents.cache
    older(documents, key)
    clock.advance(3601)

    again = await web.fetch(site.url("/ice"))

    assert again.screening == new.screening == documents.cache[key][0].screening


async def test_what_another_version_found_is_looked_for_again(web: PageReader, site: Any, make: Any) -> None:
    site.pages["/ice"] = make.http()
    new = await web.fetch(site.url("/ice"))
    assert new.screening is not None
    stale = new.model_copy(update={"screening": new.screening.model_copy(update={"version": "0", "sketch": ()})})

    assert await web.screened(new) is new
    assert await web.screened(stale) == new


async def test_the_pages_of_one_story_are_read_as_one_document(
    web: PageReader, site: Any, make: Any, documents: Any
) -> None:
    for number in range(1, 6):
        link = f"<a href='/story?page={number + 1}'>Next page</a>"
        body = make.page.replace("Ice floats", f"On page {number} ice floats").replace(
            "</article>", f"</article>{link}"
        )
        site.pages["/story" if number == 1 else f"/story?page={number}"] = make.http(body)

    document = await web.fetch(site.url("/story"))
    again = await web.fetch(site.url("/story"))

    assert [number for number in range(1, 6) if f"On page {number} ice" in document.text] == [1, 2, 3, 4]
    assert document.also == tuple(site.url(f"/story?page={number}") for number in (2, 3, 4))
    assert "continued" in document.flags
    assert document.screening is not None
    assert again.text == document.text
    assert len(site.asked) == 5


async def test_a_page_has_the_identity_of_the_address_by_which_it_names_itself(
    web: PageReader, site: Any, make: Any
) -> None:
    page = make.page.replace("<title>", '<link rel="canonical" href="/ice"><title>')
    site.pages["/ice"] = site.pages["/ice?sid2=4"] = site.pages["/ice?page=2"] = make.http(page)

    named, copy, other = [await web.fetch(site.url(path)) for path in ("/ice", "/ice?sid2=4", "/ice?page=2")]

    assert copy.source_id == named.source_id
    assert (copy.url, copy.also) == (site.url("/ice?sid2=4"), (site.url("/ice"),))
    assert other.source_id != named.source_id
