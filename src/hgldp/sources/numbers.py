"""The numbers of a file, whatever the blanks, the compression, and the marks that SPMF puts between them."""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

from hgldp.errors import InvalidField

GZIP_MAGIC = b"\x1f\x8b"
SPMF_MARKS = {b"-1", b"-2"}
BLOCK = 1 << 20
DAMAGES = (gzip.BadGzipFile, EOFError, zlib.error)


def damaged(field: str, source: object) -> InvalidField:
    """What to say when gzip data cannot be unpacked to its end."""
    return InvalidField(field, "must be whole gzip data", f"damaged or cut off data in {source}")


@contextmanager
def unpacked(path: Path) -> Iterator[BinaryIO]:
    """A file as it reads when it is not compressed."""
    with path.open("rb") as raw:
        packed = raw.read(2) == GZIP_MAGIC
        raw.seek(0)
        if packed:
            with gzip.GzipFile(fileobj=raw) as plain:
                yield cast(BinaryIO, plain)
        else:
            yield raw


def number_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Each line that holds something, one blank between its numbers.

    >>> from io import BytesIO
    >>> list(number_lines(BytesIO(b"3 1 \\r\\n\\n4 -1 1 -1 -2\\n")))
    [b'3 1\\n', b'4 1\\n']
    """
    for line in file:
        numbers = line.split()
        if b"-1" in numbers or b"-2" in numbers:
            numbers = [number for number in numbers if number not in SPMF_MARKS]
        if numbers:
            yield b" ".join(numbers) + b"\n"


def numbers_digest(path: Path) -> str:
    """SHA-256 of the numbers, line by line, in hexadecimal."""
    digest = hashlib.sha256()
    with unpacked(path) as file:
        for line in number_lines(file):
            digest.update(line)
    return digest.hexdigest()


def git_blob_id(path: Path) -> str:
    """What `git hash-object` prints for the unpacked file."""
    with unpacked(path) as file:
        size = sum(len(block) for block in iter(lambda: file.read(BLOCK), b""))
    digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    with unpacked(path) as file:
        for block in iter(lambda: file.read(BLOCK), b""):
            digest.update(block)
    return digest.hexdigest()
