"""The program itself: tokens, compiled code, and the parts that are installed."""

import os
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from hgldp.cli.commands.doctor.finding import Finding, ok, problem, warning
from hgldp.cli.units import counted
from hgldp.collector.admins import NEW_TOKEN_FILE, admin_files, read_digest
from hgldp.collector.log.schema import FILE
from hgldp.collector.settings import ADMIN_TOKEN_VARIABLE, SHORTEST_TOKEN
from hgldp.errors import MalformedState
from hgldp.kernels.compile import code_folder, version_of_kernels
from hgldp.system.code_folder import NOWHERE, VARIABLE, who_else_writes

TOKEN = "admin token"  # noqa: S105 - what is checked
EXTRAS = {"collector": ("starlette", "uvicorn", "httptools", "jinja2"), "parquet": ("pyarrow",)}


def check_installation(folder: Path | None, environment: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    """What was installed, and what the environment says. With a shared store there is no folder."""
    yield from _token(folder, environment)
    yield _compiled(environment)
    for extra, packages in EXTRAS.items():
        yield _extra(extra, [name for name in packages if find_spec(name) is None])


def _token(folder: Path | None, environment: Mapping[str, str]) -> Iterator[Finding]:
    """The one in the environment takes the place of the one called admin; the others stay."""
    given, file = environment.get(ADMIN_TOKEN_VARIABLE), environment.get(f"{ADMIN_TOKEN_VARIABLE}_FILE")
    if given is not None and len(given) < SHORTEST_TOKEN:
        yield problem(
            TOKEN, f"the one in {ADMIN_TOKEN_VARIABLE} is too short", f"take {SHORTEST_TOKEN} characters or more"
        )
    elif given is not None:
        do = f"name a file that holds it in {ADMIN_TOKEN_VARIABLE}_FILE: programs that you start inherit variables"
        yield warning(TOKEN, f"it is in the environment ({ADMIN_TOKEN_VARIABLE})", do)
    elif file:
        yield _token_file(Path(file))
    elif folder is not None:
        try:
            yield _admins(folder)
        except OSError as failure:
            yield problem(
                TOKEN, f"the admins cannot be read ({failure.strerror})", "run this as the user of the collector"
            )


def _token_file(path: Path) -> Finding:
    if not path.exists():
        return problem(TOKEN, f"{path} is not there", f"write the token into it, or unset {ADMIN_TOKEN_VARIABLE}_FILE")
    mode = path.stat().st_mode & 0o777
    if mode & 0o077 not in (0, 0o040):
        return problem(TOKEN, f"others can read {path} ({mode:o})", f"chmod 600 {path}")
    return ok(TOKEN, f"in {path}")


def _admins(folder: Path) -> Finding:
    """Those whose hashes the folder keeps."""
    found = admin_files(folder)
    if not found:
        if (folder / FILE).exists():
            return ok(TOKEN, f"none in the folder: the collector gets it from its environment ({ADMIN_TOKEN_VARIABLE})")
        return ok(TOKEN, f"none yet; the first start makes one, unless {ADMIN_TOKEN_VARIABLE} or …_FILE gives it one")
    for name, path in found.items():
        mode = path.stat().st_mode & 0o777
        if mode & 0o077:
            return problem(TOKEN, f"others can read {path} ({mode:o})", f"chmod 600 {path}")
        try:
            read_digest(path)
        except MalformedState:
            return problem(TOKEN, f"{path} does not hold a hash", f"hgldp admin rotate {name} --data {folder}")
    waiting = folder / NEW_TOKEN_FILE
    if waiting.exists():
        return warning(TOKEN, f"{waiting} still holds it", "read it, keep it elsewhere, and delete the file")
    return ok(TOKEN, f"{counted(len(found), 'admin')}: {', '.join(found)}")


def _compiled(environment: Mapping[str, str]) -> Finding:
    check, do = "compiled code", f"set {VARIABLE} to a folder that only the collector can write, or run hgldp compile"
    chosen = environment.get(VARIABLE)
    found = code_folder()
    if chosen == NOWHERE:
        return warning(check, "is kept nowhere, as you chose: each start compiles again", f"unset {VARIABLE}")
    if chosen and found != os.path.realpath(os.path.join(chosen, version_of_kernels())):
        reason = who_else_writes(Path(chosen)) if os.path.isdir(chosen) else "it is no folder"
        return warning(check, f"{chosen} is not used: {reason or 'it cannot be written'}", do)
    if found is None:
        return warning(check, "no folder keeps it: each start compiles again, for some seconds", do)
    return ok(check, f"in {found}")


def _extra(extra: str, missing: list[str]) -> Finding:
    check = f"extra {extra}"
    if not missing:
        return ok(check, "installed")
    do = f"pip install '.[{extra}]'"
    says = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    return problem(check, says, do) if extra == "collector" else warning(check, f"{says}: no Parquet exports", do)
