"""The settings of the hot lists that have a default, one moved at a time while the others stay where they are."""

from dataclasses import dataclass
from typing import Any

from hgldp.experiments.measurement import Measurement, Setting
from hgldp.experiments.results import Results
from hgldp.experiments.sweeps.lineup import COLD
from hgldp.experiments.sweeps.scale import Scale
from hgldp.experiments.sweeps.sweep import Sweep
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task

K, DOMAIN = 20, 1000
WARM = "1%"
STARTS = (WARM, COLD)
BUDGETS = (1.0, 2.0, 4.0)
MOST_REPEATS = 5
PRINTED = "1:2"
SET = ("cells", "decay_base", "light_cells", "tight")


@dataclass(frozen=True)
class Knob:
    """A field of the task, the values it is moved to, and who is asked.

    >>> CELLS.default, dict(CELLS.settings(80))
    (40, {'cells': 80, 'decay_base': 1.08, 'light_cells': 60, 'tight': True})
    >>> CELLS.label(30), DECAY.label(1.08), JUDGE.label(False)
    ('1.5', '1.08', '1:2')
    """

    field: str
    title: str
    schemes: tuple[str, ...]
    values: tuple[Setting, ...]

    @property
    def default(self) -> Setting:
        """What the task takes by itself."""
        return dict(_settings())[self.field]

    def label(self, value: Setting) -> str:
        """A value as an axis or a table says it."""
        if self.field == "tight":
            return "tight" if value else PRINTED
        return f"{float(value) / (K if self.field == 'cells' else 1):g}"

    def settings(self, value: Setting) -> tuple[tuple[str, Setting], ...]:
        """Every knob said aloud: this one moved, the others as the task then chooses them."""
        return _settings(**{self.field: value})

    def rows(self, results: Results, value: Setting) -> Results:
        """What was measured with the knob at a value."""
        return results.where(scheme=self.schemes, k=K, **dict(self.settings(value)))


def _settings(**moved: Any) -> tuple[tuple[str, Setting], ...]:
    """Tight is a matter of BDR and CNR alone; the other schemes have no use for it."""
    task = Task("cnr", Budget(1.0), RangeDomain(DOMAIN), K, **moved)
    return tuple((name, getattr(task, name)) for name in SET)


DECAY = Knob("decay_base", "decay base", ("dsr", "cnr"), (1.02, 1.08, 1.2, 1.5))
LIGHT = Knob("light_cells", "light cells", ("dsr", "cnr"), (0, 8, 20, 60))
CELLS = Knob("cells", "cells per k", ("dsr", "cnr"), (20, 30, 40, 60, 80))
JUDGE = Knob("tight", "split", ("bdr", "cnr"), (False, True))
KNOBS = (DECAY, LIGHT, CELLS, JUDGE)


def measurements(scale: Scale) -> list[Measurement]:
    """On two synthetic streams and the real ones, with the usual warm-up and without."""
    streams = (scale.synthetic("normal", DOMAIN), scale.synthetic("exponential", DOMAIN), *scale.data)
    asked = dict.fromkeys(
        (scheme, knob.settings(value)) for knob in KNOBS for scheme in knob.schemes for value in knob.values
    )
    return [
        Measurement(stream, scheme, epsilon, seed, k=K, warmup=warmup, settings=settings)
        for stream in streams
        for seed in scale.seeds[:MOST_REPEATS]
        for epsilon in scale.few_epsilons
        if epsilon in BUDGETS
        for warmup in STARTS
        for scheme, settings in asked
    ]


DEFAULTS = Sweep("defaults", "The defaults of the hot lists, one moved at a time", measurements)
