"""Whoever logs never waits: lines that nobody reads are dropped and counted, and the collector goes on."""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from hgldp.collector.http.monitoring.log_lines import LONGEST_LINE, MOST_BYTES, MOST_LINES, LogLines, standard_error
from tests.free_port import free_port
from tests.patience import PATIENCE, until


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
    lines = LogLines(theirs)

    def emit() -> None:
        for _ in range(3 * MOST_LINES):
            lines.emit(record("x" * 1_000))
        lines.flush()

    emitting = threading.Thread(target=emit, daemon=True)
    emitting.start()
    emitting.join(PATIENCE)
    assert not emitting.is_alive()  # whoever waited for room would wait for ever: nobody reads yet
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
    assert reader.wait(PATIENCE)
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
    settings = tmp_path / "hgldp.toml"
    settings.write_text('log_level = "debug"')
    line = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(tmp_path / "data"), "--port", str(port)]
    with subprocess.Popen([*line, "--config", str(settings)], stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        if reader == "gone":
            os.close(ours)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, trust_env=False) as http:
                until(lambda: process.poll() is not None or is_ready(http))
                for _ in range(1_500):
                    assert is_ready(http)
                metrics = http.get("/metrics").text
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
    dropped = next(line for line in metrics.splitlines() if line.startswith("hgldp_log_lines_dropped_total "))
    if reader == "gone":
        assert float(dropped.split()[1]) > 1_000
    else:
        assert json.loads(os.read(ours, 1 << 16).splitlines()[0])["event"] == "recovered"
        os.close(ours)


def is_ready(http: httpx.Client) -> bool:
    """A request that is logged, and that no address has to rest after: it is not refused."""
    try:
        return http.get("/ready").status_code == 200
    except httpx.TransportError:
        return False
