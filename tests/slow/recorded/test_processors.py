"""The same on PostgreSQL, and on a processor that computes otherwise."""

import os
import subprocess
import sys

import numpy as np

from tests.postgres import Server
from tests.recorded.agreement import assert_as_recorded


def test_what_a_shared_store_keeps_is_as_recorded(postgres_server: Server) -> None:
    """The fixture skips where there is no PostgreSQL."""
    assert_as_recorded("log/database")


def test_the_same_reports_lead_to_the_same_states_on_a_processor_with_narrower_registers() -> None:
    """Sorts that use wide registers leave equal items in another order."""
    features = np.show_config(mode="dicts")["SIMD Extensions"]  # type: ignore[call-overload]
    narrow = os.environ | {"NPY_DISABLE_CPU_FEATURES": " ".join(features.get("found", []))}
    command = [sys.executable, "-m", "tests.recorded", "states", "log/folder"]
    done = subprocess.run(command, env=narrow, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
