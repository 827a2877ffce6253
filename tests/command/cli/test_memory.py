#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
What a command takes beside what it takes of a recording that says little is 64 MiB at most, of however many mappings,
processes, threads, names and addresses; and where something had no room, that is said.
"""
import functools
import os
import random
import struct
import sys
import tempfile

import perfdata
import tap
from command import kib_of, run

QUICK = os.environ.get("PRECIS_QUICK")
SHARE = 10 if QUICK else 1
MOST_KIB = 64 << 10
START, PAGES = 0x7F0000000000, 0x2000
MISSING = "found no memory: what they tell is missing"
SCRATCH = tempfile.TemporaryDirectory()
OUT = os.path.join(SCRATCH.name, "out")

COMMANDS = (
    ("dump", "--sorted"),
    ("dump", "-F", "time,comm,dso,symbol"),
    ("dump", "--records", "--sorted"),
    ("info",),
    ("report",),
    ("report", "--by", "dso,symbol"),
    ("report", "--by", "comm,tid"),
    ("report", "--jobs", "2"),
    ("report", "--by", "dso,symbol", "--jobs", "2"),
    ("report", "--save", OUT),
    ("sharing",),
    ("export", "--format", "folded"),
    ("export", "--format", "firefox"),
    ("export", "--format", "chrome"),
    ("export", "--format", "arrow", "-F", "all,comm,symbol", "-o", OUT),
)


def identity(pid, tid, time):
    return struct.pack("<IIQQII", pid, tid, time, 1, 0, 0)


def text(name):
    return name + bytes(8 - len(name) % 8)


def mapped(pid, start, name, time):
    return perfdata.record(1, struct.pack("<IIQQQ", pid, pid, start, PAGES, 0) + text(name) +
                           identity(pid, pid, time), 2)


def named(pid, tid, name, time):
    return perfdata.record(3, struct.pack("<II", pid, tid) + text(name) + identity(pid, tid, time))


def sample(ip, time, pid=7, tid=7, misc=2, **registers):
    return perfdata.sample(perfdata.op_payload(rip=ip, **registers), ip=ip, pid=pid, tid=tid, time=time, misc=misc)


def mappings(time):
    for n in range(500000 // SHARE):
        yield mapped(7, START + 2 * PAGES * n, b"/usr/lib/of/some/length/lib%d.so" % n, next(time))
        if n % 25 == 0:
            yield sample(START + 2 * PAGES * n + 16, next(time))


def processes(time):
    for pid in range(1000, 1000 + 50000 // SHARE):
        yield named(pid, pid, b"program-%d" % pid, next(time))
        for n in range(8):
            yield mapped(pid, START + 2 * PAGES * n, b"/usr/lib/lib%d.so" % (n or pid), next(time))
        yield sample(START + 2 * PAGES * (pid % 8), next(time), pid, pid)


def threads(time):
    for tid in range(1000, 1000 + 200000 // SHARE):
        yield named(7, tid, b"thread-%d" % tid, next(time))
        yield sample(START + 16 * tid, next(time), 7, tid)


def long_names(time):
    for n in range(10000 // SHARE):
        yield named(7, 8 + n, (b"%d-" % n) * 2500, next(time))
        yield mapped(7, START + 2 * PAGES * n, b"/" + (b"%d-" % n) * 700, next(time))
        yield sample(START + 2 * PAGES * n, next(time), 7, 8 + n)


def new_names(time):
    for n in range(500000 // SHARE):
        yield named(7, 7, b"now-I-am-%d" % n, next(time))
        yield sample(START, next(time))


def kernel_functions(time):
    for n in range(200000 // SHARE):
        address = 0xffffffffc0000000 + 0x100 * n
        yield perfdata.record(17, struct.pack("<QIHH", address, 0x80, 1, 0) + text(b"bpf_prog_%d" % n) +
                              identity(0, 0, next(time)), 1)
        yield sample(address + 16, next(time), misc=1)


def addresses(time):
    yield mapped(7, START, b"/usr/lib/a.so", next(time))
    for n in range(500000 // SHARE):
        mixed = n * 0x9E3779B97F4A7C15 % (1 << 64) >> 20
        yield sample(START + 64 * (mixed >> 12), next(time), lin=mixed << 3, phys=mixed)


def backwards(time):
    last = 1 << 40
    for _ in range(500000 // SHARE):
        yield sample(START, last - next(time))


def random_registers(time):
    source = random.Random(1)
    yield mapped(7, START, b"/usr/lib/a.so", next(time))
    for _ in range(300000 // SHARE):
        raw = struct.pack("<I7Q", 0xbff, *(source.getrandbits(64) for _ in range(7)))
        yield perfdata.sample(raw, ip=source.getrandbits(47), pid=7, tid=7, time=next(time))


def written(name, records):
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(list(records)))
    return path


@functools.cache
def kib_of_little(command):
    """What the command takes of a recording that says little, which is the same for all cases"""
    little = written("little", [mapped(7, START, b"/usr/lib/a.so", 1)] + [sample(START, n) for n in range(2, 20)])
    return kib_of(*command, little)


def is_bounded(records, may_miss=False, but=()):
    if os.environ.get("PRECIS_SANITIZED") == "yes":
        raise tap.Skip("sanitizers take memory of their own")
    path = written("much", records(iter(range(1000, 1 << 62))))
    for command in COMMANDS:
        if command in but:
            continue
        took = kib_of(*command, path, is_good=False) - kib_of_little(command)
        assert took < MOST_KIB, (command, took)
    if may_miss and not QUICK:
        result = run("export", "--format", "folded", "-o", OUT, path)
        assert result.code == 1 and MISSING in result.err, result


def test_mappings():
    """half a million of mappings, each of another file"""
    is_bounded(mappings, may_miss=True)


def test_processes():
    """fifty thousand processes with their libraries"""
    is_bounded(processes, may_miss=True)


def test_threads():
    """two hundred thousand threads with names"""
    is_bounded(threads)


def test_long_names():
    """names of threads and files of thousands of bytes"""
    is_bounded(long_names, may_miss=True)


def test_new_names():
    """a thread that has another name for each sample"""
    is_bounded(new_names, may_miss=True)


def test_kernel_functions():
    """functions of the kernel that are made one after the other"""
    is_bounded(kernel_functions, may_miss=True)


def test_addresses():
    """each sample at another instruction, of other memory"""
    is_bounded(addresses)


def test_backwards():
    """no rounds, and times that fall"""
    is_bounded(backwards)


def test_random_registers():
    """samples in which each bit is random: all latencies, and addresses that are not alike"""
    # two threads give up, and what is left of theirs beside one's 57 MiB is 62 to 63: too near to be told
    is_bounded(random_registers, but=[("report", "--jobs", "2")])


def test_saved_in_pieces():
    """a saved report that waits in a temporary file, and where there can be none"""
    path, to = written("much", long_names(iter(range(1000, 1 << 62)))), os.path.join(SCRATCH.name, "saved")
    result = run("report", "--save", to, path)
    assert (result.code == 0 or MISSING in result.err) and os.path.getsize(to) > 1 << 20, result
    told = [run("report", "--format", "json", of) for of in (path, to)]
    tap.equal(told[0].out, told[1].out)
    os.remove(to)
    result = run("report", "--save", to, path, env={**os.environ, "TMPDIR": os.path.join(SCRATCH.name, "none")})
    assert result.code == 1 and not os.path.exists(to), result
    assert "cannot be kept in a temporary file: No such file or directory" in result.err, result


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
