"""Whose share a request uses: never what a stranger wrote about himself."""

import pytest

from hgldp.collector.http.connections.client_address import address_of, grouped, networks_of
from hgldp.collector.settings import Settings
from hgldp.errors import InvalidField

TRUSTED = networks_of(["10.0.0.0/8", "fd00::/8", "192.0.2.1"])


def seen(peer: str | None, *forwarded: str, trusted: object = TRUSTED) -> str:
    headers = [(b"x-forwarded-for", each.encode()) for each in forwarded]
    scope = {"client": None if peer is None else (peer, 1), "headers": [(b"host", b"x"), *headers]}
    return address_of(scope, trusted)  # type: ignore[arg-type]


def test_a_stranger_who_forwards_himself_is_not_believed() -> None:
    assert seen("198.51.100.1", "203.0.113.5") == "198.51.100.1"
    assert seen("10.0.0.1", "203.0.113.5", trusted=()) == "10.0.0.1"


def test_behind_a_trusted_proxy_the_last_hop_that_is_none_counts() -> None:
    assert seen("10.0.0.1", "203.0.113.5") == "203.0.113.5"
    assert seen("10.0.0.1", "1.1.1.1, 203.0.113.5, 10.9.9.9") == "203.0.113.5"
    assert seen("10.0.0.1", "1.1.1.1", "203.0.113.5") == "203.0.113.5"
    assert seen("fd00::1", "[2001:db8::7]:443") == "2001:db8::/64"
    assert seen("::ffff:10.0.0.1", "203.0.113.5:1234") == "203.0.113.5"


@pytest.mark.parametrize("hop", ["", "unknown", "203.0.113.5, nonsense", "x" * 5_000, "1.1.1.1, " + "," * 20_000])
def test_a_hop_that_is_no_address_leaves_the_proxys_own(hop: str) -> None:
    assert seen("10.0.0.1", hop) == "10.0.0.1"


def test_only_proxies_and_nothing_at_all() -> None:
    assert seen("10.0.0.1", "10.0.0.2, 192.0.2.1") == "10.0.0.1"
    assert seen("10.0.0.1") == "10.0.0.1"
    assert seen(None) == ""


def test_a_household_of_ipv6_is_one_address() -> None:
    assert len({grouped(f"2001:db8:0:1::{n:x}") for n in range(100)}) == 1
    assert grouped("2001:db8:0:1::1") != grouped("2001:db8:0:2::1")
    assert grouped("fe80::1%eth0") == "fe80::/64"
    assert grouped("not an address") == "not an address"


@pytest.mark.parametrize("wrong", ["10.0.0.1", ["10.0.0.1/99"], ["proxy"], [7], 5])
def test_the_setting_takes_a_list_of_networks(wrong: object) -> None:
    assert Settings(trusted_proxies=("10.0.0.1", "fd00::/8")).trusted_proxies == ("10.0.0.1", "fd00::/8")
    with pytest.raises(InvalidField, match="trusted_proxies"):
        Settings(trusted_proxies=wrong)  # type: ignore[arg-type]
