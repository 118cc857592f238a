"""Runs inside the sandbox, and nowhere else: a student's cells, then calls of the student's functions.

Only values leave: numbers, words, arrays, lists of them. What they are worth is decided outside, by a process that has
never run a student's line (classroom/judge.py), so nothing that is overwritten in here can lie about a grade, and no
test ever comes in. This file is the whole of the two sides' language; it imports nothing of the course.
"""

import contextlib
import dis
import importlib.machinery
import json
import math
import os
import shutil
import struct
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(__file__))  # in the room this file stands alone
from bounds import limit  # noqa: E402

del sys.path[0]

LONGEST = 2**28  # bytes of one message's arrays
LONGEST_TREE = 2**26  # and of its tree
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
        if isinstance(part, np.ma.MaskedArray):  # what is masked is missing
            part = np.ma.filled(part.astype(float), np.nan)
        if isinstance(part, tuple | list):
            return {"tuple" if isinstance(part, tuple) else "list": [walk(p, depth + 1) for p in part]}
        if isinstance(part, dict):
            return {"dict": [[key_of(key), walk(p, depth + 1)] for key, p in part.items()]}
        if isinstance(part, set | frozenset):
            return {"set": [key_of(p) for p in part]}
        array = np.asarray(part)
        if array.dtype.kind == "O" and any(isinstance(p, complex | np.complexfloating) for p in array.flat):
            array = array.astype(complex)
        if array.dtype.kind in "OUS":  # fractions, or numbers read as words: what the checks take for numbers goes out
            array = array.astype(float)
        if array.dtype.kind == "u" and array.dtype.itemsize == 8:  # may be too large for a signed one
            array = array.astype(float)
        if array.dtype.kind not in KINDS:
            raise TypeError(type(part).__name__)
        array = array.astype(KINDS[array.dtype.kind])
        arrays.append(array.tobytes())
        return {"array": list(array.shape), "type": array.dtype.str}

    tree = json.dumps(walk(value)).encode()
    body = b"".join(arrays)
    return struct.pack("<QQ", len(tree), len(body)) + tree + body


def key_of(key):
    key = key.item() if isinstance(key, np.generic) else key
    if isinstance(key, str | int | float | None):
        return key
    raise TypeError(f"a {type(key).__name__} as a key")


def decode(tree, body):
    """The value; ValueError if the bytes are not what encode makes, whoever made them."""
    offset = 0

    def walk(part, depth=0):
        nonlocal offset
        if depth > 10:
            raise ValueError("too deep")
        if part is None or isinstance(part, bool | float):
            return part
        if isinstance(part, int):
            return part if abs(part) < 2**63 else math.copysign(math.inf, part)
        if isinstance(part, str):
            return part.encode("utf-8", "replace").decode()  # half a letter is no letter
        if not isinstance(part, dict):
            raise ValueError("a bare list")
        ((form, parts),) = part.items() if len(part) == 1 else [(None, None)]
        if form in ("list", "tuple") and isinstance(parts, list):
            inner = [walk(p, depth + 1) for p in parts]
            return inner if form == "list" else tuple(inner)
        if form == "set" and isinstance(parts, list) and all(isinstance(p, str | int | float | None) for p in parts):
            return {walk(p) for p in parts}
        if form == "dict" and isinstance(parts, list) and all(isinstance(p, list) and len(p) == 2 for p in parts):
            if all(isinstance(key, str | int | float | None) for key, _ in parts):
                return {walk(key): walk(p, depth + 1) for key, p in parts}
        shape, kind = part.get("array"), part.get("type")
        if set(part) != {"array", "type"} or kind not in KINDS.values() or not isinstance(shape, list):
            raise ValueError("no array")
        if len(shape) > 16 or not all(type(n) is int and 0 <= n < 2**40 for n in shape):
            raise ValueError("no shape")
        dtype, count = np.dtype(kind), math.prod(shape)
        if count * dtype.itemsize > len(body) - offset:
            raise ValueError("not enough bytes")
        array = np.frombuffer(body, dtype, count, offset).reshape(shape).copy() if count else np.zeros(shape, dtype)
        offset += array.nbytes
        return array if shape else array[()]

    try:
        return walk(json.loads(tree))
    except (RecursionError, MemoryError) as error:
        raise ValueError(type(error).__name__) from None


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


class Locked:
    """Modules in the place of those that are locked: an import of anything from one ends with a sentence."""

    def __init__(self, sentences):
        self.sentences = sentences  # name -> sentence, or None where everything is there and does nothing

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name in self.sentences else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        sentence = self.sentences[module.__name__]

        def missing(attribute):
            if attribute.startswith("__"):
                raise AttributeError(attribute)
            if sentence:
                raise ImportError(sentence)
            return lambda *arguments, **options: None

        module.__getattr__ = missing


def main(locked, memory, root):
    inside, outside = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    limit(memory)
    for source, target in (("/submission", "."), ("/fonts", os.environ.get("MPLCONFIGDIR", "."))):
        with contextlib.suppress(OSError):  # too much, or no sandbox, where there is no such folder
            shutil.copytree(source, target, copy_function=shutil.copyfile, dirs_exist_ok=True)
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    settings = Config()
    settings.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=settings)
    shell.enable_gui = shell.showtraceback = shell.showsyntaxerror = lambda *arguments, **options: None
    shell._tee = lambda channel: contextlib.nullcontext()  # it would keep all that is printed, however much
    why = "is locked while this homework is graded: it holds what you are asked to write."
    stand_ins = {"kmlab.course.homework": None} | {name: f"{name} {why}" for name in locked}  # checks are asked outside
    sys.meta_path.insert(0, Locked(stand_ins))
    sys.path[:0] = [os.getcwd(), root]  # a student's own modules, not before all is there that has such a name; kmlab

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
        if isinstance(value, type(sys)):
            return ["module", value.__name__]
        if callable(value):
            code = getattr(value, "__code__", None)
            return ["function", sorted({step.opname for step in dis.get_instructions(code)}) if code else ["CALL"]]
        try:
            encode(value)
        except BaseException:
            return ["strange", type(value).__name__]
        return ["value", value]

    def call(name, arguments, check=None):
        sys.stdout = sys.stderr = Mouth()
        try:
            value = kept.get(check, shell.user_ns)[name](*arguments)
            try:
                encode(value)
            except BaseException:
                return ["strange", type(value).__name__]
            return ["value", value]
        except BaseException as error:  # SystemExit too
            return ["error", said(error)]

    commands = {"ready": lambda: None, "run": run, "keep": keep, "get": get, "call": call}
    while True:
        head = inside.read(16)
        if len(head) < 16:
            return
        sizes = struct.unpack("<QQ", head)
        name, arguments = decode(inside.read(sizes[0]), inside.read(sizes[1]))
        try:
            answer = encode(commands[name](*arguments))
        except MemoryError:
            answer = encode(["error", "MemoryError"] if name in ("get", "call") else ["", "MemoryError"])
        outside.write(answer)
        outside.flush()


def said(error):
    try:
        text = str(error)
    except BaseException:
        text = ""
    name = type(error).__name__
    return (f"{name}: {text}" if text else name)[:300].encode("utf-8", "replace").decode()


if __name__ == "__main__":
    main([name for name in sys.argv[1].split(",") if name], int(sys.argv[2]), sys.argv[3])
