"""`hgldp simulate --open`: the most frequent strings of a stream, without a list of possible ones."""

from argparse import Namespace

from hgldp.cli.commands.simulate.stream import find_open_stream
from hgldp.cli.events import read_lines
from hgldp.cli.terminal import progress_bar
from hgldp.cli.values import ALL, check_seeds, parse_epsilons, parse_names, parse_warmup
from hgldp.errors import InvalidField
from hgldp.experiments.experiment import OpenExperiment, conduct_open
from hgldp.model.domain import StringDomain
from hgldp.model.frontier_size import cells_per_k, usual_cells
from hgldp.model.hints import Hints
from hgldp.schemes.pfr import PFR
from hgldp.simulation.run import Plan

FOR_LISTED_ITEMS = {
    "light_cells": None,
    "variant": "default",
    "tight": None,
    "hot_share": None,
    "buckets": 1,
    "memory": None,
    "data": None,
    "structure": None,
}


def run_open(chosen: Namespace) -> OpenExperiment:
    """Validate everything, read the strings, and run."""
    hints = None if chosen.hints is None else Hints.of(read_lines(chosen.hints, "--hints", "string"))
    domain = StringDomain(hints=hints) if chosen.most_bytes is None else StringDomain(chosen.most_bytes, hints)
    plans, seeds = make_open_plans(chosen, domain), check_seeds(chosen.seed, chosen.repeats)
    stream = find_open_stream(chosen).stream(0)
    with progress_bar("spelling", wanted=not chosen.no_progress) as advance:
        return conduct_open(stream, plans, domain, seeds, advance)


def make_open_plans(chosen: Namespace, domain: StringDomain) -> list[Plan]:
    """One plan for each budget; an option that would do nothing is refused."""
    if chosen.scheme != ALL and parse_names(chosen.scheme, [PFR.name]) != [PFR.name]:
        raise InvalidField("scheme", f"must be {PFR.name} with --open", chosen.scheme)
    for option, unset in FOR_LISTED_ITEMS.items():
        if getattr(chosen, option) != unset:
            raise InvalidField(option, "must be left out with --open", getattr(chosen, option))
    if parse_warmup(chosen.warmup) > 0:
        raise InvalidField("warmup", "must be left out with --open, which always starts cold", chosen.warmup)
    if chosen.level != "event" and chosen.events is None:
        raise InvalidField("--events", f"must be given with --level {chosen.level}", "none")
    least = cells_per_k(domain)
    if chosen.cells is not None and chosen.cells < least * chosen.k:
        with_list = " and --hints" if domain.hints else ""
        raise InvalidField("cells", f"must be at least {least} times k with --open{with_list}", chosen.cells)
    return [
        Plan(
            scheme=PFR.name,
            epsilon=epsilon,
            k=chosen.k,
            cells=usual_cells(domain) if chosen.cells is None else chosen.cells,
            level=chosen.level,
            events=chosen.events,
            epoch=chosen.epoch,
            half_life=chosen.half_life,
            spelling=chosen.spelling or "text",
        )
        for epsilon in parse_epsilons(chosen.epsilon)
    ]
