"""The recipes of docs/tallies.md run on the engines that they are for, and count what we count."""

import os
import subprocess
from contextlib import chdir
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pyarrow as pa
import pytest
from pyarrow import parquet

from hgldp.tallies import Tally
from hgldp.tallies.reports.counting import count_files
from hgldp.tallies.reports.files import files_in
from tests.documents import blocks
from tests.tallies.reports.test_counting import reports, uploads

PAGE = "docs/tallies.md"


def recipes(engine: str) -> list[str]:
    mark = f"-- {engine}\n"
    found = [block.text for block in blocks(PAGE) if block.kind == "sql" and block.text.startswith(mark)]
    assert len(found) == 2
    return found


def lake(folder: Path) -> dict[str, Tally]:
    """Reports in one folder, uploads in another where some come again, and the tally of each."""
    (folder / "lake").mkdir()
    (folder / "uploads").mkdir()
    for number in range(2):
        parquet.write_table(reports(seed=number), folder / "lake" / f"{number}.parquet")
    table = uploads(500)
    parquet.write_table(table, folder / "uploads" / "0.parquet")
    parquet.write_table(pa.concat_tables([table.slice(100, 50), uploads(50, seed=2)]), folder / "uploads" / "1.parquet")
    return {name: count_files(files_in([str(folder / name)])).tally for name in ("lake", "uploads")}


@pytest.mark.skipif(find_spec("duckdb") is None, reason="duckdb is not installed: its recipes cannot run")
def test_duckdb_counts_the_same(tmp_path: Path) -> None:
    import duckdb  # noqa: PLC0415 - not everybody has it

    ours = lake(tmp_path)
    with chdir(tmp_path), duckdb.connect() as engine:
        for recipe, tally in zip(recipes("DuckDB"), ours.values(), strict=True):
            engine.execute(recipe)
            assert Path("tally.csv").read_bytes() == tally.to_csv()
        careless = recipes("DuckDB")[1].replace("DISTINCT ON (upload)", "")
        engine.execute(careless)
        assert Path("tally.csv").read_bytes() != ours["uploads"].to_csv()


def need(program: str) -> None:
    """Without it the test is skipped; on CI it must be there."""
    if which(program) is None:
        missing = f"{program} is not installed: its recipe cannot run"
        if os.environ.get("CI") == "true":
            raise RuntimeError(missing)
        pytest.skip(missing)


@pytest.mark.parametrize(("where", "ends"), [("true", RuntimeError), ("", pytest.skip.Exception)])
def test_a_program_that_is_missing_fails_on_ci(
    monkeypatch: pytest.MonkeyPatch, where: str, ends: type[BaseException]
) -> None:
    monkeypatch.setenv("CI", where)
    with pytest.raises(ends, match="nowhere is not installed"):
        need("nowhere")


def test_postgresql_counts_the_same(tmp_path: Path, postgres_url: str) -> None:
    need("psql")
    ours = lake(tmp_path)["uploads"]
    create, count = recipes("PostgreSQL")
    rows = [
        row for name in ("0", "1") for row in parquet.read_table(tmp_path / "uploads" / f"{name}.parquet").to_pylist()
    ]
    values = ",".join(
        f"('\\x{row['upload'].hex()}', '{row['bulletin']}', '{{{','.join(map(str, row['symbols']))}}}')" for row in rows
    )
    insert = f"INSERT INTO uploads VALUES {values} ON CONFLICT DO NOTHING;"  # noqa: S608 - our own rows
    schema = "CREATE SCHEMA recipes; SET search_path = recipes;"
    for name, text in (
        ("make.sql", f"{schema} {create} {insert}"),
        ("tally.sql", f"SET search_path = recipes; {count}"),
    ):
        (tmp_path / name).write_text(text)
    try:
        psql(postgres_url, "--file", str(tmp_path / "make.sql"))
        assert psql(postgres_url, "--csv", "--quiet", "--file", str(tmp_path / "tally.sql")) == ours.to_csv()
    finally:
        psql(postgres_url, "--command", "DROP SCHEMA IF EXISTS recipes CASCADE")


def psql(address: str, *words: str) -> bytes:
    command = ["psql", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", *words, address]
    return subprocess.run(command, check=True, capture_output=True).stdout
