"""Processes that measure, each with one thread and a line to it; they end when the line is cut."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

from hgldp.experiments.worker import attend

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def hired(number: int, folder: Path | None) -> Iterator[list[Connection]]:
    """Lines to so many processes; none of them outlives this."""
    context = get_context("spawn")
    lines: list[Connection] = []
    processes: list[SpawnProcess] = []
    try:
        with _one_thread_each():
            for _ in range(number):
                ours, theirs = context.Pipe()
                process = context.Process(target=attend, args=(theirs, folder), daemon=True)
                process.start()
                theirs.close()
                lines.append(ours)
                processes.append(process)
        yield lines
    finally:
        for line in lines:
            line.close()
        for process in processes:
            process.terminate()
            process.join()


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """In the environment that the processes are born into."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
