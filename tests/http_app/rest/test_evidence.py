import re
from pathlib import Path

from rest_world import RestWorld, served_rest
from small_web import QUESTION


async def ended(world: RestWorld) -> str:
    begun = await world.call("POST", "/research/runs", {"question": QUESTION, "effort": "quick"})
    await world.call("GET", f"{begun.headers['location']}?wait_seconds=45")
    return str(begun.headers["location"])


async def test_a_report_is_given_in_every_form_in_parts_and_not_twice(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        there = await ended(world)
        whole = await world.call("GET", f"{there}/report")
        known = await world.call("GET", f"{there}/report", if_none_match=whole.headers["etag"])
        first = await world.call("GET", f"{there}/report?limit=200")
        second = await world.call("GET", first.headers["link"].split(">")[0].removeprefix("<"))
        page = await world.call("GET", f"{there}/report?format=html")
        data = (await world.call("GET", f"{there}/report?format=json")).json()
        claims = (await world.call("GET", f"{there}/report?format=json&section=claims&limit=1")).json()
        files = {
            form: await world.call("GET", f"{there}/report?format={form}")
            for form in ("docx", "pdf", "csl-json", "ris")
        }
        part = await world.call("GET", f"{there}/report?format=docx&limit=5")
        past = await world.call("GET", f"{there}/report?offset=9999999")

    assert whole.text.startswith(f"# {QUESTION}")
    assert whole.headers["content-type"] == "text/markdown; charset=utf-8"
    assert (known.status_code, known.content) == (304, b"")
    assert whole.text.startswith(first.text)
    assert whole.text.startswith(first.text + second.text[:50])
    assert "<html" in page.text
    assert data["report"] == whole.text
    assert len(claims["items"]) == 1
    assert past.status_code == 422
    assert files["docx"].content.startswith(b"PK")
    assert files["pdf"].content.startswith(b"%PDF-")
    assert files["pdf"].headers["content-type"] == "application/pdf"
    assert re.fullmatch(r'attachment; filename="[a-z-]+-\w{8}\.docx"', files["docx"].headers["content-disposition"])
    assert files["csl-json"].json()[0]["URL"] in {one["url"] for one in data["sources"]}
    assert files["ris"].text.startswith("TY  - ")
    assert (part.status_code, part.json()["detail"]) == (422, "The format docx is given whole.")


async def test_what_a_page_says_is_never_run_by_a_browser_nor_kept_for_another_caller(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        there = await ended(world)
        [source, *_] = (await world.call("GET", f"{there}/sources")).json()
        text = await world.call("GET", f"{there}/sources/{source['source_id']}")
        answers = [await world.call("GET", f"{there}{part}") for part in ("", "/claims", "/sources", "/events")]

    assert {one.headers["x-content-type-options"] for one in (text, *answers)} == {"nosniff"}
    assert {one.headers["cache-control"] for one in answers} == {"no-store"}
    assert (text.headers["cache-control"], text.headers["vary"]) == ("private, no-cache", "Authorization, Cookie")


async def test_each_claim_leads_to_the_words_in_the_text_of_its_source(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        there = await ended(world)
        [claim, *_] = (await world.call("GET", f"{there}/claims")).json()
        alone = (await world.call("GET", f"{there}/claims/{claim['claim_id']}")).json()
        sources = (await world.call("GET", f"{there}/sources")).json()
        quote = claim["quotes"][0]
        text = (await world.call("GET", f"{there}/sources/{quote['source_id']}")).text
        marked = await world.call("GET", f"{there}/sources/{quote['source_id']}?claim={claim['claim_id']}")
        none = await world.call("GET", f"{there}/claims/k0000000000")

    assert alone == claim
    assert quote["source_id"] in {one["source_id"] for one in sources}
    assert text[quote["start"] : quote["end"]] == quote["text"]
    assert f"<mark>{quote['text']}</mark>" in marked.text
    assert (none.status_code, none.json()["code"]) == (404, "E1101")


async def test_events_are_read_on_from_the_last_one_seen(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        there = await ended(world)
        first = (await world.call("GET", f"{there}/events?limit=3")).json()
        rest = (await world.call("GET", f"{there}/events?after={first['next_after']}")).json()

    assert first["events"][0]["kind"] == "started"
    assert rest["events"][0]["number"] > first["next_after"]
    assert rest["next_after"] is None
