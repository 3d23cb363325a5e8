from deepresearch_mcp.records.spec_types import AddressSpec, EngineSpec, KeySpec


def test_what_an_engine_demands_grows_from_nothing_to_a_key() -> None:
    own = AddressSpec(about="An instance.", own=True)
    optional, required = (KeySpec(title="Key", variables=("KEY",), optional=free) for free in (True, False))
    specs = [
        EngineSpec("a", "A", "search.a:A", key, address)
        for key, address in ((None, None), (None, own), (optional, None), (required, None))
    ]

    assert [spec.demands for spec in specs] == [0, 1, 2, 3]
