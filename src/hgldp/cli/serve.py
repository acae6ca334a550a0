"""`hgldp serve`: the collector, until somebody ends it."""

from argparse import Namespace
from pathlib import Path

from hgldp.cli.output import write_output
from hgldp.collector.server import serve
from hgldp.collector.settings import ADMIN_TOKEN_VARIABLE, Settings, load_settings


def execute(chosen: Namespace) -> int:
    """Serve, and say on standard output where and with which token."""
    config = None if chosen.config is None else Path(chosen.config)
    data = None if chosen.data is None else Path(chosen.data)
    serve(load_settings(config, data=data, host=chosen.host, port=chosen.port), _greet)
    return 0


def _greet(settings: Settings, token: str | None) -> None:
    lines = [f"The collector listens at {settings.url}", f"Its data is in {settings.data.resolve()}"]
    if token is not None:
        lines += [
            f"Admin token: {token}",
            "Keep it: it is shown this once and stored only as a hash.",
            f"Dashboard: {settings.url}/?token={token}",
        ]
    else:
        lines.append(f"Dashboard: {settings.url}/")
        lines.append(f"The admin token is the one shown at the first start, or that of {ADMIN_TOKEN_VARIABLE}.")
    write_output("\n".join([*lines, "Ctrl-C ends it.", ""]))
