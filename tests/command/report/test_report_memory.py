#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report, and sharing, of recordings with very many mappings: what they take beside that of the same samples is
bounded, and all samples are told to be of their files as long as that is enough.
"""
import collections
import json
import os
import random
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import perfdata
import tap
from command import kib_of, run
from tap import equal

QUICK = os.environ.get("PRECIS_QUICK")
MOST_KIB = 64 << 10
PAGES = 0x200000
START = 0x7F0000000000
SCRATCH = tempfile.TemporaryDirectory()
SANITIZED = os.environ.get("PRECIS_SANITIZED") == "yes"


def mapped(pid, start, length, name, time):
    name += bytes(8 - len(name) % 8)
    return perfdata.record(1, struct.pack("<IIQQQ", pid, pid, start, length, 0) + name +
                           struct.pack("<IIQQII", pid, pid, time, 1, 0, 0), 2)


def mapping(pid, place, name, time):
    return mapped(pid, START + 2 * PAGES * place, PAGES, b"/usr/lib/lib%d.so" % name, time)


def sample(pid, ip, time):
    return perfdata.sample(perfdata.op_payload(rip=ip), ip=ip, pid=pid, tid=pid, time=time)


def written(path, records):
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(records))
    return path


def recording(name, processes, each, order=1, maps=True):
    """Each process maps so many files, upwards or downwards, and then has a sample in one of them."""
    path = os.path.join(SCRATCH.name, name)
    places = range(each)[::order]
    time = iter(range(1000, 1 << 62))
    records = [mapping(1000 + pid, place, place % 100, next(time)) for place in places for pid in range(processes if maps else 1)]
    for pid in range(processes):
        ip = START + 2 * PAGES * (pid % each) + 16
        records.append(sample(1000 + pid, ip, next(time)))
    return written(path, records)


def found_in(path, most=200):
    """How many samples are in which file, and what is said beside"""
    result = run("report", "--by", "dso", "--top", str(most), "--format", "json", path)
    equal(result.code, int(result.err != ""), result.err)
    rows = json.loads(result.out)["by_ops"]["rows"]
    return {row["dso"]: row["samples"] for row in rows if "dso" in row}, result.err


def truth(processes, each):
    found = {}
    for pid in range(processes):
        name = "/usr/lib/lib%d.so" % (pid % each % 100)
        found[name] = found.get(name, 0) + 1
    return found


def need_memory(path, *sizes):
    """It is no more than that much beside what the samples take alone."""
    if SANITIZED:
        raise tap.Skip("sanitizers take memory of their own")
    none = recording("none", *sizes, maps=False)
    # The last of these learns what is no code, too
    for command in (("report",), ("report", "--by", "dso"), ("sharing",)):
        took = kib_of(*command, path, is_good=False) - kib_of(*command, none)
        assert took < MOST_KIB, (command, took)


SIZES = (4000, 10) if QUICK else (40000, 10)


def test_many_processes():
    """as many as a kernel's build has, each with its libraries"""
    built.need("elfutils")
    path = recording("processes", *SIZES)
    equal(found_in(path), (truth(*SIZES), ""))
    need_memory(path, *SIZES)


def test_large_processes():
    """few processes that map thousands of files, to addresses that rise or fall"""
    built.need("elfutils")
    for order in (1, -1):
        sizes = (100, 400 if QUICK else 5000)
        path = recording("large", *sizes, order)
        equal(found_in(path), (truth(*sizes), ""), order)
        need_memory(path, *sizes)


def test_made_at_run_time():
    """functions of a compiler that uses its memory again, as perf inject has them: each sample in the one of its time"""
    built.need("elfutils")
    count, places, size = (2000, 600, 0x400) if QUICK else (20000, 6000, 0x400)
    source, there, truth = random.Random(20261128), {}, collections.Counter()
    records, time = [mapped(7, START, 1 << 28, b"//anon", 10)], iter(range(1000, 1 << 62))
    for n in range(count):
        place = source.randrange(places)
        there[place] = "/tmp/jitted-7-%d.so" % (n % 3000)
        records.append(mapped(7, START + size * place, size, there[place].encode(), next(time)))
        for _ in range(3):
            place = source.choice(list(there)) if n < 100 else source.randrange(places)
            if place in there:
                truth[there[place]] += 1
                records.append(sample(7, START + size * place + 16, next(time)))
    path = written(os.path.join(SCRATCH.name, "made"), records)
    equal(found_in(path, 3001), (dict(truth), ""))
    if not SANITIZED:
        for command in ("report", "mix"):
            took = kib_of(command, path)
            assert took < 2 * MOST_KIB, (command, took)


def test_too_many():
    """more than fits: memory is bounded, and it is said that something is missing"""
    built.need("elfutils")
    if QUICK:
        raise tap.Skip("a million mappings: not in a quick run")
    sizes = (130000, 8)
    path = recording("more", *sizes)
    found, said = found_in(path)
    equal(sum(found.values()), sizes[0])
    assert "found no memory: what they tell is missing" in said, said
    need_memory(path, *sizes)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
