"""Everybody runs on the same streams, on the terms that the title says."""

from pathlib import Path

from benchmarks.cold.contestants import (
    BIG,
    HR,
    LARGE,
    METRICS,
    OLH,
    SMALL,
    STREAMS,
    WIDE,
    Piece,
    pieces,
    run_piece,
    warmed,
)
from hgldp.experiments.measuring.streams import Library
from hgldp.simulation.drift import DRIFTS
from hgldp.simulation.generators import is_generator, parse_generator
from hgldp.simulation.metrics import score
from hgldp.simulation.run import Plan, run

TINY = "seasons:n=3000,d=100,s=1.1"


def test_every_kind_of_drift_is_among_the_streams() -> None:
    kinds = [parse_generator(text).kind for text in STREAMS if is_generator(text)]
    assert kinds == ["normal", "zipf", *DRIFTS]


def test_a_warm_up_changes_the_start_and_nothing_else() -> None:
    warm, cold = warmed(SMALL, 0.01).measurement(TINY, 2.0, 3), SMALL.measurement(TINY, 2.0, 3)
    assert (warm.warmup, cold.warmup) == ("1%", "0")
    assert (warm.settings, warm.scheme) == (cold.settings, cold.scheme)


def test_oracles_and_both_memories_run_on_each_stream_of_each_seed() -> None:
    work = list(pieces((TINY, LARGE), (2.0,), 2, 0.0, Library()))
    assert [(one.stream, one.seed) for one in work] == [(TINY, 1), (LARGE, 1), (TINY, 2), (LARGE, 2)]
    assert work[0].contestants == (SMALL, BIG, OLH, HR)
    assert work[1].contestants == (WIDE,)
    (warm,) = pieces((TINY,), (2.0,), 1, 0.01, Library())
    assert [one.title for one in warm.contestants[4:]] == ["pfr, 16 kB, 1 % raw", "pfr, 48 kB, 1 % raw"]


def test_a_piece_has_the_scores_of_a_simulation_with_that_much_memory() -> None:
    runs = run_piece(Piece(TINY, 4, (SMALL, BIG, HR), (4.0,)))
    assert [(stream, title, epsilon, seed) for stream, title, epsilon, seed, _ in runs] == [
        (TINY, one.title, 4.0, 4) for one in (SMALL, BIG, HR)
    ]
    drawn = Library().draw(TINY, 4)
    for memory, (*_, values) in zip((16_384, 49_152), runs[:2], strict=True):
        outcome = run(Plan("pfr", 4.0, 20, memory=memory), drawn.items, 100, 0, 4)
        wanted = score(outcome.estimates, drawn.truth, 20)
        assert (values["precision"], values["ndcg"], values["aae"]) == (wanted.precision, wanted.ndcg, wanted.aae)
    assert all(set(values) == set(METRICS) for *_, values in runs)


def test_a_piece_reads_data_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "retail.dat").write_text(" ".join(str(item) for item in range(1, 31)) + "\n" + "7 9 " * 2_000)
    ((_, _, _, _, values),) = run_piece(Piece("retail", 1, (HR,), (8.0,), tmp_path))
    assert values["aae"] < 50
