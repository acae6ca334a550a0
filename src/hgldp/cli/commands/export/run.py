"""`hgldp export`: everything a task ever published, or some of its epochs, into a file or to standard output."""

import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from hgldp.cli.commands.collector_options import task_given
from hgldp.cli.commands.export import FORMATS
from hgldp.cli.output import write_data, write_error
from hgldp.cli.service import Service
from hgldp.cli.tasks import find_task
from hgldp.cli.units import in_bytes
from hgldp.cli.whole_files import written_whole
from hgldp.errors import InvalidField
from hgldp.model.validate import check_whole
from hgldp.wire import api


def run(chosen: Namespace) -> int:
    """Download and write; a file is either whole or not there."""
    task = task_given(chosen)
    written = _format(chosen.format, chosen.output)
    first, last = _epochs(chosen)
    service = Service(chosen.url, chosen.token)
    path = api.EXPORT.format(id=find_task(service, task))
    parts = service.download(path, format=written, first=first, last=last)
    if chosen.output is None:
        _to_standard_output(parts)
        return 0
    size = _to_file(parts, Path(chosen.output))
    write_error(f"{chosen.output}: {in_bytes(size)}")
    return 0


def _epochs(chosen: Namespace) -> tuple[int | None, int | None]:
    if chosen.first is not None:
        check_whole("first", chosen.first, 0)
    if chosen.last is not None:
        check_whole("last", chosen.last, chosen.first or 0)
    return chosen.first, chosen.last


def _format(wanted: str | None, output: str | None) -> str:
    """What was asked for, or what the file's name ends in; CSV never lands in a file called .json."""
    named = Path(output or "").suffix.lower().removeprefix(".")
    if named not in FORMATS:
        if named and wanted is None:
            rule = f"must end in .{', .'.join(FORMATS)}, or --format must be given"
            raise InvalidField("--output", rule, output)
        return wanted or FORMATS[0]
    if wanted not in (None, named):
        raise InvalidField("--output", f"must not end in .{named} with --format {wanted}", output)
    return named


def _to_standard_output(parts: Iterable[bytes]) -> None:
    if sys.stdout.isatty():
        write_data(b"".join(parts).decode(errors="replace"))
        return
    for part in parts:
        sys.stdout.buffer.write(part)
    sys.stdout.buffer.flush()


def _to_file(parts: Iterable[bytes], path: Path) -> int:
    with written_whole(path) as draft, draft.open("wb") as file:
        return sum(file.write(part) for part in parts)
