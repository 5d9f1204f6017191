"""A request to the site: its cookies and form, who sent it, and responses that carry cookies.

Every form holds a CSRF token, derived from the cookie `jurybox_form`, so that another site cannot
send forms in a rater's or an admin's name. All cookies are signed or random, unreadable for
scripts, and not sent along from other sites (SameSite=Lax).

What is refused is raised, for pages and the HTTP API alike: a `RefusalError`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from hashlib import blake2b
from hmac import compare_digest
from inspect import signature
from ipaddress import IPv6Address, IPv6Network
from secrets import token_urlsafe
from typing import Annotated, Any, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import FormData, UploadFile

from jurybox.errors import JuryboxError, UsageError
from jurybox.serve.guard import LARGEST_UPLOAD, Limits, RateLimit
from jurybox.serve.model import Project, Rater, Role, User
from jurybox.serve.pages import render
from jurybox.serve.settings import TITLES, in_words
from jurybox.serve.store import Store
from jurybox.serve.tokens import DAY, SESSION_SECONDS, Session, Tokens

R = TypeVar("R", bound=Response)
Serve = Callable[..., Response]

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
COOKIES = (
    "Your browser did not send our cookie back. Please allow cookies for this site, and try again."
)


class RefusalError(JuryboxError):
    """A request that is refused, by a page or by the HTTP API, with the status to say so.

    `remedy` and `headers` are for the API, which has words of its own for what is empty; `link` is
    for a page. With a title it is a page of its own, not a line above a form; 303 sends to `link`.
    """

    def __init__(
        self,
        status: int,
        detail: str = "",
        *,
        title: str = "",
        remedy: str = "",
        headers: Mapping[str, str] | None = None,
        link: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.title, self.detail, self.remedy = status, title, detail, remedy
        self.headers, self.link = headers, link


class Site:
    """What all pages share. `base` is where browsers find it; '' where they know."""

    def __init__(self, store: Store, limits: Limits, base: str = "") -> None:
        self.store, self.tokens, self.base = store, Tokens(store.secret), base.rstrip("/")
        self.joins = RateLimit(limits.joins, limits.seconds)
        self.logins = RateLimit(limits.logins, limits.seconds)
        #: how many raters are served at the same time
        self.turns = CapacityLimiter(1 if store.database.is_sqlite else AT_ONCE)

    def is_session(self, request: Request) -> bool:
        """Whether somebody logged in, as their cookie says; no database is asked."""
        return self.tokens.read_session(request.cookies.get(SESSION, "")) is not None


@dataclass
class Visit:
    """One request: what it brought, and the cookies that its answer takes along."""

    site: Site
    request: Request
    form: FormData = field(default_factory=FormData)
    error: JuryboxError | None = None  # what went wrong with the form, said on its page
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

    async def in_turn(self, serve: Serve, number: int) -> Response:
        """Serve a rater, in a thread.

        SQLite writes one after the other, so raters take turns: threads that wait for each other
        and for the interpreter would take a third more of the processor.
        """
        served = partial(serve, number=number, visit=self)
        return await to_thread.run_sync(served, limiter=self.site.turns)

    def asked(self, name: str) -> str:
        """A parameter of the address; '' where it is missing."""
        return self.request.query_params.get(name, "")

    # --- forms ---

    @property
    def is_sent(self) -> bool:
        return self.request.method == "POST"

    def text(self, name: str) -> str:
        """A field of the form; '' where it is missing, or a file."""
        value = self.form.get(name, "")
        return _whole(value) if isinstance(value, str) else ""

    def number(self, name: str, otherwise: int = 0) -> int:
        """A whole number in the form or the address; `otherwise` where there is none."""
        return whole_number(self.text(name) or self.asked(name), otherwise)

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(_whole(one) for one in self.form.getlist(name) if isinstance(one, str))

    def upload(self, name: str) -> UploadFile | None:
        """A file; None where none was chosen."""
        value = self.form.get(name)
        return value if isinstance(value, UploadFile) and value.filename else None

    def csrf_token(self) -> str:
        given = self.request.cookies.get(FORM, "")
        if not given:
            given = next((value for name, value, _ in self._cookies if name == FORM), "")
        if not given:
            given = token_urlsafe(18)
            self._cookies.append((FORM, given, REMEMBERED))
        return self._token_for(given)

    def check_form(self) -> None:
        """A form that we did not give to this browser is a RefusalError."""
        given = self.request.cookies.get(FORM, "")
        sent = self.text("csrf_token").encode()
        if not given or not compare_digest(sent, self._token_for(given).encode()):
            raise RefusalError(403, COOKIES)

    def _token_for(self, cookie: str) -> str:
        secret = self.store.secret.encode()[:64]
        return blake2b(cookie.encode(), key=secret, digest_size=18, person=b"form").hexdigest()

    # --- people ---

    def rater(self, project: int) -> Rater | None:
        """The rater of this project whom the browser's cookie names.

        Raters with an account must be logged in too: on a shared computer somebody who logs out is
        gone, and somebody who lost access has none.
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

    def known_rater(self, project: int) -> Rater:
        """The same; a browser that is not known is refused."""
        rater = self.rater(project)
        if rater is None:
            raise RefusalError(
                403,
                "This browser does not know you, or no longer. Open the link that you were sent: "
                "that is the way in.",
                title="Please open your link again",
            )
        return rater

    def project(self, number: int) -> Project:
        """A project; that of the rater who is there was read with them."""
        known = self._project
        if known is not None and known.id == number:
            return known
        return self.store.project_by_id(number)

    def remember_rater(self, rater: Rater) -> None:
        name = rater_cookie(rater.project)
        self._cookies.append((name, self.site.tokens.rater(rater), REMEMBERED))

    def user(self) -> User | None:
        cookie = self.request.cookies.get(SESSION, "")
        return self.user_of(self.site.tokens.read_session(cookie))

    def user_of(self, session: Session | None) -> User | None:
        """Whose session it is; None where it is over, or they have no access any more."""
        user = None if session is None else self.store.user(session.user)
        if session is None or user is None or user.session != session.session:
            return None
        return user if user.has_access else None

    def begin_session(self, user: User) -> None:
        self._cookies.append((SESSION, self.site.tokens.session(user), SESSION_SECONDS))

    def end_session(self) -> None:
        self._cookies.append((SESSION, "", 0))

    # --- responses ---

    def page(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A page, with the CSRF token for its forms, and above it what went wrong with one."""
        problem = ""
        if self.error is not None:
            problem = str(self.error)
            status = getattr(self.error, "status", 422)
            status = 403 if status == 401 else status  # pages do not ask for a bearer token
        if isinstance(self.error, UsageError):  # the library names options, the page its fields
            problem = in_words(problem, TITLES)
        text = render(template, csrf_token=self.csrf_token(), problem=problem, **values)
        return self._with_cookies(HTMLResponse(text, status))

    def message(
        self, title: str, *text: str, status: int = 200, link: tuple[str, str] | None = None
    ) -> HTMLResponse:
        return self.page("message", status=status, title=title, text=text, link=link)

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
    return f"jurybox_rater_{project}"


def whole_number(text: str, otherwise: int = 0) -> int:
    """A number as databases hold them; `otherwise` where the text is none."""
    return int(text) if text.isdecimal() and len(text) < 10 else otherwise


def shown_on(page: Serve) -> Callable[[Serve], Serve]:
    """Takes the form of a page.

    A form that we did not give to this browser is refused. What goes wrong is said on the page,
    which is shown again as it was filled in; it gets those parameters that it has.
    """
    names = signature(page).parameters

    def decorate(take: Serve) -> Serve:
        @wraps(take)
        def checked(visit: Visit, **given: Any) -> Response:
            try:
                visit.check_form()
                return take(visit=visit, **given)
            except JuryboxError as error:
                if isinstance(error, RefusalError) and error.title:
                    raise
                visit.error = error
            return page(visit=visit, **{name: given[name] for name in given if name in names})

        return checked

    return decorate


def _whole(text: str) -> str:
    r"""Text without halves of characters, which a form in another encoding can bring.

    Lines end in LF: browsers send CR LF, which no table can keep.

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


def _user_with(*roles: Role) -> Callable[[Visit], User]:
    def find(visit: Asked) -> User:
        user = visit.user()
        if user is not None and user.role in roles:
            return user
        to_login = ("/admin/login", "Log in")
        if not visit.is_sent:  # from there users who are logged in are sent to their own place
            raise RefusalError(303, title="Log in", link=to_login)
        if user is not None:
            raise RefusalError(403, "Please ask an admin.", title="You may not do this")
        raise RefusalError(
            403,
            "Log in, in another window if you have typed much, and send the form again.",
            title="You are not logged in",
            link=to_login,
        )

    return find


#: who is logged in; nobody else sees the page. As a parameter after `visit: Sent`, so that the form
#: is read first: the page about a database that is away holds it
only_admins = Depends(_user_with(Role.ADMIN))
PageUser = Annotated[User, Depends(_user_with(*Role))]
PageAdmin = Annotated[User, only_admins]
PageAdjudicator = Annotated[User, Depends(_user_with(*ADJUDICATING))]
