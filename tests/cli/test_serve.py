import pytest


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", "80"), "--host, --port and --no-token are for HTTP"),
        (("--host", "127.0.0.1"), "--host, --port and --no-token are for HTTP"),
        (("--no-token",), "--host, --port and --no-token are for HTTP"),
        (("--log-level", "loud"), "There is no log level"),
        (("--set", "x"), "SETTING=VALUE"),
        (("--http", "--host", "0.0.0.0"), "refused"),
        (("--http", "--set", "search.timeout=soon"), "search.timeout"),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_sentence(cli, arguments, words):
    said = cli("serve", *arguments)

    assert said.code == 2
    assert said.out == ""
    assert words in said.err
