"""What the pictures of the search are drawn from: a real run, epoch by epoch."""

import numpy as np
import pytest

from hgldp.experiments.plotting.prefix_tree import Branch, StringEpoch, grow, is_sure
from hgldp.experiments.studies.frontier.search import trace_listed
from hgldp.experiments.studies.frontier.spelling import COMMON, EPSILON, LONGEST, SEED, SYMBOLS, searches, trace_strings
from hgldp.model.domain import StringDomain
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR
from hgldp.simulation.generators import parse_generator


@pytest.fixture(scope="module")
def watched() -> tuple[list[StringEpoch], list[str]]:
    strings, stream = searches(SEED)
    scheme, domain = OpenPFR(SYMBOLS, EPSILON), StringDomain(LONGEST)
    return trace_strings(scheme, strings, stream, k=len(COMMON), domain=domain, seed=SEED)


def test_a_listed_search_is_told_from_its_first_report_to_its_last() -> None:
    stream = parse_generator("zipf:n=30000,d=500,s=1.3").draw(np.random.default_rng(1))
    epochs = trace_listed(PFR(500, 64, 4.0), stream, memory=4096, k=5, seed=1)
    assert sum(epoch.measured.reports for epoch in epochs) == epochs[-1].measured.end == stream.size
    assert epochs[0].bulletin.leaves == ()
    for epoch in epochs:
        assert tuple(epoch.measured.leaves) == epoch.bulletin.leaves
        assert epoch.evidence.size == 500
    truth = np.bincount(stream, minlength=500)
    assert set(epochs[-1].answer) == set(np.argsort(-truth)[:5].tolist())
    assert len({epoch.bulletin.key for epoch in epochs}) == len(epochs)


def test_the_strings_of_the_picture_are_found(watched: tuple[list[StringEpoch], list[str]]) -> None:
    epochs, answer = watched
    assert set(answer) == set(COMMON)
    assert epochs[-1].reports == 150_000
    assert not any(one.hot for one in epochs[0].cells)


def joined(branches: list[Branch]) -> bool:
    """Whether each branch starts where another ends, or at the root."""
    root = min(branch.start for branch in branches)
    ends = {(branch.end, branch.place) for branch in branches}
    return all(branch.start == root or (branch.start, branch.root) in ends for branch in branches)


def test_the_tree_hangs_together_and_has_every_cell_once(watched: tuple[list[StringEpoch], list[str]]) -> None:
    for epoch in watched[0][::7]:
        branches = grow(epoch)
        assert joined(branches)
        assert not joined(branches[len(branches) // 3 :])
        ends = [branch for branch in branches if branch.text]
        assert len(ends) == len(epoch.cells)
        assert len({branch.place for branch in ends}) == len(ends)
        assert all(0 <= branch.place <= 1 for branch in branches)


def test_what_goes_through_a_branch_is_what_its_cells_have(watched: tuple[list[StringEpoch], list[str]]) -> None:
    epoch = watched[0][-1]
    through = sum(branch.share for branch in grow(epoch) if not branch.text and branch.start == 0)
    wanted = sum(one.share for one in epoch.cells if is_sure(one) and one.cell.prefix)
    assert through == pytest.approx(wanted)
    assert sum(one.share for one in epoch.cells if one.hot) == pytest.approx(sum(COMMON.values()) / 100, abs=0.02)
