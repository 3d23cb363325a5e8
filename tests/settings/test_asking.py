from deepresearch_mcp.records.specs import ENGINES
from deepresearch_mcp.settings.asking import asked_first, setup_questions
from deepresearch_mcp.settings.reading import all_settings, variable
from deepresearch_mcp.settings.services import VENDOR_NAMES
from deepresearch_mcp.settings.values import is_secret


def test_every_key_is_asked_for_and_shown_to_no_one() -> None:
    keys = {setting for setting, field in all_settings().items() if is_secret(field) and setting.endswith("_key")}
    # They belong to an address, and most such endpoints stand on this machine and need none.
    keys -= {"library.embeddings_key", "library.rerank_key"}

    assert {one.setting for one in setup_questions() if one.secret} == keys


def test_a_terminal_asks_for_all_keys_but_those_of_data_sources() -> None:
    of_sources = {f"search.{spec.name}_key" for spec in ENGINES if spec.data and spec.key}
    secret = {one.setting for one in setup_questions() if one.secret}

    assert {one.setting for one in asked_first().values() if one.secret} == secret - of_sources
    assert of_sources <= secret


def test_a_question_is_about_a_setting_and_names_the_variable_that_sets_it() -> None:
    for one in setup_questions():
        assert one.setting in all_settings()
        assert one.variable in {variable(one.setting), *VENDOR_NAMES.get(one.setting, ())}
        assert one.title
        assert one.about.endswith(".")


def test_a_terminal_asks_for_keys_and_instances_but_not_for_what_has_a_default() -> None:
    asked = asked_first()

    assert {"search.brave_key", "search.tavily_key", "search.searxng_url", "search.google_engine_id"} <= asked.keys()
    assert list(asked) == [one.setting for one in setup_questions() if one.setting in asked]
    assert {"home", "model.use", "model.openai_base_url"}.isdisjoint(asked)


def test_the_first_key_of_a_kind_says_what_happens_without_any() -> None:
    said = {one.setting: one.about for one in setup_questions()}

    assert said["model.anthropic_key"].endswith("Without any model key an engine on this machine extracts and quotes.")
    assert said["search.brave_key"].endswith("Without any search key DuckDuckGo and Wikipedia are asked.")
    assert said["search.tavily_key"] == "Searches with Tavily as well."
