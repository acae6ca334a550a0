"""Which names the collector answers to, once it has a public one: 421 for any other.

Somebody may let a name of theirs lead to this server. To a browser a page of theirs and ours are then one site, and a
cache in front may keep our answers under their name.
"""

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.wire import api

# Probes and Prometheus ask by the address of a container. What these paths say needs no name to be true.
UNDER_ANY_NAME = (api.HEALTH, api.READY, api.METRICS)
PORTS = {"http": 80, "https": 443}
LONGEST = 300


class Hosts:
    """The host of the public URL, that on which the server listens, and at any port the names of this machine itself.

    Only `Host` is read. A proxy has to pass it on: what stands in `X-Forwarded-Host`, the client may have written.

    >>> hosts = Hosts(Settings(public_url="https://collect.example.org/hot", host="0.0.0.0"))
    >>> [hosts.know(name) for name in (b"collect.example.org", b"Collect.Example.org:443", b"localhost:8080")]
    [True, True, True]
    >>> [hosts.know(name) for name in (b"collect.example.org:8080", b"evil.example", b"")]
    [False, False, False]
    >>> Hosts(Settings()).know(b"evil.example")
    True
    """

    def __init__(self, settings: Settings) -> None:
        self._url, self._any = settings.url, not settings.public_url
        self._ours = {*_written(settings.url), *_written(settings.local_url)}

    def check(self, path: str, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Refuse a request that names another host, several, or none."""
        if self._any or path in UNDER_ANY_NAME:
            return
        named = [value for name, value in headers if name == b"host"]
        if len(named) != 1 or not self.know(named[0]):
            what = f"it is {self._url}; if the request was for that, the proxy in front must pass the header Host on"
            raise Refused(Problem.MISDIRECTED, what)

    def know(self, host: bytes) -> bool:
        """Whether the name in a header is one of ours."""
        return self._any or host in self._ours or host.lower() in self._ours or _is_this_machine(host)


def _written(url: str) -> Iterable[bytes]:
    """The ways to write the host of a URL: a port that goes without saying may be said."""
    parts = urlsplit(url)
    name = (parts.hostname or "").encode("idna")
    name = b"[" + name + b"]" if b":" in name else name
    usual = PORTS[parts.scheme]
    port = parts.port or usual
    return {name + b":%d" % port} | ({name} if port == usual else set())


def _is_this_machine(host: bytes) -> bool:
    """Localhost or a loopback address, with a port or without."""
    text = host[:LONGEST].decode("latin-1").lower()
    name = text[1:].partition("]")[0] if text.startswith("[") else text.partition(":")[0]
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False
