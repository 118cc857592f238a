"""JupyterHub for a class on one machine: `python3 course.py hub students.txt`.

students.txt holds a name or an e-mail address a line (or is a table with a heading name,id,email). Everybody gets a
slip with a password (my-class/slips.html), and a room of their own: it shows the system's programs, the course and the
student's own folder (my-class/homes/NAME), has no network, no capabilities and bounds of its own.
"""

import argparse
import contextlib
import ctypes
import datetime
import hashlib
import ipaddress
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
from pathlib import Path

import course

from . import bounds, desk, register, sandbox

CLASS = course.ROOT / "my-class"
PROXY = course.VENV / "hub/node_modules/.bin/configurable-http-proxy"
LAB_CONFIG = course.LAB_CONFIG.with_name("hub")
FIRST_UID = 1_900_000_000  # of the rooms, if root starts the hub: a range that no system hands out
PROCESSES = 400  # threads count
GIGABYTE = 2**30
NO_NODE = "The hub's proxy runs on Node.js: install it (nodejs.org, or `apt install nodejs npm`) and start again."
NO_SANDBOX = (
    "bubblewrap does not work here, and without it every student could read and change everybody's files: "
    "on Debian or Ubuntu run `sudo apt install bubblewrap`, or add --trust if that is what you want."
)
NOT_AS_ROOT = (
    "Started by root, a room must give up everything that root may do, and here it does not ({}): start the hub as an "
    "ordinary user."
)


def main(args=None):
    options = parse(args)
    group = register.Register(CLASS)
    if options.new_password or options.revoke:
        return change(group, options)
    check_rooms(options.trust)
    get_proxy()
    if options.rehearse:
        from . import rehearsal

        return rehearsal.run(options.rehearse, options.trust)
    with alone(CLASS):
        return run(group, options)


@contextlib.contextmanager
def alone(folder):
    """A second hub would take the first one's proxy for a stale one, and end a class that is at work."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (folder / ".hub.lock").open("w") as file:
        if course.taken(file):
            sys.exit(f"A hub runs already with {folder}: end it first, with Ctrl-C.")
        yield


def run(group, options):
    if register.old_passwords(CLASS):
        course.say("my-class/passwords.csv held passwords in clear: they still work, but are kept as hashes now.")
    tls = certificate(options)
    scheme, host = "https" if tls else "http", "127.0.0.1" if options.here else options.host or socket.getfqdn()
    address, fingerprint = f"{scheme}://{host}:{options.port}", tls and tls["fingerprint"]
    new = group.enrol(register.people(Path(options.students))) if options.students else {}
    new |= group.enrol({register.fitting(name): "" for name in options.admin}, admin=True)
    entries = group.read()
    if not entries:
        sys.exit("There are no students yet: write their names into a file, a name a line, and give it to the command.")
    register.private(CLASS / "address.json", json.dumps({"address": address, "fingerprint": fingerprint}))
    if new:
        path = register.write_slips(CLASS, new, entries, address, fingerprint)
        course.say(f"Passwords of {len(new)} new names are on the slips in {path}: print it, then delete it.")
    if fingerprint:
        course.say(f"SHA-256 fingerprint of the certificate: {fingerprint}")
    course.say(f"{len(entries)} names. The class is at {address}; Ctrl-C ends it.")
    settings = {
        "address": "127.0.0.1" if options.here else "",
        "port": options.port,
        "trust": options.trust,
        "memory": int(options.memory * GIGABYTE),
        "disk": int(options.disk * GIGABYTE),
        "idle": options.idle * 60,
        "tls": tls,
        "domain": f"{scheme}://{options.host}:{options.port}" if options.subdomains else "",
    }
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # as Ctrl-C: the rooms are ended, the hub with them
    with started(CLASS, settings) as process:
        while True:
            with contextlib.suppress(KeyboardInterrupt):  # it gets the same Ctrl-C, and ends the rooms
                return process.wait()


def parse(args):
    parser = argparse.ArgumentParser(
        prog="python3 course.py hub", description=__doc__.splitlines()[0], allow_abbrev=False
    )
    parser.add_argument("students", nargs="?", help="a file with a name or an e-mail address a line, or name,id,email")
    parser.add_argument(
        "--admin", action="append", default=[], metavar="NAME", help="who sees the administrator's page"
    )
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", metavar="NAME", help="the machine's name, as students type it")
    parser.add_argument("--here", action="store_true", help="answer this machine only, not the network; without TLS")
    parser.add_argument("--cert", type=Path, help="a certificate of your own, with its chain (PEM)")
    parser.add_argument("--key", type=Path, help="and its key; without both the hub makes one that signs itself")
    parser.add_argument("--subdomains", action="store_true", help="a web origin for each: needs *.HOST in the DNS")
    parser.add_argument("--memory", type=float, default=2, help="gigabytes for each student (2)")
    parser.add_argument("--disk", type=float, default=1, help="gigabytes for each student's folder (1)")
    parser.add_argument("--idle", type=float, default=60, help="minutes until an idle server is stopped (60)")
    parser.add_argument("--new-password", action="append", metavar="NAME", help="replace a password, write a slip")
    parser.add_argument("--revoke", action="append", metavar="NAME", help="lock somebody out, also while it runs")
    parser.add_argument("--trust", action="store_true", help="start without a sandbox around every student")
    parser.add_argument("--rehearse", type=int, metavar="N", help="let N simulated students work, and try to break out")
    options = parser.parse_args(args)
    if bool(options.cert) != bool(options.key):
        parser.error("a certificate needs its key: give --cert and --key.")
    if options.subdomains and not options.host:
        parser.error("--subdomains needs --host NAME, with an entry *.NAME in the DNS.")
    if min(options.memory, options.disk, options.idle) <= 0:
        parser.error("--memory, --disk and --idle are numbers above 0.")
    return options


def change(group, options):
    """Passwords, while a hub runs or not."""
    for name in options.revoke or []:
        name = register.is_known(group, name)
        group.revoke(name)
        course.say(f"{name} is locked out; a running server of theirs stops within a minute. The folder stays.")
    new = {}
    for name in options.new_password or []:
        name = register.is_known(group, name)
        new[name] = group.set_password(name)
    if new:
        said = course.read_json(CLASS / "address.json")
        path = register.write_slips(CLASS, new, group.read(), said.get("address", ""), said.get("fingerprint"))
        course.say(f"The new password is on {path}: print it, then delete it. The old one counts no more.")
    return 0


# ---- starting it


@contextlib.contextmanager
def started(folder, settings, **how):
    """A hub that keeps its state in the folder, and ends with this process; how: as for subprocess."""
    for place in (folder, folder / "hub", folder / "homes"):
        place.mkdir(parents=True, exist_ok=True)
        place.chmod(0o700)
    write_lab_config()
    # sockets are named by their path, which may not be long
    with tempfile.TemporaryDirectory(prefix="kmlab-hub-", dir="/tmp") as sockets:
        variables = {"KMLAB_HUB": json.dumps(settings | {"folder": str(folder.resolve()), "sockets": sockets})}
        environment = course.environment(PYTHONPATH=str(course.ROOT), **variables)
        command = [course.PYTHON, "-m", "jupyterhub", "-f", course.ROOT / "classroom/jupyterhub_config.py"]
        command = [str(part) for part in command]
        process = subprocess.Popen(command, cwd=folder / "hub", env=environment, preexec_fn=end_with_parent, **how)
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(60)
            process.kill()


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG: an orphan would keep the class's port


def write_lab_config():
    """What every student's JupyterLab is told: nbgrader's menus are the instructor's."""
    extensions = {"extra_labextensions_path": [str(course.LAB_EXTENSIONS)]}
    server = {
        "ServerApp": course.PROMPT
        | {"jpserver_extensions": {f"nbgrader.server_extensions.{part}": False for part in course.NBGRADER}},
        "LabApp": extensions,
        "JupyterNotebookApp": extensions,
    }
    course.write(LAB_CONFIG / "labconfig/default_setting_overrides.json", course.LAB_SETTINGS)
    course.write(LAB_CONFIG / "labconfig/page_config.json", {"disabledExtensions": {"@jupyter/nbgrader": True}})
    course.write(LAB_CONFIG / "jupyter_server_config.json", server)


def get_proxy():
    if PROXY.exists():
        return
    npm = shutil.which("npm")
    if npm is None:
        sys.exit(NO_NODE)
    print("Getting the hub's proxy, configurable-http-proxy (some seconds).", flush=True)
    package = "configurable-http-proxy@5"
    if subprocess.call([npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", PROXY.parents[2], package]):
        sys.exit("npm could not install configurable-http-proxy: check the internet connection and start again.")


# ---- rooms


def room(home, hub_socket=None):
    """What bubblewrap is told about a student's room on the hub."""
    import matplotlib

    shown = {course.ROOT / name: course.ROOT / name for name in ("kmlab", "notebooks", "course.py")}
    shown |= {"/desk.py": desk.__file__, "/bounds.py": bounds.__file__, "/fonts": matplotlib.get_cachedir()}
    shown |= {"/run/hub.sock": hub_socket} if hub_socket else {}
    return sandbox.closed(shown, home)


def variables(number, name="student"):
    """The environment of a room, without what the hub adds."""
    made = {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": sandbox.HOME,
        "USER": name,
        "LOGNAME": name,
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "TMPDIR": "/tmp",
        "JUPYTER_RUNTIME_DIR": "/tmp/jupyter",
        "JUPYTER_CONFIG_PATH": str(LAB_CONFIG),
        "MALLOC_ARENA_MAX": "2",  # a class's worth of processes with many threads
    }
    if os.getuid() == 0 or sandbox.kernel() >= (5, 14):  # from there on every room counts its own processes
        made["KMLAB_UID"] = str(FIRST_UID + number)
    return made | course.ONE_THREAD


def command(settings, *arguments):
    """What runs in a room."""
    place = "/desk.py" if not settings.get("trust") else desk.__file__
    told = {"root": str(course.ROOT), "processes": PROCESSES, "full": False} | settings
    return [sys.executable, "-I", place, json.dumps(told), *arguments]


def standing():
    """What a process in such a room may still do, asked of one; None if there is no such room."""
    if shutil.which("bwrap") is None:
        return None
    with tempfile.TemporaryDirectory() as home:
        os.chown(home, *[FIRST_UID if os.getuid() == 0 else -1] * 2)
        told = command({"check": True, "addressed": GIGABYTE, "disk": GIGABYTE})
        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = sandbox.start(room(home), told, env=variables(0), **how)
        said, trouble = process.communicate()
    try:
        return json.loads(said)
    except ValueError:
        course.say(trouble.decode(errors="replace").strip()[-500:])
        return None


def check_rooms(trust):
    """End with a sentence where students would not be apart; say what this system lacks."""
    if trust and os.name != "nt" and os.getuid() == 0:
        sys.exit("--trust would make every student root of this machine: start the hub as an ordinary user.")
    if trust:
        return
    found = standing()
    if found is None:
        sys.exit(NO_SANDBOX)
    left = [name for name, value in found.items() if name.startswith("Cap") and value]
    left += [] if found["NoNewPrivs"] else ["NoNewPrivs"]
    left += [f"it could: {way}" for way in found["tried"]]
    if os.getuid() == 0:
        left += [name for name in ("uid", "groups") if found[name] in (0, [0]) or (name == "groups" and found[name])]
    if left:
        sys.exit(NOT_AS_ROOT.format(", ".join(left)) if os.getuid() == 0 else NO_SANDBOX)
    for sentence in sandbox.missing():
        course.say(f"Not to be had on this system: {sentence.replace('submission', 'room')}.")


# ---- TLS


def certificate(options):
    """cert, key and the fingerprint to compare; None with --here, which only this machine hears."""
    if options.here:
        return None
    if options.cert:
        return {"cert": str(options.cert.resolve()), "key": str(options.key.resolve())} | checked(options)
    cert, key = CLASS / "hub/cert.pem", CLASS / "hub/key.pem"
    names = [options.host] if options.host else []
    names += [socket.getfqdn(), socket.gethostname(), "localhost", "127.0.0.1", own_ip()]
    names = list(dict.fromkeys(filter(None, names))) + ([f"*.{options.host}"] if options.subdomains else [])
    if not still_good(cert, names):
        make_certificate(cert, key, names)
    return {"cert": str(cert), "key": str(key), "fingerprint": fingerprint(cert)}


def checked(options):
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(options.cert, options.key, password="")
    except (OSError, ssl.SSLError, ValueError) as error:
        sys.exit(f"{options.cert} and {options.key} are no certificate and its key ({error}): give two PEM files.")
    return {"fingerprint": None}  # whoever signed it is known to browsers


def fingerprint(cert):
    der = ssl.PEM_cert_to_DER_cert(Path(cert).read_text())
    digest = hashlib.sha256(der).hexdigest().upper()
    return ":".join(digest[i : i + 2] for i in range(0, len(digest), 2))


def own_ip():
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # asks which way it would go; nothing is sent
        return probe.getsockname()[0]


def still_good(cert, names):
    from cryptography import x509

    if not cert.exists():
        return False
    found = x509.load_pem_x509_certificate(cert.read_bytes())
    month = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=30)
    known = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    known = {str(name.value) for name in known}
    return found.not_valid_after_utc > month and known >= set(names)


def make_certificate(cert, key, names):
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    def named(name):
        with contextlib.suppress(ValueError):
            return x509.IPAddress(ipaddress.ip_address(name))
        return x509.DNSName(name)

    secret, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, names[0][:64])])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(secret.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=365))
        .add_extension(x509.SubjectAlternativeName([named(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(secret, hashes.SHA256())
    )
    cert.parent.mkdir(parents=True, exist_ok=True)
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    register.private(key, secret.private_bytes(*form).decode())
    register.private(cert, made.public_bytes(serialization.Encoding.PEM).decode())


if __name__ == "__main__":
    sys.exit(main())
