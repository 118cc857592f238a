"""JupyterLab and Chromium for the tests and benchmarks that need a real browser."""

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
from playwright.sync_api import sync_playwright

PROJECT = Path(__file__).resolve().parent.parent
PATIENCE = 180  # seconds: the machine may be busy
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)
SETTINGS = {  # no pop-up about news, all cells in the page
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
}


def find_chromium():
    """Path of the system's Chromium or Chrome; None where there is none or KMLAB_NO_BROWSER is set."""
    if os.environ.get("KMLAB_NO_BROWSER"):
        return None
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    return next(filter(None, map(shutil.which, names)), None)


def write_notebook(path, *sources):
    """A notebook with these code cells."""
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(notebook, path)
    return path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def jupyterlab(folder, home, theme="JupyterLab Light"):
    """A JupyterLab on folder with settings of its own in home; -> its address, with {} for a notebook's name."""
    port, token = free_port(), secrets.token_hex(16)
    for name, values in (SETTINGS | {"apputils-extension/themes": {"theme": theme}}).items():
        file = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    environment = os.environ | {name: str(home / place) for name, place in places.items()}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(PROJECT), os.environ.get("PYTHONPATH"))))
    with (home / "server.log").open("w") as log:
        server = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "jupyterlab",
                "--ServerApp.jpserver_extensions=notebook=True",
                "--ServerApp.kernel_websocket_connection_class=kmlab.server.PromptConnection",
                "--no-browser",
                "--allow-root",
                "--ServerApp.ip=127.0.0.1",
                f"--ServerApp.port={port}",
                "--ServerApp.port_retries=0",
                f"--IdentityProvider.token={token}",
                f"--ServerApp.root_dir={folder}",
                "--LabApp.expose_app_in_browser=True",
                "--JupyterNotebookApp.expose_app_in_browser=True",
                f"--LabApp.extra_labextensions_path={PROJECT / 'kmlab/show/labextensions'}",
                f"--JupyterNotebookApp.extra_labextensions_path={PROJECT / 'kmlab/show/labextensions'}",
            ],
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        wait_for(f"http://127.0.0.1:{port}/api/status?token={token}", server, home / "server.log")
        yield f"http://127.0.0.1:{port}/lab/tree/{{}}?token={token}"
    finally:
        server.send_signal(signal.SIGTERM)  # it ends its kernels itself
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)


def wait_for(address, server, log):
    for _ in range(10 * PATIENCE):
        if server.poll() is not None:
            raise RuntimeError(f"JupyterLab stopped before it was ready: {log.read_text()[-2000:]}")
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"JupyterLab was not ready after {PATIENCE} seconds: {log.read_text()[-2000:]}")


@contextlib.contextmanager
def chromium_page(width=1280, height=720, *options):
    """One empty page of a headless Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=[*QUIET, "--headless=new", *options])
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(1000 * PATIENCE)
        yield page
        browser.close()


def open_notebook(page, address, name):
    """Opens the notebook and waits until it is on screen with its kernel ready."""
    page.goto(address.format(name))
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.content?.widgets?.length > 0")
    page.evaluate(
        "async () => { const panel = jupyterapp.shell.currentWidget; await panel.context.ready;"
        " await panel.sessionContext.ready; await panel.sessionContext.session?.kernel?.info; }"
    )


def command(page, name):
    """Runs a command of JupyterLab to its end."""
    page.evaluate("name => jupyterapp.commands.execute(name).then(() => null)", name)
