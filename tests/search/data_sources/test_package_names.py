import pytest

from deepresearch_mcp.search.data_sources.package_names import MOST, package_names


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("httpx", ["httpx"]),
        ("pip install httpx2 timeouts", ["httpx2"]),
        ("npm i @types/node", ["@types/node"]),
        ("What is the latest version of the trafilatura package?", ["trafilatura"]),
        ("What is the newest release of Django?", ["Django"]),
        ("requests vs httpx: connection pooling", ["requests", "httpx"]),
        ("How does `anyio` cancel tasks", ["anyio"]),
        ("scikit-learn gradient boosting release notes", ["scikit-learn"]),
        ("boto3 credentials from a profile", ["boto3"]),
        ("next.js app router caching", ["next.js"]),
        ("How do glaciers move over rock?", []),
        ("the best Python library", []),
        ("Which licence has the package anyio?", ["anyio"]),
        ("What does the library httpx2 do with redirects?", ["httpx2"]),
        ("Which framework should we choose?", []),
    ],
)
def test_only_what_reads_as_a_package_is_one(query: str, names: list[str]) -> None:
    assert package_names(query) == names


def test_at_most_four_packages_are_taken() -> None:
    assert len(package_names("a-1 b-2 c-3 d-4 e-5 f-6")) == MOST


def test_no_package_is_a_path_out_of_the_index() -> None:
    assert all(".." not in name for name in package_names("`../../etc` ../x `a/../../b`"))
