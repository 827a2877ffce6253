#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis plan -- COMMAND and -p PID: what is counted, against programs that make so many events; and errors."""
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from command import PRECIS, run, usage
from tap import equal

SCRATCH = tempfile.TemporaryDirectory()
os.environ["XDG_CONFIG_HOME"] = SCRATCH.name
PYTHON = sys.executable
PAGES = 20000
STORES = 3000
ADDRESS = 0x20000000

# Costs that are known: what is tested is what is counted
COSTS = os.path.join(SCRATCH.name, "costs")
with open(COSTS, "w", encoding="utf-8") as costs:
    costs.write("precis-calibration 1\ncpu test\nkernel test\n")
    for event in ("page-faults", "cpu-clock", "tracepoint", "breakpoint", "ibs_op"):
        costs.write("event %s\nns sample 1000\ncovariance sample sample 1\nas interrupt sample 1\n"
                    "as wakeup sample 1\nns byte 0\nns event 5\n" % event)
    costs.write("end 5\n")

# Touches so many fresh pages, and says how much CPU time it has used
TOUCH = """
import mmap, os, sys
pages = int(sys.argv[1])
memory = mmap.mmap(-1, pages * 4096 + 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(15)
for n in range(pages):
    memory[n * 4096] = 1
open(sys.argv[2], "w").write(repr(sum(os.times()[:2])))
"""

# Writes so often into eight bytes at a place that is known
STORE = """
import ctypes, sys
library = ctypes.CDLL(None)
library.mmap.restype = ctypes.c_void_p
library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + 3 * [ctypes.c_int] + [ctypes.c_long]
at = library.mmap(%d, 4096, 3, 0x100022, -1, 0)
if at != %d:
    sys.exit("that place is taken")
word = ctypes.c_uint64.from_address(at)
for n in range(int(sys.argv[1])):
    word.value = n
""" % (ADDRESS, ADDRESS)


def plan(*words, code=0, options=(), before=()):
    found = subprocess.run([*before, PRECIS, "plan", "--format", "json", "--calibration", COSTS, *options,
                            *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, check=False)
    equal(found.returncode, code, found.stderr)
    return json.loads(found.stdout) if found.stdout else None, found.stderr


def can_count(event="page-faults"):
    result = run("plan", "--calibration", COSTS, "--event", event, "--", "true")
    if result.code and ("not permitted" in result.err or "not there" in result.err):
        raise tap.Skip(result.err.strip())


def touch(pages, *options):
    path = os.path.join(SCRATCH.name, "times")
    # by a child of the command, which inherits what counts
    found, _ = plan("--", "sh", "-c", '"$@"; true', "sh", PYTHON, "-c", TOUCH, str(pages), path,
                    options=("--event", "page-faults", *options))
    with open(path, encoding="utf-8") as file:
        return found, float(file.read())


def test_page_faults():
    """so many more pages are so many more events, in the CPU time that the program says it has used"""
    can_count()
    few, _ = touch(1)
    many, used = touch(PAGES)
    more = many["counted"]["events"] - few["counted"]["events"]
    # what Python itself touches differs a little, and the kernel may map some pages around one
    assert 0.97 * PAGES < more < 1.05 * PAGES, more
    # os.times() has ticks of 10 ms, for user and kernel mode each
    assert used - 0.04 <= many["counted"]["cpu_seconds"] <= 1.5 * used + 0.2, (many["counted"], used)
    counted = many["counted"]
    assert math.isclose(many["rate"], counted["events"] / counted["cpu_seconds"], rel_tol=1e-4)
    assert counted["peak"] >= many["rate"] * 0.999
    assert counted["cpu_seconds"] <= counted["seconds"] * os.cpu_count() * 1.1
    equal(counted["rate_deviation"], None)
    equal(counted["command"], "sh")


def test_prediction():
    """samples are the events that were counted, by the period; costs those of so many"""
    can_count()
    found, _ = touch(PAGES, "--period", "7")
    events = found["counted"]["events"]
    assert math.isclose(found["samples"]["value"], events / 7, rel_tol=1e-3), found["samples"]
    assert math.isclose(found["bytes"]["value"], events / 7 * found["record_bytes"], rel_tol=1e-3)
    # IP, TID, TIME, and with -d ADDR and DATA_SRC, behind 8 bytes: perf 6.1
    equal(found["record_bytes"], 48)
    # 1000 ns for each sample, and 5 for each event, of which the kernel is told
    assert math.isclose(found["overhead"]["value"] * found["counted"]["cpu_seconds"],
                        events / 7 * 1e-6 + events * 5e-9, rel_tol=1e-2), found["overhead"]
    equal((found["sample_ns"]["value"], found["event_ns"]), (1000, 5))
    assert found["perf_record"].startswith("perf record -d -e page-faults -c 7 "), found["perf_record"]


def test_runs():
    """several runs: their mean, and how much another one may differ"""
    can_count()
    found, _ = touch(2000, "--runs", "3")
    counted = found["counted"]
    equal(counted["runs"], 3)
    assert counted["rate_deviation"] > 0, counted
    samples = found["samples"]
    half = 1.96 * counted["rate_deviation"] / found["rate"] * samples["value"] + found["cpus"]
    assert math.isclose(samples["high"] - samples["value"], half, rel_tol=1e-3), (samples, half)


def test_slowed():
    """what the kernel counts slows the program: its time is that of a run in which it is not counted"""
    can_count()
    path = os.path.join(SCRATCH.name, "ran")
    for event, often in (("cpu-clock", 2), ("page-faults", 4)):
        plan("--runs", "2", "--", "sh", "-c", "echo >>" + path, options=("--event", event))
        with open(path, encoding="utf-8") as file:
            equal(len(file.readlines()), often, event)
        os.unlink(path)
    # what it does the first time alone: a second of CPU time, and pages
    once = "import os, sys\nif not os.path.exists(sys.argv[1]):\n    open(sys.argv[1], 'w')\n" \
           "    while os.times()[0] < 1: pass\n    x = bytearray(40000000)\n"
    found, _ = plan("--", PYTHON, "-c", once, path, options=("--event", "page-faults", "--budget", "50%"))
    assert found["counted"]["cpu_seconds"] < 0.7, found["counted"]


def test_breakpoint():
    """each store into a watched word is an event"""
    can_count("mem:0x%x/8:w" % ADDRESS)
    event = ("--event", "mem:0x%x/8:w" % ADDRESS)
    result = run("plan", *event, "--calibration", COSTS, "--format", "json", "--period", "7", "--", PYTHON,
                 "-c", STORE, str(STORES))
    if result.code == 1 and "no such event came" in result.err:
        raise tap.Skip("data breakpoints can be set here, but never fire")
    equal(result.code, 0, repr(result))
    found = json.loads(result.out)
    equal(found["counted"]["events"], STORES)
    assert " -e mem:0x%x/8:w -c " % ADDRESS in found["perf_record"], found["perf_record"]
    equal(found["event"], event[1])
    # what it costs to count them is the program's own, not the 5 ns of the calibration
    assert math.isclose(found["event_ns"], max(found["counted"]["counting_ns"], 0), abs_tol=1e-3), found
    equal(found["overhead"]["high"], None)


def test_tracepoint():
    """a tracepoint: perf must be told not to record the period, or it samples each event"""
    name = "exceptions:page_fault_user"
    if not any(os.path.exists(place + "/events/exceptions/page_fault_user/id")
               for place in ("/sys/kernel/tracing", "/sys/kernel/debug/tracing")):
        raise tap.Skip("tracefs is not mounted, may not be read, or has no " + name)
    can_count(name)
    path = os.path.join(SCRATCH.name, "times")
    found, _ = plan("--", PYTHON, "-c", TOUCH, str(PAGES), path, options=("--event", name))
    assert 0.97 * PAGES < found["counted"]["events"] < 1.5 * PAGES, found["counted"]
    assert "--no-period" in found["perf_record"], found["perf_record"]
    # three words behind the common 8 bytes, and the size: IP, TID, TIME, CPU, RAW
    equal(found["record_bytes"], 8 + 4 * 8 + 40)


# It runs until another child of its parent has an event open.
UNTIL_COUNTED = """
import glob, os
def is_counted():
    for link in glob.glob("/proc/[0-9]*/fd/*"):
        try:
            with open(link.split("/fd/")[0] + "/stat", encoding="ascii", errors="replace") as file:
                parent = int(file.read().rpartition(")")[2].split()[1])
            if parent == os.getppid() and "perf_event" in os.readlink(link):
                return True
        except OSError:
            pass
print("x", flush=True)
while not is_counted():
    pass
"""


def test_process():
    """threads of a process that runs, and that it has ended"""
    can_count("cpu-clock")
    spin = "import threading\nthreading.Thread(target=lambda: [None for _ in iter(int, 1)]).start()\n" \
           "print('x', flush=True)\nwhile True: pass"
    with subprocess.Popen([PYTHON, "-c", spin], stdout=subprocess.PIPE) as process:
        try:
            process.stdout.read(1)
            found, _ = plan("-p", str(process.pid), "--seconds", "0.3", options=("--event", "cpu-clock"))
        finally:
            process.kill()
        counted = found["counted"]
        equal((counted["pid"], counted["threads"], counted["end"]), (process.pid, 2, None))
        # a clock counts what the thread runs
        assert math.isclose(found["rate"], 1e9, rel_tol=0.05), found["rate"]
        assert " -p %d" % process.pid in found["perf_record"]
        equal(found["precis_record"], None)
    _, said = plan("-p", str(process.pid), code=1, options=("--event", "cpu-clock"))
    assert "no process %d" % process.pid in said, said
    with subprocess.Popen([PYTHON, "-c", UNTIL_COUNTED], stdout=subprocess.PIPE) as process:
        process.stdout.read(1)
        found, _ = plan("-p", str(process.pid), "--seconds", "600", options=("--event", "cpu-clock"))
        assert "ended" in found["counted"]["end"], found["counted"]


def test_commands_that_fail():
    """not there, not executable, killed, with an exit code; nothing that runs, nothing that comes"""
    can_count()
    faults = ("--event", "page-faults")
    out, said = plan("--", "no-such-program-at-all", code=127, options=faults)
    assert out is None and "no-such-program-at-all: No such file" in said, said
    _, said = plan("--", SCRATCH.name, code=126, options=faults)
    assert "Permission denied" in said, said
    found, said = plan("--", "sh", "-c", "kill -9 $$", code=1, options=faults)
    assert "killed by signal 9 (Killed)" in said and "killed" in found["counted"]["end"], said
    found, said = plan("--", "sh", "-c", "exit 3", options=faults)
    assert "exit code 3" in found["counted"]["end"] and not said, said
    _, said = plan("--", "true", code=1, options=("--event", "mem:0x%x/8:w" % ADDRESS))
    assert "no such event came" in said or "permitted" in said, said


def awaits(pid, number):
    """It has a handler of that signal, as it has while it counts"""
    with open("/proc/%d/status" % pid, encoding="ascii") as file:
        masks = dict(line.split(":", 1) for line in file if line.startswith("Sig"))
    return bool(int(masks["SigCgt"], 16) >> (number - 1) & 1)


def cpu_ns(pid):
    with open("/proc/%d/schedstat" % pid, encoding="ascii") as file:
        return int(file.read().split()[0])


def test_interruption():
    """Ctrl-C and SIGTERM: who counts a process ends by that signal, behind what was counted until then"""
    can_count()
    options = ("plan", "--event", "cpu-clock", "--calibration", COSTS, "--format", "json", "--seconds", "600")
    for number in (signal.SIGINT, signal.SIGTERM):
        with subprocess.Popen([PYTHON, "-c", "while True: pass"]) as process:
            try:
                with subprocess.Popen([PRECIS, *options, "-p", str(process.pid)], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE) as counting:
                    while not awaits(counting.pid, number) and counting.poll() is None:
                        time.sleep(0.01)
                    begun = cpu_ns(process.pid)
                    while cpu_ns(process.pid) < begun + 20000000:
                        time.sleep(0.01)
                    counting.send_signal(number)
                    out, said = counting.communicate(timeout=120)
            finally:
                process.kill()
        equal(counting.returncode, -number, said)
        equal(json.loads(out)["counted"]["end"], "it was counted until the interrupt", said)


def test_interrupted_command():
    """SIGTERM is the command's, too: planned for by what came until then, and it ends by that signal"""
    can_count()
    end = os.path.join(SCRATCH.name, "begun")
    with subprocess.Popen([PRECIS, "plan", "--event", "page-faults", "--calibration", COSTS, "--format", "json", "--",
                           "sh", "-c", ": >$0; exec sleep 600", end], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as counting:
        while not os.path.exists(end) and counting.poll() is None:
            time.sleep(0.01)
        counting.send_signal(signal.SIGTERM)
        out, said = counting.communicate(timeout=120)
    equal(counting.returncode, -signal.SIGTERM, said)
    assert b"killed by signal 15" in said and "killed" in json.loads(out)["counted"]["end"], (out, said)


def test_not_countable():
    """events that this machine has not, each with its reason"""
    can_count()
    if not os.path.exists("/sys/bus/event_source/devices/ibs_op"):
        _, said = plan("--", "true", code=1, options=("--event", "ibs_op"))
        assert "no PMU ibs_op" in said, said
    for event, words in (("sched:no_such_tracepoint", "cannot be looked up"), ("a:b:c", "no tracepoint"),
                         ("../..:x", "no tracepoint"), ("mem:nowhere", "no data breakpoint"),
                         ("mem:0x1000/3:w", "no data breakpoint"), ("mem:0x1000/8:x", "no data breakpoint"),
                         ("mem:0x1001/8:w", "multiple")):
        _, said = plan("--", "true", code=1, options=("--event", event))
        assert words in said, (event, said)
        equal(len(said.splitlines()), 1, said)


def test_not_permitted():
    """without privileges: user mode alone, and no processes of others"""
    can_count()
    if os.geteuid() or not shutil.which("setpriv"):
        raise tap.Skip("no privileges that could be given up")
    drop = ("setpriv", "--bounding-set", "-perfmon,-sys_admin,-sys_ptrace")
    if subprocess.run([*drop, "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        raise tap.Skip("setpriv(1) knows no cap_perfmon")
    with open("/proc/sys/kernel/perf_event_paranoid", encoding="utf-8") as file:
        paranoid = int(file.read())
    if paranoid != 2:
        raise tap.Skip("kernel.perf_event_paranoid is %d, not 2" % paranoid)
    found, _ = plan("--", "true", options=("--event", "page-faults"), before=drop)
    equal(found["counted"]["user_mode_only"], 1)
    _, said = plan("-p", "1", code=1, options=("--event", "page-faults"), before=drop)
    assert "not permitted" in said, said


def test_output():
    """what the command prints stays apart from the plan"""
    can_count()
    # of a clock the command runs once
    found, said = plan("--", "echo", "hello world", options=("--event", "cpu-clock"))
    equal(said, "hello world\n")
    assert found["perf_record"].endswith(" -- echo 'hello world'"), found["perf_record"]
    path = os.path.join(SCRATCH.name, "plan.json")
    result = run("plan", "--event", "cpu-clock", "--calibration", COSTS, "--format", "json", "-o", path, "--",
                 "echo", "hello")
    equal((result.code, result.out), (0, "hello\n"))
    with open(path, encoding="utf-8") as file:
        assert json.load(file)["counted"]["events"] > 0
    text = run("plan", "--event", "cpu-clock", "--calibration", COSTS, "--", "sh", "-c", "exit 4")
    for words in ("counted", "of CPU time", "--runs", "exit code 4"):
        assert words in text.out, text.out


def test_usage():
    """what does not go together"""
    for options in (("-p", "1", "--", "true"), ("--rate", "1e5", "--", "true"), ("-p", "0"), ("-p", "x"),
                    ("--runs", "3", "--rate", "1e5"), ("--seconds", "2", "--", "true"),
                    ("--calibrate", "--", "true"), ("--check", "x", "-p", "1"), ("true",), ("--",),
                    ("--event", "tracepoint", "--", "true")):
        usage("plan", "--calibration", COSTS, *(() if "--event" in options else ("--event", "page-faults")),
              *options)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
