"""Which hosts the collector answers for once it has a public URL: any other gets 421.

An attacker can point a domain at this server. Browsers then take the attacker's pages and ours for one site, and a
cache in front may keep our answers under that name.
"""

import re
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.wire import api

# Probes and Prometheus ask by the address of a container.
UNDER_ANY_NAME = (api.HEALTH, api.READY, api.METRICS)
PORTS = {"http": 80, "https": 443}
_LOCAL = re.compile(rb"(localhost|[0-9.]{7,15}|\[[0-9a-f:.]{2,45}\])(:[0-9]{1,5})?", re.IGNORECASE)


class Hosts:
    """The host of the public URL, the one on which the server listens, and the names of this machine at any port.

    Only `Host` is read, so a proxy has to pass it on: the client may have written `X-Forwarded-Host`. Where the target
    of a request names a host, `BoundedHead` has put that into `Host`.

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
            what = f"its address is {self._url}; if the request was for that, the proxy must pass on the Host header"
            raise Refused(Problem.MISDIRECTED, what)

    def know(self, host: bytes) -> bool:
        """Whether the name in a header is one of ours."""
        return self._any or host in self._ours or host.lower() in self._ours or _is_this_machine(host)


def _written(url: str) -> Iterable[bytes]:
    """The ways to write the host of a URL: with its port, and without if that is the usual one."""
    parts = urlsplit(url)
    name = (parts.hostname or "").encode("idna")
    name = b"[" + name + b"]" if b":" in name else name
    usual = PORTS[parts.scheme]
    port = parts.port or usual
    return {name + b":%d" % port} | ({name} if port == usual else set())


def _is_this_machine(host: bytes) -> bool:
    """Localhost or a loopback address, with a port or without."""
    found = _LOCAL.fullmatch(host)
    if found is None:
        return False
    name = found[1].decode().lower()
    try:
        return name == "localhost" or ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
