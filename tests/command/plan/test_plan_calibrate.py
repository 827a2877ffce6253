#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis plan --calibrate, with page faults of this machine's kernel."""
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from command import PRECIS, run
from quick import QUICK
from tap import equal

SCRATCH = tempfile.TemporaryDirectory()
SPIN = 60000  # ns that the handler takes on purpose: far above what a signal costs


def calibrate(path, *options):
    result = run("plan", "--calibrate", "--event", "page-faults", "--blocks", "8", "--format", "json",
                 "--calibration", path, *options)
    found = json.loads(result.out)
    entry = found["calibration"][0]
    if "refused" in entry and entry["refused"]:
        raise tap.Skip("page faults cannot be calibrated here: " + entry["refused"])
    equal(result.code, 0, repr(result))
    return entry


def test_injected():
    """what a handler takes on purpose is found, and a plan is made from what is stored"""
    if QUICK:
        raise tap.Skip("a calibration takes half a minute: not in a quick run")
    path = os.path.join(SCRATCH.name, "new/calibration")
    # An interval of 95% misses now and then; one that is wrong, each time.
    for _ in range(3):
        entry = calibrate(path, "--spin", str(SPIN))
        found = entry["signal"]
        print("# signal %s, off against off %s" % (found, entry["off_against_off"]))
        # beyond the spin there are the signal itself and the last look at the clock: some us, or tens in a
        # virtual machine whose CPUs are shared
        if found["high"] >= SPIN and found["low"] <= 2 * SPIN and found["value"] > SPIN / 2:
            break
    else:
        raise AssertionError(found)
    assert entry["interrupt"] is None, "page faults interrupt for each sample"
    result = run("plan", "--event", "page-faults", "--rate", "1e4", "--format", "json",
                 "--calibration", path, "--signal", "--budget", "5%")
    found = json.loads(result.out)
    equal(found["coefficients"]["source"], "calibrated")
    assert not found["coefficients"]["note"], found["coefficients"]
    assert found["sample_ns"]["value"] > SPIN / 2


def test_interrupted():
    """Ctrl-C in the first blocks: nothing is stored, and that is said"""
    path = os.path.join(SCRATCH.name, "interrupted")
    with subprocess.Popen([PRECIS, "plan", "--calibrate", "--event", "page-faults", "--calibration", path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        # it has a handler once the signal is caught: of /proc/PID/status
        while process.poll() is None:
            with open("/proc/%d/status" % process.pid, encoding="utf-8") as file:
                caught = [line for line in file if line.startswith("SigCgt")]
            if caught and int(caught[0].split()[1], 16) >> (signal.SIGINT - 1) & 1:
                break
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
    if "not permitted" in out or "no such event" in out:
        raise tap.Skip(out.strip())
    equal(process.returncode, 1, err)
    assert "interrupted" in err, err
    assert not os.path.exists(path)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
