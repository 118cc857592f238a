"""Live pages: what `python3 course.py site --live` puts beside the pages, so that their pictures and exercises answer.

    start.js     in the page: starts the next, unless the page comes from disk
    page.js      in the page: controls before and after the start, the loading bar, exercises
    worker.js    beside it: Pyodide, and the messages between the page and
    inside.py    in Pyodide: the notebook's cells, as far as something needs them, on the same kmlab as everywhere
    touch.js     the front end of the notebooks, as it is, which draws the pictures

Python and its packages go into archives of ours: only what the notebooks use, compiled. What was left out follows in a
second archive if a reader's own code asks for it. Names change with the content, so that a browser can keep them.
"""

import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from .. import pyodide

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
STATIC = ROOT / "kmlab/show/labextensions/kmlab/static"
AT_ONCE = ["numpy", "scipy", "matplotlib", "pillow", "threadpoolctl"]
LATER = ["scikit-learn"]  # a cell of notebook 10, and whoever writes it
MPL = "matplotlib/"
DATA = MPL + "fontlist.json", MPL + "mpl-data/matplotlibrc", MPL + "mpl-data/fonts/ttf/DejaVu", "scipy.libs/"
PARTS = "python", "kmlab", "rest", "stdlib", "wasm"
FORMAT = 3  # of the archives: another one when they are made in another way
OURS, SHARED = ("start.js", "page.js", "worker.js", "live.css"), ("touch.js", "views.css")  # these with JupyterLab
INSIDE = HERE / "inside.py"
FRONT = [*(HERE / name for name in OURS), *(STATIC / name for name in SHARED)]
NOBODYS = "/tests/", ".dist-info/", "inside.py"  # is in no archive
NO_NODE = "Live pages are compiled with Node.js, which is not on this machine: install it (nodejs.org) and start again."


def find_node():
    """Node.js of this machine, or the one that playwright brings for the tests."""
    if found := shutil.which("node"):
        return found
    try:
        from playwright._impl._driver import compute_driver_executable
    except ImportError:
        sys.exit(NO_NODE)
    return str(compute_driver_executable()[0])


def files():
    """{name: path}; ConnectionError says in a sentence that they cannot be had."""
    return pyodide.files(AT_ONCE + LATER)


def controls_and_frames(notebooks, folder, views, progress):
    """{notebook's name: {"views": {cell: its controls}, "frames": {cell: [(file, words), ...]}}}"""
    command = [sys.executable, "-m", "publish.live.before", str(folder.resolve()), *map(str, notebooks)]
    found, seen, text = [], 0, ""
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") as process:
        while piece := process.stdout.read(1):
            if piece == ".":
                seen += 1
                progress(seen, views, "drawing frames and controls")
            else:
                text = piece + process.stdout.readline()
                found.append(json.loads(text))
    if process.returncode:
        raise RuntimeError("The notebooks' views could not be made; what went wrong stands above.")
    return {path.stem: each for path, each in zip(notebooks, found, strict=True)}


# ---- archives


def pack(files):
    """{path: bytes} as one compressed stream, which a browser opens without help: index, contents."""
    index = json.dumps([[name, len(content)] for name, content in files.items()]).encode()
    return gzip.compress(b"".join([len(index).to_bytes(4, "little"), index, *files.values()]), 9, mtime=0)


def archives(notebooks, progress):
    """{part: bytes}; made once for the same notebooks and the same kmlab."""
    found = files()
    sources = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sorted((ROOT / "kmlab").rglob("*"))
               if path.is_file() and path.suffix not in (".pyc", ".js", ".css", ".orig")}  # fmt: skip
    asked, pinned = json.dumps(notebooks).encode(), repr((FORMAT, sorted(pyodide.digests().items()))).encode()
    key = hashlib.sha256(b"\0".join([asked, pinned, *sources.values()]))
    kept = pyodide.cache() / f"live-{key.hexdigest()[:16]}"
    if not kept.is_dir():
        with tempfile.TemporaryDirectory() as scratch:
            print("Compiling what the notebooks use of Python and its packages: two to four minutes, once.", flush=True)
            made = compiled(found, sources, asked, Path(scratch), progress)
            print()
            part = Path(tempfile.mkdtemp(dir=pyodide.cache()))
            for name, content in made.items():
                (part / name).write_bytes(content)
            if not kept.is_dir():
                os.replace(part, kept)
    return {path.name: path.read_bytes() for path in kept.iterdir()}


def compiled(found, sources, asked, scratch, progress):
    done, of = 0, len(json.loads(asked)) + len(PARTS)
    progress(done, of, "Pyodide starts")
    packages, stdlib = scratch / "packages", scratch / "stdlib"
    for name, path in found.items():
        if name.endswith(".whl"):
            zipfile.ZipFile(path).extractall(packages)
    for name, content in (sources | {"inside.py": INSIDE.read_bytes()}).items():
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).write_bytes(content)
    zipfile.ZipFile(found["python_stdlib.zip"]).extractall(stdlib)
    (scratch / "notebooks.json").write_bytes(asked)
    places = [found["pyodide.mjs"].parent, packages, stdlib, scratch / "notebooks.json", scratch / "used.json"]
    command = [find_node(), HERE / "compile.mjs", *places]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8") as node:
        for line in node.stdout:  # one for each notebook
            done += 1
            progress(done, of, line.strip())
    if node.returncode:
        raise RuntimeError("The notebooks could not be run in Pyodide; what went wrong stands above.")
    report = json.loads((scratch / "used.json").read_bytes())
    used = set(report["files"])
    every = {path.relative_to(packages).as_posix(): path for path in sorted(packages.rglob("*")) if path.is_file()}
    python, kmlab, rest = {}, {}, {}
    for name, path in every.items():
        cached = path.with_name("__pycache__") / f"{path.stem}.cpython-314.pyc"
        if name in sources:  # whose source can be shown
            kmlab[name] = path.read_bytes()
            if cached.exists():
                kmlab[cached.relative_to(packages).as_posix()] = never_looked_at_again(cached)
        elif name in used and path.suffix == ".py":
            python[name + "c"] = never_looked_at_again(cached)
        elif name in used or name.startswith(DATA):
            python[name] = of_our_fonts(path.read_bytes()) if name == DATA[0] else path.read_bytes()
        elif path.suffix != ".pyc" and not any(part in name for part in NOBODYS):
            rest[name] = path.read_bytes()
    modules = {name.split(".")[0].removesuffix("/__init__").replace("/", ".") for name in rest}
    python["rest.json"] = json.dumps(sorted(modules - set(report["missing"]))).encode()
    wasm = found["pyodide.asm.wasm"].read_bytes()
    packed = {}
    for name, content in zip(PARTS, (python, kmlab, rest, zipped(stdlib), wasm), strict=True):
        progress(done + len(packed), of, f"packing: {name}")
        packed[name] = pack(content) if isinstance(content, dict) else gzip.compress(content, 9, mtime=0)
    progress(of, of, "packed")
    return packed


def of_our_fonts(listed):
    """matplotlib's list of fonts without those that stay away: looking for one, it would read all fonts anew."""
    known = json.loads(listed)
    ours = [font for font in known["ttflist"] if (MPL + "mpl-data/" + font["fname"]).startswith(DATA)]
    return json.dumps(known | {"ttflist": ours, "afmlist": []}).encode()


def never_looked_at_again(path):
    """A .pyc that is taken as it is, whatever its source says."""
    content = path.read_bytes()
    return content[:4] + (1).to_bytes(4, "little") + bytes(8) + content[16:]  # PEP 552: a hash that nobody checks


def zipped(stdlib):
    """Python's own library, as far as it is used compiled; not compressed, because the whole is."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(path for path in stdlib.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            compiled, name = path.with_suffix(".pyc"), path.relative_to(stdlib).as_posix()
            if compiled.exists():
                archive.writestr(name + "c", never_looked_at_again(compiled))
            else:
                archive.writestr(name, path.read_bytes())
    return out.getvalue()


# ---- into the site


def write(folder, notebooks, progress):
    """Puts all that live pages share into folder/live; -> what a page has to know of it."""
    place = folder / "live"
    place.mkdir()
    front = hashlib.sha256(b"".join(path.read_bytes() for path in FRONT)).hexdigest()[:12]
    (place / front).mkdir()
    for path in FRONT:
        shutil.copy(path, place / front)
    found, written = files(), {}
    # as data, since a web server may run what is called .py
    for name, content in (archives(notebooks, progress) | {"inside": INSIDE.read_bytes()}).items():
        file = f"{name}-{hashlib.sha256(content).hexdigest()[:12]}.bin"
        (place / file).write_bytes(content)
        written[name] = file, len(content)
    for name in ("pyodide.mjs", "pyodide.asm.mjs"):
        content = found[name].read_bytes()
        file = f"{hashlib.sha256(content).hexdigest()[:12]}-{name}"
        (place / file).write_bytes(content)
        written[name] = file, len(content)
    size = sum(size for name, (_, size) in written.items() if name != "rest")
    return {
        "front": front,
        "files": written,
        "size": size,
        "info": pyodide.PINNED["info"] | {"version": pyodide.VERSION},
    }
