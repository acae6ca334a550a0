"""A collector on 127.0.0.1 that is honest until a test tells it how to lie. It keeps every byte that it receives."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from hgldp.model.task import Task
from hgldp.tracker import Tracker
from hgldp.wire.upload import Upload

Reply = bytes | Iterator[bytes]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    head: str
    body: bytes


def answer(status: int, body: bytes = b"{}", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} Said", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@dataclass
class HostileServer:
    """`lies` maps the start of a path to what is answered in its place."""

    task: Task
    max_age: int = 3600
    lies: dict[str, Callable[[Request], Reply]] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tracker = Tracker(self.task, seed=1)
        self.id = self.task.id.hex()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def uploads(self) -> list[bytes]:
        return [request.body for request in self.requests if request.method == "POST"]

    def notice(self, **changed: object) -> bytes:
        bulletin = self.tracker.bulletin
        fields = {"task": self.id, "bulletin": bulletin.version, "epoch": bulletin.epoch, "max_age": self.max_age}
        return json.dumps(fields | changed).encode()

    def honest(self, request: Request) -> bytes:
        if request.path.endswith("/document"):
            return answer(200, self.task.canonical)
        if request.path.endswith("/bulletin"):
            return answer(200, self.notice(), 'ETag: "you-are-number-7"', "Set-Cookie: you=7")
        if request.path.startswith("/v1/bulletins/"):
            return answer(200, self.tracker.bulletin.canonical)
        return answer(200, json.dumps({"accepted": Upload.decode(request.body).count}).encode())

    def close(self) -> None:
        self._socket.close()
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                self._open.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError, ValueError), connection, connection.makefile("rb") as stream:
            while request := self._read(stream):
                self.requests.append(request)
                lie = next((lie for start, lie in self.lies.items() if request.path.startswith(start)), self.honest)
                reply = lie(request)
                for piece in [reply] if isinstance(reply, bytes) else reply:
                    connection.sendall(piece)
                if not isinstance(reply, bytes) or b"\r\n\r\n" not in reply:
                    return

    def _read(self, stream) -> Request | None:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = stream.readline(65_536)
            if not line:
                return None
            head += line
        method, path, _ = head.decode("latin-1").split(" ", 2)
        length = next(
            (int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
        )
        return Request(method, path, head.decode("latin-1"), stream.read(length))
