"""Wrong uses of the library, tried as a new user would: each is refused when it is built, and says what to do."""

from collections.abc import Callable
from random import Random

import numpy as np
import pyarrow
import pytest

from hgldp import (
    Budget,
    HeavyGuardian,
    HgldpError,
    Randomizer,
    Reporter,
    Task,
    Tracker,
    Vocabulary,
    scheme_of,
    simulate,
)

DRINKS = ["water", "coffee", "tea", "juice"]
KEY = "A" * 43


def task(**changes: object) -> Task:
    return Task(**{"scheme": "pfr", "epsilon": 2.0, "domain": DRINKS, "k": 2} | changes)  # type: ignore[arg-type]


def reporter(**changes: object) -> Reporter:
    given = {
        "url": "https://example.org",
        "task_id": "0" * 64,
        "write_key": KEY,
        "folder": "nowhere",
        "max_epsilon": 1.0,
    }
    return Reporter(**given | changes)  # type: ignore[arg-type]


def other_tasks_bulletin() -> object:
    return Randomizer(task(), max_epsilon=2.0).report("tea", Tracker(task(k=1), seed=1).bulletin)


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "a typo in the scheme": (lambda: task(scheme="prf"), r"scheme must be one of .*, got prf; did you mean pfr\?"),
    "a scheme that is none": (
        lambda: task(scheme="lasso"),
        "scheme must be one of bgr, dsr, bdr, cnr, pfr.*, got lasso",
    ),
    "no domain": (lambda: task(domain=None), "domain must be a list of words, a range, or how many bytes"),
    "a set for a domain": (lambda: task(domain=set(DRINKS)), "domain must be a list of words.*, got set"),
    "k above the number of items": (lambda: task(k=5), "k must be at most the 4 items of the domain, got 5"),
    "k of zero": (lambda: task(k=0), "k must be a whole number of at least 1, got 0"),
    "no epsilon": (lambda: task(epsilon=None), "epsilon must be given, or a Budget in its place, got neither"),
    "epsilon of zero": (lambda: task(epsilon=0), "epsilon must be finite and above 0, got 0"),
    "epsilon of a hundred": (
        lambda: task(epsilon=100),
        r"epsilon must be at most 10 \(beyond that nothing is hidden\)",
    ),
    "a number for a budget": (
        lambda: Task("pfr", 2.0, DRINKS),
        "budget must be a Budget; for a plain number write eps",
    ),  # type: ignore[arg-type]
    "a level without its events": (lambda: Budget(1.0, "user"), "events must be given for the level user, got none"),
    "an unknown level": (lambda: Budget(1.0, "year"), "level must be one of event, period, window, user, got year"),  # type: ignore[arg-type]
    "a setting of another scheme": (
        lambda: task(light_cells=4),
        "light_cells works with bgr, dsr, bdr, cnr only, got pfr",
    ),
    "a typo in a setting": (
        lambda: task(haf_life=4),
        r"setting must be one of .* for pfr, got haf_life; did you mean half_life\?",
    ),
    "too few cells": (lambda: task(scheme="dsr", cells=1), "cells must be at least k = 2, got 1"),
    "strings for a hot list": (lambda: task(scheme="dsr", domain=64), "domain must be listed; only pfr serves strings"),
    "a word twice": (lambda: Vocabulary(("tea", "tea")), "words must be distinct, got 'tea' more than once"),
    "a range with nothing in it": (lambda: task(domain=range(5, 5)), "domain must be a range of at least 2 numbers"),
    "a range beyond all domains": (lambda: task(domain=range(10**20)), "domain must be a range of .* at most 2,147"),
    "a million for the length of strings": (
        lambda: task(domain=1_000_000),
        r"domain must be 1 … 255 as the longest string in bytes; for numbers give a range, got 1000000",
    ),
    "NumPy's numbers as settings": (
        lambda: task(k=np.int64(2)),
        "k must be a whole number of at least 1, got 2 of type int64",
    ),
    "NumPy's epsilon": (lambda: task(epsilon=np.float32(2)), "epsilon must be a number of type float, int or Fraction"),
    "a table for a warm-up": (
        lambda: Tracker(task(), seed=1, warmup=pyarrow.table({"drink": DRINKS})),  # type: ignore[arg-type]
        "warmup must be a list, an array, a column of a table or another iterable, got Table",
    ),
    "one text for a warm-up": (lambda: Tracker(task(), seed=1, warmup="tea"), "warmup must be a list, .*, got str"),
    "one number for a warm-up": (
        lambda: Tracker(task(), seed=1, warmup=np.int64(3)),  # type: ignore[arg-type]
        "warmup must be a list, .*, got int64",
    ),
    "masked items": (
        lambda: HeavyGuardian.for_top(2, seed=1).update(np.ma.masked_array([1, 2], mask=[True, False])),
        r"items must not be masked; give the values that count, array.compressed\(\)",
    ),
    "masked symbols": (
        lambda: (one := Tracker(task(), seed=1)).insert_many(one.bulletin.version, np.ma.masked_array([1], mask=[1])),
        "symbols must not be masked",
    ),
    "several schemes to simulate": (
        lambda: simulate(DRINKS, ["dsr", "pfr"], k=1),  # type: ignore[arg-type]
        "scheme must be the name of one scheme, for example 'pfr', got list",
    ),
    "a warm-up of items to simulate": (
        lambda: simulate(DRINKS, k=1, warmup=["tea"]),  # type: ignore[arg-type]
        r"warmup must be a share of the stream below 1, such as 0.01, or a whole number of first items, got \['tea'\]",
    ),
    "a warm-up below zero": (lambda: simulate(DRINKS, k=1, warmup=-0.5), "warmup must be a share .*, got -0.5"),
    "a warm-up that is no number": (lambda: simulate(DRINKS, k=1, warmup=float("nan")), "warmup must be .*, got nan"),
    "a level without its events, simulated": (
        lambda: simulate(DRINKS, k=1, level="user"),
        "events must be given for the level user, got none",
    ),
    "a name for a task": (lambda: scheme_of("pfr"), "task must be a Task, got str"),  # type: ignore[arg-type]
    "True for a TLS context": (lambda: reporter(tls=True), "tls must be a SSLContext or None, got bool"),
    "seconds for a pace": (lambda: reporter(pace=5), "pace must be a Pace or None, got int"),
    "an item for a report": (lambda: Tracker(task(), seed=1).insert("tea"), "report must be a Report, .* got str"),  # type: ignore[arg-type]
    "no task for a tracker": (lambda: Tracker("pfr", seed=1), "task must be a Task, got str"),  # type: ignore[arg-type]
    "a seed below zero": (lambda: Tracker(task(), seed=-1), "seed must be a whole number in 0"),
    "a symbol that cannot be": (
        lambda: (one := Tracker(task(), seed=1)).insert_many(one.bulletin.version, [10**6]),
        "symbols must lie in 0 …",
    ),
    "a ceiling below the task": (
        lambda: Randomizer(task(), max_epsilon=1.0),
        "must be at most this client's ceiling 1.0",
    ),
    "another task's bulletin": (other_tasks_bulletin, "bulletin must be of this client's task"),
    "an item outside": (
        lambda: Randomizer(task(), max_epsilon=2.0).report("gin", Tracker(task(), seed=1).bulletin),
        "item is outside the domain",
    ),
    "a write key that cannot be one": (lambda: reporter(write_key="secret"), "write_key must be .*43"),
    "a task id that is none": (lambda: reporter(task_id="7"), "task_id must be 64 lower-case hexadecimal digits"),
    "a plain http address": (lambda: reporter(url="http://example.org"), "url must be https"),
    "texts into the sketch": (
        lambda: HeavyGuardian(buckets=1, heavy_cells=8, seed=1).update(["tea"]),  # type: ignore[list-item]
        "items must be whole numbers",
    ),
    "floats into the sketch": (
        lambda: HeavyGuardian(buckets=1, heavy_cells=8, seed=1).update(np.array([0.5])),
        "items must be whole numbers",
    ),
    "an empty stream": (lambda: simulate([]), "stream must hold at least one item, got none"),
    "a stream of one item": (lambda: simulate(["tea"] * 9), "stream must hold at least two different items, got one"),
    "a stream of mixed items": (lambda: simulate(["tea", 1]), "stream must hold items of one kind"),
    "a simulated typo": (
        lambda: simulate(DRINKS * 9, "dssr", k=1),
        r"scheme must be one of .*, got dssr; did you mean dsr\?",
    ),
    "a tracker for a bulletin": (
        lambda: Randomizer(task(), max_epsilon=2.0).report("tea", Tracker(task(), seed=1)),  # type: ignore[arg-type]
        "bulletin must be a bulletin, such as tracker.bulletin, got Tracker",
    ),
    "a name for a client's task": (lambda: Randomizer("pfr", max_epsilon=2.0), "task must be a Task, got str"),  # type: ignore[arg-type]
    "Python's own random numbers": (
        lambda: Randomizer(task(), max_epsilon=2.0, words=Random(1)),  # type: ignore[arg-type]
        r"words must be OSWords\(\), or SeededWords\(seed\) in experiments, got Random",
    ),
    "cells that are no number": (lambda: task(cells="many"), "cells must be a whole number in 1 … 4096, got 'many'"),
    "a number in quotes": (lambda: task(k="2"), "k must be a whole number of at least 1, got '2'"),
    "numbers in a list": (lambda: task(domain=[1, 2, 3]), r"take range\(…\) as the domain, got one of type int"),
    "a number for a warm-up": (lambda: Tracker(task(), seed=1, warmup=5), "warmup must be a list, .* got int"),  # type: ignore[arg-type]
    "a bulletin for its version": (
        lambda: (one := Tracker(task(), seed=1)).insert_many(one.bulletin, [1]),  # type: ignore[arg-type]
        "version must be that of a bulletin: bulletin.version",
    ),
    "a file for a folder": (
        lambda: reporter(folder=__file__),
        "folder must be a folder that can be written, got .*File",
    ),
    "a file name for a stream": (lambda: simulate("orders.csv"), "for a file use the command hgldp simulate FILE"),
    "a stream with gaps": (lambda: simulate([1.0, 2.0, float("nan")] * 9, k=1), "stream must have no missing items"),
    "a typo in a simulated setting": (
        lambda: simulate(DRINKS * 9, k=1, memry=9),
        r"setting must be one of .*, got memry; did you mean memory\?",
    ),
    "a typo in a changed setting": (lambda: task().changed(cels=9), r"got cels; did you mean cells\?"),
}


@pytest.mark.parametrize("use", WRONG)
def test_a_wrong_use_is_refused_with_the_field_the_rule_and_the_value(use: str) -> None:
    wrong, message = WRONG[use]
    with pytest.raises(HgldpError, match=message) as refused:
        wrong()
    assert "got another" not in str(refused.value)
    assert "'gin'" not in str(refused.value)
