"""Pictures of the frontier while it searches and of streams that drift, with fixed seeds, as SVG files in a folder."""

import argparse
from pathlib import Path

from hgldp.experiments.plotting.drifting import draw_drifting
from hgldp.experiments.plotting.look import as_svg
from hgldp.experiments.studies.frontier.search import draw_search
from hgldp.experiments.studies.frontier.spelling import draw_strings

PICTURES = {"frontier-search": draw_search, "frontier-strings": draw_strings, "drifting-streams": draw_drifting}


def main() -> None:
    """One file each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs") / "figures")
    folder = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        (folder / f"{name}.svg").write_text(as_svg(draw()), encoding="utf-8")


if __name__ == "__main__":
    main()
