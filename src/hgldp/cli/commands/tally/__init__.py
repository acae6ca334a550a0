"""What can be typed after `hgldp tally`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import TASK, add_store

SUMMARY = "count reports that lie in files or in a collector's log"
DESCRIPTION = """\
Count how often each symbol answered each bulletin, in Parquet or CSV files. Each row is a report,
with the columns bulletin and symbol, or an upload, with the columns upload, bulletin and symbols
(Parquet only). An upload that is there twice counts once. The tally is a small file that any SQL
engine could have written too; tallies of parts add up, and hgldp seal ends an epoch with them.
Memory is bounded.

With --data, count the log of a collector, which may keep running: all reports that it still holds,
or those that it counted in one epoch, or since the last epoch ended (--epoch open). With --store,
read the database that several collectors share."""

EXAMPLES = """\
examples:
  hgldp tally reports/ --output tally.csv
  hgldp tally monday.parquet tuesday.parquet --state state.json --output tally.parquet
  hgldp tally --data hgldp-data --task Searches --epoch open --output tally.csv
  hgldp tally --data hgldp-data --task Searches --reports reports.parquet"""


def add_arguments(parser: ArgumentParser) -> None:
    """Where the reports are, which of them count, and where the tally goes."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files of reports, or folders of such files")
    parser.add_argument("--state", metavar="FILE", help="count only reports that answer a bulletin of this state")
    parser.add_argument("--data", metavar="DIR", help="data folder of a collector, in place of files")
    add_store(parser)
    parser.add_argument("--task", metavar="TASK", help=f"with --data or --store: {TASK}")
    parser.add_argument(
        "--epoch",
        metavar="N",
        help="with --data or --store: what the end of epoch N counted; open: what came since",
    )
    parser.add_argument("--reports", metavar="FILE", help="with --data or --store: also write all uploads, as Parquet")
    parser.add_argument("--output", metavar="FILE", help="the tally, as .csv or .parquet (CSV on standard output)")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar on standard error")
    parser.add_argument("--json", action="store_true", help="what was counted, as one object (needs --output)")
