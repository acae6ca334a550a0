"""Tasks of every scheme and kind, their certificates, and certificates with one number changed."""

import importlib.util
import json
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType
from typing import Any

from hgldp.checks.certificate import certificate
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain, StringDomain, Vocabulary
from hgldp.model.task import Task
from tests.documents import ROOT

EPSILONS = (Fraction(1, 10), 0.3, 1.0, 2.0, 4.0, 9.5)
SPLIT = {"tight": False}
SCHEMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("bgr", {}), ("dsr", {}), ("bdr", {}), ("bdr", SPLIT), ("cnr", {}), ("cnr", SPLIT),
)  # fmt: skip
HASH, FRACTION = re.compile(r"[0-9a-f]{64}"), re.compile(r"\d+(/\d+)?")
Place = tuple[str | int, ...]


def tasks() -> list[Task]:
    """Every scheme and option, over few and many items, words and strings, at each ε, and levels above the event."""
    found = []
    for epsilon in EPSILONS:
        for scheme, options in SCHEMES:
            found.append(Task(scheme, epsilon=epsilon, domain=range(3), k=1, cells=2, **options))
            found.append(Task(scheme, epsilon=epsilon, domain=range(5, 1005), k=10, **options))
        found.append(Task("pfr", epsilon=epsilon, domain=range(100_000), k=2, cells=64))
        found.append(Task("pfr", epsilon=epsilon, domain=["tea", "coffee", "milk"], k=2, cells=9))
        found.append(Task("pfr", epsilon=epsilon, domain=64, k=2, cells=64))
    found.append(Task("cnr", Budget(2.0, "window", 3), Vocabulary(("tea", "coffee", "milk", "mate")), 2))
    found.append(Task("dsr", Budget(3.0, "user", 7), RangeDomain(50), 4))
    found.append(Task("pfr", Budget(3.0, "user", 7), StringDomain(16), 4))
    found.append(Task("bdr", Budget(3.0, "window", 5, division="population"), RangeDomain(50), 4))
    month, drinks = Budget(2.0, "period", period="month"), Vocabulary(("Tea", "Other ", "milk"))
    found.append(Task("dsr", month, drinks, 1, cells=2, other=True, nothing=True, normalise="space and case"))
    return found


def script() -> ModuleType:
    """docs/verify_certificate.py, as anyone has it."""
    spec = importlib.util.spec_from_file_location("verify_certificate", ROOT / "docs" / "verify_certificate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = script()


def accepted(data: bytes, task: Task) -> bool:
    """Whether the script takes a certificate; it refuses with one of the errors that its last lines catch."""
    try:
        SCRIPT.verify(json.loads(data), task.canonical)
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError):
        return False
    return True


def numbers(found: Any, place: Place = ()) -> Iterator[Place]:
    """Where each whole number of a document stands; a hash is one, and a fraction such as "1/3" has two."""
    if isinstance(found, dict | list):
        for key, part in found.items() if isinstance(found, dict) else enumerate(found):
            yield from numbers(part, (*place, key))
    elif type(found) is int:
        yield place
    elif HASH.fullmatch(str(found)):
        yield (*place, 0)
    elif FRACTION.fullmatch(str(found)):
        yield from ((*place, number) for number in range(len(found.split("/"))))


def with_change(document: Any, place: Place, change: int) -> bytes:
    """The document with one number changed by so much."""
    return json.dumps(_changed(document, place, change), separators=(",", ":")).encode()


def _changed(found: Any, place: Place, change: int) -> Any:
    if type(found) is int:
        return found + change
    if isinstance(found, str) and HASH.fullmatch(found):
        return f"{(int(found, 16) + change) % 2**256:064x}"
    if isinstance(found, str):
        return "/".join(map(str, _changed([int(part) for part in found.split("/")], place, change)))
    key, *rest = place
    copied: Any = dict(found) if isinstance(found, dict) else list(found)
    copied[key] = _changed(found[key], tuple(rest), change)
    return copied


def changed_certificates(count: int, seed: int) -> Iterator[tuple[Task, Place, int, bytes]]:
    """So many certificates, over all schemes, budgets and places, each with one number changed."""
    draw, every = random.Random(seed), tasks()
    for number in range(count):
        task = every[number % len(every)]
        document = json.loads(certificate(task))
        place = draw.choice(list(numbers(document)))
        change = draw.choice((1, -1, 2, -2, 10, 4294967296, -draw.randrange(1, 1000), draw.randrange(1, 10**12)))
        yield task, place, change, with_change(document, place, change)
