"""Derive everything that was ever published from the log again, and compare it bit for bit.

Where reports are gone, what is kept of their epoch stands for them; where that is gone too, a milestone. What a version
of another era published is not derived: it begins where this one took over. One row of each table is in memory at a
time, however long the history.
"""

from pathlib import Path

from hgldp.collector.log.reading import Frozen, Reading
from hgldp.collector.log.replay.report import Difference, ReplayReport
from hgldp.collector.log.replay.task import Differs, TaskReplay
from hgldp.collector.log.takeover.era import ERA, other_era
from hgldp.errors import DamagedLog

__all__ = ["Difference", "ReplayReport", "TaskReplay", "replay", "replay_all"]


def replay(folder: Path) -> ReplayReport:
    """Check a data folder as it is at this moment. It is only read, and a server may run on it meanwhile."""
    storage = Frozen(folder)
    try:
        if storage.era() != ERA:
            raise DamagedLog(other_era(folder))
        return replay_all(storage)
    finally:
        storage.close()


def replay_all(storage: Reading) -> ReplayReport:
    """Check any store whose reads all see the same moment."""
    report = ReplayReport()
    try:
        for row in storage.tasks():
            TaskReplay(storage, row, report).run()
            report.tasks += 1
    except Differs as found:
        report.difference = found.difference
    return report
