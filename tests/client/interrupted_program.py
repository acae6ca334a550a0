"""A program that reports as fast as it can until Ctrl-C, closes, and prints how long that took.

With `storm` it is interrupted thousands of times, a random moment after each start, and goes on.
"""

import os
import random
import signal
import sys
import time

from hgldp.client import Pace, Reporter

STORM = 4000


def main() -> None:
    url, task, folder, step = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it otherwise
    reporter = Reporter(url, task, "k" * 43, folder=folder, max_epsilon=1.0, reports_per_day=50, pace=Pace(gather=0.01))
    if step == "storm":
        storm(reporter)
    print("started", flush=True)
    try:
        while True:
            use(reporter, step)
    except KeyboardInterrupt:
        started = time.monotonic()
    reporter.close(wait=0)
    print(time.monotonic() - started, flush=True)
    os._exit(0)


def use(reporter: Reporter, step: str) -> None:
    reporter.report("tea")
    if step == "flush":
        reporter.flush(0.001)
    if step == "status":
        reporter.status()


def storm(reporter: Reporter) -> None:
    chance = random.Random(1)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    for number in range(STORM):
        try:
            signal.setitimer(signal.ITIMER_REAL, chance.uniform(2e-5, 3e-4))
            while True:
                use(reporter, ("report", "flush", "status")[number % 3])
        except KeyboardInterrupt:
            continue


main()
