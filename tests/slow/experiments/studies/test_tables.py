"""The tables say what the results say, and a dash where these say nothing."""

import pytest

from hgldp.errors import InvalidField
from hgldp.experiments.results import Results
from hgldp.experiments.studies.registry import TABLES
from hgldp.experiments.studies.schemes import places
from hgldp.experiments.studies.study import Grid
from tests.slow.experiments.made_results import made
from tests.slow.experiments.spoiled import of, put, times


def grid(name, results):
    return next(table for table in TABLES if table.name == name).make(results)


def row(table, label):
    return dict(zip(table.headings, next(line for line in table.rows if line[0] == label), strict=True))


def test_memory_has_every_scheme_on_every_stream_and_the_domain_of_the_abstract():
    table = grid("memory", made())
    assert len(table.headings) == 1 + 10
    assert len(table.rows) == 13
    assert row(table, "CNR")["retail"] == "3,430"
    assert row(table, "GRR")["uniform, d = 41,270, n = 20,000"] == f"{150 * 41_270:,}"


def test_what_failed_or_was_not_run_is_a_dash():
    assert row(grid("memory", made()), "GRR")["Zipf 1.1, d = 5,260,000, n = 300,000,000"] == "–"


def test_traffic_is_bytes_a_report():
    assert row(grid("download", made()), "DSR")["retail"] == "60.00"
    assert row(grid("upload", made()), "BGR")["retail"] == "2.00"
    assert row(grid("upload", made(times(of("bgr"), upload_bytes=1.5))), "BGR")["retail"] == "3.00"


def test_times_stand_beside_their_yardsticks():
    slow = made(put(of("cnr"), client_us=8.0, word_us=0.5, server_ns=30.0, exact_ns=1.5))
    assert row(grid("client-time", slow), "CNR")["retail (µs)"] == "8.0 = 16.0×"
    assert row(grid("server-time", slow), "CNR")["retail (ns)"] == "30.0 = 20.0×"
    assert row(grid("client-time", slow), "PFR")["retail (µs)"] == "6.0 = 6.0×"
    assert row(grid("kernel-time", slow), "CNR")["retail"] == f"{1e9 / 99_000:,.1f}"


def test_reports_that_were_not_drawn_have_no_time():
    counted = made(put(of("olh"), drawn_one_by_one=0.0))
    assert all(line[0] != "OLH" for line in grid("kernel-time", counted).rows)


def test_the_printed_places_stand_beside_those_of_the_run():
    table = grid("selection", made())
    printed, measured = row(table, "memory, printed"), row(table, "state bytes, as published")
    assert [cell.partition(" ")[0] for cell in measured.values()][1:] == list(printed.values())[1:]
    assert row(table, "mean NDCG, ours")["DSR"].startswith("2nd (")
    turned = grid("selection", made(put(of("bgr"), ndcg=0.99)))
    assert row(turned, "mean NDCG, ours")["BGR"] == "1st (0.990)"
    assert row(turned, "mean NDCG, ours")["DSR"].startswith("3rd (")


def test_places_are_shared_by_what_is_alike():
    assert places({"bgr": 10.0, "dsr": 10.1, "bdr": 12.0, "cnr": 9.0}, most_is_first=False) == [
        "2nd",
        "2nd",
        "3rd",
        "1st",
    ]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_without_results_every_table_is_still_a_table(table):
    made_up = table.make(Results(()))
    assert all(len(line) == len(made_up.headings) for line in made_up.rows)
    assert made_up.markdown.startswith("| ")
    assert table.title
    assert table.note


def test_a_row_of_another_length_is_refused():
    with pytest.raises(InvalidField, match="rows"):
        Grid(("a", "b"), (("1",),))
