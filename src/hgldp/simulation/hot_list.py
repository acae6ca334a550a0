"""BGR, DSR, BDR and CNR over a whole stream in one fused kernel."""

from collections.abc import Callable
from copy import deepcopy

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.kernels import streams
from hgldp.kernels.clients import Board, blank_board, post
from hgldp.model.bulletins import Bulletin
from hgldp.model.randomness import derive_seed
from hgldp.model.reports import symbol_bytes
from hgldp.model.task import Task
from hgldp.schemes.bdr import BDR
from hgldp.schemes.bgr import BGR
from hgldp.schemes.dsr import DSR, LOOKOUT
from hgldp.schemes.hot_list import HotListScheme
from hgldp.schemes.registry import HOT_LISTS
from hgldp.simulation.outcome import Outcome, check_stream
from hgldp.stores.hot_list import HotList

CHUNK = 1 << 22
CLIENTS, SERVER = range(2)
Weights = NDArray[np.uint64]


def fused(scheme: HotListScheme) -> tuple[Callable[..., None], Weights]:
    """The kernel of a scheme and the weights it draws from."""
    if isinstance(scheme, BGR):
        return streams.run_bgr, np.array([scheme.full.truth, scheme.full.total], np.uint64)
    if isinstance(scheme, DSR):
        totals = [scheme.full.truth, scheme.reduced.total, scheme.full.total]
        return streams.run_dsr, np.array([*totals, LOOKOUT.numerator, LOOKOUT.denominator], np.uint64)
    if not isinstance(scheme, BDR):
        raise InvalidField("scheme", "must have a fused kernel", scheme.name)
    if scheme.tight:
        judge, quiet = scheme.naming, scheme.quiet
        step = judge.noise_weight // judge.scale
        weights = [judge.total, judge.own_weight, step, judge.keep, quiet.truth, quiet.total]
        return streams.run_tight, np.array(weights, np.uint64)
    split, cold = scheme.split, scheme.domain_size - scheme.cells
    totals = [split.judge_truth, split.judge_truth + split.scale, split.value_truth]
    return streams.run_split, np.array([*totals, split.value_total(scheme.cells), split.value_total(cold)], np.uint64)


def readings(scheme: HotListScheme) -> NDArray[np.float64]:
    """The coefficients of the quiet regime and of the nominating one."""
    return np.array([scheme.reading(_bulletin(scheme, nominating=each)).coefficients for each in (False, True)])


def _bulletin(scheme: HotListScheme, *, nominating: bool = False) -> Bulletin:
    """With some hot list: neither the coefficients nor the number of bytes depend on what is in it."""
    return Bulletin(bytes(32), 0, scheme.domain_size, tuple(range(scheme.cells)), nominating)


def simulate_hot_list(
    task: Task, stream: NDArray[np.int32], warmup: int, seed: int, advance: Callable[[int], None] | None = None
) -> Outcome:
    """A task over a stream, its first `warmup` items raw. Every report counts one download of the bulletin."""
    scheme = HOT_LISTS[task.scheme].of(task)
    items = check_stream(stream, scheme.domain_size, warmup)
    always, raw = scheme.always_nominating, items[:warmup] if warmup else None
    store = HotList.of(task, always_nominating=always, seed=derive_seed(seed, SERVER), warmup=raw)
    reports = stream.size - warmup
    nominated = track(scheme, store, items[warmup:], seed, advance)
    quiet, naming = (symbol_bytes(scheme.symbols(naming=each)) for each in (always, True))
    bulletin_bytes = 0 if isinstance(scheme, BGR) else len(_bulletin(scheme).canonical)
    return Outcome(
        estimates=scheme.respond(store, task.k),
        reports=reports,
        state_bytes=len(store.serialize()),
        upload_bytes=quiet * (reports - nominated) + naming * nominated,
        download_bytes=bulletin_bytes * reports,
        resident_bytes=store.resident_bytes,
    )


def track(
    scheme: HotListScheme,
    store: HotList,
    stream: NDArray[np.int32],
    seed: int,
    advance: Callable[[int], None] | None = None,
) -> int:
    """Every event of the stream, randomised by its client and counted by the server; the last epoch ends with it.

    Returns how many reports answered a nominating bulletin.
    """
    tracking = Tracking(scheme, store, seed)
    for start in range(0, stream.size, CHUNK):
        chunk = stream[start : start + CHUNK]
        tracking.take(chunk)
        if advance is not None:
            advance(chunk.size)
    tracking.end()
    return store.named_reports


class Tracking:
    """A store with the clients who answer its bulletins; the stream comes in pieces."""

    def __init__(self, scheme: HotListScheme, store: HotList, seed: int) -> None:
        if (store.domain_size, store.cells.item.size) != (scheme.domain_size, scheme.cells):
            raise InvalidField("store", "must be of the scheme's domain and cells", store.domain_size)
        self.store = store
        self._run, self._weights = fused(scheme)
        self._board: Board = blank_board(scheme.cells, scheme.domain_size)
        post(self._board, store.cells.item)
        self._words, self._coefficients = np.array([derive_seed(seed, CLIENTS)], np.uint64), readings(scheme)
        self._server = streams.Server(store.cells, store.light, store.rule, self._coefficients, store.decay)

    def take(self, chunk: NDArray[np.int32]) -> None:
        """Every event of a piece, randomised by its client and counted by the server."""
        self._run(self._server, self._board, self._words, self._weights, chunk)

    def end(self) -> None:
        """The open epoch ends."""
        self.store.flush(self._coefficients[int(self.store.nominating)])

    def as_if_ended(self) -> HotList:
        """A copy of the store whose open epoch ends now."""
        now = deepcopy(self.store)
        now.flush(self._coefficients[int(now.nominating)])
        return now
