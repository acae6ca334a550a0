"""`hgldp serve` as a process: it starts, says where, ends cleanly, and refuses what it cannot do."""

import json
import os
import pty
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from select import select
from urllib.parse import urlsplit

import httpx
import pytest

from hgldp.cli.commands.serve import run as serve_command
from hgldp.cli.commands.serve.greeting import CREATE, OTHER_DOMAINS, WARNING, greeting
from hgldp.collector.http.listening import EVERYWHERE
from hgldp.collector.settings import Settings
from hgldp.collector.tokens import kept
from tests.cli.conftest import run
from tests.free_port import free_port
from tests.patience import PATIENCE, until

OWN = {"HGLDP_ADMIN_TOKEN": "of my own choice"}


@contextmanager
def started(folder: Path, *more: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    port = free_port()
    words = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(folder), "--port", str(port), *more]
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}
    )
    url = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(trust_env=False) as http:  # one for all questions: each new one reads all certificates
            until(lambda: process.poll() is not None or is_ready(http, url))
        yield process, url
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def is_ready(http: httpx.Client, url: str) -> bool:
    try:
        return http.get(f"{url}/ready", timeout=PATIENCE).status_code == 200
    except httpx.TransportError:
        return False


def test_it_starts_and_ends_cleanly_and_keeps_the_token_out_of_the_log(tmp_path: Path) -> None:
    """Standard output is a pipe here, as in a container: whatever is written there stays in somebody's log."""
    folder = tmp_path / "data"
    with started(folder) as (process, url):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    file = folder / "admin-token.txt"
    token = file.read_text().strip()
    assert file.stat().st_mode & 0o777 == 0o600
    assert len(token) == 43
    assert token not in out
    assert f"\n  admin token  in {file.resolve()}, which only its owner may read\n" in out
    assert f"\nDashboard:\n  {url}/\n" in out
    steps = out.partition("create a first task in another terminal:\n")[2].splitlines()
    assert steps[0] == f"  export HGLDP_URL={url}"
    assert steps[2] == f"  {CREATE}"
    assert (folder / "admin-token.sha256").read_text() == kept(token).hex()
    assert [json.loads(line)["event"] for line in err.splitlines()][-1] == "stopped"
    assert token not in err
    with started(folder) as (process, url):
        tasks = httpx.get(f"{url}/v1/tasks", headers={"authorization": f"Bearer {token}"}, trust_env=False)
        assert tasks.json() == {"tasks": []}
        process.send_signal(signal.SIGTERM)
        again, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert token not in again
    assert f"\nDashboard:\n  {url}/\n" in again
    assert f"  {CREATE}" in again.splitlines()


def test_a_token_of_the_environment_and_a_configuration_file(tmp_path: Path) -> None:
    file = tmp_path / "hgldp.toml"
    file.write_text('bulletin_max_age = 1\nlog_level = "error"\n', encoding="utf-8")
    with started(tmp_path / "data", "--config", str(file), **OWN) as (process, url):
        headers = {"authorization": "Bearer of my own choice"}
        body = {"name": "N", "scheme": "pfr", "epsilon": 1, "domain": {"range": [0, 50]}, "k": 3}
        made = httpx.post(f"{url}/v1/tasks", json=body, headers=headers, trust_env=False).json()
        pointer = httpx.get(f"{url}/v1/tasks/{made['id']}/bulletin", headers=headers, trust_env=False).json()
        assert pointer["max_age"] == 1
        process.terminate()
        out, err = process.communicate(timeout=PATIENCE)
    assert "of my own choice" not in out + err
    assert err == ""
    assert f"  {CREATE}" in out.splitlines()
    with started(tmp_path / "data", **OWN) as (process, _):
        process.terminate()
        again, _ = process.communicate(timeout=PATIENCE)
    assert "  hgldp task list" in again.splitlines()


def test_a_second_collector_on_the_folder_and_a_taken_port_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with started(folder) as (_, url):
        words = [sys.executable, "-m", "hgldp.cli", "serve", "--data"]
        port = url.rpartition(":")[2]
        for place, taken, complaint in (
            (folder, str(free_port()), "in use by another process"),
            (tmp_path / "other", port, "is in use: choose another with --port"),
        ):
            second = subprocess.run(
                [*words, str(place), "--port", taken], capture_output=True, text=True, check=False, timeout=PATIENCE
            )
            assert (second.returncode, second.stdout) == (2, "")
            assert complaint in second.stderr
        assert not (tmp_path / "other").exists()
        assert httpx.get(f"{url}/ready", trust_env=False).status_code == 200


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--port", "0"], "port must be a whole number in 1 … 65535"),
        (["--config", "none.toml"], "config must be a readable file"),
        (["--host", "256.1.1.1", "--port", "8099"], "must be an address of this machine"),
    ],
)
def test_a_wrong_setting_is_one_line_and_nothing_is_made(tmp_path: Path, words: list[str], complaint: str) -> None:
    line = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(tmp_path / "data"), *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "data").exists()


def test_a_short_admin_token_is_one_line_and_nothing_is_made(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(tmp_path / "data"), "--port", str(free_port())]
    short = {**os.environ, "HGLDP_ADMIN_TOKEN": "short"}
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=PATIENCE, env=short)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "hgldp: error: HGLDP_ADMIN_TOKEN must have at least 16 characters, got 5\n"
    assert not (tmp_path / "data").exists()


def test_a_folder_that_cannot_be_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    line = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(tmp_path / "file" / "data"), "--port"]
    done = subprocess.run([*line, str(free_port())], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (2, "")
    assert "data must be a folder that can be written" in done.stderr


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_open_dashboards_and_streams_end_at_once(tmp_path: Path, sign: signal.Signals) -> None:
    with started(tmp_path / "data", **OWN) as (process, url), ExitStack() as open_streams:
        headers = {"authorization": "Bearer of my own choice"}
        body = {"name": "N", "scheme": "pfr", "epsilon": 1, "domain": {"range": [0, 50]}, "k": 3}
        made = httpx.post(f"{url}/v1/tasks", json=body, headers=headers, trust_env=False).json()
        streams = []
        for path in ("/live", f"/tasks/{made['id']}/live", f"/v1/tasks/{made['id']}/events"):
            stream = open_streams.enter_context(httpx.stream("GET", f"{url}{path}", headers=headers, trust_env=False))
            assert stream.status_code == 200
            streams.append(stream.iter_raw())
            assert b"event: " in next(streams[-1])
        process.send_signal(sign)
        for stream in streams:
            assert b"Traceback" not in b"".join(stream)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "Traceback" not in err
    assert "graceful shutdown exceeded" not in err, "as it says after GRACE_SECONDS"


def test_a_body_that_is_still_coming_is_told_to_come_again(tmp_path: Path) -> None:
    with started(tmp_path / "data", **OWN) as (process, url):
        headers = {"authorization": "Bearer of my own choice"}
        body = {"name": "N", "scheme": "pfr", "epsilon": 1, "domain": {"range": [0, 50]}, "k": 3}
        made = httpx.post(f"{url}/v1/tasks", json=body, headers=headers, trust_env=False).json()
        parts = urlsplit(url)
        with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE) as line:
            head = f"POST {made['upload']} HTTP/1.1\r\nHost: x\r\nContent-Length: 64\r\n"
            line.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
            assert line.recv(10_000) == b"HTTP/1.1 100 Continue\r\n\r\n"  # now the body is waited for
            line.sendall(b"half of it")
            process.send_signal(signal.SIGTERM)
            answer = b"".join(iter(lambda: line.recv(10_000), b""))
        _, err = process.communicate(timeout=PATIENCE)
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b"urn:hgldp:problem:shutting-down" in answer
    assert process.returncode == 0
    assert "Traceback" not in err


def test_the_greeting_names_the_address_only_where_it_is_not_the_usual_one(tmp_path: Path) -> None:
    usual, other = (greeting(Settings(data=tmp_path, port=port), "T" * 43, 0) for port in (8080, 8081))
    assert "HGLDP_URL" not in usual
    assert "  export HGLDP_URL=http://127.0.0.1:8081\n" in other


def read_until(last: str, terminal: int) -> str:
    out = ""
    while last not in out and select([terminal], [], [], PATIENCE)[0]:
        out += os.read(terminal, 10_000).decode()
    return out


def test_what_the_greeting_proposes_creates_a_task_when_it_is_pasted(tmp_path: Path) -> None:
    command, (ours, theirs) = tmp_path / "hgldp", pty.openpty()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m hgldp.cli "$@"\n')
    command.chmod(0o700)
    line = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(tmp_path / "data"), "--port", str(free_port())]
    with subprocess.Popen(line, stdout=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        said = read_until(OTHER_DOMAINS, ours).replace("\r\n", "\n")
        pasted = said.partition("in another terminal:\n")[2].partition(OTHER_DOMAINS)[0]
        environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
        shell = {"env": environment, "capture_output": True, "text": True, "timeout": 60}
        lines = (pasted, pasted.replace(CREATE, "hgldp task show Drinks --json"))
        made, found = (subprocess.run(["/bin/sh", "-ec", each], check=False, **shell) for each in lines)  # type: ignore[call-overload]
        process.terminate()
    os.close(ours)
    assert (made.returncode, made.stderr) == (0, "")
    task = json.loads(found.stdout)
    assert (task["level"], task["period"], task["epsilon"], task["k"]) == ("period", "day", 2.0, 3)
    assert task["domain"] == {"words": 5}


def test_a_terminal_is_shown_the_token_once_and_no_file_is_made(tmp_path: Path) -> None:
    folder, (ours, theirs) = tmp_path / "data", pty.openpty()
    line = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(folder), "--port", str(free_port())]
    with subprocess.Popen(line, stdout=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        out = read_until(OTHER_DOMAINS, ours)
        process.terminate()
    os.close(ours)
    (token,) = (line.split()[2] for line in out.splitlines() if line.startswith("  admin token  "))
    assert out.count(token) == 2  # to keep and to export, never in an address: it would not sign in, but stay in logs
    assert kept(token).hex() == (folder / "admin-token.sha256").read_text()
    assert not (folder / "admin-token.txt").exists()


IN_THIS_PROCESS = """
import os, socket, sys
from hgldp.cli import main
os.umask(0o027)
with socket.create_server(("127.0.0.1", 0)) as taken:
    code = main(["serve", "--data", sys.argv[1], "--port", str(taken.getsockname()[1])])
print(code, oct(os.umask(0)))
"""


def test_a_collector_that_has_ended_leaves_the_mask_for_new_files_as_it_was(tmp_path: Path) -> None:
    """Before, whatever else the process made was for its owner alone from then on."""
    line = [sys.executable, "-c", IN_THIS_PROCESS, str(tmp_path / "data")]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.stdout == "2 0o27\n", done.stderr


@pytest.mark.parametrize(
    ("host", "public_url", "warned"),
    [
        ("127.0.0.1", "", False),
        ("::1", "", False),
        ("localhost", "", False),
        (EVERYWHERE[0], "", True),
        ("::", "", True),
        ("192.0.2.7", "http://example.org", True),
        (EVERYWHERE[0], "https://example.org", False),
    ],
)
def test_who_can_reach_it_without_encryption_is_said(tmp_path: Path, host: str, public_url: str, warned: bool) -> None:
    said = greeting(Settings(data=tmp_path, host=host, public_url=public_url), None, 0)
    assert (WARNING in said) == warned
    assert ("on all addresses of this machine" in said) == (host in EVERYWHERE)
    assert ("[::]:8080" in said) == (host == "::")


@pytest.mark.parametrize(
    ("host", "reached"), [("::1", ["[::1]"]), ("[::1]", ["[::1]"]), ("::", ["[::1]", "127.0.0.1"])]
)
def test_it_listens_on_ipv6_and_on_both(tmp_path: Path, host: str, reached: list[str]) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    port = free_port()
    line = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(tmp_path), "--host", host, "--port", str(port)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        said = ""
        while "Dashboard:" not in said:
            said += process.stdout.readline()
        answers = [httpx.get(f"http://{name}:{port}/ready", trust_env=False).status_code for name in reached]
        process.terminate()
        process.stdout.read()
    assert answers == [200] * len(reached)
    assert f"  address      http://[::1]:{port}\n" in said
    assert process.returncode == 0


@pytest.mark.parametrize(("words", "form"), [((), "text"), (("--log", "json"), "json"), (("--log", "text"), "text")])
def test_a_terminal_gets_readable_logs_unless_json_is_asked_for(
    tmp_path: Path, words: tuple[str, ...], form: str
) -> None:
    """Standard error is a pseudo-terminal here, as it is for somebody who types the command."""
    ours, theirs = pty.openpty()
    line = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(tmp_path / "data"), "--port", str(free_port())]
    with subprocess.Popen([*line, *words], stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        first = os.read(ours, 10_000).decode().splitlines()[0]
        process.terminate()
    os.close(ours)
    if form == "json":
        assert json.loads(first)["event"] == "recovered"
    else:
        assert re.fullmatch(r"\d\d:\d\d:\d\d\.\d{3}Z  info     recovered  tasks=0", first)


@pytest.mark.parametrize(
    ("words", "kept"),
    [((), "in the database that HGLDP_STORE names, not in the folder cups"), (("--data", "x"), "in the folder x, not")],
)
def test_where_a_folder_and_a_database_are_named_it_says_which_it_takes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    kept: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HGLDP_STORE", "postgresql://db.example/hot")
    monkeypatch.setattr(serve_command, "serve", lambda *_, **__: None)
    Path("hgldp.toml").write_text('data = "cups"')
    code, _, err = run(capsys, "serve", "--config", "hgldp.toml", *words)
    assert (code, f"hgldp: everything is kept {kept}" in err) == (0, True), err
