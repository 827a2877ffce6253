#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis report: time off the CPU, of made files with known times and of a program that sleeps."""
import collections
import csv
import io
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import perfdata
import tap
from command import run
from tap import Skip, equal

PERF = os.environ.get("PERF", "")
SCRATCH = tempfile.TemporaryDirectory()
TID, TIME, CPU, RAW = 1 << 1, 1 << 2, 1 << 7, 1 << 10
CONTEXT_SWITCH = 1 << 26
SWITCH, LOST, COMM, EXIT, TRACING_DATA = 14, 2, 3, 4, 1
OUT, PREEMPT = 1 << 13, 1 << 14
ID = 77
FORMAT = """name: sched_switch
ID: %d
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:char prev_comm[16];	offset:8;	size:16;	signed:0;
	field:pid_t prev_pid;	offset:24;	size:4;	signed:1;
	field:long prev_state;	offset:32;	size:8;	signed:1;
	field:char next_comm[16];	offset:40;	size:16;	signed:0;
	field:pid_t next_pid;	offset:56;	size:4;	signed:1;

print fmt: "%%d => %%d", REC->prev_pid, REC->next_pid
""" % ID


def tracing_data():
    sized = struct.pack("<Q", len(FORMAT)) + FORMAT.encode()
    return (b"\x17\x08\x44tracing0.6\0" + struct.pack("<BBI", 0, 8, 4096) +
            b"header_page\0" + bytes(8) + b"header_event\0" + bytes(8) +
            struct.pack("<II", 0, 1) + b"sched\0" + struct.pack("<I", 1) + sized +
            struct.pack("<IIQ", 0, 0, 0))


def perf_data(name, attr, records, features=()):
    """One event without ids; features: (number, bytes), in their order."""
    data = b"".join(records)
    start = 104 + len(attr) + 16
    table = start + len(data)
    at = table + 16 * len(features)
    rows, tail, bits = b"", b"", 0
    for number, body in features:
        rows += struct.pack("<QQ", at + len(tail), len(body))
        tail += body
        bits |= 1 << number
    head = struct.pack("<8s2Q6Q4Q", b"PERFILE2", 104, len(attr) + 16, 104, len(attr) + 16,
                       start, len(data), 0, 0, bits, 0, 0, 0)
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(head + attr + bytes(16) + data + rows + tail)
    return path


def attr(kind, config, sample_type, flags):
    return struct.pack("<IIQQQQQ", kind, 128, config, 1, sample_type, 0, flags).ljust(128, b"\0")


def switched(time, cpu, prev, state, following):
    """A sample of sched:sched_switch: tasks are (name, tid)."""
    raw = struct.pack("<HBBi16siiq16sii", ID, 0, 0, prev[1], prev[0].encode(), prev[1], 0, state,
                      following[0].encode(), following[1], 0)
    return perfdata.record(9, struct.pack("<IIQIII", prev[1], prev[1], time, cpu, 0, len(raw) + 4) +
                           raw + bytes(4))


def by_tracepoint(name, records):
    sample_type = TID | TIME | CPU | RAW
    return perf_data(name, attr(2, ID, sample_type, 1 << 18), records,
                     [(TRACING_DATA, tracing_data())])


def record(kind, time, tid, body=b"", misc=0):
    """With the sample_id of TID, TIME, CPU."""
    return perfdata.record(kind, body + struct.pack("<IIQII", tid, tid, time, 0, 0), misc)


def comm(time, tid, name):
    body = struct.pack("<II", tid, tid) + name.encode() + b"\0"
    return record(COMM, time, tid, body + bytes(-len(body) % 8))


def by_records(name, records):
    return perf_data(name, attr(1, 0, TID | TIME | CPU, 1 << 18 | CONTEXT_SWITCH), records)


def table(*paths_and_options):
    return json.loads(run("report", "--no-symbols", "--format", "json",
                          *paths_and_options).out).get("off_cpu")


def rows_of(path, *options):
    return {row["row"]: row for row in table(path, *options)["rows"]}


IDLE, WORK, HELP = ("swapper/0", 0), ("worker", 100), ("helper", 200)
TIMES = [  # cpu 1's stand behind those of cpu 0
    switched(1000, 0, IDLE, 0, WORK), switched(4000, 0, WORK, 1, IDLE),
    switched(9000, 0, IDLE, 0, WORK), switched(9500, 0, WORK, 0x100, HELP),
    switched(9900, 0, HELP, 2, WORK), switched(12000, 0, WORK, 0x20, IDLE),
    switched(2000, 1, IDLE, 0, HELP), switched(3000, 1, HELP, 4, IDLE),
]


def test_tracepoint():
    """sched_switch: exact times, whatever the order in the file"""
    rows = rows_of(by_tracepoint("exact", TIMES))
    equal(rows["worker"], {
        "row": "worker", "tid": 100, "wall_ns": 11000, "on_cpu_ns": 3000 + 500 + 2100,
        "off_cpu_ns": 5000 + 400, "runnable_ns": 400, "sleeping_ns": 5000,
        "uninterruptible_ns": 0, "other_ns": 0, "unknown_ns": 0, "switches": 3,
        "longest_ns": 5000, "longest_kind": "sleeping"}, "worker")
    equal(rows["helper"], {
        "row": "helper", "tid": 200, "wall_ns": 10000, "on_cpu_ns": 1000 + 400,
        "off_cpu_ns": 6500 + 2100, "runnable_ns": 0, "sleeping_ns": 0,
        "uninterruptible_ns": 2100, "other_ns": 6500, "unknown_ns": 0, "switches": 2,
        "longest_ns": 6500, "longest_kind": "other"}, "helper")
    equal(sorted(rows), ["helper", "worker"], "rows: no idle task")


def test_formats():
    """text and CSV have the same figures"""
    path = by_tracepoint("formats", TIMES)
    found = {(row["row"], row["column"]): row["value"] for row in csv.DictReader(io.StringIO(
        run("report", "--no-symbols", "--format", "csv", path).out)) if row["section"] == "off_cpu"}
    equal(found["worker", "off_cpu_ns"], "5400", "csv")
    equal(found["helper", "longest_kind"], "other", "csv")
    text = run("report", "--all", "--no-symbols", path).out
    assert "Time off the CPU, by task (ms)" in text, text
    limited = table(path, "--top", "1")
    equal([row["row"] for row in limited["rows"]], ["worker"], "--top")
    assert any("1 more tasks" in note for note in limited["notes"]), limited["notes"]


def counts_of(tables):
    """What notes count, by their words"""
    counts = collections.Counter()
    for note in (note for found in tables for note in found["notes"]):
        for number in re.findall(r"\d+", note)[:1]:
            counts[re.sub(r"\d+", "N", note)] += int(number)
    return counts


def test_several():
    """several recordings: tasks of each, with what its source tells, and what is known of all"""
    lost = perfdata.record(LOST, struct.pack("<QQ", 0, 3) + struct.pack("<IIQII", 1, 1, 6000, 0, 0))
    traced = by_tracepoint("traced", TIMES[:2] + [lost] + TIMES[2:])
    recorded = by_records("recorded", [
        comm(500, 100, "other"), record(SWITCH, 1000, 100), record(SWITCH, 3000, 100, misc=OUT),
        record(SWITCH, 7000, 100), record(SWITCH, 8000, 100, misc=OUT | PREEMPT),
        record(SWITCH, 7500, 100)])
    alone = [table(path) for path in (traced, recorded)]
    together = table(traced, recorded)
    names = set().union(*(row for found in alone for row in found["rows"]))
    expected = [dict(dict.fromkeys(names), **row) for found in alone for row in found["rows"]]
    order = sorted(expected, key=lambda row: -row["on_cpu_ns"])
    equal(together["rows"], [{name: row[name] for name in together["rows"][0]} for row in order])
    equal({(row["row"], row["tid"]) for row in together["rows"]},
          {("worker", 100), ("helper", 200), ("other", 100)})
    waiting = {row["row"]: (row["waiting_ns"], row["sleeping_ns"]) for row in together["rows"]}
    equal(waiting["other"], (4000, None))
    equal(waiting["worker"], (None, 0))
    equal(counts_of([together]), counts_of(alone))
    for words in ("From sched:sched_switch, and of some recordings", "none of another"):
        assert any(words in note for note in together["notes"]), together["notes"]
    one_sided = by_tracepoint("sided", [switched(1000, 0, WORK, 1, IDLE)] * 3)
    for paths in ((recorded, one_sided), (one_sided, recorded)):
        notes = table(*paths)["notes"]
        for words in ("The switches back to most", "1 switches lack"):
            assert any(words in note for note in notes), (words, notes)
    same = table(traced, by_tracepoint("again", TIMES))
    equal("waiting_ns" in same["rows"][0], False)
    equal(sorted(row["row"] for row in same["rows"]), ["helper", "helper", "worker", "worker"])


def test_lost():
    """records that were lost make intervals unknown"""
    lost = perfdata.record(LOST, struct.pack("<QQ", 0, 3) + struct.pack("<IIQII", 1, 1, 6000, 0, 0))
    found = table(by_tracepoint("lost", TIMES[:2] + [lost] + TIMES[2:]))
    rows = {row["row"]: row for row in found["rows"]}
    equal(rows["worker"]["sleeping_ns"], 0, "worker")
    equal(rows["worker"]["unknown_ns"], 5000, "worker")
    equal(rows["worker"]["runnable_ns"], 400, "worker")
    assert any("Records were lost 1 times" in note for note in found["notes"]), found["notes"]


def test_single_task():
    """sched_switch of one task: what is not known is not there"""
    found = table(by_tracepoint("single", [
        switched(1000, 0, WORK, 1, IDLE), switched(3000, 0, WORK, 1, HELP),
        switched(6000, 0, WORK, 1, IDLE)]))
    equal([row["row"] for row in found["rows"]], ["worker"], "rows")
    row = found["rows"][0]
    for column in ("off_cpu_ns", "sleeping_ns", "longest_ns"):
        equal(row[column], None, column)
    equal((row["switches"], row["unknown_ns"]), (3, row["wall_ns"]), "unknown")
    assert any("Record with -a" in note for note in found["notes"]), found["notes"]


def test_records():
    """context-switch records: preempted or waiting"""
    path = by_records("records", [
        comm(500, 100, "worker"), record(SWITCH, 1000, 100), record(SWITCH, 4000, 100, misc=OUT),
        record(SWITCH, 9000, 100), record(SWITCH, 9500, 100, misc=OUT | PREEMPT),
        record(SWITCH, 9900, 100),
        record(EXIT, 12000, 100, struct.pack("<IIIIQ", 100, 1, 100, 1, 12000)),
        record(COMM, 20000, 1, struct.pack("<II8s", 1, 1, b"init"))])
    equal(rows_of(path)["worker"], {
        "row": "worker", "tid": 100, "wall_ns": 11000, "on_cpu_ns": 5600, "off_cpu_ns": 5400,
        "runnable_ns": 400, "waiting_ns": 5000, "unknown_ns": 0, "switches": 2,
        "longest_ns": 5000, "longest_kind": "waiting"}, "worker")


def test_more_tasks_than_fit():
    """more tasks than are counted at once: the one that ran long stands first, with the bound"""
    records, time = [], 1000
    for tid in range(1, 270001):
        records += [record(SWITCH, time, tid), record(SWITCH, time + 1, tid, misc=OUT)]
        time += 2
    records += [record(SWITCH, time, 300000), record(SWITCH, time + 5000, 300000, misc=OUT)]
    path = by_records("many", records)
    found = table(path)
    row = found["rows"][0]
    equal((row["tid"], row["on_cpu_ns"], row["missed_most_ns"]), (300000, 5000, 1))
    assert any("No task that is not counted ran longer" in note for note in found["notes"])
    assert "missed<=" in run("report", "--all", "--no-symbols", path).out
    assert "missed_most_ns" not in table(by_records("few", records[:10]))["rows"][0]


def test_none():
    """no context switches, no table"""
    equal(table(by_records("none", [comm(500, 100, "worker")])), None, "a table")


def perf_record(name, *options):
    if not PERF:
        raise Skip("no perf")
    path = os.path.join(SCRATCH.name, name)
    program = ("import time\nopen('/proc/self/comm', 'w').write('sleeps10')\n"
               "for n in range(10): time.sleep(0.05)\n")
    done = subprocess.run([PERF, "record", "-q", "-o", path, *options, "--", sys.executable, "-c",
                           program], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Skip("perf record: %s" % " ".join(done.stderr.split())[:200])
    return path


PERF_SCRIPT = (  # which lines of perf script say that a task, the first group, left or came
    (r"([0-9.]+): sched:sched_switch: .*prev_pid=%d .*prev_state=S", "slept"),
    (r"([0-9.]+): sched:sched_switch: .*next_pid=%d\b", "came"),
    (r"([0-9.]+): sched:sched_switch: .*prev_pid=%d\b", "left"),
    (r"\b%d +([0-9.]+): PERF_RECORD_SWITCH OUT\s*$", "slept"),
    (r"\b%d +([0-9.]+): PERF_RECORD_SWITCH IN\s*$", "came"),
    (r"\b%d +([0-9.]+): PERF_RECORD_SWITCH OUT\b", "left"),
)


def slept_by_perf(path, tid):
    """The ns that a task slept as perf script tells it, the longest of it, and its switches."""
    lines = subprocess.run([PERF, "script", "--ns", "--show-switch-events", "-F",
                            "tid,time,event,trace", "-i", path], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    slept, longest, switches, since = 0, 0, 0, None
    for line in lines:
        for pattern, what in PERF_SCRIPT:
            found = re.search(pattern % tid, line)
            if found:
                time = int(found[1].replace(".", ""))
                if what == "came" and since:
                    slept += time - since
                    longest = max(longest, time - since)
                since = time if what == "slept" else None
                switches += 1
                break
    return slept, longest, switches


def check_sleeper(path, column):
    found = table(path, "--top", "100000")
    row = {row["row"]: row for row in found["rows"]}["sleeps10"]
    slept, longest, switches = slept_by_perf(path, row["tid"])
    told = row[column] or 0
    if any("Records were lost" in note for note in found["notes"]):
        # what a task did around the gap is not known, and is no sleep, as perf script's lines say it
        assert told <= slept <= told + row["unknown_ns"], (row, slept)
    else:
        equal(told, slept, column)
        assert longest <= row["longest_ns"], (row, longest)
    assert slept <= row["wall_ns"], row
    # sleeps are never shorter than asked for; the kernel does not record each of the idle task's
    # switches, and of a busy machine it may lose some: what is missing then has to be said
    assert told + row["unknown_ns"] >= 500 * 10**6, row
    assert switches >= 10 and row["switches"] <= switches, (row, switches)
    assert row["wall_ns"] >= 500 * 10**6, row
    equal(row["wall_ns"], row["on_cpu_ns"] + row["off_cpu_ns"] + row["unknown_ns"], "sum")


def test_live_tracepoint():
    """a program that sleeps ten times 50 ms, by sched_switch: as perf script has it"""
    if not any(os.path.isdir(os.path.join(place, "events/sched/sched_switch"))
               for place in ("/sys/kernel/tracing", "/sys/kernel/debug/tracing")):
        raise Skip("no tracefs is mounted, or it may not be read")
    check_sleeper(perf_record("live", "-a", "-e", "sched:sched_switch"), "sleeping_ns")


def test_live_records():
    """the same by context-switch records"""
    check_sleeper(perf_record("switches", "-e", "cpu-clock", "--switch-events"), "waiting_ns")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
