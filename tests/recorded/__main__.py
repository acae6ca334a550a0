"""`python -m tests.recorded` records; with `--compare` it prints what differs from the recording of 0.1.0.

Names select what begins with them: `python -m tests.recorded --compare states/dsr log`. `--show NAME` prints what is
behind one name, so that two checkouts can be compared with `diff`.
"""

import sys
from argparse import ArgumentParser, Namespace

from tests.recorded.compare import differences, explained, table
from tests.recorded.log import FIXTURE, write_fixture
from tests.recorded.parts import case_names, case_of, computed
from tests.recorded.record import FILE, Content, entry, in_bytes, read_recorded, write_recorded

DONE, DIFFERS, REFUSED = 0, 1, 2


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m tests.recorded", description="What 0.1.0 computes, recorded and compared.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="with --compare: only what begins with one of these")
    parser.add_argument("--compare", action="store_true", help="print what differs, and exit with 1 if anything does")
    parser.add_argument("--show", metavar="NAME", help="print the content behind one name")
    parser.add_argument("--overwrite", action="store_true", help="record anew although there is a recording")
    return parser


def _found(wanted: tuple[str, ...]) -> dict[str, Content]:
    """All contents whose names begin with one of the wanted."""
    found: dict[str, Content] = {}
    for case in case_names():
        if any(case.startswith(each) or each.startswith(f"{case}/") for each in wanted):
            found |= computed(case)
    return {name: content for name, content in found.items() if name.startswith(wanted)}


def compare(wanted: tuple[str, ...]) -> int:
    """A table, then of each document that differs its lines."""
    found = _found(wanted)
    recorded = {name: kept for name, kept in read_recorded().items() if name.startswith(wanted)}
    different = differences(recorded, found)
    if not different:
        print(f"all {len(recorded)} are those of 0.1.0")
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


def record(*, overwrite: bool) -> int:
    """Write the recording; one that is there stays unless told otherwise, and the folder of 0.1.0 stays always."""
    if FILE.exists() and not overwrite:
        print(
            f"{FILE.name} is there already: --compare to compare with it, --overwrite to record anew", file=sys.stderr
        )
        return REFUSED
    if not FIXTURE.exists():
        write_fixture()
    found = _found(("",))
    write_recorded({name: entry(name, content) for name, content in found.items()})
    print(f"{len(found)} names of {len(case_names())} cases in {FILE.name}")
    return DONE


def main(chosen: Namespace) -> int:
    """What was asked for."""
    if chosen.show:
        return show(chosen.show)
    return compare(tuple(chosen.names) or ("",)) if chosen.compare else record(overwrite=chosen.overwrite)


if __name__ == "__main__":
    sys.exit(main(_parser().parse_args()))
