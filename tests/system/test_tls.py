"""A connection with TLS that is cut by another thread while it reads."""

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hgldp.system.http import Address, Connection, Unreachable
from tests.patience import PATIENCE

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")


class SilentServer:
    """Answers with a head and then waits, so that the client is in the middle of reading a body."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._context, self._listening = context, socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.asked, self.received = threading.Event(), b""
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        raw, _ = self._listening.accept()
        with raw, self._context.wrap_socket(raw, server_side=True, suppress_ragged_eofs=True) as found:
            found.recv(65_536)
            found.sendall(HEAD)
            self.asked.set()
            try:
                self.received = found.recv(65_536)
            except OSError:
                self.received = b""

    def close(self) -> None:
        self._listening.close()
        self._thread.join(PATIENCE)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    key, chain = folder / "key.pem", folder / "chain.pem"
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(chain)]
    subprocess.run(["openssl", *words, *names], check=True, capture_output=True)  # noqa: S607
    return chain, key


@pytest.fixture
def server(certificate: tuple[Path, Path]) -> Iterator[SilentServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    found = SilentServer(context)
    yield found
    found.close()


def connection(server: SilentServer, certificate: tuple[Path, Path], deadline: float | None) -> Connection:
    trusting = ssl.create_default_context(cafile=str(certificate[0]))
    return Connection(Address.of(f"https://127.0.0.1:{server.port}"), 20.0, deadline, trusting)


def test_stopping_a_request_leaves_the_tls_layer_to_the_thread_that_reads(
    server: SilentServer, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before: the layer was dropped under the reading thread, whose next read or write would be in the clear."""
    found = connection(server, certificate, None)
    ended: list[BaseException] = []
    dropped: list[threading.Thread] = []

    def ask() -> None:
        try:
            found.request("GET", "/", None, {}, 10_000)
        except BaseException as failure:  # noqa: BLE001 - looked at below
            ended.append(failure)

    asking = threading.Thread(target=ask)
    asking.start()
    assert server.asked.wait(PATIENCE)
    monkeypatch.setattr(ssl.SSLSocket, "shutdown", lambda *_: dropped.append(threading.current_thread()))
    found.stop()
    asking.join(PATIENCE)
    assert not asking.is_alive()
    assert [type(each) for each in ended] == [Unreachable]
    assert threading.current_thread() not in dropped


def test_a_deadline_ends_a_request_with_tls(server: SilentServer, certificate: tuple[Path, Path]) -> None:
    found = connection(server, certificate, 0.5)
    with pytest.raises(Unreachable):
        found.request("GET", "/", None, {}, 10_000)
    found.rest()
