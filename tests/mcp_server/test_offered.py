from importlib.resources import files

import pytest
from mcp import Client, types

from deepresearch_mcp.mcp_server.server import ResearchServer

CLAUDE = types.Implementation(name="claude-code", version="2.1.330")

GIVEN = {
    "research": {"question": "Why does ice float, at $5 {a} piece?", "effort": "quick"},
    "fact_check": {"text": "Ice sinks [1]."},
    "compare": {"subjects": "PostgreSQL and SQLite", "criteria": "writers"},
    "literature_review": {"topic": "sea ice", "since": "2020"},
    "briefing": {"topic": "sea ice", "audience": "a captain"},
}


async def test_every_prompt_is_offered_with_a_title_and_its_arguments(era: str, server: ResearchServer) -> None:
    async with Client(server, mode=era) as client:
        prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}

    assert prompts.keys() == GIVEN.keys()
    assert {f"{name}.md" for name in prompts} == {
        one.name for one in (files("deepresearch_mcp.prompts") / "offered").iterdir()
    }
    for name, prompt in prompts.items():
        assert prompt.title
        assert prompt.description
        assert prompt.icons
        assert {argument.name: bool(argument.description) for argument in prompt.arguments or ()} == dict.fromkeys(
            GIVEN[name], True
        )
        assert next(argument.required for argument in prompt.arguments or ())


@pytest.mark.parametrize("name", GIVEN)
async def test_a_prompt_holds_what_was_given_and_names_tools_there_are(server: ResearchServer, name: str) -> None:
    async with Client(server) as client:
        [message] = (await client.get_prompt(name, GIVEN[name])).messages
        tools = [tool.name for tool in (await client.list_tools()).tools]

    assert isinstance(message.content, types.TextContent)
    assert all(value in message.content.text for value in GIVEN[name].values())
    assert "$" not in message.content.text.replace("$5", "")
    assert any(tool in message.content.text for tool in tools)


async def test_what_may_be_left_out_has_a_default_and_efforts_complete(server: ResearchServer) -> None:
    async with Client(server) as client:
        [message] = (await client.get_prompt("research", {"question": "Why?", "effort": "huge"})).messages
        efforts = await client.complete(
            types.PromptReference(type="ref/prompt", name="research"), {"name": "effort", "value": "d"}
        )

    assert isinstance(message.content, types.TextContent)
    assert 'effort="standard"' in message.content.text
    assert efforts.completion.values == ["deep"]


CUT = {
    "research": {"question": "What", "effort": "is"},
    "fact_check": {"text": "Ice"},
    "compare": {"subjects": "PostgreSQL", "criteria": "and"},
    "literature_review": {"topic": "sea", "since": "ice"},
    "briefing": {"topic": "sea", "audience": "ice"},
}
"""What Claude Code 2.1.330 makes of words behind a slash prompt: one for each argument, the rest is dropped."""


@pytest.mark.parametrize("name", CUT)
async def test_a_prompt_that_was_given_single_words_says_where_the_whole_text_stands(
    server: ResearchServer, name: str
) -> None:
    async with Client(server) as client:
        [message] = (await client.get_prompt(name, CUT[name])).messages

    assert isinstance(message.content, types.TextContent)
    assert "stands between <command-args> and </command-args> in this same" in message.content.text


@pytest.mark.parametrize(
    ("name", "given", "sure"),
    [
        ("research", {"question": "What", "effort": "is"}, True),
        ("research", {"question": "What", "effort": "deep"}, False),
        ("research", {"question": "What", "effort": " Deep "}, False),
        ("research", {"question": "What", "effort": ""}, False),
        ("literature_review", {"topic": "sea", "since": "ice"}, True),
        ("literature_review", {"topic": "sea ice", "since": "2020-05"}, False),
        ("literature_review", {"topic": "sea ice", "since": "2020-2024"}, False),
        ("literature_review", {"topic": "sea ice", "since": ""}, False),
        ("literature_review", {"topic": "sea ice"}, False),
    ],
)
async def test_an_argument_that_cannot_be_what_it_should_is_a_sure_sign_of_claude_code_alone(
    era: str, server: ResearchServer, name: str, given: dict[str, str], sure: bool
) -> None:
    async with Client(server, mode=era) as client:
        [other] = (await client.get_prompt(name, given)).messages
    async with Client(server, mode=era, client_info=CLAUDE) as client:
        [message] = (await client.get_prompt(name, given)).messages

    assert isinstance(message.content, types.TextContent)
    assert ("Only the first words were handed over" in message.content.text) == sure
    assert isinstance(other.content, types.TextContent)
    assert "Only the first words were handed over" not in other.content.text


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("research", {"question": "What?", "effort": "Deep"}, 'effort="deep"'),
        ("research", {"question": "What?", "effort": ""}, 'effort="standard"'),
        ("literature_review", {"topic": "sea ice", "since": "2020-2024"}, "2020-2024"),
        ("literature_review", {"topic": "sea ice", "since": "since the pandemic"}, "since the pandemic"),
    ],
)
async def test_what_was_written_reaches_the_prompt(
    server: ResearchServer, name: str, given: dict[str, str], words: str
) -> None:
    async with Client(server) as client:
        [message] = (await client.get_prompt(name, given)).messages

    assert isinstance(message.content, types.TextContent)
    assert words in message.content.text
