from datetime import date
from typing import Any

import httpx2
import pytest
from tests.search.opened_engines import adapter

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.data_sources.pypi import HOME, PyPI

HTTPX = {
    "info": {
        "name": "httpx",
        "version": "0.28.1",
        "summary": "The next generation HTTP client.",
        "requires_python": ">=3.8",
        "license_expression": "BSD-3-Clause",
        "home_page": "",
        "project_urls": {
            "Changelog": "https://github.com/encode/httpx/blob/master/CHANGELOG.md",
            "Documentation": "https://www.python-httpx.org",
            "Homepage": "https://github.com/encode/httpx",
            "Mail": "mailto:a@b.test",
        },
    },
    "last_serial": 1,
    "releases": {},
    "urls": [{"filename": "httpx-0.28.1.whl", "upload_time_iso_8601": "2024-12-06T15:37:21.509Z"}],
}


@pytest.fixture
def pypi(service: Any) -> PyPI:
    service.says(HTTPX)
    return adapter(PyPI, service)


async def test_a_named_package_becomes_its_page_and_the_pages_that_it_links_to(pypi: PyPI, service: Any) -> None:
    page, *links = await pypi.search(Query("httpx"))

    assert str(service.requests[0].url) == f"{HOME}/pypi/httpx/json"
    assert (page.url, page.published) == (f"{HOME}/project/httpx/", date(2024, 12, 6))
    assert page.snippet == (
        "The next generation HTTP client. "
        "Latest version 0.28.1, released 2024-12-06, requires Python >=3.8, BSD-3-Clause"
    )
    assert [link.url for link in links] == [
        "https://www.python-httpx.org",
        "https://github.com/encode/httpx/blob/master/CHANGELOG.md",
        "https://github.com/encode/httpx",
    ]


async def test_hits_after_the_first_ones_are_those_left_over(pypi: PyPI) -> None:
    everything = await pypi.search(Query("httpx"))

    assert await pypi.search(Query("httpx", limit=3, page=2)) == everything[3:]


async def test_a_name_that_no_package_has_is_nothing_found(pypi: PyPI, service: Any) -> None:
    service.says({"message": "Not Found"}, status=404)

    assert await pypi.search(Query("no-such-package-1")) == []


async def test_two_packages_are_both_asked_for(pypi: PyPI, service: Any) -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        name = request.url.path.split("/")[2]
        return httpx2.Response(200, json={"info": {"name": name}, "urls": []})

    service.answer = answer

    hits = await pypi.search(Query("requests vs httpx"))
    assert [hit.url.rsplit("/", 2)[1] for hit in hits] == ["requests", "httpx"]


async def test_a_query_without_a_package_is_not_put(pypi: PyPI, service: Any) -> None:
    assert await pypi.search(Query("How do glaciers move over rock?")) == []
    assert service.requests == []


@pytest.mark.parametrize("body", [{}, [], {"info": {}}, b"<html>", b""])
async def test_an_answer_of_another_shape_is_a_failure(pypi: PyPI, service: Any, body: Any) -> None:
    service.says(body)

    with pytest.raises(UnreadableAnswer):
        await pypi.search(Query("httpx"))
