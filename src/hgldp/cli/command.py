"""The way in and the ways out: 0 done, 1 a check failed, 2 refused, 130 interrupted, 141 unread."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import cast

from hgldp.cli.arguments import make_parser
from hgldp.cli.output import check_output, write_error
from hgldp.errors import HgldpError, MissingExtra

DONE, REFUSED, INTERRUPTED, PIPE_CLOSED = 0, 2, 130, 141
OF_THE_EXTRA = {"numpy": "cli", "numba": "cli", "rich": "cli", "matplotlib": "experiments"}
OF_THE_EXTRA |= dict.fromkeys(("starlette", "uvicorn", "httptools", "uvloop"), "collector")
MODULES = {"export": "export_results"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. A refusal is one line on standard error, and nothing else."""
    try:
        chosen = make_parser().parse_args(arguments)
        check_output()
        return _command(chosen.command)(chosen)
    except HgldpError as refusal:
        return _refuse(str(refusal))
    except MemoryError:
        return _refuse("stream and domain must fit into memory, got more than there is")
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return PIPE_CLOSED
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else DONE


def _command(name: str) -> Callable[[Namespace], int]:
    """The module of a command, imported only now: help and version need no extra."""
    try:
        module = import_module(f"hgldp.cli.{MODULES.get(name, name)}")
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in OF_THE_EXTRA:
            raise
        raise MissingExtra(OF_THE_EXTRA[package], package) from missing
    return cast(Callable[[Namespace], int], module.execute)


def _refuse(reason: str) -> int:
    write_error(f"hgldp: error: {' '.join(reason.split())}")
    return REFUSED
