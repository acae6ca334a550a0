"""Reports, tallies and states as they were published: files in testvectors/tallies-v1 are read as they always were."""

from typing import Any

import pytest

from hgldp.errors import HgldpError
from hgldp.tallies import SealState, Tally, combine, estimate
from hgldp.tallies.accumulate import Accumulator
from hgldp.tallies.reports.layout import uploads_of
from hgldp.tallies.reports.seen import SeenUploads
from hgldp.tallies.reports.uploads import bodies_of, table_of
from tests.tallies.vectors import DIGITS, FOLDER, MAKERS, read


def named(name: str, key: str) -> Any:
    return [pytest.param(each, id=each[key]) for each in read(name)]


@pytest.mark.parametrize("vector", named("reports", "name"))
def test_reports(vector: dict[str, Any]) -> None:
    bodies = [bytes.fromhex(each["bytes"]) for each in vector["uploads"]]
    table = table_of(bodies, vector["symbol_limits"])
    assert [{**row, "upload": row["upload"].hex()} for row in table.to_pylist()] == [
        {name: each[name] for name in table.schema.names} for each in vector["uploads"]
    ]
    assert list(bodies_of(table, vector["symbol_limits"])) == bodies
    uploads, counting = uploads_of(table.to_batches()[0]), Accumulator()
    counting.add(*uploads.only(SeenUploads(len(bodies)).first(uploads.ids)))
    assert counting.tally().to_csv().decode() == vector["tally"]


@pytest.mark.parametrize("vector", named("seals", "name"))
def test_seals(vector: dict[str, Any]) -> None:
    state, tally = SealState.read(vector["state"].encode()), Tally.from_csv(vector["tally"].encode())
    assert (state.write().decode(), tally.to_csv().decode()) == (vector["state"], vector["tally"])
    sealed = estimate(state, tally)
    assert sealed.state.write().decode() == vector["next_state"]
    assert sealed.bulletin.canonical.hex() == vector["next_bulletin"]
    assert sealed.result.reports == vector["reports"]
    assert [
        [each.item, float(f"{each.estimate:.{DIGITS}g}"), each.rank_change] for each in sealed.result.top
    ] == vector["top"]
    before = SealState.read(vector["state"].encode()).counted
    after = SealState.read(vector["next_state"].encode())
    assert after.counted == combine([before, tally])


@pytest.mark.parametrize("vector", named("refused", "reason"))
def test_refused(vector: dict[str, Any]) -> None:
    with pytest.raises(HgldpError) as refused:
        (Tally.from_csv if vector["kind"] == "tally" else SealState.read)(vector["text"].encode())
    assert vector["reason"] in str(refused.value)


def test_the_files_are_what_the_generator_writes() -> None:
    """A change of the format shows here first: it needs a new version, not new vectors."""
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(MAKERS)
    for name, make in MAKERS.items():
        assert make() == read(name), name
