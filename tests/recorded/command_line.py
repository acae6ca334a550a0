"""`hgldp` as it is typed, in this process."""

from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from shlex import split

from hgldp.cli import main


def printed(line: str) -> str:
    """What a command prints; it must be done."""
    kept, said = TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True), StringIO()
    with redirect_stdout(kept), redirect_stderr(said):
        code = main(split(line))
    assert code == 0, f"{line} must be done, got exit code {code}: {said.getvalue()}"
    kept.seek(0)
    return kept.read()
