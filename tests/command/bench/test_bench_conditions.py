#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis bench where something is missing, vanishes, is shared, ends early or fills up: each is told, no run is left
out in silence, and no result is half there.
"""
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from command import PRECIS, run
from conditions import Nobody, Running, on_small_disk, take_breakpoints, with_limit
from tap import Skip, equal
from test_bench import AMD, bench, need, of_metric, parsed, sysroot

SCRATCH = tempfile.TemporaryDirectory()
FAULTS = ("--events", "minor_faults", "--runs", "2", "--samples", "500")
LOOP = "while :; do :; done"


def scratch(name):
    return os.path.join(SCRATCH.name, name)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


# --- the machine ---

def preflight(*more):
    if platform.machine() != "x86_64":
        raise Skip("kernels are for x86-64 alone")
    root = sysroot(AMD % "ibs", more=more)
    done = run("bench", "--dry-run", "--events", "minor_faults", "--format", "json", "--sysroot", root)
    return {row["row"]: (row["finding"], row["remark"]) for row in parsed(done.out)["preflight"]["rows"]}


def governors(*names):
    return preflight(*(("sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor" % cpu, name + "\n")
                       for cpu, name in enumerate(names)))["governor"]


def test_clock_rates():
    """governors of all CPUs, boost and turbo: told, with a remark where clock rates vary"""
    varies = "clock rates vary: so do times"
    equal(governors("performance", "performance"), ("performance", None))
    equal(governors("userspace"), ("userspace", None))
    for name in ("powersave", "ondemand", "conservative", "schedutil"):
        equal(governors(name), (name, varies))
    # the first CPU's is not everybody's
    equal(governors("performance", "performance", "powersave", "performance", "powersave"),
          ("performance, powersave", varies))
    equal(governors(), (None, "is not there"))
    for path, row, vary, steady in (("cpufreq/boost", "boost", "1", "0"),
                                    ("intel_pstate/no_turbo", "no_turbo", "0", "1")):
        path = "sys/devices/system/cpu/" + path
        equal(preflight((path, vary + "\n"))[row], (vary, varies))
        equal(preflight((path, steady + "\n"))[row], (steady, None))


def test_cpus_and_load():
    """CPUs that are offline, and others that run, are in the table before anything is measured"""
    found = preflight(("sys/devices/system/cpu/online", "0-2\n"), ("sys/devices/system/cpu/offline", "3\n"),
                      ("proc/loadavg", "3.21 1.00 0.50 4/123 4567\n"))
    equal((found["CPUs online"][0], found["CPUs offline"][0]), ("0-2", "3"))
    equal(found["load"][0], "3.21")
    assert "others run, too" in found["load"][1], found["load"]
    equal(preflight(("proc/loadavg", "0.10 1.00 0.50 1/123 4567\n"))["load"], ("0.10", None))
    equal(preflight()["load"], (None, "cannot be read"))


# --- without privileges ---

def test_nobody():
    """nobody: events of user mode are as exact, others have the setting that is in the way, and neither is 0"""
    if platform.machine() != "x86_64":
        raise Skip("kernels are for x86-64 alone")
    nobody = Nobody()
    events = {row["row"]: row for row in parsed(nobody.run("bench", "--list", "--format", "json").out)["events"]["rows"]}
    paranoid = int(read("/proc/sys/kernel/perf_event_paranoid"))
    if paranoid > 2 or events["minor_faults"]["available"] == "no":
        raise Skip("nobody may sample nothing: " + events["minor_faults"]["reason"])
    done = nobody.run("bench", "--events", "minor_faults,breakpoint_kernel", "--runs", "2", "--format", "json")
    told = parsed(done.out)
    equal({row["event"] for row in told["runs"]["rows"]} - {"breakpoint_kernel"}, {"minor_faults"})
    for row in of_metric(told, "exact"):
        equal(row["value"], 100, row)
    assert ("privileges", "none") in [(row["row"], row["finding"]) for row in told["preflight"]["rows"]]
    if paranoid == 2:
        reason = events["breakpoint_kernel"]["reason"]
        assert "kernel.perf_event_paranoid is 2, to count in the kernel, too, needs 1 or less" in reason, reason
        equal(events["breakpoint_kernel"]["available"], "no")
        refused = nobody.run("bench", "--events", "breakpoint_kernel")
        equal(refused.code, 77, refused)
        assert "perf_event_paranoid is 2" in " ".join(refused.out.split()), refused.out
    equal(done.code, 0, done)


def test_places():
    """where results cannot go is said before anything is measured: nothing else is"""
    with open(scratch("file"), "w", encoding="utf-8"):
        pass
    for path, words in ((scratch("nowhere/out"), "No such file or directory"), (SCRATCH.name, "Is a directory"),
                        (scratch("file/out"), "Not a directory"), ("", "No such file or directory")):
        done = run("bench", *FAULTS, "-o", path)
        equal((done.code, done.out), (1, ""), done)
        equal(done.err, "precis bench: %s: cannot write: %s\n" % (path, words))
    nobody = Nobody()
    os.mkdir(os.path.join(nobody.path, "mine"), 0o755)
    with open(os.path.join(nobody.path, "there"), "w", encoding="utf-8") as file:
        file.write("before")
    for path in ("mine/out", "there"):
        done = nobody.run("bench", *FAULTS, "-o", path)
        equal((done.code, done.out), (1, ""), done)
        equal(done.err, "precis bench: %s: cannot write: Permission denied\n" % path)
    equal(read(os.path.join(nobody.path, "there")), "before")


# --- what vanishes ---

def test_event_taken():
    """debug registers that others take in the middle of it: so many runs are there, and why no more"""
    need("breakpoint_store", "minor_faults")
    running = Running("bench", "--events", "breakpoint_store,minor_faults", "--kernels", "watch,touch", "--runs", "300",
                      "--samples", "200", "--format", "json")
    assert running.wait_for(b"run 20 of "), running.told
    taken, why = take_breakpoints(running.process.pid)
    done = running.end()
    for fd in taken:
        os.close(fd)
    if not taken:
        raise Skip("no debug registers can be taken: " + why)
    told = parsed(done.out)
    equal(done.code, 1, done)
    assert re.search(r"precis bench: breakpoint_store with watch: after \d+ runs: the CPU's debug registers are all in "
                     "use", done.err), done.err[-500:]
    cells = {row["set"]: row for row in told["cells"]["rows"]}
    cell = cells["breakpoint_store"]
    assert 0 < cell["runs"] < 300, cell
    assert "debug registers are all in use" in cell["reason"], cell
    # the other one is not concerned
    equal((cells["minor_faults"]["runs"], cells["minor_faults"]["reason"]), (300, None))
    runs = [row for row in told["runs"]["rows"] if row["event"] == "breakpoint_store"]
    equal(len(runs), cell["runs"])
    for row in runs:
        assert abs(row["samples"] - row["truth"] // row["period"]) <= 1, row
    (exact,) = [row for row in of_metric(told, "exact") if row["event"] == "breakpoint_store"]
    equal((exact["value"], exact["n"]), (100, cell["runs"]))
    assert any("debug registers" in str(note) for note in told["results"]["notes"]), told["results"]["notes"]


def threads_on(pid, cpu):
    """Threads beside the first that are bound to that CPU"""
    for task in os.listdir("/proc/%d/task" % pid):
        if int(task) != pid and os.sched_getaffinity(int(task)) == {cpu}:
            yield int(task)


def test_cpu_vanishes():
    """a CPU that goes away in the middle of a run, as one that goes offline: its threads ran on any"""
    need("minor_faults")
    cpus = os.sched_getaffinity(0)
    if len(cpus) < 2:
        raise Skip("there is one CPU alone")
    cpu = min(cpus)
    process = subprocess.Popen([PRECIS, "bench", "--events", "minor_faults", "--runs", "20", "--format", "json",
                                "--cpu", str(cpu)], stdout=subprocess.PIPE)
    moved = 0
    while process.poll() is None and moved < 5:
        try:
            for task in threads_on(process.pid, cpu):
                os.sched_setaffinity(task, cpus - {cpu})
                moved += 1
        except (FileNotFoundError, ProcessLookupError):
            pass
    out, _ = process.communicate(timeout=1200)
    if not moved:
        raise Skip("it had ended before")
    told = parsed(out)
    assert 0 < sum(row["unbound_threads"] for row in told["cells"]["rows"]) <= moved, (moved, told["cells"])
    equal(len(told["runs"]["rows"]), 20)
    assert any("went away meanwhile" in str(note) for note in told["results"]["notes"]), told["results"]["notes"]


# --- neighbours ---

def test_neighbours():
    """others that keep the CPU busy: how long threads had to wait is told, all runs are there and as exact"""
    need("minor_faults")
    cpu = min(os.sched_getaffinity(0))
    loops = [subprocess.Popen(["sh", "-c", LOOP], preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
             for _ in range(3)]
    try:
        told = bench("--events", "minor_faults", "--runs", "10", "--cpu", str(cpu))
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    rows = told["runs"]["rows"]
    equal([row["run"] for row in rows], list(range(10)))
    waited = sum(row["involuntary"] for row in rows)
    assert waited > 0, rows
    for row in rows:
        equal(row["truth"], row["outer"] * row["inner"], row)
        assert abs(row["samples"] - row["truth"] // row["period"]) <= 1, row
    used, passed = (sum(row[name] + row["bare_" + name] for row in rows) for name in ("cpu_ns", "wall_ns"))
    (note,) = [str(note) for note in told["results"]["notes"] if "Threads had a CPU" in str(note)]
    assert "for %.0f%% of their time, and had to wait %d times" % (100 * used / passed, waited) in note, note
    equal(told["cells"]["rows"][0]["unbound_threads"], 0)


# --- it ends early ---

def ended(number, *more):
    running = Running("bench", "--events", "minor_faults", "--runs", "1000", "--format", "json", *more)
    assert running.wait_for(b"run 5 of 1000"), running.told
    return running.end(number)


def check_ended(done, out, number):
    told = parsed(out)
    equal(done.code, -number, done)
    assert "interrupted: what was measured until then is printed" in done.err, done.err[-500:]
    count = len(told["runs"]["rows"])
    assert 4 <= count < 1000, count
    equal(told["measured"]["values"]["interrupted"], True)
    equal([row["run"] for row in told["runs"]["rows"]], list(range(count)))
    # the one that was cut short is not among them
    equal({row["outer"] for row in told["runs"]["rows"]}, {told["cells"]["rows"][0]["outer"]})
    assert any("Interrupted" in str(note) for note in told["results"]["notes"]), told["results"]["notes"]


def test_signals():
    """Ctrl-C and SIGTERM: whole runs until then are written, to the file as well, and it ends by that signal"""
    need("minor_faults")
    for number in (signal.SIGINT, signal.SIGTERM):
        done = ended(number)
        check_ended(done, done.out, number)
        path = scratch("ended-%d.json" % number)
        done = ended(number, "-o", path)
        equal(done.out, "")
        check_ended(done, read(path), number)


def test_reader_gone():
    """a reader of standard output that has gone ends it as it does elsewhere, in silence"""
    need("minor_faults")
    for is_ignored in (False, True):
        ours, theirs = os.pipe()
        os.close(ours)
        done = subprocess.run([PRECIS, "bench", *FAULTS], stdout=theirs, stderr=subprocess.PIPE, check=False,
                              timeout=1200, restore_signals=not is_ignored)
        os.close(theirs)
        equal((done.returncode, done.stderr), (0 if is_ignored else -signal.SIGPIPE, b""))
    done = subprocess.run([PRECIS, "bench", *FAULTS], stderr=subprocess.PIPE, check=False, timeout=1200,
                          preexec_fn=lambda: os.close(1))
    equal((done.returncode, done.stderr), (1, b"precis bench: standard output: cannot write: Bad file descriptor\n"))


# --- a disk that fills up ---

def check_full(done, name, why):
    equal((done.code, done.out), (1, ""), done)
    equal(done.err, "precis bench: %s: cannot write: %s\n" % (name, why))


def test_full():
    """a disk that fills up while results are written: an error, and neither half a file nor the old one lost"""
    need("minor_faults")
    if os.path.exists("/dev/full"):
        check_full(run("bench", *FAULTS, "-o", "/dev/full"), "/dev/full", "No space left on device")
    for form in ("text", "json", "csv"):
        options = ("bench", *FAULTS, "--format", form, "-o")
        path = scratch("out." + form)
        equal(run(*options, path).code, 0)
        before = read(path)
        assert len(before) > 2000, (form, before)
        check_full(with_limit(1000, *options, path), path, "File too large")
        equal(read(path), before)
        check_full(with_limit(1000, *options, path + ".new"), path + ".new", "File too large")
        equal([name for name in os.listdir(SCRATCH.name) if name.startswith("out." + form)], ["out." + form])


def test_small_disk():
    """the same of a disk of two pages"""
    need("minor_faults")
    for name in ("there", "new"):
        done, left = on_small_disk(8192, "bench", *FAULTS, "--format", "json", "-o", name)
        check_full(done, name, "No space left on device")
        equal(left, {"there": b"before"})
    done, left = on_small_disk(1 << 20, "bench", *FAULTS, "--format", "json", "-o", "there")
    equal(done.code, 0, done)
    equal(len(json.loads(left["there"])["runs"]["rows"]), 2)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
