"""The application as its server runs it: its pages, and an answer for addresses below a page.

A browser looks for the scripts of a page beside its address, so that an address of several parts
would stay blank: it is sent to the page that says what it was.
"""

from pathlib import Path
from typing import Final
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.starlette import App

UNKNOWN: Final = "/unknown?asked="
FROM_STREAMLIT: Final = frozenset({"_stcore", "app", "component", "media", "static", "vendor"})
"""What the server itself serves below these, scripts and downloads among them."""
APPLICATION: Final = Path(__file__).with_name("app.py")


class BelowPages:
    """Sends whoever opens an address of several parts to the page that says there is none."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] == "http" and _is_opened(scope):
            asked = quote(scope["path"].strip("/"), safe="/")
            await RedirectResponse(UNKNOWN + asked)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _is_opened(scope: Scope) -> bool:
    """Whether a person's browser opens an address of several parts; scripts ask for no page."""
    first, _, rest = scope["path"].strip("/").partition("/")
    wanted = Headers(scope=scope).get("accept", "")
    asked = scope["method"] == "GET" and "text/html" in wanted
    return asked and bool(rest) and first not in FROM_STREAMLIT


app = App(APPLICATION, middleware=[Middleware(BelowPages)])
