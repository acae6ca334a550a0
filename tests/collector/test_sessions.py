"""A cookie proves itself; who signed out is kept for as long as the cookie would have lasted, and takes little room."""

import os
from pathlib import Path

import pytest

from hgldp.collector.sessions import FILE, MOST_ENDED, SECONDS, FolderSessions, Session, Sessions
from hgldp.collector.tokens import disguised, kept

NOW = 1_800_000_000.5
TEA, MATE = disguised("tea"), disguised("mate")


def begun(sessions: Sessions, disguise: str = TEA, now: float = NOW) -> Session:
    found = sessions.read(sessions.begin(disguise, now))
    assert found is not None
    return found


def test_a_session_opens_what_its_token_opens_and_lasts_thirty_days(tmp_path: Path) -> None:
    sessions = FolderSessions(tmp_path)
    session = begun(sessions)
    assert session.proof == kept("tea")
    assert not sessions.has_ended(session, NOW + SECONDS)
    assert sessions.has_ended(session, NOW + SECONDS + 1)


def test_no_cookie_is_a_session_but_one_that_was_made_here(tmp_path: Path) -> None:
    sessions = FolderSessions(tmp_path / "one")
    cookie = sessions.begin(TEA, NOW)
    disguise, name, ends, signature = cookie.split(".")
    later, other = str(int(ends) + SECONDS), disguised("another id")
    for forged in (
        "", TEA, cookie[:-1], f"{cookie}0", f"{disguise}.{name}.{later}.{signature}",
        f"{disguise}.{other}.{ends}.{signature}", f"{MATE}.{name}.{ends}.{signature}",
        FolderSessions(tmp_path / "two").begin(TEA, NOW),
    ):  # fmt: skip
        assert sessions.read(forged) is None, forged
    assert sessions.read(cookie) is not None


def test_the_folder_remembers_who_signed_out_and_nobody_can_make_a_cookie_of_that(tmp_path: Path) -> None:
    before = FolderSessions(tmp_path)
    gone, stays = begun(before), begun(before)
    before.end([gone], NOW)
    for sessions in (before, FolderSessions(tmp_path)):
        assert sessions.has_ended(gone, NOW)
        assert not sessions.has_ended(stays, NOW)
    assert os.stat(tmp_path / FILE).st_mode & 0o077 == 0
    assert TEA not in (tmp_path / FILE).read_text()


@pytest.mark.parametrize(
    "damage",
    [
        None, "", "{}", '{"key": "00", "ended": {}}', '{"key": 1}', "[]", "\xff", "[" * 100_000,
        '{"key": "%s", "ended": {"00": {"": Infinity}}}' % ("00" * 32),
    ],
)  # fmt: skip
def test_without_the_file_or_with_a_damaged_one_all_sign_in_again(tmp_path: Path, damage: str | None) -> None:
    """It fails closed: who signed out does not come back."""
    before = FolderSessions(tmp_path)
    cookie = before.begin(TEA, NOW)
    if damage is None:
        (tmp_path / FILE).unlink()
    else:
        (tmp_path / FILE).write_text(damage)
    after = FolderSessions(tmp_path)
    assert after.read(cookie) is None
    assert FolderSessions(tmp_path).read(after.begin(TEA, NOW)) is not None


def test_what_cannot_be_written_has_not_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = FolderSessions(tmp_path)
    session = begun(sessions)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("hgldp.collector.sessions.write_privately", full)
    with pytest.raises(OSError, match="No space left"):
        sessions.end([session], NOW)
    assert not sessions.has_ended(session, NOW)
    cookie = FolderSessions(tmp_path / "new").begin(TEA, NOW)  # on a full disk too, until the next start
    assert cookie


def test_signing_in_and_out_again_and_again_takes_no_more_room_and_ends_nobody_elses_session(tmp_path: Path) -> None:
    sessions = FolderSessions(tmp_path)
    old, other = begun(sessions, now=NOW - 10), begun(sessions, MATE, NOW - 10)
    ended = [begun(sessions, now=NOW + number) for number in range(MOST_ENDED + 20)]
    sessions.end(ended[: MOST_ENDED - 1], NOW)
    assert not sessions.has_ended(old, NOW)
    for each in ended[MOST_ENDED - 1 :]:
        sessions.end([each], NOW)
    size = (tmp_path / FILE).stat().st_size
    for found in (sessions, FolderSessions(tmp_path)):
        assert all(found.has_ended(each, NOW) for each in ended)
        assert found.has_ended(old, NOW), "it began before the last hundred"
        assert not found.has_ended(other, NOW)
        assert not found.has_ended(begun(found, now=NOW + 1_000), NOW)
    sessions.end([begun(sessions, now=NOW + 2_000)], NOW)
    assert (tmp_path / FILE).stat().st_size == size


def test_what_has_ended_by_itself_is_forgotten(tmp_path: Path) -> None:
    sessions = FolderSessions(tmp_path)
    empty = (tmp_path / FILE).stat().st_size
    sessions.end([begun(sessions, now=NOW), begun(sessions, MATE, NOW)], NOW)
    assert (tmp_path / FILE).stat().st_size > empty
    sessions.end([], NOW + SECONDS + 1)
    assert (tmp_path / FILE).stat().st_size == empty
