"""The process that simulates one plan. It steps back behind everything else, and the system ends it if it goes on.

python -m hgldp.collector.dashboard.plan.child < form.json
"""

import json
import os
import resource
import sys
from dataclasses import asdict, replace
from math import ceil
from time import process_time
from typing import Any

from hgldp.collector.dashboard.plan.asked import PlanForm
from hgldp.planning.forecast import Forecast, forecast_within

RUNS, SEED, NICE = 8, 1, 5
SECONDS, CPU_SECONDS, COMPILE_SECONDS = 8.0, 60, 180
TINY = {"count": "500", "size": "200", "k": "2"}


def plan(asked: PlanForm, seconds: float = SECONDS) -> dict[str, Any]:
    """As many launches as there is time of a processor for, at least one."""
    forecast = forecast_within(asked.question(), RUNS, SEED, seconds, process_time, lambda _: None)
    return as_document(forecast)


def as_document(forecast: Forecast) -> dict[str, Any]:
    """Every row, and the shapes that there was no time for."""
    return {"rows": [asdict(row) for row in forecast.rows], "missing": forecast.missing}


def main() -> None:
    """Read the form, limit ourselves, simulate, write the rows. To compile takes part of a minute and counts apart."""
    os.nice(NICE)
    asked = PlanForm.of(json.load(sys.stdin))
    limit_ourselves(COMPILE_SECONDS)
    plan(replace(asked, **TINY), seconds=0.0)
    limit_ourselves(CPU_SECONDS)
    json.dump(plan(asked), sys.stdout)


def limit_ourselves(seconds: float) -> None:
    """To so much of a processor from now on; then the system ends us."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    wanted = ceil(process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


if __name__ == "__main__":
    main()
