"""What can be typed after `hgldp serve`, `task`, `top`, `export`, `report` and `replay`."""

import os
from argparse import ArgumentParser

SERVE = """\
Run a collector: it takes randomised reports over HTTP, never loses one that it acknowledged, and
shows the top-k on a dashboard. One process, one folder of data, nothing else to install.

The admin token is printed at the first start and stored only as a hash; HGLDP_ADMIN_TOKEN in the
environment sets it instead. Ctrl-C or SIGTERM ends it when everything queued is written.
docs/collector.md explains the configuration file."""

SERVE_EXAMPLES = """\
examples:
  hgldp serve
  hgldp serve --data /var/lib/hgldp --config /etc/hgldp.toml --port 9000"""

TASK = """\
Create a task on a running collector, list all, show one, close it, or end its epoch now (seal).
The admin token is --token or HGLDP_TOKEN in the environment, which other people do not see
(HGLDP_ADMIN_TOKEN is for hgldp serve alone)."""

TASK_EXAMPLES = """\
examples:
  hgldp task create --name Searches --epsilon 4 --strings 64 --k 5
  hgldp task create --name Pages --scheme dsr --epsilon 1 --range 0 5000 --k 10 --daily-reports 5
  hgldp task list
  hgldp task close ID"""

TOP = """\
What a task found, with error bars. The token is --token or HGLDP_TOKEN in the environment;
results that are public need none."""

TOP_EXAMPLES = """\
examples:
  hgldp top --task ID
  hgldp top --task ID --watch
  hgldp top --task ID --k 5 --window 100000 --json"""

EXPORT = """\
All that a task ever published, one row for each line of each epoch. In CSV a text that a
spreadsheet would take for a formula gets an apostrophe before it; JSON and Parquet are verbatim."""

EXPORT_EXAMPLES = """\
examples:
  hgldp export --task ID --output results.csv
  hgldp export --task ID --format json | jq length
  hgldp export --task ID --output results.parquet"""

REPORT = """\
Send the events of a file or of standard input as one client would: each is randomised here, once,
and only what comes out leaves this machine. A ledger on disk counts the ε that was spent.

The write key is --key or HGLDP_WRITE_KEY in the environment. What the collector does not take now
stays queued, already randomised, and the next run sends it."""

REPORT_EXAMPLES = """\
examples:
  hgldp report searches.txt --task ID --max-epsilon 4
  hgldp report orders.csv --column product --task ID --max-epsilon 1
  tail -f queries.log | hgldp report - --task ID --max-epsilon 4"""

REPLAY = """\
Derive every published bulletin and result again from the log of a data folder, and compare bit for
bit. Exit code 1 and the first difference if there is one. The folder is only read; a collector may
go on running on it."""

REPLAY_EXAMPLES = """\
examples:
  hgldp replay hgldp-data"""

COLUMN = "CSV: a name in the first line, or a number from 1"
RATE = "most events a second (4000); 0: no limit; then most events answer one bulletin, and little is found"
URL, URL_VARIABLE = "http://127.0.0.1:8080", "HGLDP_URL"


def _add_url(parser: ArgumentParser) -> None:
    default = os.environ.get(URL_VARIABLE) or URL
    parser.add_argument(
        "--url", default=default, metavar="URL", help=f"where the collector is ({URL_VARIABLE}, or {URL})"
    )


def _add_service(parser: ArgumentParser) -> None:
    _add_url(parser)
    parser.add_argument("--token", metavar="T", help="admin or read token (HGLDP_TOKEN in the environment)")


def add_serve(parser: ArgumentParser) -> None:
    """The server; what is not typed comes from the file."""
    parser.add_argument("--data", metavar="DIR", help="folder of the log and the state (hgldp-data)")
    parser.add_argument("--config", metavar="FILE", help="TOML file; unknown keys are refused")
    parser.add_argument("--host", metavar="H", help="address to listen at (127.0.0.1)")
    parser.add_argument("--port", type=int, metavar="P", help="port to listen at (8080)")


def add_task(parser: ArgumentParser) -> None:
    """One action on tasks."""
    actions = ["create", "list", "show", "close", "seal"]
    parser.add_argument("action", choices=actions, metavar="ACTION", help=", ".join(actions))
    parser.add_argument("id", nargs="?", metavar="ID", help="show, close, seal: 64 hexadecimal digits")
    _add_service(parser)
    parser.add_argument("--json", action="store_true", help="one object, or a list")
    made = parser.add_argument_group("create: what everybody agrees on, for ever")
    made.add_argument("--scheme", metavar="NAME", help="pfr, dsr, bdr, cnr or bgr (pfr)")
    made.add_argument("--epsilon", metavar="E", help="privacy budget")
    made.add_argument("--level", choices=["event", "window", "user"], help="what ε covers (event)")
    made.add_argument("--events", type=int, metavar="N", help="events in a window or of a user; needed there")
    made.add_argument("--range", type=int, nargs=2, metavar=("START", "SIZE"), help="domain: whole numbers")
    made.add_argument("--words", metavar="FILE", help="domain: the words of a file, one a line")
    made.add_argument("--strings", type=int, metavar="BYTES", help="domain: any string of at most so many bytes (pfr)")
    made.add_argument("--k", type=int, metavar="K", help="how many items to find")
    made.add_argument("--cells", type=int, metavar="M", help="cells of the hot list or the frontier")
    made.add_argument("--light-cells", type=int, metavar="L", help="hot lists: how many nominees wait")
    made.add_argument("--memory", type=int, metavar="BYTES", help="pfr: bytes that the server keeps")
    made.add_argument("--half-life", type=int, metavar="N", help="pfr: reports after which the past counts half")
    made.add_argument("--epoch", type=int, metavar="N", help="reports of the first epoch")
    made.add_argument("--epoch-seconds", type=int, metavar="S", help="an epoch ends after this time too")
    made.add_argument("--daily-reports", type=int, metavar="N", help="what one client may send in a day")
    terms = parser.add_argument_group("create: what only the collector keeps")
    terms.add_argument("--name", metavar="TEXT", help="for people")
    terms.add_argument("--results", choices=["public", "token"], help="who may read them (token)")
    terms.add_argument(
        "--origins", nargs="+", metavar="ORIGIN", help="web pages that may send, like https://example.org"
    )
    terms.add_argument("--reports-per-second", type=int, metavar="N", help="most that the key may send")
    terms.add_argument("--reports-per-day", type=int, metavar="N", help="most that the task takes in a day")


def add_top(parser: ArgumentParser) -> None:
    """One question, or many."""
    parser.add_argument("--task", required=True, metavar="ID", help="64 hexadecimal digits")
    _add_service(parser)
    parser.add_argument("--k", type=int, metavar="K", help="how many items (the task's k)")
    parser.add_argument("--window", type=int, metavar="N", help="pfr, listed domain: of the last N reports alone")
    parser.add_argument("--watch", action="store_true", help="stay, and follow the changes")
    parser.add_argument("--every", type=float, default=2.0, metavar="S", help="with --watch: seconds between looks (2)")
    machine = parser.add_mutually_exclusive_group()
    machine.add_argument("--json", action="store_true", help="one object")
    machine.add_argument("--csv", action="store_true", help="one row an item")


def add_export(parser: ArgumentParser) -> None:
    """A download."""
    parser.add_argument("--task", required=True, metavar="ID", help="64 hexadecimal digits")
    _add_service(parser)
    kinds = ["csv", "json", "parquet"]
    parser.add_argument("--format", choices=kinds, help="how it is written (as FILE ends, or csv)")
    parser.add_argument("--output", metavar="FILE", help="whole or not at all (standard output)")


def add_report(parser: ArgumentParser) -> None:
    """A client."""
    parser.add_argument("events", metavar="FILE", help="one event a line, plain or gzipped; - is standard input")
    parser.add_argument("--task", required=True, metavar="ID", help="64 hexadecimal digits")
    parser.add_argument("--max-epsilon", required=True, metavar="E", help="a task that costs more is refused")
    _add_url(parser)
    parser.add_argument("--key", metavar="K", help="write key (HGLDP_WRITE_KEY in the environment)")
    parser.add_argument("--column", metavar="C", help=COLUMN)
    parser.add_argument("--folder", metavar="DIR", help="ledger and queue (~/.local/state/hgldp/…)")
    parser.add_argument("--reports-per-day", type=int, default=1_000_000, metavar="N", help="ceiling (1000000)")
    parser.add_argument("--rate", type=float, default=4_000.0, metavar="N", help=RATE)
    parser.add_argument("--wait", type=float, default=30.0, metavar="S", help="give up after S seconds in vain (30)")
    parser.add_argument("--allow-plain-http", action="store_true", help="http:// to another machine, unprotected")
    parser.add_argument("--json", action="store_true", help="one object")
    parser.add_argument("--no-progress", action="store_true", help="no progress bar on standard error")


def add_replay(parser: ArgumentParser) -> None:
    """A check of a folder."""
    parser.add_argument("data", metavar="DIR", help="data folder of a collector")
    parser.add_argument("--json", action="store_true", help="one object")


COLLECTOR_COMMANDS = {
    "serve": (SERVE, SERVE_EXAMPLES, add_serve),
    "task": (TASK, TASK_EXAMPLES, add_task),
    "top": (TOP, TOP_EXAMPLES, add_top),
    "export": (EXPORT, EXPORT_EXAMPLES, add_export),
    "report": (REPORT, REPORT_EXAMPLES, add_report),
    "replay": (REPLAY, REPLAY_EXAMPLES, add_replay),
}
