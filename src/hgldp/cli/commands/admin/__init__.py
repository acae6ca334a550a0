"""What can be typed after `hgldp admin`."""

from argparse import ArgumentParser

from hgldp.cli.commands.collector_options import add_store

SUMMARY = "add, list, remove or rotate admins, or show what they did"
DESCRIPTION = """\
Give each person who runs a collector a token of their own: add an admin, list all, remove one, or
give one a new token (rotate). Works on the data folder, whether the collector runs or not; a
running one notices at once. A token is shown once, and only its hash is stored.

The admin called admin is the one that hgldp serve made at its first start. While HGLDP_ADMIN_TOKEN
is set for hgldp serve, that token (of the admin called environment) takes the place of admin.

hgldp admin log shows who changed what: tasks that were created, renamed, closed or deleted, keys
and tokens that were rotated, admins that came and went. It is in the data folder, in
admin-log.jsonl and a few older files. It holds no tokens. With --store, all this is in the database
that several collectors share, and the address must be that of the role that owns the tables: the
collectors' own role can read who the admins are, and add to the log, but change neither."""

EXAMPLES = """\
examples:
  hgldp admin add anna --data /var/lib/hgldp
  hgldp admin list
  hgldp admin rotate admin
  hgldp admin remove anna
  hgldp admin log --last 100"""

ACTIONS = ["add", "list", "log", "remove", "rotate"]


def add_arguments(parser: ArgumentParser) -> None:
    """The action, whom it is about, and where."""
    parser.add_argument("action", choices=ACTIONS, metavar="ACTION", help=", ".join(ACTIONS))
    parser.add_argument("name", nargs="?", metavar="NAME", help="letters a-z, digits, dot, dash, underscore")
    parser.add_argument("--data", metavar="DIR", help="data folder of the collector (hgldp-data)")
    add_store(parser)
    parser.add_argument("--last", type=int, metavar="N", help="log: only the last N entries")
    parser.add_argument("--json", action="store_true", help="one object, or a list")
