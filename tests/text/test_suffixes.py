import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.suffixes import registrable
from deepresearch_mcp.text.urls import site_of


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.treasury.gov.lk/x", "treasury.gov.lk"),
        ("https://stats.treasury.gov.lk/", "treasury.gov.lk"),
        ("https://www.ucr.ac.cr/", "ucr.ac.cr"),
        ("https://one.blogspot.de/2020/", "one.blogspot.de"),
        ("https://two.blogspot.de/2020/", "two.blogspot.de"),
        ("https://one.blogspot.co.uk/", "one.blogspot.co.uk"),
        ("https://blogspot.com/", "blogspot.com"),
        ("https://one.gitbook.io/docs", "one.gitbook.io"),
        ("https://me.github.io/", "me.github.io"),
        ("https://github.io/", "github.io"),
        ("https://someone.substack.com/p/x", "someone.substack.com"),
        ("https://a.someone.wordpress.com/", "someone.wordpress.com"),
        ("https://medium.com/@one/x", "medium.com"),
        ("https://news.bbc.co.uk:8443/x", "bbc.co.uk"),
        ("https://co.uk/", "co.uk"),
        ("https://gov.lk/", "gov.lk"),
        ("https://a.b.city.kobe.jp/", "city.kobe.jp"),
        ("https://a.b.c.kobe.jp/", "b.c.kobe.jp"),
        ("http://www.example.com./", "example.com"),
        ("http://127.0.0.1:8000/x", "127.0.0.1"),
        ("http://[2001:db8::1]:80/", "2001:db8::1"),
        ("http://localhost:8000/", "localhost"),
        ("http://wiki.corp.example-inside/", "corp.example-inside"),
        ("https://食狮.公司.cn/", "xn--85x722f.xn--55qx5d.cn"),
        ("https://www.xn--85x722f.xn--55qx5d.cn/", "xn--85x722f.xn--55qx5d.cn"),
        ("https://www.bücher.de/", "xn--bcher-kva.de"),
        ("nonsense", ""),
    ],
)
def test_a_site_is_what_one_party_answers_for(url: str, site: str) -> None:
    assert site_of(url) == site


@given(st.from_regex(r"[a-z0-9-]{1,12}(\.[a-z0-9-]{1,12}){0,5}", fullmatch=True))
def test_the_site_of_a_site_is_itself_and_lies_above_its_host(host: str) -> None:
    site = registrable(host)

    assert host == site or host.endswith(f".{site}")
    assert registrable(site) == site


_WITHOUT_A_LIST = """
import socket, sys
def refuse(*_args, **_more):
    raise AssertionError("the network was asked")
socket.socket.connect = socket.getaddrinfo = refuse
from deepresearch_mcp.text import suffixes
suffixes.BundledList.local_path = "res/no such file"
print(suffixes.registrable("a.b.gov.lk"))
"""


def test_without_its_list_the_last_two_labels_count_and_the_network_is_not_asked() -> None:
    done = subprocess.run([sys.executable, "-c", _WITHOUT_A_LIST], capture_output=True, text=True, check=False)

    assert (done.stdout.strip(), done.stderr) == ("gov.lk", "")


def test_the_list_is_not_loaded_before_a_host_is_asked_for() -> None:
    code = (
        "import deepresearch_mcp.runtime, deepresearch_mcp.text.urls, tld.utils;"
        "print(len(tld.utils.get_tld_names_container()))"
    )

    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "0"
