"""Everything of the outside that the client touches, in one place, so that a test can replace it."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from random import SystemRandom

from hgldp.client.disk import Disk
from hgldp.model.randomness import OSWords, Words
from hgldp.system.clock import Clock, SystemClock


@dataclass(frozen=True)
class World:
    """Clock, disk, the words that reports are drawn from, bytes for upload ids, and chances that blur waiting times."""

    clock: Clock = field(default_factory=SystemClock)
    disk: Disk = field(default_factory=Disk)
    words: Words = field(default_factory=OSWords, repr=False)
    entropy: Callable[[int], bytes] = os.urandom
    chance: Callable[[], float] = SystemRandom().random
