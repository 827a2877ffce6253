#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What precis info warns of stands in precis report, beside the figures that it is about."""
import glob
import json
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import perfdata
import tap
import test_report
import test_report_pebs as pebs
from command import SHARED, good, recording, run
from tap import equal

HERE = sys.modules[__name__]


def notes_of(table):
    return " | ".join(table["notes"])


def check(path, *options):
    """Each remark of info is a note of some table, or of the first; of an event with samples."""
    found = test_report.report(*options, path)
    everything = [note for table in found.values() if isinstance(table, dict)
                  for note in table["notes"]]
    count = 0
    for event in json.loads(run("info", "--format", "json", *options, path).out)["events"]:
        if not event["samples"] + event["traced_samples"]:
            continue
        for remark in event["remarks"]:
            if remark.startswith("payload layout"):
                continue # a fact
            count += 1
            assert [note for note in everything if note.endswith(remark)], (path, remark)
    return count


def test_all_recordings():
    """every remark of every recording"""
    paths = [recording(name) for name in test_report.NAMES + ("spr-mix-loads",)]
    for names in ("recordings/*.perf.data", "perfdata/*perf*"):
        paths += glob.glob(os.path.join(SHARED, names)) if SHARED else []
    assert sum(map(check, paths)) > 5
    for options in (("--cpuid", "GenuineIntel,6,143,8"), ("--cpuid", "nothing")):
        if not run("info", *options, recording("zen4-op")).code:
            check(recording("zen4-op"), *options)


def test_auxiliary_lacks():
    """latencies without the event beside which they are right"""
    events = [(pebs.event(pebs.MEM_LOADS, ldlat=30), "loads"), (pebs.event(pebs.MEM_STORES), "st")]
    records = [pebs.sample(1, pebs.words()), pebs.sample(2, pebs.words(data_src=pebs.STORE | 0xa0))]
    path = pebs.recording("no-auxiliary", records, events, pebs.SAPPHIRE_RAPIDS)
    found = test_report.report(path)
    for name in ("summary_cache_latency", "summary_instruction_latency", "pebs_cache_latency_0",
                 "pebs_instruction_latency_0"):
        assert "without event 0x8203" in notes_of(found[name]), name
    top = [name for name in found if name.startswith("top_pebs")]
    assert any("0x8203" in notes_of(found[name]) for name in top), top
    for name in ("pebs_sources_0", "pebs_ops_1", "pebs_sources_1"):
        assert "0x8203" not in notes_of(found[name]), name
    text = good("report", "--all", "--no-symbols", path)
    assert text.count("without event 0x8203") >= 4 and "0x8203" in good("info", path)
    assert max(len(line) for line in text.splitlines() if path not in line) <= 100, text
    events.insert(0, (pebs.event(0x8203), "aux"))
    with_it = pebs.recording("with-auxiliary", [pebs.sample(2, pebs.words())], events,
                             pebs.SAPPHIRE_RAPIDS)
    assert "without event" not in good("report", "--all", with_it) + good("info", with_it)


def test_threshold():
    """the latency filter in one wording, as the hardware has it: more than that many cycles"""
    words = "only loads of more than 30 cycles were sampled (ldlat)"
    path = pebs.recording("thirty", [pebs.sample(1, pebs.words(weight=n)) for n in (31, 99)],
                          [(pebs.event(pebs.MEM_LOADS, ldlat=30), "loads")], pebs.SKYLAKE)
    for text in (good("info", path), good("report", "--all", path)):
        flat = " ".join(text.split())
        assert words in flat and "or longer" not in flat and "up to" not in flat, flat
    for table in ("summary", "summary_load_latency", "pebs_load_latency", "pebs_sources"):
        assert words in notes_of(test_report.report(path)[table]), table


def test_threshold_of_real_hardware():
    """no sample of a real recording is at the threshold or below"""
    path = os.path.join(SHARED or "", "perfdata/appelmar_RcppThread__tests_perf.data")
    if not SHARED or not os.path.exists(path):
        raise tap.Skip("PRECIS_SHARED has no such recording")
    event = json.loads(good("info", "--format", "json", path))["events"][0]
    latencies = [json.loads(line)["load_latency"] for line in good(
        "dump", "--format", "json", "-e", "0", "-F", "load_latency", path).splitlines()]
    assert min(latencies) > event["pebs"]["ldlat"], min(latencies)


def test_one_counter():
    """events that share the counter of a CPU are told to take turns, others not"""
    words = "one of 2 events for the one counter that a CPU has of IBS op"
    payload = perfdata.op_payload()
    for kinds, expected in (((perfdata.IBS_OP_TYPE, perfdata.IBS_OP_TYPE), True),
                            ((perfdata.IBS_OP_TYPE, perfdata.IBS_FETCH_TYPE), False)):
        path = test_report.scratch("turns", [perfdata.sample(payload)] * 3, events=[
            (perfdata.attr(kind), [1 + n], "event%d" % n) for n, kind in enumerate(kinds)])
        found = test_report.report(path)
        for table in ("ops", "pipeline_tag_to_retire", "load_sources"):
            equal(words in notes_of(found[table]), expected, (table, found[table]["notes"]))
        equal(words in " ".join(good("info", path).split()), expected)


READ, TOTAL_TIMES, WITH_ID, GROUP = 1 << 4, 3, 4, 8


def read_attr(read_format):
    attr = bytearray(perfdata.attr(sample_type=perfdata.SAMPLE_TYPE | READ))
    struct.pack_into("<Q", attr, 32, read_format)
    return bytes(attr)


def read_sample(ident, block):
    raw = perfdata.op_payload()
    raw += b"\0" * (-(len(raw) + 4) % 8)
    return perfdata.record(perfdata.RECORD_SAMPLE, struct.pack(
        "<QIIQQII", 0x401000, 100, 101, 1000, ident, 0, 0) + block +
        struct.pack("<I", len(raw)) + raw, 2)


def test_multiplexed():
    """how much of its time an event counted, by the times in its samples or in READ records"""
    words = "of the time that it was on (multiplexing)"
    one = [read_sample(1, struct.pack("<QQQ", 10 * n, 1000 * n, 625 * n)) for n in (1, 2, 3)]
    two = [read_sample(n % 2 + 1, struct.pack("<QQQ", n, 1000 * n, 1000 * n if n % 2 else 500 * n))
           for n in range(1, 9)]
    group = [read_sample(1, struct.pack("<QQQQQQQ", 2, 800 * n, 200 * n, 5, 1, 6, 2)) for n in (1, 2)]
    always = [read_sample(1, struct.pack("<QQQ", n, 1000 * n, 1000 * n)) for n in (1, 2)]
    lies = [read_sample(1, struct.pack("<QQQ", 1, 1000, 2000)),
            read_sample(1, struct.pack("<QQQ", 1, (1 << 64) - 1, 0))]
    appended = [perfdata.sample(perfdata.op_payload())] + [perfdata.record(8, struct.pack(
        "<IIQQQIIQQII", 100, 101, 7, 4000, 1000, 100, 101, 5000, 1, 0, 0))]
    for records, read_format, events, expected in (
            (one, TOTAL_TIMES, 1, ["62.5%"]), (two, TOTAL_TIMES, 2, ["50.0%"]),
            (group, TOTAL_TIMES | WITH_ID | GROUP, 2, ["25.0%", "25.0%"]),
            (always, TOTAL_TIMES, 1, []), (lies, TOTAL_TIMES, 1, ["0.0%"]),
            (appended, TOTAL_TIMES, 1, ["25.0%"])):
        attr = read_attr(read_format)
        if records is appended:
            attr = bytearray(perfdata.attr())
            struct.pack_into("<Q", attr, 32, read_format)
        path = test_report.scratch("multiplexed", records, events=[
            (bytes(attr), [1 + n], "event%d" % n) for n in range(events)])
        remarks = [remark for event in json.loads(good("info", "--format", "json", path))["events"]
                   for remark in event["remarks"]]
        equal([remark.split()[2] for remark in remarks if words in remark], expected, records)
        assert not any("take turns" in remark for remark in remarks), remarks
        for table in ("ops", "load_sources"):
            equal(notes_of(test_report.report(path)[table]).count(words) > 0, bool(expected), table)


def test_gaps():
    """what was lost and how long none were taken, by events that are alone and that share a buffer"""
    second, trailer = 10**9, struct.pack("<IIQQII", 100, 101, 5 * 10**9, 1, 0, 0)
    samples = [perfdata.sample(perfdata.op_payload(), time=time) for time in (second, 9 * second)] * 30
    lost = perfdata.record(perfdata.RECORD_LOST, struct.pack("<QQ", 1, 20) + trailer)
    spans = [perfdata.record(kind, struct.pack("<QQQ", time, 1, 1) +
                             struct.pack("<IIQQII", 100, 101, time, 1, 0, 0))
             for kind, time in ((perfdata.RECORD_THROTTLE, 3 * second), (perfdata.RECORD_UNTHROTTLE, 5 * second))]
    for records, events, says in (
            ([lost], 1, "20 samples were lost, 25.00% of all; figures are of the others"),
            ([lost], 2, "20 records of all events were lost; figures are of the others"),
            (spans, 1, "none were taken for 25.00% of the time (throttled); figures are of the others"),
            ([lost] + spans, 1, "25.00% of all; none were taken for 25.00% of the time (throttled); figures"),
            ([], 1, None)):
        path = test_report.scratch("gaps", samples + records, events=[
            (perfdata.attr(), [1 + n], "event%d" % n) for n in range(events)])
        for table in ("ops", "load_sources"):
            told = notes_of(json.loads(run("report", "--all", "--format", "json", path).out)[table])
            assert says in told if says else "figures are of the others" not in told, (says, told)
        assert not says or says in " ".join(run("info", path).out.split()), says


def test_filters_of_ibs():
    """what the driver leaves out, in the words that info has"""
    for kind, config1, words in (
            (perfdata.IBS_OP_TYPE, 256, "loads of more than 256 cycles from L1 miss to data"),
            (perfdata.IBS_OP_TYPE, 1 << 12, "only streaming stores"),
            (perfdata.IBS_FETCH_TYPE, 64, "only fetches of 64 cycles or more")):
        attr = bytearray(perfdata.attr(kind))
        struct.pack_into("<Q", attr, 56, config1)
        is_op = kind == perfdata.IBS_OP_TYPE
        payload = perfdata.op_payload() if is_op else struct.pack(
            "<I4Q", 0xbff, 0x000700ff186a186a, 0x401040, 0x1000, 0)
        path = test_report.scratch("filtered", [perfdata.sample(payload)] * 3,
                                   events=[(bytes(attr), [1], "ibs//")])
        found = test_report.report(path)
        for table in ("ops", "pipeline_tag_to_retire") if is_op else ("fetch", "itlb"):
            assert words in notes_of(found[table]), (table, found[table]["notes"])
        assert words in " ".join(good("info", path).split()), words
    path = recording("zen4-op_l3")
    for table in ("load_sources", "dtlb", "summary", "top_instructions"):
        assert "only L3 misses" in notes_of(test_report.report(path)[table]), table


def test_which_event():
    """in a table of several events the note names its own"""
    events = [(pebs.event(pebs.MEM_LOADS, ldlat=30), "slow"), (pebs.event(pebs.MEM_LOADS), "all")]
    path = pebs.recording("two", [pebs.sample(n, pebs.words()) for n in (1, 2)], events,
                          pebs.SKYLAKE)
    notes = test_report.report(path)["summary"]["notes"]
    equal([note.split(":")[0] for note in notes], ["slow"], notes)


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
