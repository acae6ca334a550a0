"""Compile the collector's kernels before the tests start, so that their workers do not all do it at the same time.

Not by `hgldp compile`: that says that the folder is complete, and the tests try a package that brings no machine code.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from hgldp.cli.commands.compile.run import live

if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        live(Path(folder))
