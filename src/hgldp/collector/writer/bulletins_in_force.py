"""The bulletins that clients may answer, by version: found at once, however many tasks there are."""

from collections.abc import Container

from hgldp.collector.views import TaskView
from hgldp.model.bulletins import AnyBulletin


class BulletinsInForce:
    """The writer puts views in; any thread may look up."""

    def __init__(self) -> None:
        self._of_task: dict[int, tuple[AnyBulletin, ...]] = {}
        self._by_version: dict[str, AnyBulletin] = {}

    def find(self, version: str) -> AnyBulletin | None:
        """The bulletin of this version; None if no task takes answers to it."""
        return self._by_version.get(version)

    def put(self, view: TaskView) -> None:
        """Those of a task, instead of those it had before."""
        before, now = self._of_task.get(view.number, ()), view.bulletins
        if len(before) == len(now) and all(one is other for one, other in zip(before, now, strict=True)):
            return
        self._of_task[view.number] = now
        versions = {each.version: each for each in now}
        self._by_version.update(versions)
        for each in before:
            if each.version not in versions:
                self._by_version.pop(each.version, None)

    def keep_only(self, numbers: Container[int]) -> None:
        """The other tasks are gone."""
        for number in [each for each in self._of_task if each not in numbers]:
            for each in self._of_task.pop(number):
                self._by_version.pop(each.version, None)
