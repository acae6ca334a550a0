"""How many connections this process can hold: each needs a descriptor, and the database needs some too."""

FOR_FILES, LEAST_PLACES, MOST_DESCRIPTORS = 192, 16, 1 << 20


def places_for(connections: int) -> int:
    """As many connections as asked for, or as the descriptors allow, after a reserve for the database and other files.

    The soft limit is raised to the hard one first: it is low by custom, for programs that use `select`.
    """
    return max(LEAST_PLACES, min(connections, _raised_limit() - FOR_FILES))


def _raised_limit() -> int:
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return MOST_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):
        return soft
    return wanted
