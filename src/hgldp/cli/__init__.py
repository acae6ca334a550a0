"""The command `hgldp`: an edge of the package, where files, the terminal and the clock are."""

from hgldp.cli.command import main

__all__ = ["main"]
