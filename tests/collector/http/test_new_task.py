"""The body that creates a task: what is legal is built by the model, everything else is refused with the reason."""

import json
from typing import Any

import pytest

from hgldp.collector.http.documents import new_task
from hgldp.collector.http.documents.new_task import read_new_task
from hgldp.collector.http.documents.task import NEW_TASK
from hgldp.collector.problems import Problem, Refused
from hgldp.model.domain import RangeDomain, StringDomain, Vocabulary
from hgldp.model.reserved import WithOther
from tests.documents import read

GOOD: dict[str, Any] = {"name": "Words", "scheme": "pfr", "epsilon": 2, "domain": {"strings": 64}, "k": 5}


def body(**changes: Any) -> bytes:
    return json.dumps({name: value for name, value in (GOOD | changes).items() if value is not ...}).encode()


def test_a_short_body_gets_the_defaults_of_the_library() -> None:
    task, terms, _ = read_new_task(body())
    assert (task.scheme, task.k, task.rules.cells, task.domain) == ("pfr", 5, 1024, StringDomain(64))
    assert (terms.name, terms.results, terms.origins) == ("Words", "token", ("*",))


def test_the_scheme_is_pfr_unless_another_is_named() -> None:
    task, _, _ = read_new_task(json.dumps({name: value for name, value in GOOD.items() if name != "scheme"}).encode())
    assert task.scheme == "pfr"


def test_every_key_reaches_its_place() -> None:
    task, terms, _ = read_new_task(
        body(
            level="window", events=3, cells=600, memory=50_000, half_life=1000, epoch=500, epoch_seconds=60,
            daily_reports=9, results="public", origins=["https://example.org"], reports_per_second=7,
            reports_per_day=8,
        )
    )  # fmt: skip
    assert (task.budget.level, task.budget.events, task.rules.cells, task.rules.memory) == ("window", 3, 600, 50_000)
    assert (task.rules.half_life, task.rules.epoch, task.epoch_seconds, task.daily_reports) == (1000, 500, 60, 9)
    assert (terms.results, terms.origins) == ("public", ("https://example.org",))
    assert (terms.reports_per_second, terms.reports_per_day) == (7, 8)


def test_a_zero_for_a_setting_of_other_schemes_is_no_setting() -> None:
    """The document of a task shows such zeros, so it can be sent again."""
    listed = {"domain": {"range": [0, 1000]}}
    hot, _, _ = read_new_task(body(scheme="dsr", memory=0, half_life=0, **listed))
    assert hot == read_new_task(body(scheme="dsr", **listed))[0]
    for zero in (0, 0.0, False):
        assert read_new_task(body(light_cells=zero))[0] == read_new_task(body())[0]
    with pytest.raises(Refused):
        read_new_task(body(scheme="dsr", memory=1, **listed))


def test_a_hot_list_may_have_another_structure() -> None:
    listed = {"scheme": "dsr", "domain": {"range": [0, 1000]}}
    plain, other = (read_new_task(body(**listed, **more))[0] for more in ({}, {"structure": "space-saving"}))
    assert (plain.rules.structure, other.rules.structure) == ("heavy-guardian", "space-saving")
    assert read_new_task(body(**listed, structure="heavy-guardian"))[0] == plain != other
    for wrong in ({**listed, "structure": "count-min"}, {**listed, "structure": []}, {"structure": "space-saving"}):
        with pytest.raises(Refused, match="structure"):
            read_new_task(body(**wrong))


def test_the_three_domains() -> None:
    assert read_new_task(body(domain={"range": [-5, 100]}))[0].domain == WithOther(RangeDomain(100, -5))
    words = read_new_task(body(domain={"words": [f"w{n}" for n in range(600)]}))[0].domain
    assert words == WithOther(Vocabulary(tuple(f"w{n}" for n in range(600))))
    assert read_new_task(body(domain={"strings": 9}))[0].domain == StringDomain(9)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"epsilon": 0}, "epsilon must be finite and above 0"),
        ({"epsilon": -1}, "epsilon must be finite and above 0"),
        ({"epsilon": 10.5}, "epsilon must be at most 10"),
        ({"epsilon": 1e-9}, "epsilon must be at least"),
        ({"epsilon": "2"}, "epsilon must be a number"),
        ({"epsilon": True}, "epsilon must be a number"),
        ({"epsilon": [2]}, "epsilon must be a number"),
        ({"scheme": "dance"}, "scheme must be one of"),
        ({"scheme": 5}, "scheme must be a text"),
        ({"scheme": "dsr"}, "domain must be listed; only pfr serves strings"),
        ({"level": "world"}, "level must be one of"),
        ({"level": "user"}, "events must be given for the level user"),
        ({"level": "user", "events": 3}, None),
        ({"events": 2}, "events must be 1 when the level is period"),
        ({"level": "event", "events": 2}, "events must be 1 when the level is event"),
        ({"level": "event", "nothing": True}, "nothing works with the level period only"),
        ({"other": False, "domain": {"range": [0, 30]}}, "other must be true"),
        ({"nothing": 1}, "nothing must be true or false"),
        ({"normalise": "accents"}, "normalise must be one of none, space, case, space and case"),
        ({"normalise": "case", "domain": {"words": ["Tea", "tea"]}, "k": 1}, "words must be distinct after the task's"),
        ({"period": "year"}, "period must be one of day, week, month"),
        ({"period": 5}, "period must be a text"),
        ({"k": 0}, "k must be a whole number"),
        ({"k": 5.0}, "k must be a whole number"),
        ({"k": 10**30}, "cells must be a whole number"),
        ({"k": 5, "domain": {"range": [0, 3]}}, "k must be at most the 4 items of the domain"),
        ({"k": 3, "domain": {"range": [0, 3]}}, None),
        ({"cells": 10}, "cells must be at least 8 times k"),
        ({"cells": None}, "cells must be left out where it has no value"),
        ({"domain": {"strings": 0}}, "strings must be a whole number in 1 … 255, got 0"),
        ({"domain": {"strings": "64"}}, "strings must be a whole number"),
        ({"domain": {"words": ["a"]}}, "words must be at least 2 words and at most 2,147,483,647, got 1"),
        ({"domain": {"words": ["a", "a"]}}, "words must be distinct"),
        ({"domain": {"words": ["a", 5]}}, "words must be a list or tuple of str"),
        ({"domain": {"range": [0]}}, "domain must be"),
        ({"domain": {"range": ["a", "b"]}}, "range start must be a whole number"),
        ({"domain": {"range": [0, 1]}}, "range size must be a whole number in 2 … 2147483647, got 1"),
        ({"domain": {"strings": 64, "words": []}}, "domain must be"),
        ({"domain": "strings"}, "domain must be"),
        ({"name": ""}, "name must have 1 … 200 characters, got 0"),
        ({"name": "two\nlines"}, "name must have printable characters"),
        ({"name": 5}, "name must be"),
        ({"name": "x" * 201}, "name must have 1 … 200 characters, got 201"),
        ({"results": "everybody"}, "results must be"),
        ({"results": ["public"]}, "results must be"),
        ({"origins": "https://example.org"}, "origins must be a list"),
        ({"origins": ["example.org"]}, "origins must be"),
        ({"origins": [5]}, "origins must be a list"),
        ({"reports_per_second": -1}, "reports_per_second must be"),
        ({"reports_per_day": 1.5}, "reports_per_day must be"),
        ({"secret_option": 1}, "no other keys"),
        ({"name": ...}, "must have the keys"),
        ({"light_cells": 3}, "light_cells works with bgr, dsr, bdr, cnr only"),
        ({"domain": {"words": ["\ud800", "b"]}}, "JSON must hold text that can be written in UTF-8"),
        ({"half_life": 2**64}, "half_life must be"),
        ({"epoch_seconds": {}}, "epoch_seconds must be"),
    ],
)
def test_an_illegal_task_is_refused_with_the_reason(changes: dict[str, Any], complaint: str | None) -> None:
    if complaint is None:
        assert read_new_task(body(**changes))
        return
    with pytest.raises(Refused) as refused:
        read_new_task(body(**changes))
    assert refused.value.problem is Problem.MALFORMED_TASK
    assert complaint in refused.value.detail
    assert len(refused.value.detail) <= 300


@pytest.mark.parametrize(
    "data",
    [
        b"", b"null", b"[]", b"{", b"\xff", b'{"a": NaN}', b"[" * 100_000, b'{"k": ' + b"9" * 5000 + b"}",
        body().replace(b'"k": 5', b'"k": 5, "k": 6'), body().replace(b'"epsilon": 2', b'"epsilon": Infinity'),
        body().replace(b'"epsilon": 2', b'"epsilon": 1e999'),
    ],
)  # fmt: skip
def test_what_is_no_json_object_is_refused(data: bytes) -> None:
    with pytest.raises(Refused) as refused:
        read_new_task(data)
    assert refused.value.problem is Problem.MALFORMED_TASK


def test_every_known_key_is_in_the_operators_page() -> None:
    page = read("docs/collector.md")
    assert [each.name for each in NEW_TASK if f"`{each.name}`" not in page] == []


@pytest.mark.parametrize("colon", [":", " :", ": "])
def test_half_a_million_keys_are_refused_before_they_are_read(monkeypatch: pytest.MonkeyPatch, colon: str) -> None:
    def slow(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(new_task, "read_json", slow)
    keys = ",".join(f'"k{number}"{colon}1' for number in range(500_000))
    with pytest.raises(Refused, match="at most 64 keys"):
        read_new_task(f"{{{keys}}}".encode())


def test_words_may_look_like_keys() -> None:
    words = [f'"{number}":' for number in range(1000)]
    task, _, _ = read_new_task(body(domain={"words": words}))
    assert task.domain == WithOther(Vocabulary(tuple(words)))
