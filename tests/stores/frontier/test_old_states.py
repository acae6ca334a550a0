"""States of hgldp 0.1 are read, answer, and go on: with and without a warm-up, with and without a hidden order.

Each was written by 0.1.0 for PFR(100, 24, 3.0) after three epochs of 400 reports: 30 % were item 7, 20 % item 9, and
10 % item 30. The warm-up was 3, 3, 3, 8, 8, 41.
"""

import json
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest

from hgldp.errors import MalformedState
from hgldp.model.randomness import SeededWords
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier import state as frontier_state
from tests.stores.frontier.test_keys import next_of_splitmix, unmix

SCHEME = PFR(100, 24, 3.0)
KEPT = json.loads(Path(__file__).with_name("states_of_0_1.json").read_text(encoding="utf-8"))
every_state = pytest.mark.parametrize("name", list(KEPT))


def kept(name: str) -> bytes:
    return b64decode(KEPT[name]["state"])


@every_state
def test_it_answers_as_its_reports_say(name: str) -> None:
    """Within 4.9 standard errors, and as many of chance: false alarm 1e-6 each."""
    store = Frontier.deserialize(kept(name), SCHEME)
    lines = store.estimates(2)
    assert [line.item for line in lines] == [7, 9]
    for line, share in zip(lines, (0.3, 0.2), strict=True):
        chance = (1_200 * share * (1 - share)) ** 0.5
        assert abs(line.count - 1_200 * share) < 4.9 * (line.standard_error**2 + chance**2) ** 0.5
    assert store.reports == 1_200
    assert store.warm_up.counts_of(np.array([3])).tolist() == [3 * ("warm" in name)]
    assert store.hides_order == name.startswith("hgF3")


@every_state
def test_it_goes_on_in_the_new_form(name: str) -> None:
    store = Frontier.deserialize(kept(name), SCHEME)
    copy = Frontier.deserialize(store.serialize(), SCHEME)
    assert store.serialize()[:4] == (b"hgF5" if name.startswith("hgF3") else b"hgF4")
    assert len(store.serialize()) < len(kept(name))
    stream = np.random.default_rng(1).choice([7, 9, 55], 4_000).astype(np.int32)
    for both in (store, copy):
        follow(SCHEME, both, stream, 3)
    assert copy.serialize() == store.serialize()
    assert {line.item for line in store.estimates(3)} == {7, 9, 55}
    assert len(store.serialize()) <= store.memory


@every_state
def test_its_old_bulletin_takes_late_reports(name: str) -> None:
    store, words = Frontier.deserialize(kept(name), SCHEME), SeededWords(1)
    epoch = store.epochs[-1]
    last, key = store.bulletin, KEPT[name]["keys"][-2]
    assert epoch.key == key
    store.late[key] = np.bincount([3], minlength=SCHEME.mechanism_over(epoch.symbols).modulus)
    store.insert([SCHEME.randomize(7, last, words)])
    store.seal()
    assert [each.reports for each in store.epochs[-2:]] == [401, 1]


@every_state
def test_its_next_key_cannot_be_told_from_its_bulletins(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bulletins of 0.1 told the state of their generator. Planted: that state as the secret from now on."""
    keys = KEPT[name]["keys"]
    assert [next_of_splitmix(key) for key in keys[:-1]] == keys[1:]
    assert next_key(name) not in (next_of_splitmix(keys[-1]), guessed(keys[-1]))
    monkeypatch.setattr(frontier_state, "written_by_0_1", lambda data: False)
    monkeypatch.setattr(frontier_state.SealedEpoch, "read", lambda body, scheme, **_: READ(body, scheme, wide=True))
    monkeypatch.setattr(frontier_state.Archive, "read", lambda _, items: frontier_state.Archive.nothing(items))
    assert next_key(name) == guessed(keys[-1])


READ = frontier_state.SealedEpoch.read


def next_key(name: str) -> int:
    store = Frontier.deserialize(kept(name), SCHEME)
    store.insert([0])
    store.seal()
    return store.bulletin.key


def guessed(key: int) -> int:
    """What an attacker would compute who knows the new rule and takes the old generator's state for the secret."""
    store = Frontier(SCHEME, memory=2_000, seed=0)
    store.secret, store.sealed = unmix(key), 4
    return store._next_key()


@every_state
def test_a_byte_off_is_refused(name: str) -> None:
    state = kept(name)
    for place in (0, 3, 20, len(state) // 2, len(state) - 1):
        broken = bytearray(state)
        broken[place] ^= 0x21
        with pytest.raises(MalformedState):
            Frontier.deserialize(bytes(broken), SCHEME)
