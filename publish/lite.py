"""JupyterLab in the browser, with the course in it: `python3 course.py lite` writes lite/, for any web server.

Notebooks, homework and kmlab run in the reader's own browser, in Pyodide; no address outside is asked.
"""

import argparse
import contextlib
import functools
import hashlib
import http.server
import shutil
import subprocess
import sys
import tempfile
import tomllib
import webbrowser
import zipfile
from pathlib import Path

import nbformat

import course
from kmlab import __version__

from . import pyodide
from .site import all_notebooks

FOLDER = course.ROOT / "lite"
FIXED = (2026, 1, 1, 0, 0, 0)  # of every file in the wheel, so that equal wheels are equal
PORT = 8017  # always the same: a browser keeps work by address, and another port is another address
LAB_EXTENSIONS = Path(sys.prefix) / "share/jupyter/labextensions"
KERNEL = "@jupyterlite/pyodide-kernel-extension"
EXTENSIONS = [
    *(LAB_EXTENSIONS / name for name in (KERNEL, "@jupyter-widgets/jupyterlab-manager", "anywidget")),
    course.LAB_EXTENSIONS / "kmlab",
]
BANNER = Path(__file__).with_name("lite.js")
# beside what kmlab needs: the kernel asks for these before the first cell, notebook 10 for the last one
AT_START = ["micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython", "kmlab", "scikit-learn"]
KERNEL_NEEDS = {
    "ipykernel": [],
    "piplite": ["micropip"],
    "pyodide-kernel": ["comm", "ipython"],
    "widgetsnbextension": [],
}
KMLAB_NEEDS = ["anywidget", "ipywidgets", "matplotlib", "numpy", "scipy", "threadpoolctl"]
PYTHON = {
    "pyodideUrl": "./static/pyodide/pyodide.mjs",
    "disablePyPIFallback": True,
    "loadPyodideOptions": {"lockFileURL": "./static/pyodide/pyodide-lock.json", "packages": AT_START},
}
SITE = {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {
        "appName": "Kernel methods, running",
        "exposeAppInBrowser": True,  # for tests
        "litePluginSettings": {f"{KERNEL}:kernel": PYTHON},
    },
}


def build(folder=FOLDER):
    """Write the folder anew."""
    files = pyodide.files()
    course.say(f"Putting JupyterLab, the course and the browser's Python together in {folder} (some seconds).")
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        for path in all_notebooks():
            # read by nbformat, which joins the lines of texts: a server would, and here is none
            course.write(place / "files" / path.relative_to(course.ORIGINALS), nbformat.read(path, as_version=4))
        wheels = place / "static/pyodide"
        wheels.mkdir(parents=True)
        for path in [*files.values(), *kernel_wheels().values()]:
            shutil.copy(path, wheels)
        course.write(wheels / "pyodide-lock.json", lock(pack(wheels)))
        made = place / "kmlab-lite"
        course.write(made / "package.json", package())
        course.write(made / "static/lite.js", BANNER.read_bytes())
        course.write(place / "jupyter-lite.json", SITE)
        course.write(place / "overrides.json", course.LAB_SETTINGS)
        course.write(place / "jupyter_lite_config.json", config([*EXTENSIONS, made]))
        whole = place / "_output"
        jupyter_lite(place, whole)
        (whole / "licences.txt").write_text(licences(), encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)  # the last one stays until the next one is whole
        shutil.move(whole, folder)
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    course.say(f"{len(sizes)} files, {sum(sizes) / 1e6:.0f} MB, for any web server; whose they are: licences.txt.")


def kernel_wheels():
    """package -> its wheel, of those that the kernel brings."""
    folder = LAB_EXTENSIONS / KERNEL / "static/pypi"
    found = {name: sorted(folder.glob(f"{name.replace('-', '_')}-*.whl")) for name in KERNEL_NEEDS}
    return {name: paths[-1] for name, paths in found.items()}


def pack(folder):
    """The wheel of this checkout's kmlab, with what a notebook asks of its metadata."""
    paths = (path for path in (course.ROOT / "kmlab").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    inside = {path.relative_to(course.ROOT).as_posix(): path.read_bytes() for path in sorted(paths)}
    facts = project()
    stem, lab = f"kmlab-{__version__}", facts["optional-dependencies"]["lab"]
    about = ["Metadata-Version: 2.4", "Name: kmlab", f"Version: {__version__}", "Provides-Extra: lab"]
    about += [f"Requires-Dist: {line}" for line in facts["dependencies"]]
    about += [f'Requires-Dist: {line}; extra == "lab"' for line in lab]
    inside[f"{stem}.dist-info/METADATA"] = "\n".join(about)
    inside[f"{stem}.dist-info/WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    inside[f"{stem}.dist-info/RECORD"] = "".join(f"{name},,\n" for name in inside)
    made = folder / "kmlab.whl"
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in inside.items():
            archive.writestr(zipfile.ZipInfo(name, FIXED), content, zipfile.ZIP_DEFLATED)
    build = hashlib.sha256(made.read_bytes()).hexdigest()[:8]  # in its name, so that a browser may keep what it has
    return made.rename(folder / f"{stem}-0{build}-py3-none-any.whl")


def project():
    return tomllib.loads((course.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def lock(kmlab):
    """The pyodide-lock.json of all that lies beside it."""
    needs = {name: (path, KERNEL_NEEDS[name]) for name, path in kernel_wheels().items()}
    more = {
        name: pyodide.locked(
            name, path.name, hashlib.sha256(path.read_bytes()).hexdigest(), [name.replace("-", "_")], depends
        )
        for name, (path, depends) in (needs | {"kmlab": (kmlab, KMLAB_NEEDS)}).items()
    }
    known = pyodide.lock()
    return known | {"packages": known["packages"] | more}


def config(extensions):
    """What jupyterlite is to put together, whatever else this environment holds."""
    return {
        "LiteBuildConfig": {
            "apps": ["lab"],
            "contents": ["files"],
            "federated_extensions": [str(path) for path in extensions],
            "ignore_sys_prefix": ["federated_extensions"],
            "no_sourcemaps": True,
        }
    }


def package():
    """The banner as JupyterLab's extension."""
    about = {"extension": True, "_build": {"load": "static/lite.js", "extension": "./extension"}}
    return {"name": "kmlab-lite", "version": "1.0.0", "jupyterlab": about}


def jupyter_lite(place, folder):
    command = [sys.executable, "-c", "from jupyterlite_core.app import main; main()", "build", "--output-dir", folder]
    made = subprocess.run(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        sys.exit(
            "\n".join(made.stdout.splitlines()[-20:]) + "\nJupyterLite could not put the folder together: see above."
        )


def licences():
    """Whose work the folder holds, and on which terms: a list, then the texts."""
    about = project()
    text = "\n\n".join((course.ROOT / name).read_text(encoding="utf-8") for name in about["license-files"])
    found = [pyodide.Licence("kmlab", __version__, about["license"], text), *pyodide.licences()]
    found += [pyodide.licence(path) for path in kernel_wheels().values()]
    lines = [f"{one.name} {one.version}".strip() + f": {one.licence}" for one in found]
    lines += ["JupyterLab and JupyterLite: BSD-3-Clause; what they are made of:"]
    lines += ["third-party-licenses.json in build/ and in extensions/*/*/static/"]
    texts = [f"---- {one.name} {one.version}\n\n{one.text}" for one in found if one.text]
    return "\n".join(lines) + "\n\n\n" + "\n\n\n".join(texts)


class Handler(http.server.SimpleHTTPRequestHandler):
    """With the types that browsers insist on, whatever this machine's tables say; what changes is seen at once."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".json": "application/json",
    }

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_):
        pass


def serve(folder, port=PORT, browser=True):
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=folder))
    except OSError:
        sys.exit(
            f"Port {port} is taken: end what uses it (another `course.py lite --serve`?), or give another with --port, "
            "under which your browser does not find the work that it keeps for this one."
        )
    address = f"http://127.0.0.1:{server.server_port}/"
    course.say(f"{address} has JupyterLab in the browser; Ctrl-C here ends it.")
    if browser:
        webbrowser.open(address)
    with server, contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()


def main(args=None):
    parser = argparse.ArgumentParser("python3 course.py lite", description=__doc__.split(":")[0], allow_abbrev=False)
    parser.add_argument("--serve", action="store_true", help="show it on this machine; write it first if it is missing")
    parser.add_argument("--port", type=int, default=PORT, help=f"of --serve ({PORT})")
    parser.add_argument("--no-browser", action="store_true", help="--serve does not open a browser")
    parser.add_argument(
        "--check", action="store_true", help="run all notebooks in it and compare their texts (minutes)"
    )
    options = parser.parse_args(args)
    try:
        if not (options.serve and (FOLDER / "index.html").exists()):
            build()
    except (ConnectionError, ValueError) as error:
        sys.exit(str(error))
    if options.serve:
        serve(FOLDER, options.port, not options.no_browser)


if __name__ == "__main__":
    main()
