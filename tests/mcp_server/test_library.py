from mcp import Client

from small_web import Kept, said


async def test_passages_of_what_was_read_are_found_without_the_web(client: Client, kept: Kept) -> None:
    found = await client.call_tool("search_library", {"query": "open hexagonal lattice", "limit": 2})

    assert found.structured_content
    passages = found.structured_content["passages"]
    assert 1 <= len(passages) <= 2
    assert "hexagonal lattice" in passages[0]["text"]
    assert passages[0]["url"].endswith("/bonds")
    assert passages[0]["collection"] == ""


async def test_nothing_found_is_an_empty_list_and_a_wrong_question_a_sentence(client: Client) -> None:
    nothing = await client.call_tool("search_library", {"query": "zeppelin"})
    unknown = await client.call_tool("search_library", {"query": "ice", "collections": ["mine"]})
    empty = await client.call_tool("search_library", {"query": " "})

    assert (nothing.structured_content or {})["passages"] == []
    assert said(unknown).startswith("There is no collection 'mine'. There is none yet. Add a folder with `")
    wrong = await client.call_tool("search_library", {"query": "ice", "where": ["draft"]})
    pages = await client.call_tool("search_library", {"query": "hexagonal lattice", "where": ["type=pdf"]})

    assert said(wrong).startswith("'draft' is no condition.")
    assert (pages.structured_content or {})["passages"] == []
    assert said(empty) == "The query is empty. Say what you want to find."
    assert (unknown.is_error, empty.is_error) == (True, True)
