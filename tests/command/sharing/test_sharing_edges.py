#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis sharing of programs with more threads than are watched, with threads that come and go, with children, that
execute others, and of which a debugger has the registers: they go on as without, and what is missing has a name.
"""
import ctypes
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from command import PRECIS, run
from programs import LIVE, compiled, make_ring, need_registers, path, take_registers
from tap import equal


# Of its accesses, that are read before it ends: at the first of these there mostly has been an experiment
READ = (4000, 16000, 64000, 256000)


def crowd(*words, prefix=()):
    """What is told of it, as soon as there was an experiment; it ends well"""
    need_registers()
    output = path("told")
    for read in READ:
        result = subprocess.run([*prefix, PRECIS, "sharing", *LIVE, "--source", "program", "-o", output, "--",
                                 compiled("crowd"), *map(str, words)], env={**os.environ, "CROWD_READ": str(read)},
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                check=False, timeout=500)
        if result.returncode == 3:
            raise tap.Skip("so many threads are not allowed here")
        equal((result.returncode, result.stdout), (0, "done\n"), result.stderr)
        with open(output, encoding="utf-8") as file:
            told = json.load(file)
        if made(told)["experiments"]:
            break
    return told


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


def three_registers(tid):
    """Of a thread's four"""
    taken = take_registers(tid, 3)
    equal(len(taken), 3)
    return taken


def attach(program, ring):
    result = run("sharing", *LIVE, "-p", program.pid, "--accesses", ring, "--seconds", "0.7")
    assert result.code == 0, result
    return json.loads(result.out)


def test_debuggers():
    """registers that somebody else has, and a program that is traced: both are told"""
    need_registers()
    ring = path("ring")
    make_ring(ring)
    with subprocess.Popen([compiled("workload"), "token", "2", "600", "50", "1"], stdout=subprocess.DEVNULL,
                          env=dict(os.environ, PRECIS_ACCESSES=ring)) as program:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.ptrace.argtypes = [ctypes.c_long] * 4
        try:
            while len(os.listdir("/proc/%d/task" % program.pid)) < 3 and program.poll() is None:
                pass
            taken = [descriptor for task in os.listdir("/proc/%d/task" % program.pid)
                     for descriptor in three_registers(int(task))]
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
