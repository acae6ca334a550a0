"""What the benchmark compares Spark with: made uploads, some of which come again, and one plain process."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.spark import made_uploads
from benchmarks.spark.made_uploads import EPOCHS, plain, task_for, write_uploads
from hgldp.tallies import SealState, combine

REPORTS = 50_000


class Forgetful:
    """A planted bug: every upload is new."""

    def __init__(self, uploads: int) -> None:
        pass

    def first(self, ids: NDArray[np.uint64]) -> NDArray[np.bool_]:
        return np.ones(len(ids), np.bool_)


def test_one_plain_process_seals_what_was_made_and_a_forgetful_one_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = write_uploads(tmp_path, REPORTS, in_upload=4)
    start = SealState.start(task_for(REPORTS), seed=1)
    state, sealed = plain(tmp_path, start)
    assert state.write() == expected.write()
    assert (len(sealed), combine(sealed).reports) == (EPOCHS, REPORTS)
    monkeypatch.setattr(made_uploads, "SeenUploads", Forgetful)
    wrong, counted = plain(tmp_path, start)
    assert wrong.write() != expected.write()
    assert counted[0].reports > sealed[0].reports
