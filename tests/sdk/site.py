"""A web site that loads the built script under a strict policy."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from importlib.resources import files

from tests.sdk.recorder import served

POLICY = "default-src 'none'; script-src 'self'; connect-src http://127.0.0.1:*; base-uri 'none'"
STATIC = files("hgldp.collector.sdk").joinpath("static")
PAGE = b'<!doctype html><html lang="en"><title>A shop</title><script src="/script.js"></script>'


@contextmanager
def site(script: bytes) -> Iterator[str]:
    """One page, one script, on a port of its own. The path of the page may be anything."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the standard library's
            """Be quiet."""

        def do_GET(self) -> None:
            is_script = self.path == "/script.js"
            self.send_response(200)
            self.send_header("content-type", "text/javascript" if is_script else "text/html; charset=utf-8")
            self.send_header("content-security-policy", POLICY)
            self.end_headers()
            self.wfile.write(script if is_script else PAGE)

    with served(Handler) as url:
        yield url


def built(name: str = "hgldp-all.js") -> bytes:
    """The file that is served."""
    return STATIC.joinpath(name).read_bytes()
