"""The budget of BDR and CNR split between "hot or cold" (ε1) and "which item" (ε2), from 2/1 to 1/19."""

from hgldp.experiments.measurement import Measurement, Setting
from hgldp.experiments.sweeps.lineup import PUBLISHED
from hgldp.experiments.sweeps.scale import Scale
from hgldp.experiments.sweeps.sweep import Sweep

SPLIT_SCHEMES = ("bdr", "cnr")
JUDGE_SHARES = {"2/3": "2/1", "1/2": "1/1", "1/3": "1/2", "1/5": "1/4", "1/10": "1/9", "1/20": "1/19"}
PRINTED_SPLIT: tuple[tuple[str, Setting], ...] = (("tight", False),)


def measurements(scale: Scale) -> list[Measurement]:
    """The printed split in our schemes and in the authors' code, and the tight judge, which splits nothing."""
    found = []
    for stream in scale.synthetics:
        for seed in scale.seeds:
            for epsilon in scale.few_epsilons:
                for scheme in SPLIT_SCHEMES:
                    found.append(Measurement(stream, scheme, epsilon, seed))
                    for share in JUDGE_SHARES:
                        for variant in (PRINTED_SPLIT, PUBLISHED):
                            settings = (*variant, ("judge_share", share))
                            found.append(Measurement(stream, scheme, epsilon, seed, settings=settings))
    return found


ALLOCATION = Sweep("allocation", "How BDR and CNR split their budget", measurements)
