from deepresearch_mcp.text.skeletons import agree, folded, skeleton


def test_spaces_and_punctuation_go_and_numbers_stay_apart() -> None:
    assert skeleton("the board, (said) 5 12").letters == "theboardsaid\x1f5\x1f\x1f12\x1f"
    assert skeleton("512").letters != skeleton("5 12").letters
    assert skeleton("1,000 people").letters == skeleton("1 000 people").letters == skeleton("1000 people").letters
    assert skeleton("2.3%").letters != skeleton("23%").letters
    assert skeleton("it is -5").letters != skeleton("it is 5").letters


def test_marks_that_change_a_word_stay() -> None:
    assert skeleton("किताब").letters == "किताब"
    assert skeleton("5 € ± °").letters == "\x1f5\x1f€±°"


def test_a_stretch_of_letters_maps_to_the_text() -> None:
    found = skeleton("so the board, said")

    assert found.span(2, 10) == (3, 12)
    assert found.text[slice(*found.span(5, 14))] == "board, said"
    assert found.span(3, 4) == (4, 5)


def test_a_word_with_changed_letters_is_indivisible() -> None:
    found = folded("a modern city", "f")

    assert found.letters == "amodemclty"
    assert found.span(2, 3) == (2, 8)


def test_words_may_be_joined_but_not_so_that_a_negation_goes() -> None:
    def same(quote: str, text: str) -> bool:
        return agree(skeleton(quote), skeleton(text))

    assert same("the euro pean bank", "the european bank")
    assert same("cannot go", "can not go")
    assert not same("it is not able", "it is notable")
    assert not same("we're here", "were here")
    assert same("1,000 men", "1000 men")


def test_only_long_words_may_be_spelt_differently() -> None:
    def same(quote: str, text: str) -> bool:
        return agree(folded(quote, "f"), folded(text, "f"))

    assert same("the government", "the govemment")
    assert same("internal", "lnterna1")
    assert not same("modern", "modem")
    assert not same("a1b2c3d4", "alb2c3d4")
    assert not same("10", "lo")
    assert not same("101010", "1o1010")
