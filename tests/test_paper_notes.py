"""What docs/paper-notes.md says and no other test pins: the paper's slips, the authors' code, our decisions."""

import ast
from dataclasses import fields
from fractions import Fraction
from math import comb, exp, log, sqrt
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hgldp.client import Randomizer
from hgldp.errors import InvalidField
from hgldp.kernels.decay import decay_thresholds
from hgldp.kernels.paper_streams import ALWAYS_NAMING, SPLIT, run_paper
from hgldp.mechanisms.grr import GRR
from hgldp.model.budget import Budget
from hgldp.model.bulletins import Bulletin
from hgldp.model.domain import RangeDomain
from hgldp.model.randomness import SeededWords
from hgldp.model.reports import Report
from hgldp.model.task import Task
from hgldp.schemes.bdr import BDR
from hgldp.simulation.paper.channels import DECAY_BASE, PaperChannel
from hgldp.simulation.paper.run import simulate_paper
from hgldp.simulation.paper.start import fill
from hgldp.simulation.run import Plan, run
from hgldp.stores.hot_list import HotList, make_rule
from hgldp.tracker import Tracker

SOURCE = Path(__file__).resolve().parent.parent / "src" / "hgldp"


def expected_hits(grr: GRR, own: int, reports: int) -> Fraction:
    return grr.p * own + grr.q * (reports - own)


def test_both_regimes_of_dsr_add_up_to_the_true_count_and_the_printed_pairs_do_not() -> None:
    """An arrival over the whole domain weighs gain_reduced/gain_full; each regime subtracts its own noise."""
    reduced, full = GRR(21, 1.0), GRR(1000, 1.0)
    gain, weight = reduced.p - reduced.q, (reduced.p - reduced.q) / (full.p - full.q)
    own, reports = (30, 50), (400, 700)
    hits = [expected_hits(*regime) for regime in zip((reduced, full), own, reports, strict=True)]

    def debiased(noise_reduced: Fraction, noise_full: Fraction) -> Fraction:
        return (hits[0] - noise_reduced * reports[0] + weight * (hits[1] - noise_full * reports[1])) / gain

    assert debiased(reduced.q, full.q) == sum(own)
    assert debiased(full.q, reduced.q) != sum(own)
    channel = PaperChannel("dsr", "paper", 1000, 20, 1.0)
    assert channel.rule(None).weight == (1.0, float(weight))
    assert [reading.per_report for reading in channel.readings(None)] == [reduced.q, full.q]


def test_without_the_square_the_root_of_theorem_1_is_imaginary_and_with_it_real() -> None:
    """The fifth of 50 items, 5 cells, 100,000 reports at ε = 1: 1 less what is here stands under the root."""
    reports, size, cells, rank, base = 100_000, 50, 5, 5, 1.08
    weights = np.arange(1, size + 1) ** -1.1
    counts = reports * weights / weights.sum()
    weakest = comb(rank - 1, cells - 1) / comb(size - 1, cells - 1)  # (i − 1)!(d − k)!/((d − 1)!(i − k)!)
    printed = 4 * weakest * counts[rank:].sum() / (base - 1)
    grr = GRR(size, 1.0)
    reported = float(grr.p * Fraction(counts[rank - 1]) + grr.q * Fraction(reports - counts[rank - 1]))
    assert printed == pytest.approx(10.33, abs=0.01)
    assert printed / reported**2 == pytest.approx(2.4e-6, abs=0.1e-6)
    assert (weakest * counts[rank:].sum() <= (base - 1) / 4) == (printed <= 1)


def test_the_bound_on_bdr_with_hot_events_for_reports_fails_in_38_percent_and_not_in_5() -> None:
    """100,000 runs, fixed seed: a share of .382 lies within .38 ± .01 with a false-alarm rate below 1e-6."""
    reports, hot, own, cells, beta, runs = 100_000, 10, 5, 20, 0.05, 100_000
    reading = BDR(1000, cells, 1.0, tight=False, judge_share=1 / 3).split.reading
    p1, q1 = exp(1 / 3) / (exp(1 / 3) + 1), 1 / (exp(1 / 3) + 1)
    p2, q2 = exp(2 / 3) / (exp(2 / 3) + cells - 1), 1 / (exp(2 / 3) + cells - 1)
    chances = [float(each) for each in (reading.own, reading.other, reading.cold)]
    assert chances == pytest.approx([p1 * p2, p1 * q2, q1 / cells], rel=1e-6)
    draw, trials = np.random.default_rng(38), (own, hot - own, reports - hot)
    hits = sum(draw.binomial(n, chance, runs) for n, chance in zip(trials, chances, strict=True))
    gain = p1 * (p2 - q2)
    lost = own - (hits - hot * p1 * q2 - (reports - hot) * q1 / cells) / gain

    def fails(under_the_root: int) -> float:
        return float((lost > 3 * sqrt(under_the_root * log(3 / beta) / 2) / gain).mean())

    assert fails(hot) == pytest.approx(0.38, abs=0.01)
    assert fails(reports) == 0


def hot_and_cold(n: int, hot: int, domain: int, seed: int) -> NDArray[np.int32]:
    """Half of the stream on the first few items, the rest spread over all."""
    generator = np.random.default_rng(seed)
    items = generator.integers(domain, size=n)
    return np.where(generator.random(n) < 0.5, items % hot, items).astype(np.int32)


def test_as_published_a_newcomer_at_report_t_starts_from_one_minus_t_times_the_noise() -> None:
    """Below 0 after some forty reports, so it is the weakest at once: one slot churns, and the warm-up survives."""
    channel = PaperChannel("bdr", "as-published", domain_size=500, cells=20, epsilon=1.0)
    rule, thresholds = channel.rule(Fraction(1, 2)), decay_thresholds(DECAY_BASE)
    noise = rule.noise[1]
    assert 40 < 1 / noise < 42
    cells = fill(500, 20, buckets=1, light_cells=None, seed=1)
    slot_of = np.full(500, 20, np.int16)
    slot_of[cells.item] = np.arange(20)
    cells.raw[:] = 30
    words, churned = np.array([9], np.uint64), set()
    for t, event in enumerate(hot_and_cold(3_000, hot=5, domain=500, seed=1)):
        before = cells.item.copy()
        run_paper(rule, cells, slot_of, words, channel.weights, thresholds, np.array([event], np.int32))
        for slot in np.flatnonzero(before != cells.item):
            assert cells.raw[slot] - cells.lost[0] == pytest.approx(1 - (t + 1) * noise)
            assert slot == np.argmin(cells.raw)
            churned.add(int(slot))
    assert len(churned) == 1


def test_as_published_bdr_always_names_an_item_and_the_paper_sends_bottom() -> None:
    """Two bytes a report instead of one; the channel is CNR's."""
    stream = hot_and_cold(5_000, hot=5, domain=500, seed=2)
    sent = {}
    for variant in ("paper", "as-published"):
        outcome = simulate_paper(
            "bdr", variant, stream, domain_size=500, epsilon=2.0, k=5, cells=10, warmup=1000, seed=1
        )
        sent[variant] = outcome.upload_bytes / outcome.reports
    assert sent["as-published"] == 2
    assert sent["paper"] < 2
    assert PaperChannel("bdr", "as-published", 500, 10, 2.0).mode == ALWAYS_NAMING
    assert PaperChannel("bdr", "paper", 500, 10, 2.0).mode == SPLIT


def test_only_as_published_charges_the_light_part_to_the_heavy_one_and_reads_the_weakest_late() -> None:
    for name in ("bgr", "dsr", "bdr", "cnr"):
        share = Fraction(1, 2)
        printed, published = (
            PaperChannel(name, variant, 500, 10, 1.0).rule(share) for variant in ("paper", "as-published")
        )
        assert (printed.light_noise, printed.light_start, printed.noise) == (0, 0, (0, 0))
        assert (published.light_noise > 0) == (published.light_start > 0) == (name == "cnr")
        assert published.noise[1] > 0
        assert (printed.reads_late, published.reads_late) == (False, name == "dsr")
        assert (printed.inverted, published.inverted) == (False, True)


def test_several_buckets_exist_only_where_clients_randomise_over_all_of_them() -> None:
    """In the variant `paper` the bucket is the server's affair: the channel does not know how many there are."""
    assert "buckets" not in {field.name for field in fields(PaperChannel)}
    stream = hot_and_cold(3_000, hot=5, domain=500, seed=4)
    assert run(Plan("dsr", 2.0, k=4, cells=8, variant="paper", buckets=4), stream, 500, 300, 1).reports == 2_700
    for variant in ("default", "as-published"):
        with pytest.raises(InvalidField, match="buckets must be 1"):
            Plan("dsr", 2.0, k=4, cells=8, variant=variant, buckets=4)


@pytest.mark.parametrize("scheme", ["bgr", "dsr", "bdr", "cnr"])
def test_a_bulletin_is_renewed_by_the_number_of_reports_alone(scheme: str) -> None:
    """Whatever the reports say, the hundredth ends the epoch and no other does."""
    task = Task(scheme, Budget(2.0), RangeDomain(50), 2, cells=4, light_cells=4, epoch=100, growth=0.0)
    for seed in range(5):
        tracker, words = Tracker(task, seed=1), SeededWords(seed)
        for number in range(1, 301):
            before, limit = tracker.bulletin.version, tracker.family.scheme.symbol_limit(tracker.bulletin)
            tracker.insert(Report(before, words.below(limit if seed else 1)))
            assert (tracker.bulletin.version != before) == (number % 100 == 0)


def test_counts_start_at_admission() -> None:
    """A newcomer has no hits and no reports to answer for; from then on each report counts for it."""
    scheme, rule = BDR(50, 4, 2.0), make_rule(2, 200, 0.0, 1.08, always_nominating=False)
    store = HotList.start(domain_size=50, cells=4, light_cells=4, rule=rule, seed=1)
    bulletin = Bulletin(bytes(32), 0, 50, store.items, nominating=True)
    reading = scheme.reading(bulletin).coefficients
    newcomer = next(item for item in range(50) if item not in store.items)
    store.insert([0] * 120 + [1] * 70 + [scheme.named(newcomer)] * 10)
    store.seal(reading)
    slot = store.items.index(newcomer)
    assert (store.cells.score[slot], store.cells.noise[slot], store.cells.seen[slot]) == (0, 0, 0)
    store.insert([slot] * 5 + [scheme.cold] * 15)
    asked = store.absorbed(reading)
    (line,) = (line for line in asked.estimates(4) if line.item == newcomer)
    per_hot, per_report, gain = reading[:3]
    assert line.since == 20
    assert asked.cells.score[slot] == pytest.approx((5 - per_hot * 5 - per_report * 20) / gain)
    assert 0 < line.tracked_count < asked.cells.score[slot], "corrected for luck"


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {part.module for part in ast.walk(tree) if isinstance(part, ast.ImportFrom) and part.module}


def test_the_reproduction_lives_in_the_simulation_alone() -> None:
    """Nothing that a deployment runs can reach `paper` and `as-published`, and no task can ask for them."""
    outside = [path for path in SOURCE.rglob("*.py") if not {"simulation", "kernels"} & set(path.parts)]
    assert len(outside) > 40
    for path in outside:
        assert not any(".paper" in name for name in imported(path)), path
    assert "variant" not in {field.name for field in fields(Task)}


def test_with_as_many_cells_as_answers_nobody_is_ever_replaced() -> None:
    """The bar is the k-th best: with cells = k it is the weakest cell, and no cell is below itself."""
    stream = hot_and_cold(30_000, hot=4, domain=60, seed=6)
    starts, ends = [], []
    for cells in (4, 8):
        task = Task("dsr", Budget(3.0), RangeDomain(60), 4, cells=cells, light_cells=8, epoch=100)
        tracker = Tracker(task, seed=5)
        starts.append(set(tracker.bulletin.hot))
        client = Randomizer(task, max_epsilon=3.0, words=SeededWords(5))
        for event in stream[:5_000].tolist():
            tracker.insert(client.report(event, tracker.bulletin))
        ends.append(set(tracker.bulletin.hot))
    assert starts[0] == ends[0]
    assert len(set(range(4)) & ends[1]) > len(set(range(4)) & starts[1])
