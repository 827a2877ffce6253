#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis plan where something is missing, vanishes, ends early or fills up: it is told, and a calibration is there whole,
or as it was before.
"""
import json
import os
import signal
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from command import run
from conditions import Nobody, Running, on_small_disk, take_breakpoints, with_limit
from quick import QUICK
from tap import Skip, equal
from test_plan import CALIBRATION

SCRATCH = tempfile.TemporaryDirectory()
os.environ["XDG_CONFIG_HOME"] = SCRATCH.name
ADVICE = ("plan", "--event", "cpu-clock", "--calibration")
CALIBRATE = ("plan", "--calibrate", "--format", "json", "--calibration")


def scratch(name, text=None):
    path = os.path.join(SCRATCH.name, name)
    if text is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return path


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def parsed(text):
    """No name stands twice in an object"""
    def unique(pairs):
        equal(len(dict(pairs)), len(pairs), pairs)
        return dict(pairs)
    return json.loads(text, object_pairs_hook=unique)


def entries(done):
    return {entry["name"]: entry for entry in parsed(done.out)["calibration"]}


def slow():
    if QUICK:
        raise Skip("a calibration takes seconds of CPU time: not in a quick run")


# --- where it cannot go, and who may not ---

def test_places():
    """where a calibration, or its page, cannot go is said before anything is measured"""
    there = scratch("file", "before")
    for path, words in ((os.path.join(there, "below"), "Not a directory"), (SCRATCH.name, "Is a directory")):
        done = run(*CALIBRATE, path)
        equal((done.code, done.out, done.err), (1, "", "precis plan: %s: %s\n" % (path, words)))
    done = run(*CALIBRATE, scratch("new/calibration"), "-o", scratch("nowhere/page"))
    equal((done.code, done.out), (1, ""))
    equal(done.err, "precis plan: %s: cannot write: No such file or directory\n" % scratch("nowhere/page"))
    equal(os.path.exists(scratch("new/calibration")), False)


def test_nobody():
    """nobody: no place, no calibration that may be read, events that are not permitted, each with its reason"""
    nobody = Nobody()
    equal(nobody.run(*CALIBRATE, "calibration").err, "precis plan: calibration: Permission denied\n")
    secret = os.path.join(nobody.path, "secret")
    with open(secret, "w", encoding="utf-8") as file:
        file.write(CALIBRATION)
    os.chmod(secret, 0o600)
    done = nobody.run(*ADVICE, "secret")
    equal((done.code, done.out, done.err), (1, "", "precis plan: secret: Permission denied\n"))
    mine = os.path.join(nobody.path, "mine")
    os.mkdir(mine)
    os.chmod(mine, 0o777)
    done = nobody.run(*CALIBRATE, "mine/calibration", "--event", "tracepoint")
    entry = entries(done)["tracepoint"]
    if not entry.get("refused"):
        raise Skip("nobody may trace here")
    equal((done.code, entry["samples"]), (1, 0))
    assert "permitted" in entry["refused"] or "tracefs" in entry["refused"], entry
    equal(os.listdir(mine), [])


# --- calibrations that are none ---

def test_files_without_end():
    """what has no end is refused, in bounded memory; nothing at all is no calibration"""
    for path, words in (("/dev/zero", "File too large"), ("/dev/null", "line 1")):
        if not os.path.exists(path):
            raise Skip("no " + path)
        done = run(*ADVICE, path)
        equal((done.code, done.out), (1, ""), done)
        assert path in done.err and words in done.err, done.err
        equal(len(done.err.splitlines()), 1, done.err)


def test_cut():
    """a calibration that is cut at any line is refused with line and offset, whosever it is"""
    lines = CALIBRATION.splitlines(keepends=True)
    for kept in range(len(lines)):
        path = scratch("cut", "".join(lines[:kept]))
        done = run(*ADVICE, path, "--period", "1000003")
        equal((done.code, done.out), (1, ""), done)
        assert "%s: line " % path in done.err and "offset 0x" in done.err, done.err
    done = run(*ADVICE, scratch("whole", CALIBRATION), "--period", "1000003")
    equal(done.code, 0, done)
    assert "GenuineIntel,6,85,4" in done.out, done.out


# --- it ends early ---

def test_signals():
    """Ctrl-C and SIGTERM in the first blocks: nothing is stored, what was there stays, and that is said"""
    for number in (signal.SIGINT, signal.SIGTERM):
        path = scratch("kept", CALIBRATION)
        running = Running(*CALIBRATE, path, "--event", "page-faults")
        if not running.wait_for(b"block 2 of"):
            done = running.end()
            raise Skip(str(entries(done)["page-faults"].get("refused")))
        done = running.end(number)
        entry = entries(done)["page-faults"]
        equal(done.code, -number, done)
        assert "interrupted: nothing is stored" in done.err, done.err
        equal((entry["refused"], entry["blocks"]), ("too few blocks were measured", 1))
        equal(read(path), CALIBRATION)
        equal([name for name in os.listdir(SCRATCH.name) if name.startswith("kept")], ["kept"])


def test_complete_events():
    """SIGTERM in the second event: the first one, which is complete, is stored, and it ends by that signal"""
    slow()
    path = scratch("two")
    running = Running(*CALIBRATE, path, "--blocks", "8")
    if not running.wait_for(b"tracepoint, block 1"):
        running.end(signal.SIGKILL)
        raise Skip("there is no second event")
    done = running.end(signal.SIGTERM)
    found = entries(done)
    equal(done.code, -signal.SIGTERM, done)
    equal(sorted(found), ["page-faults", "tracepoint"])
    equal((found["tracepoint"]["refused"], found["tracepoint"]["blocks"]), ("interrupted in its first block", 0))
    if found["page-faults"].get("refused"):
        raise Skip("page-faults: " + found["page-faults"]["refused"])
    assert "interrupted: what was measured is stored" in done.err, done.err
    equal([line for line in read(path).splitlines() if line.startswith(("event", "end"))], ["event page-faults", "end 1"])
    planned = run("plan", "--event", "page-faults", "--rate", "1e4", "--calibration", path)
    # 1: by eight blocks on a busy machine it may cost more than is wanted
    assert planned.code in (0, 1) and "page-faults" in planned.out and not planned.err, planned


def test_event_taken():
    """debug registers that others take in the middle of it: no cost is made up of what was measured until then"""
    path = scratch("taken")
    running = Running(*CALIBRATE, path, "--event", "breakpoint", "--blocks", "1000")
    if not running.wait_for(b"block 2 of"):
        done = running.end()
        raise Skip(str(entries(done)["breakpoint"].get("refused")))
    taken = []
    while len(taken) < 4 and running.process.poll() is None:
        taken += take_breakpoints(running.process.pid)[0]
    done = running.end()
    for fd in taken:
        os.close(fd)
    equal(done.code, 1, done)
    equal(entries(done)["breakpoint"]["refused"], "the CPU's debug registers or counters are all in use")
    assert not os.path.exists(path)


# --- a disk that fills up ---

def test_full_page():
    """a page that cannot be written to its end is none, and the one before stays"""
    costs = scratch("costs", CALIBRATION)
    for form in ("text", "json", "csv"):
        options = (*ADVICE, costs, "--format", form, "-o")
        path = scratch("page." + form)
        equal(run(*options, path).code, 0)
        before = read(path)
        done = with_limit(200, *options, path)
        equal((done.code, done.out, done.err), (1, "", "precis plan: %s: cannot write: File too large\n" % path))
        equal(read(path), before)
    equal(sorted(name for name in os.listdir(SCRATCH.name) if name.startswith("page.")),
          ["page.csv", "page.json", "page.text"])
    done, left = on_small_disk(4096, *ADVICE, costs, "-o", "there")
    equal((done.code, done.err), (1, "precis plan: there: cannot write: No space left on device\n"))
    equal(left, {"there": b"before"})


def test_full_calibration():
    """the same of a calibration, of which the page is printed all the same"""
    slow()
    path = scratch("full", CALIBRATION)
    done = with_limit(100, *CALIBRATE, path, "--event", "page-faults", "--blocks", "8")
    entry = entries(done)["page-faults"]
    if entry.get("refused"):
        raise Skip(entry["refused"])
    equal((done.code, done.err), (1, "precis plan: %s: File too large\n" % path))
    equal(parsed(done.out)["file"], None)
    equal(read(path), CALIBRATION)
    equal([name for name in os.listdir(SCRATCH.name) if name.startswith("full")], ["full"])


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
