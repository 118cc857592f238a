"""The names of a class and the hashes of their passwords: my-class/students.json. A password is seen once, on a slip.

Read anew at every login, and changed by one process at a time: the hub, or a command beside it.
"""

import base64
import contextlib
import csv
import fcntl
import hashlib
import hmac
import html
import json
import os
import re
import secrets
import sys

from . import handed_in

NAME = re.compile(r"[a-z0-9][a-z0-9._+-]{0,63}(@[a-z0-9][a-z0-9.-]{0,63})?")  # also a folder and a part of an address
WORDS = "a name has up to 64 letters a-z, digits, dots and hyphens, or is an e-mail address"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another one on paper
SHORTEST = 10  # of a password that a student chooses
STRENGTH = {"n": 2**14, "r": 8, "p": 1}  # of scrypt: 16 MB and some hundredths of a second for each guess


class Register:
    def __init__(self, folder):
        self.folder, self.file = folder, folder / "students.json"

    def read(self):
        """name -> {number, hash, admin, revoked, person}."""
        try:
            return json.loads(self.file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except ValueError:
            sys.exit(f"{self.file} is damaged: put a copy of it back, or delete it and enrol the class anew.")

    @contextlib.contextmanager
    def changing(self):
        """The entries, to be changed; nobody else changes them meanwhile."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(os.open(self.folder / ".students.lock", os.O_WRONLY | os.O_CREAT, 0o600), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            entries = self.read()
            yield entries
            private(self.file, json.dumps(entries, indent=1))

    def enrol(self, people, admin=False):
        """Give every new name a password; -> name -> password of the new ones. Names that are there keep theirs."""
        new = {}
        with self.changing() as entries:
            for name, person in people.items():
                if name in entries:
                    entries[name]["admin"] |= admin
                    continue
                number = 1 + max((entry["number"] for entry in entries.values()), default=0)
                new[name] = random_password()
                entries[name] = {"number": number, "hash": hashed(new[name]), "admin": admin, "revoked": False}
                entries[name]["person"] = person
        return new

    def set_password(self, name, password=None):
        """A new password, which also gives back what was revoked; -> the password."""
        password = password or random_password()
        with self.changing() as entries:
            entries[name] |= {"hash": hashed(password), "revoked": False}
        return password

    def revoke(self, name):
        with self.changing() as entries:
            entries[name]["revoked"] = True

    def is_right(self, name, password):
        entry = self.read().get(name)
        right = matches(password, entry["hash"] if entry else NOBODY)  # as long for a name that is not there
        return right and entry is not None and not entry["revoked"]


def private(path, text):
    """Write a file that nobody else on the machine may read, whole or not at all."""
    part = path.with_name("." + path.name + ".part")
    with contextlib.suppress(FileNotFoundError):
        part.unlink()
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        out.write(text)
    os.replace(part, path)


# ---- passwords


def random_password():
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3))


def hashed(password, salt=None):
    salt = salt or os.urandom(16)
    digest = hashlib.scrypt(password.encode("utf-8", "replace"), salt=salt, **STRENGTH)
    return ":".join(["scrypt", base64.b64encode(salt).decode(), base64.b64encode(digest).decode()])


def matches(password, stored):
    salt = base64.b64decode(stored.split(":")[1])
    return len(password) <= 200 and hmac.compare_digest(hashed(password, salt), stored)


NOBODY = hashed(secrets.token_hex(16))


def too_weak(password, name):
    """A sentence about a password that a student chose, or None."""
    if len(password) < SHORTEST:
        return f"A password has at least {SHORTEST} letters."
    if len(password) > 200:
        return "A password has at most 200 letters."
    if name.partition("@")[0] in password.casefold() or len(set(password)) < 4:
        return "This one is guessed too easily: choose another."
    return None


# ---- names


def people(file):
    """name -> how the person is called, from a file with a name a line, or a table with a heading name,id,email."""
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"{file} cannot be read ({error}): it should be a text file with a name a line.")
    first = next((line for line in lines if line.strip()), "")
    if set(first) & set(",;\t"):
        listed = [person | {"line": i} for i, person in enumerate(handed_in.listed(file), 2)]
    else:
        listed = [{"name": "", "id": "", "email": line.strip(), "line": i} for i, line in enumerate(lines, 1)]
    found = {}
    for person in listed:
        name = (person["email"] or person["name"]).lower()
        if name:
            found.setdefault(fitting(name, f"Line {person['line']} of {file.name} holds"), person["name"])
    return found


def fitting(name, where="This is"):
    name = name.strip().lower()
    if not NAME.fullmatch(name):
        sys.exit(f"{where} {name!r}: {WORDS}.")
    return name


# ---- slips


SLIPS = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Slips for the class</title>
<style>
body {{ font: 11pt/1.5 system-ui, sans-serif; margin: 1cm; color: #000; background: #fff }}
.note {{ border: 1px solid; padding: .5em 1em; margin-bottom: 1em }}
@media print {{ .note {{ display: none }} }}
section {{ border: 1px dashed #777; padding: .5em 1em; margin: -1px 0 0; break-inside: avoid }}
h2 {{ font-size: 12pt; margin: 0 }} p {{ margin: .2em 0 }} b, code {{ font: 12pt ui-monospace, monospace }}
small {{ overflow-wrap: anywhere }}
</style>
<p class="note">Print this page, cut it along the dashed lines, and delete the file: nothing else on this machine knows
these passwords. A lost one is replaced with <code>python3 course.py hub --new-password NAME</code>.</p>
{}
</html>
"""
SLIP = """<section><h2>{person}</h2>
<p>Address: <code>{address}</code></p><p>Name: <b>{name}</b> &nbsp; Password: <b>{password}</b></p>
<p>{tls}Please choose a password of your own: <code>{address}/hub/password</code></p></section>"""
TLS = """Your browser will say that it does not know this machine's certificate. Look at it: it is the right one if its
SHA-256 fingerprint is <small><code>{}</code></small>; then go on. """


def write_slips(folder, passwords, entries, address, fingerprint=None):
    """A page to print, with a slip for each of these; -> its path."""
    sections = [
        SLIP.format(
            person=html.escape(entries[name].get("person") or name),
            address=html.escape(address),
            name=html.escape(name),
            password=html.escape(password),
            tls=TLS.format(fingerprint) if fingerprint else "",
        )
        for name, password in passwords.items()
    ]
    number, path = 1, folder / "slips.html"
    while path.exists():  # the ones before may not be printed yet
        number, path = number + 1, folder / f"slips-{number + 1}.html"
    private(path, SLIPS.format("\n".join(sections)))
    return path


def old_passwords(folder):
    """What an earlier version of the course kept in clear, turned into hashes; -> whether there was something."""
    file, register = folder / "passwords.csv", Register(folder)
    if not file.exists():
        return False
    with file.open(newline="", encoding="utf-8") as rows:
        before = dict(csv.reader(rows))
    register.enrol({name: "" for name in before})
    for name, password in before.items():
        register.set_password(name, password)
    file.unlink()
    return True


def is_known(register, name):
    """The name as it is written in the register, or an end with a sentence."""
    name = fitting(name)
    if name not in register.read():
        sys.exit(f"There is no {name!r} in {register.file}.")
    return name
