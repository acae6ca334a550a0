"""The wire as it was published: bytes in testvectors/v1 are read, written and refused as they always were."""

from hashlib import sha256
from typing import Any

import pytest

from hgldp.errors import HgldpError, MalformedBytes
from hgldp.model.hints import Hints
from hgldp.model.randomness import SeededWords
from hgldp.model.reports import symbol_bytes
from hgldp.model.weights import truth_weight
from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.bulletin_with_set import set_before
from hgldp.wire.task import kept_document, read_kept_document, read_task
from hgldp.wire.upload import Upload
from tests.wire.vectors import FOLDER, MAKERS, draw, read, value_of

TASKS = {each["name"]: each for each in read("tasks")}
BULLETINS = {each["name"]: each for each in read("bulletins")}


def named(vectors: list[dict[str, Any]], *keys: str) -> Any:
    return [pytest.param(each, id=" ".join(str(each[key]) for key in keys)) for each in vectors]


@pytest.mark.parametrize("vector", named(read("words"), "seed"))
def test_words_and_draws_below_a_bound(vector: dict[str, Any]) -> None:
    words, again = SeededWords(int(vector["seed"], 16)), SeededWords(int(vector["seed"], 16))
    assert [f"{words.word():016x}" for _ in vector["words"]] == vector["words"]
    assert [f"{again.below(int(bound, 16)):x}" for bound in vector["bounds"]] == vector["below"]


@pytest.mark.parametrize("vector", named(read("tasks"), "name"))
def test_tasks(vector: dict[str, Any]) -> None:
    task = read_task(vector["canonical"].encode())
    assert task.canonical == vector["canonical"].encode()
    assert task.id.hex() == vector["id"]
    assert str(task.budget.per_report) == vector["epsilon_per_report"]
    assert f"{truth_weight(task.budget.per_report):x}" == vector["truth_weight"]


@pytest.mark.parametrize("vector", named(read("bulletins"), "name"))
def test_bulletins(vector: dict[str, Any]) -> None:
    data, task = bytes.fromhex(vector["canonical"]), read_task(TASKS[vector["task"]]["canonical"].encode())
    bulletin = read_bulletin(data, vector["version"])
    assert (bulletin.canonical, bulletin.epoch, bulletin.task) == (data, vector["epoch"], task.id)
    scheme: Any = scheme_of(task)
    scheme.check_bulletin(bulletin)
    assert scheme.symbol_limit(bulletin) == vector["symbol_limit"]
    assert symbol_bytes(vector["symbol_limit"]) == vector["symbol_bytes"]
    assert set_before(bulletin, scheme).hex() == vector["set"]


@pytest.mark.parametrize("vector", named(read("reports"), "bulletin", "seed"))
def test_reports(vector: dict[str, Any]) -> None:
    published = BULLETINS[vector["bulletin"]]
    task = read_task(TASKS[published["task"]]["canonical"].encode())
    bulletin: Any = read_bulletin(bytes.fromhex(published["canonical"]))
    items = vector["items"] * vector["times"]
    assert draw(task, bulletin, items, int(vector["seed"], 16)) == vector["symbols"]
    if "cells" in vector:
        assert [bulletin.symbol(value_of(task, item)) for item in vector["items"]] == vector["cells"]


@pytest.mark.parametrize("vector", named(read("uploads"), "bulletin", "id"))
def test_uploads(vector: dict[str, Any]) -> None:
    data, published = bytes.fromhex(vector["bytes"]), BULLETINS[vector["bulletin"]]
    upload = Upload.decode(data)
    assert (upload.id.hex(), upload.bulletin.hex()) == (vector["id"], published["version"])
    assert upload.symbols(published["symbol_limit"]) == vector["symbols"]
    made = Upload.of(upload.id, upload.bulletin, vector["symbols"], published["symbol_limit"])
    assert made.encode() == data


HINTS = read("hints")
THE_LIST = Hints.read(bytes.fromhex(HINTS[0]["list"]))


def test_the_task_with_a_list_and_the_list() -> None:
    task = read_task(HINTS[0]["canonical"].encode())
    assert (task.canonical.decode(), task.id.hex()) == (HINTS[0]["canonical"], HINTS[0]["id"])
    assert sha256(THE_LIST.data).hexdigest() == HINTS[0]["sha256"]
    assert read_kept_document(kept_document(task.canonical, THE_LIST)) == (task.canonical, THE_LIST)


@pytest.mark.parametrize("vector", named([each for each in HINTS if each["kind"] == "reports"], "name", "seed"))
def test_bulletins_and_reports_with_a_list(vector: dict[str, Any]) -> None:
    task = read_task(HINTS[0]["canonical"].encode()).with_hints(THE_LIST)
    bulletin = read_bulletin(bytes.fromhex(vector["canonical"]), vector["version"])
    scheme: Any = scheme_of(task)
    assert (bulletin.canonical.hex(), bulletin.task) == (vector["canonical"], task.id)
    assert scheme.symbol_limit(bulletin) == vector["symbol_limit"]
    assert symbol_bytes(vector["symbol_limit"]) == vector["symbol_bytes"]
    assert set_before(bulletin, scheme).hex() == vector["set"]
    assert [scheme.symbol(task.encode(item), bulletin) for item in vector["items"]] == vector["cells"]
    items = vector["items"] * vector["times"]
    assert draw(task, bulletin, items, int(vector["seed"], 16)) == vector["symbols"]


@pytest.mark.parametrize("vector", named([each for each in HINTS if each["kind"] == "refused"], "what", "reason"))
def test_refused_with_a_list(vector: dict[str, Any]) -> None:
    readers: dict[str, Any] = {"task": read_task, "bulletin": read_bulletin, "list": Hints.read}
    with pytest.raises(HgldpError) as wrong:
        readers[vector["what"]](bytes.fromhex(vector["bytes"]))
    assert vector["reason"] in str(wrong.value)


def refuse(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["bytes"])
    if vector["kind"] == "task":
        read_task(data)
    elif vector["kind"] == "bulletin":
        read_bulletin(data, vector.get("version"))
    else:
        Upload.decode(data).symbols(vector["symbol_limit"])


@pytest.mark.parametrize("vector", named(read("refused"), "kind", "reason"))
def test_refused(vector: dict[str, Any]) -> None:
    with pytest.raises(MalformedBytes) as refused:
        refuse(vector)
    assert vector["reason"] in str(refused.value)
    assert isinstance(refused.value, HgldpError)


def test_the_files_are_what_the_generator_writes() -> None:
    """A change of the wire shows here first: it needs a new version, not new vectors."""
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(MAKERS)
    for name, make in MAKERS.items():
        assert make() == read(name), name
