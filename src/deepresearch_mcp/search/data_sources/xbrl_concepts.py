"""Words for figures in financial statements, and the XBRL concepts that companies file them under."""

import re
from typing import Final

MOST: Final = 3
"""Most concepts of one query: each costs a request."""

_CONCEPTS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (r"cost of (?:revenues?|sales|goods sold)", ("CostOfRevenue", "CostOfGoodsAndServicesSold")),
    (r"gross (?:profit|margin)", ("GrossProfit",)),
    (r"operating (?:income|profit|margin)", ("OperatingIncomeLoss",)),
    (r"operating expenses?|opex", ("OperatingExpenses",)),
    (r"eps|earnings per share|per share", ("EarningsPerShareDiluted", "EarningsPerShareBasic")),
    (r"net (?:income|profit|loss|earnings|margin)|profits?|earnings", ("NetIncomeLoss",)),
    (r"r ?& ?d|research and development", ("ResearchAndDevelopmentExpense",)),
    (r"capex|capital expenditures?", ("PaymentsToAcquirePropertyPlantAndEquipment",)),
    (r"(?:operating )?cash flows?|cash from operations", ("NetCashProvidedByUsedInOperatingActivities",)),
    (r"cash and (?:cash )?equivalents|cash position|cash holdings?", ("CashAndCashEquivalentsAtCarryingValue",)),
    (r"total assets|assets", ("Assets",)),
    (r"total liabilities|liabilities", ("Liabilities",)),
    (r"(?:stockholders|shareholders)['’]? equity|book value", ("StockholdersEquity",)),
    (r"(?:long[- ]term )?debt", ("LongTermDebt", "LongTermDebtNoncurrent")),
    (r"inventor(?:y|ies)", ("InventoryNet",)),
    (r"dividends?", ("CommonStockDividendsPerShareDeclared",)),
    (r"buybacks?|repurchases?", ("PaymentsForRepurchaseOfCommonStock",)),
    (r"shares outstanding", ("CommonStockSharesOutstanding",)),
    (r"goodwill", ("Goodwill",)),
    (
        r"revenues?|(?:net )?sales|turnover|top line",
        ("RevenueFromContractWithCustomerExcludingAssessedTax", "Revenues", "SalesRevenueNet"),
    ),
)
"""A pattern of words, and concepts of us-gaap: the usual one first, others for companies that do not use it."""
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
