"""A tool that counts its commands: what it prints is what the collector got, and a user can stop it."""

import re

from hgldp.wire.upload import Upload
from tests.slow.examples.running import Example, lines_to_start


def test_a_command_is_counted_and_what_was_sent_is_printed(example: Example) -> None:
    create, add = lines_to_start("usage_of_a_tool")
    example.run(create)
    said = example.run(add).stderr
    (sent,) = re.findall(r"64 bytes: ([0-9a-f]{128})\n", said)
    assert Upload.decode(bytes.fromhex(sent)).count == 1
    assert b"milk".hex() not in sent
    assert example.counted(1) == 1
    assert example.run("python notes.py list").stdout == "1  buy milk\n"
    assert example.counted(2) == 2
    shown = example.run("python notes.py usage").stdout
    assert sent in shown
    assert shown.endswith("reports: 2, in the last 24 hours: 2\n")
    silent = example.run("python notes.py find milk", DO_NOT_TRACK="1")
    assert (silent.stdout, silent.stderr) == ("1  buy milk\n", "")
    assert example.run("python notes.py --no-usage list").stderr == ""
    assert example.run("python notes.py drop 1").stderr == ""
    assert example.run("python notes.py usage").stdout == "opted out; reports: 2, in the last 24 hours: 2\n"
    assert example.counted(2) == 2
    example.run("python notes.py usage --again")
    assert "64 bytes" in example.run("python notes.py list").stderr
    assert example.counted(3) == 3
