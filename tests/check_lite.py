"""Runs notebooks in the browser's own Python and compares their texts: `python3 course.py lite --check [NOTEBOOK ...]`

JupyterLab in the browser is written anew and opened in Chromium, from which nothing but this machine can be reached.
Every notebook runs from its first cell to its last; what it writes must be what is stored in it, to the character, but
for the size of rounding errors.
"""

import contextlib
import difflib
import functools
import http.server
import re
import sys
import tempfile
import threading
import time
from pathlib import Path

import nbformat

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]
import browser  # noqa: E402

from publish import lite  # noqa: E402
from publish.site import all_notebooks  # noqa: E402

CUT_OFF = [  # names are not found, and numbers lead to a proxy that is not there
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--proxy-server=127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>;127.0.0.1",
]
NEEDS_DASK = re.compile(r"\bda\b")  # cells of notebook 15; Dask is not in the browser
OWN = re.compile(r"(?<= at 0x)[0-9a-f]+|(?<=off by at most )[\d.e-]+")  # to a run: addresses, sizes of rounding errors


@contextlib.contextmanager
def served(folder):
    """-> the address of a notebook in this folder's lab, with {} for its name."""
    handler = functools.partial(lite.Handler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/lab/index.html?path={{}}"
        server.shutdown()


def texts(cell):
    """What a cell has written, beside pictures."""
    for output in cell.get("outputs", []):
        text = output.get("text") or output.get("data", {}).get("text/plain") or "\n".join(output.get("traceback", []))
        if text:
            yield output.get("name", output["output_type"]), OWN.sub("...", text)


def merged(cell):
    """The same with the pieces of a stream in one."""
    found = {}
    for i, (kind, text) in enumerate(texts(cell)):
        key = kind if kind in ("stdout", "stderr") else i
        found[key] = found.get(key, "") + text
    return list(found.values())


def differences(stored, found):
    """The lines of each cell that wrote something else."""
    for i, (before, after) in enumerate(zip(stored["cells"], found["cells"], strict=True)):
        if before["cell_type"] == "code" and not NEEDS_DASK.search(before["source"]):
            expected, got = ("\n".join(merged(cell)).splitlines() for cell in (before, after))
            if expected != got:
                lines = [line for line in difflib.ndiff(expected, got) if line[0] in "-+"]
                yield "\n    ".join([f"cell {i}, stored (-) and written (+):", *lines])


def run(page, address, name):
    """The notebook after a run of all its cells."""
    browser.open_notebook(page, address, name)
    browser.command(page, "notebook:run-all-cells")
    return page.evaluate("() => jupyterapp.shell.currentWidget.context.model.toJSON()")


def main(names):
    paths = [Path(name).resolve() for name in names] or all_notebooks()
    if not browser.find_chromium():
        sys.exit("Chromium or Chrome is needed: install it (`apt install chromium`) and start again.")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        lite.build(Path(folder) / "lite")
        with served(Path(folder) / "lite") as address:
            for i, path in enumerate(paths, 1):
                began = time.monotonic()
                with browser.chromium_page(1280, 900, *CUT_OFF) as page:
                    found = run(page, address, path.relative_to(lite.course.ORIGINALS).as_posix())
                bad = list(differences(nbformat.read(path, 4), found))
                failed += len(bad)
                how = f"{len(bad)} cells differ" if bad else "every text as stored"
                print(f"[{i}/{len(paths)}] {path.stem}: {how} ({time.monotonic() - began:.0f} s)", *bad, sep="\n  ")
                sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
