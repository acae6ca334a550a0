"""Where the collector is: encrypted, or on this machine."""

from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from hgldp.errors import InvalidField

SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")


@dataclass(frozen=True)
class Address:
    """A URL taken apart. Plain http is for this machine alone, unless it is allowed in so many words.

    >>> Address.of("https://example.org/collector/")
    Address(host='example.org', port=443, encrypted=True, prefix='/collector')
    """

    host: str
    port: int
    encrypted: bool
    prefix: str = field(default="")

    @classmethod
    def of(cls, url: str, *, allow_plain_http: bool = False) -> "Address":
        """From a URL without user, query or fragment."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise InvalidField("url", "must be a URL", "another text (withheld)") from None
        rest = (parts.username, parts.password, parts.query or None, parts.fragment or None)
        if parts.scheme not in ("https", "http") or not host or any(part is not None for part in rest):
            rule = "must be https://HOST[:PORT][/PATH], without user, query or fragment"
            raise InvalidField("url", rule, "another text (withheld)")
        if not set(parts.path) <= SAFE:
            raise InvalidField("url", "must have a path of letters, digits and -._~/", "another (withheld)")
        encrypted = parts.scheme == "https"
        if not encrypted and not allow_plain_http and not is_loopback(host):
            raise InvalidField("url", "must be https, or http on this machine (allow_plain_http lifts this)", "http")
        return cls(host, port or (443 if encrypted else 80), encrypted, parts.path.rstrip("/"))


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its number or the one name that always is."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
