"""Options that several commands share: where a collector or its folder is, which token to show, which task is meant."""

import os
from argparse import ArgumentParser

URL, URL_VARIABLE = "http://127.0.0.1:8080", "HGLDP_URL"
TASK = "name, id, or the first four or more digits of the id"


def add_service(parser: ArgumentParser) -> None:
    """The address and the token, each with its variable in the environment."""
    default = os.environ.get(URL_VARIABLE) or URL
    parser.add_argument(
        "--url", default=default, metavar="URL", help=f"address of the collector ({URL_VARIABLE}, or {URL})"
    )
    parser.add_argument("--token", metavar="T", help="admin or read token (HGLDP_TOKEN in the environment)")


def add_data(parser: ArgumentParser) -> None:
    """The folder of a collector on this machine."""
    parser.add_argument("--data", default="hgldp-data", metavar="DIR", help="data folder of the collector (hgldp-data)")


def add_task(parser: ArgumentParser) -> None:
    """The task, which must be named."""
    parser.add_argument("--task", required=True, metavar="TASK", help=TASK)
