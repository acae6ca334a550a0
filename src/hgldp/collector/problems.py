"""Every answer that is not a success: one closed list of problems, in the form of RFC 9457."""

import json
from enum import Enum

from hgldp.errors import HgldpError

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:hgldp:problem:"


class Problem(Enum):
    """One kind of refusal: the slug is for programs, the title for people, the status for everything in between.

    >>> Problem.MALFORMED_UPLOAD.status, Problem.MALFORMED_UPLOAD.type
    (400, 'urn:hgldp:problem:malformed-upload')
    """

    MALFORMED_UPLOAD = ("malformed-upload", "The upload is not a legal upload of version 1", 400)
    MALFORMED_TASK = ("malformed-task", "The body does not describe a legal task", 400)
    MALFORMED_QUERY = ("malformed-query", "A query parameter is unknown or not legal", 400)
    MALFORMED_QUESTION = ("malformed-question", "The body does not ask for items as it should", 400)
    UNKNOWN_ITEM = ("unknown-item", "An item that was asked for is not in the domain of the task", 400)
    MALFORMED_REQUEST = ("malformed-request", "The request cannot be read", 400)
    TOKEN_NEEDED = ("token-needed", "This needs a token, and none was sent or it is the wrong one", 401)
    WRONG_ORIGIN = ("wrong-origin", "A page of another site sent this form", 403)
    UNKNOWN_KEY = ("unknown-key", "No task has this write key", 404)
    UNKNOWN_TASK = ("unknown-task", "There is no such task", 404)
    UNKNOWN_BULLETIN = ("unknown-bulletin", "There is no such bulletin", 404)
    NO_LONGER_KEPT = ("no-longer-kept", "What these epochs published is no longer kept", 404)
    NO_CERTIFICATE = ("no-certificate", "The scheme of this task has no certificate", 404)
    NOT_FOUND = ("not-found", "There is nothing at this path", 404)
    METHOD_NOT_ALLOWED = ("method-not-allowed", "This path does not take this method", 405)
    UPLOAD_TIMEOUT = ("upload-timeout", "The body did not arrive in time", 408)
    TASK_CLOSED = ("task-closed", "The task is closed and takes no more reports", 409)
    KEYS_STAY = ("keys-stay", "The task has promised to keep its bulletin for longer", 409)
    TASK_EXISTS = ("task-exists", "There is already a task with these settings", 409)
    BULLETIN_TOO_OLD = ("bulletin-too-old", "The bulletin is unknown or no longer accepted: fetch the current one", 410)
    TOO_LARGE = ("too-large", "The body is larger than this path allows", 413)
    WRONG_MEDIA_TYPE = ("wrong-media-type", "This path does not take a body of this media type", 415)
    HEAD_TOO_LARGE = ("head-too-large", "The head of the request has too many bytes or headers", 431)
    MISDIRECTED = ("misdirected", "This server does not answer for the host that the request names", 421)
    TOO_MANY_GUESSES = ("too-many-guesses", "Too many wrong tokens were shown: wait", 429)
    TOO_MANY_REPORTS = ("too-many-reports", "More reports than the task takes at the moment: wait", 429)
    DAILY_CAP_REACHED = ("daily-cap-reached", "This task has taken as many reports today as it may", 429)
    TOO_MANY_REQUESTS = ("too-many-requests", "This address asks for more than its share at the moment: wait", 429)
    TOO_MANY_QUESTIONS = ("too-many-questions", "Too many slow questions are waiting: try again later", 503)
    TOO_MANY_STREAMS = ("too-many-streams", "Too many people are watching already: try again later", 503)
    TOO_MANY_CONNECTIONS = ("too-many-connections", "All connections are in use: try again later", 503)
    STARTING = ("starting", "The server recovers what it has stored: try again later", 503)
    INTERNAL = ("internal", "The server failed; nothing was acknowledged", 500)
    FORMAT_NOT_AVAILABLE = ("format-not-available", "This server cannot write that format", 501)
    QUEUE_FULL = ("queue-full", "Too many uploads are waiting: send the same bytes again later", 503)
    TASK_BUSY = ("task-busy", "The task is busy for long: what was asked may still be carried out", 503)
    STORAGE_FULL = ("storage-full", "The server cannot write at the moment: send the same bytes again later", 503)
    SHUTTING_DOWN = ("shutting-down", "The server is about to stop: try again later", 503)

    def __init__(self, slug: str, title: str, status: int) -> None:
        self.slug, self.title, self.status = slug, title, status

    @property
    def type(self) -> str:
        """The identifier in the problem document."""
        return TYPE_PREFIX + self.slug


class Refused(HgldpError):
    """A request that is answered with a problem. The detail never holds an item, a key or a token."""

    def __init__(self, problem: Problem, detail: str = "", retry_after: int | None = None) -> None:
        super().__init__(f"{problem.title}: {detail}" if detail else problem.title)
        self.problem, self.detail, self.retry_after = problem, detail, retry_after
        self.any_page_may_read = False

    @classmethod
    def gone(cls, first_epoch: int) -> "Refused":
        """For who asks only for epochs before the first one that is kept."""
        return cls(Problem.NO_LONGER_KEPT, f"the first epoch that is kept is {first_epoch}")

    @property
    def body(self) -> bytes:
        """The problem document.

        >>> Refused(Problem.TASK_CLOSED).body.decode()
        '{"type":"urn:hgldp:problem:task-closed","title":"The task is closed and takes no more reports","status":409}'
        """
        document: dict[str, object] = {
            "type": self.problem.type,
            "title": self.problem.title,
            "status": self.problem.status,
        }
        if self.detail:
            document["detail"] = self.detail
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()

    @property
    def headers(self) -> dict[str, str]:
        """Content type, when to try again, that no cache may keep it, and whether a web page may read it."""
        found = {"content-type": MEDIA_TYPE, "cache-control": "no-store"}
        if self.any_page_may_read:
            found["access-control-allow-origin"] = "*"
        if self.retry_after is not None:
            found["retry-after"] = str(self.retry_after)
        if self.problem is Problem.TOKEN_NEEDED:
            found["www-authenticate"] = 'Bearer realm="hgldp"'
        return found
