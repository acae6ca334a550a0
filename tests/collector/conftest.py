"""A test that takes a `home` runs on a folder and on PostgreSQL."""

from pathlib import Path

import pytest

from tests.collector.homes import DatabaseHome, FolderHome, Home


@pytest.fixture(params=["folder", "postgres"])
def home(request: pytest.FixtureRequest) -> Home:
    if request.param == "folder":
        folder: Path = request.getfixturevalue("tmp_path")
        return FolderHome(folder)
    return DatabaseHome(request.getfixturevalue("postgres_url"))
