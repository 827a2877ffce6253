#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis report on PEBS samples that no recording here has: byte by byte, against precis dump."""
import json
import os
import random
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import oracle
import perfdata
import tap
import test_report
from command import good, run
from tap import equal

HERE = sys.modules[__name__]

SKYLAKE, SAPPHIRE_RAPIDS = "GenuineIntel,6,85,4", "GenuineIntel,6,143,8"
ALDER_LAKE = "GenuineIntel,6,151,2"
ADDR, WEIGHT, DATA_SRC, WEIGHT_STRUCT = 1 << 3, 1 << 14, 1 << 15, 1 << 24
BASE = perfdata.IP | perfdata.TID | perfdata.TIME | perfdata.ID | perfdata.CPU
EXACT_IP, USER = 1 << 14, 2
PRECISE = 3 << 15
CPU, CPU_CORE, CPU_ATOM = 4, 4, 11
MEM_LOADS, MEM_STORES, ATOM_LOADS, ATOM_STORES = 0x1cd, 0x82d0, 0x5d0, 0x6d0
LOAD, STORE = 1 << 1, 1 << 2
# A load's data source as Linux 6.1 writes it: from local DRAM, L1 or L2 TLB, not locked
DRAM_LOAD = 0x68100142 | 13 << 33
FINISHED_INIT = 82
L3_LOAD = DRAM_LOAD & ~(0xf << 33) | 3 << 33


def event(config, kind=CPU, ldlat=0, sample_type=BASE | ADDR | DATA_SRC | WEIGHT_STRUCT):
    # a prime, that no loop is in step with: samples may all be of one place
    attr = bytearray(perfdata.attr(kind, sample_type, config=config, period=100003))
    flags, = struct.unpack_from("<Q", attr, 40)
    struct.pack_into("<Q", attr, 40, flags | PRECISE)
    struct.pack_into("<Q", attr, 56, ldlat)
    return bytes(attr)


def sample(ident, words, ip=0x401000, time=10 ** 9, misc=USER | EXACT_IP):
    """'words': (format, value) of what lies in the order of a sample: addr | cpu, weight, …"""
    addr, rest = words
    body = struct.pack("<QIIQ", ip, 100, 101, time)
    body += struct.pack("<Q", addr) if addr is not None else b""
    body += struct.pack("<QII", ident, 0, 0) + rest
    return perfdata.record(perfdata.RECORD_SAMPLE, body, misc)


def words(weight=100, instruction=20, retire=0, data_src=DRAM_LOAD, addr=0x7fff1000):
    return addr, struct.pack("<IHHQ", weight, instruction, retire, data_src)


def recording(name, records, events, cpu, release="6.5.0", pmus=((CPU, "cpu"),)):
    named = [(attr, [n + 1], label) for n, (attr, label) in enumerate(events)]
    features = {perfdata.OSRELEASE: perfdata.string(release), perfdata.CPUID: perfdata.string(cpu),
                perfdata.EVENT_DESC: perfdata.event_desc(named),
                perfdata.PMU_MAPPINGS: perfdata.pmu_mappings(list(pmus))}
    return test_report.scratch(name, records, events=named, features=features)


def random_source(numbers):
    """A data source of any kind that is made of the kernel's bits."""
    op = numbers.choice((LOAD, LOAD, STORE, LOAD | STORE, 1, 0, 1 << 3))
    return (op | numbers.choice((0, 2, 4)) << 5 | numbers.getrandbits(12) << 7 |
            1 << numbers.randrange(5) << 19 | numbers.choice((0, 1, 2)) << 24 |
            numbers.choice((0, 1, 2 | 8 | 16, 4 | 64)) << 26 | numbers.randrange(16) << 33 |
            numbers.randrange(2) << 37 | numbers.randrange(4) << 38 |
            numbers.randrange(4) << 40)


def random_words(numbers, sources, wide=0.0):
    weight = numbers.choice((0, 1, 65535)) if numbers.random() < .1 else numbers.randrange(2000)
    if numbers.random() < wide:
        weight = numbers.randrange(1 << 16, 1 << 32)
    return words(weight, numbers.choice((0, 5, 65535)), numbers.choice((0, 0, 3, 65535)),
                 numbers.choice(sources))


def random_records(count, seed, events, wide=0.0):
    numbers = random.Random(seed)
    sources = [random_source(numbers) for _ in range(count // 8)] # many samples differ in weights
    return [sample(numbers.randrange(events) + 1, random_words(numbers, sources, wide),
                   ip=0x401000 + 4 * numbers.randrange(30), time=10 ** 9 + n,
                   misc=numbers.choice((1, 2)) | numbers.choice((0, EXACT_IP)))
            for n in range(count)]


def test_random():
    """data sources and weights of all kinds, on cores with one latency and with two"""
    events = [(event(MEM_LOADS, ldlat=30), "loads"), (event(MEM_STORES), "stores"),
              (event(0x3c), "cycles")]
    for seed, cpu in enumerate((SKYLAKE, SAPPHIRE_RAPIDS, "GenuineIntel,6,58,9",
                                "GenuineIntel,6,254,0")):
        found = test_report.check(recording("random-%d" % seed, random_records(
            3000, seed, len(events)), events, cpu))
        equal(found["recording"]["values"]["pebs"], 3000, "samples")


def test_hybrid():
    """events of each kind of core stand apart"""
    events = [(event(MEM_LOADS, CPU_CORE, 30), "cpu_core/loads/"),
              (event(ATOM_LOADS, CPU_ATOM, 30), "cpu_atom/loads/"),
              (event(ATOM_STORES, CPU_ATOM), "cpu_atom/stores/")]
    found = test_report.check(recording("hybrid", random_records(2000, 5, 3), events, ALDER_LAKE,
                                        pmus=((CPU_CORE, "cpu_core"), (CPU_ATOM, "cpu_atom"))))
    for n, noted in enumerate((True, True, False)):
        notes = " ".join(found["pebs_sources_%d" % n]["notes"])
        equal("only loads of more than 30 cycles" in notes, noted, "threshold")


def test_long_latencies():
    """beyond 16 bits: number, mean and maximum are exact, percentiles among them are not told"""
    events = [(event(MEM_LOADS, sample_type=BASE | ADDR | WEIGHT | DATA_SRC), "loads")]
    weights = [100] * 90 + [2 ** 32 - 1, 70000] * 5
    records = [sample(1, (1, struct.pack("<QQ", weight, source)))
               for weight, source in zip(weights, [DRAM_LOAD] * 96 + [L3_LOAD] * 4)]
    table = test_report.report(recording("long", records, events, SKYLAKE))["pebs_load_latency"]
    rows = test_report.rows_of(table)
    for name, part in (("all loads", weights), ("load/DRAM/local", weights[:96])):
        test_report.near(rows[name], dict(oracle.latency(part), latency_p95=None,
                                          latency_p99=None), name)
    assert "10 latencies are longer than 65535 cycles" in " ".join(table["notes"]), table["notes"]


def test_weight_alone():
    """without a data source nobody knows what was sampled, but how long it took"""
    events = [(event(MEM_LOADS, ldlat=3, sample_type=BASE | WEIGHT), "loads")]
    records = [sample(1, (None, struct.pack("<Q", weight))) for weight in range(7, 40)]
    found = test_report.check(recording("weight", records, events, SKYLAKE))
    equal(test_report.rows_of(found["pebs_load_latency"])["all unknown"]["latency_n"], 33, "n")


def test_no_access():
    """an event that tells no access has no shares of accesses"""
    events = [(event(0x3c, sample_type=BASE), "cycles:pp")]
    found = test_report.check(recording("cycles", [sample(1, (None, b""))] * 9, events, SKYLAKE))
    assert "pebs_sources" not in found
    equal(list(test_report.rows_of(found["summary"])), ["samples with an access"], "rows")


def test_alike():
    """events that are configured alike, as those of several tasks, are one"""
    events = [(event(MEM_LOADS, ldlat=30), "loads"), (event(MEM_LOADS, ldlat=30), "loads"),
              (event(MEM_LOADS, ldlat=50), "slow loads")]
    records = [sample(ident, words()) for ident in (1, 2, 2, 3)]
    found = test_report.check(recording("alike", records, events, SKYLAKE))
    equal([test_report.rows_of(found["pebs_ops_%d" % n])["all samples"]["samples"] for n in (0, 2)],
          [3, 1], "samples")


def test_alike_but_for_words():
    """events that are alike, of which one did not record what the other did"""
    events = [(event(MEM_LOADS), "loads"),
              (event(MEM_LOADS, sample_type=BASE | ADDR | DATA_SRC), "loads")]
    records = [sample(1, words(weight=0, instruction=0)),
               sample(2, (1, struct.pack("<Q", DRAM_LOAD)))] * 3
    found = test_report.check(recording("words-differ", records, events, SAPPHIRE_RAPIDS))
    absent = {entry["field"]: entry["absent"] for entry in found["pebs_sources"]["coverage"]}
    equal(sorted(absent["cache_latency"].values()), [3, 3], "reasons")


def test_order():
    """events come in the order of the file, whichever has the first sample"""
    events = [(event(0xd1 | n << 8), "event %d" % n) for n in range(3)]
    found = test_report.report(recording("order", [sample(n, words()) for n in (3, 1, 2)], events,
                                         SKYLAKE))
    equal([name for name in found if name.startswith("pebs_ops")],
          ["pebs_ops_0", "pebs_ops_1", "pebs_ops_2"], "tables")


def check_each(kind, samples_of, precise, other):
    """
    So many precise events and others, with no more than one table of addresses can tell apart, or
    many more; the one that comes last has the most samples.
    """
    events = [(event(0xd1 | n << 8), "precise-%d" % n) for n in range(precise)]
    events += [(perfdata.attr(0, BASE | ADDR | DATA_SRC | WEIGHT_STRUCT, config=n), "other-%d" % n)
               for n in range(other)]
    count = precise + other
    records = [sample(n + 1, words(), ip=0x400000 + n) for n in range(count)
               for _ in range(samples_of(n))]
    records += [sample(n, words(), ip=0x500000) for n in (precise, count) for _ in range(999)]
    found = test_report.report("--no-symbols", recording(kind, records, events, SKYLAKE))
    for n in range(precise):
        equal(found["pebs_ops_%d" % n]["rows"][-1]["samples"],
              samples_of(n) + (999 if n == precise - 1 else 0), n)
    for n in range(count):
        table = found["top_%s_%d" % ("pebs" if n < precise else "other", n)]
        wanted = [(samples_of(n), "0x%x" % (0x400000 + n))]
        if n in (precise - 1, count - 1):
            wanted.insert(0, (999, "0x500000"))
        equal([(row["samples"], row["address"]) for row in table["rows"]], wanted, n)
    assert "further events" not in json.dumps(found) and "top_pebs_rest" not in found


def test_many_events():
    """each event is listed with all of its samples, however many there are"""
    check_each("many", lambda n: 1 + n % 3, 71, 70)


def test_thousands_of_events():
    """and also beyond what keys of one table of addresses can tell apart"""
    check_each("thousands", lambda n: 1 + n % 2, 2100, 2090)


def test_pipe():
    """in pipe mode events come between the samples"""
    events = [event(MEM_LOADS, ldlat=30), event(MEM_STORES)]
    parts = [b"PERFILE2" + struct.pack("<Q", 16)]
    for feature, text in ((perfdata.CPUID, SKYLAKE), (perfdata.OSRELEASE, "6.5.0")):
        parts.append(perfdata.record(80, struct.pack("<Q", feature) + perfdata.string(text)))
    for ident, attr in enumerate(events, 1):
        parts.append(perfdata.record(64, attr + struct.pack("<Q", ident)))
        parts += [sample(ident, words(data_src=LOAD << ident - 1 | 0xa0))] * ident
    path = os.path.join(test_report.SCRATCH.name, "pipe")
    with open(path, "wb") as file:
        file.write(b"".join(parts))
    found = test_report.check(path)
    equal([found["pebs_ops_%d" % n]["rows"][0]["row"] for n in (0, 1)], ["load", "store"], "ops")


def test_threshold():
    """each table of a load latency event tells what its shares are of; others do not"""
    events = [(event(MEM_LOADS, ldlat=30), "loads")]
    found = test_report.report(recording("threshold", [sample(1, words())], events, SKYLAKE))
    for name in ("pebs_ops", "pebs_sources", "pebs_snoops", "pebs_load_latency", "pebs_dtlb",
                 "pebs_conditions"):
        assert "loads of more than 30 cycles" in " ".join(found[name]["notes"]), name
    events = [(event(MEM_STORES, ldlat=30), "stores")]
    text = good("report", "--all", recording("stores", [sample(1, words())], events, SKYLAKE))
    assert "30 cycles" not in text, text


def test_auxiliary():
    """the event that load latency needs beside it is told apart, and its weight is no latency"""
    events = [(event(0x8203), "aux"), (event(MEM_LOADS), "loads")]
    records = [sample(1, words(data_src=0x1)), sample(2, words())]
    found = test_report.check(recording("auxiliary", records, events, SAPPHIRE_RAPIDS))
    notes = [note for note in found["pebs_ops_0"]["notes"] if "auxiliary event" in note]
    equal(len(notes), 1, notes)
    assert "aux: " + notes[0] in found["summary"]["notes"], found["summary"]
    assert "pebs_cache_latency_1" in found and "pebs_cache_latency_0" not in found, found.keys()
    found = test_report.report(recording("no-auxiliary", records, events, SKYLAKE))
    assert "auxiliary event" not in json.dumps(found), found


def test_inexact():
    """addresses that may be of the next instruction are counted"""
    events = [(event(MEM_LOADS), "loads")]
    records = [sample(1, words())] * 3 + [sample(1, words(), misc=USER)] * 2
    found = test_report.report(recording("inexact", records, events, SKYLAKE))
    assert "2 samples may have the address of the instruction" in \
        " ".join(found["top_pebs"]["notes"]), found["top_pebs"]


def test_top_of_events():
    """loads and stores have a table each, and the shares of each are of its own event's samples"""
    events = [(event(MEM_STORES), "stores"), (event(MEM_LOADS, ldlat=30), "loads")]
    records = [sample(2, words(), ip=0x401000)] * 3 + [sample(2, words(), ip=0x402000)]
    records += [sample(1, words(data_src=STORE | 0x140), ip=0x401000)] * 5
    found = test_report.check(recording("top-of-events", records, events, SKYLAKE))
    equal([name for name in found if name.startswith("top_")], ["top_pebs_0", "top_pebs_1"])
    equal([[(row["samples"], row["share"]["n"]) for row in found["top_pebs_%d" % n]["rows"]]
           for n in (0, 1)], [[(5, 5)], [(3, 4), (1, 4)]], "samples, of how many")
    text = good("report", "--all", "--no-symbols", recording("top-of-events", records, events, SKYLAKE))
    assert "Top instructions by samples (event 0)" in text, text
    assert "Top instructions by samples; cycles of loads (event 1)" in text, text


def test_top_of_other_events():
    """nor do events that are not precise add up"""
    events = [(perfdata.attr(0, config=n), [n + 1], name) for n, name in
              enumerate(("cycles", "instructions"))]
    payload = b"\0\0\0\0"
    records = [perfdata.sample(payload, ident=1, ip=0x401000)] * 2
    records += [perfdata.sample(payload, ident=2, ip=0x401000)] * 7
    found = test_report.report(test_report.scratch("others", records, events=events))
    equal([(name, found[name]["rows"][0]["samples"], found[name]["rows"][0]["share"]["n"])
           for name in found if name.startswith("top_")],
          [("top_other_0", 2, 2), ("top_other_1", 7, 7)], "tables")


def test_sort():
    """--sort latency and retire order by those of PEBS"""
    events = [(event(MEM_LOADS), "loads")]
    path = recording("sort", random_records(500, 9, 1), events, SAPPHIRE_RAPIDS)
    population = oracle.samples(good("dump", "--format", "json", "--reasons", "-F", "all", path))
    for order, field in (("latency", "cache_latency"), ("retire", "retire_latency")):
        rows = test_report.report("--sort", order, "--top", "5", path)["top_pebs"]["rows"]
        sums = sorted((sum(numbers) for _, numbers in
                       oracle.top_places(population, field).values()),
                      reverse=True)
        equal([row["latency_sum"] or 0 for row in rows], sums[:5], order)
        assert sums[4] > 0, order


def test_formats():
    """text fits 100 columns; csv has the rows of each event"""
    events = [(event(MEM_LOADS, ldlat=30), "loads"), (event(MEM_STORES), "stores")]
    path = recording("formats", random_records(3000, 3, 2, wide=.01), events, SAPPHIRE_RAPIDS)
    text = good("report", "--all", "--no-symbols", path)
    assert max(len(line) for line in text.splitlines() if path not in line) <= 100, text
    rows = [row["row"] for row in test_report.report(path)["pebs_sources_0"]["rows"]]
    equal(rows[rows.index("all loads") - 1], "load/not reported", "the last but the sum")
    assert "(event 1)" in text and "event 1: stores" in text
    assert "\npebs_sources_0,all loads,samples," in run("report", "--format", "csv", path).out


def test_ibs_words():
    """IBS without registers: what perf made of it counts, and nothing else does"""
    attr = perfdata.attr(sample_type=BASE | ADDR | DATA_SRC | WEIGHT_STRUCT)
    numbers = random.Random(4)
    sources = [random_source(numbers) for _ in range(200)]
    records = [sample(1, random_words(numbers, sources, .02),
                      ip=0x401000 + 4 * numbers.randrange(9),
                      misc=USER | numbers.choice((0, EXACT_IP))) for _ in range(2000)]
    path = test_report.scratch("words", records, events=[(attr, [1], "ibs_op//")])
    found = test_report.check(path)
    equal(found["recording"]["values"]["undecodable"], 0, "undecodable")
    assert "2000 of 2000 samples have no registers" in " ".join(found["recording"]["notes"])


def traced(name, seed, *gone):
    """A recording with PEBS in Intel PT; 'gone' are offsets of records that are made to say nothing."""
    path = os.path.join(test_report.SCRATCH.name, name)
    subprocess.run([os.path.join(os.environ.get("builddir", "."),
                                 "tests/differential/make_pebs_pt"), path, "records", str(seed)],
                   check=True)
    with open(path, "r+b") as file:
        for offset in gone:
            file.seek(offset)
            file.write(struct.pack("<I", FINISHED_INIT))
    return path


def offsets_of(path, kind):
    lines = good("dump", "--records=" + kind, "--format", "json", path).splitlines()
    return [int(json.loads(line)["offset"], 0) for line in lines]


def test_traces():
    """samples out of Intel PT count as all others do, by their events"""
    for seed in range(3):
        path = traced("traces", seed)
        found = test_report.check(path)
        dumped = good("dump", "-F", "event", path).splitlines()
        equal(found["recording"]["values"]["pebs"], len(dumped), "samples")
        equal(found["pebs_ops_1"]["rows"][-1]["samples"], dumped.count("event=first"), "of first")
        test_report.check(path, "--cpu", "1", "-e", "second")
        assert "no-itrace" not in path and not oracle.samples(
            good("dump", "--format", "json", "--no-itrace", path))
        equal(test_report.report("--no-itrace", path)["recording"]["values"].get("pebs", 0), 0,
              "with --no-itrace")


def test_unmatched_traces():
    """records of the trace that are of no known event: told, and in no event's table"""
    path = traced("matched", 1)
    ids = offsets_of(path, "AUX_OUTPUT_HW_ID")
    equal(len(ids), 4, "records that tell events")
    found = test_report.check(traced("unmatched", 1, *ids))
    assert "60 samples out of the Intel PT trace are of no known event" in \
        " ".join(found["recording"]["notes"]), found["recording"]["notes"]
    assert not [name for name in found if name.startswith("pebs_")], list(found)
    found = test_report.check(traced("half", 1, *ids[::2]))
    assert "pebs_ops_1" in found and "pebs_ops_2" in found


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
