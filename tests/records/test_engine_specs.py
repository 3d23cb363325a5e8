from deepresearch_mcp.records.engine_specs import WEB_ENGINES


def test_every_web_engine_searches_the_whole_web() -> None:
    assert [spec.name for spec in WEB_ENGINES if spec.data or not spec.web or spec.subjects] == []
