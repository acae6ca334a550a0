"""A shop whose pages report what is bought; for people without JavaScript the shop reports (README.md)."""

import json
import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs
from urllib.request import urlopen

from accounts import Accounts
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates

from hgldp.client import People

FOLDER = Path(__file__).parent
COLLECTOR = os.environ.get("HGLDP_URL", "http://127.0.0.1:8080")
TASK = json.loads((FOLDER / "task.json").read_text(encoding="utf-8"))
PRODUCTS = (FOLDER / "products.txt").read_text(encoding="utf-8").split()
MAX_EPSILON = 2
POLICY = (
    f"default-src 'none'; script-src 'self' {COLLECTOR}; connect-src 'self' {COLLECTOR}; "
    "style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

pages = Jinja2Templates(FOLDER / "templates")
accounts = Accounts(FOLDER / "shop.db")
people = People(COLLECTOR, TASK["id"], TASK["write_key"], folder=FOLDER / "people", max_epsilon=MAX_EPSILON)
sessions: dict[str, str] = {}


def account_of(request: Request) -> str | None:
    """Who is signed in."""
    return sessions.get(request.cookies.get("session", ""))


async def shop(request: Request) -> Response:
    """Everything on one page. An account that the shop reports gets no script, or it would have two budgets."""
    account = account_of(request)
    by_server = account is not None and accounts.way(account) == "server"
    values = {
        "account": account,
        "products": PRODUCTS,
        "said": "Bought." if "bought" in request.query_params else "",
        "scripts": [] if by_server else request.app.state.scripts,
        "options": {"url": COLLECTOR, "task": TASK["id"], "key": TASK["write_key"], "max-epsilon": MAX_EPSILON},
        "spent": people.spent(account) if by_server and account else None,
        "opted_out": by_server and account is not None and people.opted_out(account),
    }
    return pages.TemplateResponse(request, "shop.html", values, headers={"content-security-policy": POLICY})


async def buy(request: Request) -> Response:
    """A purchase. The event is reported once: by the browser that says so, or else by the shop."""
    form = parse_qs((await request.body()).decode())
    product, account = form.get("product", [""])[0], account_of(request)
    if product not in PRODUCTS:
        return Response("There is no such product.", 400)
    way = "browser" if "randomised" in form else "server"
    wanted = request.headers.get("sec-gpc") != "1"
    if account is not None and accounts.decide(account, way) == way == "server" and wanted:
        people.report(account, product)
    return RedirectResponse("/?bought", 303)


async def sign_in(request: Request) -> Response:
    """A real shop asks for a password here."""
    name = parse_qs((await request.body()).decode()).get("name", [""])[0]
    token = secrets.token_urlsafe()
    sessions[token] = name
    answer = RedirectResponse("/", 303)
    answer.set_cookie("session", token, httponly=True, samesite="strict")
    return answer


async def choose(request: Request) -> Response:
    """Stop the reports of an account, or start them again."""
    account = account_of(request)
    if account is not None:
        (people.opt_in if people.opted_out(account) else people.opt_out)(account)
    return RedirectResponse("/", 303)


@asynccontextmanager
async def running(app: Starlette) -> AsyncIterator[None]:
    """Ask the collector once where its scripts are. At the end, what waits is sent."""
    with urlopen(f"{COLLECTOR}/sdk") as answer:  # noqa: S310 - the address is the operator's
        offered = {each["file"]: each for each in json.load(answer)["files"]}
    app.state.scripts = [
        {"src": COLLECTOR + offered[name]["path"], "integrity": offered[name]["integrity"]}
        for name in ("hgldp.js", "panel.js")
    ]
    yield
    await people.aclose()


app = Starlette(
    routes=[
        Route("/", shop),
        Route("/buy", buy, methods=["POST"]),
        Route("/sign-in", sign_in, methods=["POST"]),
        Route("/choose", choose, methods=["POST"]),
        Mount("/static", StaticFiles(directory=FOLDER / "static")),
    ],
    lifespan=running,
)
