"""Hypothesis tries the same examples in every run, and each may take as long as a busy machine needs."""

import signal

from hypothesis import settings

settings.load_profile("ci")

pytest_plugins = ("tests.no_skips", "tests.postgres")

# A shell that starts the tests in the background makes them, and each program that they start, ignore Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
