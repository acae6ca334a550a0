"""One closed list: every problem has a slug, a title and a status of its own, and its document says no more."""

import json
import re

import pytest

from hgldp.collector.problems import MEDIA_TYPE, TYPE_PREFIX, Problem, Refused
from tests.documents import read


@pytest.mark.parametrize("problem", Problem)
def test_every_problem_is_a_document_of_rfc_9457(problem: Problem) -> None:
    refused = Refused(problem, "because", retry_after=7)
    document = json.loads(refused.body)
    assert document == {
        "type": TYPE_PREFIX + problem.slug, "title": problem.title, "status": problem.status, "detail": "because",
    }  # fmt: skip
    assert refused.headers["content-type"] == MEDIA_TYPE == "application/problem+json"
    assert refused.headers["retry-after"] == "7"
    assert refused.headers["cache-control"] == "no-store"
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", problem.slug)
    assert 400 <= problem.status < 600
    assert str(refused) == f"{problem.title}: because"


def test_slugs_and_titles_are_distinct() -> None:
    assert len({each.slug for each in Problem}) == len({each.title for each in Problem}) == len(Problem)


def test_without_detail_there_is_none() -> None:
    assert "detail" not in json.loads(Refused(Problem.NOT_FOUND).body)
    assert "retry-after" not in Refused(Problem.NOT_FOUND).headers


def test_a_missing_token_says_how_to_show_one() -> None:
    assert Refused(Problem.TOKEN_NEEDED).headers["www-authenticate"].startswith("Bearer")


def test_the_operators_page_explains_every_problem() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (\d+) \|", read("docs/collector.md"), re.MULTILINE))
    assert rows == {each.slug: str(each.status) for each in Problem}
