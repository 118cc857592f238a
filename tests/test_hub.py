"""A class on one machine: passwords, rooms, certificates, and a small rehearsal with everything real."""

import asyncio
import importlib.util
import json
import os
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import pytest

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))  # course.py and classroom/ stand beside the package
if os.name == "nt":
    pytest.skip("the hub needs Linux", allow_module_level=True)
from classroom import hub, memory, register, sandbox, warden  # noqa: E402

needs_sandbox = pytest.mark.skipif(not sandbox.works(), reason="bubblewrap is missing")


@pytest.fixture
def group(tmp_path, monkeypatch):
    monkeypatch.setattr(register, "STRENGTH", {"n": 2, "r": 1, "p": 1})  # hashing is slow on purpose
    return register.Register(tmp_path / "class")


# ---- the way in


def test_an_answer_does_not_shut_the_door_on_the_proxy(monkeypatch):
    """Node writes nothing once more when a question is over, which a Unix socket refuses if the other end is gone."""
    from tornado import http1connection, httpserver, netutil, web

    from kmlab import server

    class Saved(web.RequestHandler):
        def put(self):
            self.write("done")

    async def ask(path):
        http, loop = httpserver.HTTPServer(web.Application([("/", Saved)])), asyncio.get_running_loop()
        http.add_socket(netutil.bind_unix_socket(path))
        with socket.socket(socket.AF_UNIX) as proxy:
            proxy.setblocking(False)
            await loop.sock_connect(proxy, path)
            await loop.sock_sendall(
                proxy, b"PUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab"
            )
            assert b"200 OK" in (said := await loop.sock_recv(proxy, 10**5)) and b"Connection: close" in said
            await asyncio.sleep(0.05)
            proxy.send(b"")
        http.stop()

    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        with pytest.raises(BrokenPipeError):
            asyncio.run(ask(f"{folder}/before"))
        finish = http1connection.HTTP1Connection._finish_request
        monkeypatch.setattr(http1connection.HTTP1Connection, "_finish_request", finish)  # and back, after this test
        server.wait_for_the_proxy()
        asyncio.run(ask(f"{folder}/now"))


def test_a_hub_ends_with_the_command_that_started_it_and_is_alone(tmp_path):
    code = (
        "import subprocess, sys\nfrom classroom import hub\n"
        "print(subprocess.Popen(['sleep', '600'], preexec_fn=hub.end_with_parent).pid, flush=True)\nsys.stdin.read()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "cwd": PROJECT}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as command:
        hub_pid = int(command.stdout.readline())
        command.kill()
    until = time.monotonic() + 60
    while memory.processes(hub_pid)[:1] and memory.processes(hub_pid)[0].state != "Z" and time.monotonic() < until:
        time.sleep(0.05)
    assert time.monotonic() < until
    with hub.alone(tmp_path), pytest.raises(SystemExit, match="A hub runs already"), hub.alone(tmp_path):
        pass


# ---- names and passwords


def test_every_name_gets_a_password_of_its_own_and_keeps_it(group):
    first = group.enrol({"ada": "Ada Lovelace", "grace@navy.example": ""})
    assert list(first) == ["ada", "grace@navy.example"] and len(set(first.values())) == 2
    assert list(group.enrol({"ada": "", "emmy": ""})) == ["emmy"]
    assert all(group.is_right(name, password) for name, password in first.items())
    assert not group.is_right("ada", first["grace@navy.example"]) and not group.is_right("nobody", "")


def test_a_password_is_kept_as_a_hash_and_stands_on_a_slip_alone(group):
    new = group.enrol({"ada": "Ada <Lovelace>", "emmy": ""})
    slips = register.write_slips(group.folder, new, group.read(), "https://lab.example:8000", "AB:CD")
    again = register.write_slips(group.folder, new, group.read(), "https://lab.example:8000")
    texts = {path.name: path.read_text() for path in group.folder.iterdir()}
    assert slips != again  # the first may not be printed yet
    for password in new.values():
        assert {name for name, text in texts.items() if password in text} == {slips.name, again.name}
    assert "Ada &lt;Lovelace&gt;" in texts[slips.name] and "AB:CD" in texts[slips.name]
    assert all(path.stat().st_mode & 0o077 == 0 for path in (slips, group.file))


def test_a_password_is_changed_and_a_name_is_locked_out_and_let_in_again(group):
    before = group.enrol({"ada": ""})["ada"]
    after = group.set_password("ada")
    assert group.is_right("ada", after) and not group.is_right("ada", before)
    group.revoke("ada")
    assert not group.is_right("ada", after)
    assert group.is_right("ada", group.set_password("ada"))


def test_the_command_changes_passwords_of_names_that_are_there(group, monkeypatch, capsys):
    monkeypatch.setattr(hub, "CLASS", group.folder)
    before = group.enrol({"ada": ""})["ada"]
    assert hub.main(["--new-password", "Ada"]) == 0 and not group.is_right("ada", before)
    assert hub.main(["--revoke", "ada"]) == 0 and group.read()["ada"]["revoked"]
    with pytest.raises(SystemExit, match="There is no 'eve'"):
        hub.main(["--revoke", "eve"])


def test_passwords_in_clear_of_an_earlier_version_go_on_as_hashes(group):
    group.folder.mkdir()
    (group.folder / "passwords.csv").write_text("ada,old-password\n")
    assert register.old_passwords(group.folder) and not (group.folder / "passwords.csv").exists()
    assert group.is_right("ada", "old-password") and not register.old_passwords(group.folder)


@pytest.mark.parametrize("name", ["../ada", "a b", ".hidden", "x" * 65, "a/b", "ada;", "a@b@c", "a@/b", "Ada\u0301"])
def test_a_name_that_is_no_folder_is_refused_with_its_line(name, tmp_path):
    (tmp_path / "students.txt").write_text(f"grace\n{name}\n")
    with pytest.raises(SystemExit, match="Line 2 of students.txt holds"):
        register.people(tmp_path / "students.txt")


def test_a_class_is_a_list_of_names_or_a_table(tmp_path):
    file = tmp_path / "students"
    file.write_text("Ada@Example.org\n\n  grace \n")
    assert register.people(file) == {"ada@example.org": "", "grace": ""}
    file.write_text("name,id,email\nAda Lovelace,1,ada@example.org\n")
    assert register.people(file) == {"ada@example.org": "Ada Lovelace"}


@pytest.mark.parametrize("password", ["short", "x" * 201, "ada-lovelace-1815", "aaaaaaaaaaaa"])
def test_a_password_that_is_guessed_easily_is_refused(password):
    assert register.too_weak(password, "ada@example.org") and not register.too_weak("a fine long one", "ada")


# ---- certificates


@pytest.mark.skipif(not importlib.util.find_spec("cryptography"), reason="JupyterHub brings cryptography")
def test_a_certificate_is_made_once_and_known_by_its_fingerprint(tmp_path, monkeypatch):
    monkeypatch.setattr(hub, "CLASS", tmp_path)
    made = hub.certificate(hub.parse(["--host", "lab.example"]))
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(made["cert"], made["key"])
    assert Path(made["key"]).stat().st_mode & 0o077 == 0
    assert hub.certificate(hub.parse(["--host", "lab.example"])) == made
    assert hub.certificate(hub.parse(["--host", "other.example"]))["fingerprint"] != made["fingerprint"]
    if shutil.which("openssl"):
        ask = ["openssl", "x509", "-noout", "-fingerprint", "-sha256", "-in", made["cert"]]
        said = subprocess.run(ask, capture_output=True, text=True).stdout
        assert hub.fingerprint(made["cert"]) == said.strip().partition("=")[2]
    assert hub.certificate(hub.parse(["--here"])) is None
    with pytest.raises(SystemExit, match="are no certificate and its key"):
        hub.certificate(hub.parse(["--cert", made["key"], "--key", made["cert"]]))


# ---- rooms


def test_root_does_not_start_a_hub_without_rooms_or_with_rooms_that_keep_a_right(monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 0)
    with pytest.raises(SystemExit, match="every student root"):
        hub.check_rooms(trust=True)
    kept = {"uid": 5, "groups": [], "CapEff": 0, "CapBnd": 1, "NoNewPrivs": 1, "tried": []}
    for found in (kept, kept | {"CapBnd": 0, "tried": ["mount"]}, kept | {"CapBnd": 0, "uid": 0}):
        monkeypatch.setattr(hub, "standing", lambda found=found: found)
        with pytest.raises(SystemExit, match="Started by root, a room must give up everything"):
            hub.check_rooms(trust=False)


@needs_sandbox
def test_a_room_shows_the_course_and_one_folder_and_has_no_rights(tmp_path):
    own, other = tmp_path / "homes/own", tmp_path / "homes/other"
    for folder in (own, other):
        folder.mkdir(parents=True)
        (folder / "file").write_text(folder.name)
        os.chown(folder, *[hub.FIRST_UID if os.getuid() == 0 else -1] * 2)
        os.chmod(folder / "file", 0o644)
    course = shlex.quote(str(PROJECT))  # which may lie in a folder with spaces
    script = (
        f"cat ~/file; echo new > ~/new; ls -d {other} {course}/.git {course}/classroom {course}/tests /etc/passwd;"
        f"echo x > {course}/kmlab/x; grep -h ^Cap /proc/self/status | sort -u -k2; ls {course}"
    )
    first = "import sys; sys.path.insert(0, '/'); import bounds, os; bounds.limit(2**31)"
    inside = [sys.executable, "-I", "-c", f"{first}; os.execv('/bin/sh', ['sh', '-c', {script!r}])"]
    process = sandbox.start(
        hub.room(own), inside, env=hub.variables(0), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    said = process.communicate()[0].decode().splitlines()
    assert said[0].startswith("ownCap") and said[0].endswith("\t0000000000000000"), said
    assert said[1:] == [name for name in sorted(("course.py", "kmlab", "notebooks", ".venv")) if name[0] != "."]
    assert (own / "new").exists() and not (PROJECT / "kmlab/x").exists()


def test_the_warden_counts_a_folder_without_following_links(tmp_path):
    (tmp_path / "home/deep").mkdir(parents=True)
    (tmp_path / "home/deep/file").write_bytes(os.urandom(10**5))
    (tmp_path / "large").write_bytes(os.urandom(10**6))
    (tmp_path / "home/link").symlink_to(tmp_path / "large")
    taken, files = warden.used(tmp_path / "home")
    assert files == 3 and 10**5 <= taken < 3 * 10**5


@needs_sandbox
@pytest.mark.skipif(
    not importlib.util.find_spec("jupyterhub") or not (hub.PROXY.exists() or shutil.which("npm")),
    reason="JupyterHub or npm is missing",
)
def test_two_students_run_a_notebook_and_neither_reaches_anything_of_the_other(tmp_path, monkeypatch, capsys):
    import course
    from classroom import attacks, rehearsal

    hub.get_proxy()
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import kmlab\nprint(kmlab.__name__)")])
    nbformat.write(notebook, tmp_path / "one.ipynb")
    monkeypatch.setattr(course, "ORIGINALS", tmp_path)
    result, said = rehearsal.run(2, trust=False, notebook="one.ipynb"), capsys.readouterr().out
    assert result == 0 and "2 students ran one.ipynb at once: 2 without an error." in said, said
    for attempt in attacks.ATTEMPTS:
        assert f"{attempt.__doc__}: nothing" in said
    assert "take more memory than there is: ended" in said and "take more disk than there is: ended" in said


# ---- more than one machine


CLUSTER = PROJECT / "classroom/cluster"


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """The files that the recipe copies, as it lays them out."""
    top = tmp_path_factory.mktemp("image")
    for line in (CLUSTER / "Dockerfile").read_text().splitlines():
        if line.startswith("COPY "):
            *sources, target = line.split()[1:]
            place = top / target.strip("/") if target.startswith("/") else top / "srv/course" / target
            for source in sources:
                if (PROJECT / source).is_dir():
                    shutil.copytree(PROJECT / source, place, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    place.mkdir(parents=True, exist_ok=True)
                    shutil.copy(PROJECT / source, place)
    return top


def test_the_image_holds_what_a_room_shows_and_no_solution_or_test(image):
    shown = {path.name for path in (image / "srv/course").iterdir()}
    assert shown == {
        *("kmlab", "notebooks", "course.py", "desk.py", "bounds.py"),
        *("pyproject.toml", "requirements.txt", "README.md"),
    }
    for path in image.rglob("*"):
        if path.suffix in (".py", ".ipynb"):
            assert "### BEGIN SOLUTION" not in (text := path.read_text()) and "### BEGIN HIDDEN TESTS" not in text, path


def test_a_server_in_the_image_brings_the_notebooks_and_keeps_what_was_changed(image, tmp_path):
    config = (image / "etc/jupyter/jupyter_server_config.py").read_text().replace("/srv", f"{image}/srv")
    program = f"from traitlets.config import Config; c = Config(); get_config = lambda: c\n{config}\nprint(dict(c))"
    start = {"env": os.environ | {"HOME": str(tmp_path)}, "capture_output": True, "text": True, "check": True}
    said = subprocess.run([sys.executable, "-c", program], **start).stdout
    assert "PromptConnection" in said and f"{image}/srv/course/kmlab/show/labextensions" in said
    mine, original = tmp_path / "notebooks/05_pca.ipynb", image / "srv/course/notebooks/05_pca.ipynb"
    mine.write_text("mine")
    original.write_text(original.read_text() + "\n")  # a new tag in mid-term
    subprocess.run([sys.executable, "-c", program], **start)
    assert mine.read_text() == "mine"
    assert (tmp_path / "notebooks/new versions/05_pca.ipynb").read_text() == original.read_text()


def test_the_values_bound_every_student_and_let_nobody_out():
    yaml = pytest.importorskip("yaml")
    values = yaml.safe_load((CLUSTER / "values.yaml").read_text())
    assert set(values) == {"hub", "proxy", "singleuser", "cull"}
    student, policy = values["singleuser"], values["singleuser"]["networkPolicy"]
    allowed = {rule for rule, on in policy["egressAllowRules"].items() if on}
    assert policy["enabled"] and allowed == {"dnsPortsKubeSystemNamespace", "dnsPortsPrivateIPs"}
    assert student["memory"]["limit"] == "2G" and student["storage"]["capacity"] == "1Gi" and values["cull"]["enabled"]
    context = values["hub"]["config"]["KubeSpawner"]["container_security_context"]
    assert context["capabilities"] == {"drop": ["ALL"]} and context["allowPrivilegeEscalation"] is False
    assert f"--uid {student['uid']} student" in (CLUSTER / "Dockerfile").read_text()
    assert values["proxy"]["https"]["enabled"] and student["storage"]["homeMountPath"] == "/home/student"


def test_hosts_find_files_that_lead_to_the_requirements():
    (line,) = (PROJECT / ".binder/requirements.txt").read_text().split("\n", 1)[:1]
    assert (PROJECT / ".binder" / line.removeprefix("-r ")).resolve() == PROJECT / "requirements.txt"
    python = (PROJECT / ".binder/runtime.txt").read_text().strip().removeprefix("python-")
    container = json.loads((PROJECT / ".devcontainer/devcontainer.json").read_text())
    assert tuple(map(int, python.split("."))) >= (3, 11) and container["image"] == f"python:{python}"
    assert container["postAttachCommand"] == "python3 course.py"
