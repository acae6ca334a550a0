"""The way in and the ways out: 0 done, 1 a check failed, 2 refused, 130 interrupted, 141 output closed, 143 ended.

Not called `main`, because the function of that name in the package's face would hide the module.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, cast

from hgldp.cli.output import check_output, write_error
from hgldp.cli.parser import make_parser, name_typed
from hgldp.errors import HgldpError, InvalidField, MissingExtra

DONE, REFUSED, INTERRUPTED, PIPE_CLOSED = 0, 2, 130, 141
INSUFFICIENT_PRIVILEGE = "42501"
EXTRA_OF = {
    "numpy": "cli",
    "numba": "cli",
    "rich": "cli",
    "shtab": "cli",
    "matplotlib": "experiments",
    "starlette": "collector",
    "uvicorn": "collector",
    "httptools": "collector",
    "uvloop": "collector",
    "jinja2": "collector",
    "pyarrow": "parquet",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. A refusal is one line on standard error, and nothing else."""
    try:
        parser = make_parser()
        chosen = parser.parse_args(arguments)
        check_output()
        if chosen.command is None:
            parser.print_help()
            return DONE
        return _run(parser, chosen)
    except HgldpError as refusal:
        return _refuse(f"{refusal}{_advice(refusal)}")
    except MemoryError:
        return _refuse("the stream and its domain do not fit into the memory of this machine: take a smaller stream")
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return PIPE_CLOSED
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else DONE


def _run(parser: ArgumentParser, chosen: Namespace) -> int:
    try:
        return _command(chosen.command)(chosen)
    except InvalidField as refusal:
        field = name_typed(parser, chosen, refusal.field)
        raise InvalidField(field, refusal.rule, refusal.value, refusal.hint) from None


def _command(name: str) -> Callable[[Namespace], int]:
    return cast(Callable[[Namespace], int], imported(f"hgldp.cli.commands.{name}.run").run)


def imported(name: str) -> Any:
    """A module, imported only when a command needs it, so that help and version need no extra."""
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in EXTRA_OF:
            raise
        raise MissingExtra(EXTRA_OF[package], package) from missing


def _advice(refusal: HgldpError) -> str:
    """What to do if the role lacks a right in the database; of other failures the message says it."""
    if getattr(refusal.__cause__, "sqlstate", None) != INSUFFICIENT_PRIVILEGE:
        return ""
    return ": run hgldp migrate --grant ROLE as the role that owns the tables; ROLE is that of the collectors"


def _refuse(reason: str) -> int:
    write_error(f"hgldp: error: {' '.join(reason.split())}")
    return REFUSED
