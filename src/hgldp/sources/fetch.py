"""A data set from its publisher: downloaded beside its place, verified, and only then put there."""

import gzip
import os
from dataclasses import dataclass
from pathlib import Path

from hgldp.errors import InvalidField
from hgldp.sources.datasets import Dataset
from hgldp.sources.download import SECONDS_OF_SILENCE, Advance, download
from hgldp.sources.numbers import DAMAGES, SPMF_MARKS, damaged, git_blob_id, number_lines, numbers_digest, unpacked

LINES_LOOKED_AT = 100


@dataclass(frozen=True)
class Copy:
    """A copy on this machine; `is_verified` is False if no checksum is pinned yet."""

    path: Path
    digest: str
    is_verified: bool


def fetch(
    dataset: Dataset, folder: Path, advance: Advance | None = None, *, silence: float = SECONDS_OF_SILENCE
) -> Copy:
    """The copy in the folder, if there is one, else a fresh one; a copy that is not the data set is refused."""
    here = next((folder / name for name in dataset.file_names if (folder / name).is_file()), None)
    if here is not None:
        return verify(dataset, here)
    place = folder / dataset.file
    if dataset.address is None:
        known = f"{dataset.note}; publisher: {dataset.page}"
        raise InvalidField(dataset.name, f"must be put by hand at {place}", f"no copy ({known})")
    part = folder / f"{dataset.file}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        download(dataset.address, part, advance, silence=silence)
        try:
            copy = verify(dataset, part)
        except InvalidField:
            part.unlink()
            raise
        if _has_marks(part):
            _leave_out_marks(part)
        os.replace(part, place)
    except OSError as failure:
        raise InvalidField("data", "must be a folder that can be written", f"{folder} ({failure.strerror})") from None
    return Copy(place, copy.digest, copy.is_verified)


def verify(dataset: Dataset, path: Path) -> Copy:
    """The file, if every known length and checksum fits the data set."""
    try:
        digest = numbers_digest(path)
        blob = git_blob_id(path) if dataset.git_blob else None
    except DAMAGES:
        raise damaged(dataset.name, path) from None
    for known, found, kind in (
        (dataset.numbers, digest, "SHA-256 of its numbers"),
        (dataset.git_blob, blob, "id that git gives it"),
    ):
        if known is not None and found != known:
            raise InvalidField(dataset.name, f"must have {known} as the {kind}", f"{found} in {path}")
    return Copy(path, digest, dataset.is_pinned)


def _has_marks(path: Path) -> bool:
    with unpacked(path) as file:
        return any(SPMF_MARKS & set(line.split()) for line, _ in zip(file, range(LINES_LOOKED_AT), strict=False))


def _leave_out_marks(part: Path) -> None:
    """Rewrite the file as plain FIMI text, gzipped."""
    other = part.with_name(part.name + "-plain")
    with unpacked(part) as file, gzip.GzipFile(other, "wb", mtime=0) as plain:
        plain.writelines(number_lines(file))
    os.replace(other, part)
