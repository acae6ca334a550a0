"""`python -m tests.recorded` prints what differs from the recording of 0.1.0 and what was changed on purpose since.

Names select what begins with them: `python -m tests.recorded states/dsr log`. `--show NAME` prints what is behind one
name, so that two checkouts can be compared with `diff`.
"""

import sys
from argparse import ArgumentParser, Namespace

from tests.recorded.compare import differences, explained, table
from tests.recorded.parts import case_names, case_of, computed
from tests.recorded.record import Content, entry, in_bytes, read_original, read_recorded, write_since

DONE, DIFFERS = 0, 1


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m tests.recorded", description="What 0.1.0 computes, recorded and compared.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only what begins with one of these")
    parser.add_argument("--show", metavar="NAME", help="print the content behind one name")
    parser.add_argument("--accept", action="store_true", help="keep what differs as changed on purpose (since.json)")
    parser.add_argument("--since-0.1.0", dest="original", action="store_true", help="compare with 0.1.0 itself")
    return parser


def _found(wanted: tuple[str, ...]) -> dict[str, Content]:
    """All contents whose names begin with one of the wanted."""
    found: dict[str, Content] = {}
    for case in case_names():
        if any(case.startswith(each) or each.startswith(f"{case}/") for each in wanted):
            found |= computed(case)
    return {name: content for name, content in found.items() if name.startswith(wanted)}


def compare(wanted: tuple[str, ...], *, original: bool) -> int:
    """A table, then of each document that differs its lines."""
    found = _found(wanted)
    kept_lines = read_original() if original else read_recorded()
    recorded = {name: kept for name, kept in kept_lines.items() if name.startswith(wanted)}
    different = differences(recorded, found)
    if not different:
        print(f"all {len(recorded)} are those that were recorded")
        return DONE
    print(table(different))
    for each in different:
        if each.name in recorded and each.name in found and (lines := explained(recorded[each.name], found[each.name])):
            print(f"\n{each.name}\n{lines}")
    print(f"\n{len(different)} of {len(recorded.keys() | found.keys())} differ")
    return DIFFERS


def show(name: str) -> int:
    """The very bytes."""
    sys.stdout.buffer.write(in_bytes(computed(case_of(name))[name]))
    return DONE


def accept() -> int:
    """Everything that differs from 0.1.0 by now, whatever was accepted before."""
    found, original = _found(("",)), read_original()
    changed = {each.name: entry(each.name, found[each.name]) for each in differences(original, found)}
    write_since(changed)
    print(f"{len(changed)} of {len(found)} names differ from 0.1.0 on purpose")
    return DONE


def main(chosen: Namespace) -> int:
    """What was asked for."""
    if chosen.show:
        return show(chosen.show)
    return accept() if chosen.accept else compare(tuple(chosen.names) or ("",), original=chosen.original)


if __name__ == "__main__":
    sys.exit(main(_parser().parse_args()))
