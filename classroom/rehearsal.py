"""A class without students: N of them log in with their passwords, run a notebook at once, and try to break out."""

import asyncio
import contextlib
import inspect
import json
import re
import secrets
import socket
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

import nbformat
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

import course

from . import attacks, hub, register

PATIENCE = 900
MEMORY, DISK = 2**30, 2**28  # of a student here: enough for every notebook, and soon exhausted
THREADS = """
import threadpoolctl, numpy
print("THREADS", max(pool["num_threads"] for pool in threadpoolctl.threadpool_info()))
"""


def run(students, trust, notebook="06_kernel_pca.ipynb"):
    """Start a hub of its own, let the class run the notebook and try to break out, print what happened. -> 0 or 1"""
    with tempfile.TemporaryDirectory(dir=course.ROOT, prefix=".rehearsal-") as folder:
        rehearsal = Rehearsal(Path(folder), students, trust, notebook)
        settings = {"address": "127.0.0.1", "port": rehearsal.port, "trust": trust, "memory": MEMORY, "disk": DISK}
        settings |= {"idle": 3600, "token": rehearsal.token, "tls": rehearsal.tls, "poll": 1}
        log = Path(folder) / "hub.log"
        with log.open("w") as out, hub.started(Path(folder), settings, stdout=out, stderr=out) as server:
            try:
                asyncio.run(rehearsal.all(server.pid))
            except BaseException:
                for said in (log, *sorted(Path(folder).glob("homes/*/.server.log"))[:1]):
                    print("\n".join(said.read_text(errors="replace").splitlines()[-30:]))
                raise
        return rehearsal.report()


class Rehearsal:
    """One hub with N students; address: where it answers."""

    def __init__(self, folder, students, trust, notebook):
        self.folder, self.trust, self.notebook = folder, trust, notebook
        self.register = register.Register(folder)
        # the first has an e-mail address for a name, as many classes do
        people = [f"student{i:02}" + "@class.example.org" * (i == 1) for i in range(1, students + 1)]
        self.passwords = self.register.enrol(dict.fromkeys(people, ""))
        register.write_slips(folder, self.passwords, self.register.read(), "https://localhost")
        self.port, self.token = _free_port(), secrets.token_hex(16)
        cert, key = folder / "hub/cert.pem", folder / "hub/key.pem"
        hub.make_certificate(cert, key, ["localhost", "127.0.0.1"])
        self.tls = {"cert": str(cert), "key": str(key)}
        self.address = f"https://127.0.0.1:{self.port}"
        self.secrets = {name: f"secret {secrets.token_hex(8)}" for name in people}
        self.results, self.tried, self.trouble, self.memory, self.mean = [], {}, [], {}, []

    async def all(self, hub_pid):
        AsyncHTTPClient.configure(None, max_clients=500, defaults={"ca_certs": self.tls["cert"]})
        await self.until_up()
        cells = nbformat.read(course.ORIGINALS / self.notebook, 4).cells
        cells = [cell.source for cell in cells if cell.cell_type == "code"]
        names = list(self.passwords)
        started, done = asyncio.Barrier(len(names)), asyncio.Barrier(len(names) + 1)
        class_ = [
            asyncio.create_task(self.student(name, neighbour, cells, started, done, hub_pid))
            for name, neighbour in zip(names, names[1:] + names[:1], strict=True)
        ]
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait([asyncio.create_task(done.wait()), *class_], return_when=asyncio.FIRST_COMPLETED)
            self.memory = _memory(hub_pid)  # all kernels are alive and have done their work
            await asyncio.gather(*class_)
            if not self.trust:
                await self.exhaust(names[-1], names[0])
            await self.doors(names[0])
        for left in (*self.folder.rglob("left-by-a-student"), *(course.ROOT / "kmlab").glob("left-by-a-student")):
            self.trouble.append(f"a student could write {left}")
        if set(self.register.read()) != set(names):
            self.trouble.append("the register of the class was changed")

    async def student(self, name, neighbour, cells, started, done, hub_pid):
        """Log in, start the server, run the cells, try to break out."""
        if not await self.login(f"{name.title()} ", self.passwords[name]) or await self.login(name, "a guess"):
            raise RuntimeError(f"The password of {name} should open the door, and nothing else should.")
        begin = time.monotonic()
        own, key = await self.open_server(name)
        start = time.monotonic() - begin
        kernel = await self.kernel(own, key)
        await started.wait()  # all at once, as after "now everybody"
        begin, errors = time.monotonic(), []
        if neighbour != name and (await self.fetch(f"/user/{neighbour}/api/contents", key)).code == 200:
            errors.append(f"the server of {neighbour} lets {name} in")
        for cell in [*cells, THREADS]:
            text, error = await _execute(kernel, cell)
            errors += [error] if error else []
        if "THREADS 1\n" not in text:
            errors.append("more than one thread: " + text)
        took = time.monotonic() - begin
        attempt = f"{inspect.getsource(attacks)}\nmain(json.loads({json.dumps(self.targets(name, hub_pid))!r}))"
        text, error = await _execute(kernel, attempt)
        errors += [error] if error else []
        for what, got in map(json.loads, re.findall(r"^TRIED (.*)$", text, re.M)):
            self.tried.setdefault(what, []).extend(f"{name} got {part}" for part in got)
        if len(re.findall(r"^TRIED ", text, re.M)) < len(attacks.ATTEMPTS):
            errors.append("the attempts to break out did not come to an end")
        await done.wait()
        await asyncio.sleep(2)  # alive while the memory is measured
        kernel.close()
        self.results.append((name, start, took, errors))

    def targets(self, name, hub_pid):
        """What an attacker might know about the machine."""
        others = [other for other in self.passwords if other != name]
        homes = self.folder / "homes"
        kept = [self.secrets[other] for other in others] + list(self.passwords.values()) + [self.token]
        return {
            "mine": self.secrets[name],
            "secrets": [secret[::-1] for secret in kept],
            "homes": str(homes),
            "others": [f"{homes}/{other}/mine.txt" for other in others],
            "names": others,
            "root": str(course.ROOT),
            "folder": str(self.folder),
            "python": [sys.prefix, sys.base_prefix],
            "ports": [self.port, 22, 8888],
            "ip": hub.own_ip() or "127.0.0.1",
            "hub": hub_pid,
            "processes": hub.PROCESSES,
        }

    async def exhaust(self, mean, other):
        """One student takes all the memory, then all the disk; the others' servers go on answering."""
        own, key = await self.open_server(other)
        kernel = await self.kernel(own, key)
        for what, code, most in (("memory", attacks.MEMORY, MEMORY), ("disk", attacks.DISK, DISK)):
            place, token = await self.open_server(mean)
            victim = await self.kernel(place, token)
            text, error = await _execute(victim, code.format(megabytes=2 * most // 10**6), patience=120)
            ended = "STILL HERE" not in text and ("ENDED" in text or error is not None)
            self.mean.append((f"take more {what} than there is", ended))
            answer = await _execute(kernel, "print(6 * 7)")
            if answer != ("42\n", None):
                self.trouble.append(f"while {mean} took all the {what}, {other} could not go on: {answer}")
            victim.close()
        kernel.close()

    async def doors(self, name):
        """A page to choose a password, none to see others, and a door that closes: with its servers."""
        cookies, old, new = await self.login(name, self.passwords[name]), self.passwords[name], secrets.token_hex(8)
        _, key = await self.open_server(name)
        if (await self.fetch("/hub/admin", headers=cookies)).code != 403:
            self.trouble.append("a student sees the administrator's page")
        if b'"disabledExtensions": ["@jupyter/nbgrader"]' not in (await self.fetch(f"/user/{name}/lab", key)).body:
            self.trouble.append("a student's JupyterLab brings nbgrader's menus")
        xsrf = re.search(r"_xsrf=([^;]+)", cookies["Cookie"])[1]
        form = urlencode({"before": old, "new": new, "again": new, "_xsrf": xsrf})
        answer = await self.fetch("/hub/password", method="POST", body=form, headers=cookies)
        if answer.code != 200 or await self.login(name, old) or not await self.login(name, new):
            self.trouble.append(f"{name} could not choose another password: {answer.code}")
        self.register.revoke(name)
        for _ in range(60):
            if (await self.fetch(f"/user/{name}/api/status", key)).code != 200:
                break
            await asyncio.sleep(1)
        else:
            self.trouble.append(f"{name} was locked out, but the server runs on")
        if await self.login(name, new):
            self.trouble.append(f"{name} was locked out, but the password opens the door")

    # ---- as a browser does it

    async def open_server(self, name):
        """Started if it does not run; -> its address and a token."""
        api, own = f"/hub/api/users/{name}", f"/user/{name}/api"
        key = json.loads((await self.fetch(api + "/tokens", self.token, method="POST", body="{}")).body)["token"]
        for _ in range(PATIENCE):
            if (await self.fetch(own + "/status", key)).code == 200:
                return own, key
            await self.fetch(api + "/server", self.token, method="POST", body="{}")
            await asyncio.sleep(1)
        raise TimeoutError(f"The server of {name} did not start.")

    async def kernel(self, own, key):
        kernel = json.loads((await self.fetch(own + "/kernels", key, method="POST", body="{}")).body)["id"]
        address = f"{self.address}{own}/kernels/{kernel}/channels".replace("http", "ws", 1)
        channels = HTTPRequest(address, headers={"Authorization": f"token {key}"}, ca_certs=self.tls["cert"])
        return await websocket_connect(channels, max_message_size=2**28)

    async def login(self, name, password):
        """As the page does it. -> the cookies that the hub gave the student, None if it did not let them in"""
        page = await self.fetch("/hub/login")
        xsrf = re.search(r"_xsrf=([^;]+)", page.headers["Set-Cookie"])[1]
        form = urlencode({"username": name, "password": password, "_xsrf": xsrf})
        answer = await self.fetch("/hub/login", method="POST", body=form, headers={"Cookie": f"_xsrf={xsrf}"})
        given = [cookie.partition(";")[0] for cookie in answer.headers.get_list("Set-Cookie")]
        return {"Cookie": "; ".join(given)} if answer.code == 302 else None

    async def fetch(self, path, token="", headers=(), **options):
        headers = dict(headers) | ({"Authorization": f"token {token}"} if token else {})
        times = {"request_timeout": PATIENCE, "connect_timeout": PATIENCE}
        request = HTTPRequest(self.address + path, headers=headers, follow_redirects=False, **times, **options)
        return await AsyncHTTPClient().fetch(request, raise_error=False)

    async def until_up(self):
        for _ in range(PATIENCE):
            with contextlib.suppress(OSError, HTTPClientError):
                await AsyncHTTPClient().fetch(self.address + "/hub/health")
                return
            await asyncio.sleep(0.5)
        raise TimeoutError("The hub did not start.")

    def report(self):
        """Print it; -> 0 if all went well."""
        count, middle = len(self.results), len(self.results) // 2
        starts, takes = sorted(r[1] for r in self.results), sorted(r[2] for r in self.results)
        bad = [f"{name}: {errors}" for name, _, _, errors in self.results if errors] + self.trouble
        each = sum(sum(self.memory.get(kind, [])) for kind in ("kernel", "server")) / count
        hub_size = sum(self.memory.get("hub", []))
        print(f"{count} students ran {self.notebook} at once: {count - len(bad)} without an error.")
        print(
            f"server ready after {starts[middle]:.0f} s (median), {starts[-1]:.0f} s (last); "
            f"notebook done after {takes[middle]:.0f} s, {takes[-1]:.0f} s"
        )
        print(
            f"memory: {each:.0f} MB a student (kernel {sum(self.memory.get('kernel', [0])) / count:.0f}, server "
            f"{sum(self.memory.get('server', [0])) / count:.0f}), hub {hub_size:.0f} MB; "
            f"{(24 * 1024 - 1024 - hub_size) / each:.0f} students fit in 24 GB with 1 GB left for the system"
        )
        print("Every student tried to")
        for what, got in self.tried.items():
            print(f"  {what}: {'nothing' if not got else '; '.join(got)}")
        for what, ended in self.mean:
            print(f"  {what}: {'ended, the others went on' if ended else 'nobody ended it'}")
        outside = any(self.tried.values()) or not all(ended for _, ended in self.mean)
        print("\n".join(bad) or "Nobody could read, reach, write or stop anything of anybody else's.")
        return 1 if bad or (outside and not self.trust) else 0


async def _execute(kernel, code, patience=PATIENCE):
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
    text, error, until = "", None, time.monotonic() + patience
    while True:
        try:
            message = await asyncio.wait_for(kernel.read_message(), max(0.1, until - time.monotonic()))
        except TimeoutError:
            return text, "no answer"
        if message is None:
            return text, "the kernel is gone"
        if isinstance(message, bytes):  # pictures on their way to a widget
            continue
        message = json.loads(message)
        if message["msg_type"] == "status" and message["content"]["execution_state"] in ("restarting", "dead"):
            return text, "the kernel was ended"
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
        kind = "kernel" if "ipykernel" in command else "server" if "/desk.py" in command else "hub"
        if not command.startswith("bwrap"):
            found.setdefault(kind, []).append(size)
    return found


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
