"""Every package, address and account that our texts lead to: each is ours, or another party's with a reason."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from deepresearch_mcp.records.spec_types import EngineSpec, ProviderSpec
from deepresearch_mcp.records.specs import ENGINES, PROVIDERS
from deepresearch_mcp.search.data_sources import npm, pypi
from deepresearch_mcp.settings.project import COMMANDS, DISTRIBUTION, EXTRAS, FOREIGN, PUBLISHED

ROOT = Path(__file__).parents[1]

PACKAGES = {
    "pip": "the installer itself, brought up to date",
    "setuptools": "what environments of Python 3.11 hold from the start, brought up to date",
    "uv": "resolves the locks; by Astral",
} | {re.sub(r"\[.*", "", name): f"the extra {extra}" for extra, names in EXTRAS.items() for name in names}
"""Packages of other parties that our texts have installed."""

EXAMPLES = re.compile(
    r"(?:[\w{}-]+\.)*(?:example(?:\.(?:com|org|net))?|test|invalid|localhost)|127\.0\.0\.1|\[::1\]|0\.0\.0\.0|[\w-]+|"
    r"[{…<]\S*"
)
"""Reserved for examples, this very machine, a name without a dot (HOST, intranet), or a placeholder."""


def addresses_of(spec: EngineSpec | ProviderSpec) -> list[str]:
    """Where a service is asked, and where its prices and limits are stated."""
    addresses = [spec.address.default if spec.address else ""]
    addresses.append((spec.price.source if spec.price else "") if isinstance(spec, EngineSpec) else spec.base_url)
    if isinstance(spec, EngineSpec):
        addresses.extend(rate.source for rate in (spec.rate, spec.keyless_rate) if rate)
    return [one for one in addresses if one]


HOSTS = {
    "keepachangelog.com": "the form of our changelog",
    "semver.org": "the meaning of our versions",
    "static.modelcontextprotocol.io": "the schema of the registry's file",
    "www.standardwebhooks.com": "the specification that our webhooks follow",
    "www.w3.org": "names of XML namespaces, never opened",
    "doi.org": "resolves identifiers that users cite",
    "archive.org": "keeps copies of dead pages; the setting web.archive",
    "arxiv.org": "resolves identifiers that users cite",
    "api.openai.com": "OpenAI's API",
    "api.anthropic.com": "Anthropic's API",
    "{language}.wikipedia.org": "Wikipedia's API",
    "github.com": "repositories that GitHub's API finds",
    urlsplit(pypi.HOME).netloc: "the Python Package Index",
    urlsplit(npm.HOME).netloc: "the npm registry",
    "fred.stlouisfed.org": "series that FRED's API finds",
    "efts.sec.gov": "the full-text search of the SEC",
    "data.sec.gov": "figures that companies file with the SEC",
    "api.govinfo.gov": "GovInfo's API",
    "www.govinfo.gov": "documents that GovInfo's API finds",
    "api.you.com": "You.com's API without a key",
    "pmc.ncbi.nlm.nih.gov": "full texts that PubMed finds",
    "pubmed.ncbi.nlm.nih.gov": "abstracts that PubMed finds",
    "news.ycombinator.com": "discussions that its search at Algolia finds",
    "stackoverflow.com": "the default site of Stack Exchange",
    "{language}.stackoverflow.com": "Stack Overflow in four other languages",
} | {
    host: f"stands in the spec of {spec.title}"
    for spec in (*ENGINES, *PROVIDERS)
    for address in addresses_of(spec)
    if not EXAMPLES.fullmatch(host := urlsplit(address).hostname or "")
}
"""Hosts of other parties that our texts name."""

OWNERS = {
    "{owner}": "filled in at publication: tools/server_json.py",
    "some-account": "a test's",
    "rest": "a folder of docs.github.com",
    "LibraryOfCongress": "states the limits of the API of Congress.gov there",
}
"""Accounts at places where software is published."""

INSTALLS = re.compile(
    r"(?<![\w./\"'-])(?P<tool>uvx|pipx\s+(?:install|run)|uv\s+tool\s+(?:install|run)|uv\s+(?:pip\s+install|add)|"
    r"pip3?\s+install|npx|npm\s+(?:install|i)\b|brew\s+install|docker\s+(?:pull|run))(?P<rest>[^\n`&|;)]*)"
)
QUOTED = re.compile(r"""["'](?:[^\s"']*/)?(?:uvx|npx|pipx)["']\s*,\s*(?:["']args["']\s*:\s*)?\[?([^\n]*)""")
WITH_VALUE = {"-c", "-r", "-e", "-p", "-v", "-d", "-t", "--python", "--target", "--only-binary", "--group", "--network"}
"""Options of these tools whose value is no package."""
PACKAGE = re.compile(r"(@[\w.-]+/)?[A-Za-z][\w.-]*(\[[\w,{}]*\])?(([=<>~!]=|[<>@]).*)?")
EXTRA = re.compile(rf"\b{FOREIGN}\s*(?:\[|==|@latest)")


def named_packages(text: str) -> set[str]:
    """Packages that a text has a tool fetch, in the index's spelling, without extras and versions."""
    found: set[str] = set()
    for match in INSTALLS.finditer(text):
        tool, rest = match["tool"].split(), re.sub(r"(^|\s)#.*", "", match["rest"])
        words = list(wanted(rest))
        if tool[0] == "docker":
            # An image without a slash is one that was built here.
            found |= {word for word in words if re.fullmatch(r"[a-z][\w.-]*/[\w./-]+", word)}
        # Behind what such a tool runs come the program's own words.
        elif tool[0] in {"uvx", "npx"} or tool[-1] == "run":
            found |= {bare(word) for word in words[:1] if is_package(word)}
        else:
            found |= {bare(word) for word in words if is_package(word)}
    for match in QUOTED.finditer(text):
        items = [item.strip(" []{}()") for item in match[1].split(",")]
        first = next((item for item in items if not item.startswith(('"-', "'-"))), "")
        # What is not quoted is a variable; what a colon follows is the next key.
        name = re.match(r"""["']([^"']+)["']?""", first) if not re.match(r".\w+.\s*:", first) else None
        found |= {bare(name[1])} if name and is_package(name[1]) else set()
    return found


def wanted(rest: str) -> Iterator[str]:
    """The words behind a command that are no options, up to the end of its sentence."""
    skip = False
    for raw in rest.split():
        word = raw.strip("\"'`,.:(")
        if skip or word.startswith("-"):
            skip = not skip and word in WITH_VALUE
            continue
        if word:
            yield word
        if raw.endswith((",", ".", ":", '",', '".', "',", "'.")):
            return


def is_package(word: str) -> bool:
    """Whether a word is the name of a package, and no file, folder, variable or placeholder."""
    return PACKAGE.fullmatch(word) is not None and not word.endswith((".whl", ".txt", ".json")) and not word.isupper()


def bare(word: str) -> str:
    name = re.sub(r"(?<=.)(\[|[=<>~!]=|[<>@]).*", "", word)
    return re.sub(r"[-_.]+", "-", name).lower() if not name.startswith("@") else name


def named_hosts(text: str) -> set[str]:
    """Hosts of addresses in a text."""
    found = re.findall(r"(?<![\w\\])https?://(?:[^\s/@\"'<>]*@)?(\[[0-9a-f:]+\]|[^\s/:\"'`<>)\]?#\\,;|(]*)", text)
    return {host.lower().rstrip(".") for host in found} - {""}


def named_owners(text: str) -> set[str]:
    """Accounts at places where software is published, and those that names in the registry claim."""
    places = r"\b(?:io\.github\.|(?:github\.com|gitlab\.com|codeberg\.org|ghcr\.io|hub\.docker\.com/r)/)([\w{}-]+)"
    return set(re.findall(places, text))


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """Everything that users, clients and registries are given or can read; tests and benches are read by none."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("no git checkout")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    def read() -> Iterator[tuple[str, str]]:
        for name in sorted(filter(None, listed.split("\0"))):
            if name.split("/")[0] in {"tests", "bench", ".ci"} or not (ROOT / name).is_file():
                continue
            try:
                yield name, (ROOT / name).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue

    return tuple(read())


def test_no_text_has_a_package_installed_that_is_neither_ours_nor_listed_with_its_reason() -> None:
    found = {(name, package) for name, text in texts() for package in named_packages(text) - set(PACKAGES)}

    # How it is published is told there, before it is.
    ours = {(name, package) for name, package in found if package == DISTRIBUTION}
    assert found - (ours if PUBLISHED else {("CONTRIBUTING.md", DISTRIBUTION)}) == set()


def test_no_text_names_an_extra_or_a_version_of_the_package_that_is_another_partys() -> None:
    assert [(name, found[0]) for name, text in texts() for found in EXTRA.finditer(text)] == []


def test_no_address_leads_to_a_host_that_is_neither_ours_nor_listed_with_its_reason() -> None:
    found = {(name, host) for name, text in texts() for host in named_hosts(text) if not EXAMPLES.fullmatch(host)}

    assert {(name, host) for name, host in found if host not in HOSTS} == set()


def test_no_text_claims_an_account_that_is_not_shown_to_be_ours() -> None:
    assert {(name, owner) for name, text in texts() for owner in named_owners(text) if owner not in OWNERS} == set()


def test_no_reason_is_left_of_what_is_no_longer_named() -> None:
    whole = "\n".join(text for _, text in texts())

    assert [host for host in HOSTS if host not in whole] == []


@pytest.mark.parametrize(
    ("text", "packages"),
    [
        ("uvx deepresearch-mcp demo", {FOREIGN}),
        ("Run `uvx --from 'deepresearch-mcp[models]' deepresearch-mcp serve`.", {FOREIGN}),
        ('pipx install "deepresearch-mcp[models]"', {FOREIGN}),
        ("Run: pip install 'deepresearch_mcp[postgres]', or leave it out.", {FOREIGN}),
        ('Install it: pip install "deepresearch-mcp[{package}]".', {FOREIGN}),
        ("python -m pip install -q --upgrade pip deepresearch.mcp==0.2.0 # comment", {"pip", FOREIGN}),
        ("uv tool install deepresearch-mcp@latest", {FOREIGN}),
        ("uv add httpx deepresearch-mcp", {"httpx", FOREIGN}),
        ("npx -y @someone/deepresearch-mcp serve", {"@someone/deepresearch-mcp"}),
        ('"command": "uvx", "args": ["deepresearch-mcp", "serve"]', {FOREIGN}),
        ('{"command": "/bin/uvx",\n "args": ["--from", "deepresearch-mcp[models]", "x"]}', {FOREIGN}),
        ('["pipx", "deepresearch-mcp"]', {FOREIGN}),
        ("docker run --rm -i someone/deepresearch", {"someone/deepresearch"}),
        ("pip install -c constraints.txt --editable . --group dev", set()),
        ("pip install --require-hashes -r locks/run.txt ./dist/x.whl && uvx", set()),
        ('"runtimeHint": "uvx",\n"transport": { "type": "stdio" }', set()),
        ('["uvx", DISTRIBUTION, "serve"]', set()),
        ("docker run -i --rm -v deepresearch:/data -e ANTHROPIC_API_KEY deepresearch-server", set()),
    ],
)
def test_the_search_finds_each_way_to_have_a_package_fetched(text: str, packages: set[str]) -> None:
    assert named_packages(text) == packages


@pytest.mark.parametrize(
    ("text", "hosts", "owners"),
    [
        ("(+https://modelcontextprotocol.io; research)", {"modelcontextprotocol.io"}, set()),
        ("see <https://github.com/someone/deepresearch>.", {"github.com"}, {"someone"}),
        ("<!-- mcp-name: io.github.deepresearch-mcp/deepresearch-mcp -->", set(), {"deepresearch-mcp"}),
        ('KEY = "io.github.deepresearch-mcp/run"', set(), {"deepresearch-mcp"}),
        ("http://user:pass@Evil.Example.Org:80/x", {"evil.example.org"}, set()),
    ],
)
def test_the_search_finds_addresses_and_accounts(text: str, hosts: set[str], owners: set[str]) -> None:
    assert named_hosts(text) == hosts
    assert named_owners(text) == owners


def test_both_commands_are_listed_where_users_look_for_them() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert all(f"`{command}`" in readme for command in COMMANDS)
    assert PUBLISHED or "is not on the Python package index yet" in " ".join(readme.split())
