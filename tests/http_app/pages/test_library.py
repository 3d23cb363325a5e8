from pages_world import BAD, Visitor, text_of


async def test_a_text_is_added_found_and_removed(visitor: Visitor) -> None:
    fields = {"collection": "notes", "text": f"# Ice\n\nIce floats {BAD} on water.", "path": "ice.md"}

    added = await visitor.send("/library", form_on="/library", action="add", **fields)
    listed = await visitor.get("/library?collection=notes")
    found = await visitor.get("/library?query=ice+floats")
    removed = await visitor.send(
        "/library", form_on="/library?collection=notes", action="remove", collection="notes", path="ice.md"
    )
    after = await visitor.get(removed.headers["location"])
    await visitor.send("/library", form_on="/library", action="remove_all", collection="notes")

    assert added.headers["location"] == "/library?told=added&collection=notes"
    assert "ice.md" in text_of(listed.text)
    assert "Ice floats" in text_of(found.text)
    assert BAD not in found.text
    assert "Documents 0" in text_of(after.text)
    assert (await visitor.get("/library?collection=notes")).status_code == 404


async def test_a_page_is_added_by_its_address_and_what_cannot_be_read_is_said_beside_the_form(visitor: Visitor) -> None:
    fine = {"collection": "web", "url": f"{visitor.web.base}/density"}
    private = {"collection": "web", "url": "http://127.0.0.1:1/"}

    added = await visitor.send("/library", form_on="/library", action="add", **fine)
    refused = await visitor.send("/library", form_on="/library", action="add", **private)
    both = await visitor.send("/library", form_on="/library", action="add", text="x", **fine)

    assert added.status_code == 303
    assert refused.status_code == 422
    assert private["url"] in refused.text
    assert "either text or url" in both.text
