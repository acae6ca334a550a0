"""The process of one entrant: `python -m benchmarks.field.stand PLACE LIBRARY CONTEST` prints one line of JSON."""

import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from typing import Any

import numpy as np

from benchmarks.field.contest import Contest, Showing
from benchmarks.field.entrants.base import Private, Sketch
from benchmarks.field.private_contest import run_private
from benchmarks.field.sketch_contest import run_sketch

PREFIX = "field: "


def find(place: str) -> Any:
    """What `package.module:name` names."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def compete(place: str, library: str, contest: Contest) -> Showing:
    """Measure one entrant: a sketch, a private library, or a function that measures itself."""
    try:
        version = version_of(library)
    except (PackageNotFoundError, ValueError):
        version = ""
    entrant, items = find(place), np.load(contest.path).astype(np.int64)
    if isinstance(entrant, type) and issubclass(entrant, Sketch):
        return run_sketch(entrant, contest, items, version)
    if isinstance(entrant, type) and issubclass(entrant, Private):
        return run_private(entrant, contest, items, version)
    measure: Callable[[Contest, Any, str], Showing] = entrant
    return measure(contest, items, version)


def main() -> None:
    """Only the last line counts: libraries print what they like before it."""
    place, library, contest = sys.argv[1:]
    warnings.simplefilter("ignore")
    print(PREFIX + compete(place, library, Contest.from_json(contest)).to_json(), flush=True)


if __name__ == "__main__":
    main()
