import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import httpx
import pytest

from hgldp.collector.dashboard.pages import MEDIA_TYPES, POLICY
from hgldp.collector.views import TaskTerms
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from tests.collector.fake_collector import (
    ADMIN,
    READER,
    FakeCollector,
    line,
    numbers_task,
    published,
    served,
    strings_task,
    view,
)
from tests.patience import PATIENCE

TOP = [line(7, 900.0), line(12, 300.0, change=None)]
SEEN = view(numbers_task(), TOP, reports=30_000, epoch=2, epoch_length=1000, in_epoch=250)
SECRET = view(strings_task(), [line("tea", 9.0)], terms=TaskTerms("Secret words", "token"), reports=10)
EPOCHS = [published(0, 9_000, [line(12, 500.0)]), published(1, 15_000, [line(7, 600.0), line(12, 200.0)])]


@pytest.fixture
def collector() -> FakeCollector:
    found = FakeCollector(SEEN, SECRET)
    found.epochs[SEEN.id] = EPOCHS
    return found


@pytest.fixture
def client(collector: FakeCollector) -> Iterator[httpx.Client]:
    with served(collector) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}") as found:
        yield found


def path(found: object) -> str:
    return f"/tasks/{found.id.hex()}"


def test_an_epoch_that_is_no_longer_kept_is_404_everywhere_and_charts_begin_later(
    collector: FakeCollector, client: httpx.Client
) -> None:
    later = replace(SEEN, epoch=60, first_epoch=50)
    collector.put(later)
    collector.epochs[SEEN.id] = [published(epoch, 9_000, [line(7, 500.0)]) for epoch in range(50, 60)]
    api = f"/v1/tasks/{SEEN.id.hex()}"
    for gone in (
        f"{path(SEEN)}/epochs/49", f"{api}/history?last=49", f"{api}/export?first=3&last=20",
        f"{api}/history?last=0&format=csv",
    ):  # fmt: skip
        answer = client.get(gone)
        assert (answer.status_code, answer.json()["type"]) == (404, "urn:hgldp:problem:no-longer-kept")
        assert answer.json()["detail"] == "the first epoch that is kept is 50"
    page = client.get(f"{path(SEEN)}?epoch=49")
    assert page.status_code == 404
    assert "no longer kept" in page.text
    assert [each["epoch"] for each in client.get(f"{api}/history").json()["epochs"]] == list(range(50, 60))
    assert [each["epoch"] for each in client.get(f"{api}/history?first=40&last=51").json()["epochs"]] == [50, 51]
    assert [each["epoch"] for each in client.get(f"{api}/export?format=json").json()] == list(range(50, 60))
    shown = client.get(path(SEEN)).text
    assert 'type="range" min="50" max="60"' in shown
    assert "over 10 epochs" in shown
    assert "epoch by epoch, from epoch 50 on" in shown
    assert client.get(f"{path(SEEN)}/epochs/50").status_code == 200


def test_every_page_allows_nothing_but_our_own_files(client: httpx.Client) -> None:
    for address in ("/", path(SEEN), path(SECRET), "/tasks/nothing", *(f"/assets/{name}" for name in MEDIA_TYPES)):
        headers = client.get(address).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
    assert "unsafe" not in POLICY
    assert "http" not in POLICY


def test_a_task_page_shows_what_the_task_found(client: httpx.Client) -> None:
    text = client.get(path(SEEN)).text
    for part in (
        "Words of the week",
        "30,000",
        "250 of 1,000 reports",
        "15.4 kB",
        "ε = 1",
        ">900<",
        "802 … 998",
        "Estimated numbers of events, ranked after a correction for luck",
        "new",
    ):
        assert part in text


def test_a_task_that_is_not_public_asks_for_its_token(client: httpx.Client) -> None:
    answer = client.get(path(SECRET))
    assert answer.status_code == 401
    assert "tea" not in answer.text
    assert "Secret words" not in answer.text
    assert client.get(path(SECRET) + "/live").status_code == 401
    assert client.get(path(SECRET) + "/epochs/0").status_code == 401
    assert client.get(f"/v1{path(SECRET)}/events").status_code == 401
    assert "Secret words" not in client.get("/").text


def test_the_right_token_opens_it_and_leaves_the_address(client: httpx.Client) -> None:
    task = SECRET.id.hex()
    assert client.post("/sign-in", data={"task": task, "token": "wrong"}).status_code == 401
    answer = client.post("/sign-in", data={"task": task, "token": READER})
    assert (answer.status_code, answer.headers["location"]) == (303, path(SECRET))
    assert "httponly" in answer.headers["set-cookie"].lower()
    assert READER not in answer.headers["set-cookie"]
    assert "tea" in client.get(path(SECRET)).text


def test_the_admin_sees_all_tasks(client: httpx.Client) -> None:
    assert client.post("/sign-in", data={"token": ADMIN}).status_code == 303
    text = client.get("/").text
    assert "Secret words" in text
    assert "Sign in" not in text
    assert "Sign out" in text


def test_what_is_not_there_is_a_page_too(client: httpx.Client) -> None:
    for address, status in (("/tasks/ff", 404), (f"/tasks/{'0' * 64}", 401)):
        answer = client.get(address)
        assert answer.status_code == status
        assert "There is no such task" in answer.text
    assert client.get(path(SEEN) + "?colour=red").status_code == 400
    assert client.get(path(SEEN) + "?epoch=-1").status_code == 400
    assert client.get("/assets/nothing").status_code == 404


def test_a_past_epoch_is_a_page_and_a_part_of_one(client: httpx.Client) -> None:
    text = client.get(path(SEEN) + "?epoch=0").text
    assert "Epoch 0" in text
    assert "after 9,000 reports" in text
    assert ">900<" not in text
    parts = client.get(path(SEEN) + "/epochs/0").json()
    assert ">500<" in parts["ranking"]
    assert parts["ranking"] in text
    for none in ("7", str(1 << 63), "9" * 300, "9" * 4_301, "x", "-1", "٧"):
        assert client.get(f"{path(SEEN)}/epochs/{none}").status_code == 400
    assert ">900<" in client.get(path(SEEN) + "?epoch=99").text


def test_the_last_reports_alone_are_asked_of_the_collector(client: httpx.Client, collector: FakeCollector) -> None:
    text = client.get(path(SEEN)).text
    assert f'href="{path(SEEN)}?window=20000" aria-current="false">Last 20k<' in text
    assert "Last 100k" not in text
    text = client.get(path(SEEN) + "?window=20000").text
    assert collector.asked == [(10, 20_000)]
    assert 'aria-current="true">Last 20k<' in text
    assert "Counts cover the last 17,000 reports, because a window consists of whole epochs." in text
    assert text.index(">300<") < text.index(">900<")
    client.get(path(SEEN) + "?window=20000")
    assert len(collector.asked) == 1, "nothing was counted in between"


def test_schemes_without_windows_offer_none(client: httpx.Client, collector: FakeCollector) -> None:
    collector.put(replace(SECRET, terms=TaskTerms("Words", "public"), reports=10**6))
    assert "window=" not in client.get(path(SECRET)).text


def test_an_empty_task_says_how_to_send_the_first_report(client: httpx.Client, collector: FakeCollector) -> None:
    collector.put(replace(SEEN, reports=0, top=(), epoch=0))
    text = client.get(path(SEEN)).text
    assert "No reports yet" in text
    assert f"--task {SEEN.id.hex()}" in text
    assert "reporter.report(0)" in text
    assert "Export" not in text
    collector.put(replace(SEEN, reports=0, top=(), epoch=0, closed=5.0))
    assert "Closed without a single report" in client.get(path(SEEN)).text


def test_reports_without_a_find_say_so(client: httpx.Client, collector: FakeCollector) -> None:
    collector.put(replace(SEEN, top=()))
    text = client.get(path(SEEN)).text
    assert "Nothing stands out yet" in text
    assert "This epoch ends after 1,000 reports." in text
    collector.put(replace(SECRET, terms=TaskTerms("Words", "public"), top=()))
    assert "Finding a string takes several epochs" in client.get(path(SECRET)).text


def test_no_task_at_all_says_how_to_create_one() -> None:
    with served(FakeCollector()) as port:
        address = f"http://127.0.0.1:{port}/"
        assert "No public tasks" in httpx.get(address).text
        assert "hgldp task create" in httpx.get(address, headers={"authorization": f"Bearer {ADMIN}"}).text


def test_a_file_is_fetched_once(client: httpx.Client) -> None:
    first = client.get("/assets/dashboard.css")
    assert first.headers["content-type"].startswith("text/css")
    again = client.get("/assets/dashboard.css", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/favicon.ico").content == client.get("/assets/icon.svg").content


@contextmanager
def open_stream(port: int, address: str) -> Iterator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", address)
    try:
        yield connection.getresponse()
    finally:
        connection.close()


def next_event(response: http.client.HTTPResponse) -> tuple[str, object]:
    name = response.readline().decode().removeprefix("event: ").strip()
    data = json.loads(response.readline().decode().removeprefix("data: "))
    assert response.readline() == b"\n"
    return name, data


def next_regions(response: http.client.HTTPResponse) -> dict[str, str]:
    name, said = next_event(response)
    assert name == "regions"
    assert set(said) == {"now", "mark", "regions"}
    return said["regions"]


def test_programs_get_the_whole_state_after_each_change(collector: FakeCollector) -> None:
    with served(collector) as port, open_stream(port, f"/v1{path(SEEN)}/events") as response:
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        name, state = next_event(response)
        assert (name, state["reports"], state["top"][1]["rank_change"]) == ("state", 30_000, None)
        collector.put(replace(SEEN, reports=30_001))
        name, state = next_event(response)
        assert (name, state["reports"], len(state["top"])) == ("state", 30_001, 2)
        assert state["top_reports"] == 30_000
        assert state["top_epoch"] == SEEN.epoch


def test_the_caption_counts_the_reports_of_the_lines(client: httpx.Client, collector: FakeCollector) -> None:
    collector.put(replace(SEEN, reports=30_777))
    text = client.get(path(SEEN)).text
    assert ">30,777<" in text
    assert "top 2 in 30,000 reports" in text


def test_the_memory_has_a_bound_where_the_task_sets_one(client: httpx.Client, collector: FakeCollector) -> None:
    assert "at most 16.4 kB" in client.get(path(SEEN)).text
    listed = view(Task("dsr", Budget(1.0), RangeDomain(100), k=5), reports=5)
    collector.put(listed)
    assert "no matter how many reports come in" in client.get(path(listed)).text


def test_a_hot_list_says_that_it_started_cold(client: httpx.Client, collector: FakeCollector) -> None:
    collector.put(view(task := Task("bdr", Budget(1.0), RangeDomain(100), k=5), [line(7, 900.0)], reports=5))
    assert "No warm-up: what came before an item was tracked" in client.get(f"/tasks/{task.id.hex()}").text
    assert "No warm-up: what came before" not in client.get(path(SEEN)).text


def test_pages_get_the_regions_that_changed(collector: FakeCollector) -> None:
    with served(collector) as port, open_stream(port, f"{path(SEEN)}/live") as response:
        regions = next_regions(response)
        assert {"head", "figures", "ranking", "scrubber", "privacy"} <= set(regions)
        collector.put(replace(SEEN, reports=30_001))
        regions = next_regions(response)
        while "30,001" not in regions["figures"]:
            regions = next_regions(response)
        assert set(regions) == {"figures"}


def test_a_stream_goes_on_where_the_page_was(collector: FakeCollector) -> None:
    """The page brought everything: its stream sends only what changed since."""
    with served(collector) as port:
        text = httpx.get(f"http://127.0.0.1:{port}{path(SEEN)}").text
        mark = text.partition('data-mark="')[2].partition('"')[0]
        collector.put(replace(SEEN, reports=30_001))
        with open_stream(port, f"{path(SEEN)}/live?since={mark}") as response:
            assert set(next_regions(response)) == {"figures"}
        for strange in ("", "x", "0-0.1", f"{mark}0" * 9, "%00", f"{mark.partition('.')[0]}.%C2%B2"):
            with open_stream(port, f"{path(SEEN)}/live?since={strange}") as response:
                assert {"head", "figures", "ranking"} <= set(next_regions(response)), strange


def test_each_card_of_the_overview_is_a_region(collector: FakeCollector) -> None:
    with served(collector) as port, open_stream(port, "/live") as response:
        card = f"card-{SEEN.id.hex()}"
        regions = next_regions(response)
        assert set(regions) == {"tasks", "pages", "foot", card}
        assert "30,000" not in regions["tasks"]
        collector.put(replace(SEEN, reports=30_001))
        regions = next_regions(response)
        while "30,001" not in regions[card]:
            regions = next_regions(response)
        assert set(regions) == {card}


def test_a_deleted_task_ends_its_streams_and_says_why(collector: FakeCollector) -> None:
    with served(collector) as port, open_stream(port, f"{path(SEEN)}/live") as response:
        next_regions(response)
        del collector.views[SEEN.id]
        collector.put(SECRET)
        assert response.readline() == b"event: gone\n"
        response.readline()
        response.readline()
        assert response.readline() == b""
