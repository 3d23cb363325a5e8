"""Words for figures in financial statements, and the XBRL concepts that companies file them under."""

import re
from typing import Final

MOST: Final = 3
"""Most concepts of one query: each costs a request."""

_CONCEPTS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        r"cost of (?:revenues?|sales|goods sold)",
        ("us-gaap/CostOfRevenue", "us-gaap/CostOfGoodsAndServicesSold", "ifrs-full/CostOfSales"),
    ),
    (
        r"gross (?:profit|margin)",
        ("us-gaap/GrossProfit", "ifrs-full/GrossProfit"),
    ),
    (
        r"operating (?:income|profit|margin)",
        ("us-gaap/OperatingIncomeLoss", "ifrs-full/ProfitLossFromOperatingActivities"),
    ),
    (r"operating expenses?|opex", ("us-gaap/OperatingExpenses",)),
    (
        r"eps|earnings per share|per share",
        ("us-gaap/EarningsPerShareDiluted", "us-gaap/EarningsPerShareBasic", "ifrs-full/DilutedEarningsLossPerShare"),
    ),
    (
        r"net (?:income|profit|loss|earnings|margin)|profits?|earnings",
        ("us-gaap/NetIncomeLoss", "ifrs-full/ProfitLoss"),
    ),
    (
        r"r ?& ?d|research and development",
        ("us-gaap/ResearchAndDevelopmentExpense", "ifrs-full/ResearchAndDevelopmentExpense"),
    ),
    (r"capex|capital expenditures?", ("us-gaap/PaymentsToAcquirePropertyPlantAndEquipment",)),
    (
        r"(?:operating )?cash flows?|cash from operations",
        ("us-gaap/NetCashProvidedByUsedInOperatingActivities", "ifrs-full/CashFlowsFromUsedInOperatingActivities"),
    ),
    (
        r"cash and (?:cash )?equivalents|cash position|cash holdings?",
        ("us-gaap/CashAndCashEquivalentsAtCarryingValue", "ifrs-full/CashAndCashEquivalents"),
    ),
    (
        r"total assets|assets",
        ("us-gaap/Assets", "ifrs-full/Assets"),
    ),
    (
        r"total liabilities|liabilities",
        ("us-gaap/Liabilities", "ifrs-full/Liabilities"),
    ),
    (
        r"(?:stockholders|shareholders)['’]? equity|book value",
        ("us-gaap/StockholdersEquity", "ifrs-full/Equity"),
    ),
    (r"(?:long[- ]term )?debt", ("us-gaap/LongTermDebt", "us-gaap/LongTermDebtNoncurrent")),
    (
        r"inventor(?:y|ies)",
        ("us-gaap/InventoryNet", "ifrs-full/Inventories"),
    ),
    (r"dividends?", ("us-gaap/CommonStockDividendsPerShareDeclared",)),
    (r"buybacks?|repurchases?", ("us-gaap/PaymentsForRepurchaseOfCommonStock",)),
    (r"shares outstanding", ("us-gaap/CommonStockSharesOutstanding",)),
    (
        r"goodwill",
        ("us-gaap/Goodwill", "ifrs-full/Goodwill"),
    ),
    (
        r"revenues?|(?:net )?sales|turnover|top line",
        (
            "us-gaap/RevenueFromContractWithCustomerExcludingAssessedTax",
            "us-gaap/Revenues",
            "us-gaap/SalesRevenueNet",
            "ifrs-full/Revenue",
        ),
    ),
)
"""A pattern of words, and concepts: the usual one first, others for companies that do not use it.

Those of ifrs-full are for companies from abroad.
"""
_PATTERNS = tuple((re.compile(rf"\b(?:{words})(?!\w)", re.IGNORECASE), concepts) for words, concepts in _CONCEPTS)


def named_concepts(text: str) -> list[tuple[str, ...]]:
    """Return at most `MOST` figures that a query names, in the order in which it names them.

    Each is a group of concepts; the first one that the company files is the right one.
    """
    rest = text[:1_000]
    found: list[tuple[int, tuple[str, ...]]] = []
    for pattern, concepts in _PATTERNS:
        if match := pattern.search(rest):
            found.append((match.start(), concepts))
            # `cost of revenue` names no revenue: blanks, so that the places of the rest stay.
            rest = pattern.sub(lambda whole: " " * len(whole.group()), rest)
    return [concepts for _, concepts in sorted(found)][:MOST]
