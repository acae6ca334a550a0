"""docs/verify_certificate.py as a stranger runs it: alone, without the package and without anything installed."""

import ast
import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from hgldp.checks.certificate import certificate
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.model.task import Task
from tests.documents import ROOT, prose
from tests.patience import PATIENCE

SCRIPT = ROOT / "docs" / "verify_certificate.py"
TASKS = (
    Task("cnr", epsilon=1.0, domain=range(100), k=4),
    Task("pfr", epsilon=2.0, domain=range(100), k=4),
    Task("pfr", epsilon=0.5, domain=32, k=4),
    Task("pfr", epsilon=0.5, domain=StringDomain(32, Hints.of(["tea", "mate"])), k=4),
)


def verdict(folder: Path, data: bytes, document: bytes) -> tuple[int, str]:
    (folder / "certificate").write_bytes(data)
    (folder / "document").write_bytes(document)
    command = [sys.executable, "-I", "-S", str(SCRIPT), "certificate", "document"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.scheme)
def test_it_accepts_and_refuses_by_its_exit_code(task: Task, tmp_path: Path) -> None:
    good = certificate(task)
    assert verdict(tmp_path, good, task.canonical) == (0, "holds\n")
    code, told = verdict(tmp_path, good.replace(b'"total":', b'"total":1', 1), task.canonical)
    assert (code, told) == (1, "REFUSED: each row must sum to the total\n")
    code, told = verdict(tmp_path, good, task.canonical.replace(b'"k":4', b'"k":5'))
    assert (code, told) == (1, "REFUSED: the document must hash to the task\n")


def test_it_takes_neither_json_of_another_kind_nor_no_json(tmp_path: Path) -> None:
    deep = b"[" * 200_000
    for data in (b"", b"[]", b"{}", b"7", b'{"laws": 7}', b'{"laws": [], "certificate": 1}', deep):
        code, told = verdict(tmp_path, data, TASKS[0].canonical)
        assert code == 1
        assert told.startswith("REFUSED: ")
        assert "Traceback" not in told
    assert verdict(tmp_path, b"{}", deep) == (1, "REFUSED: no certificate\n")


@pytest.mark.parametrize("version", [b"true", b"1.0"])
def test_the_version_is_the_whole_number_1(version: bytes, tmp_path: Path) -> None:
    changed = certificate(TASKS[0]).replace(b'"certificate":1', b'"certificate":' + version)
    assert verdict(tmp_path, changed, TASKS[0].canonical) == (1, "REFUSED: the version must be 1\n")


def test_a_document_whose_events_are_no_whole_number_proves_nothing(tmp_path: Path) -> None:
    """Else ε would be a floating-point number, here so large that e^ε is infinite and every law passes."""
    document = TASKS[0].canonical.replace(b'"events":1,', b'"events":1e-300,')
    found = json.loads(certificate(TASKS[0])) | {"epsilon_per_report": str(1 / 1e-300)}
    found["task"] = sha256(b"hgldp task 1" + document).hexdigest()
    assert verdict(tmp_path, json.dumps(found).encode(), document) == (1, "REFUSED: no certificate\n")


def test_it_says_what_it_needs_and_what_it_cannot_read(tmp_path: Path) -> None:
    def told(*words: str) -> str:
        command = [sys.executable, "-I", "-S", str(SCRIPT), *words]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
        ).stderr

    assert told() == told("one") == "usage: python verify_certificate.py CERTIFICATE DOCUMENT\n"
    assert told("missing", "missing") == "REFUSED: [Errno 2] No such file or directory: 'missing'\n"
    assert verdict(tmp_path, b"{}", b"{}") == (1, "REFUSED: no certificate\n")


def test_it_imports_the_standard_library_alone_and_is_about_as_long_as_the_page_says() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    found = {name for node in ast.walk(ast.parse(text)) for name in _imported(node)}
    assert found <= set(sys.stdlib_module_names)
    assert "about forty lines of Python" in prose("docs/certificate.md")
    assert 35 <= len(_statements(text)) <= 45


def _statements(text: str) -> list[str]:
    """Lines of code: neither blank, nor a docstring, nor an import."""
    left = dict(enumerate(text.splitlines(), start=1))
    for node in ast.walk(ast.parse(text)):
        told = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and (told or isinstance(node, ast.Import | ast.ImportFrom)):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                del left[line]
    return [line for line in left.values() if line.strip()]


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [each.name.partition(".")[0] for each in node.names]
    return [str(node.module).partition(".")[0]] if isinstance(node, ast.ImportFrom) else []
