"""What lives as long as the server is not looked at again and again by the garbage collector."""

import gc

YOUNG, MIDDLE, OLD = 10_000, 20, 50


def settle_heap() -> None:
    """Call once, when everything is imported and recovered.

    An upload that waits for its commit outlives the collector's first generations, so that every few thousand uploads
    all objects of the process would be visited: compilers and tables included, which never go away.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
