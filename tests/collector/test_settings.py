"""A configuration is checked whole before anything starts."""

import os
from pathlib import Path

import pytest

from hgldp.collector.admins import FIRST_FILE, read_digest
from hgldp.collector.settings import (
    ADMIN_TOKEN_VARIABLE,
    FROM_THE_FILE,
    METRICS_TOKEN_VARIABLE,
    Settings,
    first_admin_token,
    load_settings,
    read_settings,
    with_tokens,
)
from hgldp.collector.tokens import LONGEST, digest, disguised, kept, matches, new_token
from hgldp.errors import HgldpError, InvalidField
from tests.documents import read

WHOLE = """
data = "somewhere"
host = "::"
port = 9000
public_url = "https://collect.example.org/"
bulletin_max_age = 30
log_level = "warning"
[limits]
queue_uploads = 10
"""


def test_a_whole_file_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "hgldp.toml"
    file.write_text(WHOLE, encoding="utf-8")
    settings = load_settings(file)
    assert (settings.data, settings.host, settings.port) == (Path("somewhere"), "::", 9000)
    assert (settings.url, settings.bulletin_max_age) == ("https://collect.example.org", 30)
    assert (settings.log_level, settings.limits.queue_uploads) == ("warning", 10)


def test_what_was_typed_wins_and_what_was_not_does_not(tmp_path: Path) -> None:
    file = tmp_path / "hgldp.toml"
    file.write_text("port = 9000\nhost = '::1'", encoding="utf-8")
    settings = load_settings(file, port=9001, host=None, data=None)
    assert (settings.port, settings.host, settings.url) == (9001, "::1", "http://[::1]:9001")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("prot = 1", "got prot; did you mean port?"),
        ("[limits]\nqueue = 1", "got queue; did you mean queue_"),
        ("limits = 3", "limits must be a table"),
        ("[limits]\nqueue_uploads = 0", "queue_uploads must be a whole number"),
        ("[limits]\nqueue_uploads = 'many'", "queue_uploads must be a whole number"),
        ("port = 0", "port must be a whole number in 1 … 65535"),
        ("port = '80'", "port must be a whole number"),
        ("port = true", "port must be a whole number"),
        ("host = ''", "host must be a name"),
        ("data = 5", "data must be a folder"),
        ("log_level = 'loud'", "log_level must be one of"),
        ("bulletin_max_age = 0", "bulletin_max_age must be a whole number"),
        ("public_url = 'ftp://x'", "public_url must start with http"),
        ("public_url = 'https://x:70000'", "public_url must be a URL"),
        ("public_url = 'https://a..b'", "public_url must be a URL"),
        ("public_url = 'https://:8080'", "public_url must start with http"),
        ("public_url = 'https://x/a//b'", "public_url must have a path of letters"),
        ("public_url = 'https://x/a/../b'", "public_url must have a path of letters"),
        ("public_url = 'https://x/a%2Fb'", "public_url must have a path of letters"),
        ("public_url = 'https://x/tasks'", "public_url must have a path that does not begin with one of ours, /tasks"),
        ("public_url = 5", "public_url must be a text"),
        ("admin_digest = 'x'", "must have no other keys than data, store, host, port"),
        ("port = ", "must be TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "hgldp.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidField) as refused:
        load_settings(file)
    assert complaint in str(refused.value)


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidField, match="config must be a readable file"):
        load_settings(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidField, match="not UTF-8"):
        load_settings(tmp_path / "bytes.toml")


def test_the_operators_page_names_every_key_and_its_example_is_legal() -> None:
    page = read("docs/collector.md")
    for name in FROM_THE_FILE:
        assert f"`{name}`" in page, name
    (example,) = (part.partition("```")[0] for part in page.split("```toml\n")[1:])
    assert set(read_settings(example)) <= set(FROM_THE_FILE)


def test_no_digest_is_printed_by_accident() -> None:
    assert "admin_digest" not in repr(Settings(admin_digest=digest("a secret")))


def test_the_admin_token_is_made_once_and_stored_as_a_hash(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    token = first_admin_token(folder, {})
    assert token is not None
    assert matches(token, read_digest(folder / FIRST_FILE))
    assert token not in (folder / FIRST_FILE).read_text()
    assert os.stat(folder / FIRST_FILE).st_mode & 0o077 == 0
    assert first_admin_token(folder, {}) is None


def test_a_token_in_the_environment_wins_and_is_not_written(tmp_path: Path) -> None:
    chosen = {ADMIN_TOKEN_VARIABLE: "sixteen letters!"}
    assert with_tokens(Settings(), chosen) == Settings(admin_digest=kept("sixteen letters!"))
    assert first_admin_token(tmp_path, chosen) is None
    assert list(tmp_path.iterdir()) == []


def test_a_short_token_and_a_damaged_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidField, match="at least 16 characters, got 5"):
        with_tokens(Settings(), {ADMIN_TOKEN_VARIABLE: "short"})
    with pytest.raises(InvalidField, match="HGLDP_METRICS_TOKEN must have at least 16 characters, got 0"):
        with_tokens(Settings(), {METRICS_TOKEN_VARIABLE: ""})
    (tmp_path / FIRST_FILE).write_text("zz")
    with pytest.raises(HgldpError, match="hgldp admin rotate makes a new token"):
        first_admin_token(tmp_path, {})


def test_tokens_are_long_distinct_and_compared_whole() -> None:
    one, other = new_token(os.urandom), new_token(os.urandom)
    assert len(one) == len(other) == 43
    assert one != other
    assert matches(one, kept(one))
    assert not matches(one[:-1], kept(one))
    assert not matches("x" * (LONGEST + 1), kept("x" * (LONGEST + 1)))
    assert disguised(one) not in (one, disguised(other))


def test_what_is_stored_makes_no_cookie_and_a_cookie_is_no_token() -> None:
    """Nothing that a thief of the folder can write down opens a page; and who holds a cookie can only read."""
    stored = kept("a token")
    for held in (stored.hex(), disguised(stored.hex()), disguised(stored.decode("latin-1"))):
        assert digest(held) != stored
    assert digest(disguised("a token")) == stored
    assert not matches(disguised("a token"), stored)
    assert not matches(disguised("a token"), digest("a token"))
