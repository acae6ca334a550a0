"""How a good answer is written: JSON as the standard has it, and bytes that a cache may keep."""

import json
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from hgldp.wire import api
from hgldp.wire.strict_json import strict

FOR_EVER = "max-age=31536000, immutable"
NEVER, PIECE_BYTES = "no-store", 1 << 16
ANY_PAGE = {"access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin"}


def json_bytes(document: object) -> bytes:
    """Compact strict JSON in UTF-8."""
    return json.dumps(strict(document), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def json_answer(document: object, status: int = 200, cache: str = NEVER, **headers: str) -> Response:
    """A JSON answer. No cache keeps it unless told so."""
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(json_bytes(document), status, {"cache-control": cache, **more}, api.JSON)


def tagged_answer(
    request: Request, body: bytes, tag: str, media_type: str, cache: str, *, public: bool = True
) -> Response:
    """A body that its tag identifies: a client that has it already gets 304 and no body. Any page may read it.

    If it is not public, only the client that asked for it may keep it.
    """
    headers = {"etag": f'"{tag}"', "cache-control": f"{'public' if public else 'private'}, {cache}", **ANY_PAGE}
    if not public:
        headers["vary"] = "authorization"
    held = [part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")]
    if headers["etag"] in held or "*" in held:
        return Response(status_code=304, headers=headers)
    if len(body) <= PIECE_BYTES:
        return Response(body, 200, headers, media_type)
    headers["content-length"] = str(len(body))
    if request.method == "HEAD":
        return Response(None, 200, headers, media_type)
    return StreamingResponse(_pieces(body), 200, headers, media_type)


async def _pieces(body: bytes) -> AsyncIterator[bytes]:
    """The next one is copied when the client has read the one before: whoever reads slowly holds no whole body."""
    for start in range(0, len(body), PIECE_BYTES):
        yield body[start : start + PIECE_BYTES]
