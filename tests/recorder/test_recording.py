#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A side file beside a recording of perf's: the recording names it, and both tell the same times, by the clock that
they share and by the moments at which a thread was named. The program has read CLOCK_MONOTONIC itself."""
import csv
import glob
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import points
from points import tap

SRCDIR, BUILDDIR = os.environ["srcdir"], os.environ["builddir"]
PRECIS = os.environ["PRECIS"]
RECORD = os.path.join(SRCDIR, "perf_scripts", "record", "precis-record")
RECORDER = os.path.join(BUILDDIR, ".libs", "libprecis-objects.so")
CONVERT = os.path.join(BUILDDIR, "tests", "recorder", "convert_times")

# What precis-record calls as perf: stock perf with an event that each machine has, and the rest as it was asked for
WRAPPER = """#!/bin/sh
clock=
while test "$1" != --; do
	test "$1" != mono || clock="-k mono"
	shift
done
test "$DEFAULT_CLOCK" = no || clock=
exec "$REAL_PERF" record -q -e page-faults:u -c 1 -d $clock -o "$DATA" "$@"
"""
# The least of a machine that has IBS, for precis-record
MACHINE = {"proc/cpuinfo": "vendor_id\t: AuthenticAMD\nflags\t\t: fpu ibs sse\n", "proc/sys/kernel/osrelease": "6.16.1\n",
           "proc/sys/kernel/perf_event_paranoid": "-1\n", "proc/self/status": "CapPrm:\t0\nCapEff:\t000001ffffffffff\n",
           "sys/bus/event_source/devices/ibs_op/format/cnt_ctl": ""}


def record(perf, program, work, default_clock):
    """(what the program said, the side file, the recording's records as text); None and why there is none"""
    data, root, wrapper = (os.path.join(work, name) for name in ("perf.data", "root", "perf"))
    for name, content in MACHINE.items():
        os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
        with open(os.path.join(root, name), "w", encoding="ascii") as file:
            file.write(content)
    with open(wrapper, "w", encoding="ascii") as file:
        file.write(WRAPPER)
    os.chmod(wrapper, 0o755)
    changed = dict(os.environ, PERF=wrapper, REAL_PERF=perf, DATA=data, PRECIS_SYSROOT=root,
                   PRECIS_OBJECTS_LIBRARY=os.path.abspath(RECORDER), DEFAULT_CLOCK="yes" if default_clock else "no")
    done = subprocess.run(["sh", RECORD, "-q", "--objects=interval=all,directory=" + work, "--", program], env=changed,
                          capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        return None, done.stderr, None
    said = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("block ")]
    script = subprocess.run([perf, "script", "-i", data, "--ns", "-F", "comm,pid,tid,time,event,addr",
                             "--show-mmap-events", "--show-task-events"], capture_output=True, text=True,
                            timeout=300, check=False)
    files = glob.glob(work + "/*.objects")
    return said, files[0] if len(files) == 1 else None, script.stdout


def ns(text):
    seconds, nanoseconds = text.split(".")
    return int(seconds) * 10 ** 9 + int(nanoseconds)


def events_of(path):
    text = subprocess.run([PRECIS, "objects", "--events", "--format", "csv", path], capture_output=True, text=True,
                          check=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


def lifetimes(path, said):
    """{address and size of a block: (its event of alloc, that of free)} of those that the program named"""
    sizes = {(int(words[0], 16), int(words[1])) for words in said}
    live, found = {}, {}
    for event in events_of(path):
        if event["operation"] == "alloc":
            live[event["address"]] = event
        elif event["operation"] == "free" and event["address"] in live:
            begin = live.pop(event["address"])
            key = int(begin["address"], 16), int(begin["bytes"])
            if key in sizes:
                found[key] = begin, event
    return found


def samples_of(script):
    """[(time, address)] of page faults"""
    return [(ns(match[1]), int(match[2], 16)) for match in
            re.finditer(r"^.*?\s(\d+\.\d{9}):\s+page-faults:u:\s+([0-9a-f]+)\s*$", script, re.MULTILINE)]


def moments_of(script):
    """{number: time} of the names that the recorder gave a thread, the first record of each"""
    found = {}
    for match in re.finditer(r"\s(\d+\.\d{9}):\s+PERF_RECORD_COMM: precis:([0-9a-f]{8}):", script):
        found.setdefault(int(match[2], 16), ns(match[1]))
    return found


def check_truth(said, lives):
    """The file's CLOCK_MONOTONIC between the readings of the program, within the bound that it states"""
    wrong, widest = [], 0
    for words in said:
        begin, end = lives.get((int(words[0], 16), int(words[1])), (None, None))
        if not begin:
            wrong.append("%r is not in the file" % words)
            continue
        for event, low, high in ((begin, int(words[2]), int(words[3])), (end, int(words[4]), int(words[5]))):
            at, error = int(event["monotonic_ns"]), int(event["monotonic_error_ns"])
            widest = max(widest, error)
            if not low - error <= at <= high + error:
                wrong.append("%d to %d was said, %d within %d is in the file" % (low, high, at, error))
    tap(not wrong and len(said) == 200, "CLOCK_MONOTONIC of 400 events is as the program read it, within %d ns" % widest,
        wrong)


def check_samples(name, samples, lives, place):
    """Each block's page fault is in its lifetime. place(event): (time of the recording's clock, error)"""
    wrong, hits, widest = [], 0, 0
    for (address, size), (begin, end) in lives.items():
        (low, error), (high, other) = place(begin), place(end)
        widest = max(widest, error, other)
        inside = [time for time, fault in samples if fault == address + size // 2 and
                  low - error <= time <= high + other]
        hits += len(inside) == 1
        if len(inside) != 1:
            near = [time - low for time, fault in samples if fault == address + size // 2]
            wrong.append("%x: from 0 to %d ns within %d, %d: faults at %r" % (address, high - low, error, other, near))
    tap(not wrong and hits == len(lives) > 0, "%s: %d page faults are in their blocks' lifetimes, within %d ns" % (
        name, hits, widest), wrong)


def converted(path, moments):
    """{time of the file: (that of the recording's clock, error)} of all events"""
    lines = "".join("%d %d\n" % pair for pair in sorted(moments.items()))
    done = subprocess.run([CONVERT, path], input=lines, capture_output=True, text=True, check=False)
    return {int(words[0]): (int(words[1]), int(words[2])) for words in map(str.split, done.stdout.splitlines())}


def main():
    perf = os.environ.get("PERF") or shutil.which("perf")
    if not os.path.exists(RECORDER) or not perf:
        print("1..0 # SKIP %s" % ("there is no perf" if os.path.exists(RECORDER) else "there is no recorder"))
        return 0
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, "truth_times")
        subprocess.run(shlex.split(os.environ["CC"]) + ["-O1", "-g", os.path.join(SRCDIR, "tests", "recorder",
                                                                               "truth_times.c"), "-o", program], check=True)
        with tempfile.TemporaryDirectory(dir=work) as place:
            said, path, script = record(perf, program, place, False)
            if said is None:
                print("1..0 # SKIP perf record: %s" % " ".join(path.split())[:200])
                return 0
            maps = [line for line in script.splitlines() if "MMAP" in line and os.path.basename(path) in line]
            tap(len(maps) == 1 and "r-xp" in maps[0], "the recording names the side file by an executable mapping", maps)
            lives = lifetimes(path, said)
            check_truth(said, lives)
            check_samples("perf record -k mono", samples_of(script), lives,
                          lambda event: (int(event["monotonic_ns"]), int(event["monotonic_error_ns"])))
        with tempfile.TemporaryDirectory(dir=work) as place:
            said, path, script = record(perf, program, place, True)
            lives, moments = lifetimes(path, said), moments_of(script)
            times = converted(path, moments)
            tap(len(moments) >= 2 and times, "the recording has the names that the recorder gave a thread",
                [repr(moments)])
            if times:
                check_samples("perf's own clock", samples_of(script), lives, lambda event: times[int(event["time"])])
    return points.end()


if __name__ == "__main__":
    sys.exit(main())
