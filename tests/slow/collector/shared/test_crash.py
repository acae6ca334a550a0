"""SIGKILL of collectors and of PostgreSQL under load: what was acknowledged counts once, wherever it is sent again."""

from tests.slow.collector.shared.crash_loop import NO_IDEMPOTENCY_KEY, check, crash_loop


def test_kills_lose_nothing_and_count_nothing_twice() -> None:
    check(crash_loop(kills=3, database_kills=1, seed=1, workers=2, load_seconds=0.4, fsync="on"))


def test_uploads_without_an_idempotency_key_are_found_out() -> None:
    assert crash_loop(kills=1, database_kills=0, seed=2, workers=2, load_seconds=0.3, plant=NO_IDEMPOTENCY_KEY).twice
