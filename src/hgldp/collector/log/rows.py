"""Rows of the database as the objects of the log, and back."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields, replace
from hashlib import sha256
from typing import Any
from zlib import compress, decompress
from zlib import error as not_compressed

from hgldp.collector.donation import Donation
from hgldp.collector.log.entry import Entry
from hgldp.collector.log.storage import IdPiece, KeptEpoch, Milestone, ResultRow, Snapshot, Takeover, TaskRow
from hgldp.collector.views import PublishedEpoch, RankedItem, TaskTerms
from hgldp.errors import DamagedLog
from hgldp.wire.task import kept_document, read_kept_document

Row = tuple[Any, ...]
_DEFAULTS = [each.default for each in fields(RankedItem)]


def task_values(row: TaskRow) -> Row:
    """A task."""
    terms, seed = json.dumps(row.terms.as_json()), row.seed.to_bytes(8, "big")
    digests = row.write_digest, row.read_digest, row.old_write_digest
    document = kept_document(row.document, row.hints)
    return row.number, row.id, document, seed, terms, row.created, *digests, row.old_until


def read_task_values(row: Row) -> TaskRow:
    """And back."""
    number, task_id, kept, seed, terms, *rest = row
    document, hints = read_kept_document(kept if isinstance(kept, bytes) else kept.encode())  # SQL makes text of bytes
    found = TaskRow(number, task_id, document, int.from_bytes(seed, "big"), TaskTerms(**json.loads(terms)), *rest)
    return replace(found, hints=hints)


CHANGEABLE = ("terms", "write_digest", "read_digest", "old_write_digest", "old_until")


def changed(row: TaskRow, values: Sequence[Any]) -> TaskRow:
    """A task with what an operator may have changed of it."""
    terms, *rest = values
    return replace(row, terms=TaskTerms(**json.loads(terms)), **dict(zip(CHANGEABLE[1:], rest, strict=True)))


def entry_values(row: Entry) -> Row:
    """An entry of the log."""
    names = (row.position, row.batch, row.time, row.task, row.kind, row.bulletin, row.reports)
    return (*names, row.chain, row.ids, row.counts, row.symbols)


def result_values(row: ResultRow) -> Row:
    """What an epoch published."""
    result = row.result
    place = (row.task, result.epoch, row.position, result.published, result.reports, result.bulletin)
    return (*place, items_as_text(result.top))


def items_as_text(items: Iterable[RankedItem]) -> str:
    """The items of a top."""
    return json.dumps([_item_values(item) for item in items], ensure_ascii=False)


def _item_values(item: RankedItem) -> list[Any]:
    """Without the last fields that have their default, so that what older versions wrote keeps its hash."""
    values = list(asdict(item).values())
    while values[-1] == _DEFAULTS[len(values) - 1]:
        values.pop()
    return values


def read_result(row: Row) -> ResultRow:
    """And back."""
    task, epoch, position, published, reports, bulletin, top = row
    found = tuple(RankedItem(*item) for item in json.loads(top))
    return ResultRow(task, position, PublishedEpoch(epoch, published, reports, bulletin, found))


def kept_values(row: KeptEpoch) -> Row:
    """What an epoch brought; the tally is compressed."""
    return row.task, row.epoch, row.position, row.consumed, row.time, row.chain, compress(row.opened), row.digest


def read_kept(row: Row) -> KeptEpoch:
    """And back."""
    task, epoch, position, consumed, time, chain, opened, digest = row
    try:
        return KeptEpoch(task, epoch, position, consumed, time, chain, decompress(opened), digest)
    except not_compressed:
        raise DamagedLog(f"epoch {epoch} of task {task} must be kept as it was written") from None


def snapshot_values(row: Snapshot) -> Row:
    """A state, with the hash of the whole row."""
    values = (row.task, row.position, row.consumed, row.state, row.upto, row.chain, row.opened, row.closed)
    return (*values, hash_of(values))


def read_snapshot(row: Row) -> Snapshot:
    """And back, if it is what was written."""
    *values, digest = row
    if hash_of(tuple(values)) != digest:
        raise DamagedLog(f"the state of task {row[0]} must be the one that was written, but its bytes have changed")
    return Snapshot(*values)


def piece_values(row: IdPiece) -> Row:
    """Upload ids, with the hash of the whole row."""
    values = (row.task, row.number, row.epoch, row.data)
    return (*values, hash_of(values))


def read_piece(row: Row) -> IdPiece:
    """And back, if it is what was written; the oldest pieces have no hash."""
    *values, digest = row
    if digest is not None and hash_of(tuple(values)) != digest:
        raise DamagedLog(
            f"the upload ids of task {row[0]} must be those that were written, but their bytes have changed: uploads "
            "that come again would be counted again. Nothing was changed. Restore a backup (hgldp restore)"
        )
    return IdPiece(*values)


def warmup_values(task: int, given: Donation) -> Row:
    """A warm-up, with the hash of the whole row."""
    values = (task, given.written())
    return (*values, hash_of(values))


def read_warmup(row: Row) -> Donation:
    """And back, if it is what was written."""
    *values, digest = row
    if hash_of(tuple(values)) != digest:
        raise DamagedLog(f"the warm-up of task {row[0]} must be the one that was written, but its bytes have changed")
    return Donation.read(values[1])


def milestone_values(row: Milestone) -> Row:
    """A milestone, with the hash of the whole row."""
    place = (row.task, row.epoch, row.position, row.consumed, row.time)
    values = (*place, row.kept_digest, row.shown, row.state)
    return (*values, hash_of(values))


def read_milestone(row: Row) -> Milestone:
    """And back, if it is what was written."""
    *values, digest = row
    if hash_of(tuple(values)) != digest:
        raise DamagedLog(
            f"the milestone of epoch {row[1]} of task {row[0]} must be as it was written, but it has changed"
        )
    return Milestone(*values)


def takeover_values(row: Takeover) -> Row:
    """A takeover, with the hash of the whole row."""
    values = tuple(vars(row).values())
    return (*values, hash_of(values))


def read_takeover(row: Row) -> Takeover:
    """And back, if it is what was written."""
    *values, digest = row
    if hash_of(tuple(values)) != digest:
        raise DamagedLog(f"the takeover of task {row[0]} must be as it was written, but it has changed")
    return Takeover(*values)


def hash_of(values: Row) -> bytes:
    """The hash of some values, each with its length."""
    digest = sha256()
    for each in values:
        part = each if isinstance(each, bytes) else repr(each).encode()
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()
