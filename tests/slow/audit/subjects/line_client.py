"""A client behind a command, honest or with a mistake: `python line_client.py MISTAKE` speaks the audit's protocol."""

import json
import os
import random
import sys
import time

from hgldp import Randomizer
from hgldp.errors import OutsideDomain
from hgldp.model.randomness import Words
from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import Upload


class Asked(Words):
    """Integers that the audit chooses."""

    def __init__(self, mistake: str) -> None:
        self.mistake = mistake

    def below(self, bound: int) -> int:
        more = self.mistake == "one too large"
        print("below", bound + more, flush=True)
        drawn = int(input())
        return drawn - more if drawn else 0

    def word(self) -> int:
        return self.below(1 << 64)


def read(word: str) -> bytes:
    name, _, digits = input().partition(" ")
    assert name == word
    return bytes.fromhex(digits)


def main(mistake: str) -> None:
    assert input() == "hgldp-audit 1"
    task, bulletin = read_task(read("task")), read_bulletin(read("bulletin"))
    device = Randomizer(task, max_epsilon=task.budget.epsilon)
    limit, version, other = scheme_of(task).symbol_limit(bulletin), bytes.fromhex(bulletin.version), task.domain.item(0)

    def symbols(events: list[object], device: Randomizer = device) -> list[int]:
        found = []
        for item in events:
            try:
                found.append(device.report(item, bulletin).symbol)
            except OutsideDomain:
                if mistake != "silent":
                    found.append(device.report(other, bulletin).symbol)
        if mistake != "ordered":
            random.shuffle(found)
        return found

    for line in sys.stdin:
        if line.startswith("steer ") and mistake != "knows no steering":
            steered = Randomizer(task, max_epsilon=task.budget.epsilon, words=Asked(mistake))
            if mistake == "draws by itself":
                steered = device
            drawn = symbols(json.loads(line.removeprefix("steer ")), steered)
            if mistake == "babbling":
                print("well, then")
            identity = Asked("none").below(1 << 128).to_bytes(16, "big") if mistake == "steered id" else os.urandom(16)
            print("sent", *([Upload.of(identity, version, drawn, limit).encode().hex()] if drawn else []), flush=True)
            continue
        _, count, events = line.split(" ", 2)
        if mistake == "ends":
            return
        if mistake == "hangs":
            time.sleep(60)
        if mistake == "endless line":
            print("0" * (1 << 21))
        for _ in range(int(count)):
            drawn = symbols(json.loads(events))
            if mistake == "rarely twice" and random.random() < 0.002:
                drawn = 2 * drawn
            upload = Upload.of(os.urandom(16), version, drawn, limit).encode().hex() if drawn else ""
            changed = {
                "no digits": f"x{upload}",
                "cut": upload[:100],
                "crowd": f"{upload} " * 8_000,
                "stranger": upload.replace(version.hex(), "00" * 32),
            }
            print(changed.get(mistake, upload))
        if mistake in ("one line more", "one line more, late"):
            sys.stdout.flush()
            time.sleep(0.5 if mistake.endswith("late") else 0)
            print(upload)
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
