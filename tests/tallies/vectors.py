"""Test vectors of tallies and states. `python -m tests.tallies.vectors` writes them again: only for a new format.

`reports` has uploads as clients send them, the rows that they become, and the tally of all of them; `seals` has a state
and a tally, and what follows; `refused` has files that look right at first sight, and the rule that each breaks.
"""

import json
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from hgldp.model.task import Task
from hgldp.tallies import SealState, Tally, accumulate, estimate
from hgldp.wire.upload import Upload
from tests.tallies.lives import FAMILIES

FOLDER = Path(__file__).resolve().parents[2] / "testvectors" / "tallies-v1"
EPOCHS, REPORTS = 3, 120
DIGITS = 6


def arrived(state: SealState, seed: int) -> list[tuple[str, int]]:
    """Reports for the bulletin in force, and some late ones."""
    draw = Random(seed)
    chosen = draw.choices(state.bulletins, [1] * (len(state.bulletins) - 1) + [9], k=REPORTS)
    return [
        (each.version, min(draw.randrange(state.symbol_limits[each.version]), draw.randrange(60))) for each in chosen
    ]


def tally_of(reports: list[tuple[str, int]]) -> Tally:
    return accumulate([version for version, _ in reports], np.array([symbol for _, symbol in reports]))


def uploads_of(state: SealState, reports: list[tuple[str, int]], seed: int) -> list[dict[str, Any]]:
    """Each bulletin's reports in uploads of up to seven; the first upload comes twice."""
    draw, found = Random(seed), []
    for version in dict.fromkeys(version for version, _ in reports):
        symbols = [symbol for each, symbol in reports if each == version]
        for start in range(0, len(symbols), 7):
            name, some = draw.randbytes(16), symbols[start : start + 7]
            body = Upload.of(name, bytes.fromhex(version), some, state.symbol_limits[version]).encode()
            found.append({"bytes": body.hex(), "upload": name.hex(), "bulletin": version, "symbols": some})
    return [*found, found[0]]


def lives() -> dict[str, list[tuple[SealState, Tally]]]:
    """For both kinds of pfr, each state with the tally that ended its epoch."""
    found = {}
    for name, task in FAMILIES.items():
        state, life = SealState.start(task, seed=11), []
        for epoch in range(EPOCHS):
            life.append((state, tally_of(arrived(state, epoch))))
            state = estimate(*life[-1]).state
        found[name] = life
    return found


def _reports() -> list[dict[str, Any]]:
    found = []
    for name, life in lives().items():
        state, tally = life[-1]
        uploads = uploads_of(state, arrived(state, EPOCHS - 1), seed=1)
        found.append(
            {"name": name, "symbol_limits": state.symbol_limits, "uploads": uploads, "tally": tally.to_csv().decode()}
        )
    return found


def _seals() -> list[dict[str, Any]]:
    return [
        {
            "name": f"{name}, epoch {epoch}",
            "state": state.write().decode(),
            "tally": tally.to_csv().decode(),
            **_after(state, tally),
        }
        for name, life in lives().items()
        for epoch, (state, tally) in enumerate(life)
    ]


def _after(state: SealState, tally: Tally) -> dict[str, Any]:
    sealed = estimate(state, tally)
    top = [[each.item, float(f"{each.estimate:.{DIGITS}g}"), each.rank_change] for each in sealed.result.top]
    written = {"next_state": sealed.state.write().decode(), "next_bulletin": sealed.bulletin.canonical.hex()}
    return {**written, "reports": sealed.result.reports, "top": top}


def _refused() -> list[dict[str, Any]]:
    version, state = "ab" * 32, SealState.start(FAMILIES["listed"], seed=11)
    head = "bulletin,symbol,count\n"
    tallies = [
        ("", "must have the columns"),
        ("bulletin,symbol\n", "must have the columns"),
        (f"{head}{version},1\n", "3 fields"),
        (f"{head}{version},-1,1\n", "whole numbers"),
        (f"{head}{version},1,1.0\n", "whole numbers"),
        (f"{head}{version},1,0\n", "must lie in 1"),
        (f"{head}{version},65536,1\n", "must lie in 0"),
        (f"{head}{version[:-1]},1,1\n", "64 hexadecimal digits"),
    ]
    text = state.write().decode()
    hot = json.loads(Task("dsr", epsilon=2.0, domain=range(50), k=3).canonical)
    states = [
        ("{}", "format"),
        (text.replace("state 1", "state 2"), "format"),
        (text.replace('"top":[]', '"top":[1]'), "hash"),
        (_changed(text, top=[None]), "top of items"),
        (_changed(text, bulletins=[]), "bulletins of its task"),
        (_changed(text, counted={version: [1]}), "counted what its bulletins allow"),
        (_changed(text, task=hot), "hot lists decide in order of arrival"),
        (_changed(text, later=1), "canonical"),
        (text.replace(":", ": "), "canonical"),
    ]
    found = [{"kind": "tally", "text": each, "reason": reason} for each, reason in tallies]
    return found + [{"kind": "state", "text": each, "reason": reason} for each, reason in states]


def _changed(text: str, **fields: object) -> str:
    """With a hash that fits."""
    found = json.loads(text) | fields
    del found["sha256"]
    plain = json.dumps(found, sort_keys=True, separators=(",", ":"))
    return (
        json.dumps(found | {"sha256": sha256(plain.encode()).hexdigest()}, sort_keys=True, separators=(",", ":")) + "\n"
    )


MAKERS = {"reports": _reports, "seals": _seals, "refused": _refused}


def read(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in MAKERS.items():
        lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in make())
        (FOLDER / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
