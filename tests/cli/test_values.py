"""What was typed becomes a value, or a refusal that names the field."""

import doctest
from collections.abc import Callable

import pytest

from hgldp import errors
from hgldp.cli import units, values
from hgldp.cli.commands.schemes import guarantee
from hgldp.errors import InvalidField
from hgldp.experiments.experiment import count_warmup


@pytest.mark.parametrize(
    ("parse", "text", "message"),
    [
        (values.parse_epsilons, "0", "epsilon must be finite and above 0, got 0"),
        (values.parse_epsilons, "-1", "epsilon must be finite and above 0, got -1"),
        (values.parse_epsilons, "nan", "epsilon must be finite and above 0, got nan"),
        (values.parse_epsilons, "inf", "epsilon must be finite and above 0, got inf"),
        (values.parse_epsilons, "1,0", "epsilon must be finite and above 0, got 0"),
        (values.parse_epsilons, "one", "epsilon must be a number, got one"),
        (values.parse_epsilons, "1,", "epsilon must be a number, got nothing"),
        (values.parse_warmup, "1", "warmup must be a share of the stream below 1"),
        (values.parse_warmup, "-0.1", "warmup must be a share of the stream below 1"),
        (values.parse_warmup, "2.5", "warmup must be a share of the stream below 1"),
        (values.parse_warmup, "nan", "warmup must be a share of the stream below 1"),
        (values.parse_warmup, "inf", "warmup must be a share of the stream below 1"),
        (
            values.parse_warmup,
            "some",
            "warmup must be a share of the stream below 1, such as 0.01, or a whole number of items above 1, got some",
        ),
        (values.parse_hot_share, "offline", "hot_share must be online, warm-up or a number in 0 … 1, got offline"),
        (values.parse_hot_share, "1.5", "hot_share must be online, warm-up or a number in 0 … 1"),
        (values.parse_hot_share, "nan", "hot_share must be online, warm-up or a number in 0 … 1"),
    ],
)
def test_a_bad_text_names_its_field(parse: Callable[[str], object], text: str, message: str) -> None:
    with pytest.raises(InvalidField) as refusal:
        parse(text)
    assert str(refusal.value).startswith(message)


def test_budgets_come_in_the_order_typed_and_once() -> None:
    assert values.parse_epsilons("4, 0.5,4") == [4.0, 0.5]


def test_an_unknown_scheme_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidField, match="scheme must be all or one of bgr, dsr, got cms"):
        values.parse_names("bgr,cms", ["bgr", "dsr"])


def test_hot_share_is_a_word_or_a_number() -> None:
    assert [values.parse_hot_share(text) for text in ("online", "warm-up", "0.4")] == ["online", "warm-up", 0.4]


def test_a_warmup_is_a_share_or_a_count() -> None:
    counts = [count_warmup(values.parse_warmup(text), 1000) for text in ("0", "0.01", "0.9999", "2", "999")]
    assert counts == [0, 10, 999, 2, 999]


def test_a_warmup_larger_than_the_stream_is_refused() -> None:
    with pytest.raises(InvalidField, match="warmup must leave something of the 10 items to report, got 11"):
        count_warmup(11, 10)


@pytest.mark.parametrize(("seed", "repeats"), [(-1, 1), (1 << 64, 1), ((1 << 64) - 1, 2), (0, 0), (0, -3)])
def test_seeds_must_fit_a_word_and_repeats_be_at_least_one(seed: int, repeats: int) -> None:
    with pytest.raises(InvalidField):
        values.check_seeds(seed, repeats)


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (99_960, "100 kB"), (999_600, "1.0 MB"), (1.2e12, "1200 GB")],
)
def test_bytes_have_a_unit(size: float, text: str) -> None:
    assert units.in_bytes(size) == text


def test_a_label_is_cut_and_cannot_command_the_terminal() -> None:
    assert units.label("x" * 99) == "x" * 31 + "…"
    assert "\x1b" not in units.label("\x1b]0;owned\x07")


def test_a_docstring_without_a_promise_is_refused() -> None:
    class Careless:
        """Something.

        Privacy: none.
        """

    with pytest.raises(InvalidField, match=r"docstring of Careless must promise .* got no Report bytes"):
        guarantee.read_guarantee(Careless)


def test_a_promise_may_go_on_in_the_next_line() -> None:
    class Careful:
        """A summary
        in two lines.

        Privacy: exactly
        this much.
        Report bytes: 1.
        Memory: 2.
        Error: 3.

        Something else.
        """

    promise = guarantee.read_guarantee(Careful)
    assert (promise.summary, promise.privacy, promise.error) == ("A summary in two lines.", "exactly this much.", "3.")


@pytest.mark.parametrize("module", [guarantee, errors, units, values])
def test_the_examples_in_the_docstrings_run(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


def test_the_last_seed_of_all_may_be_used() -> None:
    assert list(values.check_seeds((1 << 64) - 2, 2)) == [(1 << 64) - 2, (1 << 64) - 1]
