"""The paper's variants: equal to the step-by-step twin, honest about their errors, clear about bad input."""

from functools import partial
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.model.estimate import Estimate
from hgldp.simulation.paper import run as paper
from hgldp.simulation.paper.run import simulate_paper
from tests.naive.paper import PaperTwin, literal_bgr

NAMES = ("bgr", "dsr", "bdr", "cnr")
VARIANTS = (("paper", 1), ("paper", 2), ("as-published", 1))


def skewed(generator: np.random.Generator, domain_size: int, size: int) -> NDArray[np.int32]:
    """Few frequent items, at the low end of the domain or at the high end."""
    items = np.minimum(generator.geometric(float(generator.choice([0.3, 0.05, 0.01])), size) - 1, domain_size - 1)
    return (items if generator.random() < 0.5 else domain_size - 1 - items).astype(np.int32)


def answer(estimates: tuple[Estimate, ...]) -> list[tuple[int, float, int]]:
    return [(line.item, line.count, line.warmup) for line in estimates]


def case(seed: int) -> tuple[NDArray[np.int32], dict[str, Any], int]:
    """A stream, the terms of a run, and the size of the warm-up."""
    generator = np.random.default_rng(seed)
    domain_size, cells, light = (int(generator.integers(*span)) for span in ((20, 200), (2, 6), (1, 4)))
    epsilon, warmup = float(generator.choice([0.5, 1.0, 2.0, 4.0])), int(generator.integers(1, 60))
    terms = {"domain_size": domain_size, "cells": 2 * cells, "light_cells": 2 * light, "epsilon": epsilon}
    return skewed(generator, domain_size, int(generator.integers(200, 600))), terms, warmup


@pytest.mark.parametrize(("variant", "buckets"), VARIANTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_kernel_gives_exactly_what_clients_and_server_give_step_by_step(
    name: str, variant: Any, buckets: int
) -> None:
    for seed in range(10):
        stream, terms, warmup = case(seed)
        twin = PaperTwin(name, variant, buckets=buckets, **terms)
        twin.run(stream.tolist(), warmup, seed)
        run = partial(simulate_paper, name, variant, stream, k=terms["cells"], buckets=buckets, **terms)
        outcome = run(warmup=warmup, seed=seed)
        assert answer(outcome.estimates) == twin.answer()
        quiet, naming = (twin.quiet_reports, twin.naming_reports)
        assert outcome.upload_bytes == quiet + naming
        assert outcome.reports == quiet + naming == stream.size - warmup


@pytest.mark.parametrize("bug", ["inverted", "alive"])
def test_inverted_decay_and_newcomers_without_a_debt_would_be_noticed(bug: str) -> None:
    """`alive` is BDR as published whose newcomers start from 1, whatever the noise before them."""
    stream, terms, warmup = case(2)
    variant: Any = "as-published" if bug == "alive" else "paper"
    twin = PaperTwin("bdr", variant, bugs=frozenset([bug]), **terms)
    twin.run(stream.tolist(), warmup, 2)
    outcome = simulate_paper("bdr", variant, stream, k=terms["cells"], warmup=warmup, seed=2, **terms)
    assert answer(outcome.estimates) != twin.answer()


def test_noise_taken_from_every_cell_at_every_report_is_what_as_published_means() -> None:
    for seed in range(4):
        stream = skewed(np.random.default_rng(seed), 60, 500)
        values = literal_bgr(stream.tolist(), 60, 3.0, 6, seed)
        terms: dict[str, Any] = {"domain_size": 60, "epsilon": 3.0, "k": 6, "cells": 6, "warmup": 0, "seed": seed}
        estimates = simulate_paper("bgr", "as-published", stream, **terms).estimates
        gain = float(paper.PaperChannel("bgr", "as-published", 60, 6, 3.0).readings(None)[0].gain)
        published = {item: max(float(value), 0.0) / gain for item, value in values.items()}
        assert {line.item: line.count for line in estimates} == pytest.approx(published)


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_in_pieces_gives_the_same_and_every_piece_is_announced(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = skewed(np.random.default_rng(3), 300, 5000)
    run = partial(simulate_paper, name, domain_size=300, epsilon=2.0, k=8, cells=8, warmup=100, seed=4)
    whole, pieces = run("as-published", stream), []
    monkeypatch.setattr(paper, "CHUNK", 1000)
    assert run("as-published", stream, advance=pieces.append) == whole
    assert pieces == [1000] * 4 + [900]
    assert run("paper", stream) != whole


@pytest.mark.parametrize("name", NAMES)
def test_the_estimate_of_an_item_that_nobody_can_evict_is_unbiased_and_its_standard_error_true(name: str) -> None:
    """The largest of 60 items over 400 streams: a mean or a variance 6 deviations off is a false alarm below 1e-8."""
    runs, share = 400, np.array([0.2, *np.full(59, 0.8 / 59)])
    generator, found = np.random.default_rng(8), []
    for seed in range(runs):
        stream = generator.choice(60, 3000, p=share).astype(np.int32)
        terms: dict[str, Any] = {"domain_size": 60, "epsilon": 2.0, "cells": 10, "hot_share": "online", "k": 10}
        estimates = simulate_paper(name, "paper", stream, warmup=300, seed=seed, **terms).estimates
        line = next(line for line in estimates if line.item == 0)
        found.append((line.count - np.count_nonzero(stream == 0)) / line.standard_error)
    assert abs(np.mean(found)) * sqrt(runs) < 6
    assert abs(np.var(found) - 1) / sqrt(2 / runs) < 6


def test_the_bytes_are_those_of_each_regime_and_of_the_hot_list() -> None:
    stream = skewed(np.random.default_rng(5), 1000, 4000)
    terms: dict[str, Any] = {"domain_size": 1000, "epsilon": 1.0, "k": 5, "cells": 20, "warmup": 1000, "seed": 1}
    bgr, dsr, bdr, cnr = (simulate_paper(name, "paper", stream, **terms) for name in NAMES)
    assert (bgr.upload_bytes, cnr.upload_bytes, bgr.download_bytes, cnr.download_bytes) == (6000, 6000, 0, 40 * 3000)
    assert 3000 < dsr.upload_bytes < 6000
    assert 3000 < bdr.upload_bytes < 6000
    assert dsr.download_bytes == bdr.download_bytes == 41 * 3000
    assert bgr.state_bytes == dsr.state_bytes < cnr.state_bytes < cnr.resident_bytes < 1024


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("scheme", {"name": "oracle"}),
        ("variant", {"variant": "default"}),
        ("epsilon", {"epsilon": 0.0}),
        ("k", {"k": 0}),
        ("k", {"k": 7}),
        ("cells", {"cells": 300}),
        ("warmup", {"warmup": 200}),
        ("stream", {"stream": np.array([1, 31_415] * 20)}),
        ("stream", {"stream": np.array([], np.int64)}),
        ("buckets", {"buckets": 4}),
        ("buckets", {"buckets": 2, "variant": "as-published"}),
        ("buckets", {"buckets": 23, "cells": 299, "light_cells": 23}),
        ("light_cells", {"light_cells": 0}),
        ("light_cells", {"light_cells": 5, "buckets": 2}),
        ("judge_share", {"judge_share": 1}),
        ("hot_share", {"hot_share": 1.5}),
        ("hot_share", {"warmup": 0}),
        ("hot_share", {"hot_share": "online", "variant": "as-published"}),
    ],
    ids=str,
)
def test_what_cannot_be_run_is_refused_by_name(field: str, change: dict[str, Any]) -> None:
    terms: dict[str, Any] = {"name": "cnr", "variant": "paper", "stream": np.arange(200), "domain_size": 300}
    terms |= {"epsilon": 1.0, "k": 2, "cells": 6, "warmup": 20, "seed": 1}
    simulate_paper(**terms)
    with pytest.raises(InvalidField, match=f"^{field} ") as refused:
        simulate_paper(**terms | change)
    assert "31415" not in str(refused.value)
