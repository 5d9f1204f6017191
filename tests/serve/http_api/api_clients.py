"""People who use the API of a server in this process."""

from __future__ import annotations

from typing import Any

import httpx

from jurybox.serve.guard import Limits
from jurybox.serve.model import Role
from jurybox.serve.store import Store
from serve.running_site import Running

PASSWORD = "correct horse"
#: tests ask more often than people do
OFTEN = Limits(joins=10**6, logins=10**6)


class Caller:
    """Somebody with a token, or without one."""

    def __init__(self, client: httpx.Client, token: str = "") -> None:
        self.client = client
        self.token = token

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= options.pop("headers", {})
        return self.client.request(method, f"/api/v1{path}", headers=headers, **options)

    def get(self, path: str, **options: Any) -> Any:
        return answered(self.ask("GET", path, **options))

    def post(self, path: str, body: Any = None) -> Any:
        return answered(self.ask("POST", path, json=body))

    def put(self, path: str, body: Any) -> Any:
        return answered(self.ask("PUT", path, json=body))

    def patch(self, path: str, body: Any) -> Any:
        return answered(self.ask("PATCH", path, json=body))

    def log_in(self, name: str) -> Caller:
        token = self.post("/tokens", {"name": name, "password": PASSWORD})["token"]
        return Caller(self.client, token)

    def join(self, link: str, **given: Any) -> Caller:
        return Caller(self.client, self.post("/join", {"link": link, **given})["token"])


def answered(response: httpx.Response) -> Any:
    assert response.is_success, response.text
    return response.json()


class World:
    """A server, and everybody who has a password for it."""

    def __init__(self, site: Running, client: httpx.Client) -> None:
        self.site = site
        self.client = client
        self.nobody = Caller(client)
        for name, role in (
            ("ada", Role.ADMIN),
            ("bert", Role.ADJUDICATOR),
            ("cleo", Role.RATER),
        ):
            site.store.add_user(name, PASSWORD, role)

    @property
    def store(self) -> Store:
        return self.site.store

    @property
    def admin(self) -> Caller:
        return self.nobody.log_in("ada")


def make_cases(number: int, **fields: Any) -> list[dict[str, Any]]:
    """Cases with ids and everything else that raters must not see."""
    return [
        {
            "case": f"secret-id-{n}",
            "sentence": f"Number {n} sat at mat .",
            "start": 3,
            "end": 4,
            "written": "at",
            **fields,
        }
        for n in range(number)
    ]


def judge_all(rater: Caller, label: str = "error", **more: Any) -> int:
    """Answer until there is nothing left; how many cases there were."""
    done = 0
    while (turn := rater.get("/rater/case"))["state"] == "case":
        token = turn["case"]["token"]
        said = label if turn["case"]["answers"] else "at"
        rater.post("/rater/answers", {"token": token, "key": token, "label": said, **more})
        done += 1
    return done
