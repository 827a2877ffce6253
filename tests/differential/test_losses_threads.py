#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Which thread lost samples, and how many: threads that each write a known number of times where a data
breakpoint is, recorded into buffers that are too small. Of each, what it wrote and stock perf does not
have was lost.
"""

import collections
import json
import os
import re
import signal
import subprocess
import tempfile

from differential import (BUILD, ENVIRONMENT, PERF, PRECIS, done, fewer, need, note, ok, skip,
                          skip_all, why_no_breakpoints)

WRITERS = os.path.join(BUILD, "tests", "support", "writers")
WATCHED = "mem:0x20000000:w"  # where they write
# Two events, so that records have ids, which perf record leaves out of a recording of one
BOTH = ["-e", WATCHED, "-e", "page-faults", "-c", "1", "-m", "1"]
FORMS = {
    "a buffer for each thread": ["--per-thread"],
    "threads that share the CPUs' buffers": ["--sample-cpu"],
    "threads that inherit": ["--sample-cpu", "--inherit"],
}
UNTIL_ENDED = "kill -USR1 %d; while kill -0 %d 2> /dev/null; do sleep 0.01; done"


def record(path, options, counts):
    """@return {tid: how often it wrote}; None and why if perf cannot"""
    writers = subprocess.Popen([WRITERS, *map(str, counts)], stdout=subprocess.PIPE)
    tids = [int(line) for line in iter(writers.stdout.readline, b"all\n")]
    names = {}
    for tid in tids:
        with open("/proc/%d/task/%d/comm" % (writers.pid, tid), encoding="ascii") as file:
            names[tid] = int(file.read().strip().split("-")[1])
    perf = subprocess.Popen([PERF, "record", "-q", "-o", path, *BOTH, *options, "-t",
                             ",".join(map(str, tids)), "--", "sh", "-c",
                             UNTIL_ENDED % (writers.pid, writers.pid)],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT,
                            stdin=subprocess.DEVNULL)
    # perf that cannot record does not begin; else they end, and are gone once they are waited for
    while writers.poll() is None and perf.poll() is None:
        try:
            writers.wait(0.05)
        except subprocess.TimeoutExpired:
            pass
    errors = perf.communicate()[1].decode(errors="replace").strip()
    if writers.poll() is None:
        writers.kill()
    writers.wait()
    writers.stdout.close()
    # it ends its command with SIGTERM where the threads ended first, and itself with what that got
    return (names, "") if perf.returncode in (0, -signal.SIGTERM) else (None, errors[:100])


def came(path, field):
    """Samples of the breakpoint by stock perf: {tid or CPU: count}"""
    text = subprocess.run([PERF, "script", "-i", path, "-F", "%s,event" % field], env=ENVIRONMENT,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          stdin=subprocess.DEVNULL, check=True).stdout.decode()
    found = collections.Counter()
    for line in text.splitlines():
        match = re.match(r"\s*\[?(\d+)\]?\s+(\S+):", line)
        if match and match.group(2).startswith("mem:"):
            found[int(match.group(1))] += 1
    return found


def rows_of(path):
    run = subprocess.run([PRECIS, "info", "--format", "json", path], stdout=subprocess.PIPE,
                         stdin=subprocess.DEVNULL, check=True)
    rows = json.loads(run.stdout)["losses"]["rows"]
    return [row for row in rows if row["row"].endswith(", " + WATCHED)]


def is_share(percent, lost, all_of_them):
    """Whether what was printed, of six decimals, is that part: rounding it again could round twice"""
    return abs(percent - 100 * lost / all_of_them) <= 1e-6


def differences(path, wrote):
    """Each thread by what it wrote; each CPU by what stock perf has of it"""
    rows, wrong = rows_of(path), []
    by_tid = {row["tid"]: row for row in rows if row["tid"] is not None}
    came_of_tid = came(path, "tid")
    for tid, writes in wrote.items():
        came_of = came_of_tid[tid]
        missing = writes - came_of
        row = by_tid.get(tid, {"counted": 0, "samples": came_of, "lost_percent": 0,
                               "comm": "writer-%d" % writes})
        expected = came_of, "writer-%d" % writes
        # records of BPF programs that anybody loads meanwhile are written, and lost, too
        if (row["samples"], row["comm"]) != expected or row["counted"] < missing or \
                not is_share(row["lost_percent"], row["counted"], row["counted"] + came_of):
            wrong.append("thread %d: %s, not %s with %d lost" % (tid, row, expected, missing))
    on_cpus = [row for row in rows if row["cpu"] is not None]
    came_on = came(path, "cpu") if on_cpus else {}
    for row in on_cpus:
        expected = came_on[row["cpu"]]
        if row["samples"] != expected or \
                not is_share(row["lost_percent"], row["counted"], row["counted"] + expected):
            wrong.append("%s: %d samples, not %d" % (row["row"], row["samples"], expected))
    return wrong, sum(row["counted"] or 0 for row in by_tid.values())


def inherited(path):
    """Nothing is put down to a thread where the counter is shared"""
    return [row["row"] for row in rows_of(path) if row["tid"] is not None and
            (row["lost"] is not None or row["counted"] is not None)]


def told_wrong(path, options, wrote):
    """What differs from what is so; how many are lost"""
    if "--inherit" in options:
        return inherited(path), sum(row["counted"] or 0 for row in rows_of(path))
    return differences(path, wrote)


def main():
    need(PERF, "the oracle")
    silent = why_no_breakpoints()
    if silent:
        skip_all(silent)
    counts = fewer(40000), 700
    with tempfile.TemporaryDirectory() as directory:
        for name, options in FORMS.items():
            path = os.path.join(directory, "lost.data")
            wrote, why = record(path, options, counts)
            if wrote is None:
                skip(name, "perf record cannot: " + why)
                continue
            formats = subprocess.run([PERF, "evlist", "-v", "-i", path], env=ENVIRONMENT,
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                     check=True).stdout
            if b"LOST" not in formats:
                skip(name, "the kernel has no read_format LOST")
                continue
            wrong, lost = told_wrong(path, options, wrote)
            for _ in range(2):
                if not wrong:
                    break
                # Of a breakpoint that is throttled, on a machine that is busy, hits are neither samples nor
                # counted, and the record that says so may be among those lost.
                for text in wrong:
                    note("recorded again: " + text)
                wrote = record(path, options, counts)[0] or wrote
                wrong, lost = told_wrong(path, options, wrote)
            for text in wrong:
                note(text)
            ok(not wrong, "%s: %d lost" % (name, lost))
    done()


main()
