"""Write the JSON Schemas of all results from their types: run it after a result has changed.

python tools/schemas.py            writes src/jurybox/schemas/*.json
python tools/schemas.py --check    writes nothing; exit code 1 if one is not current
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from jurybox.records import schema  # noqa: E402
from jurybox.saved_results import HOMES, REPORTS, result_kind  # noqa: E402
from jurybox.score.saved_counts import CountsFile  # noqa: E402

FOLDER = ROOT / "src" / "jurybox" / "schemas"


def main() -> None:
    stale = []
    found = {
        name: result_kind(name).schema() for name, home in (HOMES | REPORTS).items() if ":" in home
    }
    found["counts"] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:jurybox:schema:counts:1",
        "title": "What jurybox score --save-counts writes",
        **schema(CountsFile),
    }
    for command, described in found.items():
        path = FOLDER / f"{command}-1.json"
        text = json.dumps(described, ensure_ascii=False, indent=2) + "\n"
        if not path.exists() or path.read_text("utf-8") != text:
            stale.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(text, "utf-8")
    print("not current:" if "--check" in sys.argv else "written:", ", ".join(stale) or "none")
    sys.exit(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    main()
