#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Recordings that stock perf makes here of software events and breakpoints, in every form that it can
write, sample by sample as the library and as perf read them. What this machine does not let perf
record is skipped with perf's words.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time

from copies import finished
from differential import (BUILD, ENVIRONMENT, PERF, done, need, note, ok, skip, some,
                          why_no_breakpoints)
from oracles import Table, programs, verdict
from recordings import Reading, form
from stock_perf import Perf

WORKLOAD = os.path.join(BUILD, "tests", "support", "workload")
ROUNDS = "200"
WATCHED = "mem:0x20000000:rw"  # where the workload writes
CLOCK = ["-e", "cpu-clock", "-c", "200000"]
BREAKPOINT = ["-e", WATCHED, "-c", "1"]
FAULTS = ["-e", "page-faults", "-e", "context-switches", "-c", "1"]
# So many a second of each, as one period cannot fit all
SEVERAL = ["-e", "cpu-clock", "-e", WATCHED, "-e", "page-faults", "-e", "context-switches", "-F",
           "5000"]
SYSTEM = ["-a", "-e", "cpu-clock", "-e", "page-faults", "-e", "context-switches", "-F", "2000"]

# name: arguments of perf record; what -o gets is in 'output' below
FORMS = {
    "one event": CLOCK,
    "a name": ["-e", "software/config=0,name=clock/", "-c", "200000"],
    "all CPUs": ["-a"] + CLOCK,
    "one CPU": ["-C", "0"] + CLOCK,
    "per thread": ["--per-thread"] + CLOCK,
    "no children": ["--no-inherit"] + CLOCK,
    "breakpoint": BREAKPOINT + ["-d"],
    "several events": SEVERAL + ["-d"],
    "several events, all CPUs": SYSTEM,
    "addresses": FAULTS + ["-d", "--phys-data", "--data-page-size", "--code-page-size", "-W"],
    "call chains": CLOCK + ["-g"],
    "call chains, all CPUs": ["-g"] + SYSTEM,
    "user stacks": CLOCK + ["--call-graph", "dwarf,2048"],
    "registers": CLOCK + ["--intr-regs=ip,sp,ax", "--user-regs=ip,bp,r8"],
    "a group that reads its counters": ["-e", "{cpu-clock,page-faults,context-switches}:S"],
    "counters of each thread": CLOCK + ["-s"],
    "identifiers": SYSTEM + ["--sample-identifier"],
    "no times": ["--no-timestamp", "--no-buildid"] + CLOCK,
    "a clock": CLOCK + ["-k", "CLOCK_MONOTONIC"],
    "other records": CLOCK + ["-a", "--switch-events", "--namespaces", "--all-cgroups"],
    "a cgroup": ["-a"] + CLOCK + ["-G", "/"],
    "tracepoints": ["-e", "sched:sched_switch", "-e", "raw_syscalls:sys_enter"],
    "raw payloads": CLOCK + ["-R", "-a"],
    "first and last time": CLOCK + ["--timestamp-boundary"],
    "described at the end": CLOCK + ["--tail-synthesize"],
    "overwritten": CLOCK + ["--overwrite"],
    "compressed": ["-z"] + CLOCK,
    "compressed, all CPUs": ["-z", "-g"] + SYSTEM,
    "compressed hard": ["--compression-level=22", "-a", "-g"] + CLOCK,
    "asynchronous writes": ["--aio=2", "-a"] + CLOCK,
    "pipe": CLOCK,
    "pipe, several events": SEVERAL + ["-d", "-g"],
    "pipe, all CPUs": SYSTEM,
    "pipe, tracepoints": ["-a", "-e", "sched:sched_switch"],
    "pipe, compressed": ["-z", "-a", "-g"] + CLOCK,
    "pipe, a group": ["-e", "{cpu-clock,page-faults}:S"],
    "directory": ["--threads"] + CLOCK,
    "directory, all CPUs": ["--threads", "-g"] + SYSTEM,
    "directory, compressed": ["--threads", "-z", "-a"] + CLOCK,
    "directory with the kernel": ["--kcore", "-a"] + CLOCK,
}

# What is also read as the recorder would send it, or somebody with cat
PIPED = {"one event", "compressed", "pipe", "pipe, several events", "pipe, all CPUs",
         "pipe, tracepoints", "pipe, compressed"}

# Recordings whose recorder is killed
KILLED = {
    "killed": ["-m", "1"] + BREAKPOINT,
    "killed, compressed": ["-m", "1", "-z"] + BREAKPOINT,
    "killed, pipe": ["-m", "1"] + BREAKPOINT,
}
KILLED_BYTES = 30000  # of the recording before that


def record(name, arguments, path, rounds=ROUNDS, **more):
    """perf record under way; what it says goes to 'path'.err"""
    output = "-" if "pipe" in name else path
    command = [PERF, "record", "-o", output] + arguments + [WORKLOAD, rounds]
    with open(os.devnull, "wb") as null, open(path if output == "-" else os.devnull, "wb") as out, \
            open(path + ".err", "wb") as errors:
        return subprocess.Popen(command, stdin=null, stdout=out, stderr=errors, env=ENVIRONMENT,
                                **more)


def words(path):
    with open(path + ".err", errors="replace") as errors:
        lines = [line.strip() for line in errors if line.strip()]
    return next((line for line in lines if "rror" in line), " ".join(lines[:2]))


def stored(path):
    """How many bytes there are of a recording"""
    if not os.path.isdir(path):
        return os.path.getsize(path) if os.path.exists(path) else 0
    return sum(stored(os.path.join(path, name)) for name in os.listdir(path))


def check(name, path, table, other=None):
    """@param other  a copy that perf reads, if it does not read the recording itself"""
    reading = Reading(path)
    if reading.lacks_zstd():
        skip(name, "built without zstd")
        return reading
    wrong, versions, refused = table.row(name, form(path), reading, other or path)
    title = "%s: %d samples" % (name, len(reading.samples))
    wrong += reading.miscounted()
    if versions or wrong:
        verdict(title, wrong)
    else:
        skip(title, "; ".join("perf %s: %s" % item for item in sorted(refused.items())))
    return reading


def check_input(name, path, reading):
    """The same through a pipe, as the recorder would send it"""
    with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as cat:
        piped = Reading(stdin=cat.stdout)
    wrong = [] if piped.samples == reading.samples else ["%d samples, of the file %d" % (
        len(piped.samples), len(reading.samples))]
    verdict(name + ", through a pipe", wrong + ([piped.error] if piped.error else []))


def forms(table, work):
    for name, arguments in some(FORMS.items(), 2):
        path = os.path.join(work, "form.data")
        process = record(name, arguments, path)
        if process.wait() or not stored(path):
            skip(name, "perf record: " + words(path))
        else:
            reading = check(name, path, table)
            if name in PIPED and not reading.lacks_zstd():
                check_input(name, path, reading)
        shutil.rmtree(path, ignore_errors=True)
        if os.path.exists(path):
            os.unlink(path)


def kernel_directory(table, work):
    """What perf record --kcore leaves, without the kernel's memory: few machines show it"""
    path = os.path.join(work, "kernel.data")
    os.makedirs(os.path.join(path, "kcore_dir"))
    process = record("made into a directory", CLOCK, os.path.join(path, "data"))
    if process.wait():
        skip("made into a directory", "perf record: " + words(os.path.join(path, "data")))
    else:
        check("made into a directory", path, table)


def kill(process, path):
    """The recorder, once it has written enough. @return 1 if it had"""
    for _ in range(12000):
        if stored(path) >= KILLED_BYTES or process.poll() is not None:
            break
        time.sleep(0.01)
    alive = process.poll() is None
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return alive and stored(path) >= KILLED_BYTES


def killed(table, work):
    silent = why_no_breakpoints()
    for name, arguments in KILLED.items():
        if silent:
            skip(name, silent)
            continue
        path = os.path.join(work, "killed.data")
        process = record(name, arguments, path, "0", start_new_session=True)
        if not kill(process, path):
            skip(name, "perf record: " + words(path))
            continue
        other = None
        if form(path) == "unfinished":
            other = os.path.join(work, "finished.data")
            with open(path, "rb") as recording, open(other, "wb") as copy:
                copy.write(finished(recording.read()))
        check(name, path, table, other)
        os.unlink(path)


def main():
    need(PERF, "nothing to record with")
    perfs = [Perf(program) for program in programs()]
    with tempfile.TemporaryDirectory() as work:
        table = Table(perfs, work)
        forms(table, work)
        kernel_directory(table, work)
        killed(table, work)
        table.sums()
    done()


if __name__ == "__main__":
    main()
