#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
What events are called whose names are not in the recording, as old perfs, simpleperf and a
recorder that died leave them: the names of perf evlist. Files are made with every kind of event,
without EVENT_DESC; those of other people that have none are compared as well.
"""

import itertools
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../command/cli"))

import perfdata
from differential import ENVIRONMENT, PERF, PRECIS, SHARED, done, need, note, ok, skip

HARDWARE, SOFTWARE, TRACEPOINT, HW_CACHE, RAW, BREAKPOINT = range(6)
EXCLUDE = {"user": 4, "kernel": 5, "hv": 6, "host": 19, "guest": 20}
PRECISE = 15
# Names that perf's parser has, and its printer lacks
LATER = {(SOFTWARE, 10): "bpf-output", (SOFTWARE, 11): "cgroup-switches"}


def attr(kind, config, flags=0, address=0, access=0):
    packed = bytearray(perfdata.attr(kind, config=config))
    struct.pack_into("<Q", packed, 40, perfdata.SAMPLE_ID_ALL | flags)
    struct.pack_into("<IQ", packed, 52, access, address)
    return bytes(packed)


def modifiers():
    """Flags that show in a name, all of them together with each other"""
    for precise, *excluded in itertools.product(range(4), *[(0, 1)] * len(EXCLUDE)):
        flags = precise << PRECISE
        for bit, is_set in zip(EXCLUDE.values(), excluded):
            flags |= is_set << bit
        yield flags


def events():
    caches = range(8)
    for config in range(11):
        yield HARDWARE, config, attr(HARDWARE, config)
    for config in range(13):
        yield SOFTWARE, config, attr(SOFTWARE, config)
    for result, access, cache in itertools.product(range(3), range(4), caches):
        config = result << 16 | access << 8 | cache
        yield HW_CACHE, config, attr(HW_CACHE, config)
    for config in (0, 0x1cd, 0x5301b7, 1 << 40):
        yield RAW, config, attr(RAW, config)
    for access in range(8):
        yield BREAKPOINT, 0, attr(BREAKPOINT, 0, address=0x401000 + access, access=access)
    for flags in modifiers():
        yield HARDWARE, 0, attr(HARDWARE, 0, flags)
    for kind in (SOFTWARE, HW_CACHE, RAW, BREAKPOINT):
        yield kind, 1, attr(kind, 1, 1 << EXCLUDE["kernel"] | 2 << PRECISE)


def perf_names(path):
    run = subprocess.run([PERF, "evlist", "-i", path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, env=ENVIRONMENT, check=False)
    return [line for line in run.stdout.decode().splitlines() if not line.startswith("# Tip")]


def precis_names(path):
    run = subprocess.run([PRECIS, "info", "--format", "json", path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False)
    return [event["name"] for event in json.loads(run.stdout)["events"]]


def made(work):
    """All of them in one file"""
    rows = list(events())
    path = os.path.join(work, "names.data")
    with open(path, "wb") as out:
        out.write(perfdata.perf_data(
            [perfdata.finished_round()],
            [(packed, [n + 1], "") for n, (_, _, packed) in enumerate(rows)],
            {perfdata.HOSTNAME: perfdata.string("host")}))
    mine, perfs = precis_names(path), perf_names(path)
    wrong = 0
    for number, (kind, config, _) in enumerate(rows):
        expected = LATER.get((kind, config), perfs[number])
        if (kind, config) in LATER and ":" in perfs[number]:
            expected += ":" + perfs[number].split(":")[1]
        if expected.startswith(("unknown", "invalid")):
            expected = "event-%d" % number
        if mine[number] != expected:
            wrong += 1
            note("type %d, config 0x%x: precis %s, perf %s" % (kind, config, mine[number],
                                                               perfs[number]))
    ok(not wrong and len(mine) == len(perfs) == len(rows),
       "%d events without names: as perf evlist names them" % len(rows))


def kinds_of_core(work):
    """Generic events that say in config which PMU they are of: not by perf 6.1, which needs
    this machine to have it"""
    path = os.path.join(work, "hybrid.data")
    rows = [(attr(HARDWARE, 10 << 32), [1], ""), (attr(HARDWARE, 4 << 32 | 1), [2], "")]
    with open(path, "wb") as out:
        out.write(perfdata.perf_data([perfdata.finished_round()], rows, {
            perfdata.PMU_MAPPINGS: perfdata.pmu_mappings([(4, "cpu_core"), (10, "cpu_atom")])}))
    mine = precis_names(path)
    ok(mine == ["cpu_atom/cycles/:HG", "cpu_core/instructions/:HG"],
       "cores of several kinds: %s" % " ".join(mine))


def shared():
    """Other people's recordings that perf reads and that have no EVENT_DESC"""
    directory = os.path.join(SHARED, "perfdata")
    name = "other people's recordings: as perf evlist names them"
    if not os.path.isdir(directory):
        skip(name, "no %s" % directory)
        return
    compared = wrong = 0
    for file in sorted(os.listdir(directory)):
        path = os.path.join(directory, file)
        perfs = perf_names(path) if os.path.isfile(path) and not file.endswith(".tsv") else []
        mine = precis_names(path) if perfs else []
        for one, other in zip(mine, perfs):
            compared += 1
            # perf's own name of what the pipe's EVENT_UPDATE calls otherwise
            if one != other and (one, other) != ("cycles:P", "cycles:ppp"):
                wrong += 1
                note("%s: precis %s, perf %s" % (file, one, other))
    ok(compared and not wrong, name)


def main():
    need(PERF, "nothing to compare with")
    with tempfile.TemporaryDirectory() as work:
        made(work)
        kinds_of_core(work)
    shared()
    done()


if __name__ == "__main__":
    main()
