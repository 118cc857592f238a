"""A class without students: N of them log in with their passwords, run a notebook at once, and try to look around."""

import asyncio
import contextlib
import json
import re
import secrets
import signal
import socket
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

import nbformat
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

import course

from . import hub

PATIENCE = 900
# what a curious student would try; the list must come back empty
LOOK_AROUND = """
import pathlib
import numpy, threadpoolctl
own = pathlib.Path.home()
(own / "mine.txt").write_text("a secret of " + own.name)
seen = sorted(str(p) for p in own.parent.glob("*") if p != own)
seen += [str(p) for p in pathlib.Path({folder!r}).rglob("*") if p.is_file() and own not in p.parents]
for place in (pathlib.Path({root!r}) / "kmlab", pathlib.Path({folder!r}), own.parent):
    try:                                                    # a sandbox may let it, into a folder that nobody else sees
        (place / "left-by-a-student").write_text("x")
    except OSError:
        pass
print("THREADS", max(pool["num_threads"] for pool in threadpoolctl.threadpool_info()))
print("SEEN", seen)
"""


def run(students, trust, notebook="06_kernel_pca.ipynb"):
    """Start a hub of its own, let the class run the notebook, print what it took. -> 0 if all went well."""
    with tempfile.TemporaryDirectory(dir=course.ROOT, prefix=".rehearsal-") as folder:
        folder = Path(folder)
        names = [f"student{i:02}" for i in range(1, students + 1)]
        hub.enrol(names, folder / "passwords.csv")
        port, token = _free_port(), secrets.token_hex(16)
        with (folder / "hub.log").open("w") as log:
            server = hub.start(folder, "127.0.0.1", port, trust, token, stdout=log, stderr=log, start_new_session=True)
        try:
            results = asyncio.run(_rehearse(f"http://127.0.0.1:{port}", token, folder, notebook, server.pid))
        except Exception:
            print("\n".join((folder / "hub.log").read_text().splitlines()[-30:]))
            raise
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(60)
    return _report(results, notebook, trust)


async def _rehearse(address, token, folder, notebook, hub_pid):
    await _until_up(address)
    cells = [cell.source for cell in nbformat.read(course.ORIGINALS / notebook, 4).cells if cell.cell_type == "code"]
    code = LOOK_AROUND.format(folder=str(folder), root=str(course.ROOT))
    both = hub.passwords(folder / "passwords.csv").items()
    started, done = asyncio.Barrier(len(both)), asyncio.Barrier(len(both) + 1)
    names = [name for name, _ in both]
    class_ = [
        asyncio.create_task(_student(address, token, *who, neighbour, cells, code, started, done))
        for who, neighbour in zip(both, names[1:] + names[:1], strict=True)
    ]
    async with asyncio.timeout(PATIENCE):
        await asyncio.wait([asyncio.create_task(done.wait()), *class_], return_when=asyncio.FIRST_COMPLETED)
        memory = _memory(hub_pid)  # all kernels are alive and have done their work
        results = await asyncio.gather(*class_)
    left = [*folder.rglob("left-by-a-student"), *(course.ROOT / "kmlab").glob("left-by-a-student")]
    return results, memory, [f"a student could write {path}" for path in left]


async def _student(address, token, name, password, neighbour, cells, code, started, done):
    """Log in, start the server, run the cells, look around. -> name, seconds to start, to run, errors, what was seen"""
    if not await _login(address, name, password) or await _login(address, name, "guess"):
        raise RuntimeError(f"The password of {name} should open the door, and nothing else should.")
    api, own, begin = f"{address}/hub/api/users/{name}", f"{address}/user/{name}/api", time.monotonic()
    key = json.loads((await _fetch(api + "/tokens", token, method="POST", body="{}")).body)["token"]
    await _fetch(api + "/server", token, method="POST", body="{}")
    while (await _fetch(own + "/status", key)).code != 200:
        await asyncio.sleep(0.5)
    start = time.monotonic() - begin
    kernel = json.loads((await _fetch(own + "/kernels", key, method="POST", body="{}")).body)["id"]
    await started.wait()  # all at once, as after "now everybody"
    begin, errors = time.monotonic(), []
    if neighbour != name and (await _fetch(f"{address}/user/{neighbour}/api/contents", key)).code == 200:
        errors.append(f"the server of {neighbour} lets {name} in")
    channels = HTTPRequest(
        f"{own.replace('http', 'ws')}/kernels/{kernel}/channels", headers={"Authorization": f"token {key}"}
    )
    kernel = await websocket_connect(channels, max_message_size=2**28)
    for cell in [*cells, code]:
        text, error = await _execute(kernel, cell)
        errors += [error] if error else []
    took = time.monotonic() - begin
    if "THREADS 1\n" not in text:
        errors.append("more than one thread: " + text)
    await done.wait()
    await asyncio.sleep(2)  # alive while the memory is measured
    kernel.close()
    return name, start, took, errors, re.search(r"SEEN (.*)", text)


async def _login(address, name, password):
    """As the page does it. -> whether the hub let the student in"""
    page = await _fetch(address + "/hub/login")
    xsrf = re.search(r"_xsrf=([^;]+)", page.headers["Set-Cookie"])[1]
    form = urlencode({"username": name, "password": password, "_xsrf": xsrf})
    answer = await _fetch(address + "/hub/login", method="POST", body=form, headers={"Cookie": f"_xsrf={xsrf}"})
    return answer.code == 302


async def _fetch(address, token="", headers=(), **options):
    headers = dict(headers) | ({"Authorization": f"token {token}"} if token else {})
    request = HTTPRequest(
        address, headers=headers, follow_redirects=False, request_timeout=PATIENCE, connect_timeout=PATIENCE, **options
    )
    return await AsyncHTTPClient(max_clients=200).fetch(request, raise_error=False)


async def _execute(kernel, code):
    """-> what the cell printed, and the error it ended with, if any."""
    header = {
        "msg_id": secrets.token_hex(8),
        "msg_type": "execute_request",
        "version": "5.3",
        "username": "",
        "session": "",
    }
    content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
    await kernel.write_message(
        json.dumps(
            {
                "header": header,
                "parent_header": {},
                "metadata": {},
                "content": content,
                "channel": "shell",
                "buffers": [],
            }
        )
    )
    text, error = "", None
    while True:
        message = await kernel.read_message()
        if message is None:
            return text, "the kernel is gone"
        if isinstance(message, bytes):  # pictures on their way to a widget
            continue
        message = json.loads(message)
        if message["parent_header"].get("msg_id") != header["msg_id"]:
            continue
        if message["msg_type"] == "stream":
            text += message["content"]["text"]
        if message["msg_type"] == "error":
            error = message["content"]["ename"] + ": " + message["content"]["evalue"]
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            return text, error


def _memory(root):
    """Megabytes of every process below root, pages that are shared counted once (PSS); kind -> list."""
    children, found = {}, {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(status.parent.name))
    queue = [root]
    while queue:
        pid = queue.pop()
        queue += children.get(pid, [])
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            size = int(re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)[1]) / 1024
        except (OSError, TypeError):
            continue
        kind = "kernel" if "ipykernel" in command else "server" if "singleuser" in command else "hub"
        if not command.startswith("bwrap"):
            found.setdefault(kind, []).append(size)
    return found


async def _until_up(address):
    for _ in range(PATIENCE):
        with contextlib.suppress(OSError, HTTPClientError):
            await AsyncHTTPClient().fetch(address + "/hub/health")
            return
        await asyncio.sleep(0.5)
    raise TimeoutError("The hub did not start.")


def _free_port():
    """Three in a row: the proxy's, its own control, and the hub's."""
    while True:
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            sockets = [stack.enter_context(socket.socket()) for _ in range(3)]
            sockets[0].bind(("127.0.0.1", 0))
            port = sockets[0].getsockname()[1]
            for i in (1, 2):
                sockets[i].bind(("127.0.0.1", port + i))
            return port


def _report(measured, notebook, trust):
    results, memory, left = measured
    starts, takes = sorted(r[1] for r in results), sorted(r[2] for r in results)
    bad = [f"{name}: {errors}" for name, _, _, errors, _ in results if errors]
    seen = [f"{name} saw {look and look[1]}" for name, *_, look in results if not look or look[1] != "[]"]
    each = sum(sum(memory.get(kind, [])) for kind in ("kernel", "server")) / len(results)
    hub_size = sum(memory.get("hub", []))
    middle = len(results) // 2
    print(f"{len(results)} students ran {notebook} at once: {len(results) - len(bad)} without an error.")
    print(
        f"server ready after {starts[middle]:.0f} s (median), {starts[-1]:.0f} s (last); "
        f"notebook done after {takes[middle]:.0f} s, {takes[-1]:.0f} s"
    )
    print(
        f"memory: {each:.0f} MB a student (kernel {sum(memory.get('kernel', [0])) / len(results):.0f}, server "
        f"{sum(memory.get('server', [0])) / len(results):.0f}), hub {hub_size:.0f} MB; "
        f"{(24 * 1024 - 1024 - hub_size) / each:.0f} students fit in 24 GB with 1 GB left for the system"
    )
    print("\n".join(bad + seen + left) or "Nobody saw a file of anybody else or could write outside their own folder.")
    return 1 if bad or ((seen or left) and not trust) else 0
