"""Is there room for a matrix of n x n, asked before it is made: how much it takes, what is free, and who needs less."""

import os
import sys

from .._warnings import LittleRoom, frames_inside, warn

WORTH = 2**26  # bytes up to which nobody asks
MUCH = 0.5  # share of the free memory from which on it is said
LANDMARKS = "features=Nystroem(kernel, 300)"
OF_FEATURES = "on 300 landmarks, that is, on features of kmlab.scale.Nystroem(kernel, 300),"
NEEDS = {  # how many matrices of n x n are there at once, and who does the same with landmarks
    "NPT": (6, "kmlab.scale.Nystroem(kernel, 300) gives such coordinates from 300 landmarks"),
    "Kernelized": (6, f"the method itself {OF_FEATURES} does the same"),
    "KernelPCA": (6, f"kmlab.scale.PrimalPCA({LANDMARKS}) does the same with 300 landmarks"),
    "KernelPCAL1": (5, f"PCAL1 {OF_FEATURES} does the same"),
    "KernelRidge": (4, f"kmlab.scale.PrimalRidge({LANDMARKS}) does the same with 300 landmarks"),
    "KernelPLS": (3, f"kmlab.scale.PrimalRidge({LANDMARKS}) answers the same question with 300 landmarks"),
    "RVM": (8, f"kmlab.scale.PrimalRidge({LANDMARKS}) answers the same question with 300 landmarks"),
    "KernelLogistic": (3, f"kmlab.scale.PrimalSVC({LANDMARKS}) answers the same question with 300 landmarks"),
    "KernelVQ": (4, "KernelKMeans, which keeps no such matrix, answers the same question"),
    "LFDA": (4, "FDA, which keeps no such matrix, answers the same question"),
    "KernelFDA": (6, f"FDA {OF_FEATURES} does the same"),
    "KernelLFDA": (7, f"FDA {OF_FEATURES} answers the same question"),
    "KernelLPP": (8, f"LPP {OF_FEATURES} does the same"),
    "KernelCCA": (9, f"CCA {OF_FEATURES} of each view does the same"),
    "hsic": (5, f"hsic with Linear() {OF_FEATURES} does the same"),
    "coco": (6, f"coco with Linear() {OF_FEATURES} does the same"),
    "witnesses": (6, f"witnesses with Linear() {OF_FEATURES} does the same"),
    "kcc": (6, f"kcc with Linear() {OF_FEATURES} does the same"),
    "independence_test": (5, f"the same test with Linear() {OF_FEATURES} needs little"),
}
CGROUPS = (
    ("/sys/fs/cgroup", "memory.max", "memory.current"),
    ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
)
OTHERS = 1, "kmlab.scale.Nystroem(kernel, 300) gives features of 300 landmarks whose inner products are nearly as large"


def at_most(memory, wanted):
    """`memory` bytes, or no more than leaves much free where as many as `wanted` are worth a question."""
    return min(memory, int(MUCH * free_memory())) if min(memory, wanted) > WORTH else memory


class NoRoom(MemoryError):
    """A matrix of kernel values that this machine has no room for; it was not begun."""


def look_for(n, m=None, there=0):
    """Refuse, or say, what does not fit or only just: a matrix (n, m), or all of (n, n) that somebody needs.

    there: how many of them are in memory already.
    """
    if 8 * n * (m or n) <= WORTH:
        return
    who = asker()
    count, instead = NEEDS.get(who, OTHERS)
    count = max(0, (1 if m else count) - there)
    needed, free = 8 * count * n * (m or n), free_memory()
    if needed <= MUCH * free:
        return
    matrices = f"{count} matrices" if count > 1 else "a matrix"
    said = f"{who} needs {matrices} of {n} x {m or n}, {amount(needed)}, and {amount(free)} are free here: {instead}"
    if needed > free:
        raise NoRoom(f"{said}; or take fewer points.")
    warn(f"{said}.", LittleRoom)


def asker():
    """Who in this house was called from outside and needs the matrix: the name of a class or of a function."""
    who = ""
    for frame in frames_inside():
        owner = frame.f_locals.get("self")
        names = [frame.f_code.co_name] if owner is None else [cls.__name__ for cls in type(owner).__mro__]
        known = [name for name in names if name in NEEDS]
        who = known[0] if known else who if who in NEEDS else names[0]
    return who


def amount(size):
    """In words."""
    return f"{size / 1e9:.3g} GB" if size >= 1e9 else f"{size / 1e6:.3g} MB"


# ---- what is free


def free_memory():
    """Bytes that may still be taken, of the machine and of the container it runs in; infinite where nobody says."""
    return min(_of_machine(), _of_container())


def _of_machine():
    for line in _lines("/proc/meminfo"):
        if line.startswith("MemAvailable:"):
            return 1024 * int(line.split()[1])
    if sys.platform == "win32":
        import ctypes  # nobody else has a use for it

        status = (ctypes.c_ulonglong * 8)()  # MEMORYSTATUSEX: two numbers of 32 bits, then seven of 64
        ctypes.cast(status, ctypes.POINTER(ctypes.c_ulong))[0] = ctypes.sizeof(status)
        if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
            return status[2]  # ullAvailPhys
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")  # all there is: who cannot say what is free
    except (AttributeError, ValueError, OSError):
        return float("inf")


def _of_container():
    """What a group of processes may take, and has not: of Linux, in its newer and its older form."""
    for folder, limit, used in CGROUPS:
        most, now = _lines(f"{folder}/{limit}"), _lines(f"{folder}/{used}")
        if most and now and most[0].strip().isdigit():
            stat = dict(line.split()[:2] for line in _lines(f"{folder}/memory.stat"))
            files = int(
                stat.get("total_inactive_file", stat.get("inactive_file", 0))
            )  # given back when it is asked for
            return max(0, int(most[0]) - int(now[0]) + files)
    return float("inf")


def _lines(path):
    try:
        with open(path) as file:
            return file.readlines()
    except OSError:
        return []
