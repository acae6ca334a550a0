"""`hgldp admin`: who runs the collector of a data folder, or the collectors of a shared store."""

from argparse import Namespace

from hgldp.cli.commands.admin.log import show_log
from hgldp.cli.commands.admin.office import Office, office_given
from hgldp.cli.output import write_json, write_output
from hgldp.cli.terminal import facts, page, show
from hgldp.cli.units import counted
from hgldp.collector.admin_log import BY_HAND
from hgldp.collector.admins import FIRST
from hgldp.collector.settings import ADMIN_TOKEN_VARIABLE
from hgldp.errors import InvalidField, StorageFailed

NAMELESS = ("list", "log")
KEEP = "Keep it, it is shown only now."
RULES = f"A collector that gets {ADMIN_TOKEN_VARIABLE} takes that token instead of this one."
DONE = {"add": "admin added", "remove": "admin removed", "rotate": "admin token rotated"}


def run(chosen: Namespace) -> int:
    """Do one thing to one admin, list all, or show what they did."""
    with office_given(chosen) as office:
        if (chosen.action in NAMELESS) != (chosen.name is None):
            rule = f"must be {'left out of' if chosen.action in NAMELESS else 'given to'} hgldp admin {chosen.action}"
            raise InvalidField("NAME", rule, chosen.name or "none")
        if chosen.last is not None and chosen.action != "log":
            raise InvalidField("--last", "must be left out, except with hgldp admin log", chosen.last)
        if chosen.action == "log":
            return show_log(office, chosen.last, as_json=chosen.json)
        return _list(chosen, office) if chosen.action == "list" else _change(chosen, office)


def _change(chosen: Namespace, office: Office) -> int:
    if chosen.action == "remove":
        office.remove(chosen.name)
        told = {"name": chosen.name}
    else:
        make = office.add if chosen.action == "add" else office.rotate
        told = {"name": chosen.name, "token": make(chosen.name)}
    try:
        _tell(chosen, told)
    finally:
        _note(office, DONE[chosen.action], chosen.name)
    return 0


def _tell(chosen: Namespace, told: dict[str, str]) -> None:
    """Before anything else is done: the old token opens nothing any more, and nobody knows the new one yet."""
    if chosen.json:
        write_json(told)
    elif "token" in told:
        says = "is an admin" if chosen.action == "add" else "has a new token; the old one opens nothing any more"
        notes = [KEEP, *([RULES] if chosen.name == FIRST else [])]
        show(page(f"{chosen.name} {says}", facts([("token", told["token"])]), *notes))
    else:
        write_output(f"{chosen.name} is no admin any more.\n")


def _note(office: Office, what: str, name: str) -> None:
    try:
        office.note(BY_HAND, what, detail=name)
    except OSError as failure:
        raise StorageFailed(f"{what}, but that cannot be noted in the admin log: {failure.strerror}") from None


def _list(chosen: Namespace, office: Office) -> int:
    found = office.since()
    if chosen.json:
        write_json([{"name": name, "since": since} for name, since in found])
    else:
        show(page(counted(len(found), "admin"), facts(found)))
    return 0
