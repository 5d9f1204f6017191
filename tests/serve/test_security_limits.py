"""Too much, too often, from behind a proxy; ways out of the site; what every answer carries."""

from __future__ import annotations

import io
import re
import socket
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import JuryboxError, UsageError
from jurybox.serve.app import check_proxies, config_of, make_app
from jurybox.serve.downloads import file_name
from jurybox.serve.guard import HEADERS, LARGEST_FORM, LARGEST_UPLOAD, Limits, RateLimit
from jurybox.serve.model import EssayCorrection, NewCase, SubmittedAnswer
from jurybox.serve.requests import SESSION
from jurybox.serve.settings import Settings, Task
from jurybox.serve.store import Store
from serve.crawling import parse
from serve.made_studies import hand, judge, make_project
from serve.running_site import PASSWORD, Person, Running, running, served

# --- too much ---

FORM_KIND = {"Content-Type": "application/x-www-form-urlencoded"}
PLACES = ("/admin/login", "/admin/projects", "/j/x", "/r/1/case", "/r/1/draft", "/api/v1/tokens")


@pytest.mark.parametrize("path", PLACES)
@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.slow
def test_nobody_sends_much_before_they_are_known(site: Running, path: str, announced: bool) -> None:
    """A megabyte is refused after the first 64 KB, chunked or not."""
    body = b"name=" + b"x" * 2**20
    sent = 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        for start in range(0, len(body), 4096):
            sent += 4096
            yield body[start : start + 4096]

    with httpx.Client(base_url=site.base, verify=False) as eve:
        content = body if announced else pieces()
        try:
            page = eve.post(path, content=content, headers=FORM_KIND)
            assert page.status_code in (413, 404, 415, 422), page.text
        except httpx.TransportError:
            pass  # cut off while sending: refused as well
    assert LARGEST_FORM < 2**20 < LARGEST_UPLOAD
    assert not site.store.users()


@pytest.mark.parametrize("length", ["-1", "1e9", "99999999999999999999", "12x", "+5"])
def test_a_length_that_is_a_lie_is_no_fault_of_the_server(site: Running, length: str) -> None:
    host, port = site.base.removeprefix("http://").split(":")
    head = f"POST /admin/login HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n"
    with socket.create_connection((host, int(port)), timeout=10) as raw:
        raw.sendall(f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\nname=x".encode())
        answer = raw.recv(100)
    assert re.match(rb"HTTP/1.1 4\d\d", answer), answer


def test_thousands_of_fields_and_files_are_refused_in_plain_words(site: Running) -> None:
    with httpx.Client(base_url=site.base, verify=False) as eve:
        many = "&".join(f"f{i}=" for i in range(9000))
        assert eve.post("/admin/login", content=many, headers=FORM_KIND).status_code in (400, 413)
        files = [("cases", (f"{i}.csv", b"x")) for i in range(50)]
        assert eve.post("/admin/projects", files=files).status_code in (400, 403)


@pytest.mark.parametrize(
    "body", ["[" * 30000, '{"name":' * 5000, '{"name": "\\ud800", "password": "x"}', "nan", ""]
)
def test_json_that_is_no_good_is_no_fault_of_the_server(site: Running, body: str) -> None:
    with httpx.Client(base_url=site.base, verify=False) as eve:
        page = eve.post(
            "/api/v1/tokens", content=body, headers={"Content-Type": "application/json"}
        )
        assert 400 <= page.status_code < 500


# --- too often ---


def test_thousands_of_joins_from_one_address_make_no_raters(lite: Store) -> None:
    project = make_project(lite, 1)
    with running(lite, Limits(joins=20)) as site, Person(site) as eve:
        eve.open(site.link(project))
        fields = eve.fields()
        codes = []
        for _ in range(120):
            if (cookie := f"jurybox_rater_{project.id}") in eve.client.cookies:
                eve.client.cookies.delete(cookie)
            page = eve.client.post(site.link(project), data=fields, follow_redirects=False)
            codes.append(page.status_code)
        assert codes == [303] * 20 + [429] * 100
        assert len(lite.rater_progress(project.id)) == 20


def test_what_is_remembered_of_addresses_has_an_end() -> None:
    times = iter(range(10**9))
    limit = RateLimit(5, 1e9, clock=lambda: float(next(times)))
    for number in range(3 * RateLimit.MOST):
        limit.allows(f"2001:db8::{number:x}")
    assert len(limit._seen) == RateLimit.MOST
    assert [limit.allows("one") for _ in range(5000)].count(True) == 5
    assert len(limit._seen["one"]) == 5
    assert sys.getsizeof(limit._seen) < 2**20


# --- behind a proxy ---


@contextmanager
def behind(store: Store, proxies: list[str], base: str = "") -> Iterator[Running]:
    """The server as the command runs it."""
    app = make_app(store, Limits(joins=2), base=base)
    with served(store, app, config_of(app, proxies)) as site:
        yield site


def join_codes(site: Running, *forwarded: str) -> list[int]:
    """What becomes of people who join, with a header each."""
    project = site.store.projects()[0]
    codes = []
    for word in forwarded:
        with Person(site) as one:
            one.client.headers["X-Forwarded-For"] = word
            codes.append(one.join(project).status_code)
    return codes


def test_whoever_has_no_proxy_believes_no_header(lite: Store) -> None:
    make_project(lite, 3)
    with behind(lite, []) as site:
        assert join_codes(site, "10.0.0.1", "10.0.0.2", "10.0.0.3") == [200, 200, 429]
        with Person(site) as ann:
            ann.client.headers["X-Forwarded-Proto"] = "https"
            page = ann.open("/admin/login")
            assert "secure" not in page.headers["set-cookie"].lower()


def test_a_proxy_tells_addresses_apart_and_browsers_cannot_forge_them(lite: Store) -> None:
    make_project(lite, 3)
    with behind(lite, ["127.0.0.1"]) as site:
        assert join_codes(site, *(f"10.0.0.{i}" for i in range(4))) == [200] * 4
        # what a browser wrote stands before what the proxy added
        forged = [f"192.0.2.{i}, 10.9.9.9" for i in range(4)]
        assert join_codes(site, *forged) == [200, 200, 429, 429]


def test_a_household_has_one_address_of_ipv6(lite: Store) -> None:
    make_project(lite, 3)
    with behind(lite, ["127.0.0.1"]) as site:
        same = [f"2001:db8:1:2::{i:x}" for i in range(4)]
        assert join_codes(site, *same, "2001:db8:1:3::1") == [200, 200, 429, 429, 200]
        mapped = [f"::ffff:10.1.1.{i}" for i in range(3)]  # IPv4 in the clothes of IPv6
        assert join_codes(site, *mapped) == [200] * 3


def test_another_machine_is_no_proxy(lite: Store) -> None:
    make_project(lite, 3)
    with behind(lite, ["10.0.0.2", "10.1.0.0/16"]) as site:
        assert join_codes(site, "10.0.0.1", "10.0.0.3", "10.0.0.4") == [200, 200, 429]


@pytest.mark.parametrize("wrong", ["proxy.example.org", "10.0.0.1/8", "", "*"])
def test_what_is_no_address_is_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match="--proxy"):
        check_proxies([wrong])


@pytest.mark.parametrize("how", ["address", "header"])
def test_cookies_are_secure_behind_tls(lite: Store, how: str) -> None:
    base = "https://judge.example.org" if how == "address" else ""
    with behind(lite, ["127.0.0.1"], base) as site, Person(site) as ann:
        if how == "header":
            ann.client.headers["X-Forwarded-Proto"] = "https"
        cookie = ann.open("/admin/login").headers["set-cookie"]
        for flag in ("Secure", "HttpOnly", "SameSite=lax", "Path=/"):
            assert flag in cookie


def test_a_forged_host_makes_no_link_where_the_address_is_known(lite: Store) -> None:
    project = make_project(lite, 3)
    user = lite.add_user("ada", PASSWORD)
    with behind(lite, ["127.0.0.1"], "https://judge.example.org") as site, Person(site) as ada:
        cookie = f"{SESSION}={site.site.tokens.session(user)}"  # secure: no client sends it here
        headers = {"Host": "evil.example", "Cookie": cookie}
        page = ada.client.get(f"/admin/projects/{project.id}", headers=headers)
        assert "https://judge.example.org/j/" in page.text
        assert "evil.example" not in page.text


# --- ways out of the site ---


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "//evil.example",
        "data:text/html,x",
        "/admin",
        "ftp://x",
        " https://x",
    ],
)
def test_a_completion_address_leads_to_the_web_and_nowhere_else(lite: Store, address: str) -> None:
    with pytest.raises(JuryboxError, match="--completion-url must begin with"):
        lite.create_project(Settings("study", completion_url=address))


def test_nothing_in_a_completion_address_ends_the_header_or_the_page(site: Running) -> None:
    address = 'https://example.org/?a="><script>alert(7)</script>\r\nSet-Cookie: evil=1; url=//x'
    project = make_project(site.store, 1, completion_url=address)
    with Person(site) as ann:
        ann.join(project)
        page = ann.judge(project)
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "evil" not in page.headers.get("set-cookie", "")
        refresh = page.headers["refresh"]
        assert refresh.startswith("3; url=https://example.org/?a=%22%3E%3Cscript")
        assert not re.search(r"[\r\n\"<>]", refresh)
        (link,) = (one for one in parse(page).links if "example.org" in one)
        assert link.startswith("https://example.org/")


@pytest.mark.parametrize("query", ["?next=//evil.example", "?after=//evil", "?url=https://evil"])
def test_no_page_sends_people_where_an_address_says(site: Running, query: str) -> None:
    project = make_project(site.store, 1)
    site.store.add_user("ada", PASSWORD)
    with Person(site) as ann:
        for path in ("/admin/login", "/admin", "/", "/work", "/adjudicate", site.link(project)):
            page = ann.client.get(path + query, follow_redirects=False)
            assert "evil" not in page.headers.get("location", "")
        ann.open("/admin/login" + query)
        page = ann.client.post(
            "/admin/login" + query,
            data={**ann.fields(), "name": "ada", "password": PASSWORD},
            follow_redirects=False,
        )
        assert page.headers["location"] == "/admin"
        for path in ("//evil.example", "//evil.example/%2e%2e", "/\\evil.example"):
            page = ann.client.get(site.base + path, follow_redirects=False)
            assert "location" not in page.headers or page.headers["location"].startswith("/admin")


# --- names of files ---


@given(st.text(max_size=60))
def test_any_name_of_a_project_is_a_name_of_a_file_in_no_folder(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]+", file_name(name))


def test_downloads_are_called_by_plain_names(site: Running) -> None:
    with pytest.raises(JuryboxError, match="a slash in it"):
        Settings("../../etc/passwd")
    wicked = '..\\..\\passwd"; x=\u2028é'
    project = make_project(site.store, 2, name=wicked)
    judge(site.store, site.store.join(project.id, pseudonym="../../x").id)
    with Person(site) as ada:
        ada.log_in()
        links = parse(ada.open(f"/admin/projects/{project.id}")).links
        links += [f"{site.base}/admin/projects/{project.id}/label-studio.json"]
        named = []
        for link in links:
            answer = ada.client.get(link)
            if "content-disposition" in answer.headers:
                named.append(answer.headers["content-disposition"])
                assert re.fullmatch(r'attachment; filename="[\w-]+\.\w+"', named[-1])
        assert len(named) >= 3
        for form in ("../secret", "..%2f..%2fsecret", "csv%00", "csv/../../x", "py"):
            path = f"/admin/projects/{project.id}/judgments.{form}"
            assert ada.open(path).status_code == 404, form


def test_no_file_in_a_zip_leads_out_of_its_folder(site: Running) -> None:
    store = site.store
    project = store.create_project(Settings("..\\..\\essays", Task.CORRECT))
    store.add_cases(project.id, [NewCase("../../../evil", "He go home .")])
    rater = store.join(project.id, pseudonym="../../rater").id
    handed = hand(store, rater)
    edits = (EssayCorrection(0, 1, 2, "goes", "SVA"),)
    store.answer(rater, handed.token, SubmittedAnswer("", edits=edits), "k")
    with Person(site) as ada:
        ada.log_in()
        answer = ada.open(f"/admin/projects/{project.id}/edits.zip?names=own")
        names = zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
        assert names
        for name in names:
            assert not name.startswith("/")
            assert ".." not in re.split(r"[/\\]", name)


# --- what every answer carries ---


def test_every_answer_has_the_headers_whatever_it_is(site: Running) -> None:
    project = make_project(site.store, 2)
    with Person(site) as ada:
        ada.log_in()
        asked = ["/", "/nothing", "/admin", "/static/style.css", "/static/none", "/r/9/case"]
        asked += [f"/admin/projects/{project.id}/judgments.csv", site.link(project), "/j/x"]
        asked += ["/api/v1/openapi.json", "/api/v1/projects", "/api/v1/none"]
        answers = [ada.client.get(path, follow_redirects=False) for path in asked]
        answers += [ada.client.request(method, "/admin") for method in ("PUT", "DELETE", "TRACE")]
        answers.append(ada.client.post("/admin/login", content=b"x" * 2 * LARGEST_FORM))
        for answer in answers:
            for name in HEADERS:
                if name != "Content-Security-Policy":  # the API's own page has one of its own
                    assert name in answer.headers, (answer.url, name)
            assert "content-security-policy" in answer.headers, answer.url
            assert "server" not in answer.headers
            assert "unsafe-inline" not in answer.headers["content-security-policy"], answer.url
