"""Runs inside a student's room on the hub: gives up what it does not need, brings the notebooks, opens JupyterLab.

The notebooks are copied in here, by the student's own process: whatever lies in the student's folder, links among it,
can lead a process outside nowhere. The server listens on a socket that was opened outside and handed in, because the
room has no network; the hub answers at /run/hub.sock, and at no other place.
"""

import contextlib
import json
import os
import resource
import shutil
import socket
import sys
from pathlib import Path

sys.path.insert(0, os.path.dirname(__file__))  # beside it stands bounds.py
import bounds  # noqa: E402

del sys.path[0]
NEWER = "new versions"  # a folder among the copies


def main(settings, arguments):
    bounds.limit(settings["addressed"], settings["processes"], files=4096, largest=settings["disk"])
    os.umask(0o077)
    home = Path.home()
    os.chdir(home)
    if "check" in settings:
        print(json.dumps(bounds.standing() | {"tried": tried()}), flush=True)
        return
    keep_log(home / ".server.log")
    sys.path.append(settings["root"])  # kmlab.server, course
    lay_out(home, settings)
    listen(settings["socket"], settings["full"])
    sys.argv = ["jupyterhub-singleuser", *arguments]
    from jupyterhub.singleuser import main as serve

    serve()


def tried():
    """Ways back to what was given up; all of them should be refused."""
    import ctypes

    system = ctypes.CDLL(None, use_errno=True)
    ways = {
        "become root": lambda: os.setuid(0),
        "change the group": lambda: os.setgid(0),
        "unmount": lambda: system.umount2(b"/tmp", 2) and 1 / 0,
        "mount": lambda: system.mount(b"none", b"/tmp", b"tmpfs", 0, None) and 1 / 0,
        "another namespace": lambda: system.unshare(0x10000000) and 1 / 0,
        "a device": lambda: os.mknod("/tmp/disk", 0o60600, os.makedev(8, 0)),
        "another root": lambda: os.chroot("/tmp"),
    }
    done = []
    for name, way in ways.items():
        with contextlib.suppress(OSError, ZeroDivisionError):
            way()
            done.append(name)
    if os.getuid() == 0:  # in a namespace of its own it would be nobody special, but it is not asked to be
        done.append("root")
    return [name for name in done if not (name == "change the group" and os.getgid() == 0)]


def keep_log(file):
    """What the server says goes into a file of the student's, not to whoever started it."""
    with contextlib.suppress(OSError):
        file.unlink()
    nowhere = os.open(os.devnull, os.O_RDWR)
    try:
        log = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    except OSError:
        log = nowhere
    for descriptor, target in ((0, nowhere), (1, log), (2, log)):
        os.dup2(target, descriptor)


def lay_out(home, settings):
    """The notebooks as they are now; of those that the student has changed, a new version lies beside."""
    fonts = home / ".cache/matplotlib"
    with contextlib.suppress(OSError):
        fonts.mkdir(parents=True, exist_ok=True)
        for file in Path("/fonts").glob("fontlist*.json"):
            if not (fonts / file.name).exists():
                shutil.copyfile(file, fonts / file.name)
    copies = home / "notebooks"
    with contextlib.suppress(OSError):
        copies.mkdir(exist_ok=True)
    if settings["full"]:
        return
    import course

    try:
        newer = course.hand_out(copies)
        for name in newer:
            target = copies / NEWER / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(course.ORIGINALS / name, target)
    except Exception as error:  # a folder in the place of a notebook, and whatever else: the lab opens all the same
        print(f"The notebooks could not be brought up to date: {error}", flush=True)


def listen(descriptor, full):
    from jupyter_server.serverapp import ServerApp

    from kmlab.server import wait_for_the_proxy

    wait_for_the_proxy()

    def bind(server):
        door = socket.socket(fileno=descriptor)
        door.setblocking(False)
        server.http_server.add_socket(door)
        if full:  # files can be deleted, but none can grow
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    ServerApp._bind_http_server = bind


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2:])
