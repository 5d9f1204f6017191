"""Who is there: cookies and forms of a request, and answers that carry cookies.

Every form holds a word that only somebody who has the cookie `jurybox_form` was given, so that
another site cannot send forms in a rater's or an admin's name. All cookies are signed or random,
unreadable for scripts, and not sent along from other sites (SameSite=Lax).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from hmac import compare_digest
from ipaddress import IPv6Address, IPv6Network
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import FormData, UploadFile

from jurybox.serve.guard import LARGEST_UPLOAD, Limits, RateLimit
from jurybox.serve.model import Project, Rater, Role, User
from jurybox.serve.pages import render
from jurybox.serve.tokens import DAY, SESSION_SECONDS, Tokens

if TYPE_CHECKING:
    from itsdangerous import URLSafeTimedSerializer

    from jurybox.serve.store import Store

R = TypeVar("R", bound=Response)

FORM, SESSION = "jurybox_form", "jurybox_session"
ADJUDICATING = (Role.ADJUDICATOR, Role.ADMIN)
#: fields of a form; an essay with many annotators has some hundred corrections to tick
MOST_FIELDS = 3000
#: raters come back within this time
REMEMBERED = 90 * DAY
#: raters who are served at the same time, on PostgreSQL
AT_ONCE = 40
#: how long a link for the first admin, or for the demo's, can be used
ENTRANCE_SECONDS = DAY


@dataclass(frozen=True)
class Site:
    """What all pages share."""

    store: Store
    tokens: Tokens
    joins: RateLimit
    logins: RateLimit
    turns: CapacityLimiter  # how many raters are served at the same time
    base: str = ""  # where browsers find it; '' where that is what they ask for

    @classmethod
    def of(cls, store: Store, limits: Limits, base: str = "") -> Site:
        """The site of a store."""
        return cls(
            store,
            Tokens(store.secret),
            RateLimit(limits.joins, limits.seconds),
            RateLimit(limits.logins, limits.seconds),
            CapacityLimiter(1 if store.database.is_sqlite else AT_ONCE),
            base.rstrip("/"),
        )

    def is_session(self, request: Request) -> bool:
        """Whether somebody logged in, as their cookie says; no database is asked."""
        return self.tokens.read_session(request.cookies.get(SESSION, "")) is not None

    def signer(self, kind: str) -> URLSafeTimedSerializer:
        """Signs words of a kind that `Tokens` does not know."""
        from itsdangerous import URLSafeTimedSerializer

        return URLSafeTimedSerializer(self.store.secret, salt=f"jurybox.page.{kind}")

    def read_signed(self, kind: str, token: str, max_age: int | None = None) -> Any:
        """What was signed; None if it was not, or too long ago."""
        from itsdangerous import BadData

        try:
            return self.signer(kind).loads(token, max_age=max_age)
        except BadData:
            return None


@dataclass
class Visit:
    """One request: what it brought, and the cookies that its answer takes along."""

    site: Site
    request: Request
    form: FormData = field(default_factory=FormData)
    _cookies: list[tuple[str, str, int]] = field(default_factory=list)
    _project: Project | None = None

    @property
    def store(self) -> Store:
        return self.site.store

    @property
    def address(self) -> str:
        """Where the request comes from; of IPv6 the network, for one household has all of it."""
        host = self.request.client.host if self.request.client else ""
        if ":" not in host:
            return host[:100]
        try:
            found = IPv6Address(host)
        except ValueError:
            return host[:100]
        return str(found.ipv4_mapped or IPv6Network((int(found), 64), strict=False))

    async def in_turn(self, serve: Callable[[Visit, int], Response], project: int) -> Response:
        """Serve a rater, in a thread.

        SQLite writes one after the other, so raters take turns: threads that wait for each other
        and for the interpreter would take a third more of the processor.
        """
        return await to_thread.run_sync(serve, self, project, limiter=self.site.turns)

    # --- forms ---

    def text(self, name: str) -> str:
        """A field of the form; '' where it is missing, or a file."""
        value = self.form.get(name, "")
        return _whole(value) if isinstance(value, str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """All values of a field."""
        return tuple(_whole(one) for one in self.form.getlist(name) if isinstance(one, str))

    def upload(self, name: str) -> UploadFile | None:
        """A file; None where none was chosen."""
        value = self.form.get(name)
        return value if isinstance(value, UploadFile) and value.filename else None

    def form_word(self) -> str:
        """The word that the forms of this answer hold."""
        given = self.request.cookies.get(FORM, "")
        if not given:
            given = next((value for name, value, _ in self._cookies if name == FORM), "")
        if not given:
            given = token_urlsafe(18)
            self._cookies.append((FORM, given, REMEMBERED))
        return self._word_for(given)

    def is_own_form(self) -> bool:
        """Whether the form that was sent is one that we gave to this browser."""
        given = self.request.cookies.get(FORM, "")
        sent = self.text("form_word").encode()
        return bool(given) and compare_digest(sent, self._word_for(given).encode())

    def _word_for(self, cookie: str) -> str:
        secret = self.store.secret.encode()[:64]
        return blake2b(cookie.encode(), key=secret, digest_size=18, person=b"form").hexdigest()

    # --- people ---

    def rater(self, project: int) -> Rater | None:
        """The rater of this project whom the browser's cookie names.

        Raters with an account must be logged in too: on a computer for many, whoever logs out is
        gone, and whoever lost access has none.
        """
        cookie = self.request.cookies.get(rater_cookie(project), "")
        number = self.site.tokens.read_rater(cookie, project=project)
        found = None if number is None else self.store.rater_at_work(number)
        if found is None:
            return None
        rater, self._project = found
        if rater.user is None:
            return rater
        user = self.user()
        return rater if user is not None and user.id == rater.user else None

    def project(self, number: int) -> Project:
        """A project; that of the rater who is there was read with them."""
        known = self._project
        if known is not None and known.id == number:
            return known
        return self.store.project_by_id(number)

    def remember_rater(self, rater: Rater) -> None:
        """The browser comes back as this rater."""
        name = rater_cookie(rater.project)
        self._cookies.append((name, self.site.tokens.rater(rater), REMEMBERED))

    def user(self) -> User | None:
        """Whoever is logged in."""
        session = self.site.tokens.read_session(self.request.cookies.get(SESSION, ""))
        user = None if session is None else self.store.user(session.user)
        if session is None or user is None or user.session != session.session:
            return None
        return user if user.has_access else None

    def admin(self) -> User | None:
        """The admin who is logged in."""
        user = self.user()
        return user if user is not None and user.role == Role.ADMIN else None

    def adjudicator(self) -> User | None:
        """The adjudicator who is logged in; admins may do what adjudicators may."""
        user = self.user()
        return user if user is not None and user.role in ADJUDICATING else None

    def begin_session(self, user: User) -> None:
        """The browser is this user's until the session ends."""
        self._cookies.append((SESSION, self.site.tokens.session(user), SESSION_SECONDS))

    def end_session(self) -> None:
        """Nobody is logged in."""
        self._cookies.append((SESSION, "", 0))

    # --- answers ---

    def page(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A page, with the word for its forms."""
        text = render(template, form_word=self.form_word(), **values)
        return self._with_cookies(HTMLResponse(text, status))

    def message(
        self, title: str, *text: str, status: int = 200, link: tuple[str, str] | None = None
    ) -> HTMLResponse:
        """A page that says something in plain words."""
        return self.page("message", status, title=title, text=text, link=link)

    def go_to(self, path: str) -> RedirectResponse:
        """The next page, asked for by GET."""
        return self._with_cookies(RedirectResponse(path, 303))

    def _with_cookies(self, response: R) -> R:
        for name, value, seconds in self._cookies:
            response.set_cookie(
                name,
                value,
                max_age=seconds,
                secure=self.request.url.scheme == "https" or self.site.base.startswith("https:"),
                httponly=True,
                samesite="lax",
            )
        return response


def rater_cookie(project: int) -> str:
    """The name of the cookie by which a project's rater comes back."""
    return f"jurybox_rater_{project}"


def _whole(text: str) -> str:
    r"""Text without halves of characters, which a form in an encoding of its own can bring.

    Lines end as everywhere else: browsers send CR LF, which no table can keep.

    >>> _whole("na\u00efve \ud800\r\nend")
    'naïve ?\nend'
    """
    return text.encode("utf-8", "replace").decode().replace("\r\n", "\n")


async def _visit(request: Request) -> Visit:
    return Visit(request.app.state.site, request)


async def _visit_with_form(request: Request) -> AsyncIterator[Visit]:
    async with request.form(
        max_files=3, max_fields=MOST_FIELDS, max_part_size=LARGEST_UPLOAD
    ) as form:
        request.state.form = form  # for the page that says what went wrong
        yield Visit(request.app.state.site, request, form)


#: a page is asked for; a form is sent
Asked = Annotated[Visit, Depends(_visit)]
Sent = Annotated[Visit, Depends(_visit_with_form)]
#: a number in an address, as databases hold them; others lead nowhere
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
