"""A study is found because it is there, and what it shows comes where the report has it."""

from pathlib import Path

import pytest

from hgldp.experiments import studies
from hgldp.experiments.studies.registry import ORDER, PICTURES, STUDIES, SWEEPS, TABLES, find_studies
from hgldp.experiments.studies.study import Study, Topic
from tests.slow.experiments.made import TINY

NEW = '''"""A study that somebody has just added."""

from hgldp.experiments.studies.study import Study, Sweep, Topic

STUDY = Study("planted", Topic.ORDER, sweeps=(Sweep("planted", "Nothing", lambda _: []),))
'''


def test_adding_a_study_is_adding_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "planted_study.py").write_text(NEW, encoding="utf-8")
    monkeypatch.setattr(studies, "__path__", [*studies.__path__, str(tmp_path)])
    assert [study.name for study in find_studies()] == [*(study.name for study in STUDIES), "planted"]


def test_the_order_of_the_report_names_every_study_and_no_other() -> None:
    assert [study.name for study in STUDIES] == list(ORDER)


def test_no_two_studies_share_a_name_for_what_they_show() -> None:
    def names(part: str) -> list[str]:
        return [one.name for study in STUDIES for one in getattr(study, part)]

    assert len(names("sweeps")) + 1 == len(SWEEPS)
    assert len(names("pictures")) == len(PICTURES)
    assert len(set(names("tables"))) == len(TABLES)


def test_a_figure_names_sweeps_that_exist() -> None:
    assert {name for picture in PICTURES.values() for name in picture.sweeps} <= set(SWEEPS)


def test_what_claims_need_beyond_the_figures_is_one_sweep_of_all_studies() -> None:
    wanted = [one for study in STUDIES for one in study.for_claims(TINY)]
    assert SWEEPS["claims"].measurements(TINY) == wanted
    assert sum(len(study.for_claims(TINY)) > 0 for study in STUDIES) == 6
    assert Study("plain", Topic.ORDER).for_claims(TINY) == []
