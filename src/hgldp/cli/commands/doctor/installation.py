"""The program itself: tokens, compiled code, and the parts that are installed."""

import os
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from hgldp.cli.commands.doctor.finding import Finding, ok, problem, warning
from hgldp.collector.settings import ADMIN_TOKEN_VARIABLE, SHORTEST_TOKEN
from hgldp.kernels.compile import code_folder, version_of_kernels
from hgldp.system.code_folder import NOWHERE, VARIABLE, who_else_writes

HASH = "admin-token.sha256"
EXTRAS = {"collector": ("starlette", "uvicorn", "httptools", "jinja2"), "parquet": ("pyarrow",)}


def check_installation(folder: Path, environment: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    """What was installed, and what the environment says."""
    yield _token(folder, environment)
    yield _compiled(environment)
    for extra, packages in EXTRAS.items():
        yield _extra(extra, [name for name in packages if find_spec(name) is None])


def _token(folder: Path, environment: Mapping[str, str]) -> Finding:
    check = "admin token"
    given, file = environment.get(ADMIN_TOKEN_VARIABLE), environment.get(f"{ADMIN_TOKEN_VARIABLE}_FILE")
    if given is not None and len(given) < SHORTEST_TOKEN:
        return problem(check, "it is too short", f"take {SHORTEST_TOKEN} characters or more")
    if given is not None:
        do = f"a file is safer, because programs that you start inherit it: {ADMIN_TOKEN_VARIABLE}_FILE"
        return warning(check, f"it is in the environment ({ADMIN_TOKEN_VARIABLE})", do)
    path = Path(file) if file else folder / HASH
    if not path.exists():
        if file:
            return problem(
                check, f"{path} is not there", f"write the token into it, or unset {ADMIN_TOKEN_VARIABLE}_FILE"
            )
        return ok(check, "none yet; the first start makes one")
    mode = path.stat().st_mode & 0o777
    if mode & 0o077 and not (file and mode & 0o077 == 0o040):
        return problem(check, f"others can read {path} ({mode:o})", f"chmod 600 {path}")
    return ok(check, f"in {path}" if file else "its hash is in the folder")


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
    says = f"{', '.join(missing)} is missing"
    return problem(check, says, do) if extra == "collector" else warning(check, f"{says}: no Parquet exports", do)
