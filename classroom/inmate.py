"""Runs inside the sandbox, and nowhere else: a student's cells, then calls of the student's functions.

Only values leave: numbers, words, arrays, lists of them. What they are worth is decided outside, by a process that has
never run a student's line (classroom/judge.py), so nothing that is overwritten in here can lie about a grade, and no
test ever comes in. This file is the whole of the two sides' language; it imports nothing of the course.
"""

import contextlib
import dis
import json
import os
import shutil
import struct
import sys

import numpy as np

LONGEST = 2**28  # bytes of one message
KINDS = {"b": "|b1", "i": "<i8", "u": "<i8", "f": "<f8", "c": "<c16"}


# ---- messages: a tree in JSON, and the bytes of its arrays


def encode(value):
    arrays = []

    def walk(part, depth=0):
        if depth > 8:
            raise TypeError("a list of lists of lists, too deep")
        if part is ...:
            return None
        if part is None or isinstance(part, bool | str | int | float) and not isinstance(part, np.generic):
            return part
        if hasattr(part, "toarray"):  # sparse
            part = part.toarray()
        if isinstance(part, tuple | list):
            return {"list": [walk(p, depth + 1) for p in part]}
        array = np.asarray(part)
        if array.dtype.kind in "OUS":  # fractions, or numbers read as words: what the checks take for numbers goes out
            array = array.astype(float)
        if array.dtype.kind not in KINDS:
            raise TypeError(type(part).__name__)
        array = array.astype(KINDS[array.dtype.kind])
        arrays.append(array.tobytes())
        return {"array": list(array.shape), "type": array.dtype.str}

    tree = json.dumps(walk(value)).encode()
    body = b"".join(arrays)
    return struct.pack("<QQ", len(tree), len(body)) + tree + body


def decode(tree, body):
    """The value; ValueError, KeyError or TypeError if the bytes are not what encode makes."""
    offset = 0

    def walk(part):
        nonlocal offset
        if not isinstance(part, dict):
            return part
        if "list" in part:
            return [walk(p) for p in part["list"]]
        dtype = np.dtype({t: t for t in KINDS.values()}[part["type"]])
        count = int(np.prod(part["array"], dtype=object))
        array = np.frombuffer(body, dtype, count, offset).reshape(part["array"]).copy()
        offset += array.nbytes
        return array

    return walk(json.loads(tree))


# ---- inside


class Mouth:
    """Takes what a cell prints, up to some thousand letters."""

    encoding = "utf-8"

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += str(text)[: max(0, 5000 - len(self.text))]
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return False


def limit(memory):
    """Nobody with few processes and little memory, before the first line of the student's."""
    try:
        import resource
    except ImportError:  # Windows, which has no sandbox either
        return
    if os.getuid() == 0 and os.environ.get("KMLAB_UID"):
        os.setgroups([])
        os.setgid(int(os.environ["KMLAB_UID"]))
        os.setuid(int(os.environ["KMLAB_UID"]))
    for what, most in (("RLIMIT_AS", memory), ("RLIMIT_NPROC", 64), ("RLIMIT_FSIZE", 2**26), ("RLIMIT_CORE", 0)):
        if what == "RLIMIT_NPROC" and not os.environ.get("KMLAB_UID"):  # it would count all programs of the user
            continue
        with contextlib.suppress(ValueError, OSError):  # macOS does not have them all
            resource.setrlimit(getattr(resource, what), (most, most))


def stand_in(name, sentence):
    """A module in the place of one that is locked: an import of anything from it ends with a sentence."""
    module = type(sys)(name)

    def missing(attribute):
        if sentence and not attribute.startswith("__"):
            raise ImportError(sentence)
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return lambda *arguments, **options: None  # kmlab.course.homework: its checks are asked outside

    module.__getattr__ = missing
    sys.modules[name] = module


def main(locked, memory):
    inside, outside = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    limit(memory)
    for source, target in (("/submission", "."), ("/fonts", os.environ.get("MPLCONFIGDIR"))):
        for name in os.listdir(source) if os.path.isdir(source) else []:  # without a sandbox there is none
            if os.access(f"{source}/{name}", os.R_OK):
                os.makedirs(target, exist_ok=True)
                shutil.copyfile(f"{source}/{name}", f"{target}/{name}")
    sys.path.insert(0, os.getcwd())  # a student's own modules
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    settings = Config()
    settings.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=settings)
    shell.enable_gui = shell.showtraceback = shell.showsyntaxerror = lambda *arguments, **options: None
    stand_in("kmlab.course.homework", None)
    for name in locked:
        stand_in(name, f"{name} is locked while this homework is graded: it holds what you are asked to write.")

    def run(source):
        mouth = Mouth()
        kept = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = mouth
        try:
            result = shell.run_cell(source, store_history=False)
        finally:
            sys.stdout, sys.stderr = kept
        error = result.error_before_exec or result.error_in_exec
        return [mouth.text, error and said(error)]

    kept = {}  # check -> the names as they were when it was reached

    def keep(check):
        mutable = (np.ndarray, list)
        kept[check] = {name: value.copy() if type(value) in mutable else value for name, value in shell.user_ns.items()}
        return None

    def get(name, check=None):
        names = kept.get(check, shell.user_ns)
        if name not in names:
            return ["missing", None]
        value = names[name]
        if callable(value):
            code = getattr(value, "__code__", None)
            return ["function", sorted({step.opname for step in dis.get_instructions(code)}) if code else ["CALL"]]
        try:
            encode(value)
        except Exception:
            return ["strange", type(value).__name__]
        return ["value", value]

    def call(name, arguments, check=None):
        sys.stdout = sys.stderr = Mouth()
        try:
            value = kept.get(check, shell.user_ns)[name](*arguments)
            try:
                encode(value)
            except Exception:
                return ["strange", type(value).__name__]
            return ["value", value]
        except BaseException as error:  # SystemExit too
            return ["error", said(error)]

    commands = {"run": run, "keep": keep, "get": get, "call": call}
    while True:
        head = inside.read(16)
        if len(head) < 16:
            return
        sizes = struct.unpack("<QQ", head)
        name, arguments = decode(inside.read(sizes[0]), inside.read(sizes[1]))
        try:
            answer = encode(commands[name](*arguments))
        except MemoryError:
            answer = encode(["error", "MemoryError"])
        outside.write(answer)
        outside.flush()


def said(error):
    try:
        text = str(error)
    except BaseException:
        text = ""
    return f"{type(error).__name__}: {text}"[:300] if text else type(error).__name__


if __name__ == "__main__":
    main([name for name in sys.argv[1].split(",") if name], int(sys.argv[2]))
