"""What was found, in ten lines: the counts, a line for each main claim, and how far the run goes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hgldp.experiments.plotting.look import stream_title
from hgldp.experiments.report.headlines import HEADLINES, Said, sentence
from hgldp.experiments.results import Results
from hgldp.experiments.scale import WEBDOCS, Scale
from hgldp.simulation.generators import is_generator

Judged = Mapping[str, Mapping[str, Said]]


@dataclass(frozen=True)
class Run:
    """All that was measured, at which scale; `left_out` figures were not asked for."""

    results: Results
    scale: Scale
    left_out: int = 0


def what_was_found(judged: Judged, results: Results, run: Run) -> list[str]:
    """The counts, then a line for each headline, then how far the run goes."""
    lines = [headline.line(judged[headline.claim], results) for headline in HEADLINES]
    return [_counts(judged), *lines, _reach(run)]


def _counts(judged: Judged) -> str:
    parts = []
    for who, subject in (
        ("ours", "our schemes"),
        ("authors' code", "the published ones, as the authors' code has them"),
    ):
        found = [verdicts[who].holds for verdicts in judged.values() if who in verdicts]
        unknown = f" and {found.count(None)} cannot be judged from this run" if None in found else ""
        parts.append(f"of {len(found)} for {subject}, {found.count(True)} hold, {found.count(False)} do not{unknown}")
    return sentence(f"we put {len(judged)} claims of the paper to the test: {'; '.join(parts)}")


def _reach(run: Run) -> str:
    """How much was measured, on what, and what the paper had that this run had not."""
    streams = sorted({row.measurement.stream for row in run.results})
    real = [stream_title(name) for name in streams if not is_generator(name)]
    missing = [f"the whole of {name}" if f"{name}-first100k" in streams else name for name in run.scale.missing]
    parts = [
        f"this run at the scale {run.scale.name} has {len(run.results):,} measurements with at most "
        f"{_many(run.scale.repeats, 'seed')} each, on {_many(len(streams) - len(real), 'synthetic stream')} and "
        f"{f'the real streams {_listed(real)}' if real else 'no real stream'}"
    ]
    if missing:
        stands_in = WEBDOCS in missing and run.scale.webdocs in streams
        stand_in = f"; a Zipf stream stands in for {WEBDOCS}" if stands_in else ""
        parts.append(f"of the paper's streams it lacks {_listed(missing)}{stand_in}")
    if run.left_out:
        parts.append(f"{_many(run.left_out, 'figure')} of the report were not asked for, nor what they need measured")
    if run.results.failed:
        parts.append(f"{_many(len(run.results.failed), 'measurement')} failed")
    return " ".join(sentence(part) for part in parts)


def _many(number: int, noun: str) -> str:
    """
    >>> _many(1, "seed"), _many(20, "seed")
    ('1 seed', '20 seeds')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _listed(names: Iterable[str]) -> str:
    """
    >>> _listed(["retail"]), _listed(["retail", "kosarak, a part", "webdocs"])
    ('retail', 'retail; kosarak, a part; and webdocs')
    """
    *first, last = names
    apart = "; " if any("," in name for name in (*first, last)) else ", "
    if not first:
        return last
    return f"{apart.join(first)}{apart.rstrip() if apart == '; ' else ''} and {last}"
