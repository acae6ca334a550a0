"""`python -m tests.recorded.speeds`: how fast this checkout is, and with `--against FOLDER` another one beside it.

Run it on a machine that does nothing else. It takes three minutes on two cores, and twice that with two sides.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.recorded.speeds.measures import MEASURES, QUICK, Effort, Number
from tests.recorded.speeds.side import Side

HERE = Path(__file__).resolve().parents[3] / "src"
NOW, BEFORE = "now", "before"


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m tests.recorded.speeds", description="How fast things are.")
    parser.add_argument("--source", type=Path, default=HERE, metavar="FOLDER", help="whose code: a folder like src")
    parser.add_argument(
        "--against", type=Path, metavar="FOLDER", help="and beside it, in turns, another one's, called before"
    )
    parser.add_argument("--only", nargs="+", choices=list(MEASURES), default=list(MEASURES), metavar="NAME",
                        help=f"some of {', '.join(MEASURES)}")  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="FILE", help="write everything as JSON too")
    parser.add_argument("--quick", action="store_true", help="only see that it works: the numbers mean nothing")
    return parser


def summary(number: Number) -> dict[str, Any]:
    """Median and both extremes for each side; with two sides how many times the first was better."""
    found: dict[str, Any] = {"unit": number.unit, "command": number.command}
    for side, values in number.values.items():
        middle = statistics.median(values)
        found[side] = {"median": _short(middle), "least": _short(min(values)), "most": _short(max(values)),
                       "repetitions": len(values)}  # fmt: skip
    if {NOW, BEFORE} <= number.values.keys():
        pairs = zip(number.values[NOW], number.values[BEFORE], strict=True)
        ratios = [before / now if number.fewer else now / before for now, before in pairs]
        found["times better"] = {"median": _short(statistics.median(ratios)), "least": _short(min(ratios)),
                                 "most": _short(max(ratios))}  # fmt: skip
    return found


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def machine() -> dict[str, Any]:
    """On what: without names."""
    return {"cores": os.cpu_count(), "system": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version()}  # fmt: skip


def commit_of(source: Path) -> str:
    """Which code was measured."""
    words = ["git", "-C", str(source), "rev-parse", "--short=8", "HEAD"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def show(name: str, found: dict[str, Any]) -> None:
    """One line."""
    sides = [f"{side} {found[side]['median']:>9,g}" for side in (NOW, BEFORE) if side in found]
    spread = f"({found[NOW]['least']:,g} … {found[NOW]['most']:,g}, {found[NOW]['repetitions']} times)"
    better = f"  {found['times better']['median']:.2f} × as good as before" if "times better" in found else ""
    print(f"{name:66} {'  '.join(sides)} {found['unit']:10} {spread}{better}", flush=True)


def main(chosen: Namespace) -> int:
    """Measure, print as soon as something is known, and write it down."""
    effort, numbers = QUICK if chosen.quick else Effort(), dict[str, Any]()
    if chosen.quick:
        print("quick: these numbers only show that everything works")
    with TemporaryDirectory(prefix="hgldp-speeds-") as folder:
        sides = [Side(NOW, chosen.source, Path(folder) / NOW)]
        if chosen.against is not None:
            sides.append(Side(BEFORE, chosen.against, Path(folder) / BEFORE))
        for name in chosen.only:
            for number in MEASURES[name](sides, effort):
                numbers[number.name] = summary(number)
                show(number.name, numbers[number.name])
    if chosen.out is not None:
        command = f"python -m tests.recorded.speeds{' --quick' if chosen.quick else ''}"
        commits = {NOW: commit_of(chosen.source)} | ({BEFORE: commit_of(chosen.against)} if chosen.against else {})
        told = {"command": command, "commits": commits, "machine": machine(), "numbers": numbers}
        chosen.out.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(_parser().parse_args()))
