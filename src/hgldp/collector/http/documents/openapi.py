"""The OpenAPI 3.1 document: one entry for each method of each path. A test compares it with the routes."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from hgldp import __version__
from hgldp.collector.http.documents.schema import HEX, TEXT, TOKEN, Schema, ref, up_to
from hgldp.collector.http.documents.service import SCHEMAS, SDK_HASH, SDK_NAME
from hgldp.collector.problems import MEDIA_TYPE, Problem
from hgldp.model.validate import LARGEST_63
from hgldp.wire import api

P = Problem
ALWAYS = (P.MALFORMED_QUERY, P.MALFORMED_REQUEST, P.STORAGE_FULL)
OF_A_TASK = (*ALWAYS, P.UNKNOWN_TASK)
OF_A_READER = (*OF_A_TASK, P.TOKEN_NEEDED, P.TOO_MANY_GUESSES, P.TOO_MANY_REQUESTS, P.TOO_MANY_QUESTIONS)
OF_THE_ADMIN = (*ALWAYS, P.TOKEN_NEEDED, P.TOO_MANY_GUESSES)
WITH_A_BODY = (P.MALFORMED_TASK, P.TOO_LARGE, P.UPLOAD_TIMEOUT)
ASKING = (P.MALFORMED_QUESTION, P.UNKNOWN_ITEM, P.WRONG_MEDIA_TYPE, P.TOO_LARGE, P.UPLOAD_TIMEOUT)
OF_AN_UPLOAD = (
    P.MALFORMED_UPLOAD, P.UNKNOWN_KEY, P.UPLOAD_TIMEOUT, P.TASK_CLOSED, P.BULLETIN_TOO_OLD, P.TOO_LARGE,
    P.WRONG_MEDIA_TYPE, P.TOO_MANY_REPORTS, P.DAILY_CAP_REACHED, P.QUEUE_FULL, P.STORAGE_FULL, P.SHUTTING_DOWN,
)  # fmt: skip
SECURITY: dict[str, list[dict[str, list[str]]]] = {
    "admin": [{"admin": []}],
    "reader": [{"admin": []}, {"reader": []}, {}],
    "client": [{"admin": []}, {"reader": []}, {"writer": []}, {}],
    "metrics": [{"admin": []}, {"metrics": []}, {}],
}
Operation = dict[str, Any]


def _parameter(place: str, name: str, schema: Schema, meaning: str) -> dict[str, Any]:
    found = {"in": place, "name": name, "schema": schema, "description": meaning}
    return found | ({"required": True} if place == "path" else {})


TASK = _parameter("path", "id", HEX, "The task's id: the SHA-256 of its document, in hex")
VERSION = _parameter("path", "version", HEX, "The SHA-256 of a bulletin's canonical bytes, in hex")
LIST = _parameter("path", "sha256", HEX, "The SHA-256 of a list, as a task's document names it, in hex")
SDK_VERSION = _parameter("path", "version", SDK_HASH, "The version that /sdk names: a hash of all files")
FILE = _parameter("path", "file", SDK_NAME, "The name of a file")
KEY = _parameter("path", "write_key", TOKEN, "The key that creating the task gave")


def _integer(name: str, least: int, meaning: str) -> dict[str, Any]:
    return _parameter("query", name, up_to(LARGEST_63, least), meaning)


def _format(*known: str) -> dict[str, Any]:
    return _parameter("query", "format", {"enum": list(known), "default": known[0]}, "How to write the answer")


def operation(
    summary: str,
    good: Mapping[str, Schema],
    problems: Iterable[Problem],
    *parameters: dict[str, Any],
    status: int = 200,
    body: dict[str, Schema] | None = None,
    token: str | None = None,
    cached: bool = False,
) -> Operation:
    """One method of one path."""
    content = {kind: {"schema": shape} for kind, shape in good.items()}
    answers: dict[str, Any] = {str(status): {"description": "Done", "content": content}}
    if cached:
        answers["304"] = {"description": "What you hold is what there is"}
    for problem in problems:
        said = answers.setdefault(str(problem.status), {"description": ""})
        said["description"] = f"{said['description']}; {problem.slug}".removeprefix("; ")
        said["content"] = {MEDIA_TYPE: {"schema": ref("Problem")}}
    found: Operation = {"summary": summary, "parameters": list(parameters), "responses": dict(sorted(answers.items()))}
    if body is not None:
        found["requestBody"] = {"required": True, "content": {kind: {"schema": each} for kind, each in body.items()}}
    if token is not None:
        found["security"] = SECURITY[token]
    return found


def _paths() -> dict[str, dict[str, Operation]]:
    upload = {"type": "string", "format": "binary"}
    k, window = _integer("k", 1, "How many items"), _integer("window", 1, "Only the last so many reports (pfr)")
    span = _integer("first", 0, "First epoch"), _integer("last", 0, "Last epoch")
    reader: dict[str, Any] = {"token": "reader"}
    admin: dict[str, Any] = {"token": "admin"}
    client: dict[str, Any] = {"token": "client"}
    watcher: dict[str, Any] = {"token": "metrics"}
    changing = (*OF_THE_ADMIN, P.UNKNOWN_TASK, P.TASK_CLOSED, P.SHUTTING_DOWN, P.TASK_BUSY, P.TOO_MANY_QUESTIONS)
    altering = (*OF_THE_ADMIN, P.UNKNOWN_TASK, P.SHUTTING_DOWN, P.TASK_BUSY, P.TOO_MANY_QUESTIONS)
    status = {api.JSON: ref("Status")}
    return {
        api.UPLOAD: {
            "post": operation(
                "Send an upload (docs/wire-format.md); answered when it is durable", {api.JSON: ref("Receipt")},
                OF_AN_UPLOAD, KEY, body={api.BYTES: upload, api.PLAIN: upload},
            ),
        },
        api.DOCUMENT: {
            "get": operation(
                "The task's canonical bytes", {api.JSON: {"type": "object"}}, (*OF_A_TASK, P.TOO_MANY_REQUESTS),
                TASK, cached=True, **client,
            )
        },
        api.CURRENT_BULLETIN: {
            "get": operation(
                "Which bulletin is in force", {api.JSON: ref("Pointer")}, OF_A_TASK, TASK, cached=True, **client
            )
        },
        api.HINTS: {
            "get": operation(
                "A list of strings that tasks name: UTF-8, one in each line", {api.PLAIN: TEXT},
                (*OF_A_TASK, P.TOO_MANY_REQUESTS), LIST, cached=True, **client,
            )
        },
        api.PRIVACY: {
            "get": operation(
                "What the task costs", {api.JSON: ref("Statement")}, (*OF_A_TASK, P.TOO_MANY_REQUESTS),
                TASK, cached=True, **client,
            )
        },
        api.CERTIFICATE: {
            "get": operation(
                "The exact law of every answer (docs/certificate.md)", {api.JSON: ref("Certificate")},
                (*OF_A_TASK, P.NO_CERTIFICATE, P.TOO_MANY_REQUESTS, P.TOO_MANY_QUESTIONS), TASK, cached=True, **client,
            )
        },
        api.BULLETIN: {
            "get": operation(
                "A bulletin", {api.BYTES: upload},
                (*ALWAYS, P.UNKNOWN_BULLETIN, P.TOO_MANY_REQUESTS, P.TOO_MANY_QUESTIONS),
                VERSION, cached=True, **client,
            )
        },
        api.BULLETIN_WITH_SET: {
            "get": operation(
                "A bulletin in force with its difference set in front, for web pages", {api.BYTES: upload},
                (*ALWAYS, P.UNKNOWN_BULLETIN, P.TOO_MANY_REQUESTS), VERSION, cached=True, **client,
            )
        },
        api.TOP: {
            "get": operation(
                "The most frequent items now", {api.JSON: ref("Top"), api.CSV: TEXT}, OF_A_READER,
                TASK, k, window, _format("json", "csv"), **reader,
            )
        },
        api.ASK: {
            "post": operation(
                "How often any items of the task came, on top or not", {api.JSON: ref("Asked"), api.CSV: TEXT},
                (*OF_A_READER, *ASKING), TASK, _format("json", "csv"), body={api.JSON: ref("Question")}, **reader,
            )
        },
        api.DISTRIBUTION: {
            "get": operation(
                "How many items have a share in each decade (pfr over a list)",
                {api.JSON: ref("Distribution"), api.CSV: TEXT}, OF_A_READER,
                TASK, window, _format("json", "csv"), **reader,
            )
        },
        api.HISTORY: {
            "get": operation(
                "What each epoch published", {api.JSON: ref("History"), api.CSV: TEXT},
                (*OF_A_READER, P.NO_LONGER_KEPT),
                TASK, *span, _format("json", "csv"), **reader,
            )
        },
        api.EXPORT: {
            "get": operation(
                "All published results", {api.CSV: TEXT, api.JSON: ref("Export"), api.PARQUET: upload},
                (*OF_A_READER, P.NO_LONGER_KEPT, P.FORMAT_NOT_AVAILABLE), TASK, *span,
                _format("csv", "json", "parquet"), **reader,
            )
        },
        api.EVENTS: {
            "get": operation(
                "Changes as they happen, as server-sent events", {api.EVENT_STREAM: TEXT},
                (*OF_A_READER, P.TOO_MANY_STREAMS, P.SHUTTING_DOWN), TASK, **reader,
            )
        },
        api.TASKS: {
            "get": operation("List the tasks", {api.JSON: ref("Tasks")}, OF_THE_ADMIN, **admin),
            "post": operation(
                "Create a task; key and token are shown once", {api.JSON: ref("CreatedTask")},
                (*OF_THE_ADMIN, *WITH_A_BODY, P.TASK_EXISTS, P.WRONG_MEDIA_TYPE, P.SHUTTING_DOWN, P.TOO_MANY_QUESTIONS),
                status=201, body={api.JSON: ref("NewTask")}, **admin,
            ),
        },
        api.TASK: {
            "get": operation("Inspect a task", {api.JSON: ref("Task")}, (*OF_THE_ADMIN, P.UNKNOWN_TASK), TASK, **admin)
        },
        api.CLOSE: {"post": operation("Close a task", {api.JSON: ref("Task")}, changing, TASK, **admin)},
        api.SEAL: {
            "post": operation("End the epoch", {api.JSON: ref("Task")}, changing, TASK, **admin)
        },
        api.RENAME: {
            "post": operation(
                "Give a task another name", {api.JSON: ref("Task")}, (*altering, *WITH_A_BODY), TASK,
                body={api.JSON: ref("Named")}, **admin,
            )
        },
        api.ROTATE_KEY: {
            "post": operation(
                "Make a new write key, shown once; the old one may be kept for some hours", {api.JSON: ref("NewKey")},
                (*altering, *WITH_A_BODY), TASK, body={api.JSON: ref("KeepingTheOld")}, **admin,
            )
        },
        api.ROTATE_TOKEN: {
            "post": operation(
                "Make a new read token, shown once", {api.JSON: ref("NewToken")},
                (*altering, *WITH_A_BODY), TASK, **admin,
            )
        },
        api.DELETE: {
            "post": operation(
                "Delete a task with all its data; its name confirms it", {api.JSON: ref("DeletedTask")},
                (*altering, *WITH_A_BODY), TASK, body={api.JSON: ref("Named")}, **admin,
            )
        },
        api.HEALTH: {"get": operation("Whether the process answers", status, ALWAYS)},
        api.READY: {"get": operation("Whether it can take uploads", status, ALWAYS)},
        api.METRICS: {
            "get": operation(
                "Numbers for Prometheus", {api.PLAIN: TEXT},
                (*ALWAYS, P.TOKEN_NEEDED, P.TOO_MANY_GUESSES, P.TOO_MANY_REQUESTS), **watcher,
            )
        },
        api.SDK: {"get": operation("The scripts for web pages, with their hashes", {api.JSON: ref("Sdk")}, ALWAYS)},
        api.SDK_FILE: {
            "get": operation(
                "A script for web pages, immutable", {api.SCRIPT: TEXT, api.STYLE: TEXT}, (*ALWAYS, P.NOT_FOUND),
                SDK_VERSION, FILE, cached=True,
            )
        },
        api.OPENAPI: {"get": operation("This document", {api.JSON: {"type": "object"}}, ALWAYS)},
    }  # fmt: skip


@cache
def openapi_document(url: str = "") -> dict[str, Any]:
    """The whole document, without the pages for people; `url` is what its paths are below, if it is not the host."""
    bearer = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "HG-LDP collector",
            "version": __version__,
            "summary": "Private top-k: randomised reports in, bulletins and estimates out",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": url or "/"}],
        "paths": _paths(),
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": dict.fromkeys(("admin", "reader", "writer", "metrics"), bearer),
        },
    }
