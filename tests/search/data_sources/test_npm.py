from datetime import date
from typing import Any

import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.npm import HOME, Npm

FOUND = {
    "objects": [
        {
            "package": {
                "name": "express",
                "version": "5.1.0",
                "description": "Fast, minimalist web framework",
                "date": "2025-03-31T14:01:22.509Z",
                "links": {"repository": "git+https://github.com/expressjs/express.git", "homepage": "https://e.test/"},
            },
            "score": {"final": 1.2},
        },
        {"package": {"name": "@types/express", "version": "5.0.0", "date": "2024-09-25T19:19:36.642Z"}},
    ],
    "total": 2,
}


@pytest.fixture
def npm(service: Any) -> Npm:
    service.says(FOUND)
    return adapter(Npm, service)


async def test_packages_lead_to_their_repository_and_a_named_one_to_its_record_too(npm: Npm) -> None:
    hits = await npm.search(Query("the express package"))

    assert [hit.url for hit in hits] == [
        "https://github.com/expressjs/express",
        f"{HOME}/express/latest",
        f"{HOME}/@types%2Fexpress/latest",
    ]
    assert hits[0].published == date(2025, 3, 31)
    assert "Version 5.1.0" in hits[0].snippet


async def test_the_name_alone_is_searched_for_and_later_hits_can_be_asked_for(npm: Npm, service: Any) -> None:
    await npm.search(Query("npm install express", limit=5, page=3))

    assert (service.params["text"], service.params["size"], service.params["from"]) == ("express", "5", "10")


JUNK: list[Any] = [{}, [], {"objects": [{"package": {}}]}, b"<html>"]


@pytest.mark.parametrize("body", JUNK)
async def test_an_answer_of_another_shape_is_a_failure(npm: Npm, service: Any, body: Any) -> None:
    service.says(body)

    with pytest.raises(UnreadableAnswer):
        await npm.search(Query("express"))


async def test_nothing_found_is_not_a_failure(npm: Npm, service: Any) -> None:
    service.says({"objects": [], "total": 0})

    assert await npm.search(Query("express")) == []
