"""What can be typed after `hgldp export`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import add_service, add_task

SUMMARY = "everything a task published, as CSV, JSON or Parquet"
DESCRIPTION = """\
Everything a task ever published, one row for each ranked item of each epoch, or only some of its
epochs; the first of all is epoch 0. In CSV, a text that a spreadsheet would take for a formula gets
an apostrophe in front; JSON and Parquet are verbatim."""

EXAMPLES = """\
examples:
  hgldp export Searches --output results.csv
  hgldp export Searches --format json | jq length
  hgldp export 4f1c --output results.parquet
  hgldp export Searches --first 100 --last 199 --output second-hundred.csv"""

FORMATS = ["csv", "json", "parquet"]


def add_arguments(parser: ArgumentParser) -> None:
    """The task, its epochs, the format, and the file."""
    add_task(parser)
    add_service(parser)
    parser.add_argument("--first", type=int, metavar="N", help="first epoch to export (0)")
    parser.add_argument("--last", type=int, metavar="N", help="last epoch to export (the last that has ended)")
    parser.add_argument("--format", choices=FORMATS, help="csv, json or parquet (the ending of FILE, else csv)")
    parser.add_argument("--output", metavar="FILE", help="written whole or not at all (standard output)")
