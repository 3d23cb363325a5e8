import pytest

from deepresearch_mcp.search.data_sources.xbrl_concepts import MOST, named_concepts


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Apple revenue 2023", ["us-gaap/RevenueFromContractWithCustomerExcludingAssessedTax"]),
        ("cost of revenue", ["us-gaap/CostOfRevenue"]),
        ("net income and R&D of Intel", ["us-gaap/NetIncomeLoss", "us-gaap/ResearchAndDevelopmentExpense"]),
        ("earnings per share", ["us-gaap/EarningsPerShareDiluted"]),
        ("Who runs Apple?", []),
        ("assetless profiteering", []),
    ],
)
def test_words_for_figures_are_known_in_the_order_of_the_query(query: str, first: list[str]) -> None:
    assert [concepts[0] for concepts in named_concepts(query)] == first


def test_at_most_three_figures_are_taken() -> None:
    assert len(named_concepts("revenue, net income, goodwill, debt, dividends and total assets")) == MOST


def test_figures_of_companies_from_abroad_are_looked_for_last() -> None:
    [revenue] = named_concepts("revenue")

    assert revenue[-1] == "ifrs-full/Revenue"
