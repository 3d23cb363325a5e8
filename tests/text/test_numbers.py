import pytest

from deepresearch_mcp.text.numbers import numbers, read_details


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,000 = 1 000 = 1000 = 1\u202f000 = a thousand", {"1000"}),
        ("2.3 %, 2.3 percent, 2.3 per cent", {"2.3%"}),
        ("2 percentage points, 2 pp, 25 basis points", {"2 pp", "25 bp"}),
        ("$5 million, 5 million dollars, US$5m", {"5000000 usd"}),
        ("€3bn £1.2m 7B 10k", {"3000000000 eur", "1200000 gbp", "7000000000", "10000"}),
        ("EUR 20 and 30 euros", {"20 eur", "30 eur"}),
        ("the third, 3rd, 21st and 11th", {"3rd", "21st", "11th"}),
        ("twelve, a dozen, twenty-five, two hundred and five", {"12", "25", "205"}),
        ("three thousand four hundred of one million", {"3400", "1000000"}),
        ("-5 degrees, 5–10 km", {"-5", "5", "10"}),
        ("v3.2.1 and 3.10 and 5.0", {"3.2.1", "3.10", "5"}),
        ("1,5 Prozent von 1.000.000 und 1.000.000,5", {"1.5%", "1000000", "1000000.5"}),
        ("in 2019 on March 5, 2020", {"2019"}),
        ("1,2,3 B2B x5", {"1"}),
        ("no numbers at all", set[str]()),
        ("two dozen", {"24"}),
        ("$(10.4) billion, (1,935) million and (8)%", {"10400000000 usd", "1935000000", "8%"}),
    ],
)
def test_each_number_has_one_canonical_form(text: str, values: set[str]) -> None:
    assert numbers(text) == values


def test_dates_are_read_beside_the_numbers_with_the_months_that_stand_alone() -> None:
    found = read_details("In March, 5 km on 6 April 2024", one=True)

    assert [(number.canonical(), number.unit) for number in found.numbers] == [("5", "km")]
    assert found.dates == (("2024-04-06",),)
    assert found.months == {3, 4}
