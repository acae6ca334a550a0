"""Whole numbers from outside, in whatever form they come, as arrays that the kernels can run on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from itertools import islice
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField

Integers = Iterable[int] | NDArray[np.integer[Any]]
Words = NDArray[np.uint64]
_CHUNK = 1 << 16
_RESERVED = (1 << 64) - 1
_WHOLE = "must be whole numbers"
_NUMBER_TEXTS = f"{_WHOLE}; number your texts first, for example with Vocabulary(words).index(text)"
_SPLIT_MAPPING = f"{_WHOLE}; give the keys of a Counter as items and its values as weights"


def whole_numbers(field: str, values: Integers) -> NDArray[np.integer[Any]]:
    """The values as a one-dimensional integer array, if each lies in 0 … 2^64 − 2; errors never show a value.

    Takes any iterable. A NumPy array is not copied; pandas and Arrow columns, and whatever else has `__array__` or
    `to_numpy`, are asked to make an array.

    >>> whole_numbers("items", (n * n for n in range(4))).tolist()
    [0, 1, 4, 9]
    >>> whole_numbers("items", [1.5])
    Traceback (most recent call last):
    hgldp.errors.InvalidField: items must be whole numbers, got values of type float (withheld)
    """
    array = _as_array(field, values)
    if array.dtype.kind == "O" and array.ndim == 1:
        array = _from_objects(field, array)
    kind = array.dtype.kind
    if kind not in "iu":
        found = type(values).__name__ if array.ndim == 0 else array.dtype.type.__name__.rstrip("_")
        raise InvalidField(field, _rule_against(field, values, array), f"values of type {found} (withheld)")
    if array.ndim != 1:
        if array.ndim == 0:
            raise InvalidField(field, "must be several whole numbers, for example in a list", "a single one (withheld)")
        raise InvalidField(field, "must be one-dimensional", f"{array.ndim} dimensions")
    if array.size == 0:
        return array
    if kind == "i" and array.min() < 0:
        raise InvalidField(field, "must be at least 0", "a negative one (withheld)")
    if kind == "u" and array.dtype.itemsize == 8 and array.max() == _RESERVED:
        raise InvalidField(field, "must be at most 2^64 − 2", "a larger one (withheld)")
    return array


def refuse_masked(field: str, values: object) -> None:
    """Nobody knows what a masked value should count as."""
    if isinstance(values, np.ma.MaskedArray):
        raise InvalidField(field, "must not be masked; give the values that count, array.compressed()", "a MaskedArray")


def _as_array(field: str, values: Any) -> NDArray[Any]:
    if type(values) is list:
        return _from_sequence(field, values)
    if isinstance(values, np.ndarray):
        refuse_masked(field, values)
        return values
    if not hasattr(values, "__array__") and hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        return np.asarray(values)
    if not isinstance(values, Sequence) and not hasattr(values, "__array__"):
        values = list(values)
    return _from_sequence(field, values)


def _from_sequence(field: str, values: Any) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError:
        raise InvalidField(field, "must be one-dimensional", "rows of different lengths") from None
    if array.dtype.kind != "f":
        return array
    if array.size == 0:
        return np.zeros(0, np.uint64)
    return array if hasattr(values, "__array__") else np.asarray(values, object)


def _from_objects(field: str, array: NDArray[Any]) -> NDArray[Any]:
    """Python's own ints: from a pandas column that may have gaps, or a list that NumPy would turn into floats."""
    for value in array:
        if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
            rule = _rule_against(field, value, np.asarray(value))
            raise InvalidField(field, rule, f"values of type {type(value).__name__} (withheld)")
        if value < 0:
            raise InvalidField(field, "must be at least 0", "a negative one (withheld)")
        if value >= _RESERVED:
            raise InvalidField(field, "must be at most 2^64 − 2", "a larger one (withheld)")
    return array.astype(np.uint64)


def _rule_against(field: str, values: Any, array: NDArray[Any]) -> str:
    """The rule that was broken, and for items what to do about it."""
    if field != "items":
        return _WHOLE
    if isinstance(values, Mapping):
        return _SPLIT_MAPPING
    return _NUMBER_TEXTS if array.dtype.kind in "US" else _WHOLE


def is_lazy(values: Any) -> bool:
    """Whether the values come one by one, so that how many there are is known only at the end."""
    if type(values) is list or values is None or isinstance(values, np.ndarray):
        return False
    return isinstance(values, Iterable) and not isinstance(values, Sized) and not hasattr(values, "__array__")


def batches(field: str, values: Integers) -> Iterator[NDArray[np.integer[Any]]]:
    """The values as arrays of one length, the last one shorter; of a generator only one array is held at a time."""
    if is_lazy(values):
        arriving = iter(values)
        while batch := list(islice(arriving, _CHUNK)):
            yield whole_numbers(field, batch)
        return
    array = whole_numbers(field, values)
    for start in range(0, array.size, _CHUNK):
        yield array[start : start + _CHUNK]


def check_below(values: Integers, limit: int) -> NDArray[np.int64]:
    """Reported symbols as 64-bit integers. If one of them does not lie below the limit, all are refused."""
    arrived = values if _is_plain(values) else whole_numbers("symbols", values).astype(np.int64)
    if arrived.size and int(arrived.view(np.uint64).max()) >= limit:
        raise InvalidField("symbols", f"must lie in 0 … {limit - 1}", int(arrived[arrived.view(np.uint64) >= limit][0]))
    return arrived


def _is_plain(values: Integers) -> TypeGuard[NDArray[np.int64]]:
    """Whether one look at their bits as unsigned numbers finds those that are negative and those that are too large."""
    return type(values) is np.ndarray and values.ndim == 1 and values.dtype == np.int64 and values.flags.c_contiguous


class Frequent(NamedTuple):
    """The most frequent of some numbers, best first, the smaller one first among equals.

    `total` is how many numbers there were, `others` how many other distinct ones.
    """

    items: NDArray[np.int64]
    counts: NDArray[np.int64]
    total: int
    others: int


def most_frequent(field: str, values: Integers, kept: int, below: int) -> Frequent:
    """Count exactly and keep the best; a number that is not below the limit is refused.

    >>> found = most_frequent("warmup", [7, 2, 7, 9], kept=2, below=10)
    >>> found.items.tolist(), found.counts.tolist(), found.total, found.others
    ([7, 2], [2, 1], 4, 1)
    """
    arrived = whole_numbers(field, values).astype(np.int64)
    items, counts = np.unique(arrived, return_counts=True)
    if items.size and not (items[0] >= 0 and items[-1] < below):
        raise InvalidField(field, f"must hold items below {below}", "one outside (withheld)")
    best = np.lexsort((items, -counts))[:kept]
    return Frequent(items[best], counts[best], arrived.size, items.size - best.size)


def words(array: NDArray[np.integer[Any]]) -> Words:
    """The same numbers as contiguous 64-bit words, copied only where they must be."""
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
