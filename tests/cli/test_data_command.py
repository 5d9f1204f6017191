"""`jurybox data` on the command line."""

from __future__ import annotations

import csv
import io
import json
from hashlib import sha256
from pathlib import Path

import pytest

from calling import Call
from jurybox import data as data_sets
from jurybox.data.result import DataFile, DataSet

TEXT = b"He goes .\nSo .\n"


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A catalogue with one set of our own, and a copy of it in the folder `mine`."""
    files = (
        DataFile("a.txt", ("https://127.0.0.1:1/a.txt",), sha256=sha256(TEXT).hexdigest()),
        DataFile("b.txt", ("https://127.0.0.1:1/b.txt",), sentences=2),
    )
    found = DataSet("tiny", "Tiny", "two sentences", "https://127.0.0.1:1", "ours", "We", files)
    monkeypatch.setattr(data_sets, "read_catalogue", lambda: {"tiny": found})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "renamed").write_bytes(TEXT)
    (tmp_path / "mine" / "b.txt").write_bytes(TEXT)
    return tmp_path


def test_every_set_is_listed_with_its_licence(call: Call) -> None:
    code, out, err = call("data", "list")
    assert (code, err) == (0, "")
    for name, found in data_sets.read_catalogue().items():
        assert any(
            line.split()[0] == name and line.endswith(found.licence)
            for line in out.splitlines()
            if line
        ), name


def test_one_set_is_told_with_address_citation_and_checksums(call: Call) -> None:
    out = call("data", "list", "conll14")[1]
    found = data_sets.read_catalogue()["conll14"]
    for told in (found.home, found.citation, found.licence, found.files[0].addresses[0]):
        assert told in out
    assert all((file.sha256 or "")[:12] in out for file in found.files)


def test_json_and_csv_hold_every_set(call: Call) -> None:
    record = json.loads(call("data", "list", "--format", "json")[1])
    names = [one["name"] for one in record["sets"]]
    assert names == list(data_sets.read_catalogue())
    rows = list(csv.DictReader(io.StringIO(call("data", "list", "--format", "csv")[1])))
    assert {row["name"] for row in rows} == {*names}


def test_a_copy_is_checked_and_put_in_a_folder_of_the_sets_name(call: Call, tiny: Path) -> None:
    code, out, err = call("data", "get", "tiny", "--from", "mine")
    assert (code, err) == (0, "")
    assert (tiny / "tiny" / "a.txt").read_bytes() == TEXT
    assert (tiny / "tiny" / "b.txt").read_bytes() == TEXT
    assert "SHA-256" in out
    assert "cite: We" in out
    code, out, _ = call("data", "get", "tiny")  # nothing has to be loaded any more
    assert code == 0
    assert out.count("there already") == 2


def test_where_nothing_can_be_loaded_the_way_out_is_told(call: Call, tiny: Path) -> None:
    code, _, err = call("data", "get", "tiny", "-o", "elsewhere")
    assert code == 1
    assert "https://127.0.0.1:1/a.txt" in err
    assert "jurybox data get tiny --from FILE" in err
    assert not (tiny / "elsewhere").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (["tinny"], 2, "did you mean 'tiny'?"),
        (["tiny", "--from", "nowhere"], 1, "nowhere: cannot be read"),
        (["tiny", "--from", "mine/b.txt", "-o", "mine/b.txt"], 2, "is a file; name a folder"),
        (["tiny", "--from", "mine", "--format", "xml"], 2, "xml"),
        ([], 2, "NAME"),
    ],
)
@pytest.mark.usefixtures("tiny")
def test_mistakes_end_with_their_code_and_say_what_to_do(
    call: Call, arguments: list[str], code: int, why: str
) -> None:
    found, _, err = call("data", "get", *arguments)
    assert found == code
    assert why in err


def test_another_task_is_refused_with_those_there_are(call: Call) -> None:
    code, _, err = call("data", "lisst")
    assert code == 2
    assert "list, get" in err or "did you mean" in err
