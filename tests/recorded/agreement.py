"""The recording as one assertion: every case of some beginnings, and all of their differences at once."""

from tests.recorded.compare import changes_of, report
from tests.recorded.kinds import case_names, case_of, read_recorded


def assert_as_recorded(*beginnings: str, without: tuple[str, ...] = ()) -> None:
    """Also fails if a case is not recorded, or if something is recorded of a case that is gone."""
    wanted = [case for case in case_names(*beginnings) if case not in without]
    assert wanted, f"no case begins with {' or '.join(beginnings)}"
    of_others = set(case_names()) - set(wanted)
    recorded = {
        name: kept
        for name, kept in read_recorded().items()
        if name.startswith(beginnings) and case_of(name) not in of_others
    }
    different = changes_of(recorded, wanted)
    assert not different, f"{len(different)} of {len(recorded)} differ\n{report(different)}"
