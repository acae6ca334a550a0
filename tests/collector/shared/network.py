"""A network between a collector and its database that can fail: connections go through a port of its own."""

import socket
import threading
from contextlib import suppress
from types import TracebackType


class Network:
    """`drop` ends every connection and refuses new ones; `hold` keeps them, and carries nothing; `mend` ends both."""

    def __init__(self, target: int) -> None:
        self._target, self._dropping, self._flowing = target, False, threading.Event()
        self._flowing.set()
        self._open: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> "Network":
        return self

    def __exit__(self, kind: type | None, failure: BaseException | None, trace: TracebackType | None) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._flowing.set()
        self.drop()

    def drop(self) -> None:
        self._dropping = True
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._open.clear()

    def hold(self) -> None:
        self._flowing.clear()

    def mend(self) -> None:
        self._dropping = False
        self._flowing.set()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                if self._dropping:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._target))
                self._open += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                self._flowing.wait()
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)
