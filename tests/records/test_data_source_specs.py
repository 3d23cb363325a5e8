from deepresearch_mcp.records.data_source_specs import PAPERS, REGISTERS


def test_every_data_source_says_that_it_is_one() -> None:
    assert [spec.name for spec in (*PAPERS, *REGISTERS) if not spec.data] == []
