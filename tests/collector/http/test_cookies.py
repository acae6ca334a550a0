"""A cookie is read in one pass, whatever stands around it."""

import time

import pytest
from starlette.requests import Request, cookie_parser

from hgldp.collector.http.shown_tokens import cookies_like

HOSTILE = 'x="' + '\\"' * 16_000 + '"'


def carrying(*headers: str) -> Request:
    return Request({"type": "http", "headers": [(b"cookie", each.encode("latin-1")) for each in headers]})


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        (("hgldp-reader=abc",), "abc"),
        (("a=1; hgldp-reader=abc; b=2",), "abc"),
        (("a=1;hgldp-reader=abc",), "abc"),
        (("a=1", "hgldp-reader=abc"), "abc"),
        (("hgldp-reader=abc; hgldp-reader=def",), "abc"),
        (("hgldp-reader-1=abc", "xhgldp-reader=abc"), ""),
        (("hgldp-reader",), ""),
        (("hgldp-reader=" + "a" * 513,), ""),
        ((), ""),
        ((HOSTILE + "; hgldp-reader=abc",), "abc"),
        (("; " * 300 + "hgldp-reader=abc",), ""),
    ],
)
def test_our_cookie_is_found_and_nothing_else(headers: tuple[str, ...], found: str) -> None:
    assert cookies_like(carrying(*headers), "hgldp-reader").get("hgldp-reader", "") == found


def test_a_cookie_of_escaped_quotes_costs_no_more_than_another() -> None:
    """The standard library's parser needs seconds for each, before Python 3.11.10 and 3.12.6."""
    before = time.process_time()
    for _ in range(100):
        cookies_like(carrying(HOSTILE + "; hgldp-reader=abc"), "hgldp-reader")
    assert time.process_time() - before < 20


def test_the_hostile_cookie_is_one_that_the_standard_parser_accepts() -> None:
    assert set(cookie_parser('x="' + '\\"' * 100 + '"')) == {"x"}
