"""What a newcomer types wrong: each gets one line that says what to do, exit code 2, and nothing on standard output."""

import gzip
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import create, run
from tests.cli.test_command import blocked
from tests.collector.live_service import Service

SMALL = "uniform:n=900,d=9"
KEY = "k" * 43
ON_STREAMS = {
    "simulat numbers.dat": "there is no command simulat; did you mean simulate? (hgldp --help)",
    "simulate": "STREAM must be given (hgldp simulate --help)",
    "simulate numbers.dat --epsilom 2": "there is no option --epsilom; did you mean --epsilon? (hgldp simulate --help)",
    "simulate numbers.dat --eps 2": "there is no option --eps; did you mean --epsilon? (hgldp simulate --help)",
    "simulate numbers.dat -k 3": "there is no option -k; did you mean --k? (hgldp simulate --help)",
    "simulate numbers.dat -z 3": "unexpected option -z (hgldp simulate --help)",
    "simulate numbers.dat more.dat": "unexpected argument more.dat (hgldp simulate --help)",
    "simulate numbers.dat --k": "--k must be followed by its value (if that begins with a dash: --k=VALUE) ...",
    "simulate numbers.dat --k ten": "--k must be a whole number, got ten (hgldp simulate --help)",
    "simulate numbers.dat --k 10": "--k must be at most the 5 different items of the stream, got 10",
    f"simulate {SMALL} --k 3 --scheme drs": "--scheme must be all or one of bgr, dsr, ..., got drs; did you mean dsr?",
    f"simulate {SMALL} --scheme dsr --scheme=pfr": "--scheme must be given only once (hgldp simulate --help)",
    f"simulate {SMALL} --k 3 --epsilon 0": "--epsilon must be finite and above 0, got 0...",
    f"simulate {SMALL} --k 3 --epsilon 100": "--epsilon must be at most 10 ...",
    f"simulate {SMALL} --k 3 --epsilon two": "--epsilon must be a number, got two",
    f"simulate {SMALL} --k 3 --seed -1": "--seed must lie in 0 … 2^64 − 1, like every seed after it, got -1",
    f"simulate {SMALL} --k 3 --level user": "--events must be given with --level user, got none",
    f"simulate {SMALL} --k 3 --level usr": "--level must be one of event, ..., got usr; did you mean user?...",
    f"simulate {SMALL} --k 3 --memory 16kB": "--memory must be a whole number, got 16kB (hgldp simulate --help)",
    f"simulate {SMALL} --k 3 --warmup 1%": "--warmup must be a share of the stream below 1, ..., got 1%",
    f"simulate {SMALL} --k 3 --warmup 900": "--warmup must leave something of the 900 items to report, got 900",
    f"simulate {SMALL} --k 3 --scheme cnr --variant paper": "--warmup must be given for cnr ..., or --hot-share, got 0",
    f"simulate {SMALL} --k 3 --json --csv": "--csv: not allowed with argument --json (hgldp simulate --help)",
    "simulate zipf:n=900,d=9": "s must be given for zipf, got zipf:n=900,d=9",
    "simulate zpf:n=900,d=9,s=1": "STREAM must be a file ..., a data set ... or a generator ...; did you mean zipf?",
    "simulate retial": "STREAM must be a file ..., a data set ... or a generator ..., got retial; did you mean retail?",
    "simulate nowhere.dat": "STREAM must be a readable file, ..., got nowhere.dat (No such file or directory)",
    "simulate orders.csv": "--column must be given for a CSV file, a name in its first line or a number...",
    "simulate orders.csv --column produkt": (
        "--column must be a name in the first line (product, price), got produkt; did you mean product?"
    ),
    "simulate semi.csv --column drink": (
        "--column must be a name in the first line (id;drink), got drink; columns must be separated by commas, ..."
    ),
    "simulate empty.csv --column drink": "--column must be a name in the first line, got drink; empty.csv is empty",
    "simulate orders.csv --column 9": "orders.csv, line 1: there must be a column 9",
    "simulate negative.dat": "negative.dat, line 1: every item must be a whole number ... and not negative, ...",
    "simulate normal:n=900,d=9,s=2": "normal takes n, d and sigma, got s=2",
    "simulate retail": "... has no copy of retail; fetch it with: hgldp data fetch retail --data ...",
    "data path retail": "... has no copy of retail; fetch it with: hgldp data fetch retail --data ...",
    "simulate words.txt": "words.txt, line 1: every item must be a whole number ... (strings: --open; CSV: --column)",
    "simulate words.txt --open --warmup 2": "--warmup must be left out with --open, which always starts cold, got 2",
    "schemes --domain 10": "--k must be below the 10 items of the domain, got 20",
    "check --scheme heavy": "--scheme must be all or one of bgr, ..., got heavy",
    "data path kosrak": "NAME must be one of kosarak, ..., got kosrak; did you mean kosarak?",
    "data ftch retail": "ACTION must be one of list, fetch, path, got ftch; did you mean fetch? (hgldp data --help)",
    "reproduce --only ndgc": "--only must name figures (hgldp reproduce --list), got ndgc; did you mean ndcg?",
    "reproduce --quick --out orders.csv": "--out must be a folder that can be written to, got orders.csv...",
    "completion tcsh": "SHELL must be one of bash, zsh, fish, got tcsh... (hgldp completion --help)",
    "replay numbers.dat": "numbers.dat must hold the data of a collector, but it has no collector.sqlite3",
    "demo --port {port}": "--port must be free, got {port} (Address already in use)",
    "serve --port 99999": "--port must be a whole number in 1 … 65535, got 99999",
    "serve --config none.toml": "--config must be a readable file, got none.toml (No such file or directory)",
    "task list --url http://127.0.0.1:{free}": "no collector answers at http://127.0.0.1:{free} ...",
}
ON_A_COLLECTOR = {
    "task list --token wrong": (
        "the collector answered 401: this is not the right token: give the admin token, ... --token or HGLDP_TOKEN"
    ),
    "task show Pagse": "task must be the name, ... (hgldp task list), got Pagse; did you mean Pages?",
    "task show Pages --token wrong": (
        "task must be a whole id of 64 digits, because names ...; the token you gave is another one, got Pages"
    ),
    "task show": "TASK must be given to hgldp task show, got none (hgldp task list)",
    "task shwo Pages": "ACTION must be one of ..., got shwo; did you mean show? (hgldp task --help)",
    "task create": "--name must be given to hgldp task create, got none",
    "task create y --name x": "--name must be given only once, got y and --name x",
    "task create x --epsilon 1": "--k must be given to hgldp task create, got none",
    "task create --name x --epsilon 1": "--k must be given to hgldp task create, got none",
    "task create --name x --epsilon 1 --k 5": "the domain must be given by one of --range, --words and --strings, ...",
    "task create --name x --epsilon 1 --k 5 --range 0 3": "--k must be at most the 4 items of the domain, ..., got 5",
    "task create --name x --epsilon 1 --k 5 --range 0 -5": "--range size must be a whole number in 2 … ..., got -5",
    "task create --name x --epsilon 1 --k 5 --strings 1000": "--strings must be a whole number in 1 … 255, got 1000",
    "task create --name x --epsilon 1 --k 5 --words /dev/null": "--words must be at least 2 words ..., got 0",
    "task create --name x --epsilon 99 --k 5 --strings 9": "--epsilon must be at most 10 ..., got 99.0",
    "task create --name x --epsilon 1 --k 5 --range 0 9 --half-life -1": "--half-life must be ..., got -1",
    "task create --name x --epsilon 1 --k 5 --words no.txt": "--words must be a readable file ..., got no.txt ...",
    "task create --name x --epsilon 1 --k 5 --range 0 9 --scheme pfrr": "--scheme ..., got pfrr; did you mean pfr?",
    "task create --name x --epsilon 1 --k 5 --range 0 9 --scheme grr": (
        "--scheme must be one of bgr, ..., pfr, got grr; hgldp simulate runs it, a collector does not"
    ),
    "task create --name x --epsilon 1 --k 5 --range 0 9 --level user": "--events must be given with --level user...",
    "top": "TASK must be given to hgldp top, got none (hgldp task list)",
    "export": "TASK must be given to hgldp export, got none (hgldp task list)",
    "top Pages --task Words": "TASK must be given only once, got Pages and --task Words",
    "export --task Words Pages": "TASK must be given only once, got Pages and --task Words",
    "top Pages Words": "unexpected argument Words (hgldp top --help)",
    "top Pagse": "task must be the name, ...; did you mean Pages?",
    "top --task Pagse": "--task must be the name, ...; did you mean Pages?",
    "top --task Pages --k 0": "--k must be a whole number in 1 … 64, got 0",
    "top --task Pages --k 500": "--k must be a whole number in 1 … 64, got 500",
    "top --task Pages --k -5": "--k must be a whole number in 1 … 64, got -5",
    "export --task Pages --output no/r.csv": "--output must be a file that can be written, got no/r.csv ...",
    "export --task Pages --format xml": "--format must be one of csv, json, parquet, got xml (hgldp export --help)",
    "report words.txt --task Pages --max-epsilon 4": "--key must be given, or HGLDP_WRITE_KEY in the environment...",
    f"report words.txt --task Pages --max-epsilon 1 --key {KEY}": "--max-epsilon must be at least ... ε = 4, got 1",
    "report events.txt --task Pages --max-epsilon 4 --key k": "--key must be 43 letters, ..., got 1 ...",
    f"report cut.gz --task Pages --max-epsilon 4 --key {KEY}": "FILE must be whole gzip data, got ... in cut.gz",
    f"report semi.csv --column drink --task Pages --max-epsilon 4 --key {KEY}": (
        "--column must be a name in the first line, which has 1, got drink; columns must be separated by commas, ..."
    ),
    f"report no.txt --task Pages --max-epsilon 4 --key {KEY}": "FILE must be a readable file or '-', got no.txt ...",
    "report words.txt --taks Pages --max-epsilon 4": "there is no option --taks; did you mean --task? ...",
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "orders.csv").write_text("product,price\ntea,1\ncoffee,2\n", encoding="utf-8")
    (tmp_path / "words.txt").write_text("tea\nmilk\n", encoding="utf-8")
    (tmp_path / "semi.csv").write_text("id;drink\n1;tea\n", encoding="utf-8")
    (tmp_path / "empty.csv").write_text("", encoding="utf-8")
    (tmp_path / "negative.dat").write_text("1 -2\n", encoding="utf-8")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"7\n" * 99)[:-9])
    (tmp_path / "events.txt").write_text("7\n", encoding="utf-8")
    (tmp_path / "numbers.dat").write_text("1 2 3\n4 5 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HGLDP_DATA", str(tmp_path / "data sets"))


@pytest.fixture(scope="module")
def ports() -> Iterator[dict[str, int]]:
    """One that is taken, and one that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        yield {"port": taken.getsockname()[1], "free": silent.getsockname()[1]}


def check(said: tuple[int, str, str], expected: str) -> None:
    """Three dots stand for whatever is of no interest, but never for a second line."""
    code, out, err = said
    assert (code, out) == (2, "")
    pattern = re.escape(f"hgldp: error: {expected}\n").replace(re.escape("..."), ".*")
    assert re.fullmatch(pattern, err), err


@pytest.mark.parametrize("line", ON_STREAMS)
def test_a_wrong_use_gets_one_line_that_says_what_to_do(
    line: str, ports: dict[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    check(run(capsys, *line.format(**ports).split()), ON_STREAMS[line].format(**ports))


def test_a_taken_port_gets_one_line_too(ports: dict[str, int]) -> None:
    """In a process of its own, since a collector that starts takes over the logs of its process."""
    done = blocked((), "serve", "--port", str(ports["port"]))
    expected = f"port {ports['port']} of 127.0.0.1 is in use: choose another with --port"
    check((done.returncode, done.stdout, done.stderr), expected)


@pytest.mark.usefixtures("tokens")
@pytest.mark.parametrize("line", ON_A_COLLECTOR)
def test_a_wrong_use_of_a_collector_gets_one_line_that_says_what_to_do(
    line: str, service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    if not service.collector.tasks():
        create(service, capsys)
    check(run(capsys, *line.split(), "--url", service.url), ON_A_COLLECTOR[line])
