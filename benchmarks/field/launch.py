"""One entrant in a process of its own, with a time limit: whatever it does, the run goes on."""

import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchmarks.field.contest import Contest, Showing
from benchmarks.field.entrants.registry import Entrant
from benchmarks.field.stand import PREFIX

ROOT = Path(__file__).resolve().parents[2]
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Failure:
    """Why there is no measurement."""

    error: str


def launch(entrant: Entrant, contest: Contest, python: Path, limit: float) -> Showing | Failure:
    """Run an entrant with the interpreter of its environment; kill it and its children after `limit` seconds."""
    command = [str(python), "-m", "benchmarks.field.stand", entrant.place, entrant.library, contest.to_json()]
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")] if entrant.home == "ours" else [str(ROOT)])
    environment = os.environ | ONE_THREAD | {"PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    try:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as wrong:
        return Failure(f"no interpreter: {wrong.strerror}")
    try:
        output, complaints = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        return Failure(f"stopped after {limit:g} seconds")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    if process.returncode:
        return Failure(last_line(complaints) or f"exit code {process.returncode}")
    return read(output)


def read(output: str) -> Showing | Failure:
    """The measurement on the last line.

    >>> read("hello").error
    'printed no measurement'
    """
    line = last_line(output)
    if not line.startswith(PREFIX):
        return Failure("printed no measurement")
    try:
        return Showing.from_json(line.removeprefix(PREFIX))
    except ValueError as wrong:
        return Failure(f"printed a measurement that cannot be read: {wrong}")


def last_line(text: str) -> str:
    """The last line that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
