import pytest
from tests.stopwatch import spent

from deepresearch_mcp.text.wrapping import Line, goes_on, is_full, is_row, is_title, width_around


def lines(*texts: str) -> list[Line]:
    return [Line(text.strip(), len(text)) for text in texts]


def goes(said: str, more: str, width: int = 60, *, opens: bool = False) -> bool:
    return goes_on(Line(said, len(said)), Line(more, len(more)), width, opens=opens)


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("a line that ends long before its width, but", "goes on in small letters"),
        ("the seals must be oiled after every interval of", "400 hours"),
        ("this one is as long as a line of sixty columns may well be", "Rome was not built in a day"),
        ("a fee of four thousand dollars –", "$6,999 in some cases"),
        ("该公司在去年第三季度的收入增长了百分之二十，其中大部分来自海外市场的销售以及新产品的推出和持续的", "增长"),
        ("The total of all marketable debt", "securities (3,055) 163 (9,819)"),
    ],
)
def test_a_wrapped_line_goes_on(said: str, more: str) -> None:
    assert goes(said, more, max(60, len(said)) if said.isascii() else len(said))


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("a caption that ends here", "Another one stands below it"),
        ("Products $ 63,355 $ 63,948", "services of all kinds"),
        ("so it was with the sales of the year and of the one before", "Products 63,355 63,948"),
        ("so it was with the sales of the year and of the one before:", "Three Months Ended"),
        ("We elected the fair value as it was in the books of the year", "8"),
        ("higher costs of the products that were sold in that quarter", "(304) Lower product margin"),
        ("Net Sales and Cost of Sales of the Americas Segment by Region", "The sales rose."),
        ("Opened        1998", "closed        2003"),
    ],
)
def test_a_line_that_its_author_ended_does_not(said: str, more: str) -> None:
    assert not goes(said, more, opens=True)


def test_a_name_like_iphone_opens_a_line_as_a_capital_does() -> None:
    assert not goes("iPhone", "iPhone net sales rose")
    assert goes("the sales of the", "iPhone rose")


def test_one_line_far_wider_than_the_others_tells_nothing_of_their_width() -> None:
    text = lines("x" * 58, "y" * 60, "z" * 57, "w" * 300)

    assert width_around(text, 1) == 60
    assert width_around(text, 2) == 300


def test_a_line_is_full_only_where_another_one_is_as_wide() -> None:
    assert not is_full(lines("x" * 60, "- a"), 0, 1, witnessed=True)
    assert is_full(lines("x" * 60, "y" * 60, "- a"), 1, 1, witnessed=True)
    assert not is_full(lines("x" * 50, "y" * 60, "- a"), 0, 1, witnessed=False)


@pytest.mark.parametrize(
    "text", ["Cash $ 10,942 $ 10,720", "Loss (341) —", "a\tb", "a      b", "2021 2022", "Mac 10 12 %"]
)
def test_a_row_stands_in_columns(text: str) -> None:
    assert is_row(text)


@pytest.mark.parametrize(
    "text", ["It was so in 2021 and 2022", "a fee of — $100", "a   wide gap", "December 31, 2022", ""]
)
def test_words_are_no_row(text: str) -> None:
    assert not is_row(text)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Liquidity and Capital Resources", True),
        ("NOTES TO THE FINANCIAL STATEMENTS", True),
        ("Growing up with the Rivers of Old Europe", True),
        ("The company was founded by Bill Gates", False),
        ("Rome, Paris, London,", False),
        ("Bill Gates.", False),
        ("of the 12", False),
    ],
)
def test_a_title_is_capitalised_and_not_closed(text: str, title: bool) -> None:
    assert is_title(text) is title


@pytest.mark.parametrize(
    "piece", ["1 ", "— ", "a   ", "a\t", "($", "iPhone ", "!?", "A ", "a\n", "1 2\n", "- \n", "A b\n"]
)
def test_time_grows_with_the_length_of_a_text_and_no_faster(piece: str) -> None:
    from deepresearch_mcp.text.sentences import sentences

    def seconds(size: int) -> float:
        text = piece * (size // len(piece)) + "\nx"
        with spent() as taken:
            sentences(text)
        return taken.seconds

    small = min(seconds(20_000) for _ in range(3))
    assert min(seconds(160_000) for _ in range(2)) < 24 * small + 0.05
