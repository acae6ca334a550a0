"""Which address a request comes from. It is used in memory, for fair shares, and never written anywhere."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

Networks = tuple[IPv4Network | IPv6Network, ...]
FORWARDED = b"x-forwarded-for"
LONGEST, MOST_HOPS, HOUSEHOLD = 64, 16, 64


def address_of(scope: Mapping[str, Any], trusted: Networks) -> str:
    """The address of whoever sent a request; of a household where it is IPv6, as one has 2^64 addresses to itself.

    Behind proxies that are trusted, it is the last hop in `X-Forwarded-For` that is no trusted proxy: what stands
    before it was written by the client, who may write anything. The header `Forwarded` is not read, because most
    proxies pass it on as it came. Without a hop that can be believed it is the address of the proxy.

    >>> head = [(b"x-forwarded-for", b"192.0.2.9, 198.51.100.7, 10.0.0.2")]
    >>> scope = {"client": ("10.0.0.1", 5), "headers": head}
    >>> address_of(scope, ()), address_of(scope, networks_of(["10.0.0.0/8"]))
    ('10.0.0.1', '198.51.100.7')
    """
    peer = peer_address(scope)
    if not trusted or not is_trusted(peer, trusted):
        return grouped(peer)
    for name, value in reversed(scope["headers"]):
        if name == FORWARDED:
            for hop in reversed(value.rsplit(b",", MOST_HOPS)):
                found = _plain(hop)
                if not found:
                    return grouped(peer)
                if not is_trusted(found, trusted):
                    return grouped(found)
    return grouped(peer)


def peer_address(scope: Mapping[str, Any]) -> str:
    """The other end of the connection: a client or a proxy. Empty if it has no address."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def networks_of(texts: Iterable[str]) -> Networks:
    """Addresses and networks such as 10.0.0.1, 10.0.0.0/8 and fd00::/8; raises ValueError for anything else."""
    return tuple(ip_network(text, strict=False) for text in texts)


@lru_cache(maxsize=4_096)
def is_trusted(address: str, trusted: Networks) -> bool:
    """Whether an address is in one of the networks."""
    try:
        found = _unmapped(address)
    except ValueError:
        return False
    return any(found in each for each in trusted)


@lru_cache(maxsize=16_384)
def grouped(address: str) -> str:
    """Who shares a share: an IPv4 address, or the /64 of an IPv6 address.

    >>> grouped("192.0.2.1"), grouped("::ffff:192.0.2.1"), grouped("2001:db8:1:2:3:4:5:6")
    ('192.0.2.1', '192.0.2.1', '2001:db8:1:2::/64')
    """
    try:
        found = _unmapped(address)
    except ValueError:
        return address[:LONGEST]
    if isinstance(found, IPv6Address):
        return str(ip_network((int(found) >> HOUSEHOLD << HOUSEHOLD, HOUSEHOLD)))
    return str(found)


def _unmapped(address: str) -> Any:
    found = ip_address(address.partition("%")[0])
    return getattr(found, "ipv4_mapped", None) or found


def _plain(hop: bytes) -> str:
    """The address in one hop: `192.0.2.1`, `192.0.2.1:5`, `2001:db8::1` or `[2001:db8::1]:5`; empty if it is none."""
    text = hop.strip().decode("latin-1")
    if len(text) > LONGEST:
        return ""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return str(_unmapped(text))
    except ValueError:
        return ""
