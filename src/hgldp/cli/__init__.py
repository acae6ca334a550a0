"""The command `hgldp`: the edge of the package, where it meets the terminal, files and the network."""

from hgldp.cli.command import main

__all__ = ["main"]
