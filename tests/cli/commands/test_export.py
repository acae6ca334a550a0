"""`hgldp export`: all epochs, or those that were asked for."""

import json

import pytest

from tests.cli.conftest import run
from tests.collector.live_service import WORDS, Service

pytestmark = pytest.mark.usefixtures("tokens")


@pytest.fixture(scope="module")
def task(service: Service) -> str:
    """Four epochs have ended."""
    made = service.create(**WORDS)
    for seed in range(4):
        service.upload(made, ["tea"] * 100, seed)
    return made.id


@pytest.mark.parametrize(
    ("options", "epochs"),
    [
        ((), {0, 1, 2, 3}),
        (("--first", "1", "--last", "2"), {1, 2}),
        (("--first", "3"), {3}),
        (("--last", "0"), {0}),
        (("--first", "9"), set()),
    ],
)
def test_the_epochs_that_were_asked_for(
    service: Service, task: str, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], epochs: set[int]
) -> None:
    words = ("export", "--url", service.url, "--task", task, "--format", "json")
    code, out, _ = run(capsys, *words, *options)
    assert (code, {row["epoch"] for row in json.loads(out)}) == (0, epochs)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--first", "-1"), "--first must be a whole number of at least 0, got -1"),
        (("--first", "3", "--last", "2"), "--last must be a whole number of at least 3, got 2"),
        (("--last", "x"), "--last must be a whole number, got x"),
    ],
)
def test_epochs_that_cannot_be_are_refused(
    service: Service, task: str, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], reason: str
) -> None:
    code, _, err = run(capsys, "export", "--url", service.url, "--task", task, *options)
    assert (code, reason in err) == (2, True), err
