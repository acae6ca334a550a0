"""A collector's folder or a shared store, followed offline."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from hgldp.collector.log.reading import Frozen
from hgldp.tallies import SealState, Tally
from hgldp.tallies.from_collector import state_of
from tests.cli.commands.tally_and_seal.conftest import Capture, seal
from tests.cli.conftest import run
from tests.collector.fakes import FakeClock, create, now, upload
from tests.collector.homes import DatabaseHome
from tests.tallies.lives import LISTED, Life, live


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Life:
    return live(tmp_path_factory.mktemp("life"), LISTED, uploads=40)


def test_a_collector_is_followed_offline(tmp_path: Path, capsys: Capture, life: Life) -> None:
    folder = ("--data", str(life.folder), "--task", life.row.id.hex()[:8])
    code, _, _ = seal(capsys, tmp_path, *folder, "--output-state", "s.json")
    assert code == 0
    with closing(Frozen(life.folder)) as log:
        assert (tmp_path / "s.json").read_bytes() == state_of(log, life.row).write()
    state = SealState.start(LISTED, life.row.seed)
    (tmp_path / "0.json").write_bytes(state.write())
    for number, published in enumerate(life.results[:3]):
        tally = str(tmp_path / f"{number}.csv")
        assert run(capsys, "tally", *folder, "--epoch", str(number), "--output", tally)[0] == 0
        files = ("--tally", f"{number}.csv", "--output-state", f"{number + 1}.json", "--bulletin", "b.bin", "--json")
        code, out, _ = seal(capsys, tmp_path, "--state", f"{number}.json", *files)
        assert code == 0
        assert [each["estimate"] for each in json.loads(out)["result"]["top"]] == [
            each.estimate for each in published.result.top
        ]
        assert (tmp_path / "b.bin").read_bytes() == life.bulletins[number + 1].data
    reports = str(tmp_path / "all.parquet")
    code, out, _ = run(capsys, "tally", *folder, "--reports", reports)
    assert code == 0
    assert run(capsys, "tally", reports)[1] == out


def test_collectors_that_share_a_store_are_followed_offline(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, postgres_url: str
) -> None:
    collector = DatabaseHome(postgres_url).collector(FakeClock())
    (view,) = create(collector, LISTED)
    for seed in range(12):
        collector.offer(now(collector, view), upload(now(collector, view), 9, seed=seed))
        collector.step()
    (row,), bulletins = collector.storage.tasks(), collector.storage.bulletins(view.number)
    collector.close()
    assert len(bulletins) > 2
    shared = ("--store", postgres_url, "--task", "pfr")
    (tmp_path / "0.json").write_bytes(SealState.start(LISTED, row.seed).write())
    for epoch in range(len(bulletins) - 1):
        tally = str(tmp_path / f"{epoch}.csv")
        assert run(capsys, "tally", *shared, "--epoch", str(epoch), "--output", tally)[0] == 0
        files = ("--tally", f"{epoch}.csv", "--output-state", f"{epoch + 1}.json", "--bulletin", f"{epoch}.bin")
        assert seal(capsys, tmp_path, "--state", f"{epoch}.json", *files)[0] == 0
        assert (tmp_path / f"{epoch}.bin").read_bytes() == bulletins[epoch + 1].data
    reports = str(tmp_path / "all.parquet")
    code, out, _ = run(capsys, "tally", *shared, "--reports", reports)
    assert (code, Tally.from_csv(out.encode()).reports) == (0, 12 * 9)
    monkeypatch.setenv("HGLDP_STORE", postgres_url)
    assert run(capsys, "tally", reports)[1] == out == run(capsys, "tally", "--task", "pfr")[1]
    assert seal(capsys, tmp_path, "--task", "pfr", "--output-state", "s.json")[0] == 0
    assert (tmp_path / "s.json").read_bytes() == (tmp_path / f"{len(bulletins) - 1}.json").read_bytes()
