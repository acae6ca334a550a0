"""`python -m tests.recorded` prints what differs from the recording; `--record` writes it anew.

Names select what begins with them: `python -m tests.recorded states/dsr log`. `--show states/dsr-cold/asked` prints
what is behind one name, so that two checkouts can be compared with `diff`. Everything takes about a minute.
"""

import sys
from argparse import ArgumentParser, Namespace

from tests.postgres import programs
from tests.recorded.compare import changes_of, report
from tests.recorded.kinds import KINDS, case_names, case_of, compute, read_recorded
from tests.recorded.record import entry, in_bytes, write

DONE, DIFFERS, MISTAKEN = 0, 1, 2
NEEDS_POSTGRES = "log/database"


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m tests.recorded", description="What the code computes, compared.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only what begins with one of these")
    parser.add_argument(
        "--show", metavar="NAME", help="print the content behind one name, such as states/dsr-cold/asked"
    )
    parser.add_argument("--record", action="store_true", help="write down what the code computes now")
    parser.add_argument("--exact", action="store_true", help="compare to the last bit: for the same processor only")
    return parser


def _cases(wanted: tuple[str, ...]) -> list[str]:
    """Those that find anything that is wanted, and that can be computed here."""
    names = [
        case for case in case_names() if any(f"{case}/".startswith(one) or one.startswith(f"{case}/") for one in wanted)
    ]
    if programs() is None and NEEDS_POSTGRES in names:
        print(f"without {NEEDS_POSTGRES}: PostgreSQL is not installed here", file=sys.stderr)
        names.remove(NEEDS_POSTGRES)
    return names


def compare(wanted: tuple[str, ...], *, exact: bool) -> int:
    """A table, then the lines that differ."""
    cases, known = _cases(wanted), case_names()
    recorded = {
        name: kept
        for name, kept in read_recorded().items()
        if name.startswith(wanted) and (case_of(name) in cases or case_of(name) not in known)
    }
    different = [each for each in changes_of(recorded, cases, exact=exact) if each.name.startswith(wanted)]
    if not different:
        print(f"all {len(recorded)} are as recorded")
        return DONE
    print(report(different))
    print(f"\n{len(different)} differ, of {len(recorded)} that are recorded")
    return DIFFERS


def record(wanted: tuple[str, ...]) -> int:
    """Other cases stay as they are, unless they are gone."""
    cases, known = _cases(wanted), case_names()
    for kind in dict.fromkeys(case.partition("/")[0] for case in cases):
        here = [case for case in cases if case.startswith(f"{kind}/")]
        before = read_recorded([kind])
        kept = {name: old for name, old in before.items() if case_of(name) in known and case_of(name) not in here}
        found = {name: entry(name, content) for case in here for name, content in compute(case).items()}
        write(kind, kept | found)
        print(f"{kind}: {len(found)} recorded, {len(kept)} left as they were")
    return DONE


def show(name: str) -> int:
    """The very bytes."""
    found = compute(case_of(name)) if case_of(name) in case_names() else {}
    if name not in found:
        print(f"{name} is not a whole name; names that begin so: {', '.join(_beginning(name)[:5])}", file=sys.stderr)
        return MISTAKEN
    sys.stdout.buffer.write(in_bytes(found[name]))
    return DONE


def _beginning(name: str) -> list[str]:
    """What a name stands for: names that were recorded, and cases that were not yet."""
    return [one for one in (*read_recorded(), *case_names()) if one.startswith(name)]


def main(chosen: Namespace) -> int:
    """What was asked for."""
    for name in filter(None, (*chosen.names, chosen.show)):
        if not _beginning(name):
            print(f"no name begins with {name}; all begin with {', '.join(KINDS)}", file=sys.stderr)
            return MISTAKEN
    wanted = tuple(chosen.names) or ("",)
    if chosen.show:
        return show(chosen.show)
    return record(wanted) if chosen.record else compare(wanted, exact=chosen.exact)


if __name__ == "__main__":
    sys.exit(main(_parser().parse_args()))
