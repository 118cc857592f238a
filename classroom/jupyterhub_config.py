"""The hub's settings; classroom/hub.py starts it and says in the environment how."""

import asyncio
import contextlib
import json
import os
import secrets
import socket
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from jupyterhub.auth import Authenticator
from jupyterhub.handlers import BaseHandler
from jupyterhub.spawner import Spawner
from tornado import web

import course
from classroom import hub, register, sandbox, warden
from classroom.memory import Group
from kmlab.server import wait_for_the_proxy

TOLD = json.loads(os.environ.pop("KMLAB_HUB"))
FOLDER, SOCKETS = Path(TOLD["folder"]), Path(TOLD["sockets"])
ENTRIES = register.Register(FOLDER)
HASHING = asyncio.Semaphore(2)  # of all who log in at once


def unix(name, folder=SOCKETS):
    return "http+unix://" + quote(f"{folder}/{name}", safe="")


class ClassList(Authenticator):
    """The names and hashes of students.json, read anew at every login."""

    known = {}  # name -> the hash with which somebody was last seen to be logged in

    async def authenticate(self, handler, data):
        name, password = data["username"].strip().lower(), data["password"]  # as people write their address
        async with HASHING:
            right = await asyncio.to_thread(ENTRIES.is_right, name, password)
        if not right:
            await asyncio.sleep(1)  # guessing takes time
            return None
        entry = ENTRIES.read()[name]
        self.known[name] = entry["hash"]
        return {"name": name, "admin": entry["admin"]}

    async def refresh_user(self, user, handler=None):
        """False, so that they have to log in anew, for whoever was locked out or has another password now."""
        entry = ENTRIES.read().get(user.name)
        if entry is None or entry["revoked"] or self.known.setdefault(user.name, entry["hash"]) != entry["hash"]:
            log_out(user)
            return False
        return {"name": user.name, "admin": entry["admin"]}


def log_out(user):
    """Everywhere: cookies and tokens count no more."""
    ClassList.known.pop(user.name, None)
    user.orm_user.cookie_id = secrets.token_hex(16)
    user.db.commit()


class PasswordPage(BaseHandler):
    """Where a student chooses a password of their own."""

    def page(self, message="", done=False):
        return self.render_template("password.html", message=message, done=done, shortest=register.SHORTEST)

    @web.authenticated
    async def get(self):
        self.finish(await self.page())

    @web.authenticated
    async def post(self):
        user = self.current_user
        before, new, again = (self.get_body_argument(name, "", strip=False) for name in ("before", "new", "again"))
        async with HASHING:
            right = await asyncio.to_thread(ENTRIES.is_right, user.name, before)
        if not right:
            await asyncio.sleep(1)
        message = None if right else "The password that you have now is another one."
        message = message or (new != again and "The two new ones differ.") or register.too_weak(new, user.name)
        if message:
            self.set_status(400)
            return self.finish(await self.page(message))
        await asyncio.to_thread(ENTRIES.set_password, user.name, new)
        log_out(user)
        ClassList.known[user.name] = ENTRIES.read()[user.name]["hash"]
        self.set_login_cookie(user)
        self.finish(await self.page("Your new password holds from now on.", done=True))


class Room(Spawner):
    """A server in the student's own room; its only way in and out is a socket that is opened here."""

    proc = group = None

    async def start(self):
        entry = ENTRIES.read().get(self.user.name)
        if entry is None or entry["revoked"]:
            raise web.HTTPError(403, "This name is not in the class any more.")
        home, number, path = FOLDER / "homes" / self.user.name, entry["number"], SOCKETS / f"{entry['number']}.sock"
        make_home(home, number)
        taken, files = await asyncio.to_thread(warden.used, home)
        listening = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
        listening.bind(str(path))
        listening.listen(128)
        self.port = 8888  # of an empty network
        settings = {
            "socket": listening.fileno(),
            "addressed": 2 * TOLD["memory"],  # of one process; the memory of all is counted outside
            "disk": TOLD["disk"],
            "full": taken > TOLD["disk"] or files > warden.FILES,
            "trust": TOLD["trust"],
        }
        command = hub.command(settings, *self.get_args())
        how = {name: subprocess.DEVNULL for name in ("stdin", "stdout", "stderr")} | {"start_new_session": True}
        how["env"] = self.get_env() | hub.variables(number, self.user.name)
        if TOLD["trust"]:
            how["env"] |= {"HOME": str(home)}
            self.proc = subprocess.Popen(command, cwd=home, pass_fds=[listening.fileno()], **how)
        else:
            self.group = Group.make(TOLD["memory"])
            how["preexec_fn"] = self.group.join if self.group else None
            room = hub.room(home, SOCKETS / "hub.sock")
            self.proc = sandbox.start(room, command, keep=[listening.fileno()], **how)
        WARDEN.enter(self.proc.pid, self.user.name, home, bool(self.group) or TOLD["trust"])
        listening.close()
        self.server.connect_url = unix(path.name)
        return unix(path.name)

    async def poll(self):
        """None while it runs. Who was locked out, or has been idle for long, is stopped here."""
        if self.proc is None:
            return 0
        if self.proc.poll() is None:
            entry = ENTRIES.read().get(self.user.name)
            active = self.orm_spawner.last_activity or self.orm_spawner.started
            idle = active and (datetime.now(UTC).replace(tzinfo=None) - active).total_seconds() > TOLD["idle"]
            if entry is None or entry["revoked"]:
                log_out(self.user)
            if idle or entry is None or entry["revoked"]:
                self.log.info("%s is stopped: %s", self.user.name, "idle" if idle else "locked out")
                await self.stop()
        status = self.proc.poll() if self.proc else 0
        if status is not None:
            self.clear_state()
        return status

    async def stop(self, now=False):
        process = self.proc
        if process is None:
            return
        inside = [pid for pid in warden.members(process.pid)[1:2] if not now]  # bubblewrap has two halves; then Python
        for pid in inside or []:
            with contextlib.suppress(OSError):
                os.kill(pid, 15)
        for _ in range(50 if inside else 0):
            if process.poll() is not None:
                break
            await asyncio.sleep(0.1)
        with contextlib.suppress(OSError):
            os.killpg(process.pid, 9)
        while process.poll() is None:
            await asyncio.sleep(0.02)
        self.clear_state()

    def clear_state(self):
        super().clear_state()
        if self.proc is not None:
            WARDEN.leave(self.proc.pid)
        if self.group:
            self.group.remove()
        self.proc = self.group = None


def make_home(home, number):
    """A folder that belongs to whoever lives in the room."""
    with contextlib.suppress(FileExistsError):
        home.mkdir(mode=0o700)
    if os.getuid() == 0 and home.stat().st_uid != hub.FIRST_UID + number:  # new, or from a hub of another user
        for _, folders, files, here in os.fwalk(home):
            for name in (*folders, *files):
                os.chown(name, *[hub.FIRST_UID + number] * 2, dir_fd=here, follow_symlinks=False)
        os.chown(home, *[hub.FIRST_UID + number] * 2)


wait_for_the_proxy()
WARDEN = warden.Warden(TOLD["memory"], TOLD["disk"], ("/tmp", "/dev/shm"), course.say)

c = get_config()  # noqa: F821  JupyterHub gives it to this file
c.JupyterHub.authenticator_class = ClassList
c.Authenticator.allow_all = True  # whoever has a password
c.Authenticator.allowed_users = set(ENTRIES.read())  # who stand on the administrator's page from the beginning
c.Authenticator.username_pattern = register.NAME.pattern
c.Authenticator.auth_refresh_age = TOLD.get("poll", 20)
c.Authenticator.auth_refresh_strict = True
c.Authenticator.refresh_pre_spawn = True
c.JupyterHub.spawner_class = Room
c.JupyterHub.bind_url = f"http{'s' if TOLD['tls'] else ''}://{TOLD['address']}:{TOLD['port']}"
c.JupyterHub.hub_bind_url = c.JupyterHub.hub_connect_url = unix("hub.sock")
c.JupyterHub.hub_socket_mode = 0o666  # in a folder of the hub's own; the rooms see this one and no other
c.JupyterHub.allow_named_servers = False
c.ConfigurableHTTPProxy.command = [str(hub.PROXY)]
c.ConfigurableHTTPProxy.api_url = unix("proxy.sock")
if TOLD["tls"]:
    c.JupyterHub.ssl_cert, c.JupyterHub.ssl_key = TOLD["tls"]["cert"], TOLD["tls"]["key"]
if TOLD.get("domain"):
    c.JupyterHub.subdomain_host = TOLD["domain"]
c.JupyterHub.cleanup_servers = True  # Ctrl-C ends the class
c.JupyterHub.template_paths = [str(course.ROOT / "classroom/pages")]
c.JupyterHub.extra_handlers = [(r"/password", PasswordPage)]
c.Spawner.hub_connect_url = "http+unix://" + quote("/run/hub.sock", safe="") if not TOLD["trust"] else None
c.Spawner.notebook_dir = "~/notebooks"
c.Spawner.default_url = "/lab/tree/00_start_here.ipynb"
c.Spawner.start_timeout = c.Spawner.http_timeout = 300  # a whole class starts in the same minute
c.Spawner.poll_interval = TOLD.get("poll", 20)
c.Spawner.env_keep = []
# kernels talk through files of the room's own: to look for a network, as they do otherwise, is not allowed there
c.Spawner.args = ["--KernelManager.transport=ipc", "--MappingKernelManager.cull_idle_timeout=7200"]
c.JupyterHub.load_roles = [  # a student's token may do what a student may, an administrator sees no student's server
    {"name": "server", "scopes": ["users:activity!user", "access:servers!server"]},
]
if token := TOLD.get("token"):
    c.JupyterHub.services = [{"name": "rehearsal", "api_token": token}]
    c.JupyterHub.load_roles.append(
        {
            "name": "rehearsal",
            "services": ["rehearsal"],
            "scopes": ["admin:users", "admin:servers", "tokens", "access:servers"],
        }
    )
