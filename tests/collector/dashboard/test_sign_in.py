"""A token is posted, and becomes a cookie that only reads; an address with a token in it opens nothing."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import httpx
import pytest

from hgldp.collector.dashboard.live import stream
from hgldp.collector.sessions import SECONDS
from hgldp.collector.views import TaskTerms
from hgldp.system.clock import SystemClock
from tests.collector.fake_collector import ADMIN, READER, FakeCollector, line, served, strings_task, view
from tests.collector.live_service import ADMIN as LIVE_ADMIN
from tests.collector.live_service import WORDS, Service, live_service
from tests.patience import PATIENCE

SECRET = view(strings_task(), [line("tea", 9.0)], terms=TaskTerms("Secret words", "token"), reports=10)
TASK = SECRET.id.hex()


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with served(FakeCollector(SECRET)) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}") as found:
        yield found


def test_a_token_in_an_address_is_answered_with_the_page_that_asks_for_it(client: httpx.Client) -> None:
    for path, token in ((f"/tasks/{TASK}", READER), (f"/tasks/{TASK}", ADMIN), ("/", ADMIN)):
        answer = client.get(path, params={"token": token})
        assert "set-cookie" not in answer.headers
        assert 'action="/sign-in"' in answer.text
        assert 'method="post"' in answer.text
        assert token not in answer.text
        assert "Secret words" not in answer.text


def test_the_form_of_a_task_leads_back_to_it_and_that_of_the_overview_to_all_tasks(client: httpx.Client) -> None:
    assert f'name="task" value="{TASK}"' in client.get(f"/tasks/{TASK}").text
    answer = client.post("/sign-in", data={"task": TASK, "token": f" {READER} "})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/tasks/{TASK}")
    cookie = answer.headers["set-cookie"].lower()
    assert all(part in cookie for part in ("httponly", "samesite=lax", "path=/"))
    assert "tea" in client.get(f"/tasks/{TASK}").text
    answer = client.post("/sign-in", data={"token": ADMIN})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


@pytest.mark.parametrize(
    "form",
    [
        {}, {"token": ""}, {"token": "wrong"}, {"token": READER}, {"token": READER, "task": "0" * 64},
        {"token": READER, "task": "../x"}, {"token": "x" * 600}, {"token": "\u0663"},
    ],
)  # fmt: skip
def test_a_wrong_token_opens_nothing(client: httpx.Client, form: dict[str, str]) -> None:
    answer = client.post("/sign-in", data=form)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert "This token opens nothing here" in answer.text


def test_forms_of_other_sites_are_refused(client: httpx.Client) -> None:
    right = {"token": ADMIN}
    for headers in (
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://[", "host": "x"},
    ):
        for path in ("/sign-in", "/sign-out"):
            answer = client.post(path, data=right, headers=headers)
            assert answer.status_code == 403
            assert "set-cookie" not in answer.headers
    for headers in ({"sec-fetch-site": "same-origin"}, {"origin": str(client.base_url).rstrip("/")}):
        assert client.post("/sign-in", data=right, headers=headers).status_code == 303


def test_signing_out_forgets_every_cookie_of_ours(client: httpx.Client) -> None:
    client.post("/sign-in", data={"task": TASK, "token": READER})
    client.post("/sign-in", data={"token": ADMIN})
    assert "Sign out" in client.get(f"/tasks/{TASK}").text
    answer = client.post("/sign-out")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert client.get(f"/tasks/{TASK}").status_code == 401
    assert "Sign out" not in client.get("/").text


def test_a_cookie_that_opens_nothing_is_forgotten_and_does_not_count_twice(client: httpx.Client) -> None:
    """Somebody's token was rotated: their browser must not look like a guesser."""
    for path in ("/", f"/tasks/{TASK}"):
        client.cookies.set("hgldp-reader", "stale", domain="127.0.0.1")
        client.cookies.set(f"hgldp-reader-{TASK[:16]}", "stale", domain="127.0.0.1")
        client.cookies.set("hgldp-reader-0000000000000000", "of another task", domain="127.0.0.1")
        for _ in range(15):
            assert client.get(path).status_code in (200, 401)
        assert "hgldp-reader" not in client.cookies
        assert "hgldp-reader-0000000000000000" in client.cookies
    assert client.post("/sign-in", data={"token": ADMIN}).status_code == 303


def test_a_body_without_end_is_cut_off(client: httpx.Client) -> None:
    answer = client.post("/sign-in", content=b"token=" + b"x" * 5_000)
    assert answer.status_code == 413
    assert client.post("/sign-in", content="&".join(f"f{n}=1" for n in range(100)).encode()).status_code == 400


def test_an_address_signs_nobody_in_or_out_and_leads_back(client: httpx.Client) -> None:
    """A token in an address would stay in histories and logs."""
    client.post("/sign-in", data={"token": ADMIN})
    assert client.get("/sign-out").headers["location"] == "/"
    assert "Sign out" in client.get("/").text
    client.post("/sign-out")
    for query in ({"token": ADMIN}, {"token": READER, "task": TASK}):
        answer = client.get("/sign-in", params=query)
        assert (answer.status_code, answer.headers["location"], "set-cookie" in answer.headers) == (303, "/", False)
        answer = client.post("/sign-in", params=query)
        assert (answer.status_code, "set-cookie" in answer.headers) == (400, False)


def test_a_copy_of_a_cookie_opens_nothing_after_its_owner_signed_out(tmp_path: Path) -> None:
    """Wherever it is shown, and after a restart too; who signed in with the same token elsewhere stays."""
    copies: dict[str, str] = {}
    with live_service(tmp_path) as service:
        made = service.create(**WORDS)
        stays = {"cookie": cookies_of(service, {"token": made.token, "task": made.id})}
        for form, path in (({"token": LIVE_ADMIN}, "/"), ({"token": made.token, "task": made.id}, f"/tasks/{made.id}")):
            copies[path] = cookies_of(service, form)
            assert "Drinks" in service.http.get(path, headers={"cookie": copies[path]}).text
            answer = service.http.post("/sign-out", headers={"cookie": copies[path]})
            assert answer.status_code == 303
            assert "Max-Age=0" in answer.headers["set-cookie"]
        for path, cookie in copies.items():
            assert "Drinks" not in service.http.get(path, headers={"cookie": cookie}).text
            assert service.http.get(f"{made.path}/top", headers={"cookie": cookie}).status_code == 401
        assert service.http.get(f"{made.path}/top", headers=stays).status_code == 200
    with live_service(tmp_path) as service:
        for cookie in copies.values():
            assert service.http.get(f"{made.path}/top", headers={"cookie": cookie}).status_code == 401
        assert service.http.get(f"{made.path}/top", headers=stays).status_code == 200


def test_a_page_that_is_open_ends_when_its_session_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "BEAT_SECONDS", 0.1)
    with live_service(tmp_path) as service:
        made = service.create(**WORDS)
        held = {"cookie": cookies_of(service, {"token": made.token, "task": made.id})}
        with service.http.stream("GET", f"/tasks/{made.id}/live", headers=held, timeout=PATIENCE) as answer:
            lines = answer.iter_lines()
            while "Drinks" not in next(lines):
                pass
            assert service.http.post("/sign-out", headers=held).status_code == 303
            assert len(list(islice(lines, 100))) < 100


def test_a_session_ends_by_itself_whatever_the_browser_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with live_service(tmp_path) as service:
        made = service.create(**WORDS)
        held = {"cookie": cookies_of(service, {"token": made.token, "task": made.id})}
        later = service.collector.now() + SECONDS
        for moment, status in ((later - 60, 200), (later + 60, 401)):
            monkeypatch.setattr(SystemClock, "now", lambda _, moment=moment: moment)
            assert service.http.get(f"{made.path}/top", headers=held).status_code == status


def test_who_cannot_be_signed_out_is_told_so_and_can_try_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with live_service(tmp_path) as service:
        made = service.create(**WORDS)
        held = {"cookie": cookies_of(service, {"token": made.token, "task": made.id})}

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as broken:
            broken.setattr("hgldp.collector.sessions.write_privately", full)
            answer = service.http.post("/sign-out", headers=held)
            assert (answer.status_code, "set-cookie" in answer.headers) == (503, False)
            assert "Still signed in" in answer.text
        assert service.http.get(f"{made.path}/top", headers=held).status_code == 200
        assert service.http.post("/sign-out", headers=held).status_code == 303
        assert service.http.get(f"{made.path}/top", headers=held).status_code == 401


def cookies_of(service: Service, form: dict[str, str]) -> str:
    """What a browser holds after it signed in."""
    answer = httpx.post(f"{service.url}/sign-in", data=form, trust_env=False)
    return "; ".join(f"{name}={value}" for name, value in answer.cookies.items())
