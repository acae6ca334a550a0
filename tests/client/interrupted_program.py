"""Programs that report as fast as they can until Ctrl-C, close, and print whether their thread has ended.

Each is a process of its own, one after the other, which is interrupted so many seconds after it started. They are
forked from one that has imported the client, since that takes longer than all the rest. With `storm` a program is
interrupted thousands of times, a random moment after each start, and goes on.
"""

import faulthandler
import os
import random
import signal
import sys
import time

from hgldp.client import Pace, Reporter

STORM = 4000


def main() -> None:
    url, task, folder, step, patience, *delays = sys.argv[1:]
    for number, delay in enumerate(delays):
        told, tells = os.pipe()
        child = os.fork()
        if not child:
            faulthandler.dump_traceback_later(float(patience), exit=True)
            try:
                live(url, task, f"{folder}/{step}-{number}", step, tells, float(patience))
            finally:
                os._exit(1)
        os.close(tells)
        with open(told) as said:
            assert said.readline() == "started\n"
            time.sleep(float(delay))
            os.kill(child, signal.SIGINT)
            print(said.readline(), end="", flush=True)
        assert os.waitpid(child, 0)[1] == 0


def live(url: str, task: str, folder: str, step: str, tells: int, patience: float) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it otherwise
    pace = Pace(gather=0.01, deadline=patience / 2)  # for so long `close` waits for the thread
    reporter = Reporter(url, task, "k" * 43, folder=folder, max_epsilon=1.0, reports_per_day=50, pace=pace)
    if step == "storm":
        storm(reporter)
    os.write(tells, b"started\n")
    try:
        while True:
            use(reporter, step)
    except KeyboardInterrupt:
        pass
    reporter.close(wait=0)
    os.write(tells, b"stuck\n" if reporter._background._thread.is_alive() else b"ended\n")
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
