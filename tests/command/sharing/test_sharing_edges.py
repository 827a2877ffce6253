#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis sharing of programs with more threads than are watched, with threads that come and go, with children, that
execute others, and of which a debugger has the registers: they go on as without, and what is missing has a name.
"""
import ctypes
import errno
import functools
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from command import PRECIS, Result, run
from programs import LIVE, PERF_EVENT_OPEN, compiled, make_ring, need_registers, path, take_registers
from tap import equal


# Of its accesses, that are read before it ends: at the first of these there mostly has been an experiment
READ = (4000, 16000, 64000, 256000)


def crowd(*words, prefix=()):
    """What is told of it, as soon as an experiment came to its end; it ends well"""
    need_registers()
    output = path("told")
    for read in READ:
        result = subprocess.run([*prefix, PRECIS, "sharing", *LIVE, "--source", "program", "-o", output, "--",
                                 compiled("crowd"), *map(str, words)], env={**os.environ, "CROWD_READ": str(read)},
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                check=False, timeout=500)
        if result.returncode == 3:
            raise tap.Skip("so many threads are not allowed here")
        # of few threads that may be watched none may be one that stores
        is_blind = re.search("no thread could be watched: .*too many open files", result.stderr) is not None
        equal((result.returncode, result.stdout), (int(is_blind), "done\n"), result.stderr)
        with open(output, encoding="utf-8") as file:
            told = json.load(file)
        if made(told)["stored"] or is_blind:
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
    # the two that store came last, and are those that matter
    assert made(told)["stored"] > 0 and told["sharing"]["rows"][0]["transfers"] > 0, told["sharing"]
    beyond = re.search(r"more than 256 threads are not watched.* ([0-9]+) of ([0-9]+) accesses stored", notes(told))
    assert beyond and 0 <= int(beyond[1]) < int(beyond[2]) == made(told)["samples"], told["sharing"]
    for name in told:
        assert "nan" not in " ".join(told[name].get("notes", []) if isinstance(told[name], dict) else []), told[name]


# What they store ends no experiment
BESIDE_UNSEEN = "are of lines to which threads store that are not watched: such stores are missed"


def test_busy_crowds():
    """threads beyond those that are watched store to the line, too: what that adds is taken off, and has a note"""
    told = crowd("busy", 400)
    assert made(told)["stored"] > 0 and told["sharing"]["rows"][0]["transfers"] > 0, told["sharing"]
    assert "100% of the transfers " + BESIDE_UNSEEN in notes(told), told["sharing"]
    for others in (("busy", 60), ("crowd", 400)):
        told = crowd(*others)
        assert made(told)["stored"] > 0 and BESIDE_UNSEEN not in notes(told), told["sharing"]


def test_descriptors():
    """where no more files may be open, that is told"""
    told = crowd("crowd", 60, prefix=("sh", "-c", 'ulimit -n 64; exec "$@"', "sh"))
    assert "the registers of a thread could not be had: too many open files" in notes(told), told["sharing"]
    # those of the two that store could
    assert made(told)["stored"] > 0, made(told)


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


def foreign(told):
    """Accesses that other processes handed over"""
    return int(re.search("([0-9]+) accesses were handed over by other processes", notes(told))[1])


def test_children():
    """what a child hands over is no thread's of the process: that is told, and how much there was of it"""
    need_registers()
    ring = path("ring")
    for seconds in (0.7, 2, 10):
        make_ring(ring)
        # no thread ends before who watches does: of none it can be told that it has
        with subprocess.Popen([compiled("crowd"), "family"], stdout=subprocess.DEVNULL, start_new_session=True,
                              env={**os.environ, "PRECIS_ACCESSES": ring, "CROWD_READ": str(2 ** 63)}) as program:
            try:
                await_threads(program)
                told = attach(program, ring, seconds)
            finally:
                os.killpg(program.pid, signal.SIGKILL)
        if made(told)["stored"] and " by other processes" in notes(told):
            break
    rows = told["sharing_parties"]["rows"]
    equal((len(rows), foreign(told)), (2, made(told)["samples"] - sum(row["loads"] + row["stores"] for row in rows)))
    assert made(told)["stored"] and "had ended before it was watched" not in notes(told), notes(told)


def test_script():
    """a program that a script runs is none that is watched, and no 0 is told of it"""
    need_registers()
    result = run("sharing", *LIVE, "--source", "program", "-o", path("told"), "--", "/bin/sh", "-c",
                 compiled("workload") + " false 2 0.3 50 1; exit 0")
    assert result.code == 1 and "all accesses were handed over by other processes" in result.err, result
    with open(path("told"), encoding="utf-8") as file:
        told = json.load(file)
    equal((told["sharing"]["rows"], foreign(told)), ([], made(told)["samples"]))


def three_registers(tid):
    """Of a thread's four"""
    taken = take_registers(tid, 3)
    equal(len(taken), 3)
    return taken


def attach(program, ring, seconds=0.7):
    result = run("sharing", *LIVE, "-p", program.pid, "--accesses", ring, "--seconds", str(seconds))
    assert result.code == 0, result
    return json.loads(result.out)


def check_nothing(result, why):
    """Of no thread anything is known, which is no zero"""
    told = json.loads(result.out)
    equal((result.code, told["sharing"]["rows"], made(told)["experiments"]), (1, [], 0), result)
    assert "no thread could be watched: its debug registers cannot be had: " + why in result.err, result.err
    # of no pair, and of no thread
    equal({(row["received"], row["received_high"], row["sent"], row["sent_high"])
           for row in told["sharing_parties"]["rows"]}, {(None,) * 4})
    equal({cell for row in told["sharing_matrix"]["rows"] for name, cell in row.items() if name.startswith("to_")},
          {None})
    assert "switched so often" not in " ".join(told["sharing_experiments"]["notes"]), told["sharing_experiments"]
    assert "the registers of a thread could not be had: " + why in notes(told), notes(told)
    assert "experiments were not made, as their writer could not be watched" in notes(told), notes(told)
    assert "had ended before it was watched" not in notes(told), notes(told)


def token(ring, threads=2, **how):
    """Threads that hand over accesses to one word, for as long as they are let"""
    make_ring(ring)
    return subprocess.Popen(["workload", "token", str(threads), "600", "50", "1"], stdout=subprocess.DEVNULL,
                            **{"executable": compiled("workload"),
                               "env": dict(os.environ, PRECIS_ACCESSES=ring), **how})


def await_threads(program, count=2):
    """The first one, and so many"""
    while len(os.listdir("/proc/%d/task" % program.pid)) < 1 + count and program.poll() is None:
        pass
    return sorted(map(int, os.listdir("/proc/%d/task" % program.pid)))


def test_another_process():
    """a process that hands nothing over, beside one that does: no 0 is told of it"""
    need_registers()
    ring = path("ring")
    with token(ring) as program:
        try:
            await_threads(program)
            result = run("sharing", *LIVE, "-p", os.getpid(), "--accesses", ring, "--seconds", "0.7")
        finally:
            program.kill()
    told = json.loads(result.out)
    equal((result.code, told["sharing"]["rows"], foreign(told)), (1, [], made(told)["samples"]), result.err)
    assert f"handed over by other processes than {os.getpid()}, which alone is watched" in result.err, result.err


def test_permission():
    """threads of another user, who may not be watched"""
    need_registers()
    if os.geteuid() or not shutil.which("setpriv"):
        raise tap.Skip("this wants to be root, and setpriv")
    ring = path("others-ring")
    make_ring(ring)
    os.chmod(ring, 0o666)
    # the directory is nobody else's, but what is open in it can be had
    with open(ring, "rb") as file, open(compiled("workload"), "rb") as workload, \
         token(ring, executable="/proc/self/fd/%d" % workload.fileno(), user=65534,
               pass_fds=(file.fileno(), workload.fileno()),
               env=dict(os.environ, PRECIS_ACCESSES="/proc/self/fd/%d" % file.fileno())) as program:
        try:
            await_threads(program)
            words = [PRECIS, "sharing", *LIVE, "-p", str(program.pid), "--accesses", ring, "--seconds", "0.7"]
            check_nothing(Result(subprocess.run(["setpriv", "--bounding-set=-all", "--inh-caps=-all", *words],
                                                stdin=subprocess.DEVNULL, capture_output=True, check=False)),
                          "this is not permitted (another user's process")
        finally:
            program.kill()


def refuse(error):
    """From here on perf_event_open(2) ends with that in this process, and in what it executes"""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
    # struct sock_filter: of struct seccomp_data the number; is it that? SECCOMP_RET_ERRNO, SECCOMP_RET_ALLOW
    code = b"".join(struct.pack("<HBBI", *row) for row in (
        (0x20, 0, 0, 0), (0x15, 0, 1, PERF_EVENT_OPEN), (0x06, 0, 0, 0x50000 | error), (0x06, 0, 0, 0x7fff0000)))
    rows = ctypes.create_string_buffer(code)
    program = ctypes.create_string_buffer(struct.pack("<H6xQ", 4, ctypes.addressof(rows)))
    # PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.addressof(program), 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def test_refusals():
    """a kernel or a container in which there are no breakpoints, or none to be had: why, before the command runs"""
    for number, why in ((errno.ENOSYS, "this kernel, or what it runs on, has no breakpoint events"),
                        (errno.EOPNOTSUPP, "this kernel, or what it runs on, has no breakpoint events"),
                        (errno.EPERM, "or a container that forbids perf_event_open(2)"),
                        (errno.ENOSPC, "all are taken, by a debugger or by other events"),
                        (errno.EMFILE, "too many open files")):
        try:
            done = subprocess.run([PRECIS, "sharing", "--", "/bin/echo", "out"], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, check=False,
                                  preexec_fn=functools.partial(refuse, number))
        except subprocess.SubprocessError as error:
            raise tap.Skip("this kernel has no seccomp filters") from error
        equal((done.returncode, done.stdout), (1, ""), done.stderr)
        assert "no debug register can be had: " in done.stderr and why in done.stderr, done.stderr


def test_some_registers():
    """one of two threads has no register to spare: of what it stored nothing is told, of the other's stores all"""
    need_registers()
    ring = path("ring")
    with token(ring) as program:
        try:
            mine = await_threads(program)[1]
            taken = three_registers(mine)
            told = attach(program, ring)
            assert made(told)["experiments"] and "their writer could not be watched" in notes(told), told
            assert mine not in {row["id"] for row in told["sharing_parties"]["rows"] if row["sent"]}, told
            for descriptor in taken:
                os.close(descriptor)
        finally:
            program.kill()


def test_beside_unseen():
    """one of three threads has no register to spare, and stores as often: more is told of the others than there is"""
    need_registers()
    ring = path("ring")
    with token(ring, 3) as program:
        try:
            taken = three_registers(await_threads(program, 3)[1])
            told = attach(program, ring)
            assert told["sharing"]["rows"][0]["transfers"] > 0, told["sharing"]
            assert "100% of the transfers " + BESIDE_UNSEEN in notes(told), told["sharing"]
            for descriptor in taken:
                os.close(descriptor)
            assert BESIDE_UNSEEN not in notes(attach(program, ring))
        finally:
            program.kill()


def test_debuggers():
    """registers that somebody else has, and a program that is traced: both are told"""
    need_registers()
    ring = path("ring")
    with token(ring) as program:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.ptrace.argtypes = [ctypes.c_long] * 4
        try:
            taken = [descriptor for task in await_threads(program) for descriptor in three_registers(task)]
            check_nothing(run("sharing", *LIVE, "-p", program.pid, "--accesses", ring, "--seconds", "0.7"),
                          "all are taken, by a debugger or by other events")
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
