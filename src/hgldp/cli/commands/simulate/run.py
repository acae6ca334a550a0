"""`hgldp simulate`: schemes on a stream, compared with the truth."""

from argparse import Namespace
from collections.abc import Sequence

from hgldp.cli.commands.simulate.export import as_csv, as_objects
from hgldp.cli.commands.simulate.open import run_open
from hgldp.cli.commands.simulate.stream import find_stream
from hgldp.cli.commands.simulate.tables import pages
from hgldp.cli.output import write_data, write_json
from hgldp.cli.terminal import progress_bar, show
from hgldp.cli.values import (
    ALL,
    check_seeds,
    parse_epsilons,
    parse_hot_share,
    parse_names,
    parse_warmup,
)
from hgldp.errors import InvalidField
from hgldp.experiments.experiment import Experiment, conduct
from hgldp.schemes.bdr import BDR
from hgldp.schemes.cnr import CNR
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import HOT_LISTS
from hgldp.simulation.run import HEAVY_GUARDIAN, Plan, all_schemes

WITH_VARIANTS = (*HOT_LISTS, HEAVY_GUARDIAN)
WITH_JUDGE = (BDR.name, CNR.name)


def run(chosen: Namespace) -> int:
    """Validate everything, read the stream, run, and only then print."""
    experiment = run_open(chosen) if chosen.open else _run(chosen)
    if chosen.json:
        write_json(as_objects(experiment))
    elif chosen.csv:
        write_data(as_csv(experiment))
    else:
        show(*pages(experiment))
    return 0


def _run(chosen: Namespace) -> Experiment:
    for option in ("most_bytes", "spelling", "hints"):
        if getattr(chosen, option) is not None:
            raise InvalidField(option, "works with --open only", getattr(chosen, option))
    wanted = make_plans(chosen)
    warmup = parse_warmup(chosen.warmup)
    _check_start(wanted, warmup)
    seeds = check_seeds(chosen.seed, chosen.repeats)
    source = find_stream(chosen)
    if chosen.k > source.domain_size:
        raise InvalidField("k", f"must be at most the {source.domain_size} different items of the stream", chosen.k)
    plans = [plan for plan in wanted if chosen.scheme != ALL or plan.fits(source.domain_size)]
    with progress_bar("simulating", wanted=not chosen.no_progress) as advance:
        return conduct(source, plans, warmup, seeds, advance)


def make_plans(chosen: Namespace) -> list[Plan]:
    """One plan for each scheme and budget; `all` means all that have the variant."""
    if chosen.level != "event" and chosen.events is None:
        raise InvalidField("--events", f"must be given with --level {chosen.level}", "none")
    known = all_schemes() if chosen.variant == "default" else WITH_VARIANTS
    names = parse_names(chosen.scheme, known if chosen.scheme == ALL else all_schemes())
    for option in ("tight", "hot_share"):
        if getattr(chosen, option) is not None and not set(names) & set(WITH_JUDGE):
            raise InvalidField(option, f"works with {' and '.join(WITH_JUDGE)} only", ", ".join(names))
    for option in ("memory", "half_life"):
        if getattr(chosen, option) is not None and PFR.name not in names:
            raise InvalidField(option, f"works with {PFR.name} only", ", ".join(names))
    if chosen.structure is not None and not set(names) & set(HOT_LISTS):
        raise InvalidField("structure", f"works with {', '.join(HOT_LISTS)} only", ", ".join(names))
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
            events=chosen.events,
            epoch=chosen.epoch,
            memory=chosen.memory if name == PFR.name else None,
            half_life=chosen.half_life if name == PFR.name else None,
            structure=(chosen.structure if name in HOT_LISTS else None) or "heavy-guardian",
        )
        for name in names
        for epsilon in parse_epsilons(chosen.epsilon)
    ]


def _check_start(plans: Sequence[Plan], warmup: float) -> None:
    """The paper's own bdr and cnr read off the raw items how much of the stream is hot: they have no cold start."""
    for plan in plans:
        asks = plan.scheme in WITH_JUDGE and plan.variant != "default" and plan.hot_share in (None, "warm-up")
        if asks and not warmup:
            rule = f"must be given for {plan.scheme} in the variant {plan.variant}, for example 0.01, or --hot-share"
            raise InvalidField("--warmup", rule, 0)
