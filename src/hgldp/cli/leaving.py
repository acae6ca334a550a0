"""SIGTERM as an exception, for a command that must clear up before it ends."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

TOLD_TO_END = 128 + signal.SIGTERM


@contextmanager
def leaving_when_told() -> Iterator[None]:
    """Inside, SIGTERM leaves as Ctrl-C does, through every `finally`; the exit code is then 143."""
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(TOLD_TO_END)
