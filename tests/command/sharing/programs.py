# SPDX-License-Identifier: BSD-3-Clause
"""Programs that tests of precis sharing observe while they run: how they are built, what they want, what is told."""
import ctypes
import os
import struct
import tempfile

import tap
import truths
from command import run

SCRATCH = tempfile.TemporaryDirectory()
RING_BYTES, RING_MAGIC = 64 + 65536 * 40, 0x3230434153434550
# A transfer may be as old as a slow machine makes it
LIVE = ("--max-overhead", "100", "--window", "500", "--format", "json", "--top", "1000")
PERF_EVENT_OPEN, TYPE_BREAKPOINT = 298, 5


def path(*names):
    return os.path.join(SCRATCH.name, *names)


def compiled(name, *options):
    """One of those beside this file; NAME.so: a library"""
    return truths.build(path(name), *options)


def need_registers():
    refused = run("sharing", "--", "/bin/true").err
    if "debug register" in refused:
        raise tap.Skip(refused.strip())


def make_ring(name):
    """Into which a process hands accesses over"""
    with open(name, "wb") as file:
        file.write(struct.pack("<Q", RING_MAGIC))
        file.truncate(RING_BYTES)


class Breakpoint(ctypes.Structure):
    """struct perf_event_attr, as far as a breakpoint needs it"""
    _fields_ = [("type", ctypes.c_uint32), ("size", ctypes.c_uint32), ("config", ctypes.c_uint64),
                ("period", ctypes.c_uint64), ("sample_type", ctypes.c_uint64), ("read_format", ctypes.c_uint64),
                ("flags", ctypes.c_uint64), ("wakeup", ctypes.c_uint32), ("bp_type", ctypes.c_uint32),
                ("bp_addr", ctypes.c_uint64), ("bp_len", ctypes.c_uint64)]


def take_registers(tid, count):
    """So many debug registers of a thread, or as many as there are: their descriptors"""
    libc, taken = ctypes.CDLL(None, use_errno=True), []
    for n in range(count):
        attr = Breakpoint(type=TYPE_BREAKPOINT, size=72, bp_type=2, bp_addr=0x10000 + 8 * n, bp_len=8,
                          flags=1 | 1 << 5 | 1 << 6)
        taken.append(libc.syscall(PERF_EVENT_OPEN, ctypes.byref(attr), tid, -1, -1, 0))
    return [descriptor for descriptor in taken if descriptor >= 0]


def sums(told):
    return {row["row"]: row for row in told["sharing"]["rows"]}


def pairs(told):
    """By the tids of who wrote and who got it"""
    tids = {row["row"]: row["id"] for row in told["sharing_parties"]["rows"]}
    return {(tids[str(row["from"])], tids[str(row["to"])]): row
            for row in told.get("sharing_pairs", {"rows": []})["rows"]}
