"""How many connections this process can hold: each needs a descriptor, and the database needs some too."""

from dataclasses import dataclass

FOR_FILES, MOST_BACKLOG, MOST_DESCRIPTORS = 128, 2_048, 1 << 20
LEAST_PLACES = 16


@dataclass(frozen=True)
class Room:
    """`places` connections at once, and `backlog` more that the system holds until we accept them."""

    places: int
    backlog: int


def room_for(connections: int) -> Room:
    """As many connections as asked for, or as the descriptors allow, after a reserve for files and for the backlog.

    The soft limit is raised to the hard one first: it is low by custom, for programs that use `select`.
    """
    descriptors = _raised_limit()
    backlog = max(LEAST_PLACES, min(MOST_BACKLOG, descriptors // 8))
    return Room(max(LEAST_PLACES, min(connections, descriptors - FOR_FILES - backlog)), backlog)


def _raised_limit() -> int:
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return MOST_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            return soft
        return wanted
    return MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
