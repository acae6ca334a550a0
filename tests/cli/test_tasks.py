"""A task is found by its name, its id or the first digits of its id, and only if exactly one fits."""

from typing import Any

import pytest

from hgldp.cli.service import Turned
from hgldp.cli.tasks import SeveralTasks, find_task
from hgldp.errors import InvalidField

SEARCHES, PAGES, TWIN, BEEF = "1bb0" * 16, "3bfc" * 16, "1bb03acf" * 8, "beef" * 16
TASKS = [
    {"id": SEARCHES, "name": "Searches"},
    {"id": PAGES, "name": "Page views"},
    {"id": TWIN, "name": "Searches"},
    {"id": BEEF, "name": "3bfc"},
]


class FakeService:
    """Lists the tasks above, or turns everybody away with a status."""

    def __init__(self, status: int = 200, *, has_token: bool = False) -> None:
        self.status, self.has_token = status, has_token
        self.asked = 0

    def get(self, path: str) -> Any:
        assert path == "/v1/tasks"
        self.asked += 1
        if self.status != 200:
            raise Turned(self.status, "no")
        return {"tasks": TASKS}


def find(text: str, service: FakeService | None = None) -> str:
    return find_task(service or FakeService(), text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Page views", PAGES),
        (PAGES, PAGES),
        (PAGES.upper(), PAGES),
        (PAGES[:5], PAGES),
        (PAGES[:63], PAGES),
        (BEEF[:4].upper(), BEEF),
        (SEARCHES[:5], SEARCHES),
        (TWIN[:5], TWIN),
    ],
)
def test_a_name_an_id_and_the_first_digits_of_an_id_find_the_task(text: str, found: str) -> None:
    assert find(text) == found


def test_a_whole_id_needs_no_look_up_and_no_token() -> None:
    service = FakeService(status=401)
    assert find("0" * 64, service) == "0" * 64
    assert service.asked == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Searches", "2 tasks are called Searches: 1bb01bb01bb0, 1bb03acf1bb0; give the id"),
        ("1bb0", "2 tasks fit 1bb0: 1bb01bb01bb0 (Searches), 1bb03acf1bb0 (Searches); give the id"),
        ("3bfc", "2 tasks fit 3bfc: 3bfc3bfc3bfc (Page views), beefbeefbeef (3bfc); give the id"),
    ],
)
def test_what_fits_several_is_refused_with_all_of_them(text: str, told: str) -> None:
    with pytest.raises(SeveralTasks) as refusal:
        find(text)
    assert str(refusal.value) == told


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("Searchs", "got Searchs; did you mean Searches?"),
        ("page views", "got page views; did you mean Page views?"),
        ("1bb", "got 1bb"),
        ("ffff", "got ffff"),
        ("x\x1b[2J", "got x\N{REPLACEMENT CHARACTER}[2J"),
        ("", "got nothing"),
    ],
)
def test_what_fits_none_is_refused_with_the_nearest_name(text: str, ending: str) -> None:
    with pytest.raises(InvalidField) as refusal:
        find(text)
    assert str(refusal.value).endswith(ending)


def test_without_the_admin_token_the_whole_id_is_asked_for() -> None:
    with pytest.raises(InvalidField, match=r"64 digits, because names need the admin token \(--token or HGLDP"):
        find("Searches", FakeService(status=401))
    with pytest.raises(InvalidField, match="the token you gave is another one"):
        find("Searches", FakeService(status=401, has_token=True))
    with pytest.raises(Turned):
        find("Searches", FakeService(status=503))
