"""Fetching from a real server on this machine that behaves well, badly, slowly, and worse."""

import gzip
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from hashlib import sha256
from http.client import HTTPMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from urllib.request import Request

import pytest

from hgldp.errors import InvalidField
from hgldp.sources import download
from hgldp.sources.datasets import Dataset
from hgldp.sources.fetch import fetch
from hgldp.sources.find import find_source
from tests.patience import PATIENCE

LINES = b"".join(b"%d %d %d \n" % (number, number * 7 % 50, number % 9) for number in range(20_000))
PACKED = gzip.compress(LINES, mtime=0)
NUMBERS = sha256(LINES.replace(b" \n", b"\n")).hexdigest()
TAG = '"first"'
Behaviour = Callable[["Asked"], None]


class Asked(BaseHTTPRequestHandler):
    """One request; what happens to it is the server's `behaviour`."""

    server: "Publisher"

    def do_GET(self) -> None:
        self.server.requests.append(dict(self.headers))
        self.server.behaviour(self)

    def log_message(self, *_: object) -> None:
        """Nothing on standard error."""

    def answer(self, status: int = 200, sent: bytes = PACKED, **headers: str | int) -> None:
        """A status, headers, and a body that may be shorter than the headers say."""
        self.send_response(status)
        fields: dict[str, str | int] = {"Content-Length": len(sent)} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        for name, value in fields.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(sent)


class Publisher(ThreadingHTTPServer):
    """A server with a behaviour that a test may change, and a memory of what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Asked)
        self.behaviour: Behaviour = Asked.answer
        self.requests: list[dict[str, str]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/little.dat.gz"


@pytest.fixture
def publisher(monkeypatch: pytest.MonkeyPatch) -> Iterator[Publisher]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with Publisher() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def little(publisher: Publisher, numbers: str | None = NUMBERS) -> Dataset:
    facts = ("little", "a little data set", "nobody", "none", "none")
    place = {"page": "http://127.0.0.1/", "file": "little.dat.gz", "address": publisher.address}
    return Dataset(*facts, **place, items=60_000, distinct=20_000, numbers=numbers)


def resumable(asked: Asked, tag: str = TAG) -> None:
    """As a file server does it: a part, if it is asked for a part of this very file."""
    begin = asked.headers.get("Range", "").removeprefix("bytes=").removesuffix("-")
    if not begin or asked.headers.get("If-Range") != tag:
        asked.answer(ETag=tag)
        return
    first, last = int(begin), len(PACKED) - 1
    asked.answer(206, PACKED[first:], ETag=tag, Content_Range=f"bytes {first}-{last}/{len(PACKED)}")


def cut_off(asked: Asked) -> None:
    """Half of what the headers say."""
    asked.answer(sent=PACKED[: len(PACKED) // 2], Content_Length=len(PACKED), ETag=TAG)


def test_a_good_answer_is_verified_and_put_in_its_place(publisher: Publisher, tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    copy = fetch(little(publisher), tmp_path / "new" / "folder", lambda done, total: heard.append((done, total)))
    assert copy.path.read_bytes() == PACKED
    assert (copy.digest, copy.is_verified) == (NUMBERS, True)
    assert heard[-1] == (len(PACKED), len(PACKED))
    assert [file.name for file in copy.path.parent.iterdir()] == ["little.dat.gz"]
    assert find_source(str(copy.path)).stream(0).items.size == 60_000


def test_a_copy_that_is_there_is_verified_and_not_fetched_again(publisher: Publisher, tmp_path: Path) -> None:
    fetch(little(publisher), tmp_path)
    assert fetch(little(publisher), tmp_path).is_verified
    assert len(publisher.requests) == 1
    (tmp_path / "little.dat.gz").write_bytes(gzip.compress(b"1 2 3\n"))
    with pytest.raises(InvalidField, match="SHA-256 of its numbers"):
        fetch(little(publisher), tmp_path)
    assert len(publisher.requests) == 1


def test_a_copy_under_another_of_its_names_is_a_copy(publisher: Publisher, tmp_path: Path) -> None:
    (tmp_path / "little.txt").write_bytes(LINES)
    assert fetch(little(publisher), tmp_path).path == tmp_path / "little.txt"
    assert publisher.requests == []


def test_an_answer_that_is_cut_off_is_refused_and_gone_on_with(publisher: Publisher, tmp_path: Path) -> None:
    publisher.behaviour = cut_off
    with pytest.raises(InvalidField, match=rf"{len(PACKED) // 2} of {len(PACKED)} bytes; what has arrived is kept"):
        fetch(little(publisher), tmp_path)
    assert not (tmp_path / "little.dat.gz").exists()
    publisher.behaviour = resumable
    heard: list[int] = []
    copy = fetch(little(publisher), tmp_path, lambda done, _: heard.append(done))
    assert copy.path.read_bytes() == PACKED
    assert publisher.requests[-1]["Range"] == f"bytes={len(PACKED) // 2}-"
    assert publisher.requests[-1]["If-Range"] == TAG
    assert min(heard) > len(PACKED) // 2
    assert [file.name for file in tmp_path.iterdir()] == ["little.dat.gz"]


def test_a_part_of_another_version_is_started_over(publisher: Publisher, tmp_path: Path) -> None:
    publisher.behaviour = cut_off
    with pytest.raises(InvalidField):
        fetch(little(publisher), tmp_path)
    part = tmp_path / "little.dat.gz.part"
    part.write_bytes(b"?" * part.stat().st_size)
    publisher.behaviour = lambda asked: resumable(asked, tag='"second"')
    assert fetch(little(publisher), tmp_path).path.read_bytes() == PACKED


@pytest.mark.parametrize("ignored", [True, False], ids=["the range is ignored", "the range is refused"])
def test_a_server_that_gives_no_parts_is_asked_for_the_whole(
    publisher: Publisher, tmp_path: Path, ignored: bool
) -> None:
    publisher.behaviour = cut_off
    with pytest.raises(InvalidField):
        fetch(little(publisher), tmp_path)

    def whole(asked: Asked) -> None:
        asked.answer(416, b"") if "Range" in asked.headers and not ignored else asked.answer()

    publisher.behaviour = whole
    assert fetch(little(publisher), tmp_path).path.read_bytes() == PACKED


def test_a_part_without_a_mark_is_never_gone_on_with(publisher: Publisher, tmp_path: Path) -> None:
    (tmp_path / "little.dat.gz.part").write_bytes(b"whatever this is")
    assert fetch(little(publisher), tmp_path).path.read_bytes() == PACKED
    assert "Range" not in publisher.requests[0]


def test_a_part_that_does_not_fit_is_refused(publisher: Publisher, tmp_path: Path) -> None:
    publisher.behaviour = cut_off
    with pytest.raises(InvalidField):
        fetch(little(publisher), tmp_path)
    publisher.behaviour = lambda asked: asked.answer(206, PACKED[10:], ETag=TAG)
    with pytest.raises(InvalidField, match="a part that does not say which"):
        fetch(little(publisher), tmp_path)
    publisher.behaviour = lambda asked: asked.answer(206, b"x", Content_Range=f"bytes 3-3/{len(PACKED)}", ETag=TAG)
    with pytest.raises(InvalidField, match="another part than was asked for"):
        fetch(little(publisher), tmp_path)
    publisher.behaviour = resumable
    assert fetch(little(publisher), tmp_path).path.read_bytes() == PACKED


def test_another_content_is_refused_and_nothing_stays(publisher: Publisher, tmp_path: Path) -> None:
    publisher.behaviour = lambda asked: asked.answer(sent=gzip.compress(LINES + b"1\n"))
    with pytest.raises(InvalidField, match=f"little must have {NUMBERS} as the SHA-256 of its numbers"):
        fetch(little(publisher), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_other_blanks_and_no_compression_are_the_same_content(publisher: Publisher, tmp_path: Path) -> None:
    publisher.behaviour = lambda asked: asked.answer(sent=LINES.replace(b" ", b"\t").replace(b"\n", b"\r\n\n"))
    assert fetch(little(publisher), tmp_path).is_verified
    assert find_source(str(tmp_path / "little.dat.gz")).stream(0).items.size == 60_000


def test_marks_of_spmf_are_left_out(publisher: Publisher, tmp_path: Path) -> None:
    publisher.behaviour = lambda asked: asked.answer(sent=LINES.replace(b" \n", b" -2\n").replace(b" ", b" -1 "))
    copy = fetch(little(publisher), tmp_path)
    assert copy.is_verified
    assert gzip.decompress(copy.path.read_bytes()) == LINES.replace(b" \n", b"\n")
    assert [file.name for file in tmp_path.iterdir()] == ["little.dat.gz"]


def test_what_nobody_pinned_is_kept_with_its_digest_and_said_to_be_unverified(
    publisher: Publisher, tmp_path: Path
) -> None:
    copy = fetch(little(publisher, numbers=None), tmp_path)
    assert (copy.digest, copy.is_verified) == (NUMBERS, False)


def test_the_id_that_git_gives_verifies_too(publisher: Publisher, tmp_path: Path) -> None:
    """The reference is `printf '1 2 3\\n' | git hash-object --stdin`."""
    publisher.behaviour = lambda asked: asked.answer(sent=gzip.compress(b"1 2 3\n"))
    right = replace(little(publisher, numbers=None), git_blob="b85905ec0b994f1e5797d58ffefed89ff54d6b51")
    with pytest.raises(InvalidField, match="id that git gives it"):
        fetch(replace(right, git_blob="0" * 40), tmp_path)
    assert fetch(right, tmp_path).is_verified


def test_damaged_gzip_data_is_refused_even_if_nobody_pinned_it(publisher: Publisher, tmp_path: Path) -> None:
    publisher.behaviour = lambda asked: asked.answer(sent=PACKED[:-40])
    with pytest.raises(InvalidField, match="little must be whole gzip data"):
        fetch(little(publisher, numbers=None), tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("status", [403, 404, 500, 503])
def test_a_refusal_is_said_with_its_number(publisher: Publisher, tmp_path: Path, status: int) -> None:
    publisher.behaviour = lambda asked: asked.answer(status, b"<html>no</html>")
    with pytest.raises(InvalidField, match=f"must be served whole, got {status} "):
        fetch(little(publisher), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_slow_is_no_failure_and_silence_is(publisher: Publisher, tmp_path: Path) -> None:
    def slow(asked: Asked, pause: float = 0.4) -> None:
        asked.send_response(200)
        asked.send_header("Content-Length", str(len(PACKED)))
        asked.end_headers()
        for start in range(0, len(PACKED), len(PACKED) // 6):
            asked.wfile.write(PACKED[start : start + len(PACKED) // 6])
            asked.wfile.flush()
            time.sleep(pause)

    publisher.behaviour = slow
    assert fetch(little(publisher), tmp_path / "slow", silence=2).is_verified
    stop = threading.Event()

    def silent(asked: Asked) -> None:
        asked.answer(sent=PACKED[:100], Content_Length=len(PACKED))
        asked.wfile.flush()
        stop.wait(PATIENCE)

    publisher.behaviour = silent
    with pytest.raises(InvalidField, match=r"silence for 0.3 seconds"):
        fetch(little(publisher), tmp_path / "silent", silence=0.3)
    stop.set()
    assert not (tmp_path / "silent" / "little.dat.gz").exists()


def test_a_server_that_hangs_up_is_a_failure(publisher: Publisher, tmp_path: Path) -> None:
    publisher.behaviour = lambda asked: asked.connection.close()
    with pytest.raises(InvalidField, match="must be served whole, got a failure"):
        fetch(little(publisher), tmp_path)


def test_nobody_listens(publisher: Publisher, tmp_path: Path) -> None:
    unused = replace(little(publisher), address="http://127.0.0.1:9/little.dat.gz")
    with pytest.raises(InvalidField, match="got a failure"):
        fetch(unused, tmp_path)


def test_a_redirection_is_followed_within_the_web(publisher: Publisher, tmp_path: Path) -> None:
    def moved(asked: Asked) -> None:
        asked.answer() if asked.path == "/elsewhere" else asked.answer(302, b"", Location="/elsewhere")

    publisher.behaviour = moved
    assert fetch(little(publisher), tmp_path).is_verified


@pytest.mark.parametrize("target", ["file:///etc/hostname", "ftp://127.0.0.1/little", "data:,1%202"])
def test_a_redirection_out_of_the_web_is_refused(publisher: Publisher, tmp_path: Path, target: str) -> None:
    publisher.behaviour = lambda asked: asked.answer(302, b"", Location=target)
    with pytest.raises(InvalidField, match=r"must (lead to|be served)"):
        fetch(little(publisher), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_redirection_to_another_kind_of_server_or_to_an_open_line_is_refused_before_it_is_asked() -> None:
    careful = download._CarefulRedirects()
    for begin, end, allowed in (
        ("http://a.example/", "ftp://b.example/", False),
        ("https://a.example/", "http://b.example/", False),
        ("http://a.example/", "https://b.example/", True),
        ("https://a.example/", "https://b.example/", True),
    ):
        with nullcontext() if allowed else pytest.raises(InvalidField, match="must lead to http or https"):
            careful.redirect_request(Request(begin), BytesIO(), 302, "Found", HTTPMessage(), end)  # noqa: S310


def test_a_circle_of_redirections_ends(publisher: Publisher, tmp_path: Path) -> None:
    publisher.behaviour = lambda asked: asked.answer(302, b"", Location="/round")
    with pytest.raises(InvalidField, match="must be served whole, got 302"):
        fetch(little(publisher), tmp_path)


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://example.org/a", "little.dat.gz", "http://"])
def test_an_address_that_is_not_of_the_web_cannot_be_written_down(publisher: Publisher, address: str) -> None:
    with pytest.raises(InvalidField, match="address must begin with"):
        replace(little(publisher), address=address)


def test_a_folder_that_cannot_be_written_is_said(publisher: Publisher, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(InvalidField, match="data must be a folder that can be written"):
        fetch(little(publisher), tmp_path / "file")


def test_what_nobody_serves_says_where_to_put_it(publisher: Publisher, tmp_path: Path) -> None:
    by_hand = replace(little(publisher), address=None, note="made by hand")
    with pytest.raises(
        InvalidField, match=r"little must be put by hand at .*little.dat.gz, got no copy \(made by hand"
    ):
        fetch(by_hand, tmp_path)
