#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What was lost as a share of samples, by CPU and by thread: recordings whose truth is known."""
import json
import os
import struct
import sys
import tempfile

import perfdata
import tap
from command import good
from perfdata import op_payload, perf_data, sample
from tap import equal

HERE = sys.modules[__name__]
SCRATCH = tempfile.TemporaryDirectory()
ID_INDEX, COMM = 69, 3
INHERIT = 1 << 1
FORMAT_LOST = 1 << 4 | 1 << 2  # and ID
VERSION = {perfdata.VERSION: b"\x40\0\0\0" + b"6.1".ljust(64, b"\0")}
NOWHERE = 2 ** 64 - 1


def losses(name, records, events, version=VERSION):
    """Rows by name, notes, text"""
    features = {**version, perfdata.EVENT_DESC: perfdata.event_desc(events)}
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(perf_data(records, events, features))
    found = json.loads(good("info", "--format", "json", path))["losses"]
    text = good("info", path)
    assert max(map(len, text.split("\n"))) <= 100, text
    for sections in (["--sections", "losses"], []):  # a report has the same table
        report = json.loads(good("report", "--format", "json", *sections, path))["losses"]
        equal(report["rows"], found["rows"])
    for row in found["rows"]:
        row.update((column, round(value, 2)) for column, value in row.items()
                   if isinstance(value, float))
    return {row["row"]: row for row in found["rows"]}, found["notes"], text


def event(ids, name="ibs_op//", flags=0, read_format=FORMAT_LOST, without=0):
    attr = bytearray(perfdata.attr(sample_type=perfdata.SAMPLE_TYPE & ~without))
    struct.pack_into("<Q", attr, 32, read_format)
    struct.pack_into("<Q", attr, 40, perfdata.SAMPLE_ID_ALL | flags)
    return bytes(attr), ids, name


def said(kind, body, time, ident=1, cpu=0, tid=101):
    return perfdata.record(kind, body + struct.pack("<IIQQII", 100, tid, time, ident, cpu, 0))


def lost(count, ident=1, cpu=0, tid=101):
    return said(perfdata.RECORD_LOST, struct.pack("<QQ", ident, count), 5000, ident, cpu, tid)


def in_pmu(count, ident=1, cpu=0, tid=101):
    return said(perfdata.RECORD_LOST_SAMPLES, struct.pack("<Q", count), 5000, ident, cpu, tid)


def counted(count, ident=1):
    """As perf record appends it: no time, no CPU, no thread"""
    return said(perfdata.RECORD_LOST_SAMPLES, struct.pack("<Q", count), 0, ident, 0, 0)


def throttled(begin, end, ident=1, cpu=0, tid=101, stream=None, end_tid=None):
    body = [struct.pack("<QQQ", time, ident, stream or ident) for time in (begin, end)]
    return [said(perfdata.RECORD_THROTTLE, body[0], begin, ident, cpu, tid),
            said(perfdata.RECORD_UNTHROTTLE, body[1], end, ident, cpu, end_tid or tid)]


def index(*entries):
    """(id, cpu, tid)"""
    return perfdata.record(ID_INDEX, struct.pack("<Q", len(entries)) + b"".join(
        struct.pack("<QQQQ", ident, 0, cpu, tid) for ident, cpu, tid in entries))


def samples(count, ident=1, cpu=0, tid=101, time=1000):
    return [sample(op_payload(), ident=ident, cpu=cpu, tid=tid, time=time + n)
            for n in range(count)]


def comm(tid, name):
    return said(COMM, struct.pack("<II", 100, tid) + name.encode().ljust(16, b"\0"), 1, tid=tid)


def shares(rows):
    return {name: row["lost_percent"] for name, row in rows.items()}


def test_by_cpu():
    """each CPU's share is of its own samples, whatever the order of the file"""
    records = samples(30) + samples(10, cpu=1) + [lost(30, cpu=1)] + samples(20, cpu=3)
    records += samples(10) + [lost(10), in_pmu(20, cpu=3)]
    rows, notes, text = losses("cpus", records, [event([1])])
    equal(shares(rows), {"ibs_op//": 46.15, "CPU 1, ibs_op//": 75, "CPU 3, ibs_op//": 50,
                         "CPU 0, ibs_op//": 20})
    equal([row["samples"] for row in rows.values()], [70, 10, 20, 40])
    assert any(note.startswith("% of samples is") for note in notes), notes
    assert "% of samples" in text.split("Losses\n")[1].split("\n")[0], text


def test_several_events():
    """a buffer's share is of the samples of all events; an event's own is known by its counter"""
    events = [event([1]), event([2], "other", read_format=0)]
    records = samples(30) + samples(10, 2) + samples(20, cpu=1) + [lost(60, cpu=0)]
    rows, _, text = losses("buffers", records + [counted(30)], events)
    equal(shares(rows), {"ibs_op//": 37.5, "other": None, "buffers of all events": 50,
                         "CPU 0, buffer": 60})
    equal(rows["other"]["lost_percent_reason"], "buffers do not say of which event records are")
    assert "buffers do not say of which event" in text, text
    rows, _, _ = losses("pmu", records[:60] + [in_pmu(10)], events)  # no buffer lost anything
    equal(rows["ibs_op//"]["lost_percent"], 16.67)


def test_unknown_is_not_nothing():
    """0 stands where it is known; no row says 0 where nobody looked"""
    rows, _, _ = losses("counted", samples(5), [event([1])])
    equal(rows["ibs_op//"]["lost_percent"], 0)
    rows, _, _ = losses("reported", samples(5), [event([1], read_format=0)])
    equal(rows["ibs_op//"]["lost_percent"], None)
    rows, _, _ = losses("old", samples(5), [event([1])], version={})
    equal(rows["ibs_op//"]["lost_percent"], None)
    records = samples(5) + samples(5, cpu=1) + [lost(5, cpu=1), counted(7)]
    rows, _, _ = losses("elsewhere", records, [event([1])])  # of which CPU the seven are
    equal([(row["counted"], row["lost_percent"]) for row in rows.values()],
          [(7, 41.18), (None, 50)])
    rows, _, _ = losses("nocpu", [perfdata.record(9, struct.pack("<QIIQQ", 1, 1, 1, 50, 1)),
                                  index((1, 2, NOWHERE)),
                                  perfdata.record(2, struct.pack("<QQIIQQ", 1, 3, 1, 1, 60, 1))],
                        [event([1], without=perfdata.CPU | perfdata.RAW)])
    equal([(row["lost"], row["samples"], row["lost_percent"]) for row in rows.values()],
          [(3, 1, 75), (3, None, None)])
    equal(rows["CPU 2, ibs_op//"]["lost_percent_reason"],
          "samples do not say where they were taken")


def test_no_samples():
    """of an event that has no sample, records that were lost need not be samples"""
    rows, _, _ = losses("dummy", samples(3) + [counted(4, 2), counted(1)],
                        [event([1]), event([2], "dummy:HG")])
    equal(shares(rows), {"ibs_op//": 25, "dummy:HG": None, "buffers of all events": None})
    assert "may be other records" in rows["dummy:HG"]["lost_percent_reason"]


def test_by_thread():
    """buffers and ids of a thread each: LOST is not of the thread that wrote it"""
    records = [index((1, NOWHERE, 101), (2, NOWHERE, 202)), comm(101, "alpha"), comm(202, "beta")]
    records += samples(30) + samples(10, 2, 5, 202) + [lost(30, 2, 5, 101), lost(10, 1, 0, 202)]
    records += throttled(1000, 1015) + throttled(1005, 1007, 2, 5, 202)
    rows, notes, text = losses("threads", records, [event([1, 2])])
    equal(shares(rows), {"ibs_op//": 50, "CPU 5, ibs_op//": 75, "CPU 0, ibs_op//": 25,
                         "thread 202 beta, ibs_op//": 75, "thread 101 alpha, ibs_op//": 25})
    beta = rows["thread 202 beta, ibs_op//"]
    equal([beta[name] for name in ("tid", "comm", "cpu", "event", "lost", "samples", "throttled",
                                   "throttled_ns")], [202, "beta", None, 0, 30, 10, 1, 2])
    equal([row["throttled_percent"] for name, row in rows.items() if name.startswith("thread")],
          [22.22, 51.72])  # 2 of 9 ns, 15 of 29
    assert not any("which threads" in note for note in notes), notes
    assert "thread 202 beta, ibs_op//" in text, text


def test_ids_of_threads():
    """threads that share a CPU's buffer: counters know, the buffer does not"""
    records = [index((1, 0, 101), (2, 0, 202))] + samples(30) + samples(10, 2, 0, 202)
    records += [lost(40, 2, 0, 202), counted(30, 2), counted(10)]
    rows, notes, _ = losses("shared", records, [event([1, 2])])
    mine = {name: (row["lost"], row["counted"], row["lost_percent"])
            for name, row in rows.items() if name.startswith("thread")}
    equal(mine, {"thread 202, ibs_op//": (None, 30, 75), "thread 101, ibs_op//": (None, 10, 25)})
    assert notes[-1].startswith("which threads lost records is known by the events' counters")


def test_inherited():
    """threads that inherit an event: when they were throttled, not what they lost"""
    records = [index((1, 0, 101), (2, 1, 101))] + samples(10, tid=300) + samples(10, tid=400)
    records += throttled(1000, 1006, tid=300, stream=77)
    records += throttled(1002, 1004, tid=400, stream=78, end_tid=300)  # handed over
    records += [lost(20, 1, 0, 300), counted(20)]
    rows, notes, _ = losses("inherited", records, [event([1, 2], flags=INHERIT)])
    names = ("lost", "counted", "lost_percent", "throttled_ns", "throttled_percent", "unfinished",
             "unmatched")
    mine = {name: [row[n] for n in names] for name, row in rows.items() if "thread" in name}
    equal(mine, {"thread 300, ibs_op//": [None, None, None, 6, 66.67, 0, 1],
                 "thread 400, ibs_op//": [None, None, None, 0, 0, 1, 0]})
    equal(rows["thread 300, ibs_op//"]["lost_percent_reason"],
          "threads share the event's counter or buffers")
    assert notes[-1].startswith("which threads lost records is not known: they share"), notes


def test_whole_system():
    """an event of CPUs: the record names who wrote it, which is nobody's loss"""
    for name, ids, why in (("system", [index((1, 0, NOWHERE))], "the events were of CPUs"),
                           ("untold", [], "nothing says whether")):
        records = ids + samples(10) + [lost(10, tid=101)] + throttled(1000, 1004)
        rows, notes, _ = losses(name, records, [event([1])])
        equal(list(rows), ["ibs_op//", "CPU 0, ibs_op//"])
        assert notes[-1].startswith("which threads that happened to is not known: " + why), notes


def test_many_threads():
    """those that lost most are listed, the others counted"""
    tids = range(1000, 1030)
    records = [index(*[(tid, NOWHERE, tid) for tid in tids])]
    for tid in tids:
        records += samples(1, tid, 0, tid) + [lost(tid - 999, tid)]
    rows, notes, _ = losses("many", records, [event(list(tids))])
    equal([name for name in rows if name.startswith("thread")],
          ["thread %d, ibs_op//" % tid for tid in range(1029, 1019, -1)])
    assert any("10 rows of a thread that lost most, of 30" in note for note in notes), notes


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
