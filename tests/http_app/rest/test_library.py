from pathlib import Path

from rest_world import served_rest

NOTES = "# Ice\n\nIce floats on water because it is less dense than liquid water."


async def test_documents_are_added_by_text_and_address_found_and_removed(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        there = "/library/collections/notes/documents"
        text = await world.call("POST", there, {"text": NOTES, "path": "own/ice.md"})
        page = await world.call("POST", there, {"url": f"{world.web.base}/lakes"})
        found = (await world.call("GET", "/library/search?query=ice+dense&collections=notes")).json()
        paths = (await world.call("GET", there)).json()["paths"]
        [row] = (await world.call("GET", "/library/collections")).json()["collections"]
        one = await world.call("DELETE", f"{there}?path=own/ice.md")
        left = (await world.call("GET", there)).json()["paths"]
        again = await world.call("DELETE", f"{there}?path=own/ice.md")
        whole = await world.call("DELETE", "/library/collections/notes")
        after = await world.call("GET", there)

    assert (text.status_code, text.json()["title"]) == (201, "Ice")
    assert text.json()["url"] == "library://notes/own/ice.md"
    assert page.status_code == 201
    assert found["passages"][0]["collection"] == "notes"
    assert sorted(paths) == sorted([page.json()["path"], "own/ice.md"])
    assert (row["name"], row["documents"]) == ("notes", 2)
    assert (one.status_code, left, again.status_code) == (204, [page.json()["path"]], 404)
    assert (whole.status_code, after.json()["code"]) == (204, "E1104")


async def test_names_that_lead_elsewhere_and_orders_of_nothing_are_refused(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        there = "/library/collections/notes/documents"
        tried = [
            await world.call("POST", there, {"text": NOTES, "path": "../secret.md"}),
            await world.call("POST", there, {}),
            await world.call("POST", there, {"text": NOTES, "url": "https://one.example"}),
            await world.call("POST", "/library/collections/..%2Fx/documents", {"text": NOTES}),
            await world.call("POST", there, {"url": "file:///etc/passwd"}),
        ]
        reading = await world.call("POST", there, {"text": NOTES}, x_scopes="runs:read runs:write")

    assert {one.status_code for one in tried} <= {404, 422, 424}
    assert reading.status_code == 403
