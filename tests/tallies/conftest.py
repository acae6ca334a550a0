"""One life of a collector for both kinds of pfr, which no test changes."""

import pytest

from tests.tallies.lives import FAMILIES, Life, live


@pytest.fixture(scope="session", params=FAMILIES)
def life(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Life:
    return live(tmp_path_factory.mktemp(request.param), FAMILIES[request.param])
