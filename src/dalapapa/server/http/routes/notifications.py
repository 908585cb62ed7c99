"""Turn notifications over HTTP, and the pages behind the links in mails.

The pages have a button, because mail filters open links but do not press buttons.
"""

from __future__ import annotations

from html import escape
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.responses import HTMLResponse, Response

from ....hosting.requests import Body
from ....texts import Language, say
from ...notify.config import MAX_ADDRESS_LENGTH
from ...notify.mail_links import MAX_KEY_LENGTH, Purpose, Subscriber
from ...notify.subscriptions import PlayerSubscriptions
from ...notify.webpush import MAX_ENDPOINT_LENGTH, Browser
from ..context import ApiCall, TablePath, negotiate_language
from ..routing import Routes

routes: Routes = Routes("/api")

HTML = ("text/html",)

STYLE = (
    ":root{color-scheme:light dark;--ground:#f7f3ea;--text:#2b2721;--accent:#1d6b52;--on:#fff}"
    "@media(prefers-color-scheme:dark){:root{--ground:#14211d;--text:#eef3ef;--accent:#7fd6b1;"
    "--on:#0c1f18}}"
    "body{font:1.1rem/1.5 Outfit,system-ui,sans-serif;max-width:34rem;margin:12vh auto;"
    "padding:0 1rem;background:var(--ground);color:var(--text)}a{color:var(--accent)}"
    "button{font:inherit;font-weight:600;padding:.7rem 1.4rem;border:2px solid var(--accent);"
    "border-radius:12px;background:var(--accent);color:var(--on);cursor:pointer}"
)
"""The colours of the client's tokens; these pages stand alone, as mail programs open them."""

PAGE = (
    '<!doctype html><html lang="{language}"><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">'
    "<title>Dalapapa</title><style>{style}</style>"
    "<main><h1>Dalapapa</h1><p>{text}</p>{more}</main></html>"
)
FORM = '<form method="post"><button>{text}</button></form>'
HOME = '<p><a href="/">{text}</a></p>'

Endpoint = Annotated[str, Meta(max_length=MAX_ENDPOINT_LENGTH)]


class NotificationOptions(msgspec.Struct):
    """How this server notifies players: the key for web push, if any, and whether by mail."""

    push: str | None
    mail: bool


class PushRequest(Body, frozen=True, kw_only=True):
    """A browser's subscription in the form of `PushSubscription.toJSON`."""

    endpoint: Endpoint
    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=50)]
    language: Language = "en"


class PushStopRequest(Body, frozen=True, kw_only=True):
    """The browser to notify no longer."""

    endpoint: Endpoint


class MailRequest(Body, frozen=True, kw_only=True):
    """A mail address, and a secret of the browser, so that one consent is valid for all tables."""

    address: Annotated[str, Meta(max_length=MAX_ADDRESS_LENGTH)]
    proof: Annotated[str, Meta(min_length=16, max_length=64)]
    language: Language = "en"


class LinkPath(msgspec.Struct):
    """The key at the end of a link."""

    key: Annotated[str, Meta(max_length=MAX_KEY_LENGTH, pattern=r"^[A-Za-z0-9_-]+$")]


@routes.add("GET", "/notices")
async def show_options(call: ApiCall) -> NotificationOptions:
    """How this server notifies players of their turns while they have no page open."""
    notices = call.services.notices
    return NotificationOptions(notices.key or None, notices.notify.mails)


@routes.add("GET", "/tables/{id}/notices", token=True)
async def show(call: ApiCall, path: TablePath) -> PlayerSubscriptions:
    """Where you receive notifications of your turns at this table."""
    live = await call.tables.find(path.id)
    return await call.services.notices.subscriptions.find_own(live, call.token)


@routes.add("POST", "/tables/{id}/notices/push", token=True)
async def push(call: ApiCall, path: TablePath, body: PushRequest) -> PlayerSubscriptions:
    """Notify this browser of your turns."""
    live = await call.tables.find(path.id)
    browser = Browser(body.endpoint, body.p256dh, body.auth)
    return await call.services.notices.subscriptions.add_push(
        live, call.token, browser, body.language
    )


@routes.add("POST", "/tables/{id}/notices/push/stop", token=True)
async def stop_push(call: ApiCall, path: TablePath, body: PushStopRequest) -> PlayerSubscriptions:
    """Stop notifications to this browser."""
    live = await call.tables.find(path.id)
    return await call.services.notices.subscriptions.stop(live, call.token, "push", body.endpoint)


@routes.add("POST", "/tables/{id}/notices/mail", token=True)
async def mail(call: ApiCall, path: TablePath, body: MailRequest) -> PlayerSubscriptions:
    """Notify a mail address of your turns, after its owner has confirmed it."""
    live = await call.tables.find(path.id)
    return await call.services.notices.subscriptions.add_mail(
        live, call.token, body.address, body.language, body.proof, call.address
    )


@routes.add("POST", "/tables/{id}/notices/mail/stop", token=True)
async def stop_mail(call: ApiCall, path: TablePath) -> PlayerSubscriptions:
    """Stop mails about this table."""
    live = await call.tables.find(path.id)
    return await call.services.notices.subscriptions.stop(live, call.token, "mail")


# -- behind the links in mails -------------------------------------------------------------------


async def _find(call: ApiCall, path: LinkPath, purpose: Purpose) -> Subscriber | None:
    return await call.services.notices.subscriptions.find(path.key, purpose)


def _page(call: ApiCall, name: str, found: Subscriber | None, button: bool = False) -> Response:
    """The page of a link, in the language of its mail; if it has expired, in the reader's."""
    if found is None:
        name, button = "link_over", False
        language = negotiate_language(call.request.headers.get("accept-language", ""))
    else:
        language = found.language
    if button:
        more = FORM.format(text=escape(say("notices", f"{name}_button", language)))
    else:
        more = HOME.format(text=escape(say("notices", "home", language)))
    text = escape(say("notices", name, language))
    return HTMLResponse(PAGE.format(language=language, style=STYLE, text=text, more=more))


@routes.add("GET", "/notices/confirm/{key}", media=HTML)
async def ask_to_confirm(call: ApiCall, path: LinkPath) -> Response:
    """The page with the button that confirms mails."""
    found = await _find(call, path, "confirm")
    if found is not None and found.state == "on":  # The key was used before.
        return _page(call, "confirmed", found)
    return _page(call, "confirm", found, button=True)


@routes.add("POST", "/notices/confirm/{key}", media=HTML)
async def confirm(call: ApiCall, path: LinkPath) -> Response:
    """Confirm mails."""
    found = await _find(call, path, "confirm")
    if found is not None and found.state == "asked":  # Each key confirms once.
        await call.services.notices.subscriptions.confirm(found)
    return _page(call, "confirmed", found)


@routes.add("GET", "/notices/stop/{key}", media=HTML)
async def ask_to_stop(call: ApiCall, path: LinkPath) -> Response:
    """The page with the button that stops mails."""
    return _page(call, "stop", await _find(call, path, "stop"), button=True)


@routes.add("POST", "/notices/stop/{key}", media=HTML)
async def stop(call: ApiCall, path: LinkPath) -> Response:
    """Stop mails to this address; mail clients use it, too (RFC 8058)."""
    if (found := await _find(call, path, "stop")) is not None:
        await call.services.notices.subscriptions.unsubscribe(found)
    return _page(call, "stopped", found)
