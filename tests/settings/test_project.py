import shlex
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from deepresearch_mcp.settings.project import COMMANDS, DISTRIBUTION, EXTRAS, FOREIGN, adding, quoted

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_package_and_its_commands_are_called_what_the_code_says() -> None:
    assert PROJECT["name"] == DISTRIBUTION != FOREIGN
    assert PROJECT["scripts"] == dict.fromkeys(COMMANDS, "deepresearch_mcp.__main__:main")


def test_an_extra_that_names_the_package_names_ours() -> None:
    lines = [line for lines in PROJECT["optional-dependencies"].values() for line in lines]

    assert [line for line in lines if line.startswith("deepresearch")] == [
        line for line in lines if line.startswith(f"{DISTRIBUTION}[")
    ]


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_stands_for_what_the_project_says(extra: str) -> None:
    names = [line.partition(">")[0].partition("<")[0] for line in PROJECT["optional-dependencies"][extra]]

    assert tuple(names) == EXTRAS[extra]


@pytest.mark.parametrize("flags", [[], ["-S"]])
def test_the_line_that_adds_a_package_is_for_this_very_environment(flags: list[str]) -> None:
    # Without its site's packages an interpreter has no pip, as in an environment that uv has made.
    code = "from deepresearch_mcp.settings.project import adding; print(adding('keyring', 'psycopg[binary,pool]'))"
    source = str(Path(find_spec("deepresearch_mcp").submodule_search_locations[0]).parent)  # pyright: ignore[reportOptionalMemberAccess, reportOptionalSubscript] - it is here
    code = f"import sys; sys.path.insert(0, {source!r}); {code}"

    said = subprocess.run([sys.executable, *flags, "-c", code], capture_output=True, text=True, check=True).stdout

    words = shlex.split(said)
    assert words[-2:] == ["keyring", "psycopg[binary,pool]"]
    assert sys.executable in words
    assert words[0] == ("uv" if flags or find_spec("pip") is None else sys.executable)


def test_the_line_is_quoted_for_the_shell_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", r"C:\Program Files\A&B\python.exe")
    windows = adding("psycopg[binary,pool]>=3", windows=True)
    monkeypatch.setattr(sys, "executable", "/opt dir/it's/python")
    posix = adding("psycopg[binary,pool]>=3", windows=False)

    assert "'" not in windows
    assert r'"C:\Program Files\A&B\python.exe"' in windows
    assert '"psycopg[binary,pool]>=3"' in windows  # Else cmd.exe would write into a file called =3.
    assert shlex.split(posix)[-1] == "psycopg[binary,pool]>=3"
    assert "/opt dir/it's/python" in shlex.split(posix)


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("keyring", "keyring"),
        (r"C:\Python\python.exe", r"C:\Python\python.exe"),
        (r"C:\A&B\python.exe", r'"C:\A&B\python.exe"'),
        ("a b\\", '"a b\\\\"'),
        ("", '""'),
    ],
)
def test_a_word_of_cmd_exe_is_quoted_only_where_it_must_be(word: str, shown: str) -> None:
    assert quoted(word, windows=True) == shown


def test_it_names_no_package_of_another_party() -> None:
    assert all(FOREIGN not in shlex.split(adding(*packages)) for packages in EXTRAS.values())
