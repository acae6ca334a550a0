"""A tool that keeps notes, and reports which of its commands are used. `usage.py` is all that it takes."""

import argparse
import os
import sys
from pathlib import Path

from usage import Usage

STATE = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "notes"


def parser() -> argparse.ArgumentParser:
    """What can be typed."""
    found = argparse.ArgumentParser(prog="notes", description=__doc__)
    found.add_argument("--no-usage", action="store_true", help="report nothing about me, now and from now on")
    commands = found.add_subparsers(dest="command", required=True)
    commands.add_parser("add", help="add a note").add_argument("text")
    commands.add_parser("list", help="show all notes")
    commands.add_parser("find", help="show notes with a text in them").add_argument("text")
    commands.add_parser("drop", help="delete a note").add_argument("number", type=int)
    usage = commands.add_parser("usage", help="show what was ever reported about me")
    usage.add_argument("--again", action="store_true", help="take part again after --no-usage")
    return found


def run(chosen: argparse.Namespace) -> None:
    """The tool itself."""
    STATE.mkdir(parents=True, exist_ok=True)
    file = STATE / "notes.txt"
    notes = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    if chosen.command == "add":
        notes.append(chosen.text)
    elif chosen.command == "drop" and 1 <= chosen.number <= len(notes):
        del notes[chosen.number - 1]
    else:
        wanted = getattr(chosen, "text", "")
        sys.stdout.writelines(f"{number}  {note}\n" for number, note in enumerate(notes, 1) if wanted in note)
    file.write_text("".join(f"{note}\n" for note in notes), encoding="utf-8")


def main() -> None:
    """Do what was asked, and then report the name of the command."""
    chosen = parser().parse_args()
    if chosen.command != "usage":
        run(chosen)
    with Usage(STATE / "usage") as usage:
        if chosen.no_usage:
            usage.stop()
        if chosen.command == "usage":
            usage.show(again=chosen.again)
        else:
            usage.report(chosen.command)


if __name__ == "__main__":
    main()
