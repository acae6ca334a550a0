"""`hgldp data`: public data sets by name."""

from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from rich.table import Table
from rich.text import Text

from hgldp.cli.output import write_json, write_output
from hgldp.cli.terminal import legend, open_table, page, progress_bar, show
from hgldp.cli.units import in_count
from hgldp.errors import InvalidField, did_you_mean
from hgldp.sources.datasets import DATASETS, Dataset, NoCopy, data_folder, find_dataset, is_known, known_dataset
from hgldp.sources.fetch import Copy, fetch

LEGEND = (
    ("items", "events in the stream, and how many of them are different"),
    ("from", "web: hgldp data fetch downloads it; by hand: see the note below"),
    ("checked", "yes: against a pinned checksum; not yet: fetch only prints the checksum"),
    ("here", "whether the folder has a copy"),
)
UNVERIFIED = "unverified: it has no pinned checksum yet"


def run(chosen: Namespace) -> int:
    """List, fetch, or say where."""
    folder = data_folder(chosen.data)
    if chosen.action == "list":
        _list(chosen, folder)
        return 0
    if chosen.name is None or not is_known(chosen.name):
        typed = "none" if chosen.name is None else f"{chosen.name}{did_you_mean(chosen.name, DATASETS)}"
        raise InvalidField("NAME", f"must be one of {', '.join(DATASETS)}", typed)
    (_fetch if chosen.action == "fetch" else _path)(chosen, folder)
    return 0


def _list(chosen: Namespace, folder: Path) -> None:
    if chosen.name is not None:
        raise InvalidField("NAME", "must be left out of hgldp data list", chosen.name)
    copies = {name: find_dataset(name, folder) for name in DATASETS}
    if chosen.json:
        write_json(
            [asdict(dataset) | {"path": copies[name] and str(copies[name])} for name, dataset in DATASETS.items()]
        )
        return
    table = open_table()
    for heading in ("name", "items", "different", "from", "checked", "here"):
        table.add_column(heading, justify="right" if heading in {"items", "different"} else "left", no_wrap=True)
    for name, dataset in DATASETS.items():
        items = "about 300 M" if dataset.items is None else in_count(dataset.items)
        source, checked = "web" if dataset.address else "by hand", "yes" if dataset.is_pinned else "not yet"
        table.add_row(name, items, in_count(dataset.distinct), source, checked, "yes" if copies[name] else "")
    facts = [_facts(dataset) for dataset in DATASETS.values()]
    show(page("Public data sets", table, Text(f"Folder: {folder}"), legend(LEGEND), *facts))


def _facts(dataset: Dataset) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_row(Text(dataset.name, style="bold"), Text(dataset.title))
    for term in ("publisher", "citation", "terms", "note"):
        if text := getattr(dataset, term):
            grid.add_row(Text(f"  {term}", style="dim"), Text(text))
    grid.add_row(Text("  address", style="dim"), Text(dataset.address or dataset.page))
    return grid


def _fetch(chosen: Namespace, folder: Path) -> None:
    dataset = known_dataset(chosen.name)
    with progress_bar(f"fetching {dataset.name}", wanted=not chosen.no_progress) as advance:
        copy = fetch(dataset, folder, advance)
    if chosen.json:
        write_json(_object(dataset, copy))
        return
    state = "verified" if copy.is_verified else UNVERIFIED
    write_output(f"{copy.path}\n{state}; SHA-256 of its numbers: {copy.digest}\n")


def _path(chosen: Namespace, folder: Path) -> None:
    dataset = known_dataset(chosen.name)
    found = find_dataset(dataset.name, folder)
    if found is None:
        raise NoCopy(dataset.name, folder)
    if chosen.json:
        write_json({"name": dataset.name, "path": str(found)})
    else:
        write_output(f"{found}\n")


def _object(dataset: Dataset, copy: Copy) -> dict[str, object]:
    return {"name": dataset.name, "path": str(copy.path), "verified": copy.is_verified, "numbers": copy.digest}
