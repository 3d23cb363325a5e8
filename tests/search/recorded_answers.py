"""Answers of web search services in the shapes that they document, with words of our own.

Each finds a page on ice, dated 12 February 2026 where the service dates its results, and then an undated one.
"""

from typing import Any, Final, NamedTuple

ICE, OTHER = "https://physics.test/ice", "https://other.test/"
TITLE, SNIPPET = "Why ice floats", "Ice is less dense than water."

FOUND: Final[dict[str, Any]] = {
    "brave": {
        "type": "search",
        "query": {"original": "ice", "more_results_available": True},
        "web": {
            "type": "search",
            "results": [
                {
                    "type": "search_result",
                    "title": "Why ice <strong>floats</strong>",
                    "url": ICE,
                    "description": "<strong>Ice</strong> is less dense than water.",
                    "page_age": "2026-02-12T08:00:00",
                    "age": "February 12, 2026",
                    "language": "en",
                    "family_friendly": True,
                },
                {"title": "Other", "url": OTHER, "description": "x"},
            ],
        },
    },
    "tavily": {
        "query": "ice",
        "answer": None,
        "images": [],
        "results": [
            {"title": TITLE, "url": ICE, "content": SNIPPET, "score": 0.98, "published_date": "2026-02-12"},
            {"title": "Other", "url": OTHER, "content": "x", "score": 0.5, "raw_content": None},
        ],
        "response_time": 1.1,
        "request_id": "123e4567",
    },
    "exa": {
        "requestId": "b5947044c4b78efa9552a7c89b306d95",
        "searchType": "auto",
        "results": [
            {
                "id": ICE,
                "title": TITLE,
                "url": ICE,
                "publishedDate": "2026-02-12T00:00:00.000Z",
                "author": "A. Author",
                "highlights": [SNIPPET],
                "highlightScores": [0.47],
                "image": "https://physics.test/ice.png",
            },
            {"id": OTHER, "title": None, "url": OTHER, "publishedDate": None, "author": ""},
        ],
        "costDollars": {"total": 0.007},
    },
    "serper": {
        "searchParameters": {"q": "ice", "gl": "us", "hl": "en", "type": "search", "num": 10, "engine": "google"},
        "knowledgeGraph": {"title": "Ice", "website": "https://elsewhere.test/"},
        "organic": [
            {"title": TITLE, "link": ICE, "snippet": SNIPPET, "date": "Feb 12, 2026", "position": 1},
            {"title": "Other", "link": OTHER, "snippet": "x", "position": 2},
        ],
        "relatedSearches": [{"query": "ice density"}],
        "credits": 1,
    },
    "serpapi": {
        "search_metadata": {"id": "5f3c", "status": "Success", "total_time_taken": 1.2},
        "search_parameters": {"engine": "google", "q": "ice", "device": "desktop"},
        "search_information": {"query_displayed": "ice", "organic_results_state": "Results for exact spelling"},
        "organic_results": [
            {
                "position": 1,
                "title": TITLE,
                "link": ICE,
                "redirect_link": "https://www.google.test/url?x",
                "displayed_link": "physics.test › ice",
                "date": "Feb 12, 2026",
                "snippet": SNIPPET,
            },
            {"position": 2, "title": "Other", "link": OTHER, "snippet": "x"},
        ],
    },
    "google": {
        "kind": "customsearch#search",
        "items": [{"title": TITLE, "link": ICE, "snippet": SNIPPET}, {"title": "Other", "link": OTHER}],
    },
    "firecrawl": {
        "success": True,
        "data": {
            "web": [
                {"url": ICE, "title": TITLE, "description": SNIPPET, "position": 1},
                {"url": OTHER, "title": "Other", "description": "x", "position": 2, "category": "research"},
            ]
        },
        "id": "0198",
        "creditsUsed": 2,
    },
    "jina": {
        "code": 200,
        "status": 20000,
        "data": [
            {"title": TITLE, "url": ICE, "description": SNIPPET, "date": "2026-02-12", "usage": {"tokens": 1000}},
            {"title": "Other", "url": OTHER, "description": "x", "content": "", "usage": {"tokens": 1000}},
        ],
        "meta": {"usage": {"tokens": 10000}},
    },
    "kagi": {
        "meta": {"id": "120145af", "node": "us-east", "ms": 386},
        "data": {
            "search": [
                {
                    "url": ICE,
                    "title": TITLE,
                    "snippet": "<b>Ice</b> is less dense than water.",
                    "time": "2026-02-12T00:00:00Z",
                },
                {"url": OTHER, "title": "Other"},
            ],
            "related_search": [{"url": "https://elsewhere.test/", "title": "ice density"}],
        },
    },
    "you": {
        "results": {
            "web": [
                {
                    "url": ICE,
                    "title": TITLE,
                    "description": SNIPPET,
                    "snippets": ["It floats."],
                    "page_age": "2026-02-12T11:41:00",
                    "authors": ["A. Author"],
                },
                {"url": OTHER, "title": "Other", "description": "x", "snippets": []},
            ],
            "news": [{"url": "https://elsewhere.test/", "title": "News", "description": "x"}],
        },
        "metadata": {"search_uuid": "942ccbdd", "query": "ice", "latency": 0.123},
    },
    "perplexity": {
        "results": [
            {"title": TITLE, "url": ICE, "snippet": SNIPPET, "date": "2026-02-12", "last_updated": "2026-09-19"},
            {"title": "Other", "url": OTHER, "snippet": "x", "date": None, "last_updated": None},
        ],
        "id": "e38104d5",
    },
    "linkup": {
        "results": [
            {"type": "text", "name": TITLE, "url": ICE, "content": SNIPPET},
            {"type": "text", "name": "Other", "url": OTHER, "content": "x"},
        ]
    },
    "searxng": {
        "query": "ice",
        "number_of_results": 0,
        "results": [
            {"url": ICE, "title": TITLE, "content": SNIPPET, "publishedDate": "2026-02-12T00:00:00"},
            {"url": OTHER, "title": "Other", "content": "x", "publishedDate": None},
        ],
        "unresponsive_engines": [],
    },
}
UNDATED: Final = frozenset({"google", "firecrawl", "linkup"})
"""Services whose results have no date."""


class Said(NamedTuple):
    """A status and the body that goes with it."""

    status: int
    body: Any


NOTHING: Final[dict[str, Said]] = {
    "brave": Said(200, {"type": "search", "query": {"original": "ice"}}),
    "tavily": Said(200, {"query": "ice", "results": []}),
    "exa": Said(200, {"requestId": "b594", "results": []}),
    "serper": Said(200, {"searchParameters": {"q": "ice"}, "organic": [], "credits": 1}),
    "serpapi": Said(
        200,
        {
            "search_metadata": {"status": "Success"},
            "search_information": {"organic_results_state": "Fully empty"},
            "error": "Google hasn't returned any results for this query.",
        },
    ),
    "google": Said(200, {"kind": "customsearch#search"}),
    "firecrawl": Said(200, {"success": True, "data": {}}),
    "jina": Said(
        422,
        {
            "data": None,
            "code": 422,
            "name": "AssertionFailureError",
            "status": 42206,
            "message": "No search results available for query ice",
        },
    ),
    "kagi": Said(200, {"meta": {"id": "120145af"}, "data": {}}),
    "you": Said(200, {"results": {}, "metadata": {"query": "ice"}}),
    "perplexity": Said(200, {"results": [], "id": "e381"}),
    "linkup": Said(
        400,
        {
            "statusCode": 400,
            "error": {"code": "SEARCH_QUERY_NO_RESULT", "message": "The query did not yield any result", "details": []},
        },
    ),
    "searxng": Said(200, {"results": [], "unresponsive_engines": []}),
}

KEY_REFUSED: Final[dict[str, Said]] = {
    "brave": Said(422, {"type": "ErrorResponse", "error": {"code": "SUBSCRIPTION_TOKEN_INVALID", "status": 422}}),
    "tavily": Said(401, {"detail": {"error": "Unauthorized: missing or invalid API key."}}),
    "exa": Said(401, {"requestId": "b594", "error": "Invalid API key", "tag": "INVALID_API_KEY"}),
    "serper": Said(403, {"message": "Unauthorized.", "statusCode": 403}),
    "serpapi": Said(401, {"error": "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"}),
    "google": Said(
        400,
        {
            "error": {
                "code": 400,
                "message": "API key not valid. Please pass a valid API key.",
                "status": "INVALID_ARGUMENT",
                "details": [{"reason": "API_KEY_INVALID", "domain": "googleapis.com"}],
            }
        },
    ),
    "firecrawl": Said(401, {"success": False, "error": "Unauthorized: Invalid token"}),
    "jina": Said(401, {"data": None, "code": 401, "name": "AuthenticationFailedError", "status": 40103}),
    "kagi": Said(401, {"meta": {"id": "1"}, "data": [], "error": [{"code": "unauthorized", "message": "x"}]}),
    "you": Said(401, {"detail": "Invalid or expired API key"}),
    "perplexity": Said(401, {"error": {"message": "Invalid API key provided", "type": "invalid_api_key", "code": 401}}),
    "linkup": Said(401, {"statusCode": 401, "error": {"code": "UNAUTHORIZED", "message": "x", "details": []}}),
}
"""What a service with a key answers to a wrong one."""

QUOTA_SPENT: Final[dict[str, Said]] = {
    "brave": Said(402, {"type": "ErrorResponse", "error": {"code": "USAGE_LIMIT_EXCEEDED", "status": 402}}),
    "tavily": Said(432, {"detail": {"error": "This request exceeds your plan's set usage limit."}}),
    "exa": Said(402, {"requestId": "b594", "error": "No more credits", "tag": "NO_MORE_CREDITS"}),
    "serper": Said(400, {"message": "Not enough credits", "statusCode": 400}),
    "serpapi": Said(429, {"error": "Your account has run out of searches."}),
    "google": Said(
        429,
        {
            "error": {
                "code": 429,
                "message": "Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service",
                "status": "RESOURCE_EXHAUSTED",
                "errors": [{"domain": "global", "reason": "rateLimitExceeded"}],
            }
        },
    ),
    "firecrawl": Said(402, {"success": False, "error": "Payment Required: Insufficient credits"}),
    "jina": Said(402, {"data": None, "code": 402, "name": "InsufficientBalanceError", "status": 40203}),
    "kagi": Said(429, {"meta": {"id": "1"}, "data": [], "error": [{"code": "x", "message": "Usage limit exhausted"}]}),
    "you": Said(402, {"detail": "Payment required"}),
    "perplexity": Said(401, {"error": {"message": "You exceeded your quota", "type": "insufficient_quota"}}),
    "linkup": Said(429, {"statusCode": 429, "error": {"code": "INSUFFICIENT_FUNDS_CREDITS", "message": "x"}}),
}
"""What a service with a key answers once its quota or credits are used up."""
