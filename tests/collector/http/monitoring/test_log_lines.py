"""Whoever logs never waits: lines that nobody reads are dropped and counted, and the collector goes on."""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from hgldp.collector.http.monitoring.log_lines import LONGEST_LINE, MOST_BYTES, MOST_LINES, LogLines, standard_error
from tests.free_port import free_port


def record(text: str) -> logging.LogRecord:
    return logging.LogRecord("x", logging.INFO, "", 0, text, None, None)


def test_lines_arrive_in_order_and_whole() -> None:
    ours, theirs = os.pipe()
    lines, found = LogLines(theirs), b""
    for number in range(1_000):
        lines.emit(record(f"line {number} ü\ud800"))
    while found.count(b"\n") < 1_000:
        found += os.read(ours, 1 << 16)
    lines.flush()
    assert found.decode().splitlines() == [f"line {number} ü\\ud800" for number in range(1_000)]
    assert lines.dropped == 0
    os.close(ours)
    os.close(theirs)


def test_a_full_pipe_costs_lines_and_no_time() -> None:
    ours, theirs = os.pipe()
    lines, begin = LogLines(theirs), time.monotonic()
    for _ in range(3 * MOST_LINES):
        lines.emit(record("x" * 1_000))
    assert time.monotonic() - begin < 5
    lines.flush()
    assert time.monotonic() - begin < 8
    assert 0 < lines.dropped < 3 * MOST_LINES
    assert lines._bytes <= MOST_BYTES
    dropped, found, reader = lines.dropped, bytearray(), threading.Event()

    def read() -> None:
        while piece := os.read(ours, 1 << 16):
            found.extend(piece)
        reader.set()

    threading.Thread(target=read, daemon=True).start()
    lines.emit(record("later"))
    for _ in range(20):
        lines.flush()
    os.close(theirs)
    assert reader.wait(5)
    os.close(ours)
    assert b"later" in found or lines.dropped > dropped
    assert b"log lines dropped" in found


@pytest.mark.parametrize("descriptor", ["none", "closed", "broken"])
def test_no_reader_at_all_is_no_failure(descriptor: str) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    if descriptor == "closed":
        os.close(theirs)
    lines = LogLines(None if descriptor == "none" else theirs)
    lines.emit(record("x"))
    lines.flush()
    lines.emit(record("y"))
    lines.flush()
    assert lines.dropped >= 2
    if descriptor != "closed":
        os.close(theirs)


def test_a_line_has_an_end() -> None:
    ours, theirs = os.pipe()
    lines = LogLines(theirs)
    lines.emit(record("x" * 10 * LONGEST_LINE))
    lines.flush()
    assert len(os.read(ours, 1 << 20)) == LONGEST_LINE + 1
    os.close(ours)
    os.close(theirs)


def test_a_closed_standard_error_has_no_descriptor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert standard_error() is None


@pytest.mark.parametrize("reader", ["nobody", "gone"])
def test_standard_error_that_nobody_reads_stops_neither_answers_nor_the_end(tmp_path: Path, reader: str) -> None:
    """A pipe holds the lines of 480 requests. Before, the next answer never came, and SIGTERM hung."""
    port, (ours, theirs) = free_port(), os.pipe()
    line = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(tmp_path), "--port", str(port)]
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        if reader == "gone":
            os.close(ours)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=10, trust_env=False) as http:
            until = time.monotonic() + 60
            while time.monotonic() < until:
                try:
                    if http.get("/ready").status_code == 200:
                        break
                except httpx.TransportError:
                    time.sleep(0.05)
            for _ in range(1_500):
                assert http.get("/nothing").status_code == 404
            metrics = http.get("/metrics").text
        before = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        assert time.monotonic() - before < 15  # a few seconds, on a machine that may be busy
    dropped = next(line for line in metrics.splitlines() if line.startswith("hgldp_log_lines_dropped_total "))
    if reader == "gone":
        assert float(dropped.split()[1]) > 1_000
    else:
        assert json.loads(os.read(ours, 1 << 16).splitlines()[0])["event"] == "recovered"
        os.close(ours)
