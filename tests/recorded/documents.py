"""The documents of the HTTP API: what a fixed collector says to a fixed list of questions, good ones and bad ones."""

import asyncio
import json
from typing import Any

from hgldp.collector.problems import Problem, Refused
from tests.recorded.crowd import Crowd
from tests.recorded.page_text import page_text
from tests.recorded.record import Case, Found
from tests.recorded.service import ADMIN, Made, Service, opened, without_chance, written
from tests.recorded.world import DRINKS

DRINKS_TASK: dict[str, Any] = {
    "name": "Drinks", "level": "event", "scheme": "dsr", "epsilon": 2.0, "k": 3, "cells": 6, "epoch": 100,
    "domain": {"words": list(DRINKS)}, "results": "token", "origins": ["https://example.org"],
}  # fmt: skip
PAGES_TASK: dict[str, Any] = {
    "name": "Pages", "level": "event",
    "scheme": "pfr", "epsilon": 3.0, "k": 3, "cells": 32, "domain": {"range": [-5, 100]},
    "results": "public", "epoch": 200, "half_life": 2_000, "daily_reports": 4,
}  # fmt: skip
STRINGS_TASK: dict[str, Any] = {
    "name": "Searches", "level": "event",
    "scheme": "pfr", "epsilon": 6.0, "k": 2, "cells": 64, "domain": {"strings": 8},
    "results": "public", "epoch": 300, "epoch_seconds": 3_600,
}  # fmt: skip
SPLIT_TASK: dict[str, Any] = {
    "name": "Users", "scheme": "bdr", "epsilon": 4.0, "level": "user", "events": 2, "division": "budget",
    "k": 2, "domain": {"range": [0, 40]}, "results": "public", "epoch": 30, "daily_reports": 1,
}  # fmt: skip
CAPPED_TASK: dict[str, Any] = {
    "name": "Capped", "scheme": "cnr", "epsilon": 1.0, "level": "window", "events": 2, "division": "budget",
    "k": 2, "reports_per_second": 20,
    "reports_per_day": 30, "domain": {"range": [0, 40]}, "light_cells": 5, "epoch": 10,
}  # fmt: skip
PLAIN_TASK: dict[str, Any] = {
    "name": "Plain",
    "level": "event",
    "scheme": "bgr",
    "epsilon": 1.0,
    "k": 2,
    "domain": {"range": [1, 30]},
}
HINTED_TASK: dict[str, Any] = {
    "name": "Drinks of all kinds", "level": "event", "scheme": "pfr", "epsilon": 6.0, "k": 2, "cells": 96,
    "domain": {"strings": 12}, "hints": [*DRINKS[3:], "green tea"], "results": "public", "epoch": 300,
}  # fmt: skip
WARM_TASK: dict[str, Any] = {
    "name": "Warm", "level": "event", "scheme": "pfr", "epsilon": 2.0, "k": 3, "cells": 32, "epoch": 200,
    "domain": {"range": [0, 60]}, "results": "public", "warmup": [[item, 40 // (item + 1)] for item in range(9)],
}  # fmt: skip
PEOPLE_TASK: dict[str, Any] = {
    "name": "People", "scheme": "pfr", "epsilon": 4.0, "period": "week", "nothing": True, "k": 3, "cells": 32,
    "domain": {"range": [0, 60]}, "results": "public", "epoch": 200, "one_answer": True, "keys": "week",
}  # fmt: skip
NOBODY = "0" * 64


async def _everything() -> Found:
    async with opened() as service:
        drinks = await service.create("created-dsr", DRINKS_TASK)
        pages = await service.create("created-pfr", PAGES_TASK)
        strings = await service.create("created-strings", STRINGS_TASK)
        split = await service.create("created-bdr", SPLIT_TASK)
        capped = await service.create("created-cnr", CAPPED_TASK)
        plain = await service.create("created-bgr", PLAIN_TASK)
        hinted = await service.create("created-hints", HINTED_TASK)
        warm = await service.create("created-warm", WARM_TASK)
        people = await service.create("created-people", PEOPLE_TASK)
        made = {
            "dsr": drinks, "pfr": pages, "strings": strings, "bdr": split, "cnr": capped, "bgr": plain,
            "hints": hinted, "warm": warm, "people": people,
        }  # fmt: skip
        await service.ask("new-top", f"{pages.path}/top")
        await service.ask("new-bulletin-pointer", f"{pages.path}/bulletin")
        crowds = {
            "dsr": _crowd(service, drinks, DRINKS, 41), "pfr": _crowd(service, pages, tuple(range(-5, 95)), 42),
            "strings": _crowd(service, strings, DRINKS[:9], 43), "bdr": _crowd(service, split, tuple(range(40)), 44),
            "bgr": _crowd(service, plain, tuple(range(1, 31)), 46), "hints": _crowd(service, hinted, DRINKS, 47),
            "warm": _crowd(service, warm, tuple(range(60)), 48),
            "people": _crowd(service, people, tuple(range(60)), 49),
        }  # fmt: skip
        for name, crowd in crowds.items():
            service.feed(made[name], crowd, uploads=40, reports=2 if name == "bdr" else 45)
        await _uploads(service, drinks, capped, crowds["dsr"])
        await _results(service, made)
        await _questions(service, made)
        await _pages(service, made)
        await _operations(service)
        await _refusals(service, drinks, pages)
        await _ends(service, drinks, crowds["dsr"])
        await _changes(service, plain)
        return service.answers


def _crowd(service: Service, made: Made, items: tuple[object, ...], seed: int) -> Crowd:
    return Crowd(service.view(made).task, items, 4_000, seed)


async def _results(service: Service, made: dict[str, Made]) -> None:
    for name, one in made.items():
        bulletin = service.view(one).bulletin.version
        key = {"authorization": f"Bearer {one.key}"}
        for part in ("document", "bulletin", "privacy", "certificate"):
            await service.ask(f"{name}-{part}", f"{one.path}/{part}", headers=key)
        for part in ("top", "history"):
            await service.ask(f"{name}-{part}", f"{one.path}/{part}", admin=True)
        await service.ask(f"{name}-task", one.path, admin=True)
        await service.ask(f"{name}-top-k", f"{one.path}/top?k=1", admin=True)
        await service.ask(f"{name}-top-csv", f"{one.path}/top?format=csv", admin=True)
        await service.ask(f"{name}-history-csv", f"{one.path}/history?first=1&last=3&format=csv", admin=True)
        for form in ("csv", "json"):
            await service.ask(f"{name}-export-{form}", f"{one.path}/export?format={form}", admin=True)
        held = {"if-none-match": f'"{bulletin}"'}
        await service.ask(f"{name}-bulletin-unchanged", f"/v1/bulletins/{bulletin}", headers=held | key)
    await service.ask("top-window", f"{made['pfr'].path}/top?k=2&window=600")
    reader = {"authorization": f"Bearer {made['dsr'].token}"}
    await service.ask("top-for-a-reader", f"{made['dsr'].path}/top", headers=reader)


async def _questions(service: Service, made: dict[str, Made]) -> None:
    """Any items, how all are spread, and what a web page fetches."""
    items: dict[str, list[object]] = {
        "dsr": ["tea", "wine"],
        "strings": ["coffee", "oolong"],
        "hints": ["tea", "oolong"],
    }
    for name, one in made.items():
        asked = {"items": items.get(name, [1, 7, 30])}
        await service.ask(f"{name}-asked", f"{one.path}/ask", "POST", admin=True, json=asked)
        await service.ask(f"{name}-distribution", f"{one.path}/distribution", admin=True)
    path = made["pfr"].path
    await service.ask("asked-in-a-window", f"{path}/ask", "POST", json={"items": [3], "window": 600})
    await service.ask("distribution-in-a-window", f"{path}/distribution?window=600")
    await service.ask("asked-for-an-unknown-item", f"{path}/ask", "POST", json={"items": [500]})
    await service.ask("asked-for-nothing", f"{path}/ask", "POST", json={"items": []})
    await service.ask("asked-in-words", f"{path}/ask", "POST", json={"items": ["tea"]})
    for name in ("pfr", "hints"):
        version = service.view(made[name]).bulletin.version
        await service.ask(f"{name}-bulletin-with-set", f"/v1/bulletins/{version}/with-set")
    named = service.view(made["hints"]).task.hints
    await service.ask("hints-list", f"/v1/hints/{named.digest if named else NOBODY}")
    await service.ask("no-list", f"/v1/hints/{NOBODY}")


async def _pages(service: Service, made: dict[str, Made]) -> None:
    """What the dashboard shows to an admin, and what to a stranger."""
    for name, one in made.items():
        path = f"/tasks/{one.id}"
        await service.ask(f"page-{name}", path, admin=True, shown=page_text)
        await service.ask(f"page-{name}-epoch", f"{path}?epoch=1", admin=True, shown=page_text)
        await service.ask(f"page-{name}-regions", f"{path}/epochs/1", admin=True, shown=_texts_of_regions)
    await service.ask("page-overview", "/", admin=True, shown=page_text)
    await service.ask("page-overview-for-a-stranger", "/", shown=page_text)
    await service.ask("page-for-a-stranger", f"/tasks/{made['dsr'].id}", shown=page_text)
    path = f"/tasks/{made['pfr'].id}"
    await service.ask("page-window", f"{path}?window=600", shown=page_text)
    await service.ask("page-distribution", f"{path}?distribution=1", shown=page_text)
    await service.ask("page-asked", path, "POST", data={"item": "3"}, shown=page_text)


def _texts_of_regions(body: str) -> str:
    """Each part of a page, under its name; or why there is none."""
    parts = json.loads(body)
    if "type" in parts:
        return body
    return "\n".join(f"{name}:\n{page_text(html)}" for name, html in parts.items())


async def _changes(service: Service, plain: Made) -> None:
    """What an admin may change afterwards, up to the end of everything."""
    post: dict[str, Any] = {"method": "POST", "admin": True}
    await service.ask("renamed", f"{plain.path}/rename", json={"name": "Simple"}, **post)
    await service.ask(
        "key-rotated", f"{plain.path}/rotate-key", json={"keep_old_hours": 2}, shown=without_chance, **post
    )
    await service.ask("token-rotated", f"{plain.path}/rotate-token", shown=without_chance, **post)
    await service.ask("deleted-by-another-name", f"{plain.path}/delete", json={"name": "Plain"}, **post)
    await service.ask("deleted", f"{plain.path}/delete", json={"name": "Simple"}, **post)
    await service.ask("gone", f"{plain.path}/top", admin=True)


async def _uploads(service: Service, drinks: Made, capped: Made, crowd: Crowd) -> None:
    body = crowd.upload(service.view(drinks).bulletin, 5)
    here = f"/v1/in/{drinks.key}"
    page = {"origin": "https://example.org", "content-type": "application/octet-stream"}
    await service.ask("receipt", here, "POST", content=body)
    await service.ask("receipt-of-a-resend", here, "POST", content=body, headers=page)
    await service.ask("preflight", here, "OPTIONS", headers=page)
    await service.ask("upload-malformed", here, "POST", content=body[:-1])
    await service.ask("upload-empty", here, "POST", content=b"")
    await service.ask("upload-bad-symbol", here, "POST", content=body[:56] + b"\xff" * 5 + body[61:])
    await service.ask("upload-unknown-bulletin", here, "POST", content=body[:20] + bytes(32) + body[52:])
    await service.ask("upload-of-json", here, "POST", json={"events": ["tea"]})
    await service.ask("upload-by-put", here, "PUT", content=body)
    await service.ask("upload-unknown-key", f"/v1/in/{drinks.token}", "POST", content=body)
    few = Crowd(service.view(capped).task, tuple(range(40)), 200, 45)
    for name, reports in (("receipt-capped", 15), ("receipt-up-to-the-daily-cap", 15)):
        await service.ask(
            name, f"/v1/in/{capped.key}", "POST", content=few.upload(service.view(capped).bulletin, reports)
        )
    service.clock.advance(10.0)
    late = few.upload(service.view(capped).bulletin, 18)
    await service.ask("upload-above-the-daily-cap", f"/v1/in/{capped.key}", "POST", content=late)


async def _operations(service: Service) -> None:
    await service.ask("list", "/v1/tasks", admin=True)
    for name in ("health", "ready", "openapi.json"):
        await service.ask(name, f"/{name}")
    answer = await service.http.get("/metrics", headers={"authorization": f"Bearer {ADMIN}"})
    lines = [line for line in answer.text.splitlines() if line.startswith("#") or "{task=" in line]
    lines = [line for line in lines if not line.startswith("hgldp_last_upload")]  # by the machine's own clock
    service.answers["metrics"] = written(answer.status_code, answer.headers, "\n".join(lines))


async def _refusals(service: Service, drinks: Made, pages: Made) -> None:
    ask = service.ask
    await ask("no-token", f"{drinks.path}/top")
    await ask("no-admin", "/v1/tasks")
    await ask("no-task", f"/v1/tasks/{NOBODY}/top", admin=True)
    await ask("no-bulletin", f"/v1/bulletins/{NOBODY}")
    await ask("no-path", "/v1/nothing")
    await ask("no-method", f"{pages.path}/top", "POST")
    await ask("unknown-parameter", f"{pages.path}/top?kk=3")
    await ask("k-too-small", f"{pages.path}/top?k=0")
    await ask("k-too-large", f"{pages.path}/top?k=9999")
    await ask("window-of-a-hot-list", f"{drinks.path}/top?window=5", admin=True)
    await ask("history-backwards", f"{pages.path}/history?first=5&last=2")
    await ask("unknown-format", f"{pages.path}/export?format=xml")
    bad: dict[str, dict[str, Any]] = {
        "exists": DRINKS_TASK, "epsilon": DRINKS_TASK | {"epsilon": 11}, "scheme": DRINKS_TASK | {"scheme": "grr"},
        "unknown-key": DRINKS_TASK | {"colour": 1}, "missing-key": {"name": "x"}, "cells": PAGES_TASK | {"cells": 4},
        "memory": PAGES_TASK | {"memory": 10}, "strings-of-dsr": STRINGS_TASK | {"scheme": "dsr"},
    }  # fmt: skip
    for name, fields in bad.items():
        await ask(f"task-{name}", "/v1/tasks", "POST", admin=True, json=fields)
    await ask("task-no-json", "/v1/tasks", "POST", admin=True, content=b"{")
    await ask("task-as-xml", "/v1/tasks", "POST", admin=True, content=b"{}", headers={"content-type": "text/xml"})


async def _ends(service: Service, drinks: Made, crowd: Crowd) -> None:
    body = crowd.upload(service.view(drinks).bulletin, 3)
    for name in ("seal", "close", "close-again"):
        await service.ask(name, f"{drinks.path}/{name.removesuffix('-again')}", "POST", admin=True)
        service.clock.advance(1.0)
    await service.ask("upload-to-a-closed-task", f"/v1/in/{drinks.key}", "POST", content=body)
    await service.ask("closed-bulletin-pointer", f"{drinks.path}/bulletin", admin=True)
    await service.ask("closed-top", f"{drinks.path}/top", admin=True)


def _problems() -> Found:
    """Every problem there is, without detail."""
    refusals = {each.slug: Refused(each) for each in Problem}
    return {slug: written(one.problem.status, one.headers, one.body.decode()) for slug, one in refusals.items()}


CASES: dict[str, Case] = {"http": lambda: asyncio.run(_everything()), "problems": _problems}
