"""Where the admins of a collector are kept: in its data folder, or in the database that several collectors share."""

import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

from hgldp.cli.place_given import store_given
from hgldp.collector.admin_log import AdminLog, Deed, read_admin_log
from hgldp.collector.admins import add_admin, admin_files, remove_admin, rotate_admin
from hgldp.errors import InvalidField
from hgldp.system.owner import working_in

DEFAULT_FOLDER = "hgldp-data"


class Office(Protocol):
    """What `hgldp admin` needs of either."""

    def add(self, name: str) -> str:
        """A new admin's token."""

    def rotate(self, name: str) -> str:
        """A new token for an admin."""

    def remove(self, name: str) -> None:
        """Take an admin away."""

    def since(self) -> list[tuple[str, str]]:
        """Every admin, and since when it has its token."""

    def note(self, who: str, what: str, task: str = "", detail: str = "") -> None:
        """Durable on return; raises OSError if it cannot be written."""

    def deeds(self) -> list[Deed]:
        """What admins did, the oldest first."""


class FolderOffice(AdminLog):
    """A data folder. It is never made here: a mistyped one would get an admin that nobody listens to."""

    def __init__(self, data: str) -> None:
        self._place = Path(data)
        if not self._place.is_dir():
            raise InvalidField("data", "must be the data folder of a collector", data)
        super().__init__(self._place)

    def add(self, name: str) -> str:
        """A new admin's token."""
        return add_admin(self._place, name)

    def rotate(self, name: str) -> str:
        """A new token for an admin."""
        return rotate_admin(self._place, name)

    def remove(self, name: str) -> None:
        """Take an admin away."""
        remove_admin(self._place, name)

    def since(self) -> list[tuple[str, str]]:
        """Every admin, and when its file was written."""
        files = admin_files(self._place).items()
        return [(name, time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(path.stat().st_mtime))) for name, path in files]

    def deeds(self) -> list[Deed]:
        """What admins did, the oldest first."""
        return read_admin_log(self._place)


@contextmanager
def office_given(chosen: Namespace) -> Iterator[Office]:
    """That of the store or the folder that was typed."""
    store = store_given(chosen)
    if not store:
        folder = chosen.data or DEFAULT_FOLDER
        office = FolderOffice(folder)
        try:
            with working_in(Path(folder)):
                yield office
        except OSError as failure:
            reason = f"{folder} ({failure.strerror})"
            raise InvalidField("data", "must be a folder that can be read and written", reason) from None
        return
    from hgldp.cli.store_rights import as_owner  # noqa: PLC0415 - needs psycopg, an extra of its own
    from hgldp.collector.log.postgres.database import Database  # noqa: PLC0415
    from hgldp.collector.log.postgres.migrations import check_format, found_format  # noqa: PLC0415
    from hgldp.collector.shared.office import SharedOffice  # noqa: PLC0415

    with closing(Database(store)) as database:
        check_format(found_format(database))
        with as_owner():
            yield SharedOffice(database)
