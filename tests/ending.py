"""So that tests that are killed leave nothing running."""

import shutil


def ends_with_us(how: str) -> list[str]:
    """What to put before a command to give it this signal when the thread that starts it ends: take the main one."""
    found = shutil.which("setpriv")
    return [found, "--pdeathsig", how] if found else []
