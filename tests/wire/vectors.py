"""Test vectors for every language: `python -m tests.wire.vectors` writes them again, which is only for a new version.

All numbers above 2^53 are hexadecimal texts. Reports are drawn with splitmix64 words from the seed that is given.
"""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from hgldp.model.budget import Budget
from hgldp.model.bulletins import ROOT, AnyBulletin, Bulletin, Cell, FrontierBulletin, OpenBulletin
from hgldp.model.domain import RangeDomain, StringDomain, Vocabulary
from hgldp.model.randomness import SeededWords
from hgldp.model.reports import symbol_bytes
from hgldp.model.task import Task
from hgldp.model.weights import truth_weight
from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin_with_set import set_before
from hgldp.wire.upload import Upload
from tests.wire.vectors_of_hints import hints

FOLDER = Path(__file__).resolve().parents[2] / "testvectors" / "v1"
NAMES = ("words", "tasks", "bulletins", "reports", "uploads", "refused", "hints")
DRINKS = Vocabulary(("tea", "coffee", "mate", "juice", "milk", 'é "quoted"', "日本茶", "water"))
TASKS = {
    "bgr words": Task("bgr", Budget(2.0, "period"), DRINKS, k=2, cells=3, other=True, normalise="space and case"),
    "dsr words": Task("dsr", Budget(2.0), DRINKS, k=2, cells=3, other=True),
    "bdr words": Task("bdr", Budget(1.0, "user", 4), DRINKS, k=2, cells=3, other=True, normalise="space"),
    "bdr printed split": Task(
        "bdr",
        Budget(0.3, "user", 4, division="budget"),
        DRINKS,
        k=1,
        other=True,
        tight=False,
        judge_share=Fraction(1, 7),
    ),
    "cnr range": Task(
        "cnr", Budget(Fraction(1, 3)), RangeDomain(70_000, -5), k=3, other=True, epoch=500, epoch_seconds=3600
    ),
    "pfr range": Task(
        "pfr", Budget(1.0), RangeDomain(5_000_000), k=20, other=True, cells=256, half_life=100_000, daily_reports=3
    ),
    "pfr small": Task("pfr", Budget(4.0, "window", 2), RangeDomain(100, 1), k=3, other=True, cells=12, memory=768),
    "pfr by the month": Task(
        "pfr", Budget(4.0, "period", period="month"), DRINKS, k=3, cells=12, other=True, nothing=True
    ),
    "pfr, keys that stay": Task("pfr", Budget(1.0), DRINKS, k=3, cells=12, other=True, one_answer=True, keys="week"),
    "pfr strings": Task("pfr", Budget(4.0), StringDomain(40), k=5, cells=64, memory=9000, normalise="case"),
    "dsr without other, as in 0.1.0": Task("dsr", Budget(2.0), DRINKS, k=2, cells=3),
}
ITEMS: dict[str, list[Any]] = {
    "range": [-5, 0, 7, 42, 69_994, 69_995, "other"],
    "large": [0, 1, 7, 77, 4_999_999, -1],
    "small": [1, 2, 3, 40, 100, 0, "7", 2.5],
    "words": [*DRINKS.words, "gin", "other", " Tea\n", "TEA", "\u00a0tea", 'É "quoted"', 7, None],
    "strings": ["tea", "Tea", " tea", 7, "teak", "ten", "", "é", "日本茶", "x" * 40, "x" * 41, "nul\0inside", "coffee"],
}


def bulletins() -> dict[str, tuple[str, AnyBulletin, str]]:
    """Name → task, bulletin, and which items to report."""
    ids = {name: task.id for name, task in TASKS.items()}
    cells = (
        ROOT,
        Cell(b"t", 97, 122),
        Cell(b"te", 97, 97),
        Cell(b"tea", 0, 0),
        Cell(b"te", 98, 110),
        Cell(b"\xc3", 128, 191),
    )
    hot = {name: Bulletin(ids[name], 3, 9, (7, 0, 4)) for name in ("bgr words", "dsr words", "bdr words")}
    found: dict[str, tuple[str, AnyBulletin, str]] = {name: (name, each, "words") for name, each in hot.items()}
    naming = Bulletin(ids["dsr words"], 4, 9, (1, 2, 3), nominating=True)
    return found | {
        "dsr words, nominating": ("dsr words", naming, "words"),
        "bdr printed split": ("bdr printed split", Bulletin(ids["bdr printed split"], 0, 9, (5, 6)), "words"),
        "cnr range": ("cnr range", Bulletin(ids["cnr range"], 2**40, 70_001, (0, 12, 47, 70_000, 5, 6)), "range"),
        "pfr range, first": ("pfr range", FrontierBulletin(ids["pfr range"], 0, 5_000_001, 256, 0, ()), "large"),
        "pfr range": (
            "pfr range", FrontierBulletin(ids["pfr range"], 9, 5_000_001, 256, 2**64 - 59, (77, 5_000_000, 0)), "large",
        ),
        "pfr small": ("pfr small", FrontierBulletin(ids["pfr small"], 1, 101, 12, 12_345, (39, 1)), "small"),
        "pfr small, fewer cells": (
            "pfr small", FrontierBulletin(ids["pfr small"], 2, 101, 9, 54_321, (39, 1)), "small",
        ),
        "pfr by the month": (
            "pfr by the month", FrontierBulletin(ids["pfr by the month"], 3, 10, 12, 7, (9, 8)), "words",
        ),
        "pfr strings, first": ("pfr strings", OpenBulletin(ids["pfr strings"], 0, 64, (ROOT,)), "strings"),
        "pfr strings": ("pfr strings", OpenBulletin(ids["pfr strings"], 5, 64, cells), "strings"),
    }  # fmt: skip


def value_of(task: Task, item: Any) -> Any:
    """What the scheme randomises: an index, or a code."""
    return task.encode(item)


def _words() -> list[dict[str, Any]]:
    found = []
    for seed in (0, 1, 2**64 - 1):
        words, again = SeededWords(seed), SeededWords(seed)
        bounds = [1, 6, 100, 2**32, 2**63 - 25, 2**63]
        drawn = [f"{again.below(bound):x}" for bound in bounds]
        first = [f"{words.word():016x}" for _ in range(6)]
        found.append(
            {"seed": f"{seed:x}", "words": first, "bounds": [f"{bound:x}" for bound in bounds], "below": drawn}
        )
    return found


def _tasks() -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "canonical": task.canonical.decode(),
            "id": task.id.hex(),
            "epsilon_per_report": str(task.budget.per_report),
            "truth_weight": f"{truth_weight(task.budget.per_report):x}",
        }
        for name, task in TASKS.items()
    ]


def _bulletins() -> list[dict[str, Any]]:
    found = []
    for name, (task, bulletin, _) in bulletins().items():
        scheme = scheme_of(TASKS[task])
        limit = scheme.symbol_limit(bulletin)
        sizes = {"symbol_limit": limit, "symbol_bytes": symbol_bytes(limit)}
        head = {"name": name, "task": task, "epoch": bulletin.epoch, "version": bulletin.version}
        written = {"canonical": bulletin.canonical.hex(), "set": set_before(bulletin, scheme).hex()}
        found.append({**head, **sizes, **written})
    return found


def draw(task: Task, bulletin: AnyBulletin, items: list[Any], seed: int) -> list[int]:
    """One symbol for each item, all from one sequence of words."""
    words, scheme = SeededWords(seed), scheme_of(task)
    return [scheme.randomize(value_of(task, item), bulletin, words) for item in items]


def _reports() -> list[dict[str, Any]]:
    found = []
    for name, (task, bulletin, items) in bulletins().items():
        for seed in (1, 2):
            chosen = ITEMS[items] * 4
            cells = {} if isinstance(bulletin, Bulletin) else {
                "cells": [bulletin.symbol(value_of(TASKS[task], item)) for item in ITEMS[items]]
            }  # fmt: skip
            symbols = draw(TASKS[task], bulletin, chosen, seed)
            found.append(
                {"bulletin": name, "seed": f"{seed:x}", "items": ITEMS[items], **cells, "times": 4, "symbols": symbols}
            )
    return found


def _uploads() -> list[dict[str, Any]]:
    found = []
    for each in _bulletins():
        symbols = [0, each["symbol_limit"] - 1, 1]
        for count in (1, 3, 3 * 40):
            some, upload_id = (symbols * 40)[:count], bytes(range(count % 7, count % 7 + 16))
            data = Upload.of(upload_id, bytes.fromhex(each["version"]), some, each["symbol_limit"]).encode()
            found.append({"bulletin": each["name"], "id": upload_id.hex(), "symbols": some, "bytes": data.hex()})
    return found


def _refused() -> list[dict[str, Any]]:
    """Bytes that look right at first sight, and the rule that each of them breaks."""
    task, small, month = (TASKS[name].canonical for name in ("pfr range", "pfr small", "pfr by the month"))
    hot = bulletins()["dsr words"][1]
    good = Upload.of(bytes(16), bytes(32), [1, 2], 400).encode()
    tasks = [
        (b"", "not JSON"), (b"[]", "not JSON"), (b"\xff\xfe", "not JSON"),
        (task.replace(b'"k":20', b'"k":20.0'), "whole number"),
        (task.replace(b'"k":20', b'"k":0'), "at least 1"),
        (task.replace(b'"epsilon":"1"', b'"epsilon":"0"'), "above 0"),
        (task.replace(b'"epsilon":"1"', b'"epsilon":"11"'), "at most 10"),
        (task.replace(b'"epsilon":"1"', b'"epsilon":"1/0"'), "not JSON"),
        (task.replace(b'"epsilon":"1"', b'"epsilon":"2/2"'), "canonical"),
        (task.replace(b'"k":20', b'"k":20,"later":1'), "not JSON"),
        (task.replace(b'"k":20,', b""), "not JSON"),
        (task.replace(b",", b", "), "canonical"), (task + b"\n", "canonical"),
        (small.replace(b'"cells":12', b'"cells":8'), "at least 3 times k"),
        (small.replace(b'"level":"window"', b'"level":"event"'), "must be 1 when the level is event"),
        (small.replace(b'["range",1,100]', b'["range",1,1]'), "domain_size"),
        (small.replace(b'"division":"population"', b'"division":"budget"'), "canonical"),
        (small.replace(b'"division":"population"', b'"division":"people"'), "population, budget"),
        (small.replace(b'"other":true', b'"other":1'), "true or false"),
        (small.replace(b'"other":true', b'"nothing":true,"other":true'), "level period only"),
        (small.replace(b'"other":true', b'"normalise":"accents","other":true'), "must be one of none, space"),
        (month.replace(b'"period":"month"', b'"period":"year"'), "day, week, month"),
        (month.replace(b'"other":true,', b""), "nothing and normalise"),
        (small.replace(b'["range",1,100]', b'["words",["a","b"]]'), "range, a vocabulary or strings"),
    ]  # fmt: skip
    raw = hot.canonical
    cells = bulletins()["pfr strings"][1].canonical
    listed = [
        (b"", "mark"), (b"hgldp bulletin 2" + raw[16:], "mark"), (raw[:-1], "whole"), (raw + b"\0", "canonical"),
        (raw[:-4] + raw[-8:-4], "distinct"), (raw[:-4] + b"\0\0\0\x09", "below 9"),
        (raw[:60] + b"\x02" + raw[61:], "canonical"), (raw[:48] + b"\xff" * 8 + raw[56:], "epoch"),
        (cells[:-1], "whole"), (cells + cells[54:58], "distinct"),
    ]  # fmt: skip
    uploads = [
        (b"", "mark"), (good[:-1], "sizes"), (b"hgU\x02" + good[4:], "mark"),
        (good + bytes(64), "sizes"), (good + bytes(192), "count"),
        (good[:52] + bytes(4) + good[56:], "1 … 65522"), (good[:52] + b"\0\1\0\1" + good[56:], "1 … 65522"),
        (good[:55] + b"\x05" + good[56:], "count"), (good[:-1] + b"\1", "zeros"),
        (good[:56] + b"\x01\x90" + good[58:], "must lie in 0 … 399"),
    ]  # fmt: skip
    found = [{"kind": "task", "bytes": data.hex(), "reason": rule} for data, rule in tasks]
    found += [{"kind": "bulletin", "bytes": data.hex(), "reason": rule} for data, rule in listed]
    found.append({"kind": "bulletin", "bytes": raw.hex(), "version": "00" * 32, "reason": "hash to its version"})
    return found + [
        {"kind": "upload", "bytes": data.hex(), "symbol_limit": 400, "reason": rule} for data, rule in uploads
    ]


MAKERS = {
    "words": _words, "tasks": _tasks, "bulletins": _bulletins, "reports": _reports,
    "uploads": _uploads, "refused": _refused, "hints": hints,
}  # fmt: skip


def read(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in MAKERS.items():
        lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in make())
        (FOLDER / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
