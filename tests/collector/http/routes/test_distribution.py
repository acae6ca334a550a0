"""How shares are spread, asked of a running collector: by whoever may read, for pfr over a list alone."""

import csv
from collections.abc import Iterator

import httpx
import pytest

from hgldp.collector.http.documents.distribution import COLUMNS
from hgldp.collector.problems import Problem
from tests.collector.live_service import NUMBERS, WORDS, Made, Service, live_service

EVENTS: list[object] = [*[7] * 120, *[-5] * 60, *[94] * 20]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data") / "folder") as running:
        yield running


@pytest.fixture(scope="module")
def numbers(service: Service) -> Made:
    made = service.create(**NUMBERS)
    for seed in range(7):
        assert service.upload(made, EVENTS, seed).status_code == 200
    return made


def asked(service: Service, made: Made, query: str = "") -> httpx.Response:
    return service.http.get(f"{made.path}/distribution{query}", headers=service.admin)


def test_it_tells_the_decades_above_the_noise_and_what_is_below(service: Service, numbers: Made) -> None:
    found = asked(service, numbers).json()
    assert (found["reports"], found["covered"], found["window"], found["level"]) == (1400, 1400, None, 0.95)
    assert [each["low"] for each in found["decades"]] == [0.1]
    (heavy,) = found["decades"]
    assert heavy["items_low"] <= 3 <= heavy["items_high"]
    assert found["told_above"] == 0.1
    assert heavy["items"] + found["below"]["items"] == pytest.approx(101), "with the one that stands for all others"
    assert heavy["share"] + found["below"]["share"] == pytest.approx(1)


def test_a_window_and_a_file(service: Service, numbers: Made) -> None:
    assert 0 < asked(service, numbers, "?window=400").json()["covered"] < 1400
    none = asked(service, numbers, "?window=1").json()
    assert (none["covered"], none["decades"]) == (0, [])
    assert none["least_window"] > 1
    rows = list(csv.DictReader(asked(service, numbers, "?format=csv").text.splitlines()))
    assert tuple(rows[0]) == COLUMNS
    assert [row["high"] for row in rows] == ["1.0", "0.1"]


def test_before_any_report_nothing_is_told(service: Service) -> None:
    found = asked(service, service.create(**{**NUMBERS, "name": "Empty", "k": 2})).json()
    assert (found["covered"], found["decades"], found["below"]["share_high"]) == (0, [], 1.0)


def test_a_hot_list_has_no_such_answer_and_a_stranger_gets_none(service: Service, numbers: Made) -> None:
    words = service.create(**WORDS)
    refused = asked(service, words)
    assert (refused.status_code, refused.json()["type"]) == (400, Problem.MALFORMED_QUERY.type)
    assert "must be pfr" in refused.json()["detail"]
    assert service.http.get(f"{words.path}/distribution").status_code == 401
    for query in ("?window=0", "?k=3"):
        assert asked(service, numbers, query).status_code == 400
