"""A token is posted, and becomes a cookie that only reads; an address with a token in it opens nothing."""

from collections.abc import Iterator

import httpx
import pytest

from hgldp.collector.views import TaskTerms
from tests.collector.fake_collector import ADMIN, READER, FakeCollector, line, served, strings_task, view

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
    assert client.get("/sign-in").status_code == 405


def test_nobody_signs_in_by_an_address(client: httpx.Client) -> None:
    """Signing in by GET was how it worked once: the token stayed in histories and logs."""
    for query in ({"token": ADMIN}, {"token": READER, "task": TASK}):
        answer = client.get("/sign-in", params=query)
        assert (answer.status_code, "set-cookie" in answer.headers) == (405, False)
        assert (client.get("/sign-out").status_code, dict(client.cookies)) == (405, {})
        answer = client.post("/sign-in", params=query)
        assert (answer.status_code, "set-cookie" in answer.headers) == (400, False)
