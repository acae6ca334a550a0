"""`hgldp serve`: the collector, until someone ends it."""

import os
import sys
from argparse import Namespace
from pathlib import Path

from hgldp.cli.commands.serve.greeting import greeting
from hgldp.cli.output import write_error, write_output
from hgldp.cli.place_given import store_given, variable_set
from hgldp.collector.server import serve
from hgldp.collector.settings import (
    ADMIN_TOKEN_VARIABLE,
    METRICS_TOKEN_VARIABLE,
    STORE_VARIABLE,
    Settings,
    keep_token_for_the_operator,
    load_settings,
)
from hgldp.system.secret_files import with_secrets

SECRETS = (ADMIN_TOKEN_VARIABLE, METRICS_TOKEN_VARIABLE)


def run(chosen: Namespace) -> int:
    """Serve, and say on standard output where, with which token, and what to do next."""
    config = None if chosen.config is None else Path(chosen.config)
    data = None if chosen.data is None else Path(chosen.data)
    in_file = None if data is None else ""  # a folder that was typed wins over a store in the file
    store = store_given(chosen) or in_file
    settings = load_settings(config, data=data, store=store, host=chosen.host, port=chosen.port)
    _say_which(chosen, settings)
    environment = with_secrets(os.environ, SECRETS)
    serve(settings, _greet, environment, log_form=chosen.log)
    return 0


def _say_which(chosen: Namespace, settings: Settings) -> None:
    """Which of the two is used, if the environment names a database and a folder is named too."""
    named = variable_set(STORE_VARIABLE)
    if named and not settings.store:
        write_error(f"hgldp: everything is kept in the folder {settings.data}, not in the database that {named} names")
    if named and settings.store and chosen.store is None and settings.data != Settings().data:
        write_error(f"hgldp: everything is kept in the database that {named} names, not in the folder {settings.data}")


def _greet(settings: Settings, token: str | None, tasks: int) -> None:
    """A terminal is shown a new token; anything else may be kept as a log, so the token goes into a file."""
    if token is None or sys.stdout.isatty():
        write_output(greeting(settings, token, tasks))
    else:
        write_output(greeting(settings, None, tasks, keep_token_for_the_operator(settings.data, token)))
