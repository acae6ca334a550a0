"""What a service manager is told: ready, alive, about to stop. Without systemd nobody listens, and nothing is sent."""

import asyncio
import os
import socket
from contextlib import suppress

SOCKET, INTERVAL = "NOTIFY_SOCKET", "WATCHDOG_USEC"
READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"


def tell(state: str) -> None:
    """One datagram to the manager that started this process. It never waits and never fails."""
    address = os.environ.get(SOCKET, "")
    if not address.startswith(("/", "@")):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        out.settimeout(0)
        out.sendto(state.encode(), address.replace("@", "\0", 1) if address[0] == "@" else address)


async def stay_alive() -> None:
    """Tell it twice in each interval that the manager asked for. A loop that is stuck goes silent, and is restarted."""
    asked = os.environ.get(INTERVAL, "")
    if not asked.isascii() or not asked.isdigit() or int(asked) == 0:
        return
    while True:
        tell(ALIVE)
        await asyncio.sleep(int(asked) / 2_000_000)
