"""The units, as systemd itself reads and judges them."""

import json
import shlex
from pathlib import Path

import pytest

from hgldp.cli.parser import make_parser
from tests.documents import ROOT
from tests.slow.deploy.files import DEPLOY, unit
from tests.slow.deploy.programs import ran, require

UNITS = ("hgldp.service", "hgldp-backup.service", "hgldp-backup.timer")
MOST_EXPOSURE = {"hgldp.service": 1.5, "hgldp-backup.service": 1.0}
PROGRAM = "/opt/hgldp/bin/hgldp"


def installed(folder: Path, change: tuple[str, str] = ("", "")) -> list[str]:
    """The units as they would be on a machine that has the program."""
    for name in UNITS:
        text = (DEPLOY / "systemd" / name).read_text(encoding="utf-8")
        (folder / name).write_text(text.replace(PROGRAM, "/bin/true").replace(*change), encoding="utf-8")
    return [str(folder / name) for name in UNITS]


def exposure(path: str) -> float:
    """From 0 to 10: what `systemd-analyze security` says of a unit that is not running."""
    judged = ran("systemd-analyze", "security", "--offline=true", "--json=short", "--no-pager", path)
    points = json.loads(judged.stdout)
    assert len(points) > 50
    said = ran("systemd-analyze", "security", "--offline=true", "--no-pager", path).stdout.splitlines()[-1]
    return float(said.rpartition(": ")[2].split()[0])


def test_systemd_understands_every_line(tmp_path: Path) -> None:
    require("systemd-analyze")
    done = ran("systemd-analyze", "verify", *installed(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")


STORE = "several/systemd/store.conf"


@pytest.mark.parametrize("change", [("", ""), ("LoadCredential=store", "LoadCredentials=store")])
def test_systemd_understands_what_a_shared_store_adds(tmp_path: Path, change: tuple[str, str]) -> None:
    require("systemd-analyze")
    service, *_ = installed(tmp_path)
    more = tmp_path / "hgldp.service.d"
    more.mkdir()
    (more / "store.conf").write_text((DEPLOY / STORE).read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    done = ran("systemd-analyze", "verify", service)
    assert (done.stderr == "") == (change == ("", "")), done.stderr
    assert exposure(service) <= MOST_EXPOSURE["hgldp.service"]


@pytest.mark.parametrize("change", [("PrivateTmp=yes", "PrivateTmpp=yes"), ("MemoryMax=1G", "MemoryMax=much")])
def test_a_mistyped_line_would_be_noticed(tmp_path: Path, change: tuple[str, str]) -> None:
    require("systemd-analyze")
    assert ran("systemd-analyze", "verify", *installed(tmp_path, change)).stderr


@pytest.mark.parametrize("name", MOST_EXPOSURE)
def test_little_is_exposed(tmp_path: Path, name: str) -> None:
    """Of 10 points, 9.6 are those of a unit without protection."""
    require("systemd-analyze")
    paths = {Path(path).name: path for path in installed(tmp_path)}
    assert exposure(paths[name]) <= MOST_EXPOSURE[name]


def test_more_exposure_would_be_noticed(tmp_path: Path) -> None:
    require("systemd-analyze")
    paths = installed(tmp_path, ("SystemCallFilter=@system-service", "SystemCallFilter="))
    assert exposure(paths[0]) > MOST_EXPOSURE["hgldp.service"]


def test_the_collector_is_started_with_options_that_it_has() -> None:
    (command,) = (value for key, value in unit("hgldp.service") if key == "ExecStart")
    program, *words = command.split()
    assert program == PROGRAM
    chosen = make_parser().parse_args(words)
    assert (chosen.command, chosen.config) == ("serve", "/etc/hgldp/hgldp.toml")


@pytest.mark.parametrize("name", ["admin", "metrics"])
def test_tokens_are_handed_over_as_files(name: str) -> None:
    """Before: the metrics had no token, so Prometheus saw only the sum of all private tasks."""
    found = unit("hgldp.service")
    assert ("LoadCredential", f"{name}-token:/etc/hgldp/{name}-token") in found
    assert ("Environment", f"HGLDP_{name.upper()}_TOKEN_FILE=%d/{name}-token") in found
    assert not any(f"HGLDP_{name.upper()}_TOKEN=" in value for _, value in found)
    assert f"/etc/hgldp/{name}-token" in (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")


def test_the_backup_is_made_with_options_that_there_are() -> None:
    (command,) = (value for key, value in unit("hgldp-backup.service") if key == "ExecStart")
    shell, option, script = shlex.split(command)
    words = shlex.split(script.replace("$$", "$").replace("%%", "%"))
    assert (shell, option, words[:2]) == ("/bin/sh", "-c", ["exec", PROGRAM])
    chosen = make_parser().parse_args(words[2:])
    assert (chosen.command, chosen.data, chosen.keep) == ("backup", "/var/lib/hgldp", 14)
    assert chosen.output.endswith("/$(date +%FT%H%M%S).tar")  # two of one day do not replace each other
