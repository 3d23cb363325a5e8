import pytest

from deepresearch_mcp.search.data_sources.companies import Companies, Company, usual_name

LISTED = (
    Company(320193, "AAPL", "Apple Inc."),
    Company(1018724, "AMZN", "AMAZON COM INC"),
    Company(50863, "INTC", "INTEL CORP"),
    Company(1652044, "GOOGL", "Alphabet Inc."),
    Company(1067983, "BRK-B", "BERKSHIRE HATHAWAY INC"),
    Company(92380, "LUV", "SOUTHWEST AIRLINES CO"),
    Company(831001, "C", "CITIGROUP INC"),
    Company(1, "AI", "C3.ai, Inc."),
    Company(27419, "TGT", "TARGET CORP"),
    Company(2, "KEY", "KEYCORP /NEW/"),
)
COMPANIES = Companies(LISTED)


@pytest.mark.parametrize(
    ("query", "ticker"),
    [
        ("Apple revenue in fiscal 2023", "AAPL"),
        ("How did Amazon's operating income change?", "AMZN"),
        ("What did INTC spend on research", "INTC"),
        ("$C net interest income", "C"),
        ("Alphabet (GOOGL) buybacks", "GOOGL"),
        ("NASDAQ: AAPL dividends", "AAPL"),
        ("(BRK.B) book value", "BRK-B"),
        ("google advertising revenue", ""),
        ("Google advertising revenue", "GOOGL"),
        ("Southwest Airlines fuel costs", "LUV"),
        ("apple pie recipes", ""),
        ("Impact of AI on the EU", ""),
        ("southwest airlines fuel costs", "LUV"),
        ("", ""),
    ],
)
def test_a_company_is_known_by_ticker_or_name(query: str, ticker: str) -> None:
    company = COMPANIES.named_in(query)

    assert (company.ticker if company else "") == ticker


def test_a_cik_has_ten_digits_in_addresses() -> None:
    assert LISTED[0].padded == "0000320193"


@pytest.mark.parametrize(
    ("title", "name"),
    [("AMAZON COM INC", "amazon"), ("THE COCA COLA CO", "coca cola"), ("KEYCORP /NEW/", "keycorp"), ("Inc", "")],
)
def test_a_usual_name_has_no_legal_words(title: str, name: str) -> None:
    assert usual_name(title) == name
