"""What can be typed after `hgldp migrate`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import add_store

SUMMARY = "bring a folder or a database of an earlier version to this one"
DESCRIPTION = """\
Bring the data folder of an earlier version to the format of this one. Stop its collector first.
What was published stays as it is, and all reports are counted again under the bulletins that they
answered. The log, the bulletins, and when each epoch ended must fit together; if not, nothing
changes. The published numbers are not compared, since this version derives others: to have them
checked, run hgldp replay of the earlier version first. The old database stays in the folder as
collector.format-3.sqlite3 until you delete it. There is no way back other than that file and the
earlier version.

With --store, make the tables of a PostgreSQL database that collectors share, or bring them to the
format of this version; the format never goes back. Run it as the role that owns the tables. Each
role after --grant may then do what a collector does with them, and nothing else: it cannot change
admins, read the admin log or take anything out of it. PUBLIC, which means every role,
loses all rights to the tables and sequences, and the right to create anything in the
schema public."""

EXAMPLES = """\
examples:
  hgldp migrate --data hgldp-data
  hgldp migrate --data hgldp-data --keep-reports-hours 0
  hgldp migrate --store postgresql://owner@db.example/hgldp --grant hgldp"""


def add_arguments(parser: ArgumentParser) -> None:
    """The folder."""
    parser.add_argument("--data", metavar="DIR", help="data folder of a collector")
    add_store(parser)
    parser.add_argument("--grant", metavar="ROLE", action="append", help="role of collectors; repeat it for more roles")
    parser.add_argument(
        "--keep-reports-hours",
        metavar="N",
        type=int,
        help="how long the old tasks keep their reports from now on (default: 168, a week; 0: for ever)",
    )
    parser.add_argument("--no-progress", action="store_true", help="no progress bar on standard error")
    parser.add_argument("--json", action="store_true", help="one object")
