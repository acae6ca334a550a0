"""`hgldp compile`: what the first start of `hgldp serve` would do, ahead of time."""

from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from hgldp.cli.output import write_error, write_output
from hgldp.collector.rehearsal import fill
from hgldp.kernels.compile import code_folder
from hgldp.system.code_folder import VARIABLE

NO_FOLDER = 1


def run(_: Namespace) -> int:
    """Say where the code is now, or that no folder can keep it."""
    began, folder = perf_counter(), code_folder()
    if folder is None:
        write_error(f"No folder can keep machine code. Set {VARIABLE} to a folder that only you can write.")
        return NO_FOLDER
    with TemporaryDirectory() as data:
        fill(Path(folder), Path(data))
    write_output(f"Compiled in {perf_counter() - began:.1f} s, into {folder}\n")
    return 0
