"""`hgldp compile`: after it, a collector finds all of its machine code."""

import os
import subprocess
import sys
from pathlib import Path

from hgldp.system.code_folder import COMPLETE, VARIABLE
from tests.compiled import copy_code
from tests.documents import ROOT
from tests.patience import PATIENCE

COUNT_MISSES = """
import sys, tempfile
from pathlib import Path
from hgldp.kernels import machine_code
missed = []
machine_code._Forgiving.save_overload = lambda self, *made: missed.append(self._function.__name__)
from hgldp.collector import rehearsal
with tempfile.TemporaryDirectory() as folder:
    rehearsal.live(Path(folder))
sys.exit(f"compiled again: {missed}" if missed else 0)
"""


def ran(*words: str, cache: Path | str) -> subprocess.CompletedProcess[str]:
    known = os.environ | {VARIABLE: str(cache)}
    return subprocess.run(
        [sys.executable, *words], env=known, capture_output=True, text=True, check=False, timeout=PATIENCE
    )


def test_nothing_is_left_to_compile(tmp_path: Path) -> None:
    """`make test` has run the command once, into an empty folder, and the test goes on with what that compiled."""
    if made := os.environ.get("HGLDP_COMPILED"):
        copy_code(ROOT / made, tmp_path)
    done = ran("-m", "hgldp.cli", "compile", cache=tmp_path)
    assert done.returncode == 0, done.stderr
    (folder,) = tmp_path.iterdir()
    assert str(folder) in done.stdout
    assert (folder / COMPLETE).exists()
    again = ran("-c", COUNT_MISSES, cache=tmp_path)
    assert again.returncode == 0, again.stderr
    (kernel,) = folder.rglob("hot_list.absorb-*.nbc")
    kernel.unlink()
    without_it = ran("-c", COUNT_MISSES, cache=tmp_path)
    assert "compiled again: ['absorb']" in without_it.stderr


def test_without_a_folder_it_says_so() -> None:
    done = ran("-m", "hgldp.cli", "compile", cache="off")
    assert done.returncode == 1
    assert "No folder can keep machine code" in done.stderr
