"""PFR among strings: all clients at once look up as each would alone, and what is hot is spelt out."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.model.bulletins import OpenBulletin
from hgldp.model.domain import StringDomain
from hgldp.model.randomness import SeededWords, derive_seed
from hgldp.model.weights import within
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.simulation.hot_list import CLIENTS
from hgldp.simulation.strings import StringClients, simulate_open, spell
from hgldp.stores.strings import OpenFrontier
from tests.model.test_open_frontier import CELLS

WORDS = ["the", "of", "and", "tea", "team", "tear", "coffee", "maté", "zebra", "a", "", "x" * 99]


@settings(deadline=None)
@given(st.lists(CELLS, unique=True, max_size=20), st.lists(st.text("abcdé\0ÿ", max_size=5), min_size=1, unique=True))
def test_painting_intervals_equals_looking_up_one_by_one(cells: list, strings: list[str]) -> None:  # type: ignore[type-arg]
    bulletin, domain = OpenBulletin(bytes(32), 0, 64, tuple(cells)), StringDomain(8)
    codes = [domain.code(text) for text in strings]
    assert StringClients(codes).symbols(bulletin).tolist() == [bulletin.symbol(code) for code in codes]


def test_the_kernel_equals_the_step_by_step_objects() -> None:
    scheme, domain = OpenPFR(64, 3.0), StringDomain(20)
    codes = [domain.code(word) for word in WORDS]
    stream = np.minimum(np.random.default_rng(2).geometric(0.3, 3_000) - 1, len(WORDS) - 1).astype(np.int32)
    fused, stepwise = (OpenFrontier(scheme.mechanism, symbols=64, k=4, domain=domain, epoch=400) for _ in range(2))
    spell(scheme, fused, codes, stream, 9)
    words = SeededWords(derive_seed(9, CLIENTS))
    for place in stream.tolist():
        stepwise.insert([scheme.randomize(codes[place], stepwise.bulletin, words)])
        if stepwise.in_epoch >= stepwise.epoch_length:
            stepwise.seal()
    if stepwise.in_epoch:
        stepwise.seal()
    assert stepwise.bulletin.version == fused.bulletin.version
    assert stepwise.estimates(4) == fused.estimates(4)


def test_any_two_strings_are_within_the_budget() -> None:
    """The exact ratio of every report under every pair of strings, over-long and invalid ones among them."""
    scheme, domain = OpenPFR(64, 1.0), StringDomain(20)
    store = OpenFrontier(scheme.mechanism, symbols=64, k=4, domain=domain)
    rows = scheme.rows([domain.code(word) for word in WORDS], store.bulletin)
    assert all(sum(row.values()) == 1 for row in rows)
    worst = max(max(row[report] for row in rows) / min(row[report] for row in rows) for report in rows[0])
    assert Fraction(1) < worst
    assert within(worst, 1.0)


def test_words_that_nobody_listed_come_back_verbatim() -> None:
    """Eight words hold most of the stream, ε = 4, 400,000 reports, 256 symbols: all eight, letter for letter."""
    generator, domain = np.random.default_rng(4), StringDomain()
    rare = ["".join(generator.choice(list("abcdefgh"), 7)) for _ in range(500)]
    frequent = ["weather", "news", "maté", "coffee", "tea", "train times", "map", "日本"]
    strings = frequent + sorted(set(rare) - set(frequent))
    n, everybody = 400_000, len(strings)
    common, any_word = generator.integers(8, size=n), generator.integers(everybody, size=n)
    stream = np.where(generator.random(n) < 0.7, common, any_word).astype(np.int32)
    scheme = OpenPFR(256, 4.0)
    store = OpenFrontier(scheme.mechanism, symbols=256, k=8, domain=domain)
    spell(scheme, store, [domain.code(text) for text in strings], stream, 1)
    answer = store.estimates(8)
    assert {text for text, _ in answer} == set(frequent)
    for text, line in answer:
        assert abs(line.count - np.count_nonzero(stream == strings.index(text))) < 6 * line.standard_error


def test_an_outcome_names_places_and_what_nobody_said_comes_after_them() -> None:
    """The store has found "c" and "d" before, which nobody says now."""
    scheme, domain = OpenPFR(64, 4.0), StringDomain(1)
    store = OpenFrontier(scheme.mechanism, symbols=64, k=8, domain=domain, epoch=400)
    strings = ["a", "b"]
    spell(scheme, store, [domain.code(text) for text in "cd"], np.arange(8_000, dtype=np.int32) % 2, 1)
    heard: list[int] = []
    stream = np.arange(400, dtype=np.int32) % 2
    outcome = simulate_open(scheme, store, [domain.code(text) for text in strings], stream, 8, 3, heard.append)
    assert set(outcome.unsaid) == {"c", "d"}
    labels = [*strings, *outcome.unsaid]
    assert [labels[line.item] for line in outcome.estimates] == [text for text, _ in store.estimates(8)]
    assert len(set(labels)) == len(labels)
    assert sum(heard) == outcome.reports == 400
    assert outcome.state_bytes == len(store.serialize())
    assert outcome.upload_bytes == 400 * scheme.report_bytes
    assert outcome.download_bytes == 400 * len(store.bulletin.canonical)


def test_a_half_life_follows_a_change_that_steady_means_do_not() -> None:
    """`up` and `down` change places after three quarters: 0.1 and 0.4 of the stream, hundreds of standard errors."""
    scheme, domain, n = OpenPFR(64, 4.0), StringDomain(8), 200_000
    strings = ["up", "down", *(f"other {number}" for number in range(10))]
    generator = np.random.default_rng(4)
    before, after = ([first, 0.5 - first, *[0.05] * 10] for first in (0.1, 0.4))
    parts = [generator.choice(12, size, p=chances) for size, chances in ((3 * n // 4, before), (n // 4, after))]
    stream = np.concatenate(parts).astype(np.int32)
    answers = []
    for half_life in (None, n // 40):
        store = OpenFrontier(scheme.mechanism, symbols=64, k=4, domain=domain, epoch=1_000, half_life=half_life)
        spell(scheme, store, [domain.code(text) for text in strings], stream, 1)
        answers.append({text: line.count / n for text, line in store.estimates(4)})
    steady, fading = answers
    assert [round(steady[text], 1) for text in ("up", "down")] == [0.2, 0.3]
    assert [round(fading[text], 1) for text in ("up", "down")] == [0.4, 0.1]
