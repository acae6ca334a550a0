"""`python -m tests.tree`: how large the house is, room by room, for whoever is about to add to it."""

import re
from pathlib import Path

import grimp
from rich.console import Console
from rich.table import Table

PACKAGE = Path(__file__).parents[1] / "src" / "hgldp"
SMALL = 50


def circles() -> list[list[str]]:
    """Modules that import each other, directly or through others."""
    graph = grimp.build_graph("hgldp", cache_dir=None, exclude_type_checking_imports=True)
    ahead = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    found: list[list[str]] = []
    left = set(ahead)
    while left:
        start = left.pop()
        reached = _reached(start, ahead)
        circle = sorted(name for name in reached if start in _reached(name, ahead))
        if circle:
            found.append(circle)
            left -= set(circle)
    return found


def _reached(start: str, ahead: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(ahead[start])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += ahead[name]
    return found


def main() -> None:
    """One row for each package, and what holds for all of them."""
    table = Table("package", "files", "lines", f"below {SMALL} lines", "longest", title="src/hgldp")
    texts = {path.relative_to(PACKAGE): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    rooms = sorted({part.parts[0] for part in texts})
    for room in (*rooms, "all"):
        lengths = [text.count("\n") for part, text in texts.items() if room in (part.parts[0], "all")]
        small = sum(length < SMALL for length in lengths)
        table.add_row(room, *(f"{number:,}" for number in (len(lengths), sum(lengths), small, max(lengths))))
    folders = [path for path in (PACKAGE, *PACKAGE.rglob("*")) if path.is_dir() and "__pycache__" not in path.parts]
    fullest = max(folders, key=_entries)
    ignores = sum(len(re.findall(r"# type: ignore", text)) for text in texts.values())
    console = Console(highlight=False)
    console.print(table)
    console.print(f"type: ignore {ignores} · import circles {len(circles())}")
    console.print(f"fullest folder {fullest.relative_to(PACKAGE.parent).as_posix()}, {_entries(fullest)} entries")


def _entries(folder: Path) -> int:
    return sum(each.name != "__pycache__" for each in folder.iterdir())


if __name__ == "__main__":
    main()
