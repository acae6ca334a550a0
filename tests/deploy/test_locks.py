"""What an operator installs is pinned for every Python that we support, not only for the one that compiled the lock."""

import re

import pytest

from tests.documents import ROOT

PIN = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<rest>[^\\]+?) \\$", re.MULTILINE)


def pins(lock: str) -> dict[str, set[str]]:
    """Version and marker of each package; a package may have several, for different versions of Python."""
    found: dict[str, set[str]] = {}
    for each in PIN.finditer((ROOT / "requirements" / f"{lock}.lock").read_text()):
        found.setdefault(each["name"], set()).add(each["rest"])
    return found


@pytest.mark.parametrize("lock", ["collector", "build"])
def test_it_has_every_pin_that_the_tests_run_with(lock: str) -> None:
    """Before: collector.lock had no NumPy for Python 3.11, and pip refused to install it there."""
    known, found = pins("dev"), pins(lock)
    assert found
    assert found == {name: known[name] for name in found}
