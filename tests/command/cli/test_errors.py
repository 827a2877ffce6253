#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Bad input: one line naming file, offset and what was expected; what can be read is printed."""
import os
import re
import random
import select
import shutil
import struct
import subprocess
import sys
import tempfile

import perfdata
import tap
from command import PRECIS, SHARED, recording, run, usage
from conditions import Nobody
from perfdata import op_payload, perf_data, sample
from quick import FEW
from tap import equal

HERE = sys.modules[__name__]
SCRATCH = tempfile.TemporaryDirectory()
OFFSET = re.compile(r"offset 0x([0-9a-f]+) \((\d+)\)")
COMMANDS = (("dump", "-F", "all"), ("info",))


def scratch(name, data):
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def refused(path, *words):
    """Every command refuses the file in one line, which names it and has these words."""
    for command in COMMANDS:
        result = run(*command, path)
        equal(result.code, 1, repr(command))
        found = [line for line in result.err.splitlines() if ": warning: " not in line]
        equal(len(found), 1, result.err)
        for line in found:
            assert line.startswith("precis %s: %s: " % (command[0], path)), line
        for word in words:
            assert word in result.err, (word, result.err)
        for place in OFFSET.finditer(result.err):
            equal(int(place[1], 16), int(place[2]))
    return result.err


def dumped(path):
    """What is dumped of a file that is broken somewhere, and what is said of it."""
    result = run("dump", "-F", "cpu", path)
    equal(result.code, 1)
    return result.out, result.err


def test_empty():
    """an empty file"""
    refused(scratch("empty", b""), "magic")


def test_text_file():
    """a file that is no perf.data"""
    refused(scratch("text", b"#!/bin/sh\necho hello, this is no recording at all\n" * 10),
            "not a perf.data file", "offset 0x0 (0)")


def test_nonexistent():
    """a file that is not there"""
    refused(os.path.join(SCRATCH.name, "nowhere"), "No such file or directory")


def test_directory():
    """a directory"""
    refused(SCRATCH.name, "is a directory")


def test_no_permission():
    """a file that may not be read"""
    path = scratch("secret", perf_data([sample(op_payload())]))
    os.chmod(path, 0)
    if os.geteuid():
        refused(path, "Permission denied")
        return
    nobody = Nobody()
    secret = os.path.join(nobody.path, "secret")
    shutil.copy(path, secret)
    os.chmod(secret, 0)
    done = nobody.run("dump", secret)
    equal((done.code, done.err), (1, "precis dump: %s: Permission denied\n" % secret))


def test_big_endian():
    """a recording of a big-endian machine is refused by name"""
    data = b"2ELIFREP" + struct.pack(">12Q", 104, 144, 0, 0, 104, 0, 0, 0, 0, 0, 0, 0)
    refused(scratch("swapped", data), "byte order", "offset 0x0 (0)")


def test_pipe_mode():
    """a recording in pipe mode whose first record is none"""
    refused(scratch("pipe", b"PERFILE2" + struct.pack("<Q", 16) + b"\0" * 64),
            "offset 0x16 (22)", "expected a record size of at least 8, found 0")


def test_every_prefix():
    """every prefix of a small file: no crash, what is whole is printed"""
    records = [sample(op_payload(), cpu=n) for n in range(3)]
    data = perf_data(records)
    data_at = data.index(records[0])
    data_end = data_at + sum(map(len, records))
    slow = FEW or os.environ.get("PRECIS_SANITIZED") == "yes"
    for length in range(0, len(data), 7 if slow else 1):
        path = scratch("prefix", data[:length])
        result = run("dump", "-F", "cpu", path)
        whole = max(0, min(3, (length - data_at) // len(records[0])))
        lines = result.err.splitlines()
        what = "%d bytes: %r" % (length, result)
        assert all(line.startswith("precis dump: %s: " % path) for line in lines), what
        if length < data_end:
            assert result.code == 1 and len(lines) >= 1, what
        elif result.code:
            assert result.code == 1 and lines, what
        if length >= data_at:
            equal(result.out, "".join("cpu=%d\n" % n for n in range(whole)), what)
        else:
            equal(result.out, "", what)


def test_every_prefix_info():
    """info: every 13th prefix of a small file"""
    data = perf_data([sample(op_payload(), cpu=n) for n in range(3)])
    for length in range(0, len(data), 61 if FEW else 13):
        result = run("info", scratch("prefix", data[:length]))
        assert result.code in (0, 1), result
        assert result.err or length >= 104, result


def test_truncated_record():
    """a file that ends inside a record: the samples before it are printed"""
    records = [sample(op_payload(), cpu=n) for n in range(3)]
    data = perf_data(records)
    last = data.index(records[0]) + 2 * len(records[0])
    out, err = dumped(scratch("cut", data[:last + 20]))
    equal(out, "cpu=0\ncpu=1\n")
    assert "offset 0x%x (%d): truncated: expected a record of" % (last, last) in err, err


def test_record_of_no_size():
    """a record whose size is less than its header's"""
    bad = struct.pack("<IHH", 9, 0, 4)
    records = [sample(op_payload(), cpu=0), bad, sample(op_payload(), cpu=1)]
    out, err = dumped(scratch("tiny", perf_data(records)))
    equal(out, "cpu=0\n")
    assert OFFSET.search(err) and "expected a record size of at least 8, found 4" in err, err


def test_raw_size_that_lies():
    """a raw size beyond its record: that sample is skipped and told, the others are printed"""
    bad = bytearray(sample(op_payload(), cpu=1))
    struct.pack_into("<I", bad, 8 + 8 + 8 + 8 + 8 + 8, 60000)
    out, err = dumped(scratch("lies", perf_data([sample(op_payload(), cpu=0), bytes(bad),
                                                 sample(op_payload(), cpu=2)])))
    equal(out, "cpu=0\ncpu=2\n")
    assert "1 samples could not be read, the first at offset 0x" in err and "truncated" in err, err
    equal(len(err.splitlines()), 1)


def test_header_sizes_that_lie():
    """sizes and offsets in the header that point outside, overflow, or contradict"""
    data = perf_data([sample(op_payload())])
    for at in (16, 24, 32, 40, 48):
        for value in (2 ** 64 - 1, 2 ** 63, len(data) + 1, 1, 2 ** 32):
            bad = bytearray(data)
            struct.pack_into("<Q", bad, at, value)
            path = scratch("header", bytes(bad))
            for command in COMMANDS:
                result = run(*command, path)
                assert result.code in (0, 1), result
                assert result.err, (at, value, result)
                assert all(line.startswith("precis %s: %s: " % (command[0], path))
                           for line in result.err.splitlines()), result


def test_features_that_lie():
    """feature sections that do not parse: a warning each, the samples are printed"""
    features = {perfdata.HOSTNAME: struct.pack("<I", 2 ** 32 - 1),
                perfdata.CPUID: b"", perfdata.PMU_MAPPINGS: struct.pack("<I", 2 ** 31),
                perfdata.EVENT_DESC: b"\xff" * 40}
    path = scratch("features", perf_data([sample(op_payload())], features=features))
    result = run("dump", "-F", "cpu", path)
    equal((result.code, result.out), (0, "cpu=0\n"))
    assert result.err and all(": warning: " in line for line in result.err.splitlines()), result


def two_events():
    return [(perfdata.attr(), [1], "ibs_op//"),
            (perfdata.attr(perfdata.IBS_FETCH_TYPE), [2], "ibs_fetch//")]


def test_unknown_id():
    """an id that matches no event"""
    records = [sample(op_payload(), cpu=0), sample(op_payload(), ident=77, cpu=1),
               sample(op_payload(), ident=78, cpu=2)]
    data = perf_data(records, two_events())
    out, err = dumped(scratch("id", data))
    at = data.index(records[1])
    equal(out, "cpu=0\n")
    assert ("2 samples could not be read, the first at offset 0x%x (%d): the sample's id "
            "belongs to no event: expected an id of one of the 2 events\n" % (at, at)) in err, err


def payload_told(raw, words):
    """A payload that is none: generic fields are printed, IBS fields say MALFORMED."""
    records = [sample(op_payload(), cpu=0), sample(raw, cpu=1)]
    data = perf_data(records)
    path = scratch("payload", data)
    result = run("dump", "--reasons", "-F", "cpu,op", path)
    at = data.index(records[1])
    equal(result.code, 1)
    lines = result.out.splitlines()
    equal(lines[0], "cpu=0 op=load")
    assert lines[1].startswith("cpu=1 op=MALFORMED("), lines
    equal(result.err, "precis dump: %s: 1 IBS payloads could not be decoded, the first at offset "
                      "0x%x (%d): %s\n" % (path, at, at, words))


def test_short_payload():
    """an IBS payload that is too short"""
    payload_told(op_payload()[:36], "payload too short: expected at least 60 bytes, found 36")


def test_caps_of_zero():
    """a capability word of zero"""
    payload_told(op_payload(caps=0), "invalid IBS capability word: expected bit 0 set, found 0x0")


def test_not_a_sample():
    """a control register without its valid bit"""
    payload_told(op_payload(ctl=0x6b000b186a), "the payload's control register is not that of a "
                                                "sample: expected its valid and enable bits set")


def test_very_short_payload():
    """an IBS payload shorter than any, but more than the kernel's filler"""
    records = [sample(op_payload(), cpu=0), sample(op_payload()[:20], cpu=1)]
    out, err = dumped(scratch("short", perf_data(records)))
    equal(out, "cpu=0\ncpu=1\n")
    assert "payload too short: expected at least 60 bytes, found 20" in err, err


def test_no_payload():
    """samples without a raw payload: generic fields, and how to record; no failure"""
    sample_type = perfdata.SAMPLE_TYPE & ~perfdata.RAW
    events = [(perfdata.attr(sample_type=sample_type), [1], "ibs_op//")]
    path = scratch("noraw", perf_data([sample(None)] * 2, events))
    result = run("dump", "--reasons", "-F", "cpu,op", path)
    equal((result.code, result.out),
          (0, "cpu=0 op=NOT_CAPTURED(no raw payload: record with --raw-samples)\n" * 2))
    equal(result.err, "precis dump: %s: 2 samples of ibs_op// carry no raw payload: record with "
                      "--raw-samples\n" % path)
    filler = scratch("filler", perf_data([sample(b"\0\0\0\0")]))
    result = run("dump", "-F", "cpu", filler)
    equal((result.code, result.out), (0, "cpu=0\n"))
    assert "1 samples of ibs_op// carry no raw payload" in result.err, result


def test_recorder_died():
    """data.size 0: read to the end of the file, features ignored"""
    records = [sample(op_payload(), cpu=n) for n in range(3)]
    data = perf_data(records, features={}, size_of_data=0)
    result = run("dump", "-F", "cpu", "--cpuid", perfdata.ZEN4, scratch("died", data))
    equal((result.code, result.out), (0, "cpu=0\ncpu=1\ncpu=2\n"))


def test_random_damage():
    """files with random bytes changed: never a crash, never silence about a failure"""
    data = perf_data([sample(op_payload(), cpu=n) for n in range(4)], two_events())
    seed = int(os.environ.get("PRECIS_SEED", "1"))
    print("# seed %d" % seed)
    chance = random.Random(seed)
    for _ in range(50 if FEW else 300):
        bad = bytearray(data)
        for _ in range(chance.randint(1, 8)):
            value = chance.choice((0, 1, 0x7f, 0x80, 0xff, chance.randrange(256)))
            bad[chance.randrange(len(bad))] = value
        path = scratch("damaged", bytes(bad))
        for command in COMMANDS:
            result = run(*command, path)
            assert result.code in (0, 1), (result, bad.hex())
            assert result.code == 0 or result.err, (result, bad.hex())


def test_usage():
    """wrong usage: one line, a hint, exit code 2"""
    cases = {
        (): "expected a command",
        ("dumpp",): "unknown command 'dumpp'; did you mean 'dump'?",
        ("--nonsense",): "unknown option '--nonsense'",
        ("dump", "--nonsense"): "unknown or ambiguous option '--nonsense'",
        ("dump", "-Z"): "unknown option '-Z'",
        ("dump", "--help=x"): "option '--help=x' takes no value",
        ("dump", "--format"): "option '--format' needs a value",
        ("dump", "-o"): "option '-o' needs a value",
        ("dump", "--format", "xml"): "--format: expected text, csv or json, found 'xml'",
        ("info", "--format", "xml"): "--format: expected text, json or csv, found 'xml'",
        ("fields", "--format", "xml"): "--format: expected text, csv or json, found 'xml'",
        ("fields", "nonsense"): "no field is named 'nonsense'",
        ("errata", "AMD-0"): "no erratum is named 'AMD-0'; did you mean 'AMD-420'?",
        ("errata", "nonsense"): "no erratum is named 'nonsense'",
        ("dump", "a", "b"): "expected one file, found also 'b'",
        ("info", "a", "b"): "expected one file, found also 'b'",
        ("help", "nonsense"): "unknown command 'nonsense'",
    }
    for arguments, words in cases.items():
        line = usage(*arguments)
        assert line.startswith("precis") and line.endswith(": " + words), (arguments, line)
        result = run(*arguments)
        equal(len(result.err.splitlines()), 2)
        assert result.err.splitlines()[1].startswith("Try 'precis"), result


def test_cut_file_in_two_lines():
    """a file that is cut: one warning for all features that it lacks, and the error"""
    records = [sample(op_payload(), cpu=n) for n in range(3)]
    features = {n: perfdata.string("x") for n in range(3, 25) if n not in (10, 12, 13, 14)}
    data = perf_data(records, features=features)
    path = scratch("cut", data[:data.index(records[2]) + 20])
    for command in ("dump", "-F", "cpu"), ("report",), ("info",):
        result = run(*command, path)
        lines = result.err.splitlines()
        equal((result.code, len(lines)), (1, 2), result.err)
        assert "warning: %d features, the first 3 (HOSTNAME)" % len(features) in lines[0], lines
        assert "truncated: expected a record of" in lines[1], lines


def test_many_warnings():
    """not every section of a broken file is told of"""
    features = {n: b"\xff" * 7 for n in range(3, 34) if n not in (perfdata.COMPRESSED,)}
    path = scratch("broken-features", perf_data([sample(op_payload())], features=features))
    result = run("dump", "-F", "cpu", path)
    lines = [line for line in result.err.splitlines() if ": warning: " in line]
    assert len(lines) == 9 and re.search(r"and \d+ more of that kind", lines[8]), result.err


def test_no_memory_for_tasks():
    """records of mappings that find no memory: what is missing is told, and the exit code is 1"""
    trailer = struct.pack("<IIQQII", 100, 101, 5, 1, 0, 0)
    records = [sample(op_payload())]
    for n in range(20000):
        name = b"/%d/" % n + b"x" * 4070 + b"\0"
        name += b"\0" * (-len(name) % 8)
        body = struct.pack("<IIQQQ", 100, 100, 0x1000000 * n, 0x2000, 0)
        records.append(perfdata.record(1, body + name + trailer, 2))
    path = scratch("mappings", perf_data(records))
    for command in ("dump", "-F", "dso", "-n", "1000000"), ("report",):
        result = run(*command, path)
        equal(result.code, 1, command)
        assert "records of tasks, mappings and cgroups found no memory" in result.err, result.err
    equal(run("report", "--no-symbols", path).code, 0)
    os.unlink(path)


def test_progress():
    """how far reading is: on a terminal, if it takes long; --no-progress and pipes have none"""
    equal(usage("dump", "--max-expansion", "0"),
          "precis dump: --max-expansion: expected a number from 1 on or none, found '0'")
    path = scratch("progress", perf_data([sample(op_payload())] * 200000))
    waits = 0
    for more, seen in ((), True), (("--no-progress",), False):
        terminal, other = os.openpty()
        with subprocess.Popen([PRECIS, "dump", "-F", "cpu", *more, path], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=other) as process:
            os.close(other)
            printed = process.stdout.read(1)
            # It waits for its reader, who waits for a word of progress; if there is to be none, as often.
            turn = 0
            while not select.select([terminal], [], [], .1)[0] and turn < (waits or 10000):
                printed += process.stdout.read(4096)
                turn += 1
            waits = waits or turn
            printed += process.stdout.read()
            equal(len(printed.splitlines()), 200000)
            said = b""
            try:
                while chunk := os.read(terminal, 4096):
                    said += chunk
            except OSError:  # EIO: the other end is closed
                pass
        os.close(terminal)
        equal((process.returncode, b"MB/s" in said), (0, seen), said)


def test_names_cannot_reach_the_terminal():
    """control characters of a path are escaped in messages"""
    result = run("dump", "/nonexistent/\x1b[31mred")
    assert "\x1b" not in result.err and "\\x1b[31mred" in result.err, result


def test_truncated_recordings():
    """real recordings cut at places all over"""
    with open(recording("zen4-op_l3"), "rb") as file:
        data = file.read()
    whole = run("dump", "-F", "all", recording("zen4-op_l3")).out
    for length in range(0, len(data), 1009):
        for command in COMMANDS:
            result = run(*command, scratch("cut", data[:length]))
            assert result.code in (0, 1) and (result.code == 0 or result.err), result
            if command[0] == "dump":
                shown = result.out.splitlines()
                # Without features events have no names; every line is there nevertheless.
                equal([line.split(" cpu=")[1].split(" period_unit")[0] for line in shown],
                      [line.split(" cpu=")[1].split(" period_unit")[0]
                       for line in whole.splitlines()[:len(shown)]])


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
