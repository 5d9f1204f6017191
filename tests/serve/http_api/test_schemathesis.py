"""Schemathesis reads the document and asks everything in it, well and badly.

Whoever asks, and whatever they send: no error of the server's, and answers as the document says.
Valid requests may be refused (a schema cannot say that two corrections overlap), so that is no
fault.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from schemathesis import checks
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from jurybox.serve.http_api import PREFIX, make_api
from jurybox.serve.http_api.document import make_document
from jurybox.serve.http_api.document import operations as list_operations
from serve.http_api.api_clients import Caller, World, judge_all, make_cases

ALWAYS = [
    checks.not_a_server_error,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
]
CALLERS = ("nobody", "rater", "adjudicator", "admin")
EXAMPLES = 20
#: of these a body is read whatever it is called, as forms on pages are
FORMS = ("/projects/from-files", "/projects/{number}/files")


class Studied:
    """A server with a project for every task, partly judged, and tokens for everybody."""

    def __init__(self, world: World) -> None:
        admin = world.admin
        self.world = world
        self.projects: list[int] = []
        raters: list[Caller] = []
        for task in ("judge", "judge-extraneous", "judge-trained", "cloze", "choice", "correct"):
            essay = {"sentence": "It are so .\n\nBye .", "start": None, "end": None}
            cases = make_cases(4, second="on", **(essay if task == "correct" else {}))
            body = {"name": task, "task": task, "per_case": 2, "cases": cases}
            project = admin.post("/projects", body)["project"]
            self.projects.append(project["id"])
            raters += [world.nobody.join(project["link"]) for _ in range(2)]
        for rater, label in zip(raters[:2], ("error", "ok"), strict=True):
            judge_all(rater, label)
        self.case = admin.get(f"/projects/{self.projects[0]}/contested")[0]["case"]
        self.ada, _, self.cleo = (one["id"] for one in admin.get("/people"))
        self.rater = admin.get(f"/projects/{self.projects[0]}/raters")[0]["id"]
        self.tokens = [one.get("/rater/case")["case"]["token"] for one in raters[2:]]
        self.callers = {
            "nobody": [world.nobody],
            "rater": raters,
            "adjudicator": [world.nobody.log_in("bert")],
            "admin": [admin],
        }
        self.session = requests.Session()

    def aim(self, case: Any, data: st.DataObject) -> None:
        """Let numbers and tokens be some that there are: most others lead nowhere."""
        known = {"number": st.sampled_from(self.projects), "rater": st.just(self.rater)}
        known |= {"case": st.just(self.case), "user": st.just(self.cleo)}
        for name, number in known.items():
            if name in (case.path_parameters or {}) and data.draw(st.booleans()):
                case.path_parameters[name] = data.draw(number)
        if isinstance(case.body, dict) and "token" in case.body and data.draw(st.booleans()):
            case.body["token"] = data.draw(st.sampled_from(self.tokens))


@cache
def operations() -> list[Any]:
    """Everything in the document. Tokens we send ourselves."""
    document = make_document(make_api(), PREFIX)
    for _, _, operation in list_operations(document):
        operation.pop("security", None)
    schema = schemathesis.openapi.from_dict(document)
    found: list[Any] = list(schema.get_all_operations())
    return [one.ok() for one in found]


@cache
def strategies(mode: GenerationMode) -> list[tuple[Any, Any]]:
    can_be_wrong = [one for one in operations() if one.body or list(one.iter_parameters())]
    asked = can_be_wrong if mode == GenerationMode.NEGATIVE else operations()
    return [(one, one.as_strategy(generation_mode=mode)) for one in asked]


def ask_everything(studied: Studied, who: str, mode: GenerationMode, examples: int) -> int:
    return sum(
        ask_often(studied, operation, strategy, who=who, mode=mode, examples=examples)
        for operation, strategy in strategies(mode)
    )


def ask_often(
    studied: Studied,
    operation: Any,
    strategy: Any,
    *,
    who: str,
    mode: GenerationMode,
    examples: int,
) -> int:
    asked = 0

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def ask(data: st.DataObject) -> None:
        nonlocal asked
        case = data.draw(strategy)
        if mode == GenerationMode.POSITIVE:
            studied.aim(case, data)
        # nobody removes the admin who is asking
        assume((case.path_parameters or {}).get("user") not in (studied.ada, str(studied.ada)))
        caller = data.draw(st.sampled_from(studied.callers[who]))
        headers = {"Authorization": f"Bearer {caller.token}"} if caller.token else {}
        base = f"{studied.world.site.base}/api/v1"
        answer = case.call(base_url=base, session=studied.session, headers=headers, timeout=60)
        assert answer.status_code < 500
        if not str(answer.request.url).startswith(f"{base}/"):
            return  # ".." in the address led to a page
        wanted = list(ALWAYS)
        is_let_in = answer.status_code not in (401, 403, 413)
        if mode == GenerationMode.NEGATIVE and is_let_in and operation.path not in FORMS:
            wanted.append(negative_data_rejection)
        case.validate_response(answer, checks=wanted, headers=headers)
        asked += 1

    ask()
    return asked


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode), ids=["well", "badly"])
@pytest.mark.parametrize("who", CALLERS)
def test_no_request_is_an_error_of_the_server(world: World, who: str, mode: GenerationMode) -> None:
    studied = Studied(world)
    assert len(strategies(mode)) > 25
    assert ask_everything(studied, who, mode, EXAMPLES) > 500
    assert studied.callers["admin"][0].get("/me")["role"] == "admin"
