#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by object of a process that maps code, data and memory without a file over each other: data are in what
was mapped there last.
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
from command import good
from tap import equal

PAGE = 0x1000
START = 0x7F0000000000
PAGES = 48
EXECUTABLE, DATA = (5, 2), (3, 2 | 1 << 13)  # protection, misc
SCRATCH = tempfile.TemporaryDirectory()


def mapping(pid, page, pages, name, form, time):
    protection, misc = form
    text = name.encode() + bytes(8 - len(name) % 8)
    body = struct.pack("<IIQQQ", pid, pid, START + page * PAGE, pages * PAGE, 0)
    if form == DATA:  # as old kernels have it, too: no protection
        return perfdata.record(1, body + text + struct.pack("<IIQQII", pid, pid, time, 1, 0, 0), misc)
    body += struct.pack("<IIQQII", 8, 1, 5, 0, protection, 2)
    return perfdata.record(10, body + text + struct.pack("<IIQQII", pid, pid, time, 1, 0, 0), misc)


def fork(pid, parent, time):
    body = struct.pack("<IIIIQ", pid, parent, pid, parent, time)
    return perfdata.record(7, body + struct.pack("<IIQQII", pid, pid, time, 1, 0, 0))


def accesses(pid, page, count, time):
    raw = perfdata.op_payload(lin=START + page * PAGE + 8)
    return [perfdata.sample(raw, pid=pid, tid=pid, time=time + n) for n in range(count)]


def randomly_mapped(source, pid, there, count, time):
    """So many mappings over what is there, which is changed with them"""
    records = []
    for _ in range(count):
        page, pages = source.randrange(PAGES), source.randint(1, 8)
        form = source.choice((EXECUTABLE, EXECUTABLE, DATA))
        name = source.choice(("/none/lib%d.so", "/none/lib%d.so", "/dev/shm/of%d")) % source.randrange(5)
        if source.random() < 0.2:
            name = "//anon"
        records.append(mapping(pid, page, pages, name, form, next(time)))
        there.update({at: name for at in range(page, page + pages)})
    return records


def found_in(path):
    rows = json.loads(good("report", "--by", "object", "--top", "1000", "--format", "json", path))["by_ops"]["rows"]
    found = collections.Counter()
    for row in rows:
        found[row["object_in"] or row["object_kind"]] += row["samples"]
    return found


def test_last_mapped():
    """a process, and a child that has its mappings and maps others over them"""
    built.need("elfutils")
    source = random.Random(20261128)
    for number in range(30):
        time, there, truth = iter(range(1000, 1 << 62)), {}, collections.Counter()
        records = [mapping(7, 0, PAGES, "/none/program", EXECUTABLE, next(time))]
        there.update({page: "/none/program" for page in range(PAGES)})
        records += randomly_mapped(source, 7, there, source.randint(1, 40), time)
        childs = dict(there)
        records.append(fork(8, 7, next(time)))
        records += randomly_mapped(source, 8, childs, source.randint(0, 20), time)
        for pid, pages in ((7, there), (8, childs)):
            for page in pages:
                records += accesses(pid, page, 1, next(time))
                truth[pages[page]] += 1
        path = os.path.join(SCRATCH.name, "recording")
        with open(path, "wb") as file:
            file.write(perfdata.perf_data(records))
        equal(found_in(path), truth, number)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
