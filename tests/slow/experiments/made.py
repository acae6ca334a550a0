"""Small scales and made results for the tests of the experiments."""

from hgldp.experiments.measurement import WITHOUT_BUDGET, Measurement
from hgldp.experiments.measuring.over_time import at_step
from hgldp.experiments.results import Results, Row
from hgldp.experiments.scale import QUICK, Scale
from hgldp.experiments.studies.frontier.drift import ASKED
from hgldp.experiments.studies.registry import SWEEPS

TINY = Scale(
    "tiny",
    repeats=2,
    items=2000,
    epsilons=(1.0, 4.0),
    few_epsilons=(1.0, 4.0),
    webdocs="zipf:n=5000,d=500,s=1.1",
    webdocs_epsilons=(2.0, 4.0),
    webdocs_repeats=1,
)


def made_values(one: Measurement) -> dict[str, float]:
    """Numbers that depend on the seed and the budget, and on nothing else."""
    level = 0.5 if one.scheme in WITHOUT_BUDGET else min(0.95, 0.1 + 0.15 * one.epsilon)
    shares = dict.fromkeys(("precision", "ndcg", "recall", "f1"), level + 0.01 * (one.seed % 3))
    costs = dict.fromkeys(
        ("reports", "items", "state_bytes", "upload_bytes", "download_bytes", "resident_bytes"), 1000.0
    )
    return {
        **shares,
        **costs,
        "aae": 1000.0 * (1 - level) + one.seed,
        "relative_error": 1 - level,
        "domain_size": 1000.0,
        "raw": 20.0,
        "top_share": 0.95,
        "hot_share": 0.9,
        "bulletin_bytes": 100.0,
        "drawn_one_by_one": 1.0,
        "seconds": 0.01,
        "published_bytes_per_report": 5.0,
        "bulletins": 7.0,
        **{at_step(step): level for step in range(1, ASKED + 1)},
        "published_bytes": 700.0,
        **dict.fromkeys(("word_us", "client_us"), 2.0),
        **dict.fromkeys(("exact_ns", "server_ns"), 3.0),
    }


def made_results(scale: Scale = QUICK, *sweeps: str) -> Results:
    """A result for every measurement of some sweeps, or of all."""
    wanted = dict.fromkeys(one for name in sweeps or SWEEPS for one in SWEEPS[name].measurements(scale))
    return Results.of(Row(one, made_values(one)) for one in wanted)
