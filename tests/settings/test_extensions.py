from pathlib import Path

import pytest

from deepresearch_mcp.settings.extensions import offered, package_of
from extensions import install, install_example


def test_what_an_installed_package_offers_is_found_without_importing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "handbook" not in offered("engines")
    install_example(tmp_path, monkeypatch)

    assert {"handbook"} <= offered("engines").keys()
    assert {"parrot"} <= offered("models").keys()
    assert {"text/x-rst"} <= offered("readers").keys()
    assert package_of(offered("engines")["handbook"]) == "deepresearch-example"


def test_of_two_packages_that_offer_a_name_the_first_by_name_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b-package", "a-package", "c-package"):
        install(tmp_path, monkeypatch, name, {"deepresearch_mcp.engines": {"twice": "nowhere:Nothing"}})

    assert package_of(offered("engines")["twice"]) == "a-package"
