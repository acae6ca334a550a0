"""What can be typed after `hgldp compile`."""

from argparse import ArgumentParser

SUMMARY = "compile what a collector runs, before it starts"
DESCRIPTION = """\
Compile everything that a collector runs, and keep the machine code, so that later starts are quick
even where nothing can be written: run it while you build an image, as the user who owns the
package, or as root. The variable HGLDP_CACHE_DIR chooses another folder than the package's own.

Machine code is for one kind of processor. For an image that runs on several kinds, set
NUMBA_CPU_NAME=generic both here and for the collector."""

EXAMPLES = """\
examples:
  hgldp compile
  HGLDP_CACHE_DIR=/var/cache/hgldp hgldp compile"""


def add_arguments(_: ArgumentParser) -> None:
    """It takes none."""
