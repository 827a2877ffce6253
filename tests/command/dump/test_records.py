#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis dump --records: every record, where it stands and what it says, as stock perf has it."""
import glob
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../cli"))

import perfdata  # noqa: E402
import raw_dump  # noqa: E402
import tap  # noqa: E402
from command import SHARED, good, recording, run, usage  # noqa: E402
from tap import Skip, equal  # noqa: E402

HERE = sys.modules[__name__]
PERF = os.environ.get("PERF", "")
SCRATCH = tempfile.TemporaryDirectory()

# perf's names of its own records are not those of its header files
NAMES = {"ATTR": "HEADER_ATTR", "EVENT_TYPE": "HEADER_EVENT_TYPE", "FEATURE": "HEADER_FEATURE",
         "TRACING_DATA": "HEADER_TRACING_DATA", "BUILD_ID": "HEADER_BUILD_ID"}
TRAILER = struct.pack("<IIQQII", 7, 8, 1500000000, 1, 3, 0)  # TID, TIME, ID, CPU of perfdata.attr()
SHOWN = "time=1.500000000 cpu=3 pid=7 tid=8 id=1 |"


def file_of(*records):
    path = os.path.join(SCRATCH.name, "records")
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(list(records)))
    return path


def kernel_record(kind, body, misc=0):
    return perfdata.record(kind, body + b"\0" * (-len(body) % 8) + TRAILER, misc)


def objects(path, *more):
    result = run("dump", "--records", "--format", "json", *more, path)
    assert result.code == 0, result
    return [json.loads(line) for line in result.out.splitlines()]


def lines(path, *more):
    """Lines without their offsets."""
    result = run("dump", "--records", *more, path)
    assert result.code == 0, result
    return [line.split(" ", 1)[1] for line in result.out.splitlines()]


def task(record):
    """perf's "(1:1):(0:0)" """
    body = record["body"]
    return "(%d:%d):(%d:%d)" % (body["pid"], body["tid"], body["parent_pid"], body["parent_tid"])


def mapping(record):
    """perf's " 1/1: [0x1000(0x2000) @ 0 fe:01 5 6]: r-xp name", without what differs by version"""
    body = record["body"]
    addr, length, offset = (body[name] if int(body[name], 16) else "0"
                            for name in ("addr", "length", "page_offset"))
    return "%d/%d: [%s(%s) @ %s" % (body["pid"], body["tid"], addr, length, offset)


SHOWS = {
    "FORK": task, "EXIT": task, "MMAP": mapping, "MMAP2": mapping,
    "COMM": lambda record: "%s:%d/%d" % (record["body"]["name"], record["body"]["pid"],
                                         record["body"]["tid"]),
    "CGROUP": lambda record: "%d %s" % (record["body"]["id"], record["body"]["path"]),
    "KSYMBOL": lambda record: "addr %s len %d" % (record["body"]["addr"][2:],
                                                  record["body"]["length"]),
    "SWITCH_CPU_WIDE": lambda record: "next pid/tid" if record["body"]["is_out"] else
                       "prev pid/tid",
}


def check_file(path):
    """Every record that perf tells of is ours, and the other way round. @return how many"""
    records, said = raw_dump.records_of(PERF, path)
    if records is None:
        return said
    result = run("dump", "--records", "--format", "json", "-F", "cpu", path)
    if "has no zstd" in result.err:
        return "built without zstd"
    ours = [json.loads(line) for line in result.out.splitlines()]
    if len({row["offset"] for row in ours}) < len(ours):
        return "compressed: several records have the offset of one compressed record"
    found = {int(row["offset"], 16): row for row in ours}
    for offset, record in records.items():
        what = "%s, offset 0x%x" % (path, offset)
        row = found.get(offset)
        assert row, (what, record.kind)
        equal((row["type"], row["size"]), (NAMES.get(record.kind, record.kind), record.size), what)
        if row["type"] in SHOWS:
            shown = SHOWS[row["type"]](row)
            assert shown in record.rest, (what, shown, record.rest)
    return len(records)


def need_perf():
    if not PERF:
        raise Skip("no perf was found by configure")


def test_live():
    """a recording with forks, execs, switches, cgroups, namespaces: every record is perf's"""
    need_perf()
    path = os.path.join(SCRATCH.name, "live")
    done = subprocess.run([PERF, "record", "-q", "-o", path, "-e", "cpu-clock", "--switch-events",
                           "--namespaces", "--all-cgroups", "--", "/bin/sh", "-c",
                           "for i in 1 2 3 4 5; do /bin/true; done"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=1200)
    if done.returncode:
        raise Skip("perf record: " + done.stderr.decode(errors="replace").strip()[:200])
    count = check_file(path)
    assert isinstance(count, int), count
    kinds = {row["type"] for row in objects(path)}
    print("# %d records: %s" % (count, " ".join(sorted(kinds))))
    assert {"COMM", "MMAP2", "FORK", "EXIT"} <= kinds, kinds


def test_shared():
    """recordings of other people and ours: every record is perf's"""
    need_perf()
    ours = glob.glob(os.path.join(os.path.dirname(recording("x")), "*.perf.data"))
    compared = records = 0
    for path in raw_dump.foreign_files(SHARED) + sorted(ours):
        count = check_file(path)
        if isinstance(count, int):
            compared, records = compared + 1, records + count
        else:
            print("# %s: %s" % (os.path.basename(path), count[:100]))
    print("# %d files, %d records" % (compared, records))
    assert compared


def test_text():
    """text: offset, type, cpumode, who wrote it and when before a bar, members"""
    path = file_of(kernel_record(3, struct.pack("<II", 10, 11) + b"na me", 1 << 13 | 2))
    out = good("dump", "--records", path)
    assert re.match(r"0x[0-9a-f]+ COMM cpumode=user " + re.escape(SHOWN), out), out
    equal(lines(path), ["COMM cpumode=user %s pid=10 tid=11 name=na me exec=1" % SHOWN])


def test_json():
    """json: the header, the sample_id and the body are told apart"""
    path = file_of(kernel_record(3, struct.pack("<II", 10, 11) + b"n\"\xff", 1 << 13 | 2))
    row, = objects(path)
    offset = row.pop("offset")
    equal(row, {"type": "COMM", "number": 3, "size": 56, "misc": "0x2002", "cpumode": "user",
                "sample_id": {"time": 1500000000, "cpu": 3, "pid": 7, "tid": 8, "id": 1},
                "body": {"pid": 10, "tid": 11, "name": "n\"\ufffd", "exec": True}})
    equal(int(offset, 16) % 8, 0)


def test_members():
    """records with members of each kind"""
    lost = kernel_record(2, struct.pack("<QQ", 1, 7))
    switch_out = kernel_record(15, struct.pack("<ii", 5, -1), 1 << 13)
    ksymbol = kernel_record(17, struct.pack("<QIHH", 0xffffffff81000000, 64, 1, 1) + b"bpf_prog\0")
    bpf = kernel_record(18, struct.pack("<HHI", 1, 0, 9) + bytes(range(8)))
    unknown_type = kernel_record(18, struct.pack("<HHI", 44, 0, 9) + bytes(8))
    fork = kernel_record(7, struct.pack("<IIIIQ", 1, 2, 3, 4, 5))
    equal(lines(file_of(lost, switch_out, ksymbol, bpf, unknown_type, fork)), [
        "LOST %s id=1 lost=7" % SHOWN,
        "SWITCH_CPU_WIDE %s is_out=1 is_preempt=0 other_pid=5 other_tid=-1" % SHOWN,
        "KSYMBOL %s addr=0xffffffff81000000 length=64 type=bpf flags=0x1 name=bpf_prog" % SHOWN,
        "BPF_EVENT %s type=load flags=0x0 id=9 tag=0001020304050607" % SHOWN,
        "BPF_EVENT %s type=44 flags=0x0 id=9 tag=0000000000000000" % SHOWN,
        "FORK %s pid=1 parent_pid=2 tid=3 parent_tid=4 time=0.000000005 from_proc=0" % SHOWN])


def test_lists():
    """records with lists; members that this record has not are left out"""
    namespaces = kernel_record(16, struct.pack("<IIQQQQQ", 1, 1, 2, 3, 4, 5, 6))
    cpus = perfdata.record(74, struct.pack("<HHHHH", 0, 3, 1, 2, 5))
    threads = perfdata.record(73, struct.pack("<QQ16s", 1, 9, b"busy"))
    index = perfdata.record(69, struct.pack("<QQQqq", 1, 1, 0, -1, 9))
    conv = perfdata.record(79, struct.pack("<QQQ", 1, 2, 3))
    update = perfdata.record(78, struct.pack("<QQ", 2, 1) + b"name;x\0")
    scale = perfdata.record(78, struct.pack("<QQd", 1, 1, 0.5))
    equal(lines(file_of(namespaces, cpus, threads, index, conv, update, scale)), [
        "NAMESPACES %s pid=1 tid=1 namespaces=name:net,device:3,inode:4;name:uts,device:5,inode:6" %
        SHOWN,
        "CPU_MAP cpus=1;2;5",
        "THREAD_MAP threads=pid:9,name:busy",
        "ID_INDEX entries=id:1,index:0,cpu:-1,tid:9",
        "TIME_CONV time_shift=1 time_mult=2 time_zero=3",
        "EVENT_UPDATE type=name id=1 text=name;x",
        "EVENT_UPDATE type=scale id=1 scale=0.5"])
    odd = perfdata.record(73, struct.pack("<QQ16s", 1, 9, b"a;b,c:d"))
    equal(lines(file_of(odd)), ["THREAD_MAP threads=pid:9,name:a\\x3bb\\x2cc:d"])
    equal(objects(file_of(odd))[0]["body"], {"threads": [{"pid": 9, "name": "a;b,c:d"}]})
    row = objects(file_of(cpus, index))
    equal([item["body"] for item in row],
          [{"cpus": [1, 2, 5]}, {"entries": [{"id": 1, "index": 0, "cpu": -1, "tid": 9}]}])


def test_samples():
    """samples are a line each with the fields that -F selects; conditions are theirs alone"""
    sample = perfdata.sample(perfdata.op_payload(), cpu=4)
    path = file_of(kernel_record(2, struct.pack("<QQ", 1, 7)), sample)
    equal(lines(path, "-F", "cpu,op,raw_bytes"),
          ["LOST %s id=1 lost=7" % SHOWN,
           "SAMPLE cpumode=user cpu=4 op=load raw_bytes=68"])
    equal(objects(path, "-F", "cpu,op")[1]["fields"], {"cpu": 4, "op": "load"})
    equal(len(lines(path, "--cpu", "5")), 1)
    equal(len(lines(path, "-n", "1")), 1)


def test_types():
    """--records=TYPES: by name, in any case"""
    path = recording("zen4-op_l3")
    out = good("dump", "--records=COMM,sample", path).splitlines()
    equal({line.split()[1] for line in out}, {"COMM", "SAMPLE"})
    counts = [line.split()[1] for line in good("dump", "--records", path).splitlines()]
    equal(len(out), counts.count("COMM") + counts.count("SAMPLE"))
    assert "no type of record is named 'nonsense'" in usage("dump", "--records=nonsense", path)
    assert "no type of record is named ''" in usage("dump", "--records=COMM,", path)
    assert "text or json" in usage("dump", "--records", "--format", "csv", path)
    assert "exclude" in usage("dump", "--records", "--registers", path)


def test_unknown_type():
    """a type that is not known: its number and size; they are counted"""
    path = file_of(perfdata.record(50, b"x" * 16), perfdata.record(3000, b""))
    result = run("dump", "--records", path)
    equal(result.code, 0)
    equal([line.split(" ", 1)[1] for line in result.out.splitlines()],
          ["type-50 size=24", "type-3000 size=8"])
    equal(result.err,
          "precis dump: %s: 2 records of types that this version does not know\n" % path)
    row = json.loads(run("dump", "--records", "--format", "json", path).out.splitlines()[0])
    equal((row["type"], row["number"], row["size"], row["body"]), ("unknown", 50, 24, {}))


def test_broken_body():
    """a body that ends too early: said in the line and at the end, the rest is printed"""
    path = file_of(perfdata.record(74, b""), kernel_record(2, struct.pack("<QQ", 1, 7)))
    result = run("dump", "--records", path)
    equal(result.code, 1)
    broken, lost = result.out.splitlines()
    assert " CPU_MAP error=" in broken, broken
    assert lost.endswith("id=1 lost=7"), lost
    assert "1 records could not be taken apart, the first at offset 0x" in result.err, result
    row = json.loads(run("dump", "--records", "--format", "json", path).out.splitlines()[0])
    assert row["error"] and row["body"] == {}, row


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
