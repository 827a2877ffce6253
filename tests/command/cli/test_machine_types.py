#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which event is IBS, when the recording does not say what its PMU type numbers mean."""
import os
import shutil
import subprocess
import sys
import tempfile

import perfdata
import tap
from command import PRECIS, good
from tap import Skip, equal

HERE = sys.modules[__name__]
SCRATCH = tempfile.TemporaryDirectory()
SYSFS = "/sys/bus/event_source/devices"


def without_mappings():
    """A recording with one sample of PMU type 77 and no feature that names it."""
    events = [(perfdata.attr(kind=77), [1], "mine")]
    path = os.path.join(SCRATCH.name, "perf.data")
    with open(path, "wb") as file:
        # a counter that looks like a fetch's Val and En, so that both readings are possible
        payload = perfdata.op_payload(ctl=0x3006b000f186a)
        file.write(perfdata.perf_data([perfdata.sample(payload)], events, {
            perfdata.CPUID: perfdata.string(perfdata.ZEN4)}))
    return path


def on_machine(types, *arguments):
    """What the command prints where sysfs lists these PMUs, in a mount namespace of its own."""
    if os.geteuid() != 0:
        raise Skip("only root can mount another sysfs directory")
    if not shutil.which("unshare") or not os.path.isdir(SYSFS):
        raise Skip("no unshare(1), or no " + SYSFS)
    devices = tempfile.mkdtemp(dir=SCRATCH.name)
    for name, number in types.items():
        os.mkdir(os.path.join(devices, name))
        with open(os.path.join(devices, name, "type"), "w", encoding="ascii") as file:
            file.write("%d\n" % number)
    script = 'mount --bind "$1" "$2" || exit 77; shift 2; exec "$@"'
    done = subprocess.run(["unshare", "--mount", "sh", "-c", script, "sh", devices, SYSFS, PRECIS]
                          + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 77 or b"unshare" in done.stderr:
        raise Skip("cannot mount here: " + done.stderr.decode().strip())
    equal(done.returncode, 0, done.stderr)
    return done.stdout.decode()


def test_this_machine():
    """this machine's sysfs says which type number is ibs_op"""
    text = on_machine({"ibs_op": 77, "ibs_fetch": 78}, "info", without_mappings())
    assert "decoded as ibs_op: by this machine's sysfs" in text, text


def test_other_machine():
    """where sysfs has another number for it, the payload decides"""
    text = on_machine({"ibs_op": 12, "ibs_fetch": 13}, "info", without_mappings())
    assert "decoded as ibs_op: by size and control bits of its first payload" in text, text


def test_numbers_swapped():
    """where sysfs has that number for the other PMU, the payload is believed"""
    text = on_machine({"ibs_op": 78, "ibs_fetch": 77}, "info", without_mappings())
    assert "decoded as ibs_op: by size and control bits of its first payload" in text, text


def test_no_ibs_here():
    """so it does on a machine without IBS"""
    text = good("info", without_mappings())
    assert "decoded as ibs_op: by size and control bits of its first payload" in text, text


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
