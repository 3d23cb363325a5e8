import pytest

from deepresearch_mcp.text.addresses import addresses, first_address, without_addresses


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("See https://ice.example/a.", "https://ice.example/a"),
        ("(https://ice.example/a)", "https://ice.example/a"),
        ("(https://ice.example/a_(b))", "https://ice.example/a_(b)"),
        ("<https://ice.example/a,b>", "https://ice.example/a,b"),
        ("冰：https://ice.example/冰。下", "https://ice.example/冰"),
        ("at www.ice.example/a, and", "https://www.ice.example/a"),
        ("doi:10.1234/ab.5, 2020", "https://doi.org/10.1234/ab.5"),
        ("arXiv:2401.01234v2", "https://arxiv.org/abs/2401.01234v2"),
        ("**https://ice.example**", "https://ice.example"),
        ("[a](https://ice.example/b)", "https://ice.example/b"),
        ("http:// nothing", ""),
        ("http://a..b", ""),
        ("mail@www.ice.example", ""),
    ],
)
def test_an_address_ends_where_the_sentence_around_it_goes_on(text: str, url: str) -> None:
    assert first_address(text) == url


def test_offsets_hold_what_was_written() -> None:
    text = "One <https://a.example/x>, two www.b.example."

    assert [text[one.start : one.end] for one in addresses(text)] == ["<https://a.example/x>", "www.b.example"]


def test_what_is_left_without_addresses_reads_like_a_title() -> None:
    assert without_addresses("[Ice](https://a.example/x) - A page https://b.example") == "Ice - A page "
