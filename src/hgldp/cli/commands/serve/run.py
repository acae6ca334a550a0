"""`hgldp serve`: the collector, until someone ends it."""

from argparse import Namespace
from pathlib import Path

from hgldp.cli.commands.collector_options import URL, URL_VARIABLE
from hgldp.cli.output import write_output
from hgldp.cli.service import TOKEN_VARIABLE
from hgldp.collector.server import serve
from hgldp.collector.settings import ADMIN_TOKEN_VARIABLE, Settings, load_settings

CREATE = "hgldp task create --name Searches --epsilon 4 --strings 64 --k 5"


def run(chosen: Namespace) -> int:
    """Serve, and say on standard output where, with which token, and what to do next."""
    config = None if chosen.config is None else Path(chosen.config)
    data = None if chosen.data is None else Path(chosen.data)
    settings = load_settings(config, data=data, host=chosen.host, port=chosen.port)
    serve(settings, _greet, log_form=chosen.log)
    return 0


def _greet(settings: Settings, token: str | None, tasks: int) -> None:
    write_output(greeting(settings, token, tasks))


def greeting(settings: Settings, token: str | None, tasks: int) -> str:
    """What an operator needs now. It shows a new token this once; everything to copy is on a separate line."""
    facts = [("address", settings.url), ("data", str(settings.data.resolve()))]
    if token is None:
        facts.append(("admin token", f"as shown at the first start, or set by {ADMIN_TOKEN_VARIABLE}"))
    else:
        facts += [("admin token", token), ("", "Keep it: it is shown only now, and only its hash is stored.")]
    lines = ["The collector is running. Press Ctrl-C to stop it.", ""]
    lines += [f"  {name:<13}{value}" for name, value in facts]
    lines += [
        "",
        "Dashboard:",
        f"  {settings.url}/",
        "",
        "List its tasks in another terminal:" if tasks else "Next, create a first task in another terminal:",
        *(f"  {line}" for line in _commands(settings, token, tasks)),
    ]
    return "\n".join([*lines, "", ""])


def _commands(settings: Settings, token: str | None, tasks: int) -> list[str]:
    elsewhere = [] if settings.url == URL else [f"export {URL_VARIABLE}={settings.url}"]
    shown = "…   # the admin token" if token is None else token
    return [*elsewhere, f"export {TOKEN_VARIABLE}={shown}", "hgldp task list" if tasks else CREATE]
