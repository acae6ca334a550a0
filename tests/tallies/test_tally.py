"""Tallies add up, and their files say the same whoever wrote them."""

import tracemalloc

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import HgldpError
from hgldp.tallies import Accumulator, Tally, accumulate, combine
from hgldp.tallies.tally import MOST_BULLETINS, MOST_SYMBOLS
from tests.naive.tallies import count_symbols

A, B, C = ("0a" * 32, "1b" * 32, "2c" * 32)
VERSIONS = st.sampled_from([A, B, C])
REPORTS = st.lists(st.tuples(VERSIONS, st.integers(0, 3000) | st.just(MOST_SYMBOLS - 1)))


def rows(tally: Tally) -> dict[tuple[str, int], int]:
    bulletins, symbols, counts = tally.to_columns()
    return dict(zip(zip(bulletins, symbols.tolist(), strict=True), counts.tolist(), strict=True))


@settings(max_examples=60, deadline=None)
@given(REPORTS, st.sampled_from([np.uint16, np.uint32, np.int64]))
def test_counting_is_what_the_obvious_way_counts(reports: list[tuple[str, int]], kind: type) -> None:
    bulletins = [version for version, _ in reports]
    symbols = [symbol for _, symbol in reports]
    assert rows(accumulate(bulletins, np.array(symbols, kind))) == count_symbols(bulletins, symbols)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(VERSIONS, st.lists(st.integers(0, 10**12), max_size=20)))
def test_a_file_says_what_was_written(counts: dict[str, list[int]]) -> None:
    tally = Tally(counts)
    assert Tally.from_csv(tally.to_csv()) == tally == Tally.from_columns(*tally.to_columns())
    assert Tally.from_csv(tally.to_csv()).to_csv() == tally.to_csv()


def test_a_file_of_another_engine_may_have_another_order_quotes_and_line_ends() -> None:
    text = f'"count","symbol","bulletin"\r\n4,7,{B}\r\n1,0,{A}\r\n"2","7","{B}"\r\n'
    assert Tally.from_csv(text.encode()) == Tally({A: [1], B: [0] * 7 + [6]})


def test_a_file_of_many_rows_takes_a_few_numbers_for_each() -> None:
    """Not a text of 64 characters, nor the whole file as text."""
    data = b"bulletin,symbol,count\n" + b"".join(f"{A},{row % 1000},{row + 1}\n".encode() for row in range(50_000))
    Tally.from_csv(data[:1000].rpartition(b"\n")[0])
    tracemalloc.start()
    try:
        assert Tally.from_csv(data).answering(A) == 50_000 * 50_001 // 2
        assert tracemalloc.get_traced_memory()[1] < 100 * 50_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", [pa.string(), pa.dictionary(pa.int8(), pa.large_string())])
def test_a_table_in_several_pieces_says_what_all_of_them_say(kind: pa.DataType) -> None:
    pieces = [([B, A], [7, 0], [1, 2]), ([C], [1], [3]), ([A, B], [0, 7], [4, 5])]
    tables = [pa.table({"bulletin": pa.array(a, kind), "symbol": b, "count": c}) for a, b, c in pieces]
    assert Tally.from_arrow(pa.concat_tables(tables)) == Tally({A: [6], B: [0] * 7 + [6], C: [0, 3]})
    assert not Tally.from_arrow(tables[0].slice(0, 0))
    with pytest.raises(HgldpError, match="64 hexadecimal digits"):
        Tally.from_arrow(pa.table({"bulletin": ["tea"], "symbol": [1], "count": [1]}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must have the columns bulletin, symbol, count and no other, got no column"),
        ("bulletin,symbol\n", "got the columns bulletin, symbol: these look like reports: run hgldp tally first"),
        ("upload,symbols,bulletin,day\n", "upload, symbols, bulletin, day: these look like reports"),
        (" bulletin | symbol | count \n", "symbol | count: psql writes CSV with --csv".replace("|", r"\|")),
        ("bulletin,symbol,count,more\n", "got the columns bulletin, symbol, count, more$"),
        (f"{A},7,1\n", r"got a first line with none of these names \(withheld\)$"),
        (f"bulletin,symbol,count\n{A},1\n", "line 2: there must be 3 fields"),
        (f"bulletin,symbol,count\n{A},1,1\n{A},x,1\n", "line 3: symbol and count must be whole"),
        (f"bulletin,symbol,count\n{A},-1,1\n", "line 2: symbol and count must be whole"),
        (f"bulletin,symbol,count\n{A},1,1.0\n", "line 2: symbol and count must be whole"),
        (f"bulletin,symbol,count\n{A},1,0\n", "count must lie in 1 …"),
        (f"bulletin,symbol,count\n{A},1,9007199254740992\n", "count must lie in 1 …"),
        (f"bulletin,symbol,count\n{A},65536,1\n", "symbol must lie in 0 … 65535"),
        (f"bulletin,symbol,count\n{A.upper()},1,1\n", "64 hexadecimal digits"),
        ('bulletin,symbol,count\n"', "must be CSV"),
        ("bulletin,symbol,count\n\ud800", "UTF-8"),
    ],
)
def test_a_file_that_is_no_tally_is_refused(text: str, said: str) -> None:
    with pytest.raises(HgldpError, match=said):
        Tally.from_csv(text.encode(errors="surrogatepass"))


def test_of_very_many_columns_a_refusal_names_some() -> None:
    names = ["bulletin", *(f"{'long' * 100}{number}" for number in range(40))]
    with pytest.raises(HgldpError, match=r"got the columns bulletin, .* and 29 more$") as refused:
        Tally.from_csv(",".join(names).encode())
    assert len(str(refused.value)) < 700


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(VERSIONS, st.integers(0, 40), st.integers(1, 10**9))))
def test_rows_in_any_order_add_up(table: list[tuple[str, int, int]]) -> None:
    expected: dict[tuple[str, int], int] = {}
    for version, symbol, count in table:
        expected[version, symbol] = expected.get((version, symbol), 0) + count
    columns = [[row[place] for row in table] for place in range(3)]
    assert rows(Tally.from_columns(*columns)) == dict(sorted(expected.items()))  # type: ignore[arg-type]


def test_counts_never_overflow() -> None:
    most = (1 << 53) - 1
    with pytest.raises(HgldpError, match="must add up to at most"):
        combine([Tally({A: [most]}), Tally({A: [0, most]})])
    with pytest.raises(HgldpError, match="must add up to at most"):
        combine([Tally({A: [most]})] * 2049)
    with pytest.raises(HgldpError, match="must add up to at most"):
        combine([Tally({A: [most]}), Tally({B: [most]})])
    with pytest.raises(HgldpError, match="must be at most"):
        Tally({A: np.array([1 << 63], np.uint64)})


def test_rows_of_the_same_symbol_that_overflow_together_are_refused() -> None:
    most = (1 << 53) - 1
    with pytest.raises(HgldpError, match="must add up to at most"):
        Tally.from_columns([A] * 2049, np.zeros(2049, np.int64), np.full(2049, most))


def test_memory_is_bounded_whatever_the_reports_say() -> None:
    versions = [f"{number:064x}" for number in range(MOST_BULLETINS + 1)]
    codes = np.arange(len(versions))
    with pytest.raises(HgldpError, match=f"at most {MOST_BULLETINS:,} bulletins; .*--epoch"):
        Accumulator().add(versions, codes, codes % 5)
    with pytest.raises(HgldpError, match=r"must answer fewer bulletins.*--epoch"):
        Accumulator().add(versions[:1000], codes[:1000], np.full(1000, MOST_SYMBOLS - 1))
    chosen = Accumulator(only=versions[:2])
    chosen.add(versions, codes, codes % 5)
    assert (chosen.tally().reports, chosen.left_out) == (2, MOST_BULLETINS - 1)
    chosen.add([each.replace("0", "f") for each in versions], codes, codes % 5)
    assert (chosen.left_out, len(chosen.others)) == (2 * MOST_BULLETINS, MOST_BULLETINS)


@pytest.mark.parametrize(
    ("codes", "symbols"), [([0], [-1]), ([0], [MOST_SYMBOLS]), ([1], [0]), ([-1], [0]), ([0, 0], [0])]
)
def test_reports_that_do_not_fit_are_refused_before_any_is_counted(codes: list[int], symbols: list[int]) -> None:
    counting = Accumulator()
    with pytest.raises(HgldpError):
        counting.add([A], np.array([0, *codes]), np.array([0, *symbols]))
    assert not counting.tally()
