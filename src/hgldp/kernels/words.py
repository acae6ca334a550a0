"""Splitmix64 and exactly uniform integers inside kernels: the twins of `hgldp.model.randomness`.

A kernel keeps the generator's 64-bit state in a one-element uint64 array that it shares with its caller.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import types
from numba.extending import intrinsic

from hgldp.kernels.compile import inlined

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)


def _high_product(_typing_context: Any, _left: Any, _right: Any) -> Any:
    """The upper 64 bits of the 128-bit product of two words: one machine instruction."""
    signature = types.uint64(types.uint64, types.uint64)

    def generate(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del signature
        word = arguments[0].type
        wide = type(word)(128)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        return builder.trunc(builder.lshr(product, wide(64)), word)

    return signature, generate


high_product = cast(Callable[[Any, Any], Any], intrinsic(_high_product))


@inlined
def mix(word: Any) -> Any:
    """Splitmix64's finaliser."""
    word = (word ^ (word >> _30)) * _FIRST
    word = (word ^ (word >> _27)) * _SECOND
    return word ^ (word >> _31)


@inlined
def next_word(state: Any) -> Any:
    """Advance the one-element state and return the next word."""
    state[0] += GOLDEN
    return mix(state[0])


@inlined
def first_kept(bound: Any) -> Any:
    """The least low half of a product that multiply-and-reject keeps."""
    return (np.uint64(0) - bound) % bound


@inlined
def draw_below(counter: Any, bound: Any) -> Any:
    """An exactly uniform integer below a uint64 bound, by Lemire's multiply-and-reject, and the state after it."""
    counter += GOLDEN
    word = mix(counter)
    if word * bound < bound:
        kept = first_kept(bound)
        while word * bound < kept:
            counter += GOLDEN
            word = mix(counter)
    return high_product(word, bound), counter


@inlined
def draw(counter: Any, bound: Any, kept: Any) -> Any:
    """`draw_below` for loops that always ask below the same bound, given `first_kept(bound)`."""
    counter += GOLDEN
    word = mix(counter)
    while word * bound < kept:
        counter += GOLDEN
        word = mix(counter)
    return high_product(word, bound), counter
