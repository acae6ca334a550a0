"""`hgldp completion`: the script that a shell reads, made by shtab from the parser itself."""

from argparse import Action, ArgumentParser, Namespace, _SubParsersAction

import shtab

from hgldp.cli.output import write_output
from hgldp.cli.parser import make_parser
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.schemes.registry import names
from hgldp.simulation.run import all_schemes
from hgldp.sources.datasets import DATASETS

FILES, FOLDERS, FIGURE = ("FILE", "STREAM"), ("DIR",), "FIGURE"
SHOWN = "one of the commands"


def run(chosen: Namespace) -> int:
    """Print the script."""
    write_output(f"{shtab.complete(completed_parser(), chosen.shell)}\n")
    return 0


def completed_parser() -> ArgumentParser:
    """The parser of the command line, which also knows what may follow an option that takes a name or a path."""
    parser = make_parser()
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            action.help = SHOWN
            for name, command in action.choices.items():
                for each in command._actions:
                    _complete(name, each)
    return parser


def _complete(command: str, action: Action) -> None:
    if action.metavar in FILES:
        action.complete = shtab.FILE  # type: ignore[attr-defined]
    elif action.metavar in FOLDERS:
        action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    elif action.dest == "scheme":
        action.choices = _schemes_after(command)
    elif action.metavar == FIGURE:
        action.choices = _figures()
    elif (command, action.dest) == ("data", "name"):
        action.choices = tuple(DATASETS)


def _schemes_after(command: str) -> tuple[str, ...]:
    """Those of other packages too, if they are installed now."""
    if command == "task":
        return names()
    return ("all", *all_schemes()) if command == "simulate" else ("all", *names(), *MECHANISMS)


def _figures() -> tuple[str, ...] | None:
    """None without the extra that draws them: nothing is completed then."""
    try:
        from hgldp.experiments.studies.registry import PICTURES  # noqa: PLC0415 - Matplotlib may not be installed
    except ModuleNotFoundError:
        return None
    return tuple(PICTURES)
