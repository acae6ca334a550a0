"""Whether the database is still one of this version: another may have taken it over while this one runs."""

from hgldp.collector.log.postgres.database import Connection
from hgldp.collector.log.postgres.migrations import FORMAT
from hgldp.collector.log.takeover.era import ERA
from hgldp.errors import StorageFailed


class OtherVersion(StorageFailed):
    """Another version of the collector has taken the database over."""


def check_version(reader: Connection, *, may_be_earlier: bool = False) -> None:
    """Inside a transaction: raise OtherVersion unless format and era are those of this version.

    Whoever is about to take over from an earlier version may find an earlier era.
    """
    rows = reader.execute("SELECT name, value FROM service WHERE name IN ('era', 'format')").fetchall()
    found = {str(name): int(value) for name, value in rows}
    era, known = found.get("era", 0), found.get("format", 0)
    if known != FORMAT or era > ERA or (era < ERA and not may_be_earlier):
        raise _other_version(known, era)


def check_alone(writer: Connection) -> None:
    """The same for whoever changes tasks. The sealer, who locks the same row, waits until the commit.

    A later version that seals already is reading the tasks to take them over: none may change any more.
    """
    found = writer.execute("SELECT era FROM sealer FOR UPDATE").fetchone()
    check_version(writer)
    if found and int(found[0]) > ERA:
        raise _other_version(FORMAT, int(found[0]))


def _other_version(known: int, era: int) -> OtherVersion:
    return OtherVersion(
        f"the database belongs to another version now (format {known}, era {era}; this one has {FORMAT} and {ERA}): "
        "nothing is taken until both have the same version"
    )
