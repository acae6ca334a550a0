"""A worker of a web server: it reports events of twenty people as fast as it can, until it is told to stop or killed.

Every draw is written down first, in a file of its own. `old page` plants a bug: the ledger is read before the
transaction that changes it.
"""

import os
import sys
import time
from collections import Counter
from itertools import count
from pathlib import Path

from hgldp.client import Pace, People
from hgldp.client.people.accounts import ROW
from hgldp.client.people.booking import Booking, Plan
from hgldp.client.randomizer import Randomizer
from hgldp.client.spending.choice import chosen, reserve
from hgldp.client.status import Outcome

PEOPLE = [f"person-{number}@example.org" for number in range(20)]
PACE = Pace(
    gather=0.01, first_retry=0.02, longest_retry=0.05, timeout=2.0, deadline=5.0, most_waiting=200, most_listed=100_000
)
ITEMS = 1 << 40


def main() -> None:
    url, task, folder, logs, number, cap, mode = sys.argv[1:]
    spy(Path(logs) / f"drawn-{os.getpid()}")
    if mode == "old page":
        Booking.reserve = reserve_from_an_old_page
    people = People(
        url, task, "k" * 43, folder=folder, max_epsilon=1.0, reports_per_day=int(cap), most_batch=8, pace=PACE
    )
    print("ready", flush=True)
    sys.stdin.readline()
    stop = Path(logs) / "stop"
    for item in count(int(number) * 1_000_000):
        outcome = people.report(PEOPLE[item % len(PEOPLE)], item)
        if outcome is Outcome.FULL:
            time.sleep(0.005)
        elif stop.exists():
            break
    people.flush(20)
    print(people.sends, flush=True)
    people.close()


def spy(path: Path) -> None:
    log, draw = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), Randomizer._draw

    def noted(self: Randomizer, code: object, bulletin: object) -> object:
        os.write(log, f"{code}\n".encode())
        return draw(self, code, bulletin)

    Randomizer._draw = noted


def reserve_from_an_old_page(self: Booking, some, agreed, bulletin) -> list[Plan]:
    known = {key: (self._database.read(ROW, (key,)) or [None])[0] for key in some}
    time.sleep(0.1)
    plans, refused = list[Plan](), Counter[Outcome]()
    with self._database.write() as rows:
        for key, events in some.items():
            person, usable = self._usable(known[key], key, events, refused)
            codes = [each.item for each in usable]
            wanted, before = chosen(person, codes, agreed.task, self._words), person.page.reports
            granted, lost = reserve(person, codes, wanted, agreed.task, agreed.caps, bulletin, self._words)
            person.save(rows)
            plans.append(Plan(key, granted, before, lost))
    return plans


main()
