"""Programs that check what we deploy: `make programs-slow` installs them where it may; CI must have them."""

import os
import shutil
import subprocess

import pytest

from tests.patience import PATIENCE


def require(*programs: str) -> None:
    """Skip the test that calls this where a program is missing; on CI its absence is a failure."""
    missing = [name for name in programs if shutil.which(name) is None]
    if not missing:
        return
    sentence = f"{', '.join(missing)} must be installed: make programs-slow"
    if os.environ.get("CI") == "true":
        pytest.fail(sentence)
    pytest.skip(sentence)


def ran(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a checking program says, in at most a minute."""
    known = os.environ | environment
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE, env=known)
