"""What the claims need beyond the figures: the light part, sources of γ_h, the printed algorithms, a domain, time."""

from hgldp.experiments.measure_client import ONE_BY_ONE
from hgldp.experiments.measurement import Measurement, Setting
from hgldp.experiments.sweeps.allocation import PRINTED_SPLIT, SPLIT_SCHEMES
from hgldp.experiments.sweeps.hot_share import AS_PRINTED
from hgldp.experiments.sweeps.hot_share import EPSILON as HOT_SHARE_EPSILON
from hgldp.experiments.sweeps.lineup import COLD, FRONTIER, HOT_LISTS, ORACLES, PUBLISHED
from hgldp.experiments.sweeps.scale import Scale
from hgldp.experiments.sweeps.sweep import Sweep

LIGHT_CELLS = (1, 5, 20, 80)
LIGHT_EPSILON = 2.0
QUOTED_DOMAIN = "uniform:n=20000,d=41270"
WEBDOCS_DOMAIN = "zipf:n=1000000,d=5260000,s=1.1"
MOST_TO_JUDGE, LEAST_TO_JUDGE = "2/3", "1/10"
WRONG_START = "uniform 50"
TIMED = 5
Settings = tuple[tuple[str, Setting], ...]


def measurements(scale: Scale) -> list[Measurement]:
    """All of them, on the normal stream unless they speak of a domain or of time."""
    normal = scale.synthetic("normal", 1000)
    found = []
    for seed in scale.seeds:
        found += _light_parts(normal, seed)
        for scheme in SPLIT_SCHEMES:
            settings: Settings = (*PRINTED_SPLIT, ("hot_share", "warm-up"))
            found.append(Measurement(normal, scheme, HOT_SHARE_EPSILON, seed, settings=settings))
        for epsilon in scale.few_epsilons:
            found += [Measurement(normal, scheme, epsilon, seed, settings=AS_PRINTED) for scheme in HOT_LISTS]
            found += _splits(normal, epsilon, seed, WRONG_START)
            found += _splits(normal.replace("normal", "fading"), epsilon, seed)
    return found + _quoted_domain() + _times((normal, *scale.data, WEBDOCS_DOMAIN), min(TIMED, scale.repeats))


def _light_parts(stream: str, seed: int) -> list[Measurement]:
    """CNR with a short and a long light part, without a warm-up, where nominees matter most."""
    variants: tuple[Settings, ...] = ((), (*PUBLISHED, ("hot_share", "true")))
    return [
        Measurement(stream, "cnr", LIGHT_EPSILON, seed, warmup=COLD, settings=(*variant, ("light_cells", cells)))
        for variant in variants
        for cells in LIGHT_CELLS
    ]


def _splits(stream: str, epsilon: float, seed: int, warmup: str = Measurement.warmup) -> list[Measurement]:
    """Little retained or much, where the start is wrong, and where the top is gone half-way."""
    return [
        Measurement(stream, scheme, epsilon, seed, warmup=warmup, settings=(*variant, ("judge_share", share)))
        for scheme in SPLIT_SCHEMES
        for variant in (PRINTED_SPLIT, PUBLISHED)
        for share in (MOST_TO_JUDGE, LEAST_TO_JUDGE)
    ]


def _quoted_domain() -> list[Measurement]:
    """The domain for which the abstract gives a factor of memory, which depends neither on the items nor on ε."""
    schemes: tuple[tuple[str, Settings], ...] = tuple((scheme, ()) for scheme in (*HOT_LISTS, *ORACLES, FRONTIER))
    theirs: tuple[tuple[str, Settings], ...] = tuple((scheme, PUBLISHED) for scheme in HOT_LISTS)
    return [Measurement(QUOTED_DOMAIN, scheme, 1.0, 1, settings=settings) for scheme, settings in (*schemes, *theirs)]


def _times(streams: tuple[str, ...], repeats: int) -> list[Measurement]:
    return [
        Measurement(stream, scheme, 1.0, seed, settings=(ONE_BY_ONE,))
        for stream in streams
        for seed in range(1, repeats + 1)
        for scheme in (*HOT_LISTS, FRONTIER, *ORACLES)
    ]


CLAIMS = Sweep("claims", "What the claims need beyond the figures", measurements)
