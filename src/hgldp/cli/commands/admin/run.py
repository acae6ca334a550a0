"""`hgldp admin`: who runs the collector of a data folder."""

import time
from argparse import Namespace
from pathlib import Path

from hgldp.cli.commands.admin.log import show_log
from hgldp.cli.output import write_json, write_output
from hgldp.cli.terminal import facts, page, show
from hgldp.cli.units import counted
from hgldp.collector.admin_log import BY_HAND, AdminLog
from hgldp.collector.admins import add_admin, admin_files, remove_admin, rotate_admin
from hgldp.errors import InvalidField, StorageFailed

NAMELESS = ("list", "log")
DONE = {"add": "admin added", "remove": "admin removed", "rotate": "admin token rotated"}


def run(chosen: Namespace) -> int:
    """Do one thing to one admin, list all, or show what they did."""
    folder = existing_folder(chosen.data)
    if (chosen.action in NAMELESS) != (chosen.name is None):
        rule = f"must be {'left out of' if chosen.action in NAMELESS else 'given to'} hgldp admin {chosen.action}"
        raise InvalidField("NAME", rule, chosen.name or "none")
    if chosen.last is not None and chosen.action != "log":
        raise InvalidField("--last", "must be left out, except with hgldp admin log", chosen.last)
    if chosen.action == "log":
        return show_log(folder, chosen.last, as_json=chosen.json)
    try:
        return _list(chosen, folder) if chosen.action == "list" else _change(chosen, folder)
    except OSError as failure:
        raise InvalidField("data", "must be a folder that can be written", f"{folder} ({failure.strerror})") from None


def existing_folder(data: str) -> Path:
    """The data folder, which is never made here: a mistyped one would get an admin that nobody listens to."""
    folder = Path(data)
    if not folder.is_dir():
        raise InvalidField("data", "must be the data folder of a collector", data)
    return folder


def _change(chosen: Namespace, folder: Path) -> int:
    if chosen.action == "remove":
        remove_admin(folder, chosen.name)
        told = {"name": chosen.name}
    else:
        make = add_admin if chosen.action == "add" else rotate_admin
        told = {"name": chosen.name, "token": make(folder, chosen.name)}
    try:
        _tell(chosen, told)
    finally:
        _note(folder, DONE[chosen.action], chosen.name)
    return 0


def _tell(chosen: Namespace, told: dict[str, str]) -> None:
    """Before anything else is done: the old token opens nothing any more, and nobody knows the new one yet."""
    if chosen.json:
        write_json(told)
    elif "token" in told:
        show(page(f"{chosen.name} is an admin", facts([("token", told["token"])]), "Keep it, it is shown only now."))
    else:
        write_output(f"{chosen.name} is no admin any more.\n")


def _note(folder: Path, what: str, name: str) -> None:
    try:
        AdminLog(folder).note(BY_HAND, what, detail=name)
    except OSError as failure:
        told = f"{what}, but that cannot be noted in the admin log of {folder}: {failure.strerror}"
        raise StorageFailed(told) from None


def _list(chosen: Namespace, folder: Path) -> int:
    found = [
        {"name": name, "since": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(path.stat().st_mtime))}
        for name, path in admin_files(folder).items()
    ]
    if chosen.json:
        write_json(found)
    else:
        show(page(counted(len(found), "admin"), facts((a["name"], a["since"]) for a in found)))
    return 0
