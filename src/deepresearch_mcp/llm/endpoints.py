"""Classifies the address of a service: private or public, usable or not."""

import ipaddress

import httpx2


def is_private(base_url: str) -> bool:
    """Return whether the address is on this machine or a private network, without a DNS lookup.

    A name without a dot, or below `.local`, `.internal`, `.lan` or `.localhost`, is private.
    """
    try:
        host = httpx2.URL(base_url).host.rstrip(".").lower()
    except httpx2.InvalidURL:
        return False
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith((".local", ".internal", ".lan", ".localhost")))
    return address.is_loopback or address.is_private or address.is_link_local


def is_address(base_url: str) -> bool:
    """Return whether the address can be used: it is http or https and names a host."""
    try:
        url = httpx2.URL(base_url)
    except httpx2.InvalidURL:
        return False
    return url.scheme in {"http", "https"} and bool(url.host)
