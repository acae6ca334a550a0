"""Items and weights that arrive from outside, as arrays of whole numbers that fit a 64-bit word."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField

Integers = Sequence[int] | NDArray[np.integer[Any]]
Words = NDArray[np.uint64]
_CHUNK = 1 << 16
_RESERVED = (1 << 64) - 1


def whole_numbers(field: str, values: Integers) -> NDArray[np.integer[Any]]:
    """The values as a one-dimensional integer array, if each lies in 0 … 2^64 − 2; none is repeated in an error.

    >>> whole_numbers("items", ["tea"])
    Traceback (most recent call last):
    hgldp.errors.InvalidField: items must be whole numbers, got values of type str (withheld)
    """
    try:
        array = np.asarray(values)
    except ValueError:
        raise InvalidField(field, "must be one-dimensional", "rows of different lengths") from None
    if array.size == 0 and isinstance(values, Sequence) and not isinstance(values, str | bytes):
        return np.zeros(0, np.uint64)
    if array.dtype.kind not in "iu":
        kind = type(values).__name__ if array.ndim == 0 else array.dtype.type.__name__.rstrip("_")
        raise InvalidField(field, "must be whole numbers", f"values of type {kind} (withheld)")
    if array.ndim != 1:
        raise InvalidField(field, "must be one-dimensional", f"{array.ndim} dimensions")
    if array.size and array.dtype.kind == "i" and array.min() < 0:
        raise InvalidField(field, "must be at least 0", "a negative one (withheld)")
    if array.size and array.dtype.itemsize == 8 and array.dtype.kind == "u" and array.max() == _RESERVED:
        raise InvalidField(field, "must be at most 2^64 − 2", "a larger one")
    return array


def check_below(values: Integers, limit: int) -> NDArray[np.int64]:
    """Reported symbols as 64-bit integers, if each lies below the limit; one that does not and all are refused."""
    arrived = values if _is_plain(values) else whole_numbers("symbols", values).astype(np.int64)
    if arrived.size and int(arrived.view(np.uint64).max()) >= limit:
        raise InvalidField("symbols", f"must lie in 0 … {limit - 1}", "one outside")
    return arrived


def _is_plain(values: Integers) -> TypeGuard[NDArray[np.int64]]:
    """Whether one look at their bits as unsigned numbers finds those that are negative and those that are too large."""
    return (
        isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype == np.int64 and values.flags.c_contiguous
    )


def words(array: NDArray[np.integer[Any]]) -> Words:
    """The same numbers as contiguous 64-bit words, without a copy where there is no need of one."""
    if array.dtype.itemsize == 8 and array.dtype.isnative and array.flags.c_contiguous:
        return array.view(np.uint64)
    return np.ascontiguousarray(array, dtype=np.uint64)


def chunks(array: NDArray[np.integer[Any]]) -> Iterator[Words]:
    """The same numbers as words, converted piece by piece if they need to be."""
    if array.dtype.itemsize == 8:
        yield words(array)
        return
    for start in range(0, array.size, _CHUNK):
        yield words(array[start : start + _CHUNK])
