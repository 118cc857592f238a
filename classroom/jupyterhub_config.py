"""The hub's settings; classroom/hub.py starts it and says in the environment where the class is."""

import hmac
import os
import sys
from pathlib import Path

from jupyterhub.auth import Authenticator
from jupyterhub.spawner import SimpleLocalProcessSpawner

import course
from classroom import hub

FOLDER = Path(os.environ["KMLAB_CLASS"])
ADDRESS, PORT = os.environ["KMLAB_HUB"].rsplit(":", 1)
HIDDEN = [FOLDER, course.ROOT / "classroom", course.ROOT / "solutions", course.COPIES]


class ClassList(Authenticator):
    """The names and passwords of passwords.csv, read anew at every login."""

    async def authenticate(self, handler, data):
        right = hub.passwords(FOLDER / "passwords.csv").get(data["username"])
        return data["username"] if right and hmac.compare_digest(right.encode(), data["password"].encode()) else None


class Student(SimpleLocalProcessSpawner):
    """A server in the student's own folder, in a sandbox that shows no other student."""

    def make_preexec_fn(self, name):
        return lambda: None  # the folder is made below, before the sandbox needs it

    async def start(self):
        home = Path(self.home_dir)
        course.hand_out(home / "notebooks")
        server = [sys.executable, "-m", "jupyterhub.singleuser"]
        self.cmd = (
            server
            if os.environ["KMLAB_TRUST"]
            else hub.shelter(server, home, [folder for folder in HIDDEN if folder.exists()])
        )
        return await super().start()


LAB_CONFIG = course.LAB_CONFIG.with_name("hub")
course.write(LAB_CONFIG / "labconfig/default_setting_overrides.json", course.LAB_SETTINGS)
extensions = {"extra_labextensions_path": [str(course.LAB_EXTENSIONS)]}
server = {"ServerApp": course.PROMPT, "LabApp": extensions, "JupyterNotebookApp": extensions}
course.write(LAB_CONFIG / "jupyter_server_config.json", server)

c = get_config()  # noqa: F821  JupyterHub gives it to this file
c.JupyterHub.authenticator_class = ClassList
c.Authenticator.allow_all = True  # whoever has a password
c.JupyterHub.spawner_class = Student
c.JupyterHub.bind_url = f"http://{ADDRESS}:{PORT}"
c.JupyterHub.hub_port = int(PORT) + 2  # this one and the next are seen by this machine only
c.ConfigurableHTTPProxy.command = [str(hub.PROXY)]
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{int(PORT) + 1}"
c.JupyterHub.cleanup_servers = True  # Ctrl-C ends the class
c.Student.home_dir_template = str(FOLDER / "homes/{username}")
c.Spawner.notebook_dir = "~/notebooks"
c.Spawner.default_url = "/lab/tree/00_start_here.ipynb"
c.Spawner.start_timeout = c.Spawner.http_timeout = 300  # a whole class starts in the same minute
# forty students on four cores: one thread each, and a kernel that idles for two hours ends
c.Spawner.environment = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "JUPYTER_CONFIG_PATH": str(LAB_CONFIG),
}
c.Spawner.args = ["--allow-root", "--MappingKernelManager.cull_idle_timeout=7200"]
if not os.environ["KMLAB_TRUST"]:
    # whoever knows the port of a kernel can listen to what it prints: sockets in the student's own /tmp instead
    c.Spawner.environment["JUPYTER_RUNTIME_DIR"] = "/tmp/jupyter"
    c.Spawner.args.append("--KernelManager.transport=ipc")
if token := os.environ["KMLAB_REHEARSAL"]:
    c.JupyterHub.services = [{"name": "rehearsal", "api_token": token}]
    c.JupyterHub.load_roles = [
        {
            "name": "rehearsal",
            "services": ["rehearsal"],
            "scopes": ["admin:users", "admin:servers", "tokens", "access:servers"],
        }
    ]
