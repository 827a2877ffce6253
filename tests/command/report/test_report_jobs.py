#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --jobs: several threads give the bytes that one gives, whatever the recording is, and so
does one that reads it again.

Recordings are made large by repeating what is in them: tasks begin again and again, at times that
have been, so that records come too late for samples that have been counted.
"""
import json
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
from quick import FEW
from tap import equal

SCRATCH = tempfile.TemporaryDirectory()
JOBS = (2,) if FEW or os.environ.get("PRECIS_SANITIZED") == "yes" else (2, 4)
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


# --- each its share alone ---

PERIOD = 100  # ns from sample to sample


def bytes_read(*arguments):
    """What the command got by read(2) and its like"""
    with subprocess.Popen([PRECIS, *map(str, arguments)], stdout=subprocess.DEVNULL) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with open("/proc/%d/io" % process.pid, encoding="ascii") as file:
            return int(file.readline().split()[1])


def copies_read(path, jobs, *arguments):
    return bytes_read("report", "--jobs", jobs, *arguments, path) / os.path.getsize(path)


def steady(name, put=(), count=0, events=None, features=None):
    """
    Samples of two programs in the order of their times, and where 'put' says so, as a part of the file,
    other records in front of them.
    """
    source = random.Random(5)
    count = count or LARGE // len(perfdata.sample(perfdata.op_payload())) + 1
    put = {int(place * count): records for place, records in put}
    records = [mapped(100), mapped(101)]
    for n in range(count):
        records += [made(n) for made in put.get(n, ())]
        ip = 0x400000 + 16 * source.randrange(1 << 9)
        records.append(perfdata.sample(
            perfdata.op_payload(rip=ip, data=0x21e002a + source.randrange(1 << 8)), ip=ip,
            pid=100 + n % 2, tid=100 + n % 2, time=10 ** 9 + n * PERIOD, cpu=n % 4))
    return write(name, perfdata.perf_data(records, events, features))


def trailer(n, pid=100):
    return struct.pack("<IIQQII", pid, pid, 10 ** 9 + n * PERIOD, 1, 0, 0)


def execs(n):
    """From here on another program is in the first process."""
    comm = perfdata.record(3, struct.pack("<II", 100, 100) + b"other\0\0\0" + trailer(n), 1 << 13)
    path = b"/usr/bin/other\0\0"
    return comm + perfdata.record(1, struct.pack("<IIQQQ", 100, 100, 0x400000, 1 << 23, 0) + path +
                                  trailer(n), 2)


def maps(n):
    """Another file over some of the places, at a later time than samples around it"""
    return perfdata.record(1, struct.pack("<IIQQQ", 101, 101, 0x400000, 1 << 11, 0) +
                           b"/usr/lib/later\0\0" + trailer(n + 50, 101), 2)


def early(path):
    """The same places again and again, all at the time of mapped(): the last one in the file is right."""
    return lambda _: perfdata.record(1, struct.pack("<IIQQQ", 101, 101, 0x400000, 1 << 13, 0) + path +
                                     struct.pack("<IIQQII", 101, 101, 10 ** 8, 1, 0, 0), 2)


def covers(n):
    """From here on another file is at some of the places, and samples that are later have come."""
    return perfdata.record(1, struct.pack("<IIQQQ", 100, 100, 0x400000, 1 << 12, 0) +
                           b"/usr/lib/covers\0" + trailer(n - 50), 2)


def lost(n):
    return perfdata.record(2, struct.pack("<QQ", 1, 700) + trailer(n))


def throttled(n):
    times = struct.pack("<QQQ", 10 ** 9 + n * PERIOD, 1, 1)
    return perfdata.record(5, times + trailer(n)) + perfdata.record(6, struct.pack(
        "<QQQ", 10 ** 9 + n * PERIOD + 40, 1, 1) + trailer(n))


def rounds(_):
    return perfdata.finished_round()


def same_by_all(path, most, *options):
    """... and two threads read no more of it than that many times what is in it"""
    for form in ("text", "json"):
        result = outputs("--format", form, *options, path)
        equal((result.code, result.err), (0, ""))
    found = copies_read(path, 2, *options)
    assert found < most, found
    return found


def test_share_alone():
    """two threads read the recording once, not twice; what they find outside of it they tell each other"""
    every = [(place / 40 + .01, (rounds,)) for place in range(40)]
    same_by_all(steady("steady", every), 1.5)
    alike = steady("alike", [(.3, (early(b"/usr/lib/first\0\0"),)), (.7, (early(b"/usr/lib/second\0"),))])
    same_by_all(alike, 1.5)
    assert "second" in run("report", alike).out
    told = steady("told", every + [(.3, (lost, throttled)), (.7, (lost,)), (.9, (throttled, maps))])
    same_by_all(told, 1.5, "--all")
    same_by_all(told, 1.5, "--no-symbols")
    losses = [line for line in run("report", "--all", "--jobs", 2, told).out.splitlines() if "lost" in line]
    assert any("1400" in line for line in losses), losses


def test_share_alone_of_programs_that_begin():
    """who has counted for the wrong program starts over, with his share"""
    for places in ((.2,), (.6,), (.3, .6)):
        path = steady("begun", [(place, (execs,)) for place in places])
        found = same_by_all(path, 3)
        assert (found > 1.6) == (places != (.6,)), (places, found)


def test_share_alone_of_code_that_comes():
    """... or for the wrong file, where another was mapped"""
    for place in (.3, .7):
        path = steady("covered", [(place, (covers,))])
        assert same_by_all(path, 3) > 1.6
        told = json.loads(run("report", "--by", "dso", "--format", "json", path).out)["by_ops"]["rows"]
        shares = {row["dso"]: row["samples"] / sum(r["samples"] for r in told) for row in told}
        assert abs(shares["/usr/lib/covers"] - .25 * (1 - place)) < .01, shares


def test_share_alone_if_little_is_said():
    """many records before a share, or what changes the reading: then all is read by all"""
    near = steady("near", [(.49, (maps,))])
    assert same_by_all(near, 3.5) > 1.6
    update = perfdata.record(78, struct.pack("<QQ", 1, 1) + b"other name\0".ljust(16, b"\0"))
    named = steady("named", [(.3, (lambda n: update,))])
    assert same_by_all(named, 3.5) > 1.6
    events = [(perfdata.attr(sample_type=perfdata.SAMPLE_TYPE & ~perfdata.TIME), [1], "ibs_op//")]
    bare = perfdata.record(9, struct.pack("<QIIQII", 0x400010, 100, 100, 1, 0, 0) +
                           struct.pack("<I", 68) + perfdata.op_payload(rip=0x400010))
    timeless = write("timeless", perfdata.perf_data([bare] * (LARGE // len(bare) + 1), events))
    assert same_by_all(timeless, 2.5) > 1.6


def test_share_alone_of_threads():
    """samples of each thread, of events that are of threads, are added up"""
    entry = struct.pack("<QQQQ", 1, 0, 0, 100)
    index = perfdata.record(69, struct.pack("<Q", 1) + entry)
    path = steady("threads", [(0, (lambda n: index,)), (.3, (lost,)), (.8, (lost, throttled))])
    same_by_all(path, 1.5, "--all")
    assert "thread 100" in run("report", "--all", path).out


def test_share_that_seems_to_begin():
    """bytes inside a sample that look like samples mislead nobody"""
    # the four bytes put them where records may begin
    events = [(perfdata.attr(), [1], "ibs_op//"), (perfdata.attr(1, config=0), [2], "cpu-clock")]
    one = perfdata.sample(perfdata.op_payload(), time=10 ** 9 + 7)
    large = perfdata.sample(bytes(4) + one * 400, 2, time=10 ** 9 + 7)
    count = LARGE // len(one)
    for inside in range(8):  # the share's nominal start is somewhere inside of the large one
        before = count // 2 - 50 * inside
        records = [one] * before + [large] + [one] * (count - before - len(large) // len(one))
        path = write("seeming", perfdata.perf_data(records, events))
        equal(outputs("--format", "json", path).code, 0)


def test_usage():
    """--jobs takes a number; 0 is as many as there are CPUs"""
    path = repeated(recording("zen4-op"))
    equal(vars(run("report", "--jobs", "0", path)), vars(run("report", path)))
    for value in ("-1", "x", "", "257", "2x"):
        equal(usage("report", "--jobs", value, recording("zen4-op")),
              "precis report: --jobs: expected a number up to 256, found '%s'" % value)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
