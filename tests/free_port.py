"""A port for a server of a test."""

import random
import socket

BELOW_THOSE_OF_THE_SYSTEM = range(12_000, 32_000)
_draw = random.SystemRandom()


def free_port() -> int:
    """One that the system hands to nobody else: what a client of another test may get could be taken by then."""
    while True:
        port = _draw.choice(BELOW_THOSE_OF_THE_SYSTEM)
        with socket.socket() as probe:
            try:
                probe.bind(("0.0.0.0", port))  # noqa: S104 - only to see whether it is free; nobody listens
            except OSError:
                continue
            return port
