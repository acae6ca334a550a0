"""What can be typed after `hgldp serve`."""

from argparse import ArgumentParser

SUMMARY = "run a collector with a dashboard"
DESCRIPTION = """\
Run a collector: it takes randomised reports over HTTP, never loses one that it acknowledged, and
shows the top-k on a dashboard. One process, one data folder, nothing else to install.

With --store, everything is kept in a PostgreSQL database instead, and any number of collectors may
share it behind a load balancer (docs/several-collectors.md). If the address has a password, put it
into a file, and the name of the file into HGLDP_STORE_FILE: nobody else sees it then.

The first start shows the admin token in a terminal, or else writes it to admin-token.txt in the
data folder, and stores only its hash. To choose your own token, set HGLDP_ADMIN_TOKEN in the
environment, or HGLDP_ADMIN_TOKEN_FILE to the file that holds it. With --store no token is made:
choose one, or make an admin with hgldp admin add first. Ctrl-C or SIGTERM ends the collector after
it has written everything in its queue. docs/collector.md explains the configuration file."""

EXAMPLES = """\
examples:
  hgldp serve
  hgldp serve --data /var/lib/hgldp --config /etc/hgldp.toml --port 9000
  hgldp serve --store postgresql://hgldp@db.example/hgldp"""

LOGS = ["json", "text"]


def add_arguments(parser: ArgumentParser) -> None:
    """Settings that the configuration file may also have; the command line wins."""
    parser.add_argument("--data", metavar="DIR", help="folder for the log and the state (hgldp-data)")
    parser.add_argument("--store", metavar="URL", help="PostgreSQL database to share, postgresql://user@host/database")
    parser.add_argument("--config", metavar="FILE", help="TOML file; unknown keys are refused")
    parser.add_argument("--host", metavar="H", help="address to listen on (127.0.0.1); :: is all of IPv6 and IPv4")
    parser.add_argument("--port", type=int, metavar="P", help="port to listen on (8080)")
    parser.add_argument(
        "--log", choices=LOGS, help="format of the log on standard error (text in a terminal, else json)"
    )
