"""The share of hot events γ_h that BDR and CNR are told when they debias, right or wrong."""

from hgldp.experiments.measurement import Measurement, Setting
from hgldp.experiments.sweeps.allocation import PRINTED_SPLIT, SPLIT_SCHEMES
from hgldp.experiments.sweeps.lineup import PUBLISHED
from hgldp.experiments.sweeps.scale import Scale
from hgldp.experiments.sweeps.sweep import Sweep

EPSILON = 0.6
SHARES = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.92, 0.95, 1.0)
AS_PRINTED: tuple[tuple[str, Setting], ...] = (("variant", "paper"), ("cells", 20))


def measurements(scale: Scale) -> list[Measurement]:
    """At the paper's ε = 0.6 on the normal stream; `online` estimates the share, `true` is the exact one."""
    found, stream = [], scale.synthetic("normal", 1000)
    for seed in scale.seeds:
        for scheme in SPLIT_SCHEMES:
            for variant in (PRINTED_SPLIT, AS_PRINTED, PUBLISHED):
                told: tuple[Setting, ...] = (*SHARES, "true", *(() if variant is PUBLISHED else ("online",)))
                for share in told:
                    settings = (*variant, ("hot_share", share))
                    found.append(Measurement(stream, scheme, EPSILON, seed, settings=settings))
    return found


HOT_SHARE = Sweep("hot-share", "The share of hot events that BDR and CNR are told", measurements)
