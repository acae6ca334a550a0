"""Rows of the database as the objects of the log, and back."""

import json
from dataclasses import asdict
from hashlib import sha256
from typing import Any
from zlib import compress, decompress
from zlib import error as not_compressed

from hgldp.collector.log.entry import Entry
from hgldp.collector.log.storage import KeptEpoch, ResultRow, Snapshot, TaskRow
from hgldp.collector.views import PublishedEpoch, RankedItem, TaskTerms
from hgldp.errors import DamagedLog

Row = tuple[Any, ...]


def task_values(row: TaskRow) -> Row:
    """A task."""
    terms, seed = json.dumps(row.terms.as_json()), row.seed.to_bytes(8, "big")
    digests = row.write_digest, row.read_digest, row.old_write_digest
    return row.number, row.id, row.document, seed, terms, row.created, *digests, row.old_until


def read_task_values(row: Row) -> TaskRow:
    """And back."""
    number, task_id, document, seed, terms, *rest = row
    return TaskRow(number, task_id, document, int.from_bytes(seed, "big"), TaskTerms(**json.loads(terms)), *rest)


def entry_values(row: Entry) -> Row:
    """An entry of the log."""
    names = (row.position, row.batch, row.time, row.task, row.kind, row.bulletin, row.reports)
    return (*names, row.chain, row.ids, row.counts, row.symbols)


def result_values(row: ResultRow) -> Row:
    """What an epoch published."""
    result = row.result
    top = json.dumps([list(asdict(item).values()) for item in result.top], ensure_ascii=False)
    return row.task, result.epoch, row.position, result.published, result.reports, result.bulletin, top


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
    return (*values, _hash(values))


def read_snapshot(row: Row) -> Snapshot:
    """And back, if it is what was written."""
    *values, digest = row
    if _hash(tuple(values)) != digest:
        raise DamagedLog(f"the state of task {row[0]} must be the one that was written, but its bytes have changed")
    return Snapshot(*values)


def _hash(values: Row) -> bytes:
    digest = sha256()
    for each in values:
        part = each if isinstance(each, bytes) else repr(each).encode()
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()
