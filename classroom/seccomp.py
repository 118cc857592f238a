"""What a student's process may not ask the kernel for, as the filter that bubblewrap loads: `--seccomp FD`.

A list of refusals, because numpy, matplotlib and IPython need most of the rest: ways into other namespaces and mounts,
other processes' memory, the kernel's own tools, memory that belongs to no process (memfd, System V), and sockets of
any family that a network namespace does not close, such as those to the machine's host. A program for the kernel's
packet filter (man 2 seccomp), written out here, is shorter than a library's rules.
"""

import errno
import platform
import struct

REFUSED = {  # x86_64, aarch64
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "fanotify_init": (300, 262),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "syslog": (103, 116),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
}
CLONE, SOCKET, SETSOCKOPT, IOCTL, CLONE3 = (56, 220), (41, 198), (54, 208), (16, 29), 435
NAMESPACES = 0x7E020080  # CLONE_NEWTIME, -NEWNS, -NEWCGROUP, -NEWUTS, -NEWIPC, -NEWUSER, -NEWPID, -NEWNET
FAMILIES = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6: the network they lead into is empty
BUFFERS = (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF, and as root does it: memory of the kernel's that no process has
TYPING = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: letters put into a terminal
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column above, AUDIT_ARCH

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL = 0x7FFF0000, 0x80000000
NUMBER, ARCHITECTURE, FIRST, SECOND, THIRD = 0, 4, 16, 24, 32  # in struct seccomp_data; of arguments the lower half


def program(machine=None, families=FAMILIES):
    """The filter for this machine as bytes, or None where the numbers above do not hold. families: of sockets"""
    machine = machine or platform.machine()
    if machine not in MACHINES:
        return None
    column, architecture = MACHINES[machine]
    steps = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, architecture), (RETURN, 0, 0, KILL), (LOAD, 0, 0, NUMBER)]
    steps += [(AT_LEAST, 0, 1, 0x40000000), no(errno.ENOSYS)]  # the numbers of a second table, on x86_64
    for numbers in REFUSED.values():
        steps += [(EQUAL, 0, 1, numbers[column]), no(errno.EPERM)]
    steps += [(EQUAL, 0, 1, CLONE3), no(errno.ENOSYS)]  # its flags are behind a pointer; the C library falls back
    steps += [
        (EQUAL, 0, 4, CLONE[column]),
        (LOAD, 0, 0, FIRST),
        (ANY_BIT, 0, 1, NAMESPACES),
        no(errno.EPERM),
        (LOAD, 0, 0, NUMBER),
        (EQUAL, 0, len(families) + 3, SOCKET[column]),
        (LOAD, 0, 0, FIRST),
        *((EQUAL, len(families) - i, 0, family) for i, family in enumerate(families)),
        no(errno.EINVAL),  # as a kernel says that was built without them; libzmq knows how to go on from there
        (LOAD, 0, 0, NUMBER),
        (EQUAL, 0, len(BUFFERS) + 5, SETSOCKOPT[column]),
        (LOAD, 0, 0, SECOND),
        (EQUAL, 0, len(BUFFERS) + 2, 1),  # SOL_SOCKET
        (LOAD, 0, 0, THIRD),
        *((EQUAL, len(BUFFERS) - 1 - i, i == len(BUFFERS) - 1, size) for i, size in enumerate(BUFFERS)),
        no(0),  # as if it were done: a wish, which programs do not look after
        (LOAD, 0, 0, NUMBER),
        (EQUAL, 0, 4, IOCTL[column]),
        (LOAD, 0, 0, SECOND),
        (EQUAL, 1, 0, TYPING[0]),
        (EQUAL, 0, 1, TYPING[1]),
        no(errno.EPERM),
        (RETURN, 0, 0, ALLOW),
    ]
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def no(error):
    return (RETURN, 0, 0, 0x00050000 | error)
