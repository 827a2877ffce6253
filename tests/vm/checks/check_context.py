#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_context.py DIRECTORY: precis knows the core, decodes each sample of it, and the filters that
the kernel's driver offers there have filtered.
"""

import json
import os
import re
import sys

from scenario import PRECIS, done, equal, ok, output, steps

CONTEXTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "contexts.tsv")


def core_name(machine):
    """What precis calls the core of a row of machines.def"""
    with open(CONTEXTS, encoding="utf-8") as table:
        rows = (line.rstrip("\n").split("\t") for line in table if not line.startswith("#"))
        return next(row[1] for row in rows if row[0] == machine)


def samples(path, fields):
    return [json.loads(line) for line in output(PRECIS, "dump", "--format", "json", "--reasons",
                                                "-F", fields, path).splitlines()]


def check_core(name, path, core):
    cpuid = re.search(r"^cpuid +\S+ (.*?) \(family", output(PRECIS, "info", path), re.M)
    equal(cpuid and cpuid[1], core, "%s: the core" % name)


def check_decoded(name, path):
    """Every sample is decoded, and none is called damaged."""
    found = re.search(r"^  samples (\d+) .*undecodable (\d+)  other events (\d+)  unreadable (\d+)",
                      output(PRECIS, "report", path), re.M)
    ok(found, "%s: precis report" % name)
    if found:
        equal(found.groups()[1:], ("0", "0", "0"), "%s: each sample can be decoded" % name)
        equal(int(found[1]), len(samples(path, "ip")), "%s: report and dump have as many" % name)


def every(path, title, field, condition):
    """Of each sample 'field' is known and as it has to be."""
    wrong = [s for s in samples(path, field) if field not in s or not condition(s[field])]
    ok(not wrong, title, *wrong[:3])


# Filters that are the hardware's, and whose they are
HARDWARE_FILTERS = {"l3missonly": "ibs_op", "ldlat": "ibs_op", "fetchlat": "ibs_fetch",
                    "strmst": "ibs_op"}


def check_filter(name, path):
    if name == "l3missonly":
        every(path, "l3missonly: no cache of this core complex", "mem_level",
              lambda level: level not in ("L1", "L2", "L3"))
    if name == "ldlat":
        every(path, "ldlat=256: latencies above it", "dcache_miss_latency", lambda n: n > 256)
    if name == "fetchlat":
        every(path, "fetchlat=128: latencies from it on", "fetch_latency", lambda n: n >= 128)
    if name == "strmst":
        every(path, "strmst: streaming stores", "streaming_store", lambda n: n in (1, True))
    if name in ("swfilt_user", "unprivileged"):
        every(path, "%s: nothing of the kernel" % name, "ip", lambda ip: int(ip, 16) < 2**63)
    if name == "unprivileged":
        told = [s for s in samples(path, "phys_addr") if "phys_addr" in s]
        ok(not told, "unprivileged: physical addresses that the kernel removed are absent",
           *told[:3])


def main(directory):
    core = None
    for step in steps(directory):
        core = core or core_name(step.words["machine"])
        if step.name == "op":
            equal(step.total("ibs_op", "discarded"), 0, "op: without an event nothing is tagged")
        if step.name in HARDWARE_FILTERS:
            ok(step.total(HARDWARE_FILTERS[step.name], "filtered") > 0,
               "%s: the hardware filtered" % step.name)
            equal(step.total(HARDWARE_FILTERS[step.name], "discarded"), 0,
                  "%s: the driver found nothing left to filter" % step.name)
    recordings = sorted(name for name in os.listdir(directory) if name.endswith(".data"))
    for recording in recordings:
        name = recording[:-len(".data")]
        path = os.path.join(directory, recording)
        check_core(name, path, core)
        check_decoded(name, path)
        check_filter(name, path)
    ok(len(recordings) > 1, "there are recordings")
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
