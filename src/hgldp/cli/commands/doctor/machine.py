"""The machine: how many descriptors, how much memory, and whether the clock can be believed."""

import ctypes
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from hgldp.cli.commands.doctor.finding import Finding, ok, problem, warning
from hgldp.cli.units import in_bytes

FEW, ENOUGH = 1_024, 8_192
LEAST_MEMORY = 600 << 20
FIRST_YEAR, LAST_YEAR = 2025, 2100
CONTROL_GROUP = Path("/sys/fs/cgroup")
UNSYNCHRONISED = 5


def check_machine() -> Iterator[Finding]:
    """What a service manager or an administrator can change."""
    yield from _descriptors()
    yield _memory(memory_limit())
    yield _year(time.gmtime().tm_year)
    yield _synchronised(clock_state())


def _descriptors() -> Iterator[Finding]:
    with suppress(ImportError):
        import resource  # noqa: PLC0415 - not on every system

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        yield judge_descriptors(sys.maxsize if most == resource.RLIM_INFINITY else most)


def judge_descriptors(most: int) -> Finding:
    """Every connection takes one."""
    do = "raise it: LimitNOFILE in systemd, ulimits in compose, ulimit -n in a shell"
    says = "no limit" if most == sys.maxsize else f"at most {most:,}"
    if most < FEW:
        return problem("descriptors", says, do)
    return warning("descriptors", says, do) if most < ENOUGH else ok("descriptors", says)


def memory_limit() -> int:
    """The smaller of what the machine has and what the control group allows."""
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    with suppress(OSError, ValueError):
        own = Path("/proc/self/cgroup").read_text(encoding="ascii").strip().rpartition(":")[2].lstrip("/")
        for folder in (CONTROL_GROUP / own, CONTROL_GROUP):
            with suppress(OSError, ValueError):
                found.append(int((folder / "memory.max").read_text(encoding="ascii")))
    return min(found)


def _memory(limit: int) -> Finding:
    if limit < LEAST_MEMORY:
        return problem("memory", in_bytes(limit), f"give it {in_bytes(LEAST_MEMORY)}, or it may be killed under load")
    return ok("memory", in_bytes(limit))


def _year(year: int) -> Finding:
    if FIRST_YEAR <= year <= LAST_YEAR:
        return ok("clock", f"the year is {year}")
    return problem("clock", f"the year is {year}", "set the clock; daily limits and retention depend on it")


def clock_state() -> int | None:
    """What the kernel says of its clock (5: nobody keeps it right), or None if it says nothing."""
    if sys.platform != "linux":
        return None
    try:
        return int(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512)))
    except (OSError, AttributeError):
        return None


def _synchronised(state: int | None) -> Finding:
    if state is None or state < 0:
        return ok("time service", "cannot be told here")
    if state == UNSYNCHRONISED:
        do = "install chrony or systemd-timesyncd; for a container or a virtual machine, on its host"
        return warning("time service", "the system knows of none: the clock may go wrong", do)
    return ok("time service", "the clock is kept right")
