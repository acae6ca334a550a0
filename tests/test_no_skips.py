"""What CI does with tests that skip."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import ROOT
from tests.no_skips import ALLOWED
from tests.patience import PATIENCE

SUITE = """
import pytest

def test_that_skips():
    pytest.skip("no such program")

@pytest.mark.skipif(True, reason="{allowed}")
def test_of_real_data():
    pass
"""
MODULE = "import pytest\npytest.importorskip('no_such_module')\n"


@pytest.mark.parametrize(("ci", "outcome"), [("true", "1 skipped, 1 error"), ("", "3 skipped")])
def test_only_missing_data_may_skip_on_ci(tmp_path: Path, ci: str, outcome: str) -> None:
    (tmp_path / "test_suite.py").write_text(SUITE.format(allowed=ALLOWED), encoding="utf-8")
    (tmp_path / "test_module.py").write_text(MODULE, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "tests.no_skips", "--continue-on-collection-errors", str(tmp_path)]
    known = os.environ | {
        "CI": ci,
        "PYTHONPATH": str(ROOT),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": "",
    }
    done = subprocess.run(
        command, env=known, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert outcome in done.stdout.splitlines()[-1], done.stdout
    assert ("1 failed" in done.stdout) == bool(ci)
