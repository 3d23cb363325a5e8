import pytest

from deepresearch_mcp.web.pages.colours import colour_of, is_clear, is_near


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("white", "ffffff"),
        ("#fff", "ffffff"),
        ("#12ab34", "12ab34"),
        ("rgb(254, 0, 999)", "fe00ff"),
        ("rgba(1 2 3 / 50%)", "010203"),
        ("hsl(1 2 3)", ""),
        ("", ""),
    ],
)
def test_a_colour_is_read_as_it_is_most_often_written(written: str, read: str) -> None:
    assert colour_of(written) == read


def test_colours_are_near_where_no_eye_tells_them_apart() -> None:
    assert is_near("fefefe", "ffffff")
    assert not is_near("eeeeee", "ffffff")
    assert not is_near("ffff00", "ffffff")
    assert not is_near("", "ffffff")


@pytest.mark.parametrize("colour", ["rgba(0,0,0,.5)", "rgb(1 2 3 / 50%)", "hsla(1,2%,3%,0)", "#ffff", "#ffffff80"])
def test_a_colour_that_lets_something_through_is_clear(colour: str) -> None:
    assert is_clear(colour)


@pytest.mark.parametrize(
    "colour", ["", "white", "#fff", "#ffffff", "rgb(1,2,3)", "rgba(0, 0, 0, 1.0)", "rgb(1 2 3/100%)"]
)
def test_a_colour_that_covers_what_is_behind_it_is_not_clear(colour: str) -> None:
    assert not is_clear(colour)
