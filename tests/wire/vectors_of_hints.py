"""Vectors of a task that names a list: the list, its name, bulletins of both parts, cells, reports; what is refused.

They stand in a file of their own: clients that know no lists refuse all of it by the name of the scheme, pfr-hints.
"""

from typing import Any

from hgldp.model.budget import Budget
from hgldp.model.bulletins import ROOT, Cell, FrontierBulletin, HintedBulletin, OpenBulletin
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.model.randomness import SeededWords
from hgldp.model.reports import symbol_bytes
from hgldp.model.task import Task
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.wire.bulletin_with_set import set_before

LIST = Hints.of(["tea", "coffee", "é", "日本茶", "green tea", "x" * 40])
TASK = Task("pfr", Budget(4.0), StringDomain(40, LIST), k=5, cells=96, memory=9_000, normalise="case")
ITEMS = ["tea", "Tea", " tea", "teak", "日本茶", "gin", "é", "x" * 40, "x" * 41, "", "nul\0inside", 7]
CELLS = (ROOT, Cell(b"g", 97, 122), Cell(b"gin", 0, 0), Cell(b"te", 97, 97))


def bulletins() -> dict[str, HintedBulletin]:
    """Before anything is known, and with leaves in both parts."""
    scheme = HintedPFR.of(TASK)
    found = {}
    for name, epoch, key, leaves, cells in (
        ("first", 0, 0, (), (ROOT,)),
        ("with leaves", 2**40, 2**64 - 59, (3, 0), CELLS),
    ):
        listed = FrontierBulletin(bytes(32), epoch, LIST.size, scheme.listed.cells, key, leaves)
        spelled = OpenBulletin(bytes(32), epoch, scheme.spelled_symbols, cells)
        found[name] = HintedBulletin(TASK.id, epoch, listed, spelled)
    return found


def hints() -> list[dict[str, Any]]:
    """One entry for the task and its list, one for each bulletin with two draws, and what must be refused."""
    scheme = HintedPFR.of(TASK)
    found: list[dict[str, Any]] = [
        {
            "kind": "task",
            "list": LIST.data.hex(),
            "sha256": LIST.digest,
            "canonical": TASK.canonical.decode(),
            "id": TASK.id.hex(),
        }
    ]
    for name, bulletin in bulletins().items():
        limit, cells = scheme.symbol_limit(bulletin), [scheme.symbol(TASK.encode(item), bulletin) for item in ITEMS]
        for seed in (1, 2):
            words = SeededWords(seed)
            symbols = [scheme.randomize(TASK.encode(item), bulletin, words) for item in ITEMS * 4]
            found.append(
                {
                    "kind": "reports",
                    "name": name,
                    "canonical": bulletin.canonical.hex(),
                    "version": bulletin.version,
                    "set": set_before(bulletin, scheme).hex(),
                    "symbol_limit": limit,
                    "symbol_bytes": symbol_bytes(limit),
                    "seed": f"{seed:x}",
                    "items": ITEMS,
                    "cells": cells,
                    "times": 4,
                    "symbols": symbols,
                }
            )
    return found + refused()


def refused() -> list[dict[str, Any]]:
    """Bytes that look right at first sight, and the rule that each of them breaks."""
    document, raw = TASK.canonical, bulletins()["with leaves"].canonical
    digest = LIST.digest.encode()
    tasks = [
        (document.replace(b"pfr-hints", b"pfr"), "canonical"),
        (document.replace(b',"' + digest + b'",6', b""), "canonical"),
        (document.replace(digest, digest.upper()), "lower case"),
        (document.replace(digest, digest[:-1]), "hexadecimal"),
        (document.replace(b'",6]', b'",1]'), "2 … 1,000,000"),
        (document.replace(b'",6]', b'",1000001]'), "2 … 1,000,000"),
        (document.replace(b'"cells":96', b'"cells":59'), "at least 12 times k"),
    ]
    lists = [
        (b"", "2 …"), (b"tea\n", "2 …"), (b"tea\nmate", "2 …"), (b"tea\nmate\nmilk", "every line with a line feed"),
        (b"tea\nmate\ntea\n", "line 3, which is line 1 again"), (b"tea\n\nmate\n", "line 2"),
        (b"tea\nma\0te\n", "line 2"), (b"tea\n\xff\n", "UTF-8"), (b"tea\n" + b"x" * 256 + b"\n", "line 2"),
    ]  # fmt: skip
    frontier, mark = raw.index(b"hgldp frontier 1"), len(b"hgldp hints 1")
    parts = [
        (raw[:-1], "whole"), (raw + b"\0", "whole"), (b"hgldp hints 2" + raw[mark:], "mark"),
        (raw[: mark + 32] + bytes(8) + raw[mark + 40 :], "of epoch 0"),
        (raw[:frontier] + b"hgldp frontier 2" + raw[frontier + 16 :], "a part that starts with"),
        (raw[: frontier + 16] + b"\1" + raw[frontier + 17 :], "canonical"),
        (raw[: frontier - 1] + bytes([raw[frontier - 1] + 1]) + raw[frontier:], "a part that starts with"),
    ]  # fmt: skip
    kinds = (("task", tasks), ("list", lists), ("bulletin", parts))
    return [
        {"kind": "refused", "what": what, "bytes": data.hex(), "reason": rule}
        for what, some in kinds
        for data, rule in some
    ]
