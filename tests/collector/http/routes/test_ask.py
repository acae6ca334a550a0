"""Asking a running collector for any items: by whoever may read, in a body with an end, and never by an address."""

import csv
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from hgldp.collector.http.documents.question import MOST_BYTES
from hgldp.collector.problems import Problem
from hgldp.wire.api import MOST_ASKED
from tests.collector.live_service import NUMBERS, WORDS, Made, Service, live_service

EVENTS = [7] * 120 + [-5] * 60 + [94] * 20


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


@pytest.fixture(scope="module")
def words(service: Service) -> Made:
    made = service.create(**WORDS)
    assert service.upload(made, ["tea"] * 150 + ["mate"] * 50).status_code == 200
    return made


def ask(service: Service, made: Made, items: list[Any], query: str = "", **more: Any) -> httpx.Response:
    return service.http.post(f"{made.path}/ask{query}", json={"items": items, **more}, headers=service.admin)


def is_problem(answer: httpx.Response, problem: Problem) -> bool:
    return (answer.status_code, answer.json()["type"]) == (problem.status, problem.type)


def test_it_answers_in_the_order_asked_about_all_reports(service: Service, numbers: Made) -> None:
    found = ask(service, numbers, [94, 7, 50, 7]).json()
    assert [line["item"] for line in found["items"]] == [94, 7, 50, 7]
    assert (found["reports"], found["covered"], found["window"]) == (1400, 1400, None)
    rare, hot, never, again = found["items"]
    assert hot == again
    assert hot["low"] <= 840 <= hot["high"]
    assert (hot["may_be_noise"], never["may_be_noise"]) == (False, True)
    assert abs(never["estimate"]) < 5 * never["standard_error"]
    assert never["high"] < rare["high"] + 100


def test_digits_in_a_text_are_a_number_and_a_window_is_for_the_last_reports(service: Service, numbers: Made) -> None:
    assert [line["item"] for line in ask(service, numbers, ["-5", " 7 "]).json()["items"]] == [-5, 7]
    found = ask(service, numbers, [7], window=400).json()
    assert 0 < found["covered"] < 1400
    assert found["items"][0]["estimate"] < 500
    assert found["least_window"] is None
    none = ask(service, numbers, [7], window=1).json()
    assert (none["covered"], none["items"][0]["low"], none["items"][0]["high"]) == (0, 0.0, 1.0)
    least = none["least_window"]
    assert [ask(service, numbers, [7], window=each).json()["covered"] > 0 for each in (least - 1, least)] == [
        False,
        True,
    ]


def test_a_hot_list_says_what_an_item_without_a_cell_can_have(service: Service, words: Made) -> None:
    lines = ask(service, words, WORDS["domain"]["words"]).json()["items"]  # type: ignore[index]
    kinds = {type(line[name]) for line in lines for name in ("estimate", "low", "high")}
    assert kinds == {float}, "one type for one column"
    without = [line for line in lines if not line["since"]]
    assert without
    for line in without:
        assert (line["low"], line["may_be_noise"]) == (0.0, True)
        assert line["estimate"] <= line["high"] <= 200


def test_csv_has_the_same_and_no_formula(service: Service, words: Made) -> None:
    answer = ask(service, words, ["tea", "=coffee"], "?format=csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(answer.text.splitlines()))
    assert [row["item"] for row in rows] == ["tea", "'=coffee"]
    assert float(rows[0]["estimate"]) == ask(service, words, ["tea"]).json()["items"][0]["estimate"]


def test_who_may_read_may_ask(service: Service, words: Made, numbers: Made) -> None:
    body, reader = {"items": ["tea"]}, {"authorization": f"Bearer {words.token}"}
    assert service.http.post(f"{words.path}/ask", json=body, headers=reader).status_code == 200
    wrong = ({}, {"authorization": f"Bearer {words.key}"}, {"authorization": f"Bearer {numbers.token}"})
    for headers in wrong:
        assert is_problem(service.http.post(f"{words.path}/ask", json=body, headers=headers), Problem.TOKEN_NEEDED)
    nobody = service.http.post(f"/v1/tasks/{'0' * 64}/ask", json=body, headers=service.admin)
    assert is_problem(nobody, Problem.UNKNOWN_TASK)
    assert service.http.post(f"{numbers.path}/ask", json={"items": [7]}).status_code == 200


@pytest.mark.parametrize("item", ["a secret", 4242, "", -6])
def test_an_item_outside_is_a_problem_without_its_text(
    service: Service, words: Made, numbers: Made, item: object
) -> None:
    for made, legal in ((words, "tea"), (numbers, 7)):
        refused = ask(service, made, [legal, item])
        assert is_problem(refused, Problem.UNKNOWN_ITEM)
        assert "item 2 of those asked for" in refused.json()["detail"]
        assert not {"secret", "4242"} & set(refused.text.split())
        assert "secret" not in refused.text


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{}", b'{"items": []}', b'{"items": "tea"}', b'{"items": [1.5]}', b'{"items": [true]}', b"\xff",
     b'{"items": [null]}', b'{"items": [["tea"]]}', b'{"items": [7], "k": 3}', b'{"items": [7], "window": 0}',
     b'{"items": [7], "window": "9"}', b'{"items": ["\\ud800"]}', b'{"items": [7], "items": [8]}',
     b'{"items": [7], "window": 1e400}', b'{"items": [' + b"7," * MOST_ASKED + b"7]}"],
)  # fmt: skip
def test_a_body_that_asks_nothing_legal_is_refused(service: Service, numbers: Made, body: bytes) -> None:
    answer = service.http.post(f"{numbers.path}/ask", content=body, headers={"content-type": "application/json"})
    assert is_problem(answer, Problem.MALFORMED_QUESTION), answer.text


def test_bodies_and_methods_have_bounds(service: Service, numbers: Made, words: Made) -> None:
    most = ask(service, numbers, [7] * MOST_ASKED)
    assert len(most.json()["items"]) == MOST_ASKED
    huge = service.http.post(f"{numbers.path}/ask", content=b'{"items": ["' + b"7" * MOST_BYTES + b'"]}')
    assert is_problem(huge, Problem.TOO_LARGE)
    form = service.http.post(f"{numbers.path}/ask", data={"items": "7"})
    assert is_problem(form, Problem.WRONG_MEDIA_TYPE)
    assert service.http.get(f"{numbers.path}/ask").status_code == 405
    assert is_problem(ask(service, numbers, [7], "?items=7"), Problem.MALFORMED_QUERY)
    assert is_problem(ask(service, words, ["tea"], window=9), Problem.MALFORMED_QUESTION)


def test_asking_changes_nothing(service: Service, numbers: Made) -> None:
    before = service.http.get(numbers.path, headers=service.admin).json()
    for _ in range(3):
        ask(service, numbers, [7, 8])
    assert service.http.get(numbers.path, headers=service.admin).json() == before


def test_strings_that_nobody_listed(service: Service) -> None:
    made = service.create(name="Searches", scheme="pfr", epsilon=4.0, k=2, domain={"strings": 8}, results="public")
    assert service.upload(made, ["tea"] * 30).status_code == 200
    (line,) = ask(service, made, ["té"]).json()["items"]
    assert (line["item"], line["estimate"], line["may_be_noise"]) == ("té", 0.0, True)
    assert line["high"] <= 30
    assert is_problem(ask(service, made, ["longer than 8"]), Problem.UNKNOWN_ITEM)


def test_every_answer_and_file_says_how_it_weighs_reports(service: Service) -> None:
    """A window counts its reports alike, whatever the half-life."""
    for half_life in (0, 1_600):
        made = service.create(**NUMBERS | {"epoch": 210, "half_life": half_life})
        for seed in range(3):
            assert service.upload(made, EVENTS, seed).status_code == 200
        get = service.http.get
        found = [ask(service, made, [7]), get(f"{made.path}/top"), get(f"{made.path}/top?k=2")]
        found.append(get(f"{made.path}/history"))
        assert [each.json()["half_life"] for each in found] == [half_life] * 4
        assert get(f"{made.path}/top?window=400").json()["half_life"] == 0
        assert ask(service, made, [7], window=400).json()["half_life"] == 0
        files = [ask(service, made, [7], "?format=csv"), get(f"{made.path}/top?format=csv")]
        files += [get(f"{made.path}/{name}?format=csv") for name in ("history", "export")]
        for each in files:
            rows = list(csv.DictReader(each.text.splitlines()))
            assert {row["half_life"] for row in rows} == {str(half_life)}
