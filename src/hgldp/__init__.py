"""Private top-k in data streams with bounded memory, under local differential privacy.

Every client randomises its events before they leave the device, so each report may be false, and only the sum of many
tells something. The server keeps about 16 kB, and publishes the most frequent items with error bars.

    from hgldp import Randomizer, Task, Tracker

    task = Task("pfr", epsilon=2.0, domain=["tea", "coffee", "mate", "milk"], k=2)   # what both sides agree on
    tracker = Tracker(task, seed=1)                                                    # the server
    client = Randomizer(task, max_epsilon=2.0)                                         # one client

    for event in ["tea", "coffee", "tea"]:
        tracker.insert(client.report(event, tracker.bulletin))                         # all that leaves the client

    tracker.top()                                                                      # items with their estimates

What there is:

    Task           what clients and server agree on: scheme, epsilon, domain, k, rules
    Budget         epsilon for each event, for a window of events, or for a person
    RangeDomain, Vocabulary, StringDomain   the possible items; plain ranges and lists work too
    Randomizer     the client's half: one event in, one randomised report out
    Reporter       a whole client: ledger, queue, delivery to a collector
    Tracker        the server's half: reports in, bulletins and estimates out
    simulate       run a scheme over a stream that you have, and compare its answer with the truth
    HeavyGuardian  a fast top-k sketch with no privacy
    HotListScheme, register   to add your own scheme
    Estimate, Answer, Report   what goes in and comes out
    SeededWords    reproducible randomness, for experiments only
    HgldpError, InvalidField   what can go wrong

Names are loaded when they are first used: `Task`, `Randomizer` and `Reporter` need only the standard library;
`Tracker`, `simulate` and `HeavyGuardian` need NumPy and Numba (the extra `track`). The command is `hgldp --help`.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hgldp.client.randomizer import Randomizer
    from hgldp.client.reporter import Reporter
    from hgldp.errors import HgldpError, InvalidField
    from hgldp.model.budget import Budget
    from hgldp.model.domain import RangeDomain, StringDomain, Vocabulary
    from hgldp.model.estimate import Answer, Estimate
    from hgldp.model.randomness import OSWords, SeededWords
    from hgldp.model.reports import Report
    from hgldp.model.rules import FrontierRules, HotListRules
    from hgldp.model.task import Task
    from hgldp.schemes.base import Scheme
    from hgldp.schemes.hot_list import HotListScheme
    from hgldp.schemes.reading import Reading
    from hgldp.schemes.registry import register, scheme_of
    from hgldp.simulation.simulate import Simulation, simulate
    from hgldp.stores.heavy_guardian import HeavyGuardian
    from hgldp.tracker.tracker import Tracker

__version__ = "0.2.0.dev0"

_HOMES = {
    "Answer": "model.estimate",
    "Budget": "model.budget",
    "Estimate": "model.estimate",
    "FrontierRules": "model.rules",
    "HeavyGuardian": "stores.heavy_guardian",
    "HgldpError": "errors",
    "HotListRules": "model.rules",
    "HotListScheme": "schemes.hot_list",
    "InvalidField": "errors",
    "OSWords": "model.randomness",
    "Randomizer": "client.randomizer",
    "RangeDomain": "model.domain",
    "Reading": "schemes.reading",
    "Report": "model.reports",
    "Reporter": "client.reporter",
    "Scheme": "schemes.base",
    "SeededWords": "model.randomness",
    "Simulation": "simulation.simulate",
    "StringDomain": "model.domain",
    "Task": "model.task",
    "Tracker": "tracker.tracker",
    "Vocabulary": "model.domain",
    "register": "schemes.registry",
    "scheme_of": "schemes.registry",
    "simulate": "simulation.simulate",
}

__all__ = [
    "Answer",
    "Budget",
    "Estimate",
    "FrontierRules",
    "HeavyGuardian",
    "HgldpError",
    "HotListRules",
    "HotListScheme",
    "InvalidField",
    "OSWords",
    "Randomizer",
    "RangeDomain",
    "Reading",
    "Report",
    "Reporter",
    "Scheme",
    "SeededWords",
    "Simulation",
    "StringDomain",
    "Task",
    "Tracker",
    "Vocabulary",
    "__version__",
    "register",
    "scheme_of",
    "simulate",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'hgldp' has no attribute '{name}'")
    found = getattr(import_module(f"hgldp.{home}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """What can be used here: without the extra `track`, what needs NumPy and Numba is left out."""
    counting = {"HeavyGuardian", "Simulation", "Tracker", "simulate"} if find_spec("numba") is None else set()
    return [name for name in __all__ if name not in counting]
