"""The socket that the collector listens on: IPv4, IPv6, or both where the system allows it."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EADDRINUSE
from ipaddress import ip_address

from hgldp.errors import HgldpError, InvalidField

# What the system holds for each connection: received and not read by us, written by us and not sent.
UNREAD_BYTES, UNSENT_BYTES = 1 << 16, 1 << 17
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - only compared


class PortInUse(HgldpError):
    """Another server has the port."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(f"port {port} of {host} is in use: choose another with --port")


@contextmanager
def bound_socket(host: str, port: int) -> Iterator[socket.socket]:
    """Bound before anything else is opened, so that a taken port leaves no trace; nobody can connect yet."""
    found = None
    try:
        name = host.strip("[]")
        family, *_, address = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            with suppress(OSError):  # a system without IPv4 in IPv6
                found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, int(name != "::"))
        found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD_BYTES)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
        found.bind(address)
    except (OSError, UnicodeError) as failure:
        if found is not None:
            found.close()
        if isinstance(failure, OSError) and failure.errno == EADDRINUSE:
            raise PortInUse(host, port) from None
        reason = getattr(failure, "strerror", None) or "unknown"
        rule = "must be an address of this machine and a free port"
        raise InvalidField("host and port", rule, f"{host}:{port} ({reason})") from None
    with found:
        yield found


def is_reachable_from_outside(host: str) -> bool:
    """Whether others than this machine may connect: anything but a loopback address.

    >>> [is_reachable_from_outside(each) for each in ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "::", "10.0.0.5")]
    [False, False, False, True, True, True]
    """
    name = host.strip("[]").partition("%")[0]
    try:
        return not ip_address(name).is_loopback
    except ValueError:
        return name != "localhost"
