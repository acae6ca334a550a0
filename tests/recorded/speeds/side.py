"""One checkout under measurement: a folder of source code, and caches of its own."""

import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ADMIN = "the admin token of the speeds"


@dataclass(frozen=True)
class Spent:
    """Seconds on the clock, and of all processors."""

    wall: float
    processor: float


class Side:
    """`name` is what the table calls it; machine code is kept in a folder of this run alone."""

    def __init__(self, name: str, source: Path, folder: Path) -> None:
        if not (source / "hgldp" / "__init__.py").is_file():
            raise SystemExit(f"{source} must be a folder that holds the package hgldp, such as CHECKOUT/src")
        self.name, self.source, self.folder = name, source.resolve(), folder
        folder.mkdir(parents=True)
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(self.source)], check=False)

    def environment(self, cache: str = "warm") -> dict[str, str]:
        """Everything that a measured process is told."""
        kept = self.folder / "machine-code" / cache
        kept.mkdir(parents=True, exist_ok=True)
        told = {"PYTHONPATH": str(self.source), "HGLDP_CACHE_DIR": str(kept), "HGLDP_ADMIN_TOKEN": ADMIN}
        return {name: value for name, value in os.environ.items() if not name.startswith("HGLDP_")} | told

    def timed(self, *words: str, cache: str = "warm") -> Spent:
        """A command of `hgldp`, up to its end."""
        began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "hgldp.cli", *words]
        subprocess.run(command, env=self.environment(cache), stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Spent(time.perf_counter() - began, spent)

    def script(self, name: str, *words: object) -> str:
        """What a script beside this file prints, run with this side's code."""
        command = [sys.executable, str(Path(__file__).parent / f"{name}.py"), *map(str, words)]
        done = subprocess.run(command, env=self.environment(), capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{self.name}: {name}.py ended with {done.returncode}\n{done.stderr}")
        return done.stdout
