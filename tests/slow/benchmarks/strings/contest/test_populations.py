"""Streams are what the files say, drawn by seed, cut and merged; errors withhold strings."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from benchmarks.strings.contest.populations import FILES, NAMES, Population, read, usual
from hgldp.errors import InvalidField

SHARED = Path(__file__).parents[6] / "shared" / "data"


def listed(path: Path, text: str, **terms: int) -> Population:
    path.write_text(text, encoding="utf-8")
    return Population("some", str(path), **terms)


def test_without_a_number_everybody_is_in_the_stream_once(tmp_path: Path) -> None:
    strings = read(listed(tmp_path / "a.csv", "word,count\ntea,3\nmilk,2\n"))
    assert strings.texts == ("tea", "milk")
    assert np.bincount(strings.stream(1)).tolist() == [3, 2]
    orders = {tuple(strings.stream(seed).tolist()) for seed in range(20)}
    assert len(orders) > 1
    assert (strings.stream(7) == strings.stream(7)).all()


def test_a_number_draws_that_many_by_their_shares(tmp_path: Path) -> None:
    """A share of .75 of 10,000; more than 300 off by an accident of less than 10^−11."""
    strings = read(listed(tmp_path / "b.csv", "word,count\ntea,3\nmilk,1\n", n=10_000))
    stream = strings.stream(1)
    assert stream.size == 10_000
    assert abs(int((stream == 0).sum()) - 7_500) < 300


def test_cut_strings_are_merged(tmp_path: Path) -> None:
    text = "word,count\nteatime,3\nteapot,2\nmaté,1\n"
    strings = read(listed(tmp_path / "c.csv", text, cut=4))
    assert dict(zip(strings.texts, strings.weights, strict=True)) == {"teat": 3, "teap": 2, "mat": 1}
    assert read(listed(tmp_path / "c.csv", text, cut=3)).weights.tolist() == [5, 1]
    assert strings.longest_of_top(1) == 4


def test_a_log_has_one_string_a_line(tmp_path: Path) -> None:
    file = tmp_path / "d.txt.gz"
    file.write_bytes(gzip.compress(b"tea time\nmilk\ntea time\n"))
    strings = read(Population("log", str(file), has_counts=False))
    assert dict(zip(strings.texts, strings.weights, strict=True)) == {"tea time": 2, "milk": 1}


@pytest.mark.parametrize(
    "text", ["", "word,count\n", "word,count\nsecret\n", "word,count\nsecret,many\n", "a,b\nsecret,-1\n"]
)
def test_a_damaged_file_is_refused_without_its_strings(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidField) as refused:
        read(listed(tmp_path / "e.csv", text))
    assert "secret" not in str(refused.value)


def test_impossible_numbers_are_refused() -> None:
    for terms in ({"n": 0}, {"cut": 0}, {"longest": 0}, {"cut": 256}):
        with pytest.raises(InvalidField):
            Population("some", "file", **terms)
    with pytest.raises(InvalidField):
        read(Population("some", "no such file"))


def test_files_that_are_missing_are_left_out(tmp_path: Path) -> None:
    assert [one.is_file for one in usual(tmp_path)] == [False, False]
    (tmp_path / NAMES).touch()
    assert usual(tmp_path)[0].title == FILES[NAMES]


@pytest.mark.skipif(not (SHARED / NAMES).is_file(), reason="the public files are not here")
def test_the_first_names_are_those_of_one_year() -> None:
    strings = read(usual(SHARED)[0])
    assert int(strings.weights.sum()) == 3_297_246
    assert len(strings.texts) == 28_945
    assert strings.longest_of_top(20) == 9
