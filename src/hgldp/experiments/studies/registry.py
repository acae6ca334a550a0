"""All studies of this package and what they show, in the order of the report."""

from importlib import import_module
from pkgutil import walk_packages

from hgldp.experiments import studies
from hgldp.experiments.judging.claim import Claim, Finding, Section
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.study import Picture, Study, Sweep, Table, Topic

ORDER = (
    "accuracy",
    "order",
    "real-streams",
    "baselines",
    "allocation",
    "allocation-discussed",
    "hot-share",
    "warm-up",
    "mechanisms",
    "epochs",
    "bounds",
    "schemes",
    "memory",
    "traffic",
    "times",
    "tradeoff",
    "defaults",
    "frontier-memory",
    "frontier-length",
    "frontier-drift",
)


def find_studies() -> tuple[Study, ...]:
    """The `STUDY` of every module that has one, in the order of the report; what `ORDER` does not name comes last."""
    modules = (import_module(found.name) for found in walk_packages(studies.__path__, f"{studies.__name__}."))
    found = [module.STUDY for module in modules if hasattr(module, "STUDY")]
    return tuple(sorted(found, key=lambda study: ORDER.index(study.name) if study.name in ORDER else len(ORDER)))


def _for_claims(scale: Scale) -> list[Measurement]:
    return [one for study in STUDIES for one in study.for_claims(scale)]


STUDIES: tuple[Study, ...] = find_studies()
SWEEPS: dict[str, Sweep] = {sweep.name: sweep for study in STUDIES for sweep in study.sweeps}
SWEEPS["claims"] = Sweep("claims", "What the claims need beyond the figures", _for_claims)
PICTURES: dict[str, Picture] = {picture.name: picture for study in STUDIES for picture in study.pictures}
TABLES: tuple[Table, ...] = tuple(table for study in STUDIES for table in study.tables)
CLAIMS: tuple[Claim, ...] = tuple(
    sorted((claim for study in STUDIES for claim in study.claims), key=lambda claim: list(Section).index(claim.section))
)
FINDINGS: tuple[Finding, ...] = tuple(finding for study in STUDIES for finding in study.findings)
TOPICS: dict[str, Topic] = {claim.id: study.topic for study in STUDIES for claim in study.claims}
