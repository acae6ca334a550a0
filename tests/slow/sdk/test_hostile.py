"""A lying collector, row by row of docs/client.md: while it lies, not one byte of a report leaves the page."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest

from tests.collector.browser import require_browser
from tests.collector.live_service import Made
from tests.sdk.recorder import Answered, Asked, Meddling
from tests.sdk.visit import DRINKS, Tab, Visit

require_browser()

WORDS = DRINKS | {"epoch": 40}
OPEN = {"access-control-allow-origin": "*"}


def changed(suffix: str, change: Callable[[bytes], bytes], part: str = "") -> Meddling:
    """A collector that changes the body of some answers."""

    def meddle(asked: Asked, really: Callable[[], Answered]) -> Answered:
        answer = really()
        concerned = asked.method == "GET" and (asked.path.endswith(suffix) if suffix else part in asked.path)
        return replace(answer, body=change(answer.body)) if concerned else answer

    return meddle


def instead(answer: Answered | None, *, method: str = "GET") -> Meddling:
    """A collector that gives this answer to everything, or hangs up."""
    return lambda asked, really: answer if asked.method == method else really()


def notice(**fields: object) -> Callable[[bytes], bytes]:
    return lambda body: json.dumps(json.loads(body) | fields).encode()


def flipped(body: bytes) -> bytes:
    return body[:-1] + bytes([body[-1] ^ 1])


def another_shape(asked: Asked, really: Callable[[], Answered]) -> Answered:
    """A bulletin that hashes to its version, but has too many cells for the task."""
    answer = really()
    if asked.path.endswith("/bulletin") and asked.method == "GET":
        return replace(answer, body=notice(bulletin=sha256(ANOTHER).hexdigest())(answer.body))
    if asked.path.startswith("/v1/bulletins/") and asked.method == "GET":
        return Answered(200, {**OPEN, "content-type": "application/octet-stream"}, SET + ANOTHER)
    return answer


SET = b"\0\x13" + bytes(3)
ANOTHER = b"hgldp frontier 1" + bytes(32) + bytes(8) + b"\0\0\0\7" + b"\0\x10" + bytes(8) + b"\0\0"
LIES = {
    "another task": changed("/document", lambda body: body.replace(b'"epsilon":"2"', b'"epsilon":"9"')),
    "a task with one byte changed": changed("/document", flipped),
    "a bulletin with a wrong hash": changed("", flipped, part="/v1/bulletins/"),
    "a bulletin of another shape": another_shape,
    "a notice of another task": changed("/bulletin", notice(task="0" * 64)),
    "a notice with a wrong version": changed("/bulletin", notice(bulletin="f" * 64)),
    "a notice with nonsense": changed("/bulletin", notice(bulletin=7, epoch=-1)),
    "a notice that is not JSON": changed("/bulletin", lambda _: b"<html>"),
    "a bulletin of another epoch": changed("/bulletin", notice(epoch=17)),
    "a redirect": instead(Answered(302, {**OPEN, "location": "/elsewhere"}, b"")),
    "an error": instead(Answered(500, OPEN, b"")),
    "nothing": instead(None),
    "too much": changed("/bulletin", lambda body: body + b" " * 2**20),
}


def started(visit: Visit, made: Made, **more: object) -> Tab:
    tab = visit.open("/")
    tab.start(**visit.options(made, **more))
    return tab


@pytest.mark.parametrize("lie", LIES)
def test_not_one_byte_of_a_report_leaves_while_the_server_lies(visit: Visit, lie: str) -> None:
    """And the same page, with an honest server, sends."""
    made = visit.create(**WORDS)
    visit.recorder.meddle = LIES[lie]
    tab = started(visit, made)
    tab.report("tea", "milk")
    time.sleep(0.7)
    assert not tab.flush()
    assert visit.recorder.uploads == []
    assert visit.recorder.asked
    visit.recorder.meddle = None
    tab.later(400)  # beyond every pause between tries
    assert tab.until_sent()["reports"] == 2


def test_a_task_above_the_ceiling_is_refused_for_good(visit: Visit) -> None:
    made = visit.create(**WORDS)
    tab = started(visit, made, maxEpsilon=1.99)
    tab.flush()
    assert tab.explain()["state"] == "refused"
    assert tab.report("tea") == ["refused"]
    assert visit.recorder.uploads == []


@pytest.mark.parametrize("fields", [{}, {"one_answer": True, "keys": "day"}])
def test_a_version_in_a_list_does_not_silence_the_page_for_good(visit: Visit, fields: dict[str, object]) -> None:
    """It reads like a version; what is kept must be a text, or no draw would ever succeed."""
    made = visit.create(**WORDS | fields)

    def listed(body: bytes) -> bytes:
        return notice(bulletin=[json.loads(body)["bulletin"]])(body)

    visit.recorder.meddle = changed("/bulletin", listed)
    tab = started(visit, made)
    tab.flush()
    visit.recorder.meddle = None
    tab.later(4000)
    tab.flush()
    tab.report("tea")
    assert tab.until_sent()["reports"] == visit.counted(made) == 1


@pytest.mark.parametrize("lie", ["back to an earlier epoch", "two bulletins for one epoch"])
def test_a_contradiction_is_believed_only_after_an_hour(visit: Visit, lie: str) -> None:
    made = visit.create(**WORDS)
    tab = started(visit, made)
    tab.report("tea")
    tab.until_sent()
    first = visit.service.http.get(f"{made.path}/bulletin", headers={"authorization": f"Bearer {made.key}"}).json()
    visit.service.upload(made, ["tea"] * 40)
    sealed = visit.service.http.post(f"{made.path}/seal", headers=visit.service.admin)
    assert sealed.status_code == 200, sealed.text
    tab.later(90_000)  # beyond the age of any bulletin
    tab.flush()
    old = {"epoch": first["epoch"]} if lie.startswith("back") else {}
    visit.recorder.meddle = changed("/bulletin", notice(bulletin=first["bulletin"], **old))
    before = len(visit.recorder.uploads)
    tab.later(90_000)
    tab.flush()
    tab.report("tea")
    assert not tab.flush()
    assert tab.explain()["state"] == "suspended"
    assert len(visit.recorder.uploads) == before
    tab.later(3_000)
    tab.flush()
    assert tab.explain()["state"] == "suspended"
    tab.later(700)
    tab.flush()
    if lie.startswith("back"):
        assert tab.until_sent()["reports"] == 2
    else:  # the epoch of the bulletin is not the one of the notice: still a lie
        assert tab.explain()["state"] == "suspended"


def test_an_old_bulletin_is_not_answered(visit: Visit) -> None:
    made = visit.create(**WORDS)
    tab = started(visit, made)
    tab.flush()
    visit.recorder.meddle = instead(None)
    tab.later(90_000)
    tab.report("tea")
    assert not tab.flush()
    assert (tab.explain()["state"], tab.explain()["reports"]) == ("stale", 0)
    visit.recorder.meddle = None
    tab.later(400)
    assert tab.until_sent()["reports"] == 1


@pytest.mark.parametrize("page", [b"<html>log in</html>", b'{"accepted":2}', b"", b'{"accepted":1,"more":1}'])
def test_a_login_page_is_no_receipt_and_the_same_bytes_are_sent_again(visit: Visit, page: bytes) -> None:
    made = visit.create(**WORDS)
    tab = started(visit, made)
    visit.recorder.meddle = instead(Answered(200, OPEN, page), method="POST")
    tab.report("tea")
    assert not tab.flush()
    assert not tab.flush()
    visit.recorder.meddle = None
    assert tab.until_sent()["reports"] == 1
    assert len(visit.recorder.uploads) >= 3
    assert len({each.body for each in visit.recorder.uploads}) == 1
    assert visit.counted(made) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_a_pause_that_the_server_asks_for_is_kept_by_every_tab(visit: Visit, status: int) -> None:
    made = visit.create(**WORDS)
    tab = started(visit, made)
    busy = Answered(status, {**OPEN, "retry-after": "600", "access-control-expose-headers": "retry-after"}, b"{}")
    visit.recorder.meddle = instead(busy, method="POST")
    tab.report("tea")
    tab.flush()
    visit.recorder.meddle = None
    asked = len(visit.recorder.uploads)
    assert asked == 1
    other = started(visit, made)
    other.flush()
    assert not tab.flush()
    assert len(visit.recorder.uploads) == asked
    tab.later(700)
    assert tab.until_sent()["reports"] == visit.counted(made) == 1


@pytest.mark.parametrize("status", [400, 409, 410, 413, 415])
def test_what_the_server_refuses_is_never_drawn_again(visit: Visit, status: int) -> None:
    made = visit.create(**WORDS)
    tab = started(visit, made)
    visit.recorder.meddle = instead(Answered(status, OPEN, b"{}"), method="POST")
    tab.report("tea")
    assert tab.flush()
    visit.recorder.meddle = None
    tab.later(400)
    tab.flush()
    found = tab.explain()
    assert (len(visit.recorder.uploads), found["reports"]) == (1, 1)
    assert [one["status"] for one in found["uploads"]] == [status]


def test_after_a_day_an_upload_is_given_up(visit: Visit) -> None:
    """The collector may have forgotten its id by then, and would count it again."""
    made = visit.create(**WORDS)
    tab = started(visit, made)
    visit.recorder.meddle = instead(None, method="POST")
    tab.report("tea")
    assert not tab.flush()
    visit.recorder.meddle = None
    tab.later(86_401)
    assert tab.flush()
    assert visit.counted(made) == 0
    assert tab.explain()["reports"] == 1


def test_no_cookie_and_no_tag_comes_back(visit: Visit) -> None:
    made = visit.create(**WORDS)

    def marked(asked: Asked, really: Callable[[], Answered]) -> Answered:
        answer = really()
        mark = {"set-cookie": "who=you; Path=/; SameSite=Lax", "etag": '"you"', "cache-control": "max-age=9999"}
        return replace(answer, headers=answer.headers | mark)

    visit.recorder.meddle = marked
    tab = started(visit, made)
    tab.report("tea")
    tab.until_sent()
    tab.here().refresh()
    tab.start(**visit.options(made))
    tab.later(90_000)
    tab.report("tea")
    tab.until_sent()
    assert len(visit.recorder.uploads) == 2
    for asked in visit.recorder.asked:
        assert not {"cookie", "if-none-match", "if-modified-since", "referer"} & set(asked.headers)
