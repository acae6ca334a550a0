"""What can be typed after `hgldp doctor`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import add_store

SUMMARY = "check a collector's folder or store, limits, clock and proxy"
DESCRIPTION = """\
Look at everything that a collector needs, and say what to do where something is missing: its
folder and database, limits of the system, the clock, the proxy, tokens, compiled code. Run it as
the user of the collector, whether the collector runs or not: it changes nothing in the folder. Exit
code 1 if there is a problem; a warning is none.

With --store, look at the database that collectors share instead of a folder: its settings, its
format, the rights of the role, who seals, and what waits.

After damage that took acknowledged reports away, a collector does not start. With --accept-loss it
will, without them. Copies of the damaged files are kept in the folder."""

EXAMPLES = """\
examples:
  hgldp doctor --data hgldp-data
  HGLDP_STORE_FILE=store hgldp doctor --config hgldp.toml
  hgldp doctor --config /etc/hgldp/hgldp.toml --online"""


def add_arguments(parser: ArgumentParser) -> None:
    """The same settings that the collector gets."""
    parser.add_argument("--data", metavar="DIR", help="data folder of the collector (hgldp-data)")
    add_store(parser)
    parser.add_argument("--config", metavar="FILE", help="TOML file of the collector")
    parser.add_argument("--host", metavar="H", help="what hgldp serve gets as --host, if it gets one")
    parser.add_argument("--online", action="store_true", help="also ask whether public_url answers")
    parser.add_argument(
        "--accept-loss", action="store_true", help="let the collector start again although reports are missing"
    )
    parser.add_argument("--json", action="store_true", help="a list of objects")
