#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis sharing of programs with more threads than are watched, with threads that come and go, with children, that
execute others, and of which a debugger has the registers: they go on as without, and what is missing has a name.
"""
import ctypes
import json
import os
import shlex
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from command import PRECIS, SRCDIR, run
from tap import equal

SCRATCH = tempfile.TemporaryDirectory()
LIVE = ("--source", "program", "--max-overhead", "100", "--window", "500", "--format", "json", "--top", "1000")
RING_BYTES, RING_MAGIC = 64 + 65536 * 40, 0x3230434153434550
PERF_EVENT_OPEN, TYPE_BREAKPOINT = 298, 5


def built(name):
    target = os.path.join(SCRATCH.name, name)
    if not os.path.exists(target):
        subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-O2", "-pthread", "-I", SRCDIR, "-o", target,
                        os.path.join(SRCDIR, "tests/command/sharing", name + ".c")], check=True)
    return target


def need_registers():
    refused = run("sharing", "--", "/bin/true").err
    if "debug register" in refused:
        raise tap.Skip(refused.strip())


def crowd(*words, prefix=()):
    """What is told of it; it ends well"""
    need_registers()
    output = os.path.join(SCRATCH.name, "told")
    result = subprocess.run([*prefix, PRECIS, "sharing", *LIVE, "-o", output, "--", built("crowd"), *map(str, words)],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            check=False, timeout=500)
    if result.returncode == 3:
        raise tap.Skip("so many threads are not allowed here")
    equal((result.returncode, result.stdout), (0, "done\n"), result.stderr)
    with open(output, encoding="utf-8") as file:
        return json.load(file)


def notes(told):
    return " ".join(told["sharing"]["notes"])


def made(told):
    return told["sharing_experiments"]["rows"][0]


def test_crowds():
    """as many threads as are watched, and more: these are named; blocked ones do no harm"""
    told = crowd("crowd", 60)
    assert made(told)["experiments"] > 0 and "are not watched" not in notes(told), told["sharing"]
    told = crowd("crowd", 2000)
    assert "more than 256 threads are not watched" in notes(told), told["sharing"]


def test_descriptors():
    """where no more files may be open, that is told"""
    told = crowd("crowd", 60, prefix=("sh", "-c", 'ulimit -n 64; exec "$@"', "sh"))
    assert "the registers of a thread could not be had: Too many open files" in notes(told), told["sharing"]


def test_comers():
    """threads that come and go: no transfer is of a thread that there was not"""
    told = crowd("comers", 60)
    assert made(told)["samples"] > 1000, made(told)
    for row in told.get("sharing_pairs", {"rows": []})["rows"]:
        assert row["from"] != row["to"], row


def test_exec():
    """a program that executes another one is watched on"""
    told = crowd("exec")
    assert made(told)["experiments"] > 0, made(told)


def test_fork():
    """a child's copy of a line is not the line"""
    told = crowd("fork")
    assert made(told)["experiments"] > 0, made(told)
    equal(len(told["sharing_parties"]["rows"]), 2)


class Breakpoint(ctypes.Structure):
    """struct perf_event_attr, as far as a breakpoint needs it"""
    _fields_ = [("type", ctypes.c_uint32), ("size", ctypes.c_uint32), ("config", ctypes.c_uint64),
                ("period", ctypes.c_uint64), ("sample_type", ctypes.c_uint64), ("read_format", ctypes.c_uint64),
                ("flags", ctypes.c_uint64), ("wakeup", ctypes.c_uint32), ("bp_type", ctypes.c_uint32),
                ("bp_addr", ctypes.c_uint64), ("bp_len", ctypes.c_uint64)]


def take_registers(tid):
    """Three of a thread's four"""
    libc = ctypes.CDLL(None, use_errno=True)
    taken = []
    for n in range(3):
        attr = Breakpoint(type=TYPE_BREAKPOINT, size=72, bp_type=2, bp_addr=0x10000 + 8 * n, bp_len=8,
                          flags=1 | 1 << 5 | 1 << 6)
        taken.append(libc.syscall(PERF_EVENT_OPEN, ctypes.byref(attr), tid, -1, -1, 0))
    assert min(taken) >= 0, taken
    return taken


def attach(program, ring):
    result = run("sharing", *LIVE[2:], "-p", program.pid, "--accesses", ring, "--seconds", "0.7")
    assert result.code == 0, result
    return json.loads(result.out)


def test_debuggers():
    """registers that somebody else has, and a program that is traced: both are told"""
    need_registers()
    ring = os.path.join(SCRATCH.name, "ring")
    with open(ring, "wb") as file:
        file.write(struct.pack("<Q", RING_MAGIC))
        file.truncate(RING_BYTES)
    with subprocess.Popen([built("workload"), "token", "2", "600", "50", "1"], stdout=subprocess.DEVNULL,
                          env=dict(os.environ, PRECIS_ACCESSES=ring)) as program:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.ptrace.argtypes = [ctypes.c_long] * 4
        try:
            while len(os.listdir("/proc/%d/task" % program.pid)) < 3 and program.poll() is None:
                pass
            taken = [descriptor for task in os.listdir("/proc/%d/task" % program.pid)
                     for descriptor in take_registers(int(task))]
            told = attach(program, ring)
            assert "the registers of a thread could not be had: No space left on device" in notes(told), notes(told)
            equal(sum(row["transfers"] for row in told["sharing"]["rows"]), 0)
            for descriptor in taken:
                os.close(descriptor)
            assert "a debugger or tracer has the program" not in notes(attach(program, ring))
            # PTRACE_SEIZE: it is not stopped
            if libc.ptrace(0x4206, program.pid, 0, 0):
                raise tap.Skip("this process may not trace another")
            told = attach(program, ring)
            assert "a debugger or tracer has the program" in notes(told), notes(told)
        finally:
            program.kill()


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
