"""`make endurance`: start, commits, memory and disk against the number of reports, as a table and line charts."""

import argparse
import json
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path

import matplotlib as mpl

from benchmarks.endurance.life import COMPACT, Moment, live

mpl.use("Agg")
from matplotlib import pyplot as plt

BARS = {"start_seconds": 5.0, "longest_commit": 0.25, "peak_megabytes": 500.0}
MOST_DISK = 200.0
TITLES = {
    "start_seconds": "start after a kill, with the process (s)",
    "longest_commit": "longest commit without a seal (s)",
    "peak_megabytes": "peak memory (MB)",
    "disk_megabytes": "disk (MB); last point: compacted",
}


def main() -> int:
    """Exit code 1 if a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endurance", description=__doc__)
    parser.add_argument("--reports", type=int, default=100_000_000)
    parser.add_argument("--batch", type=int, default=1, help="reports in an upload")
    parser.add_argument("--moments", type=int, default=10, help="how often it is killed and measured")
    parser.add_argument("--folder", type=Path, help="where the data lies (default: a temporary folder)")
    parser.add_argument("--out", type=Path, default=Path("build/endurance"))
    chosen = parser.parse_args()
    folder = chosen.folder or Path(tempfile.mkdtemp(prefix="hgldp-endurance-"))
    print(f"{'reports':>15} {'start s':>8} {'commit s':>9} {'seal s':>7} {'peak MB':>8} {'disk MB':>8} {'lived s':>8}")
    moments: list[Moment] = []
    for reports in (*[chosen.reports // chosen.moments] * chosen.moments, COMPACT):
        moment = live(folder / "data", chosen.batch, reports)
        if moments and moment.before != moments[-1].reports:
            raise AssertionError(f"{moments[-1].reports:,} reports were acknowledged, {moment.before:,} are there")
        moments.append(moment)
        show(moment)
    if chosen.folder is None:
        shutil.rmtree(folder)
    chosen.out.mkdir(parents=True, exist_ok=True)
    name = f"batch-{chosen.batch}"
    (chosen.out / f"{name}.json").write_text(json.dumps([asdict(each) for each in moments], indent=1))
    draw(moments, chosen.out / f"{name}.png")
    missed = [bar for bar, most in BARS.items() if max(getattr(each, bar) for each in moments) > most]
    if moments[-1].disk_megabytes > MOST_DISK:
        missed.append("disk_megabytes")
    print(f"missed: {', '.join(missed)}" if missed else "every bar is met")
    return bool(missed)


def show(moment: Moment) -> None:
    """One line."""
    print(
        f"{moment.reports:15,} {moment.start_seconds:8.2f} {moment.longest_commit:9.3f} {moment.longest_seal:7.3f} "
        f"{moment.peak_megabytes:8.0f} {moment.disk_megabytes:8.0f} {moment.seconds:8.0f}",
        flush=True,
    )


def draw(moments: list[Moment], target: Path) -> None:
    """Four lines against the number of reports, with the bar that each must stay below."""
    figure, places = plt.subplots(2, 2, figsize=(9, 6), layout="constrained")
    for place, (name, title) in zip(places.flat, TITLES.items(), strict=True):
        shown = moments if name == "disk_megabytes" else moments[:-1]  # the last one was there to compact
        place.plot([each.reports / 1e6 for each in shown], [getattr(each, name) for each in shown], marker="o")
        most = BARS.get(name, MOST_DISK)
        place.axhline(most, linestyle="--", color="0.6")
        place.set_title(title, fontsize=10)
        place.set_xlabel("reports (millions)")
        place.set_ylim(bottom=0)
    figure.savefig(target, dpi=120)
    plt.close(figure)


if __name__ == "__main__":
    raise SystemExit(main())
