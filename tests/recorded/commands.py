"""Command lines of `hgldp`, and all that they print as JSON, times alone left out.

Every `simulate` states its warm-up, its k, its ε and its seed, so that no default can move a number unnoticed. Every
`plan` states how many launches it simulates, and has all the time that they take.
"""

import gzip
import re
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain, StringDomain
from hgldp.model.task import Task
from tests.recorded.collector_commands import OF_A_COLLECTOR
from tests.recorded.command_line import printed
from tests.recorded.record import Case, Found
from tests.recorded.world import DRINKS, skewed

TIMED = re.compile(r'^ *"reports_per_second": [^\n]*\n', re.MULTILINE)
BELL = "normal:n=4000,d=120,sigma=5"
STEEP = "exponential:n=4000,d=200,scale=10"
TAIL = "zipf:n=5000,d=400,s=1.1"
FLAT = "uniform:n=3000,d=90"
FADING = "fading:n=4000,d=120,sigma=4"
LONG = "zipf:n=60000,d=41270,s=1.1"
HOT_LISTS, WITH_JUDGE = ("bgr", "dsr", "bdr", "cnr"), ("bdr", "cnr")
AUDITED = {
    "dsr": Task("dsr", Budget(2.0), RangeDomain(8), k=2, cells=3, other=True),
    "cnr": Task("cnr", Budget(1.0), RangeDomain(8), k=2, cells=3, other=True),
    "pfr": Task("pfr", Budget(3.0), RangeDomain(20), k=2, cells=16, other=True),
    "period": Task("pfr", Budget(3.0, "period"), RangeDomain(20), k=2, cells=16, other=True),
    "strings": Task("pfr", Budget(4.0), StringDomain(8), k=2, cells=64),
}
MECHANISMS = ("grr", "olh", "hr", "oue", "sue", "rappor", "subset", "cyclic")


def _hot_lists() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in HOT_LISTS:
        found[f"{name}-cold"] = f"{BELL} --scheme {name} --epsilon 2 --k 6 --warmup 0 --seed 3 --repeats 2"
        found[f"{name}-warm"] = f"{TAIL} --scheme {name} --epsilon 1,3 --k 8 --warmup 0.05 --seed 4"
        found[f"{name}-shaped"] = (
            f"{FADING} --scheme {name} --epsilon 2.5 --k 5 --cells 9 --light-cells 3 --epoch 130 --warmup 40 --seed 5"
        )
        for variant in ("paper", "as-published"):
            found[f"{name}-{variant}"] = (
                f"{BELL} --scheme {name} --variant {variant} --epsilon 1.5 --k 6 --warmup 0.02 --seed 6 --repeats 2"
            )
        found[f"{name}-paper-buckets"] = (
            f"{STEEP} --scheme {name} --variant paper --buckets 3 --epsilon 3 --k 6 --cells 12 --light-cells 9"
            " --warmup 200 --seed 7"
        )
    for name in WITH_JUDGE:
        start = f"{BELL} --scheme {name} --epsilon 2 --k 6 --seed 8"
        found[f"{name}-tight"] = f"{start} --tight --warmup 0.01"
        found[f"{name}-no-tight-cold"] = f"{start} --no-tight --warmup 0"
        found[f"{name}-no-tight-warm"] = f"{start} --no-tight --warmup 0.03"
        found[f"{name}-hot-share-online"] = f"{start} --hot-share online --warmup 0.02"
        found[f"{name}-hot-share-warm-up"] = f"{start} --hot-share warm-up --warmup 0.02"
        found[f"{name}-hot-share-by-hand"] = f"{start} --hot-share 0.7 --warmup 0"
        found[f"{name}-paper-hot-share"] = f"{start} --variant paper --hot-share 0.6 --warmup 0.02"
    return found


def _frontiers() -> dict[str, str]:
    start = f"{TAIL} --scheme pfr --k 6 --seed 9"
    return {
        "pfr-cold": f"{start} --epsilon 2 --warmup 0 --repeats 2",
        "pfr-warm": f"{start} --epsilon 2 --warmup 0.05",
        "pfr-small": f"{start} --epsilon 4 --cells 24 --memory 2500 --epoch 250 --warmup 0",
        "pfr-small-warm": f"{start} --epsilon 4 --cells 48 --memory 3000 --epoch 250 --warmup 150",
        "pfr-half-life": f"{start} --epsilon 3 --half-life 1500 --epoch 200 --warmup 0",
        "pfr-fading": f"{FADING} --scheme pfr --epsilon 5 --k 4 --cells 64 --epoch 300 --warmup 0 --seed 10",
        "pfr-flat": f"{FLAT} --scheme pfr --epsilon 1 --k 4 --cells 32 --warmup 0 --seed 11",
        "pfr-narrowing": "exponential:n=12000,d=300,scale=2 --scheme pfr --epsilon 5 --k 5 --cells 192 --epoch 1000"
        " --warmup 0 --seed 12",
    }


def _others() -> dict[str, str]:
    found = {name: f"{STEEP} --scheme {name} --epsilon 1,4 --k 6 --warmup 0 --seed 13" for name in MECHANISMS}
    found |= {
        f"{name}-warm": f"{FLAT} --scheme {name} --epsilon 2 --k 6 --warmup 0.01 --seed 14" for name in MECHANISMS
    }
    for variant in ("default", "paper", "as-published"):
        found[f"heavyguardian-{variant}"] = (
            f"{TAIL} --scheme heavyguardian --variant {variant} --epsilon 1 --k 8 --cells 10 --warmup 0 --seed 15"
        )
    return found | {
        "drawn-from-counts": f"{LONG} --scheme olh,oue,sue,rappor --epsilon 1 --k 10 --warmup 0 --seed 16",
        "all": f"{BELL} --scheme all --epsilon 2 --k 5 --warmup 0 --seed 17",
        "all-warm": f"{BELL} --scheme all --epsilon 2 --k 5 --warmup 0.01 --seed 17",
        "all-paper": f"{BELL} --scheme all --variant paper --epsilon 2 --k 5 --warmup 0.01 --seed 17",
        "all-as-published": f"{BELL} --scheme all --variant as-published --epsilon 2 --k 5 --warmup 0.01 --seed 17",
        "window": f"{BELL} --scheme all --level window --events 2 --epsilon 4 --k 5 --warmup 0 --seed 18",
        "user": f"{BELL} --scheme all --level user --events 3 --epsilon 6 --k 5 --warmup 0.02 --seed 19",
    }


def _files() -> dict[str, str]:
    column = "orders.csv --column product --k 4 --seed 20"
    spelled = "words.txt --open --k 3 --seed 21"
    return {
        "fimi-cold": "baskets.dat --scheme dsr,pfr,hr --epsilon 3 --k 5 --warmup 0 --seed 22",
        "fimi-gzipped-warm": "baskets.dat.gz --scheme bgr,cnr,cyclic --epsilon 3 --k 5 --warmup 0.02 --seed 23",
        "column-cold": f"{column} --scheme bdr,pfr,oue --epsilon 2 --warmup 0",
        "column-warm": f"{column} --scheme dsr,pfr,heavyguardian --epsilon 2 --warmup 0.02",
        "column-by-number": "orders.csv --column 2 --k 4 --scheme dsr --epsilon 2 --warmup 0 --seed 20",
        "open": f"{spelled} --epsilon 5 --epoch 400 --cells 64",
        "open-half-life": f"{spelled} --epsilon 5 --epoch 400 --cells 64 --half-life 2500",
        "open-default-cells": f"{spelled} --epsilon 6 --epoch 1000 --repeats 2",
        "open-short": f"{spelled} --epsilon 4,6 --epoch 500 --most-bytes 4",
        "open-window": f"{spelled} --epsilon 9 --level window --events 2 --epoch 500",
        "open-column": f"{column} --open --epsilon 6 --epoch 500",
    }


def _plans() -> dict[str, str]:
    events = "--level event"
    return {
        "people": "--people 3000 --items 200 --epsilon 3 --k 5",
        "people-each-week": "--people 3000 --items 200 --epsilon 3 --k 5 --period week --zipf 1.2",
        "people-wanted": "--people 2000 --items 50 --epsilon 4 --k 5 --zipf 1.2 --wanted 0.6 --within week",
        "window": "--reports 2000 --items 100 --epsilon 4 --k 5 --level window --events 2",
        "strings": f"--reports 500 --strings 300 --epsilon 6 --k 3 {events}",
        "hints": f"--reports 500 --like words.txt --open --hints list.txt --epsilon 5 --k 4 {events}",
        "like": f"--reports 2000 --like orders.csv --column product --epsilon 2 --k 4 {events}",
        "dsr": f"--reports 3000 --items 100 --scheme dsr --epsilon 2 --k 5 {events}",
        "dsr-warm": f"--reports 3000 --items 100 --scheme dsr --epsilon 2 --k 5 --warmup 300 {events}",
    }


def _audits() -> dict[str, str]:
    found = {name: f"--task {name}.json --seed 26 --draws 30000" for name in AUDITED}
    return found | {f"{name}-steered": f"--task {name}.json --steered" for name in AUDITED}


def command_lines() -> dict[str, str]:
    """Every command line that is recorded, by its name."""
    simulated = _hot_lists() | _frontiers() | _others() | _files()
    found = {f"simulate-{name}": f"simulate {line} --no-progress" for name, line in simulated.items()}
    planned = "--launches 2 --seconds 1000 --seed 27 --no-progress"
    found |= {f"plan-{name}": f"plan {line} {planned}" for name, line in _plans().items()}
    found |= {f"audit-{name}": f"audit {line} --no-progress" for name, line in _audits().items()}
    found["check-certificates"] = "check --certificate --no-progress"
    for name in (*HOT_LISTS, "pfr", *MECHANISMS):
        found[f"check-{name}"] = f"check --scheme {name} --epsilon 1 --no-progress"
    found["check-several"] = "check --scheme dsr,pfr,grr,olh --epsilon 0.1,3 --no-progress"
    found["schemes"] = "schemes --epsilon 1 --k 20 --domain 1000"
    found["schemes-large"] = "schemes --epsilon 2 --k 20 --cells 40 --domain 41270"
    found["schemes-small"] = "schemes --epsilon 0.5 --k 3 --cells 5 --domain 30"
    return {name: f"{line} --json" for name, line in found.items()}


@contextmanager
def _folder_of_streams() -> Iterator[None]:
    """A folder to stand in, so that a stream has the same name everywhere."""
    with TemporaryDirectory() as folder, chdir(folder):
        numbers = skewed([7, 3, 1000, 12, 40_000, *range(50, 130)], 4_000, 24)
        baskets = "".join(f"{' '.join(map(str, numbers[at : at + 9]))}\n" for at in range(0, len(numbers), 9)).encode()
        Path("baskets.dat").write_bytes(baskets)
        Path("baskets.dat.gz").write_bytes(gzip.compress(baskets, mtime=0))
        words = skewed(
            [*DRINKS, "a line that is much longer than any drink that was ever served to anybody at all"], 6_000, 25
        )
        Path("words.txt").write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
        Path("list.txt").write_text("".join(f"{word}\n" for word in DRINKS[3:]), encoding="utf-8")
        for name, task in AUDITED.items():
            Path(f"{name}.json").write_bytes(task.canonical)
        orders = ["order,product", *(f'{number},"{word}"' for number, word in enumerate(words))]
        Path("orders.csv").write_text("\n".join(orders), encoding="utf-8")
        yield


def run(line: str) -> Found:
    """What a command line prints, and nothing that a clock has a part in."""
    with _folder_of_streams():
        return {"printed": TIMED.sub("", printed(line))}


CASES: dict[str, Case] = {name: partial(run, line) for name, line in command_lines().items()} | OF_A_COLLECTOR
