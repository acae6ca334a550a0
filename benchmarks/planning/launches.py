"""One setting: the plan, and then launches with other seeds, on other strings, every report drawn by itself."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from benchmarks.planning.settings import Setting
from benchmarks.strings.made_up import urls, words
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain, StringDomain
from hgldp.model.task import Task
from hgldp.planning.forecast import LaunchQuestion, MeanShare, forecasts
from hgldp.planning.shapes import Shape, listed_shapes, open_shape_like, open_shapes
from hgldp.planning.traffic import Traffic
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.simulation import run as simulation
from hgldp.simulation.drift import zipf_weights
from hgldp.simulation.generators import Synthetic
from hgldp.simulation.metrics import score
from hgldp.simulation.strings import simulate_open
from hgldp.simulation.truth import whole_counts
from hgldp.stores.strings import OpenFrontier

PLANNED, MEASURED, TOLERANCE, NEEDED = 1, 1_000_001, 0.07, 27
EARLIER, FILE_EVENTS = 2, 100_000
SAID = {"text": words, "urls": urls}


@dataclass(frozen=True)
class Piece:
    """A setting, and how many launches the plan and the measurement have; `by_number` keeps files from the plan."""

    setting: Setting
    launches: int
    by_number: bool = False


@dataclass(frozen=True)
class Row:
    """A setting with what was planned and what was measured."""

    setting: Setting
    planned: MeanShare
    measured: MeanShare

    @property
    def miss(self) -> float:
        """By how much the plan was too high."""
        return self.planned.mean - self.measured.mean

    @property
    def held(self) -> bool:
        """Whether the plan was near enough."""
        return abs(self.miss) <= TOLERANCE


def run_piece(piece: Piece) -> Row:
    """First the plan, which knows no stream; then the launches."""
    setting = piece.setting
    planned = plan(setting, piece.launches, by_number=piece.by_number)
    measure = open_launch if setting.is_open else listed_launch
    found = [measure(setting, MEASURED + seed) for seed in range(piece.launches)]
    return Row(setting, planned, MeanShare.of(found, setting.k))


def plan(setting: Setting, launches: int, *, by_number: bool = False) -> MeanShare:
    """As `hgldp plan` does it for somebody who knows the skew, or of URLs has a file of earlier ones."""
    budget = Budget(setting.epsilon)
    if setting.is_open:
        shapes = open_shapes(setting.size, setting.skew, spelling=setting.look)  # type: ignore[arg-type]
        if setting.look == "urls" and not by_number:
            shapes = [_file_of(setting)]
        task = Task("pfr", budget, StringDomain(), setting.k, spelling=setting.look)
    else:
        shapes = listed_shapes(setting.size, setting.skew)
        task = Task("pfr", budget, RangeDomain(setting.size), setting.k)
    question = LaunchQuestion(task, tuple(shapes), Traffic(budget, reports=setting.reports), days=(1,))
    *_, forecast = forecasts(question, launches, PLANNED)
    return forecast.after(1)[0].at(setting.metric)


def listed_launch(setting: Setting, seed: int) -> float:
    """A drawn stream, report by report."""
    stream = Synthetic("zipf", setting.reports, setting.size, setting.skew).draw(np.random.default_rng(seed))
    task = simulation.Plan("pfr", setting.epsilon, setting.k)
    outcome = simulation.run(task, stream, setting.size, 0, seed)
    return score(outcome.estimates, whole_counts(stream, setting.size), setting.k).precision


@lru_cache(maxsize=3)
def _said(setting: Setting, seed: int) -> list[str]:
    return SAID[setting.look](setting.size, np.random.default_rng([setting.number, seed]))


def _file_of(setting: Setting) -> Shape:
    """What somebody has from last month: other events about the same strings."""
    strings, shares = _said(setting, 0), zipf_weights(setting.size, setting.skew)
    counts = np.random.default_rng([setting.number, EARLIER]).multinomial(FILE_EVENTS, shares / shares.sum())
    return open_shape_like("file", counts, strings)


def open_launch(setting: Setting, seed: int) -> float:
    """Strings of another maker than the plan's, report by report."""
    generator, domain = np.random.default_rng(seed), StringDomain()
    strings = _said(setting, 0 if setting.look == "urls" else seed % 2)
    shares = zipf_weights(setting.size, setting.skew)
    stream = generator.choice(setting.size, setting.reports, p=shares / shares.sum()).astype(np.int32)
    task = Task("pfr", epsilon=setting.epsilon, domain=domain, k=setting.k, spelling=setting.look)
    scheme = OpenPFR.of(task)
    terms = {"symbols": scheme.symbols, "k": setting.k, "domain": domain, "spelling": setting.look}
    store = OpenFrontier(scheme.mechanism, **terms)  # type: ignore[arg-type]
    outcome = simulate_open(scheme, store, [domain.code(text) for text in strings], stream, setting.k, seed)
    truth = np.concatenate([whole_counts(stream, setting.size), np.zeros(len(outcome.unsaid), np.int64)])
    return score(outcome.estimates, truth, setting.k).f1
