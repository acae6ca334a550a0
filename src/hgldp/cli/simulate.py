"""`hgldp simulate`: schemes on a stream, compared with the truth."""

from argparse import Namespace

from hgldp.cli.export import as_csv, as_objects
from hgldp.cli.output import write_output
from hgldp.cli.settings import (
    ALL,
    HOT_LISTS,
    check_seeds,
    parse_epsilons,
    parse_hot_share,
    parse_names,
    parse_warmup,
)
from hgldp.cli.simulate_open import run_open
from hgldp.cli.simulate_tables import pages
from hgldp.cli.stream import find_stream
from hgldp.cli.strict_json import write_json
from hgldp.cli.terminal import progress_bar, show
from hgldp.errors import InvalidField
from hgldp.experiments.experiment import Experiment, conduct
from hgldp.schemes.pfr import PFR
from hgldp.simulation.run import HEAVY_GUARDIAN, SCHEMES, Plan

WITH_VARIANTS = (*HOT_LISTS, HEAVY_GUARDIAN)
WITH_JUDGE = ("bdr", "cnr")
DEFAULT_WARMUP = "0.01"


def execute(chosen: Namespace) -> int:
    """Validate everything, read the stream, run, and only then print."""
    experiment = run_open(chosen) if chosen.open else _run(chosen)
    if chosen.json:
        write_json(as_objects(experiment))
    elif chosen.csv:
        write_output(as_csv(experiment))
    else:
        show(*pages(experiment))
    return 0


def _run(chosen: Namespace) -> Experiment:
    if chosen.most_bytes is not None:
        raise InvalidField("most_bytes", "must be asked of --open", chosen.most_bytes)
    wanted = make_plans(chosen)
    warmup = parse_warmup(DEFAULT_WARMUP if chosen.warmup is None else chosen.warmup)
    seeds = check_seeds(chosen.seed, chosen.repeats)
    source = find_stream(chosen)
    plans = [plan for plan in wanted if chosen.scheme != ALL or plan.fits(source.domain_size)]
    with progress_bar("simulating", wanted=not chosen.no_progress) as advance:
        return conduct(source, plans, warmup, seeds, advance)


def make_plans(chosen: Namespace) -> list[Plan]:
    """One plan for each scheme and budget; `all` means all that have the variant and fit the domain."""
    if chosen.level != "event" and chosen.events is None:
        raise InvalidField("events", f"must be given for the level {chosen.level}", "none")
    known = SCHEMES if chosen.variant == "default" else WITH_VARIANTS
    names = parse_names(chosen.scheme, known if chosen.scheme == ALL else SCHEMES)
    for option in ("tight", "hot_share"):
        if getattr(chosen, option) is not None and not set(names) & set(WITH_JUDGE):
            raise InvalidField(option, f"must be asked of {' or '.join(WITH_JUDGE)}", ", ".join(names))
    for option in ("memory", "half_life"):
        if getattr(chosen, option) is not None and PFR.name not in names:
            raise InvalidField(option, f"must be asked of {PFR.name}", ", ".join(names))
    return [
        Plan(
            scheme=name,
            epsilon=epsilon,
            k=chosen.k,
            cells=chosen.cells,
            light_cells=chosen.light_cells,
            variant=chosen.variant,
            tight=chosen.tight,
            buckets=chosen.buckets,
            hot_share=parse_hot_share(chosen.hot_share),
            level=chosen.level,
            events=1 if chosen.events is None else chosen.events,
            epoch=chosen.epoch,
            memory=chosen.memory if name == PFR.name else None,
            half_life=chosen.half_life if name == PFR.name else None,
        )
        for name in names
        for epsilon in parse_epsilons(chosen.epsilon)
    ]
