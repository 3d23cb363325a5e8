from typing import Any

import pytest

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.web.fetching.redirects import follow_redirects


def to(make: Any, where: str, status: int = 302) -> Any:
    return make.answer(status=status, location=where)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_followed_from_where_they_stand(make: Any, status: int) -> None:
    hop = make.hop(to(make, "/b?c", status), to(make, "../d", status), to(make, "//other.example/e", status), 200)

    got, passed = await follow_redirects(hop, make.ask("https://example.org/x/a", if_none_match="1"), 5)

    assert str(got.url) == "https://other.example/e"
    assert passed == ("https://example.org/x/a", "https://example.org/b?c", "https://example.org/d")
    assert [bool(ask.headers) for ask in hop.asked] == [True, False, False, False]
    assert [ask.seconds for ask in hop.asked] == [10, 9, 8, 7]


async def test_too_many_redirects_are_a_failure(make: Any) -> None:
    hop = make.hop(to(make, "/again"))

    with pytest.raises(FetchFailed, match="more than 3 times"):
        await follow_redirects(hop, make.ask(), 3)
    assert len(hop.asked) == 4


@pytest.mark.parametrize("where", ["", "http://[", "http://a:b:c/", "https://\x7f/"])
async def test_a_redirect_to_nowhere_is_a_failure(make: Any, where: str) -> None:
    with pytest.raises(FetchFailed) as caught:
        await follow_redirects(make.hop(to(make, where), 200), make.ask(), 3)

    assert caught.value.reason == "unparsable"


@pytest.mark.parametrize("status", [200, 300, 304, 404])
async def test_any_other_answer_is_the_last(make: Any, status: int) -> None:
    got, passed = await follow_redirects(make.hop(status), make.ask(), 3)

    assert (got.status, passed) == (status, ())
