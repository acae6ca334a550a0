"""Every route over real HTTP: what it gives, to whom, and what it refuses."""

import csv
import io
import json
import re
import socket
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from hgldp.collector.http.routes.public import fresh_seconds
from hgldp.collector.problems import MEDIA_TYPE, TYPE_PREFIX, Problem
from hgldp.collector.sessions import FolderSessions
from hgldp.collector.tokens import disguised
from hgldp.model.task import Task
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import MOST_BYTES
from tests.collector.live_service import ADMIN, NUMBERS, WORDS, Made, Service, live_service
from tests.patience import PATIENCE

NOBODY = "0" * 64


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data") / "folder") as running:
        yield running


@pytest.fixture(scope="module")
def words(service: Service) -> Made:
    made = service.create(**WORDS)
    for seed in range(5):
        assert service.upload(made, ["tea"] * 60 + ["=coffee"] * 30 + ["mate"] * 10, seed).json() == {"accepted": 100}
    return made


@pytest.fixture(scope="module")
def numbers(service: Service) -> Made:
    made = service.create(**NUMBERS)
    for seed in range(3):
        assert service.upload(made, [7] * 150 + [-5] * 50, seed).status_code == 200
    return made


def is_problem(answer: httpx.Response, problem: Problem) -> bool:
    document = answer.json()
    assert answer.headers["content-type"] == MEDIA_TYPE
    assert document["status"] == answer.status_code
    assert document["title"] == problem.title
    return bool(document["type"] == TYPE_PREFIX + problem.slug and answer.status_code == problem.status)


def test_the_task_document_is_the_canonical_bytes_and_never_changes(service: Service, numbers: Made) -> None:
    answer = service.http.get(f"{numbers.path}/document")
    assert sha256(b"hgldp task 1" + answer.content).hexdigest() == numbers.id
    assert read_task(answer.content).k == 3
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["access-control-allow-origin"] == "*"
    again = service.http.get(f"{numbers.path}/document", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_current_bulletin_leads_to_its_bytes(service: Service, numbers: Made) -> None:
    answer = service.http.get(f"{numbers.path}/bulletin")
    pointer = answer.json()
    assert pointer["task"] == numbers.id
    assert 1 <= pointer["max_age"] <= 60
    assert answer.headers["cache-control"] == f"public, max-age={pointer['max_age']}"
    body = service.http.get(f"/v1/bulletins/{pointer['bulletin']}")
    bulletin = read_bulletin(body.content, pointer["bulletin"])
    assert (bulletin.task.hex(), bulletin.epoch) == (numbers.id, pointer["epoch"])
    assert "immutable" in body.headers["cache-control"]
    for path in (f"{numbers.path}/bulletin", f"/v1/bulletins/{pointer['bulletin']}"):
        tag = service.http.get(path).headers["etag"]
        assert service.http.get(path, headers={"if-none-match": f'"x", W/{tag}'}).status_code == 304
        assert service.http.get(path, headers={"if-none-match": '"another"'}).status_code == 200


def test_earlier_bulletins_stay(service: Service, words: Made) -> None:
    key = {"authorization": f"Bearer {words.key}"}
    before = service.http.get(f"{words.path}/bulletin", headers=key).json()
    service.upload(words, ["tea"] * 100, 9)
    sealed = service.http.post(f"{words.path}/seal", headers=service.admin)
    assert sealed.status_code == 200
    after = service.http.get(f"{words.path}/bulletin", headers=key).json()
    assert after["epoch"] > before["epoch"]
    assert service.http.get(f"/v1/bulletins/{before['bulletin']}", headers=key).status_code == 200


def test_the_privacy_statement_is_public_and_computed(service: Service, numbers: Made) -> None:
    stated = service.http.get(f"{numbers.path}/privacy").json()
    assert (stated["epsilon"], stated["epsilon_per_day"], stated["daily_reports"]) == (3.0, 6.0, 4)
    assert (stated["level"], stated["period"], stated["weighs"]) == ("period", "day", "people")
    assert (stated["epsilon_per_month"], stated["epsilon_per_year"]) == (93.0, 1098.0)
    assert stated["task"] == numbers.id
    assert 1 < stated["leverage"] < 3
    assert stated["upload_bytes"] == 64


def test_the_top_has_intervals_and_finds_what_is_frequent(service: Service, words: Made) -> None:
    token = {"authorization": f"Bearer {words.token}"}
    found = service.http.get(f"{words.path}/top", headers=token).json()
    assert found["task"] == words.id
    assert found["reports"] >= 500
    best = found["top"][0]
    assert (best["rank"], best["item"]) == (1, "tea")
    assert best["low"] < best["estimate"] < best["high"]
    assert {"standard_error", "tracked_count", "tracked_error", "since", "rank_change"} <= set(best)
    assert tuple(best)[-6:] == ("rank_low", "rank_high", "may_be_noise", "since_low", "since_high", "warmup")
    assert best["since_low"] < best["tracked_count"] < best["since_high"]
    assert [type(line["may_be_noise"]) for line in found["top"]] == [bool] * len(found["top"])
    assert found["clear_top"] is not all(line["may_be_noise"] for line in found["top"])
    one = service.http.get(f"{words.path}/top?k=1", headers=token).json()
    assert len(one["top"]) == 1


def test_the_top_as_csv_is_safe_to_open(service: Service, words: Made) -> None:
    answer = service.http.get(f"{words.path}/top?format=csv", headers=service.admin)
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    assert [row["item"] for row in rows] == ["tea", "'=coffee"]
    assert "rank_change" in rows[0]
    assert {row["may_be_noise"] for row in rows} <= {"true", "false"}


def test_a_window_where_the_scheme_has_one(service: Service, numbers: Made, words: Made) -> None:
    found = service.http.get(f"{numbers.path}/top?k=2&window=200")
    assert found.status_code == 200
    assert found.json()["window"] == 200
    assert 0 <= found.json()["covered"] <= found.json()["reports"]
    refused = service.http.get(f"{words.path}/top?window=200", headers=service.admin)
    assert is_problem(refused, Problem.MALFORMED_QUERY)


def test_history_and_export_agree(service: Service, words: Made) -> None:
    epochs = service.http.get(f"{words.path}/history", headers=service.admin).json()["epochs"]
    assert len(epochs) >= 2
    assert [each["epoch"] for each in epochs] == sorted(each["epoch"] for each in epochs)
    flat = [(each["epoch"], *line.values()) for each in epochs for line in each["top"]]
    exported = service.http.get(f"{words.path}/export?format=json", headers=service.admin).json()
    once = ("bulletin", "published", "reports", "half_life", "weighs")
    assert [tuple(value for name, value in row.items() if name not in once) for row in exported] == flat
    for each in epochs:
        assert each["clear_top"] is any(not line["may_be_noise"] for line in each["top"])
    text = service.http.get(f"{words.path}/export", headers=service.admin)
    assert 'filename="hgldp-' in text.headers["content-disposition"]
    assert len(list(csv.DictReader(io.StringIO(text.text, newline="")))) == len(flat)
    first = service.http.get(f"{words.path}/history?first=0&last=0", headers=service.admin).json()["epochs"]
    assert first == epochs[:1]
    assert service.http.get(f"{words.path}/history?format=csv", headers=service.admin).text == text.text


def test_parquet_over_http(service: Service, numbers: Made) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    answer = service.http.get(f"{numbers.path}/export?format=parquet")
    assert answer.headers["content-type"] == "application/vnd.apache.parquet"
    rows = parquet.read_table(io.BytesIO(answer.content)).to_pylist()
    exported = service.http.get(f"{numbers.path}/export?format=json").json()
    assert rows == [{**row, "item": str(row["item"])} for row in exported]  # "other" may be among the numbers
    assert rows[0]["item"] == "7"


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("/top?k=0", Problem.MALFORMED_QUERY), ("/top?k=-1", Problem.MALFORMED_QUERY),
        ("/top?k=x", Problem.MALFORMED_QUERY), ("/top?k=1&k=2", Problem.MALFORMED_QUERY),
        ("/top?k=%D9%A3", Problem.MALFORMED_QUERY), ("/top?k=99999999999999999999999", Problem.MALFORMED_QUERY),
        ("/top?k=1000", Problem.MALFORMED_QUERY), ("/top?format=xml", Problem.MALFORMED_QUERY),
        ("/top?later=1", Problem.MALFORMED_QUERY), ("/history?first=5&last=4", Problem.MALFORMED_QUERY),
        ("/history?first=0&last=1000", Problem.MALFORMED_QUERY), ("/export?format=xlsx", Problem.MALFORMED_QUERY),
        ("/document?x=1", Problem.MALFORMED_QUERY), ("/nothing", Problem.NOT_FOUND), ("/top/", Problem.NOT_FOUND),
    ],
)  # fmt: skip
def test_a_wrong_question_gets_a_problem(service: Service, numbers: Made, path: str, problem: Problem) -> None:
    assert is_problem(service.http.get(numbers.path + path), problem)


@pytest.mark.parametrize("part", ["document", "bulletin", "privacy", "top", "history", "export", "events"])
@pytest.mark.parametrize("task", [NOBODY, "x", NOBODY.replace("0", "A"), "é" * 64])
def test_an_unknown_task_is_the_same_everywhere(service: Service, part: str, task: str) -> None:
    assert is_problem(service.http.get(f"/v1/tasks/{task}/{part}", headers=service.admin), Problem.UNKNOWN_TASK)


def test_an_unknown_bulletin_and_a_wrong_method(service: Service, words: Made) -> None:
    for version in (NOBODY, "x", words.id.upper()):
        assert is_problem(service.http.get(f"/v1/bulletins/{version}"), Problem.UNKNOWN_BULLETIN)
    answer = service.http.put("/v1/tasks")
    assert is_problem(answer, Problem.METHOD_NOT_ALLOWED)
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}
    assert is_problem(service.http.get("/etc/passwd"), Problem.NOT_FOUND)


def test_a_browser_gets_a_page_where_nothing_is(service: Service) -> None:
    answer = service.http.get("/nothing", headers={"accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is nothing at this path" in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert service.http.get("/favicon.ico").headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize("part", ["top", "history", "export", "events"])
def test_results_are_for_readers(service: Service, words: Made, numbers: Made, part: str) -> None:
    path, wrong = f"{words.path}/{part}", {"authorization": f"Bearer {numbers.token}"}
    for headers in ({}, wrong, {"authorization": f"Basic {words.token}"}, {"authorization": f"Bearer {words.key}"}):
        answer = service.http.get(path, headers=headers)
        assert is_problem(answer, Problem.TOKEN_NEEDED)
        assert answer.headers["www-authenticate"].startswith("Bearer")
    if part != "events":
        assert service.http.get(path, headers={"authorization": f"Bearer {words.token}"}).status_code == 200
        assert service.http.get(path, headers=service.admin).status_code == 200
        assert service.http.get(f"{numbers.path}/{part}").status_code == 200


def test_a_page_with_a_token_leaves_a_cookie_that_can_only_read(service: Service, words: Made) -> None:
    with httpx.Client(base_url=service.url, trust_env=False) as browser:
        answer = browser.post("/sign-in", data={"token": words.token, "task": words.id})
        assert answer.status_code == 303
        assert answer.headers["location"] == f"/tasks/{words.id}"
        cookie = answer.headers["set-cookie"]
        assert words.token not in cookie
        assert "HttpOnly" in cookie
        assert "samesite=lax" in cookie.lower()
        assert browser.get(f"{words.path}/top").status_code == 200
        assert is_problem(browser.post(f"{words.path}/close"), Problem.TOKEN_NEEDED)
        other = service.create(**(WORDS | {"k": 1}))
        assert is_problem(browser.get(f"{other.path}/top"), Problem.TOKEN_NEEDED)


def test_an_admin_cookie_sees_every_result_and_changes_nothing(service: Service, words: Made) -> None:
    with httpx.Client(base_url=service.url, trust_env=False) as browser:
        assert browser.post("/sign-in", data={"token": ADMIN}).status_code == 303
        assert browser.get(f"{words.path}/top").status_code == 200
        assert is_problem(browser.get("/v1/tasks"), Problem.TOKEN_NEEDED)
        assert is_problem(browser.post("/v1/tasks", json=WORDS), Problem.TOKEN_NEEDED)


def test_a_cookie_made_from_what_is_stored_opens_nothing(service: Service, words: Made) -> None:
    """From a stolen copy of the folder, which also has the key that signs cookies."""
    stored = service.collector.view(bytes.fromhex(words.id)).read_digest
    labelled = urlsafe_b64encode(sha256(b"hgldp session 2 " + stored).digest()).rstrip(b"=").decode()
    unsigned = (labelled, disguised(stored.hex()), stored.hex(), urlsafe_b64encode(stored).decode())
    sessions = FolderSessions(service.folder)
    for held in (*unsigned, *(sessions.begin(each, service.collector.now()) for each in unsigned)):
        cookies = {f"hgldp-reader-{words.id[:16]}": held}
        with httpx.Client(base_url=service.url, cookies=cookies, trust_env=False) as thief:
            assert is_problem(thief.get(f"{words.path}/top"), Problem.TOKEN_NEEDED)


def test_the_advice_about_a_task_that_exists_works(service: Service) -> None:
    for body in (NUMBERS | {"k": 5}, WORDS | {"epoch": 120}):
        first = service.create(**body)
        answer = service.http.post("/v1/tasks", json=body | {"name": "Another name"}, headers=service.admin)
        assert is_problem(answer, Problem.TASK_EXISTS)
        found = re.search(r"(memory|epoch) from \d+ to (\d+)", answer.json()["detail"])
        assert found is not None
        assert service.create(**body | {found[1]: int(found[2])}).id != first.id


@pytest.mark.parametrize(
    ("method", "path"), [("GET", ""), ("POST", ""), ("GET", "/{id}"), ("POST", "/{id}/close"), ("POST", "/{id}/seal")]
)
def test_only_the_admin_runs_tasks(service: Service, words: Made, method: str, path: str) -> None:
    target = f"/v1/tasks{path.format(id=words.id)}"
    for headers in (
        {},
        {"authorization": f"Bearer {words.token}"},
        {"authorization": "Bearer x"},
        {"authorization": ADMIN},
    ):
        assert is_problem(service.http.request(method, target, headers=headers), Problem.TOKEN_NEEDED)


def test_a_task_is_listed_and_inspected_without_its_secrets(service: Service, words: Made) -> None:
    listed = service.http.get("/v1/tasks", headers=service.admin)
    (mine,) = (each for each in listed.json()["tasks"] if each["id"] == words.id)
    shown = service.http.get(words.path, headers=service.admin)
    assert shown.json() == mine
    assert (mine["name"], mine["scheme"], mine["domain"], mine["closed"]) == ("Drinks", "dsr", {"words": 6}, None)
    for secret in (words.key, words.token):
        assert secret not in listed.text + shown.text


def test_the_same_task_twice_is_refused(service: Service, words: Made) -> None:
    answer = service.http.post("/v1/tasks", json=WORDS | {"name": "Other name"}, headers=service.admin)
    assert is_problem(answer, Problem.TASK_EXISTS)
    assert words.id in answer.json()["detail"]


@pytest.mark.parametrize("epsilon", [0, -1, 11, 1e-9, "2", None, True, [1], {}])
def test_a_task_with_an_illegal_epsilon_is_refused(service: Service, epsilon: Any) -> None:
    answer = service.http.post("/v1/tasks", json=WORDS | {"epsilon": epsilon}, headers=service.admin)
    assert is_problem(answer, Problem.MALFORMED_TASK)
    assert "epsilon" in answer.json()["detail"]


def test_malformed_json_and_a_wrong_media_type_are_refused(service: Service) -> None:
    for data in (b"", b"{", b"[]", b'{"epsilon": NaN}', b"\xff\xfe"):
        headers = service.admin | {"content-type": "application/json"}
        assert is_problem(service.http.post("/v1/tasks", content=data, headers=headers), Problem.MALFORMED_TASK)
    headers = service.admin | {"content-type": "text/xml"}
    assert is_problem(service.http.post("/v1/tasks", content=b"{}", headers=headers), Problem.WRONG_MEDIA_TYPE)


def test_an_oversized_task_is_refused_before_it_has_arrived(service: Service) -> None:
    """The body is never sent to its end, and there is an answer all the same."""
    address = urlsplit(service.url)
    head = f"POST /v1/tasks HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {ADMIN}\r\ncontent-length: 99999999\r\n\r\n"
    with socket.create_connection((address.hostname, address.port or 80), timeout=PATIENCE) as connection:
        connection.sendall(head.encode())
        answer = b""
        try:
            for _ in range(17):
                connection.sendall(bytes(1 << 20))
        except OSError:
            pass
        while b"too-large" not in answer and (part := connection.recv(1 << 16)):
            answer += part
    assert answer.startswith(b"HTTP/1.1 413")


def test_a_closed_task_takes_no_reports_and_keeps_its_results(service: Service) -> None:
    made = service.create(**(WORDS | {"epsilon": 1.5}))
    assert service.upload(made, ["tea"] * 40).status_code == 200
    late = service.draw(made, ["tea"] * 3)
    closed = service.http.post(f"{made.path}/close", headers=service.admin).json()
    assert closed["closed"] is not None
    assert is_problem(service.http.post(f"/v1/in/{made.key}", content=late), Problem.TASK_CLOSED)
    assert is_problem(service.http.post(f"{made.path}/close", headers=service.admin), Problem.TASK_CLOSED)
    assert is_problem(service.http.post(f"{made.path}/seal", headers=service.admin), Problem.TASK_CLOSED)
    assert service.http.get(f"{made.path}/top", headers=service.admin).json()["reports"] == 40


def test_an_upload_that_comes_twice_counts_once(service: Service) -> None:
    made = service.create(**(WORDS | {"epsilon": 1.25}))
    data = service.draw(made, ["tea", "mate", "milk"])
    answers = [service.http.post(f"/v1/in/{made.key}", content=data) for _ in range(3)]
    assert [(answer.status_code, answer.json()) for answer in answers] == [(200, {"accepted": 3})] * 3
    assert service.http.get(made.path, headers=service.admin).json()["reports"] == 3


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda data: data[:-1], Problem.MALFORMED_UPLOAD),
        (lambda data: data[:10], Problem.MALFORMED_UPLOAD),
        (lambda data: b"", Problem.MALFORMED_UPLOAD),
        (lambda data: b"hgU\x02" + data[4:], Problem.MALFORMED_UPLOAD),
        (lambda data: data + bytes(64), Problem.MALFORMED_UPLOAD),
        (lambda data: data[:-1] + b"\1", Problem.MALFORMED_UPLOAD),
        (lambda data: data[:56] + b"\xff" + data[57:], Problem.MALFORMED_UPLOAD),
        (lambda data: data[:20] + bytes(32) + data[52:], Problem.BULLETIN_TOO_OLD),
        (lambda data: bytes(MOST_BYTES + 64), Problem.TOO_LARGE),
        (lambda data: b'{"events": ["tea"]}', Problem.MALFORMED_UPLOAD),
    ],
    ids=["cut", "stump", "empty", "version", "long", "padding", "symbol", "bulletin", "oversized", "json"],
)
def test_a_damaged_upload_is_refused_and_not_counted(
    service: Service, words: Made, damage: Any, problem: Problem
) -> None:
    before = service.http.get(words.path, headers=service.admin).json()["reports"]
    data = damage(service.draw(words, ["tea"]))
    assert is_problem(service.http.post(f"/v1/in/{words.key}", content=data), problem)
    assert service.http.get(words.path, headers=service.admin).json()["reports"] == before


def test_an_upload_of_another_task_and_an_unknown_key_are_refused(service: Service, words: Made, numbers: Made) -> None:
    data = service.draw(words, ["tea"])
    assert is_problem(service.http.post(f"/v1/in/{numbers.key}", content=data), Problem.BULLETIN_TOO_OLD)
    assert is_problem(service.http.post(f"/v1/in/{words.token}", content=data), Problem.UNKNOWN_KEY)


def test_health_ready_and_the_headers_of_every_answer(service: Service) -> None:
    assert service.http.get("/health").json() == {"status": "alive"}
    assert service.http.get("/ready").json()["status"] == "ready"
    for path in ("/health", "/openapi.json", "/metrics", "/nothing", "/"):
        headers = service.http.get(path).headers
        assert headers["x-content-type-options"] == "nosniff", path


def test_it_is_not_ready_when_the_disk_takes_no_write(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("hgldp.collector.http.monitoring.disk_probe._write", full)
    monkeypatch.setattr("hgldp.collector.http.monitoring.disk_probe.FRESH_SECONDS", 0.0)
    answer = service.http.get("/ready")
    assert is_problem(answer, Problem.STORAGE_FULL)
    assert answer.headers["retry-after"] == "10"


def test_a_bug_is_a_problem_document_that_tells_nothing(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def blunder() -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(service.collector, "tasks", blunder)
    answer = service.http.get("/v1/tasks", headers=service.admin)
    assert is_problem(answer, Problem.INTERNAL)
    assert "secret" not in answer.text


def test_json_is_strict(service: Service, words: Made) -> None:
    for part in ("top", "history", "export?format=json"):
        text = service.http.get(f"{words.path}/{part}", headers=service.admin).text
        json.loads(text, parse_constant=lambda _: pytest.fail("not strict"))


@pytest.mark.parametrize(
    ("epoch", "seconds", "closed", "expected", "over_strings"),
    [
        (0, 0.0, None, 2, 2),
        (3, 0.1, None, 1, 1),
        (3, 10.0, None, 35, 5),
        (3, 500.0, None, 60, 60),
        (3, 0.1, 9.0, 60, 60),
    ],
)
def test_a_bulletin_is_used_no_longer_than_it_will_be_accepted(
    epoch: int, seconds: float, closed: float | None, expected: int, over_strings: int
) -> None:
    for domain, wanted in ((range(100), expected), (20, over_strings)):
        task = Task("pfr", epsilon=1.0, domain=domain)
        view = SimpleNamespace(epoch=epoch, last_epoch_seconds=seconds, closed=closed, task=task, published=500.0)
        assert fresh_seconds(view, 60, now=501.0) == wanted  # type: ignore[arg-type]


@pytest.mark.parametrize(("waited", "expected"), [(-3, 2), (0, 2), (11, 2), (100, 25), (10_000, 60)])
def test_until_the_first_epoch_ends_clients_ask_less_often_the_longer_it_takes(waited: float, expected: int) -> None:
    task = Task("pfr", epsilon=1.0, domain=range(100))
    view = SimpleNamespace(epoch=0, last_epoch_seconds=0.0, closed=None, task=task, published=500.0)
    assert fresh_seconds(view, 60, now=500.0 + waited) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(("longest", "expected"), [(60, 60), (86_400, 3_600)])
def test_where_keys_stay_for_a_day_a_client_asks_every_hour_or_more_often(longest: int, expected: int) -> None:
    task = Task("pfr", epsilon=1.0, domain=range(100), keys="day")
    view = SimpleNamespace(epoch=0, last_epoch_seconds=0.0, closed=None, task=task)
    assert fresh_seconds(view, longest, now=0.0) == expected  # type: ignore[arg-type]
