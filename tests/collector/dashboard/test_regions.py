import pytest

from hgldp.collector.dashboard.regions import window_choices
from hgldp.collector.dashboard.templates import region
from hgldp.collector.views import PublishedEpoch, TaskView
from tests.collector.fake_collector import line, numbers_task, published, strings_task, view


def windows(task: TaskView, chosen: int | None) -> str:
    return region("windows", task, window_choices(task, chosen), chosen, "")


def scrubber(task: TaskView, shown: PublishedEpoch | None) -> str:
    return region("scrubber", task, shown, "")


@pytest.mark.parametrize(
    ("reports", "epoch_length", "expected"),
    [
        (900, 1000, ()),
        (48_000, 13_352, (20_000,)),
        (60_000, 13_352, (50_000, 20_000)),
        (2_000_000, 5_000, (1_000_000, 50_000, 5_000)),
    ],
)
def test_windows_lie_between_an_epoch_and_everything(
    reports: int, epoch_length: int, expected: tuple[int, ...]
) -> None:
    assert window_choices(view(numbers_task(), reports=reports, epoch_length=epoch_length)) == expected


def test_a_window_of_ones_own_is_shown_as_the_chosen_one() -> None:
    task = view(numbers_task(), reports=60_000, epoch_length=13_352)
    assert 'aria-current="true">Last 30k<' in windows(task, 30_000)
    assert windows(task, 30_000).count("aria-current") == 4
    assert windows(task, 20_000).count("aria-current") == windows(task, None).count("aria-current") == 3


def test_strings_have_no_windows() -> None:
    assert window_choices(view(strings_task(), reports=10**6, epoch_length=10)) == ()


def test_the_slider_ends_in_the_present() -> None:
    task = view(numbers_task(), epoch=7)
    assert 'max="7" value="7"' in scrubber(task, None)
    assert 'max="7" value="2"' in scrubber(task, published(2, 10, [line(1, 1.0)]))
    assert scrubber(view(numbers_task()), None) == ""
    assert "The end" in scrubber(view(numbers_task(), epoch=7, closed=5.0), None)
