"""Compile the collector's kernels before the tests start, so that their workers do not all do it at the same time.

By `hgldp compile`, afresh and into a folder of its own, with which the test of that command goes on. The code is also
copied to where the package looks for it, so that no collector that a test starts compiles first.
"""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copy2, copytree, ignore_patterns, rmtree

from hgldp.kernels.compile import code_folder
from hgldp.system.code_folder import COMPLETE, VARIABLE


def copy_code(made: Path, folder: Path) -> None:
    """All machine code but what is there; an index that is there may know more than the new one."""

    def copy(source: str, target: str) -> None:
        if not os.path.exists(target):
            copy2(source, target)

    copytree(made, folder, ignore=ignore_patterns(COMPLETE), copy_function=copy, dirs_exist_ok=True)


def main(folder: Path) -> None:
    rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "hgldp.cli", "compile"]
    subprocess.run(command, env=os.environ | {VARIABLE: str(folder)}, stdout=subprocess.DEVNULL, check=True)
    (made,), kept = folder.iterdir(), code_folder()
    if kept is not None:
        copy_code(made, Path(kept))
        (Path(kept) / COMPLETE).touch()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
