from deepresearch_mcp.http_app.rest.session_config import SessionConfig, understood
from deepresearch_mcp.jobs.asking import checked_request

MODEL = {"provider": "openai", "model": "x", "temperature": 0.2, "maxTokens": 4096}
WHOLE = {
    "models": dict.fromkeys(("planner", "researcher", "critic", "synthesizer"), MODEL),
    "limits": {
        "maxIterations": 3,
        "maxStepsPerIteration": 7,
        "maxSourcesPerStep": 10,
        "sufficiencyThreshold": 7,
        "maxParallelSteps": 3,
    },
    "budget": {"maxTokens": 100_000, "maxDollars": 2, "maxApiCalls": 50, "maxDurationMs": 90_000},
    "quality": {"minSourceQuality": 5, "requireCorroboration": True, "verifyCitations": True},
    "output": {"format": "markdown", "includeCitations": True, "includeProvenance": True, "maxLength": 5000},
}


def test_the_whole_configuration_of_the_design_is_taken_and_each_value_acts_or_is_named() -> None:
    found = understood(SessionConfig.model_validate(WHOLE))

    assert found.arguments == {
        "roles": dict.fromkeys(("planner", "reader", "verifier", "analyst", "critic", "writer"), "openai:x"),
        "depth": 3,
        "breadth": 7,
        "max_pages": 210,
        "max_tokens": 100_000,
        "max_usd": 2.0,
        "max_minutes": 1.5,
    }
    checked_request({"question": "Why does ice float?", **found.arguments})
    roles = [f"config.models.{role}.{word}" for role in WHOLE["models"] for word in ("temperature", "maxTokens")]
    assert [one.field for one in found.without_effect] == [
        *roles,
        "config.limits.sufficiencyThreshold",
        "config.limits.maxParallelSteps",
        "config.budget.maxApiCalls",
        "config.quality.minSourceQuality",
        "config.output.maxLength",
        "config.quality.requireCorroboration",
    ]


def test_what_is_always_so_is_named_where_it_is_wanted_otherwise() -> None:
    config = {"quality": {"verifyCitations": False}, "output": {"includeCitations": False, "includeProvenance": False}}

    found = understood(SessionConfig.model_validate(config)).without_effect

    assert [one.field for one in found] == [
        "config.quality.verifyCitations",
        "config.output.includeCitations",
        "config.output.includeProvenance",
    ]
    assert understood(SessionConfig()) == ({}, [])
