"""What a process inside a room gives up before the first line of a student's: who it was, and all but a little.

Shown in every room beside what runs there, and imported by it; standard library only.
"""

import contextlib
import os


def limit(memory, processes=64, files=256, largest=2**26):
    """Nobody, with no way back, few processes and files, little memory (bytes that may be addressed)."""
    try:
        import resource
    except ImportError:  # Windows, which has no sandbox either
        return
    nobody = int(os.environ.get("KMLAB_UID", 0))
    if os.getuid() == 0 and nobody:
        import ctypes

        system = ctypes.CDLL(None)
        for capability in range(64):  # also for whatever it may start
            system.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
        os.setgroups([])
        os.setresgid(nobody, nobody, nobody)
        os.setresuid(nobody, nobody, nobody)
        system.capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())  # version 3, of this process: none
    for what, most in (
        ("RLIMIT_AS", memory),
        ("RLIMIT_NPROC", processes),
        ("RLIMIT_NOFILE", files),
        ("RLIMIT_FSIZE", largest),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_MSGQUEUE", 0),
        ("RLIMIT_MEMLOCK", 2**16),
        ("RLIMIT_SIGPENDING", 1000),
    ):
        if what == "RLIMIT_NPROC" and not nobody:  # it would count all programs of the user
            continue
        with contextlib.suppress(ValueError, OSError, AttributeError):  # macOS does not have them all
            resource.setrlimit(getattr(resource, what), (most, most))


def standing():
    """What the kernel says about this process: capabilities, filter, identity."""
    found = {"uid": os.getuid(), "groups": os.getgroups()}
    with open("/proc/self/status") as lines:
        for line in lines:
            name, _, value = line.partition(":")
            if name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp"):
                found[name] = int(value, 16)
    return found
