"""`hgldp serve` and a store: which one it takes, and that no first token is ever made that nobody sees."""

import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import psycopg
import pytest

from hgldp.cli.commands.serve import add_arguments
from hgldp.cli.commands.serve import run as serving
from hgldp.collector.server import _first_token
from hgldp.collector.settings import Settings
from hgldp.errors import InvalidField
from tests.collector.shared.conftest import Pair
from tests.free_port import free_port
from tests.patience import PATIENCE

URL, OTHER, THIRD = (f"postgresql://u@db{number}/hgldp" for number in (1, 2, 3))


def settings_of(words: list[str], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """What would be served."""
    found: list[Settings] = []
    monkeypatch.setattr(serving, "serve", lambda settings, *_, **__: found.append(settings))
    parser = ArgumentParser()
    add_arguments(parser)
    assert serving.run(parser.parse_args(words)) == 0
    return found[0]


@pytest.mark.parametrize(
    ("typed", "variable", "file", "served"),
    [
        ([], "", "", ""),
        ([], "", f'store = "{THIRD}"', THIRD),
        ([], OTHER, f'store = "{THIRD}"', OTHER),
        ([], OTHER, 'data = "folder"', OTHER),
        (["--store", URL], OTHER, f'store = "{THIRD}"', URL),
        (["--store", URL], "", 'data = "folder"', URL),
        (["--data", "folder"], OTHER, "", ""),
        (["--data", "folder"], "", f'store = "{THIRD}"', ""),
    ],
)
def test_what_was_typed_wins_over_the_environment_and_that_over_the_file(
    typed: list[str], variable: str, file: str, served: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hgldp.toml").write_text(file)
    if variable:
        monkeypatch.setenv("HGLDP_STORE", variable)
    settings = settings_of(["--config", str(tmp_path / "hgldp.toml"), *typed], monkeypatch)
    assert settings.store == served
    assert settings.data == Path("folder" if "folder" in [*typed, *file.split('"')] else "hgldp-data")


def test_a_folder_and_a_store_cannot_both_be_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidField, match="--store must be given instead of a data folder"):
        settings_of(["--store", URL, "--data", "folder"], monkeypatch)


def test_a_folder_that_was_typed_needs_no_file_with_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HGLDP_STORE_FILE", str(tmp_path / "nothing here"))
    assert settings_of(["--data", "folder"], monkeypatch).store == ""


def test_without_a_token_and_an_admin_it_does_not_start_and_changes_nothing(pair: Pair) -> None:
    """Before: on a terminal the first collector made an admin, so that its role had to be able to."""
    first, second = pair
    settings = Settings(store=URL)
    with pytest.raises(InvalidField, match="HGLDP_ADMIN_TOKEN_FILE must name a file with the admin token, unless"):
        _first_token(first, settings, {})
    assert _first_token(first, Settings(store=URL, admin_digest=b"d" * 32), {}) is None
    assert first.office is not None
    assert second.office is not None
    assert first.office.names == []
    first.office.add("anna")
    second.office.look()
    assert _first_token(second, settings, {}) is None, "there is an admin: any collector may start"


def test_the_command_says_so_and_leaves_nothing(postgres_url: str, tmp_path: Path) -> None:
    line = [sys.executable, "-m", "hgldp.cli", "serve", "--store", postgres_url, "--port", str(free_port())]
    known = {name: value for name, value in os.environ.items() if not name.startswith("HGLDP_ADMIN")}
    done = subprocess.run(line, cwd=tmp_path, env=known, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (2, "")
    (error,) = [each for each in done.stderr.splitlines() if each.startswith("hgldp: error: ")]
    assert "HGLDP_ADMIN_TOKEN_FILE must name a file with the admin token, unless" in error
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SELECT count(*) FROM admins").fetchone() == (0,)
    assert list(tmp_path.iterdir()) == []
