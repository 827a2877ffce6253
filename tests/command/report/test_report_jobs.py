#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --jobs: several threads give the bytes that one gives, whatever the recording is, and so
does one that reads it again.

Recordings are made large by repeating what is in them: tasks begin again and again, at times that
have been, so that records come too late for samples that have been counted.
"""
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import perfdata
import tap
from command import PRECIS, recording, run, usage
from quick import QUICK
from tap import equal

SCRATCH = tempfile.TemporaryDirectory()
JOBS = (2,) if QUICK or os.environ.get("PRECIS_SANITIZED") == "yes" else (2, 4)
LARGE = (4 * max(JOBS) + 1) << 20  # bytes: 4 MiB for each thread
HEADER, TABLE_ROW = 104, 16


def scratch(name):
    return os.path.join(SCRATCH.name, name)


def write(name, data):
    with open(scratch(name), "wb") as file:
        file.write(data)
    return scratch(name)


def sections(whole):
    """Where the table of feature sections is, and how many there are"""
    data_at, data_bytes = struct.unpack_from("<QQ", whole, 40)
    features = sum(bin(word).count("1") for word in struct.unpack_from("<4Q", whole, 72))
    return data_at, data_bytes, features


def repeated(path):
    """The recording with its data section again and again, until it is large"""
    with open(path, "rb") as file:
        whole = file.read()
    at, size, features = sections(whole)
    times = LARGE // size + 1
    head, data, tail = bytearray(whole[:at]), whole[at:at + size], bytearray(whole[at + size:])
    struct.pack_into("<Q", head, 48, size * times)
    for n in range(features):
        offset, = struct.unpack_from("<Q", tail, n * TABLE_ROW)
        struct.pack_into("<Q", tail, n * TABLE_ROW, offset + size * (times - 1))
    return write("large", bytes(head) + data * times + bytes(tail))


def outputs(*arguments):
    """By one: twice; by several"""
    alone = run("report", *arguments)
    again = run("report", *arguments)
    equal(vars(again), vars(alone), "once more")
    for jobs in JOBS:
        equal(vars(run("report", "--jobs", jobs, *arguments)), vars(alone), "%d jobs" % jobs)
    return alone


def test_recordings():
    """IBS ops and fetches, PEBS: every figure; with other orders, without symbols, of some samples"""
    every = ((), ("--sort", "latency"), ("--no-symbols", "--filter", "cpu != 1"))
    for name, ways in (("zen4-mix-op", every), ("zen4-mix-fetch", every[:1]), ("zen4-freq", every[:1]),
                       ("spr-mix-loads", every), ("skylake-mix-loads", every[:1])):
        path = repeated(recording(name))
        for options in ways:
            result = outputs("--format", "json", "--top", "100000", *options, path)
            equal((result.code, result.err), (0, ""), (name, options))


def samples(count, source, payload=None):
    """Ops of random places, loads and others, some of which miss"""
    for n in range(count):
        rip = 0x400000 + source.randrange(1 << 24)
        data3 = source.choice((0x901961cd60085, 0x1, 0x2, 0x0, 0x1e0085))
        raw = perfdata.op_payload(rip=rip, data=0x21e002a + source.randrange(1 << 16), data3=data3,
                                  data2=source.randrange(16))
        if payload and n == count // 2:
            raw = payload
        yield perfdata.sample(raw, ip=rip, pid=100 + n % 3, tid=100 + n % 3, time=10 ** 9 + n, cpu=n % 4)


def mapped(pid):
    """A file over the first half of the places"""
    path = b"/usr/bin/some\0\0\0"
    trailer = struct.pack("<IIQQII", pid, pid, 10 ** 8, 1, 0, 0)
    return perfdata.record(1, struct.pack("<IIQQQ", pid, pid, 0x400000, 1 << 23, 0) + path + trailer, 2)


def made(name, payload=None):
    source = random.Random(20261122)
    count = LARGE // len(perfdata.sample(perfdata.op_payload())) + 1
    return write(name, perfdata.perf_data([mapped(100), mapped(101)] +
                                          list(samples(count, source, payload))))


def test_more_places_than_are_counted():
    """which places go is the same, however many threads read"""
    path = made("places")
    for options in ((), ("--sort", "latency"), ("--no-symbols",)):
        result = outputs("--format", "json", "--top", "100000", *options, path)
        equal(result.code, 0)
        assert "more places than are counted at once" in result.out, result.out[-2000:]


def test_faults():
    """what is wrong is told as by one: a payload that is none, an event that is none, an end"""
    path = made("payload", struct.pack("<I7Q", 0, *range(7)))
    result = outputs(path)
    assert result.code == 1 and "1 IBS payloads could not be decoded" in result.err, result
    with open(path, "rb") as file:
        whole = bytearray(file.read())
    at, size, _ = sections(whole)
    cut = write("cut", bytes(whole[:at + size * 3 // 4 + 5]))
    result = outputs(cut)
    assert result.code == 1 and "read as far as it goes" in result.out, result
    bare = perfdata.perf_data([perfdata.sample(None) if n % 1000 == 7 else
                               perfdata.sample(perfdata.op_payload()) for n in range(120000)])
    outputs(write("bare", bare))


def test_several_files():
    """each of several recordings is read by all"""
    one = repeated(recording("zen4-mix-op"))
    os.rename(one, scratch("one"))
    other = repeated(recording("spr-mix-loads"))
    outputs("--format", "json", scratch("one"), other, recording("zen4-op"))


def test_forms():
    """what is read in one piece: a stream, a small file"""
    path = repeated(recording("zen4-mix-op"))
    outputs(recording("zen4-op"))
    found = []
    for jobs in (1,) + JOBS:
        with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as cat:
            found.append(subprocess.run([PRECIS, "report", "--jobs", str(jobs), "-"],
                                        stdin=cat.stdout, capture_output=True, check=True).stdout)
    equal([output == found[0] for output in found], [True] * len(found))


def test_standard_input_is_a_file():
    """- is a file that is open: it is read, whatever lies beside"""
    path = repeated(recording("zen4-mix-op"))
    os.rename(path, scratch("one"))
    decoy = scratch("standard input")  # what messages call it
    os.rename(repeated(recording("spr-mix-loads")), decoy)
    found = []
    for jobs in (1,) + JOBS:
        with open(scratch("one"), "rb") as file:
            found.append(subprocess.run([PRECIS, "report", "--jobs", str(jobs), "-"], stdin=file,
                                        cwd=SCRATCH.name, capture_output=True, check=True).stdout)
    os.unlink(decoy)
    equal([output == found[0] for output in found], [True] * len(found))
    equal(b"Zen 4" in found[0], True)


def test_usage():
    """--jobs takes a number; 0 is as many as there are CPUs"""
    path = repeated(recording("zen4-op"))
    equal(vars(run("report", "--jobs", "0", path)), vars(run("report", path)))
    for value in ("-1", "x", "", "257", "2x"):
        equal(usage("report", "--jobs", value, recording("zen4-op")),
              "precis report: --jobs: expected a number up to 256, found '%s'" % value)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
