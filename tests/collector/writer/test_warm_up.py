"""Nobody's first upload waits for compiled code to be loaded."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hgldp.collector.writer import warm_up as module
from hgldp.collector.writer.warm_up import warm_up
from tests.collector.fakes import HOT, TASKS, FakeClock, create, open_by_hand

FIRST_UPLOADS = """
import json, sys
from pathlib import Path
from numba.core.dispatcher import Dispatcher
from tests.collector.fakes import FakeClock, open_by_hand, upload

def loaded():
    return {
        f"{name}.{key}": len(found.signatures)
        for name, module in list(sys.modules.items()) if name.startswith("hgldp.kernels")
        for key, found in vars(module).items() if isinstance(found, Dispatcher)
    }

collector = open_by_hand(Path(sys.argv[1]), FakeClock())
before = loaded()
for view in collector.tasks():
    collector.offer(view, upload(view))
    collector.step()
    collector.seal(view.id)
after = loaded()
print(json.dumps({"ready": sum(before.values()), "late": [name for name in after if after[name] != before.get(name)]}))
"""


def test_a_new_process_has_loaded_before_it_is_ready_all_that_the_first_uploads_need(tmp_path: Path) -> None:
    collector = open_by_hand(tmp_path / "data", FakeClock())
    create(collector, *TASKS)
    collector.close()
    command = [sys.executable, "-c", FIRST_UPLOADS, str(tmp_path / "data")]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert found["ready"] > 0
    assert found["late"] == []


def test_each_kind_is_warmed_up_once_and_a_failure_does_no_harm(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    counted = []

    def fail(task: object, _: object) -> None:
        counted.append(task)
        raise RuntimeError

    monkeypatch.setattr(module, "_warm", set())
    monkeypatch.setattr(module, "_count_one", fail)
    warm_up([*TASKS, *TASKS], FakeClock())
    warm_up([HOT], FakeClock())
    assert counted == list(TASKS)
    assert "warming up failed" in caplog.text
