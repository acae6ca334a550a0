"""A process as a hardened service has it: no privileges, no HOME, and only one folder that it can write.

Nor does it find machine code beside the package, whatever runs of the tests or of `hgldp compile` have left there.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.documents import ROOT

NOBODY = 65_534
ADMIN = "the admin token of the locked room"
ALONE = "--clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all"
CODE = ROOT / "src"
BESIDE_KERNELS = CODE / "hgldp/kernels/__pycache__"


def locked(data: Path, *words: str) -> list[str]:
    """The command in its room. Root becomes nobody; any other user stays who he is, in a user namespace of his own."""
    room = ["bwrap", "--unshare-pid", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    room += ["--tmpfs", "/run", "--bind", str(data), str(data), "--chdir", "/"]
    room += [word for step in _doors() for word in step]
    BESIDE_KERNELS.mkdir(exist_ok=True)  # else there is no place to put an empty folder over
    room += ["--tmpfs", str(BESIDE_KERNELS), "--remount-ro", str(BESIDE_KERNELS)]
    if os.geteuid() == 0:
        shutil.chown(data, NOBODY, NOBODY)
        drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", *ALONE.split()]
        return [*room, *drop, *words]
    return [*room, "--unshare-user", "--cap-drop", "ALL", *words]


def _doors() -> list[list[str]]:
    """Open the way to Python and to us where it leads through a folder that others cannot enter, such as /root."""
    steps = []
    for each in (Path(path).resolve() for path in (sys.base_prefix, sys.prefix, ROOT)):
        closed = next((up for up in reversed(each.parents) if not up.stat().st_mode & 0o001), None)
        if closed is not None:
            between = [up for up in reversed(each.parents) if closed in up.parents]
            steps += [["--tmpfs", str(closed)]] if ["--tmpfs", str(closed)] not in steps else []
            steps += [["--perms", "0755", "--dir", str(up)] for up in between]
            steps.append(["--ro-bind", str(each), str(each)])
    return steps


def bare_environment(**more: str) -> dict[str, str]:
    """Nothing that a service manager would not give: above all no HOME, and no folder for caches."""
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(CODE), "HGLDP_ADMIN_TOKEN": ADMIN, **more}


def inside(process: subprocess.Popen[str]) -> int:
    """The process in the room: the room is one itself, and so is the one that clears up in it."""
    found = process.pid
    while below := Path(f"/proc/{found}/task/{found}/children").read_text().split():
        found = int(below[0])
    return found


def start(data: Path, *words: str, **environment: str) -> subprocess.Popen[str]:
    """Start it. Whoever starts it ends it."""
    return subprocess.Popen(
        locked(data, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=bare_environment(**environment),
    )  # fmt: skip
