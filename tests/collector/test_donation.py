"""A donated warm-up: counted as in the library, durable with its task, derived again bit for bit, and shown as raw."""

import csv
import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet
from rich.console import Console

from hgldp.cli.commands.ask.run import table_of
from hgldp.collector.collector import Collector
from hgldp.collector.donation import MOST_DIFFERENT, MOST_ITEMS, Donation, starts_cold
from hgldp.collector.log.backup import back_up
from hgldp.collector.log.replay import replay
from hgldp.collector.log.restore import restore
from hgldp.collector.log.rows import items_as_text
from hgldp.collector.log.schema import FILE
from hgldp.collector.log.storage import Transaction
from hgldp.collector.views import RankedItem, TaskTerms, TaskView
from hgldp.errors import DamagedLog, InvalidField
from hgldp.model.domain import RangeDomain, StringDomain, Vocabulary
from hgldp.model.estimate import STARTED_COLD
from hgldp.model.task import Task
from hgldp.tracker import Tracker
from tests.collector.fakes import FakeClock, now, open_by_hand, upload
from tests.collector.live_service import WORDS, Made, Service, live_service

SCHEMES = ("bgr", "dsr", "bdr", "cnr", "pfr")
PAIRS: list[object] = [[7, 5], [3, 4], [29, 1], [12, 2]]
RAW = [7] * 5 + [3] * 4 + [29] + [12] * 2


def task(scheme: str) -> Task:
    return Task(scheme, epsilon=2.0, domain=range(30), k=2, cells=8, epoch=8)


def begin(collector: Collector, scheme: str, **terms: Any) -> TaskView:
    given = Donation.of(RangeDomain(30), PAIRS)
    made = collector.create_task(task(scheme), TaskTerms(scheme, **terms), given)
    view = collector.view(made.id)
    assert view is not None
    return view


def go_on(collector: Collector, view: TaskView, first: int = 0) -> None:
    for seed in range(first, first + 4):
        collector.offer(now(collector, view), upload(now(collector, view), 5, seed=seed))
        collector.step()


def shown(collector: Collector, view: TaskView) -> object:
    seen = now(collector, view)
    return seen.reports, seen.bulletin, seen.terms.warmup, collector.top(view.id)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_it_is_counted_as_the_library_counts_a_warm_up(tmp_path: Path, scheme: str) -> None:
    collector = open_by_hand(tmp_path, FakeClock())
    view = begin(collector, scheme)
    (row,) = collector.storage.tasks()
    twin = Tracker(task(scheme), row.seed, warmup=reversed(RAW), hides_order=True)
    assert now(collector, view).bulletin == twin.bulletin
    lines = {item.item: item.estimate for item in collector.top(view.id).top}
    assert lines == {item: line.count for item, line in twin.top()}
    assert lines == {7: 5.0, 3: 4.0}
    assert {item.item: item.warmup for item in collector.top(view.id).top} == {7: 5, 3: 4}
    collector.close()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_restart_a_replay_and_a_backup_have_it_bit_for_bit(tmp_path: Path, scheme: str) -> None:
    collector = open_by_hand(tmp_path / "data", FakeClock())
    view = begin(collector, scheme)
    before = shown(collector, view)
    collector.close()
    collector = open_by_hand(tmp_path / "data", FakeClock())
    assert shown(collector, view) == before
    go_on(collector, view)
    made = back_up(tmp_path / "data", tmp_path / "copy.tar")
    assert made.tasks == 1
    before = shown(collector, view)
    collector.close()
    found = replay(tmp_path / "data")
    assert found.agrees, found.difference
    restore(tmp_path / "copy.tar", tmp_path / "elsewhere")
    again = open_by_hand(tmp_path / "elsewhere", FakeClock())
    assert shown(again, view) == before
    again.compact(all_reports=True)
    go_on(again, view, 10)
    again.close()
    found = replay(tmp_path / "elsewhere")
    assert found.agrees, found.difference
    assert found.folded > 0


def test_a_replay_that_begins_at_a_milestone_needs_no_warm_up(tmp_path: Path) -> None:
    clock = FakeClock()
    collector = open_by_hand(tmp_path, clock)
    view = begin(collector, "dsr", results_kept_days=1, reports_kept_hours=1)
    for day in range(4):
        go_on(collector, view, 10 * day)
        clock.advance(86_400)
    collector.compact()
    before = shown(collector, view)
    collector.close()
    found = replay(tmp_path)
    assert found.agrees, found.difference
    assert found.earlier > 0
    again = open_by_hand(tmp_path, clock)
    assert shown(again, view) == before
    again.close()


@pytest.mark.parametrize("damage", ["changed", "removed", "exchanged"])
def test_a_warm_up_that_is_not_the_one_that_was_given_is_noticed(tmp_path: Path, damage: str) -> None:
    collector = open_by_hand(tmp_path, FakeClock())
    begin(collector, "dsr")
    collector.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as database, database:
        if damage == "changed":
            other = Donation.of(RangeDomain(30), [[8, 5], [3, 4], [29, 1], [12, 2]]).written()
            database.execute("UPDATE warmups SET given = ?", (other,))
        elif damage == "removed":
            database.execute("DELETE FROM warmups")
        else:
            database.execute("UPDATE tasks SET terms = replace(terms, '\"warmup\": 12', '\"warmup\": 11')")
    assert not replay(tmp_path).agrees
    with pytest.raises(DamagedLog, match="warm-up"):
        open_by_hand(tmp_path, FakeClock()).close()


def test_a_deleted_task_leaves_no_raw_item(tmp_path: Path) -> None:
    collector = open_by_hand(tmp_path, FakeClock())
    view = begin(collector, "dsr")
    collector.storage.write(Transaction(deleted=[view.number]))  # and before anything is tidied
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        assert database.execute("SELECT COUNT(*) FROM warmups").fetchone() == (0,)
    collector.close()


def test_a_folder_from_before_there_were_warm_ups_is_replayed_as_it_is(tmp_path: Path) -> None:
    collector = open_by_hand(tmp_path, FakeClock())
    collector.create_task(task("dsr"), TaskTerms("cold"))
    go_on(collector, collector.tasks()[0])
    collector.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as database, database:
        database.execute("DROP TABLE warmups")
    assert replay(tmp_path).agrees
    collector = open_by_hand(tmp_path, FakeClock())
    begin(collector, "cnr")
    collector.close()
    assert replay(tmp_path).agrees


WRONG: list[tuple[object, str]] = [
    ({"7": 1}, "warmup must be a list of pairs, .* got dict"),
    ([[7, 1], 3], "warmup must be a list of pairs, .* got something else as pair 2"),
    ([[7, 1, 1]], "something else as pair 1"),
    ([[7, 1], [30, 1]], r"warmup must hold items of the domain, got pair 2 \(withheld\)"),
    ([[7, 1], ["a secret", 1]], r"warmup must hold items of the domain, got pair 2 \(withheld\)"),
    ([[7, 0]], "count of pair 1 must be a whole number in 1 … 1000000, got 0"),
    ([[7, True]], "count of pair 1 must be a whole number"),
    ([[7, 2.0]], "count of pair 1 must be a whole number"),
    ([[7, MOST_ITEMS], [8, 1]], "warmup must hold at most 1,000,000 items in all, got 1,000,001"),
    ([[7, 1]] * (MOST_DIFFERENT + 1), "warmup must hold at most 100,000 different items, got 100,001"),
]


@pytest.mark.parametrize(("pairs", "rule"), WRONG)
def test_what_is_no_warm_up_is_refused_without_its_items(pairs: object, rule: str) -> None:
    with pytest.raises(InvalidField, match=rule) as refused:
        Donation.of(RangeDomain(30), pairs)
    assert "secret" not in str(refused.value)


def test_strings_that_nobody_listed_take_none() -> None:
    with pytest.raises(InvalidField, match="warmup must be empty for strings that nobody listed, got 1 items"):
        Donation.of(StringDomain(8), [["tea", 1]])
    assert Donation.of(StringDomain(8), []).size == 0


def test_the_largest_is_taken_and_fits_into_a_megabyte(tmp_path: Path) -> None:
    domain = RangeDomain(200_000)
    given = Donation.of(domain, [[2 * number, 10] for number in range(MOST_DIFFERENT)])
    assert given.size == MOST_ITEMS
    assert len(given.written()) < 1_000_000
    collector = open_by_hand(tmp_path, FakeClock())
    large = Task("pfr", epsilon=2.0, domain=domain, k=5)
    assert collector.create_task(large, TaskTerms("large"), given).id == large.id
    collector.close()
    assert replay(tmp_path).agrees


def test_the_order_of_the_pairs_does_not_matter_and_equal_items_add_up() -> None:
    drinks = Vocabulary(("tea", "mate", "water"))
    given = Donation.of(drinks, [["water", 1], ["tea", 2], ["water", 3]])
    assert given == Donation.of(drinks, [["tea", 2], ["water", 4]])
    assert list(given.items(drinks)) == ["tea", "tea", *["water"] * 4]


def test_only_a_hot_list_without_a_warm_up_starts_cold() -> None:
    assert [starts_cold(scheme) for scheme in SCHEMES] == [True] * 4 + [False]
    assert not any(starts_cold(scheme, warmup=1) for scheme in SCHEMES)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data") / "folder") as running:
        yield running


@pytest.fixture(scope="module")
def drinks(service: Service) -> Made:
    made = service.create(**WORDS | {"warmup": [["tea", 6], ["mate", 30]], "results": "public"})
    assert service.upload(made, ["tea"] * 60 + ["mate"] * 40).json() == {"accepted": 100}
    return made


def test_the_task_the_top_and_the_statement_say_how_much_was_raw(service: Service, drinks: Made) -> None:
    said = service.http.get(drinks.path, headers=service.admin).json()
    assert said["warmup_raw_items"] == 36
    assert service.http.get(f"{drinks.path}/top").json()["warmup_raw_items"] == 36
    stated = service.http.get(f"{drinks.path}/privacy").json()
    assert stated["warmup_raw_items"] == 36
    assert stated["raw"] == "The task started from a warm-up of 36 raw items, counted as they are: no ε covers them."
    cold = service.create(**WORDS | {"name": "Cold", "epoch": 101, "results": "public"})
    stated = service.http.get(f"{cold.path}/privacy").json()
    assert (stated["warmup_raw_items"], stated["raw"]) == (0, "Everything that is counted was randomised by a client.")


def test_every_line_says_how_much_of_it_is_raw(service: Service, drinks: Made) -> None:
    top = service.http.get(f"{drinks.path}/top", params={"k": 3}).json()["top"]
    assert {line["item"]: line["warmup"] for line in top} == {"tea": 6, "mate": 30, top[2]["item"]: 0}
    table = service.http.get(f"{drinks.path}/top", params={"k": 3, "format": "csv"}).text
    assert {row["item"]: row["warmup"] for row in csv.DictReader(io.StringIO(table))}["mate"] == "30"
    for form in ("csv", "json", "parquet"):
        found = service.http.get(f"{drinks.path}/export", params={"format": form})
        if form == "csv":
            rows: list[dict[str, Any]] = list(csv.DictReader(io.StringIO(found.text)))
        else:
            rows = found.json() if form == "json" else parquet.read_table(io.BytesIO(found.content)).to_pylist()
        assert {(row["item"], int(row["warmup"])) for row in rows} >= {("tea", 6), ("mate", 30)}
    page = service.http.get(f"/tasks/{drinks.id}").text
    assert '<span class="note">(30 raw)</span>' in page


def test_whoever_asks_for_an_item_learns_how_much_of_it_is_raw(service: Service, drinks: Made) -> None:
    answer = service.http.post(f"{drinks.path}/ask", json={"items": ["mate", "water"]}).json()
    assert [line["warmup"] for line in answer["items"]] == [30, 0]
    screen = io.StringIO()
    Console(file=screen, width=120).print(table_of(answer))
    assert "of the estimate, from the warm-up: items that nobody randomised" in screen.getvalue()
    assert "Started from a warm-up of 36 raw items, which nobody randomised." in screen.getvalue()
    page = service.http.post(f"/tasks/{drinks.id}", data={"item": "mate"}).text
    assert "of 100 reports and 36 raw items" in page
    assert "30 of them raw, from the warm-up, which nobody randomised." in page


def test_a_window_holds_nothing_raw(service: Service) -> None:
    fields = {"name": "Windows", "epsilon": 4.0, "k": 2, "domain": {"range": [0, 40]}, "epoch": 50, "results": "public"}
    made = service.create(**fields, warmup=[[7, 30]])
    for seed in range(3):
        service.upload(made, [7] * 50, seed)
    assert service.http.get(f"{made.path}/top").json()["top"][0]["warmup"] == 30
    assert service.http.get(f"{made.path}/top", params={"window": 60}).json()["top"][0]["warmup"] == 0


def test_a_result_from_before_there_were_warm_ups_is_read_and_keeps_its_hash() -> None:
    old = '[["tea", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7, null]]'
    (item,) = (RankedItem(*each) for each in json.loads(old))
    assert item.warmup == 0
    assert items_as_text([item]) == old
    assert items_as_text([replace(item, warmup=3)]) == old.replace("null]", "null, null, null, null, 3]")


def test_the_page_says_what_is_raw_and_not_that_it_started_cold(service: Service, drinks: Made) -> None:
    page = service.http.get(f"/tasks/{drinks.id}").text
    assert "Estimates include the warm-up of 36 raw items, which nobody randomised." in page
    assert "<dt>Raw items of a warm-up</dt><dd>36</dd>" in page
    assert STARTED_COLD not in page
    assert "Includes a warm-up of 36 raw items." in service.http.get("/").text
    cold = service.create(**WORDS | {"name": "Cold", "epoch": 102, "results": "public"})
    service.upload(cold, ["tea"] * 102)
    page = service.http.get(f"/tasks/{cold.id}").text
    assert STARTED_COLD in page
    assert "warm-up" not in page.replace(STARTED_COLD, "")


def test_a_wrong_warm_up_creates_nothing_and_its_items_are_in_no_answer(service: Service) -> None:
    before = len(service.collector.tasks())
    for name, wrong in (("secret", [["a secret", 3]]), ("strings", [["tea", 1]])):
        fields = WORDS | {"name": name, "epoch": 103, "warmup": wrong}
        if name == "strings":
            fields |= {"domain": {"strings": 8}, "scheme": "pfr", "cells": 64, "k": 1}
        answer = service.http.post("/v1/tasks", json=fields, headers=service.admin)
        assert (answer.status_code, "a secret" in answer.text) == (400, False), answer.text
        assert "warmup must" in answer.json()["detail"]
    assert len(service.collector.tasks()) == before
