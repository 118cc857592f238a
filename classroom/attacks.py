"""What a student would try who wants out, run by the rehearsal in a cell of a student's own notebook, as it stands.

Each function is one attempt; its docstring names it, and it returns what it got hold of: an empty list, if all is well.
TARGETS, a dict, says where things are that the student should not have: an attacker knows the course's repository, too.
"""

import contextlib
import ctypes
import glob
import json
import os
import pathlib
import socket
import stat
import subprocess
import sys

TARGETS = {}
HOME = pathlib.Path.home()


def everything(top="/", skip=("/proc", "/sys", "/dev", "/usr", "/tmp")):
    """All paths that can be listed from here; system programs are not ours to hide."""
    for place, folders, files in os.walk(top):
        folders[:] = [name for name in folders if os.path.join(place, name) not in skip]
        for name in (*folders, *files):
            yield os.path.join(place, name)


def files_of_others():
    """list and read the files of other students"""
    found = [path for path in glob.glob(f"{TARGETS['homes']}/*") + glob.glob("/home/*") if not same(path, HOME)]
    ways = [f"{place}/" for place in (TARGETS["root"], *TARGETS["python"])]  # the course may live in a teacher's home
    while on := [path for path in found if f"{path}/" not in ways and any(w.startswith(f"{path}/") for w in ways)]:
        found = [path for path in found if path not in on] + [inner for path in on for inner in glob.glob(f"{path}/*")]
    found = [path for path in found if f"{path}/" not in ways]
    return found + [path for path in TARGETS["others"] if os.path.exists(path)]


def grades_and_tests():
    """read grades, hidden tests, solutions and the instructor's own copies"""
    names = ("my-grades", "my-homework", "my-class", "my-notebooks", "classroom", "solutions", "tests", "publish")
    return [path for path in (f"{TARGETS['root']}/{name}" for name in names) if os.path.exists(path)]


def git_objects():
    """read the course's history, with the solutions in it"""
    found = [path for path in (f"{TARGETS['root']}/.git", f"{TARGETS['root']}/../.git") if os.path.exists(path)]
    with contextlib.suppress(OSError):
        run = subprocess.run(["git", "-C", TARGETS["root"], "log", "-1"], capture_output=True, text=True)
        found += [run.stdout] if run.returncode == 0 else []
    return found


def passwords():
    """read passwords, hashes, slips, the hub's cookie secret and its database, the machine's users"""
    names = "students.json", "slips.html", "passwords.csv", "hub/jupyterhub_cookie_secret", "hub/jupyterhub.sqlite"
    found = [f"{TARGETS['folder']}/{name}" for name in (*names, "hub/key.pem")]
    return [path for path in (*found, "/etc/passwd", "/etc/shadow", "/root/.ssh") if os.path.exists(path)]


def secrets_anywhere():
    """look for a marked secret in every file that can be opened, and for files that nobody listed"""
    found, allowed = [], (str(HOME), TARGETS["root"], *TARGETS["python"])
    roots = ("/bin", "/sbin", "/lib", "/nix", "/etc", "/fonts", "/desk.py", "/bounds.py", "/run", "/home")
    for path in everything():
        if not path.startswith((*allowed, *roots)) and not any(a.startswith(path + "/") for a in allowed):
            found.append(path)
        if path.startswith(TARGETS["python"]) or path.startswith(("/lib", "/nix")):
            continue
        with contextlib.suppress(OSError):
            if stat.S_ISREG(os.lstat(path).st_mode) and os.path.getsize(path) < 10**6:
                content = pathlib.Path(path).read_bytes()
                if any(secret[::-1].encode() in content for secret in TARGETS["secrets"]):  # a notebook keeps this cell
                    found.append(f"the secret in {path}")
    return found


def sockets_of_the_host():
    """reach sockets of the machine: docker, dbus, X, the proxy's control, other students' servers"""
    found = [path for path in everything(skip=("/proc", "/sys", "/usr", "/lib")) if is_socket(path)]
    found = [path for path in found if path != "/run/hub.sock" and not path.startswith("/tmp/")]
    with open("/proc/net/unix") as lines:  # abstract ones have no file
        found += [line.split()[-1] for line in lines if line.split()[-1].startswith("@")]
    return found


def network():
    """reach the network, the machine's own ports, and families of sockets that no network namespace closes"""
    found = []
    for port in TARGETS["ports"]:
        for host in ("127.0.0.1", "::1", TARGETS["ip"]):
            with contextlib.suppress(OSError), socket.create_connection((host, port), timeout=1):
                found.append(f"{host}:{port}")
    with contextlib.suppress(OSError):
        socket.create_connection(("192.0.2.1", 80), timeout=1).close()
        found.append("the internet")
    for family in (16, 17, 40, 38):  # netlink, packets, vsock, the kernel's cryptography
        with contextlib.suppress(OSError):
            socket.socket(family, socket.SOCK_DGRAM).close()
            found.append(f"a socket of family {family}")
    with open("/proc/net/dev") as lines:
        found += [line.split(":")[0].strip() for line in lines if ":" in line and not line.strip().startswith("lo:")]
    return found


def way_back_through_a_socket():
    """turn a descriptor that was handed in into a way out"""
    found, own = [], set()  # the kernel's own sockets live in the room's network, and are left alone
    for table in ("tcp", "tcp6", "udp", "udp6"):
        with contextlib.suppress(OSError), open(f"/proc/net/{table}") as lines:
            own |= {line.split()[9] for line in lines}
    for number in range(3, 64):
        with contextlib.suppress(OSError):
            other = socket.socket(fileno=os.dup(number))
            if other.family != socket.AF_UNIX and str(os.fstat(number).st_ino) not in own:
                other.shutdown(socket.SHUT_RDWR)
                other.connect(("127.0.0.1", TARGETS["ports"][0]))
                found.append(f"descriptor {number} reaches a port of the machine")
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            for name in os.listdir(f"/proc/{pid}/fd"):
                with contextlib.suppress(OSError):
                    path = os.readlink(f"/proc/{pid}/fd/{name}")
                    if path.startswith("/") and not path.startswith(("/dev/", "/home/", "/tmp", "/proc", "/run/hub")):
                        found += [path] if not path.startswith((TARGETS["root"], *TARGETS["python"])) else []
    return found


def processes_of_others():
    """see, signal or trace processes of others, and read their memory"""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            said = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
            environment = b""
            with contextlib.suppress(OSError):
                environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
            if b"jupyterhub_config" in said or b"configproxy" in said or b"KMLAB_HUB" in environment:
                found.append(f"process {pid}: {said[:80]!r}")
            if any(name.encode() in environment + said for name in TARGETS["names"]):
                found.append(f"process {pid} of another student")
    with contextlib.suppress(OSError):
        os.kill(TARGETS["hub"], 0)
        found += ["the hub can be signalled"] if len(os.listdir("/proc")) > 500 else []
    return found


def writing_outside():
    """write outside the own folder: into the course, the system, the hub"""
    found = []
    places = (TARGETS["root"], f"{TARGETS['root']}/kmlab", f"{TARGETS['root']}/notebooks", TARGETS["folder"], "/usr")
    for place in (*places, *TARGETS["python"], TARGETS["homes"], "/etc", "/", "/run", "/home", "/proc/sys/kernel"):
        with contextlib.suppress(OSError):
            path = pathlib.Path(place) / "left-by-a-student"
            path.write_text("x")
            found.append(str(path))
    for path in ("/run/hub.sock", "/desk.py"):
        with contextlib.suppress(OSError):
            os.unlink(path)
            found.append(f"deleted {path}")
    return found


def capabilities():
    """use root's rights: mount, unmount, make devices, new namespaces, trace, load into the kernel"""
    found, system = [], ctypes.CDLL(None, use_errno=True)
    ways = {
        "umount": lambda: system.umount2(TARGETS["root"].encode(), 2),
        "umount home": lambda: system.umount2(str(HOME).encode(), 2),
        "mount": lambda: system.mount(b"none", str(HOME).encode(), b"tmpfs", 0, None),
        "unshare": lambda: system.unshare(0x10000000 | 0x00020000),
        "ptrace": lambda: system.ptrace(16, 1, 0, 0),
        "setuid": lambda: system.setresuid(0, 0, 0) if os.getuid() else -1,
        "chroot": lambda: system.chroot(b"/tmp"),
        "keyring": lambda: system.syscall(250, 0, -3, 0),
        "memfd": lambda: system.syscall(319, b"x", 0),
    }
    for name, way in ways.items():
        found += [name] if way() >= 0 else []
    with contextlib.suppress(OSError):
        os.mknod("/tmp/disk", 0o60600, os.makedev(8, 0))
        found.append("a device")
    with open("/proc/self/status") as lines:
        found += [line.strip() for line in lines if line.startswith("Cap") and int(line.split()[1], 16)]
    return found


def links():
    """leave links where a process outside might follow them"""
    for name, target in (("lead", TARGETS["folder"]), ("notebooks/lead.ipynb", f"{TARGETS['folder']}/students.json")):
        with contextlib.suppress(OSError):
            (HOME / name).symlink_to(target)
    with contextlib.suppress(OSError):  # where course.write puts a file's first half
        (HOME / "notebooks/.00_start_here.ipynb.part").symlink_to(f"{TARGETS['folder']}/students.json")
    return []


def temporary_places():
    """fill the folders in memory"""
    found = []
    for place in ("/tmp", "/dev/shm"):
        with contextlib.suppress(OSError):
            with open(f"{place}/fill", "wb") as file:
                for _ in range(400):
                    file.write(bytes(10**6))
                found.append(f"{place} takes 400 MB")
        with contextlib.suppress(OSError):
            os.unlink(f"{place}/fill")
    return found


FORKS = """
import os, time
children = []
try:
    for _ in range(5000):
        pid = os.fork()
        if pid == 0:
            time.sleep(30)
            os._exit(0)
        children.append(pid)
except OSError:
    pass
for pid in children:
    os.kill(pid, 9)
    os.waitpid(pid, 0)
print(len(children))
"""


def forks():
    """start processes until the machine stands still"""
    # not the kernel itself, hundreds of which are more memory than the room has: that ends it before it can tell
    run = subprocess.run([sys.executable, "-I", "-S", "-c", FORKS], capture_output=True, text=True)
    count = int(run.stdout or 0)
    if not count:
        raise RuntimeError(run.stderr[-200:])
    return [f"{count} processes"] if count > TARGETS["processes"] else []


def same(path, other):
    with contextlib.suppress(OSError):
        return os.path.samefile(path, other)
    return False


def is_socket(path):
    with contextlib.suppress(OSError):
        return stat.S_ISSOCK(os.lstat(path).st_mode)
    return False


ATTEMPTS = (
    files_of_others,
    grades_and_tests,
    git_objects,
    passwords,
    secrets_anywhere,
    sockets_of_the_host,
    network,
    way_back_through_a_socket,
    processes_of_others,
    writing_outside,
    capabilities,
    links,
    temporary_places,
    forks,
)
# these end the kernel that runs them, or the whole room: the rehearsal looks from outside whether anybody else noticed
MEMORY = """
import os, signal, time
children = []
for _ in range(8):
    pid = os.fork()
    if pid == 0:
        try:
            hoard = [bytearray(b"x" * 10**7) for _ in range({megabytes} // 10)]
        except BaseException:
            pass
        time.sleep(20)
        os._exit(0)
    children.append(pid)
ended, until = 0, time.monotonic() + 20
while children and not ended and time.monotonic() < until:
    pid, status = os.waitpid(-1, os.WNOHANG)
    ended += pid > 0 and os.WIFSIGNALED(status)
    time.sleep(0.1)
time.sleep(1)
for pid in children:
    os.kill(pid, signal.SIGKILL)
print("ENDED" if ended else "STILL HERE")
"""
DISK = """
import os, pathlib, time
for i in range({megabytes}):
    with open(pathlib.Path.home() / f"hoard{{i}}", "wb") as file:
        file.write(os.urandom(1024) * 1000)
    if i % 50 == 49:
        time.sleep(0.1)
time.sleep(10)
print("STILL HERE")
"""


def main(targets):
    TARGETS.update(targets, python=tuple(targets["python"]))
    (HOME / "mine.txt").write_text(targets["mine"])
    for attempt in ATTEMPTS:
        try:
            got = attempt()
        except Exception as error:  # it proves nothing either way, so it is told
            got = [f"no answer, {type(error).__name__}: {error}"]
        print("TRIED", json.dumps([attempt.__doc__, [str(part)[:200] for part in got[:5]]]), flush=True)
