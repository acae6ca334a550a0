"""A task as JSON: for those who run it, and for those who only answer it."""

from typing import Any

from hgldp.collector.export import in_utc, line_fields
from hgldp.collector.views import Line, PublishedEpoch, TaskView
from hgldp.model.domain import RangeDomain, StringDomain
from hgldp.model.task import Task


def domain_document(task: Task) -> dict[str, Any]:
    """The domain without its words, which may be millions: those are in the task's document."""
    domain = task.domain
    if isinstance(domain, StringDomain):
        return {"strings": domain.most_bytes}
    if isinstance(domain, RangeDomain):
        return {"range": [domain.start, domain.size]}
    return {"words": domain.size}


def task_document(view: TaskView) -> dict[str, Any]:
    """What a task is and how far it has come."""
    task, terms = view.task, view.terms
    return {
        "id": view.id.hex(),
        "name": terms.name,
        "scheme": task.scheme,
        "epsilon": float(task.budget.epsilon),
        "level": task.budget.level,
        "events": task.budget.events,
        "domain": domain_document(task),
        "k": task.k,
        "cells": task.cells,
        "memory": task.memory,
        "half_life": task.half_life,
        "epoch_seconds": task.epoch_seconds,
        "daily_reports": task.daily_reports,
        "results": terms.results,
        "origins": list(terms.origins),
        "reports_per_second": terms.reports_per_second,
        "reports_per_day": terms.reports_per_day,
        "created": in_utc(view.created),
        "closed": None if view.closed is None else in_utc(view.closed),
        "bulletin": view.bulletin.version,
        "bulletin_cells": view.bulletin_cells,
        "published": in_utc(view.published),
        "epoch": view.epoch,
        "reports": view.reports,
        "in_epoch": view.in_epoch,
        "epoch_length": view.epoch_length,
        "state_bytes": view.state_bytes,
        "uploads": {"accepted": view.accepted, "duplicate": view.duplicate, "refused": view.refused},
    }


def state_document(view: TaskView) -> dict[str, Any]:
    """A task with its top, and which reports that top counts."""
    top = [line_document(rank, line) for rank, line in enumerate(view.top, start=1)]
    return {**task_document(view), "top_epoch": view.top_epoch, "top_reports": view.top_reports, "top": top}


def line_document(rank: int, line: Line) -> dict[str, Any]:
    """One line of the present answer, with how it moved since the last epoch; None means that it is new."""
    return {**line_fields(rank, line), "rank_change": line.rank_change}


def epoch_document(published: PublishedEpoch) -> dict[str, Any]:
    """What one epoch published."""
    return {
        "epoch": published.epoch,
        "bulletin": published.bulletin,
        "published": in_utc(published.published),
        "reports": published.reports,
        "top": [line_fields(rank, line) for rank, line in enumerate(published.lines, start=1)],
    }
