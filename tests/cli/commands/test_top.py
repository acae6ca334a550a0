"""`hgldp top`: what a task found, as people see it."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from hgldp.cli import main
from hgldp.cli.commands.top import run as top_command
from hgldp.cli.service import Service as Caller
from hgldp.cli.service import Unreachable
from hgldp.model.task import Task
from hgldp.wire import api
from tests.cli.conftest import create, run
from tests.collector.live_service import Service

pytestmark = pytest.mark.usefixtures("tokens")


LINE = {
    "rank": 1, "item": "tea", "estimate": 9, "standard_error": 1.0, "low": 1, "high": 19, "since": 9, "rank_change": 0,
    "rank_low": None, "rank_high": None, "may_be_noise": False,
}  # fmt: skip
ANSWER = {"scheme": "pfr", "epoch": 4, "reports": 99, "window": None, "covered": 99, "clear_top": True}


def shown(answer: dict[str, object], width: int = 100, *, terminal: bool = False, how_long: str = "") -> str:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=terminal, width=width, highlight=False)
    console.print(top_command.table_of(answer, how_long))
    return screen.getvalue()


def test_what_may_be_noise_is_dim_and_says_so_in_a_pipe_too() -> None:
    """The collector has judged, and nobody judges again: the numbers here would say the opposite."""
    for noise, error in ((True, 0.1), (False, 5.0), (None, 5.0)):
        answer = {**ANSWER, "top": [{**LINE, "may_be_noise": noise, "standard_error": error}]}
        (row,) = (each for each in shown(answer, terminal=True).splitlines() if "tea" in each)
        assert ("\x1b[2m" in row) is bool(noise)
        piped = shown(answer)
        (row,) = (each for each in piped.splitlines() if "tea" in each)
        assert row.rstrip().endswith("maybe") is bool(noise)
        assert ("noise?  maybe: it does not stand out from an ordinary item" in piped) is bool(noise)
        assert ("noise?" in piped) is bool(noise)


def test_noise_has_not_moved() -> None:
    for noise, moved in ((True, False), (False, True)):
        told = shown({**ANSWER, "top": [{**LINE, "rank_change": 4, "may_be_noise": noise}]})
        assert ("▲4" in told) is moved


def test_a_window_is_compared_with_none() -> None:
    for change, told in ((4, "▲4"), (None, "new")):
        top = {"top": [{**LINE, "rank_change": change}]}
        assert told in shown({**ANSWER, **top})
        assert told not in shown({**ANSWER, **top, "window": 50, "covered": 48})


def test_changes_of_rank_are_explained_where_there_are_any() -> None:
    for change, legend in ((0, False), (2, True), (None, True)):
        assert ("change of rank" in shown({**ANSWER, "top": [{**LINE, "rank_change": change}]})) is legend


def test_nothing_is_new_before_there_is_an_earlier_list() -> None:
    newcomer = {**LINE, "rank_change": None}
    for epoch, compared in ((0, False), (1, False), (2, True)):
        assert ("new" in shown({**ANSWER, "epoch": epoch, "top": [newcomer]})) is compared


def test_a_half_life_is_said() -> None:
    told = shown({**ANSWER, "half_life": 2_000, "top": [LINE]})
    assert told.startswith("Epoch 4, 99 reports, the recent ones counting most\n")
    assert "one counts half after 2,000 more (half-life)" in " ".join(told.split())
    for none in ({"half_life": 0}, {}, {"half_life": 0, "window": 50, "covered": 48}):
        assert "recent" not in shown({**ANSWER, **none, "top": [LINE]})


def test_small_numbers_do_not_look_certain() -> None:
    small = {**LINE, "estimate": 0.27, "standard_error": 0.31, "low": -0.34, "high": 0.88}
    (row,) = (each.split() for each in shown({**ANSWER, "top": [small]}).splitlines() if "tea" in each)
    assert row == ["1", "tea", "0.3", "0.3", "-0.3", "…", "0.9"]


def test_likely_ranks_are_shown_where_they_are_known() -> None:
    known = {**LINE, "rank_low": 1, "rank_high": 3}
    answer = {**ANSWER, "top": [known, {**LINE, "rank": 2, "rank_low": 2, "rank_high": 2}, {**LINE, "rank": 3}]}
    rows = [each.split() for each in shown(answer).splitlines() if "tea" in each]
    assert [row[: row.index("tea")] for row in rows] == [["1", "1–3"], ["2", "2"], ["3"]]
    assert "likely  the best and the worst rank that it is likely to have" in shown(answer)
    assert "likely" not in shown({**ANSWER, "top": [LINE]})


def test_a_collector_of_an_earlier_version_is_read_too() -> None:
    later = ("rank_low", "rank_high", "may_be_noise")
    answer = {name: value for name, value in ANSWER.items() if name != "clear_top"}
    told = shown({**answer, "top": [{name: value for name, value in LINE.items() if name not in later}]})
    assert "tea" in told
    assert not any(word in told for word in ("No clear top", "noise", "likely"))


def test_no_clear_top_is_said_above_the_lines() -> None:
    noise = {**LINE, "may_be_noise": True}
    flat = shown({**ANSWER, "clear_top": False, "top": [noise]})
    assert flat.index("No clear top: none of these items stands out from chance.") < flat.index("tea")
    for clear in (True, None):
        assert "No clear top" not in shown({**ANSWER, "clear_top": clear, "top": [noise]})
    assert "Nothing stands out yet." in shown({**ANSWER, "clear_top": False, "top": []})


class Documents(Caller):
    """A collector that has only the document of a task."""

    def __init__(self, task: Task) -> None:
        super().__init__("http://127.0.0.1:1", None)
        self._task = task

    def fetch(self, path: str, document: object = None, *, most_bytes: int = 0, **query: object) -> bytes:
        assert path == api.DOCUMENT.format(id=self._task.id.hex())
        return self._task.canonical


def test_a_task_over_strings_says_how_many_reports_it_takes() -> None:
    nothing = {**ANSWER, "clear_top": False, "top": []}
    strings, listed = (Task("pfr", epsilon=4.0, k=4, domain=domain) for domain in (64, range(100)))
    told = top_command.how_long(Documents(strings), strings.id.hex(), nothing)
    assert "about 4 epochs, a long or rare one more: 4 have 3,224 reports here, and 99 have come." in told
    assert told in " ".join(shown(nothing, how_long=told).split())
    assert top_command.how_long(Documents(listed), listed.id.hex(), nothing) == ""
    for needs_none in ({**nothing, "top": [LINE]}, {**nothing, "reports": 0, "covered": 0}):
        assert top_command.how_long(Documents(listed), "", needs_none) == ""
    assert top_command.how_long(Caller("http://127.0.0.1:1", None), strings.id.hex(), nothing) == ""


def test_a_full_table_fits_into_eighty_columns() -> None:
    line = {**LINE, "item": "turquoise umbrella", "estimate": -123456, "low": -123456, "high": 123456}
    line |= {"standard_error": 12345, "rank_low": 101, "rank_high": 140, "rank_change": -12}
    for width in (80, 100):
        found = shown({**ANSWER, "top": [line, {**line, "may_be_noise": True}]}, width).splitlines()
        assert max(map(len, found)) <= width
        moved, noise = (each.split() for each in found if "turquoise umbrella" in each)
        assert (moved[0], moved[1], moved[2], noise[-1]) == ("1", "101–140", "▼12", "maybe")
        assert ("No room for ±." in found) is (width == 80)
        assert any("one standard error" in each for each in found) is (width != 80)


def test_a_hot_list_of_a_collector_says_that_it_started_cold() -> None:
    for scheme, cold in (
        ("bgr", True),
        ("dsr", True),
        ("bdr", True),
        ("cnr", True),
        ("pfr", False),
        ("unknown here", False),
    ):
        told = shown({**ANSWER, "scheme": scheme, "top": [LINE]})
        assert ("No warm-up: what came before an item was tracked" in told) is cold


def test_before_any_report_the_warm_up_ranks_and_says_that_it_is_alone() -> None:
    none = {**ANSWER, "reports": 0, "covered": 0, "warmup_raw_items": 36, "top": [{**LINE, "warmup": 9}]}
    told = shown(none)
    assert "No reports yet: this is the warm-up alone, 36 raw items that nobody randomised." in told
    assert [line.split()[1:4] for line in told.splitlines() if "tea" in line] == [["tea", "9", "9"]]
    assert "Started from" not in told
    assert "No reports yet." in shown({**none, "warmup_raw_items": 0, "top": []})
    assert "No reports yet." in shown({**none, "window": 9, "top": []})


def test_watching_goes_on_while_the_collector_is_away(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Away at the second look, there at the third, Ctrl-C at the fourth."""
    made, looks = create(service, capsys, "--half-life", "777"), iter(range(100))
    real = Caller.get

    def sometimes(self: Caller, path: str, **query: object) -> object:
        look = next(looks)
        if look == 1:
            raise Unreachable("no collector answers")
        if look == 3:
            raise KeyboardInterrupt
        return real(self, path, **query)

    monkeypatch.setattr(top_command.Service, "get", sometimes)
    code, out, _ = run(capsys, "top", "--url", service.url, "--task", made["id"], "--watch", "--every", "0.01")
    assert code == 130
    assert next(looks) == 4
    assert out.count("Epoch 0, 0 reports") == 3, "a table for each look, since this is no terminal"
    assert out.count("no collector answers; trying again") == 1


def test_a_watched_table_reaches_a_pipe_at_once(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, seen = create(service, capsys, "--half-life", "776"), []

    def sleep(_: float) -> None:
        seen.append(capsys.readouterr().out)
        if len(seen) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(top_command.time, "sleep", sleep)
    assert main(["top", "--url", service.url, "--task", made["id"], "--watch"]) == 130
    assert [each.count("Epoch 0, 0 reports") for each in seen] == [1, 1]


def test_a_window_that_is_too_small_is_told_so(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, file = create(service, capsys, "--half-life", "778"), tmp_path / "events.txt"
    file.write_text("7\n" * 20, encoding="utf-8")
    words = ("--url", service.url, "--task", made["id"])
    assert run(capsys, "report", str(file), *words, "--key", made["write_key"], "--max-epsilon", "4")[0] == 0
    told = "No whole epoch fits into this window: ask for 10 to 20 reports."
    assert told in run(capsys, "top", *words, "--window", "9")[1]
    assert told not in run(capsys, "top", *words, "--window", "10")[1]
    assert json.loads(run(capsys, "top", *words, "--window", "20", "--json")[1])["covered"] == 20


def test_the_task_may_be_given_alone_or_after_its_option(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    made, url = create(service, capsys, "--half-life", "779"), ("--url", service.url)
    for command, last in (("top", "--json"), ("export", "--format=json")):
        told = run(capsys, command, *url, "--task", made["id"], last)
        assert told[0] == 0
        for words in ((made["id"], *url, last), (*url, last, made["id"]), (*url, made["id"], last)):
            assert run(capsys, command, *words) == told


def test_a_look_must_come_again_some_time(capsys: pytest.CaptureFixture[str]) -> None:
    for seconds in ("0", "-1", "nan", "inf"):
        code, _, err = run(capsys, "top", "--task", "x", "--watch", f"--every={seconds}")
        assert (code, "--every must be a number of seconds above 0" in err) == (2, True)
