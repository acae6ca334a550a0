"""Uploads as clients send them, as rows of a table, and back: whole arrays, no object for a report."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hgldp.collector.symbol_format import read_symbols
from hgldp.errors import MalformedBytes, UnknownBulletin
from hgldp.model.reports import symbol_bytes
from hgldp.tallies.reports.layout import BULLETIN, UPLOADS, uploads_of
from hgldp.wire.upload import ID_BYTES, Upload

Symbols = NDArray[np.integer[Any]]


def table_of(bodies: Iterable[bytes], limits: Mapping[str, int]) -> Any:
    """An Arrow table with one row for each upload. `limits` has the first illegal symbol of every bulletin.

    >>> body = Upload.of(bytes(16), bytes(32), [7, 300], symbol_limit=400).encode()
    >>> table = table_of([body], {"00" * 32: 400})
    >>> table.column("symbols").to_pylist(), list(bodies_of(table, {"00" * 32: 400})) == [body]
    ([[7, 300]], True)
    """
    ids, versions, lengths, symbols = [], [], [], [np.zeros(0, np.uint32)]
    for bulletin, some in groupby(map(Upload.decode, bodies), key=lambda each: each.bulletin):
        version = bulletin.hex()
        if version not in limits:
            raise UnknownBulletin(version)
        trimmed = [each.trimmed(limits[version]) for each in some]
        joined = b"".join(each.payload for each in trimmed)
        symbols.append(read_symbols(joined, symbol_bytes(limits[version])).astype(np.uint32))
        if int(symbols[-1].max()) >= limits[version]:
            raise MalformedBytes(f"symbols must lie in 0 … {limits[version] - 1}")
        ids += [each.id for each in trimmed]
        lengths += [each.count for each in trimmed]
        versions += [version] * len(trimmed)
    batch = as_batch(b"".join(ids), versions, np.array(lengths, np.int64), np.concatenate(symbols))
    return pa.Table.from_batches([batch])


def as_batch(ids: bytes, versions: list[str], lengths: NDArray[np.int64], symbols: Symbols) -> Any:
    """A record batch from the ids end to end, the version and the number of reports of each, and all symbols."""
    offsets = np.zeros(lengths.size + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    lists = pa.ListArray.from_arrays(pa.array(offsets), pa.array(symbols.astype(np.uint32)), type=UPLOADS.types[2])
    fixed = pa.FixedSizeBinaryArray.from_buffers(pa.binary(ID_BYTES), lengths.size, [None, pa.py_buffer(ids)])
    return pa.record_batch([fixed, pa.array(versions, BULLETIN), lists], UPLOADS)


def bodies_of(table: Any, limits: Mapping[str, int]) -> Iterator[bytes]:
    """The uploads of a table or a record batch, byte for byte as their clients sent them."""
    for batch in table.to_batches() if isinstance(table, pa.Table) else [table]:
        yield from _bodies_of(batch, limits)


def _bodies_of(batch: Any, limits: Mapping[str, int]) -> Iterator[bytes]:
    (bulletins, codes, symbols), ids, lengths = uploads_of(batch)
    ends = np.cumsum(lengths)
    for row, (code, end, length) in enumerate(zip(codes.tolist(), ends.tolist(), lengths.tolist(), strict=True)):
        version = bulletins[code]
        if version not in limits:
            raise UnknownBulletin(version)
        some = symbols[end - length : end]
        if not length or int(some.max()) >= limits[version]:
            raise MalformedBytes(f"uploads must hold at least one symbol, and none beyond 0 … {limits[version] - 1}")
        payload = pack_symbols(some, symbol_bytes(limits[version]))
        yield Upload(ids[row].tobytes(), bytes.fromhex(version), length, payload).encode()


def pack_symbols(symbols: Symbols, width: int) -> bytes:
    """Symbols as an upload holds them: the highest byte first, each of one width.

    >>> pack_symbols(np.array([1, 258]), 2).hex(), pack_symbols(np.array([258]), 3).hex()
    ('00010102', '000102')
    """
    wide = symbols.astype(">u4").view(np.uint8).reshape(-1, 4)
    return wide[:, 4 - width :].tobytes()
