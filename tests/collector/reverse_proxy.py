"""A small reverse proxy that shows a collector below a path, as a web server with other things on it would."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socket import SHUT_RDWR, create_connection, socket
from socketserver import BaseRequestHandler, ThreadingTCPServer

NOT_HERE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\nConnection: close\r\n\r\nnot here\n"


class ReverseProxy(ThreadingTCPServer):
    """Passes on what is below `mount`, with that path or without it; `strays` are the paths that are not below it."""

    allow_reuse_address = True

    def __init__(self, mount: str, *, strips: bool) -> None:
        super().__init__(("127.0.0.1", 0), PassOn)
        self.mount, self.strips = mount, strips
        self.target, self.strays = 0, list[str]()
        self.url = f"http://127.0.0.1:{self.server_address[1]}{mount}"
        self.open: set[socket] = set()

    def inner(self, path: str) -> str | None:
        """What the collector is asked for; None if this is not below the path."""
        if not (path + "/").replace("?", "/").startswith(f"{self.mount}/"):
            self.strays.append(path.partition("?")[0])
            return None
        rest = path.removeprefix(self.mount) if self.strips else path
        return rest if rest.startswith("/") else f"/{rest}"


class PassOn(BaseRequestHandler):
    """One request; then the connection ends."""

    server: ReverseProxy

    def handle(self) -> None:
        self.server.open.add(self.request)
        with suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                head += (data := self.request.recv(1 << 16))
                if not data:
                    return
            method, path, rest = head.decode("latin-1").split(" ", 2)
            inner = self.server.inner(path)
            if inner is None:
                self.request.sendall(NOT_HERE)
                return
            first, _, rest = f"{method} {inner} {rest}".partition("\r\n")
            rest = rest.replace("Connection: keep-alive\r\n", "").replace("connection: keep-alive\r\n", "")
            with create_connection(("127.0.0.1", self.server.target)) as target:
                self.server.open.add(target)
                target.sendall(f"{first}\r\nConnection: close\r\n{rest}".encode("latin-1"))
                sending = threading.Thread(target=copy, args=(self.request, target))
                sending.start()
                copy(target, self.request)
                sending.join()
                self.server.open.discard(target)

    def finish(self) -> None:
        self.server.open.discard(self.request)


def copy(source: socket, target: socket) -> None:
    """Until either ends; then both do."""
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    for each in (source, target):
        with suppress(OSError):
            each.shutdown(SHUT_RDWR)


@contextmanager
def reverse_proxy(mount: str, *, strips: bool) -> Iterator[ReverseProxy]:
    """Running until the block ends; set its `target` to the port of the collector."""
    with ReverseProxy(mount, strips=strips) as proxy:
        thread = threading.Thread(target=proxy.serve_forever)
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            for each in tuple(proxy.open):
                with suppress(OSError):
                    each.shutdown(SHUT_RDWR)
            thread.join()
