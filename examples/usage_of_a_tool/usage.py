"""Reports which command was used, with the user's own limits, and says what left."""

import json
import os
import sys
from pathlib import Path
from types import TracebackType

from hgldp import Reporter
from hgldp.client import FolderInUse, Pace, Sent

TASK = json.loads((Path(__file__).parent / "task.json").read_text(encoding="utf-8"))
COLLECTOR = os.environ.get("HGLDP_URL", "http://127.0.0.1:8080")
PATIENCE = 2.0  # seconds that a command may take longer because of this


class Usage:
    """One user's reporter. While another run of the tool has it, this one reports nothing."""

    def __init__(self, folder: Path) -> None:
        self._reporter: Reporter | None = None
        try:
            self._reporter = Reporter(
                COLLECTOR, TASK["id"], TASK["write_key"], folder=folder, max_epsilon=1, reports_per_day=20,
                pace=Pace(take_over=0),
            )  # fmt: skip
        except FolderInUse:
            return

    def report(self, command: str) -> None:
        """Hand over one command, and print what leaves because of it."""
        if self._reporter is None or os.environ.get("DO_NOT_TRACK", "0") != "0":
            return
        before = len(self._reporter.what_was_sent())
        self._reporter.report(command)
        self._reporter.flush(PATIENCE)
        for one in self._reporter.what_was_sent()[before:]:
            sys.stderr.write(f"Sent to {COLLECTOR}, to count commands (--no-usage stops it):\n{_in_words(one)}")

    def stop(self) -> None:
        """Report nothing from now on."""
        if self._reporter is not None:
            self._reporter.opt_out()

    def show(self, *, again: bool) -> None:
        """What ever left, and what it cost."""
        if self._reporter is None:
            return
        if again:
            self._reporter.opt_in()
        state, spent = self._reporter.status().state, self._reporter.spent()
        sys.stdout.writelines(_in_words(one) for one in self._reporter.what_was_sent())
        sys.stdout.write(f"{state}; reports: {spent.reports}, in the last 24 hours: {spent.reports_24h}\n")

    def __enter__(self) -> "Usage":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._reporter is not None:
            self._reporter.close(0)


def _in_words(one: Sent) -> str:
    return f"  {one.reports} random answer, {len(one.body)} bytes: {one.body.hex()}\n"
