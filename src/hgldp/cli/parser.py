"""The parser of the whole command line. Standard library only, so that help and version always work."""

import sys
from argparse import (
    OPTIONAL,
    SUPPRESS,
    ZERO_OR_MORE,
    Action,
    ArgumentError,
    ArgumentParser,
    Namespace,
    RawDescriptionHelpFormatter,
    _AppendAction,
    _SubParsersAction,
)
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from hgldp import __version__
from hgldp.cli.output import write_error, write_output
from hgldp.errors import did_you_mean

FOR_STREAMS = ("plan", "simulate", "schemes", "check", "data", "reproduce")
FOR_COLLECTORS = ("demo", "serve", "task", "top", "ask", "export", "report", "audit")
FOR_TALLIES = ("tally", "seal")
FOR_FOLDERS = ("doctor", "admin", "replay", "backup", "restore", "compact", "migrate", "compile")
FOR_THE_SHELL = ("completion",)
NAMES = (*FOR_STREAMS, *FOR_COLLECTORS, *FOR_TALLIES, *FOR_FOLDERS, *FOR_THE_SHELL)
_OVERVIEW = """\
Find the most frequent items of a stream while every report is randomised on
the client. The server keeps about 16 kB.

{commands}

examples:
  hgldp demo
  hgldp simulate normal:n=100000,d=1000,sigma=5
  hgldp simulate retail.dat.gz --scheme pfr --epsilon 2 --k 20
  hgldp check --epsilon 1
  hgldp serve --data hgldp-data

exit codes:
  0 done · 1 a check failed · 2 refused · 130 interrupted · 141 output closed · 143 ended"""
MISSING = "the following arguments are required: "
_LAYOUT: dict[str, Any] = {"formatter_class": RawDescriptionHelpFormatter, "allow_abbrev": False}


def make_parser() -> ArgumentParser:
    """Built from the packages in `hgldp.cli.commands`, each of which says what can be typed after its name."""
    described = {name: import_module(f"hgldp.cli.commands.{name}") for name in NAMES}
    summaries = {name: str(module.SUMMARY) for name, module in described.items()}
    parser = _Parser(prog="hgldp", usage="hgldp COMMAND [options]", description=_overview(summaries), **_LAYOUT)
    parser.add_argument("--version", action="version", version=f"hgldp {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", help=SUPPRESS)
    for name, module in described.items():
        texts = {"help": module.SUMMARY, "description": module.DESCRIPTION, "epilog": module.EXAMPLES}
        module.add_arguments(commands.add_parser(name, prog=f"hgldp {name}", **texts, **_LAYOUT))
    return parser


def _overview(summaries: dict[str, str]) -> str:
    groups = (
        ("streams", FOR_STREAMS),
        ("collectors", FOR_COLLECTORS),
        ("reports in files", FOR_TALLIES),
        ("a collector's folder", FOR_FOLDERS),
        ("your shell", FOR_THE_SHELL),
    )
    blocks = [
        "\n".join([f"commands for {what}:", *(f"  hgldp {name:<10}  {summaries[name]}" for name in names)])
        for what, names in groups
    ]
    return _OVERVIEW.format(commands="\n\n".join(blocks))


class _Parser(ArgumentParser):
    """Refuses in one line, with the nearest name there is: Python's own suggestions begin with 3.14."""

    def error(self, message: str) -> NoReturn:
        """Say it as every other refusal is said, and where the help is."""
        sentence = " ".join(message.removeprefix("argument ").split())
        if sentence.startswith(MISSING):
            sentence = f"{sentence.removeprefix(MISSING)} must be given"
        if sentence.endswith(": expected one argument"):
            option = sentence.partition(":")[0]
            sentence = f"{option} must be followed by its value (if that begins with a dash: {option}=VALUE)"
        write_error(f"hgldp: error: {sentence} ({self.prog} --help)")
        self.exit(2)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Refuse what is unknown here, so that the refusal names the command; optional words may come last."""
        words = sys.argv[1:] if args is None else list(args)
        self._refuse_wrong_options(words)
        found, unknown = super().parse_known_args(words, namespace)
        unknown = self._take_late_words(found, unknown)
        if unknown:
            what = "option" if unknown[0].startswith("-") else "argument"
            self.error(f"unexpected {what} {unknown[0]}{self._dash_hint() if what == 'option' else ''}")
        return found, []

    def _refuse_wrong_options(self, words: Sequence[str]) -> None:
        """Before anything else: a mistyped option would otherwise be reported as another one that is missing.

        One that is given twice would silently count the second time only.
        """
        given = set()
        known = [option for option in self._option_string_actions if option.startswith("--")]
        for word in words:
            name = word.partition("=")[0]
            if word == "--" or (self._subparsers and not word.startswith("-")):
                return
            if word.startswith("--") and " " not in word and name not in self._option_string_actions:
                self.error(f"there is no option {name}{did_you_mean(name, known) or self._dash_hint()}")
            if " " not in word and self._lacks_a_dash(name, known):
                self.error(f"there is no option {name}{did_you_mean(f'-{name}', known)}")
            if name in given and self._counts_once(name):
                self.error(f"{name} must be given only once")
            if name in self._option_string_actions:
                given.add(name)

    def _counts_once(self, name: str) -> bool:
        """Whether an option has one value; a flag has none, and an option that appends takes another each time."""
        action = self._option_string_actions[name]
        return action.nargs != 0 and not isinstance(action, _AppendAction)

    def _dash_hint(self) -> str:
        """Where any words may come, one that looks like an option may have been meant as one of them."""
        names = [str(each.metavar) for each in self._actions if not each.option_strings and each.nargs == ZERO_OR_MORE]
        return f"; an {names[0]} that begins with a dash comes after --" if names else ""

    def _lacks_a_dash(self, name: str, known: Sequence[str]) -> bool:
        """Whether it is `-k` for `--k`; a number below 0 is not, nor a key that happens to begin with a dash."""
        is_short = name.startswith("-") and name[1:2].isalpha() and name not in self._option_string_actions
        return is_short and any(option.startswith(f"-{name}") for option in known)

    def _take_late_words(self, found: Namespace, unknown: list[str]) -> list[str]:
        """argparse gives optional words nothing as soon as it meets an option; they may come after it."""
        marked = unknown.index("--") if "--" in unknown else len(unknown)
        if any(word.startswith("-") for word in unknown[:marked]):
            return unknown
        words = [*unknown[:marked], *unknown[marked + 1 :]]
        for action in self._actions:
            if not action.option_strings and action.nargs == OPTIONAL and getattr(found, action.dest, "") is None:
                setattr(found, action.dest, words.pop(0) if words else None)
            elif not action.option_strings and action.nargs == ZERO_OR_MORE:
                setattr(found, action.dest, [*getattr(found, action.dest), *words])
                words = []
        return words

    def _check_value(self, action: Action, value: Any) -> None:
        """A choice that does not exist, in the words of every other refusal."""
        if action.choices is None or value in action.choices:
            return
        names = [str(choice) for choice in action.choices]
        if action.dest == "command":
            raise ArgumentError(None, f"there is no command {value}{did_you_mean(value, names)}")
        raise ArgumentError(
            None, f"{_name(action)} must be one of {', '.join(names)}, got {value}{did_you_mean(value, names)}"
        )

    def _get_value(self, action: Action, arg_string: str) -> Any:
        """Refuse what is not a number, in the same words."""
        try:
            return super()._get_value(action, arg_string)
        except ArgumentError:
            kind = "a whole number" if action.type is int else "a number"
            raise ArgumentError(None, f"{_name(action)} must be {kind}, got {arg_string or 'nothing'}") from None

    def _print_message(self, message: str, _: object = None) -> None:
        """Help and version; the standard library would hide a failure to write them."""
        write_output(message)


def name_typed(parser: ArgumentParser, chosen: Namespace, field: str) -> str:
    """A field of the library by the name that was typed: `--light-cells` for `light_cells`, `STREAM` for `stream`."""
    if getattr(chosen, field, None) is None:
        return field
    commands = next(action for action in parser._actions if isinstance(action, _SubParsersAction))
    actions = commands.choices[chosen.command]._actions
    return next((_name(action) for action in actions if action.dest == field), field)


def _name(action: Action) -> str:
    return action.option_strings[0] if action.option_strings else str(action.metavar)
