"""Files that are whole or not there: each is written beside its place first."""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from hgldp.errors import InvalidField
from hgldp.system.durable import sync


@contextmanager
def written_whole(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """A draft to write to; it takes the place of the file when all is done, and is gone if something fails.

    Its name is new and nobody can guess it: no file or link of others can be in its place.
    """
    draft = path.with_name(f".{path.name}.{token_hex(8)}.part")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        try:
            yield draft
            sync(draft)
            draft.replace(path)
        finally:
            with suppress(OSError):
                draft.unlink()
    except OSError as failure:
        raise InvalidField("output", "must be a file that can be written", f"{path} ({failure.strerror})") from None


def write_whole(last: Mapping[Path, bytes], others: Mapping[Path, bytes] | None = None, mode: int = 0o666) -> None:
    """The last takes its place only when all others have."""
    with ExitStack() as drafts:
        for path, data in last.items():
            drafts.enter_context(written_whole(path, mode)).write_bytes(data)
        for path, data in (others or {}).items():
            drafts.enter_context(written_whole(path)).write_bytes(data)


def read_whole(field: str, path: Path, most_bytes: int) -> bytes:
    """A small file."""
    try:
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
    except OSError as failure:
        raise InvalidField(field, "must be a readable file", f"{path} ({failure.strerror})") from None
    if len(data) > most_bytes:
        raise InvalidField(field, f"must have at most {most_bytes:,} bytes", f"{path} with more")
    return data
