#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""PEBS records in Intel PT whose trace is not what it should be: what is told, and what is kept."""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from command import good, run, usage
from tap import equal

HERE = sys.modules[__name__]
BUILD = os.environ.get("builddir", ".")
SCRATCH = tempfile.TemporaryDirectory()
HEADER_BYTES = 104
AUXTRACE, AUX_OUTPUT_HW_ID, FINISHED_INIT = 71, 21, 82
SAMPLE, SWITCH_CPU_WIDE = 9, 15
SIZE_AT = 8  # of AUXTRACE: how many bytes follow
BEP, BEP_WITH_IP, OVF, TRACESTOP = b"\x02\x33", b"\x02\xb3", b"\x02\xf3", b"\x02\x83"
PSB = b"\x02\x82" * 8
ALL = "event,cpu,pid,tid,time,ip,tsc"


class Recording:
    """A recording that can be changed; 'record' has offset, type and whole size of each."""

    def __init__(self, seed=1):
        path = os.path.join(SCRATCH.name, "made")
        subprocess.run([os.path.join(BUILD, "tests/differential/make_pebs_pt"), path, "records",
                        str(seed)], check=True)
        with open(path, "rb") as file:
            self.bytes = bytearray(file.read())
        self.begin, size = struct.unpack_from("<QQ", self.bytes, 40)
        self.end = self.begin + size
        self.record = []
        at = self.begin
        while at < self.end:
            kind, _, size = struct.unpack_from("<IHH", self.bytes, at)
            if kind == AUXTRACE:
                size += struct.unpack_from("<Q", self.bytes, at + SIZE_AT)[0]
            self.record.append((at, kind, size))
            at += size

    def of(self, kind):
        return [(at, size) for at, found, size in self.record if found == kind]

    def trace(self, n):
        """Begin and end of the bytes behind the n-th AUXTRACE record"""
        at, size = self.of(AUXTRACE)[n]
        return at + 48, at + size

    def write(self, name, end=None):
        path = os.path.join(SCRATCH.name, name)
        with open(path, "wb") as file:
            file.write(self.bytes[:end])
        return path


def samples(result):
    return [json.loads(line) for line in result.out.splitlines()]


def dump(path, *options):
    return run("dump", "--format", "json", "-F", ALL, *options, path)


WHOLE = samples(dump(Recording().write("whole")))


def count(found):
    """Records: a sample of each event has the same address."""
    return len({(one["cpu"], one.get("tsc"), one.get("ip")) for one in found})


def of_hardware(found):
    """Without what is told behind the traces: tasks, and names of events"""
    return [{key: one[key] for key in one if key not in ("pid", "tid", "event")} for one in found]


def test_whole():
    """nothing is lost, nothing is said"""
    result = dump(Recording().write("whole"))
    equal((result.code, result.err, count(samples(result))), (0, "", 60), "of a whole recording")


def test_cut_off():
    """a file that ends in a trace: all before is there"""
    recording = Recording()
    begin, end = recording.trace(4)
    path = recording.write("cut", (begin + end) // 2)
    result = dump(path)
    equal(result.code, 1, "exit code")
    found = samples(result)
    assert 40 <= count(found) < 50, count(found)
    equal(of_hardware(found), of_hardware(WHOLE[:len(found)]), "samples")
    assert "1 x trace ends inside a record or packet" in result.err, result
    at = recording.of(AUXTRACE)[4][0]
    assert "1 traces could not be read: " in result.err, result
    assert "the first fault with the record at offset 0x%x" % at in result.err, result
    info = json.loads(run("info", "--format", "json", path).out)["pebs_pt"]
    equal((info["records"], info["traces_unread"]), (count(found), 1), "of precis info")
    assert info["bytes_read"] < info["bytes"], info


def test_sizes_that_lie():
    """an AUXTRACE record that announces another size: a clear error, and what is before it"""
    for size, least in ((1 << 62, 50), (2 ** 64 - 1, 50), (0, 40)):
        recording = Recording()
        at, _ = recording.of(AUXTRACE)[4]
        struct.pack_into("<Q", recording.bytes, at + SIZE_AT, size)
        result = dump(recording.write("lie"))
        equal(result.code, 1, "exit code with %d" % size)
        assert count(samples(result)) >= least, (size, count(samples(result)))
        assert "offset 0x" in result.err, result
        assert result.err.count("\n") <= 3, result.err


def test_larger_than_it_is():
    """a trace that reaches into the next record: records behind it are still found"""
    recording = Recording()
    at, size = recording.of(AUXTRACE)[0]
    more = recording.of(AUXTRACE)[1][1]  # the next one's header and its data
    struct.pack_into("<Q", recording.bytes, at + SIZE_AT, size - 48 + more)
    result = dump(recording.write("larger"))
    found = samples(result)
    # The third trace of that CPU does not go on where this one ends: without a PSB it is passed over
    assert [one for one in found if one["cpu"] == 1] == [one for one in WHOLE if one["cpu"] == 1]
    equal(count(found), 50, "records")
    assert "%d bytes skipped" % (recording.trace(2)[1] - recording.trace(2)[0]) in result.err, result


def test_no_ids():
    """without AUX_OUTPUT_HW_ID: all records, of no known event, with a reason"""
    recording = Recording()
    for at, _ in recording.of(AUX_OUTPUT_HW_ID):
        struct.pack_into("<I", recording.bytes, at, FINISHED_INIT)
    path = recording.write("no-ids")
    result = dump(path, "--reasons")
    found = samples(result)
    equal((result.code, len(found), count(found)), (0, 60, 60), "records")
    for one in found:
        assert "AUX_OUTPUT_HW_ID" in one["reasons"]["event"], one
    equal(sorted({one["ip"] for one in found}), sorted({one["ip"] for one in WHOLE}), "addresses")
    assert result.err.endswith("PEBS in Intel PT: 60 records of no known event\n"), result.err
    equal(dump(path, "-e", "first").out, "", "of an event")
    assert "60 of no known event" in " ".join(run("info", path).out.split())


def test_bad_id():
    """a counter that there is none of"""
    recording = Recording()
    at, _ = recording.of(AUX_OUTPUT_HW_ID)[0]
    struct.pack_into("<Q", recording.bytes, at + 8, 1 << 40)
    result = dump(recording.write("bad-id"))
    equal((result.code, count(samples(result))), (1, 60), "records")
    assert "1 AUX_OUTPUT_HW_ID records that are none; the first fault with the record at offset " \
        "0x%x " % at in result.err, result.err


def spoil(instead, only=None):
    """Block ends of the first trace that are something else; how many"""
    recording = Recording()
    begin, end = recording.trace(0)
    places = [m.start() + begin for m in
              re.finditer(re.escape(BEP) + b"(?=\x02\x63|\x19)", recording.bytes[begin:end])]
    for place in places[:only]:
        recording.bytes[place:place + 2] = instead
    return recording.write("spoilt"), len(places[:only])


def test_interrupted():
    """blocks without an end: the records are lost and counted, all others are there"""
    for instead, what in ((TRACESTOP, "record interrupted by another packet"),
                          (OVF, "record interrupted by an overflow")):
        path, lost = spoil(instead, 2)
        equal(lost, 2, "block ends")
        result = dump(path)
        equal((result.code, count(samples(result))), (0, 58), what)
        assert "2 records lost; " in result.err and "2 x " + what in result.err, result.err
        for one in samples(result):
            assert one in WHOLE, one
        assert ("2 times the CPU dropped packets" in result.err) == (instead == OVF), result.err


def test_not_a_packet():
    """bytes that are no packet: decoding goes on at the next PSB, here of the other CPU"""
    recording = Recording()
    begin, end = recording.trace(1)
    recording.bytes[begin:begin + 2] = b"\x02\xff"
    path = recording.write("no-packet")
    result = dump(path)
    equal((result.code, count(samples(result))), (1, 40), "records")
    assert "1 x bytes that are no known packet" in result.err, result.err
    skipped = end - begin + recording.trace(2)[1] - recording.trace(2)[0]
    assert "%d bytes skipped" % skipped in result.err, (skipped, result.err)
    place = begin + (end - begin) // 2 & ~7
    recording.bytes[place:place + 16] = PSB  # somewhere behind it, between or in packets
    result = dump(recording.write("resumed"))
    assert count(samples(result)) > 40, result


def test_last_record():
    """a record that waits for its address when the trace ends"""
    recording = Recording()
    begin, end = recording.trace(5)
    at = begin + max(recording.bytes[begin:end].rfind(mark) for mark in (BEP, BEP_WITH_IP))
    recording.bytes[at:end] = BEP_WITH_IP + bytes(end - at - 2)  # PAD
    result = dump(recording.write("waits"))
    equal((result.code, samples(result)), (0, WHOLE), "samples")
    assert "1 x no IP behind the block end" in result.err, result.err


def test_other_samples():
    """samples of other events among those of the trace"""
    recording = Recording()
    at, size = recording.of(SWITCH_CPU_WIDE)[0]
    equal(size, 48, "bytes of the record that is replaced")
    struct.pack_into("<IHHQQIIQII", recording.bytes, at, SAMPLE, 2, size, 100, 0x401000, 7, 7, 5, 0,
                     0)
    path = recording.write("others")
    found = samples(dump(path))
    equal((len(found), [one["ip"] for one in found].count("0x401000")), (len(WHOLE) + 1, 1), "all")
    texts = {form: good("dump", "--registers", "--format", form, "-F", "event,ip", path)
             for form in ("text", "csv", "json")}
    assert "event=intel_pt// ip=0x401000 (no registers)\n" in texts["text"], texts["text"][:500]
    row = [row for row in texts["csv"].splitlines() if ",0x401000," in row][0]
    equal(set(row.split("0x401000")[1]), {","}, "cells")
    equal(row.count(","), texts["csv"].splitlines()[0].count(","), "commas")
    assert '{"event":"intel_pt//","ip":"0x401000"}\n' in texts["json"], texts["json"][:500]


def test_read_again():
    """a report that has to start over counts nothing twice"""
    recording = Recording()
    task = struct.pack("<IIQIIQ", 1000, 1000, 1001000, 0, 0, 100)
    exec_of_task = struct.pack("<IHHII8s", 3, 1 << 13, 24 + len(task), 1000, 1000, b"new") + task
    recording.bytes[recording.end:] = exec_of_task
    struct.pack_into("<Q", recording.bytes, 48, 0)  # as if the recorder had died
    path = recording.write("again")
    for options in ((), ("--no-symbols",)):
        found = json.loads(good("report", "--format", "json", *options, path))["recording"]
        equal(found["values"]["out of Intel PT"], len(WHOLE), "samples")
        equal(found["values"]["pebs"], len(WHOLE), "samples")


def test_report_and_info_tell():
    """the same line from all of them, and the same exit code"""
    path, _ = spoil(OVF, 1)
    lines = {run(command, path).err.replace("precis " + command, "") for command in
             ("dump", "report", "info")}
    equal(len([line for line in lines if "PEBS in Intel PT: 1 records lost" in line]), 1, "lines")
    cut = Recording().write("cut", Recording().trace(4)[1] - 9)
    equal([run(command, cut).code for command in ("dump", "report", "info")], [1, 1, 1], "codes")


def test_off():
    """--no-itrace: none of it; -n: so many and no more; --records: as before"""
    path = Recording().write("whole")
    equal(good("dump", "--no-itrace", path), "", "dump")
    equal(json.loads(good("info", "--format", "json", "--no-itrace", path))["pebs_pt"], None,
          "info")
    for most in (1, 7):
        equal(samples(dump(path, "-n", str(most))), WHOLE[:most], "-n")
    assert "SAMPLE" not in good("dump", "--records", path)


def test_selection():
    """event, CPU, thread, time and filter choose among them"""
    path = Recording().write("whole")
    for options, wanted in (
            (("-e", "second"), lambda one: one["event"] == "second"),
            (("--cpu", "1"), lambda one: one["cpu"] == 1),
            (("--tid", "1002"), lambda one: one["tid"] == 1002),
            (("--time", ",0.00101"), lambda one: one["time"] <= 1010000),
            (("--filter", "tsc > 1020000"), lambda one: one["tsc"] > 1020000)):
        expected = [one for one in WHOLE if wanted(one)]
        assert expected and len(expected) < len(WHOLE), options
        equal(samples(dump(path, *options)), expected, options)


def test_registers():
    """words and registers as they stand in the record, and none of other samples"""
    path = Recording().write("whole")
    text = good("dump", "--registers", "-F", "event,ip", path)
    equal(text.count(" format=4 bytes="), len(WHOLE), "records")
    for one in samples(run("dump", "--registers", "--format", "json", "-F", "ip,tsc", path)):
        equal(one["words"]["eventing_ip"], "0x%016x" % int(one["ip"], 16), "ip")
        equal(int(one["words"]["tsc"], 16), one["tsc"], "tsc")
    rows = good("dump", "--registers", "--format", "csv", "-F", "ip", path).splitlines()
    equal({row.count(",") for row in rows}, {rows[0].count(",")}, "cells")
    assert "--perf-names" in usage("dump", "--registers", "--perf-names", path)


def test_sorted():
    """in the order of time the file is read as well; traces stand where they stood"""
    path = Recording().write("whole")
    equal(samples(dump(path, "--sorted")), WHOLE, "samples")
    for name in ("comm", "symbol"):
        equal(len(good("dump", "-F", "ip," + name, path).splitlines()), len(WHOLE), name)


def test_origin():
    """offset is that of the AUXTRACE record"""
    recording = Recording()
    path = recording.write("whole")
    found = {int(line.split("=")[1], 16) for line in good("dump", "-F", "offset",
                                                          path).splitlines()}
    equal(sorted(found), [at for at, _ in recording.of(AUXTRACE)], "offsets")


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
