"""What an operator installs is pinned for every Python that we support, not only for the one that compiled the lock."""

import re

import pytest

from tests.documents import ROOT

PIN = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<rest>[^\\]+?) \\$", re.MULTILINE)

SYSTEM = re.compile(r" ; sys_platform [!=]= '\w+'$")


def pins(lock: str) -> dict[str, set[str]]:
    """Version and marker of each package; a package may have several, for different versions of Python."""
    found: dict[str, set[str]] = {}
    for each in PIN.finditer((ROOT / "requirements" / f"{lock}.lock").read_text()):
        found.setdefault(each["name"], set()).add(each["rest"])
    return found


def lacking(found: dict[str, set[str]], known: dict[str, set[str]]) -> dict[str, set[str]]:
    """Pins that differ from those of the tests. A package may be needed on one system only: the tests need more."""
    differ = {name: rests for name, rests in found.items() if rests != known[name]}
    return {name: rests for name, rests in differ.items() if {SYSTEM.sub("", each) for each in rests} != known[name]}


@pytest.mark.parametrize("lock", ["collector", "build"])
def test_it_has_every_pin_that_the_tests_run_with(lock: str) -> None:
    """Before: collector.lock had no NumPy for Python 3.11, and pip refused to install it there."""
    known, found = pins("dev"), pins(lock)
    assert found
    assert lacking(found, known) == {}


def test_a_package_for_only_some_versions_of_python_would_be_noticed() -> None:
    known = {"numpy": {"1 ; python_full_version < '3.12'", "2 ; python_full_version >= '3.12'"}, "tzdata": {"6"}}
    assert lacking(known, known) == lacking({"tzdata": {"6 ; sys_platform == 'win32'"}}, known) == {}
    assert lacking({"numpy": {"2 ; python_full_version >= '3.12'"}}, known)
    assert lacking({"tzdata": {"6 ; python_full_version >= '3.12'"}}, known)
    assert lacking({"tzdata": {"5 ; sys_platform == 'win32'"}}, known)
