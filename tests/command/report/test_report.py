#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis report: every figure against a recomputation from precis dump, and corner cases."""
import collections
import csv
import glob
import io
import json
import math
import os
import random
import re
import shutil
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import oracle
import perfdata
import tap
from command import SHARED, good, recording, run, usage
from quick import fewer, some
from tap import Skip, equal

HERE = sys.modules[__name__]
SCRATCH = tempfile.TemporaryDirectory()
NAMES = ("zen4-op_l3", "zen4-freq", "zen4-throttled", "zen4-own-pertask", "zen4-fetch",
         "skylake-loads_phys", "spr-loads")
TOPS = {"top_instructions": (oracle.is_op, "dcache_miss_latency"),
        "top_fetches": (oracle.is_fetch, "fetch_latency")}
ZEN3, ZEN5 = "AuthenticAMD,25,1,1", "AuthenticAMD,26,2,1"


def scratch(name, records, **how):
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(records, **how))
    return path


def report(*arguments):
    return json.loads(run("report", "--no-symbols", "--format", "json", *arguments).out)


def near(found, expected, where):
    """Numbers as equal as their printed digits. A share that is given has no interval."""
    if isinstance(expected, dict) and found and found.get("low", 0) is None and \
            expected["low"] is not None:
        near(found, dict(expected, value=1, low=None, high=None), where)
        equal(expected["value"], 1, where)
    elif isinstance(expected, dict):
        equal(sorted(found), sorted(expected), where)
        for key in expected:
            near(found[key], expected[key], where + "." + key)
    elif isinstance(expected, float):
        printed = 2e-6 + 1e-9 * abs(expected) if "mean" in where or "effective" in where else 2e-9
        assert abs(found - expected) <= printed, \
            "%s: expected %r, found %r" % (where, expected, found)
    else:
        equal(found, expected, where)


def rows_of(table):
    rows = {row["row"]: {name: row[name] for name in row if name != "row"}
            for row in table["rows"]}
    equal(len(rows), len(table["rows"]), "names of rows")
    return rows


def check_coverage(table, expected, where):
    found = {entry["field"]: entry for entry in table["coverage"]}
    equal(sorted(found), sorted(expected), where)
    for field, entry in found.items():
        counts = [absence["samples"] for absence in entry["absent"]]
        equal(counts, sorted(counts, reverse=True), where)
        entry["absent"] = {"%s: %s" % (a["reason"], a["detail"]): a["samples"]
                           for a in entry["absent"]}
        equal(entry, expected[field], where + " " + field)


def check_top(table, population, latency, where):
    places = oracle.top_places(population, latency)
    whole = oracle.Whole([sample for group, _ in places.values() for sample in group])
    by_address = collections.defaultdict(list)
    for key, place in places.items():
        by_address[key[2]].append(place)
    equal([row["samples"] for row in table["rows"]],
          [count for _, count in oracle.in_order(places, whole)][:len(table["rows"])], where)
    for row in table["rows"]:
        found = [row["samples"], row["latency_sum"] or 0, row["latency_n"]]
        here = by_address[int(row["address"], 16)]
        told = [[len(group), oracle.sum_of(numbers, whole), len(numbers)]
                for group, numbers in here]
        assert found in told, (where, row, told)
        group, numbers = here[told.index(found)]
        near(row["share"], whole.share_of(group), where)
        if row["latency_n"]:
            near(row["latency_mean"], oracle.mean(numbers), where + " mean")
        else:
            equal((row["latency_sum"], row["latency_mean"]), (None, None), where)


def check_latencies(found, expected):
    """Of each latency that any sample has a table of its own, and no other."""
    there = {field: {name: numbers for name, numbers in rows.items() if numbers}
             for field, rows in expected.items() if any(map(oracle.is_told, rows.values()))}
    equal(sorted(name for name in found if name.startswith("summary_")),
          sorted("summary_" + field for field in there), "tables of latencies")
    for field, rows in there.items():
        figures = {name: oracle.latency(numbers) for name, numbers in rows.items()
                   if oracle.is_told(numbers)}
        near(rows_of(found["summary_" + field]),
             {name: {column: row["latency_" + column] for column in ("median", "p95", "p99", "n") +
                     tuple(end[len("latency_"):] for end in oracle.ENDS)}
              for name, row in figures.items()}, field)


def events_of(path):
    return json.loads(run("info", "--format", "json", path).out)["events"]


def pebs_latency(population):
    """The one that the top table sums up: of the first sample that has any."""
    for sample in population:
        for field in ("load_latency", "cache_latency"):
            if field in sample and oracle.is_pebs(sample):
                return field
    return "load_latency"


def population_of(path, *options):
    return oracle.samples(run("dump", "--format", "json", "--reasons", "-F", "all", *options,
                              path).out)


def widened(found):
    """
    How many standard errors there are on each side: more where samples are in step with a loop, and
    None where they tell too little
    """
    if "in_step" not in found:
        return oracle.NORMAL
    row, = found["in_step"]["rows"]
    if row["verdict"] in ("few", "locked"):
        return None
    equal(row["verdict"], "widened")
    told = next(figure["share"] for figure in found["ops"]["rows"] if figure["share"])
    wider = math.sqrt(told["n"] / told["effective_n"])
    assert abs(wider ** 2 - row["samples"] / row["independent"]) <= wider ** 2 / row["independent"]
    return oracle.NORMAL * wider


def check(path, *options):
    """Each table of the report says what the oracle does, and there are no others."""
    population = population_of(path, *options)
    found = report("--top", "100000", *options, path)
    numbers = {event["name"]: event["index"] for event in reversed(events_of(path))}
    oracle.widen(widened(found))
    try:
        check_tables(found, population, numbers, path)
    finally:
        oracle.widen(oracle.NORMAL)
    counts = found["recording"]["values"]
    equal(counts["ibs_op"], sum(map(oracle.is_op, population)), "ibs_op")
    equal(counts["ibs_fetch"], sum(map(oracle.is_fetch, population)), "ibs_fetch")
    return found


def check_tables(found, population, numbers, path):
    """The same of what was found. 'numbers': of events, by name"""
    expected = oracle.tables(population)
    pebs_tables, pebs_summary, pebs_latencies = oracle.pebs(population, numbers)
    expected.update(pebs_tables)
    named = {name for name in found
             if name not in ("precis", "findings", "recording", "losses", "in_step", "summary", "top_other")
             and not name.startswith("summary_")}
    named -= {name for name in named if name in TOPS or name.startswith(("top_pebs", "top_other"))}
    equal(sorted(named), sorted(expected), "tables of " + path)
    for name, table in expected.items():
        rows, remaining = rows_of(found[name]), oracle.remaining(table)
        equal(sorted(rows), sorted(remaining), name)
        near(rows, remaining, name)
        check_coverage(found[name], table.coverage, name)
    for name, (belongs, latency) in TOPS.items():
        group = [s for s in population if belongs(s)]
        if name in found:
            check_top(found[name], group, latency, name)
        else:
            assert not oracle.top_places(group, latency), name
    groups = oracle.pebs_by_table(population, numbers)
    equal(sorted(name for name in found if name.startswith("top_pebs")), sorted(groups), "top")
    for name, group in groups.items():
        check_top(found[name], group, pebs_latency(group), name)
    rows = rows_of(found["summary"])
    for name, figure in {**oracle.summary(population), **pebs_summary}.items():
        if figure is None:
            assert name not in rows, name + ": a share of nothing"
            continue
        near(rows[name]["share"], figure, name)
        equal(rows[name]["of"]["n"], figure["n"], name)
        equal(sorted(rows[name]), ["of", "share"], name)
    check_latencies(found, {**oracle.summary_latencies(population), **pebs_latencies})
    if pebs_summary and not any(map(oracle.is_op, population)):
        equal(sorted(rows), sorted(name for name in pebs_summary if pebs_summary[name]),
              "key figures of " + path)
    counts = found["recording"]["values"]
    equal(counts.get("selected", counts["samples"]), len(population), "samples")
    equal(counts["pebs"], sum(map(oracle.is_pebs, population)), "pebs")


def test_recordings():
    """every figure of the recordings, recomputed"""
    for name in some(NAMES):
        check(recording(name))


def test_shared_recordings():
    """every figure of more recordings, recomputed"""
    paths = []
    for names in ("recordings/zen4-*", "recordings/skylake-*", "recordings/spr-*",
                  "perfdata/appelmar_RcppThread*"):
        paths += glob.glob(os.path.join(SHARED, names + "perf.data")) if SHARED else []
    if not paths:
        raise Skip("PRECIS_SHARED has no recordings")
    for path in some(sorted(paths)):
        check(path)


def test_selection():
    """every figure of what --filter, --event, --cpu, --time select"""
    path = recording("zen4-own-pertask")
    check(path, "--event", "ibs_op")
    check(path, "--event", "ibs_fetch")
    check(path, "--filter", "op == load || branch_taken")
    check(recording("zen4-freq"), "--cpu", "0", "--filter", "present(mem_level)")
    first = int(oracle.samples(good("dump", "--format", "json", "-n", "1", path))[0]["time"])
    found = check(path, "--time", "%d.%09d," % divmod(first + 20000000, 10 ** 9))
    assert 0 < found["recording"]["values"]["selected"] < found["recording"]["values"]["samples"]


def random_ops(count, seed, caps, data3_clear=0, alike=4):
    """Registers that no model makes: any bits, valid and enabled; each several times."""
    numbers = random.Random(seed)
    pool = [(numbers.getrandbits(40) & 0xff_0fff_0fff, numbers.getrandbits(10),
             numbers.getrandbits(64) & ~data3_clear) for n in range(count // alike)]
    for n in range(count):
        data, data2, data3 = numbers.choice(pool)
        yield perfdata.sample(perfdata.op_payload(
            caps=caps, ctl=0x6b000f186a, rip=0x401000 + 16 * numbers.randrange(40), data=data,
            data2=data2, data3=data3, lin=numbers.getrandbits(47),
            phys=numbers.choice((0, numbers.getrandbits(40))), target=0x402000),
            time=10 ** 9 + n, pid=numbers.choice((100, 200)), misc=numbers.choice((1, 2)))


def test_random_ops():
    """registers of all kinds, on CPUs with and without errata"""
    uncached = 1 << 14
    for seed, (cpuid, caps, clear) in enumerate((
            (perfdata.ZEN4, 0xbff, uncached), (perfdata.ZEN4, 0xbff, 0), (ZEN3, 0x3ff, uncached),
            (ZEN5, 0x81bff, uncached), ("AuthenticAMD,21,1,2", 0xff, 0),
            ("AuthenticAMD,16,4,2", 0x1f, 0))):
        check(scratch("random-%d" % seed, list(random_ops(fewer(3000), seed, caps, clear))),
              "--cpuid", cpuid)


def test_many_classes():
    """more combinations of registers than are kept at a time"""
    found = check(scratch("classes", list(random_ops(12000, 99, 0xbff, alike=1))))
    equal(found["recording"]["values"]["ibs_op"], 12000, "ops")


def test_capabilities_differ():
    """each op is read by the capabilities that it was captured with, whatever those around it have"""
    caps = (0xbff, 0xbff, 0x3ff, 0xbff, 0x7f)
    ops = [list(random_ops(500, n, one)) for n, one in enumerate(caps)]
    check(scratch("capabilities", [op for row in zip(*ops) for op in row]))


def random_fetches(count, seed, caps):
    numbers = random.Random(seed)
    for n in range(count):
        ctl = numbers.getrandbits(64) & ~(0xf000 << 32) | 3 << 48
        lin = numbers.choice((0, 0x401000 + 64 * numbers.randrange(30)))
        yield perfdata.sample(struct.pack(
            "<I4Q", caps, ctl, lin, numbers.getrandbits(40), numbers.getrandbits(8)),
            time=10 ** 9 + n)


FETCH_EVENT = [(perfdata.attr(perfdata.IBS_FETCH_TYPE), [1], "ibs_fetch//")]


def test_random_fetches():
    """fetches of all kinds, on CPUs with and without errata, and where a status needs an address"""
    for seed, (cpuid, caps) in enumerate((
            (perfdata.ZEN4, 0xbff), (ZEN3, 0x3ff), ("AuthenticAMD,26,80,0", 0x81bff))):
        check(scratch("fetches-%d" % seed, list(random_fetches(fewer(3000), seed, caps)),
                      events=FETCH_EVENT), "--cpuid", cpuid)


def test_erratum_is_named():
    """what an erratum takes away is counted under its name"""
    prefetch = 0x901961cd60085 | 1 << 21
    payload = perfdata.op_payload(caps=0x3ff, data3=prefetch)
    path = scratch("erratum", [perfdata.sample(payload)] * 7)
    found = check(path, "--cpuid", ZEN3)
    buffers = found["miss_buffers"]
    equal(buffers["coverage"][0]["absent"], {"ERRATUM: AMD-1293": 7}, "reasons")
    text = run("report", "--all", "--no-symbols", "--cpuid", ZEN3, path).out
    assert "7 ERRATUM (AMD-1293)" in text, text


def test_empty():
    """a recording without samples has no figures, and zero is said to be zero"""
    found = check(scratch("empty", [perfdata.finished_round()]))
    counts = found["recording"]["values"]
    for name in ("samples", "ibs_op", "ibs_fetch", "undecodable"):
        equal(counts[name], 0, name)
    equal(found["losses"]["rows"], [], "losses")
    equal(counts["time"], None, "time")
    equal(found["summary"]["rows"], [], "rows")


def test_times_of_some():
    """the time that samples are of is that of those which have one"""
    without = perfdata.SAMPLE_TYPE & ~perfdata.TIME | perfdata.IDENTIFIER
    events = [(perfdata.attr(sample_type=without | perfdata.TIME), [1], "ibs_op//"),
              (perfdata.attr(sample_type=without), [2], "ibs_op/without/")]
    raw = struct.pack("<I", 68) + perfdata.op_payload()
    records = []
    for n in range(40):
        time = struct.pack("<Q", 10 ** 9 + 1000 * n) if n % 3 else b""
        records.append(perfdata.record(perfdata.RECORD_SAMPLE, struct.pack(
            "<QQII", 1 if time else 2, 0x401000, 100, 101) + time + struct.pack(
            "<QII", 1 if time else 2, n % 2, 0) + raw, 2))
    found = check(scratch("some times", records, events=events))
    equal(found["recording"]["values"]["time"],
          {"duration_ns": 37000, "first_ns": 1000001000, "last_ns": 1000038000}, "time")


def test_only_lost():
    """LOST, LOST_SAMPLES and THROTTLE are counted without any sample"""
    trailer = struct.pack("<IIQQII", 1, 1, 5, 1, 0, 0)
    records = [perfdata.record(perfdata.RECORD_LOST, struct.pack("<QQ", 1, 40) + trailer),
               perfdata.record(perfdata.RECORD_LOST, struct.pack("<QQ", 1, 2) + trailer),
               perfdata.record(perfdata.RECORD_LOST_SAMPLES, struct.pack("<Q", 9) + trailer),
               perfdata.record(perfdata.RECORD_THROTTLE, struct.pack("<QQQ", 5, 1, 1) + trailer)]
    path = scratch("lost", records)
    rows = rows_of(check(path)["losses"])
    names = ("lost", "counted", "lost_samples", "throttled", "throttled_ns", "open")
    equal([rows["ibs_op//"][name] for name in names], [42, None, 9, 1, 0, 1], "counts")
    assert "42 records did not fit" in run("report", "--all", path).out
    lines = list(csv.reader(io.StringIO(run("report", "--format", "csv", path).out)))
    assert ["losses", "CPU 0, ibs_op//", "lost", "42", "", "", ""] in lines, lines


def test_no_payload():
    """samples without a payload are counted as undecodable, with the reason"""
    events = [(perfdata.attr(sample_type=perfdata.SAMPLE_TYPE & ~perfdata.RAW), [1], "ibs_op//")]
    found = check(scratch("no-payload", [perfdata.sample(None)] * 5, events=events))
    equal(found["recording"]["values"]["undecodable"], 5, "undecodable")
    absent = found["recording"]["coverage"][0]["absent"]
    equal(absent[0]["samples"], 5, "reasons")
    equal(absent[0]["reason"], "NOT_CAPTURED", "reasons")


def test_bad_payloads():
    """payloads that are none are counted beside good ones, each by what is wrong"""
    good_one = perfdata.op_payload()
    records = [perfdata.sample(good_one)] * 3 + [perfdata.sample(good_one[:40])] * 2
    records.append(perfdata.sample(perfdata.op_payload(caps=0xbfe)))
    result = run("report", "--no-symbols", "--format", "json", scratch("bad-payloads", records))
    found = json.loads(result.out)
    equal(result.code, 1, "exit code")
    equal((found["recording"]["values"]["ibs_op"], found["recording"]["values"]["undecodable"]),
          (3, 3), "counts")
    equal([a["samples"] for a in found["recording"]["coverage"][0]["absent"]], [2, 1], "reasons")


def test_mixed():
    """ops, fetches and other events in one recording stay apart"""
    events = [(perfdata.attr(), [1], "ibs_op//"),
              (perfdata.attr(perfdata.IBS_FETCH_TYPE), [2], "ibs_fetch//"),
              (perfdata.attr(1, sample_type=perfdata.SAMPLE_TYPE), [3], "cpu-clock")]
    fetch = struct.pack("<I4Q", 0xbff, 0x000700ff186a186a, 0x401040, 0x1000, 0)
    records = [perfdata.sample(perfdata.op_payload(), ident=1, ip=0x401000)] * 4
    records += [perfdata.sample(fetch, ident=2, ip=0x401040)] * 3
    records += [perfdata.sample(b"\0\0\0\0", ident=3, ip=0x401000)] * 2
    found = check(scratch("mixed", records, events=events))
    counts = found["recording"]["values"]
    equal([counts[name] for name in ("ibs_op", "ibs_fetch", "other events")], [4, 3, 2], "counts")
    equal([found[name]["rows"][0]["samples"]
           for name in ("top_instructions", "top_fetches", "top_other")], [4, 3, 2], "top")


def test_skew_is_told():
    """an L3 miss filter and a latency filter are told, and mixed period units"""
    text = run("report", "--all", recording("zen4-op_l3")).out
    assert "l3missonly" in text and "skewed" in text, text
    attr = bytearray(perfdata.attr())
    struct.pack_into("<Q", attr, 56, 256)
    path = scratch("ldlat", [perfdata.sample(perfdata.op_payload())],
                   events=[(bytes(attr), [1], "ibs_op/ldlat=256/")])
    assert "more than 256 cycles" in " ".join(report(path)["ops"]["notes"])
    path = scratch("units", [perfdata.sample(perfdata.op_payload()),
                             perfdata.sample(perfdata.op_payload(ctl=0x6b0007186a))])
    assert "1 samples by cycles and 1 by micro-ops" in " ".join(report(path)["recording"]["notes"])


def test_sort_and_top():
    """--sort orders by that latency, --top cuts the list"""
    path = recording("zen4-own-pertask")
    population = oracle.samples(good("dump", "--format", "json", "--reasons", "-F", "all", path))
    ops = [s for s in population if "op" in s]
    for order, field in (("latency", "dcache_miss_latency"), ("tlb", "tlb_refill_latency"),
                         ("retire", "tag_to_retire")):
        rows = report("--sort", order, "--top", "5", path)["top_instructions"]["rows"]
        sums = sorted((sum(numbers) for _, numbers in oracle.top_places(ops, field).values()),
                      reverse=True)
        equal([row["latency_sum"] or 0 for row in rows], sums[:5], order)
    equal(report("--top", "0", path)["top_instructions"]["rows"], [], "--top 0")


def mmap(pid, start, length, name, time=1):
    body = struct.pack("<IIQQQ", pid, pid, start, length, 0) + name + b"\0"
    body += b"\0" * (-len(body) % 8)
    return perfdata.record(1, body + struct.pack("<IIQQII", pid, pid, time, 1, 0, 0), 2)


def comm_exec(pid, time):
    return perfdata.record(3, struct.pack("<II", pid, pid) + b"new\0\0\0\0\0" +
                           struct.pack("<IIQQII", pid, pid, time, 1, 0, 0), 1 << 13)


def sample_at(pid, address, time=1000):
    return perfdata.sample(perfdata.op_payload(rip=address), pid=pid, ip=address, time=time)


def test_processes_of_one_binary_add_up():
    """instructions are merged by file and offset, before and after an exec"""
    records = [mmap(10, 0x10000, 0x4000, b"/no/such/a"), mmap(20, 0x50000, 0x4000, b"/no/such/a"),
               sample_at(10, 0x10100), sample_at(20, 0x50100), sample_at(20, 0x50100),
               sample_at(10, 0x99999), comm_exec(10, 2000),
               mmap(10, 0x10000, 0x4000, b"/no/such/b", 2001), sample_at(10, 0x10100, 3000)]
    found = json.loads(run("report", "--format", "json", scratch("merged", records)).out)
    places = [(row["samples"], row["object"], row["offset"]) for row in
              found["top_instructions"]["rows"]]
    equal(places[0], (3, "/no/such/a", "0x100"), "merged")
    equal(sorted(places[1:], key=str), [(1, "/no/such/b", "0x100"), (1, None, None)], "others")


def check_bounds(top, truth, weight="samples"):
    """Each row: what it says, and at most "missed" more, is the truth; the others have no more than
    the note says; and that is less than 1 of 24576"""
    bound = re.search(r"no place that is not counted has more than (\d+) of the (\d+) (\w+)",
                      " ".join(top["notes"]))
    floor, total = int(bound[1]), int(bound[2])
    equal((total, bound[3]), (sum(truth.values()), "samples" if weight == "samples" else "cycles"))
    assert floor * 24576 <= total, bound[0]
    listed = set()
    for row in top["rows"]:
        address = int(row["address"], 16)
        listed.add(address)
        assert row[weight] <= truth[address] <= row[weight] + row["missed_most"], row
        assert row["missed_most"] <= floor, row
    assert max((truth[address] for address in truth if address not in listed), default=0) <= floor
    return floor


def test_more_places_than_fit():
    """samples at more places than there is room for: what is heavy is listed, with a bound"""
    count = 120000
    records = [sample_at(10, 0x400000 + 8 * n) for n in range(count)]
    records += [sample_at(10, 0x400000)] * 9
    path = scratch("places", records)
    top = report("--top", "100000", path)["top_instructions"]
    truth = {0x400000 + 8 * n: 1 for n in range(count)}
    truth[0x400000] += 9
    check_bounds(top, truth)
    equal(int(top["rows"][0]["address"], 16), 0x400000, "the first")
    assert top["rows"][0]["samples"] in (9, 10), top["rows"][0]
    equal(top["rows"][0]["share"]["n"], count + 9, "of all")
    assert "missed<=" in good("report", "--all", path)
    csv_text = good("report", "--format", "csv", path)
    assert "top_instructions,1,missed_most," in csv_text


def test_hottest_comes_last():
    """60 000 addresses once each, then 300 000 samples at one: it stands first, with 83 %"""
    records = [sample_at(10, 0x400000 + 8 * n) for n in range(60000)]
    records += [sample_at(10, 0x10000)] * 300000
    top = report("--top", "1", scratch("hottest", records))["top_instructions"]
    row = top["rows"][0]
    equal((row["address"], row["samples"]), ("0x10000", 300000))
    assert row["missed_most"] <= 360000 // 24576, row
    equal(round(row["share"]["value"], 2), 0.83)


def test_heavy_by_latency():
    """--sort latency: what has the cycles is kept, however few samples it has"""
    records, truth = [], collections.Counter()
    for n in range(120000):
        address, cycles = 0x400000 + 8 * n, 20
        if n % 1000 == 999:
            address, cycles = 0x10000, 40000
        data3 = 0x901961cd60085 & ~(0xffff << 32) | cycles << 32
        records.append(perfdata.sample(perfdata.op_payload(rip=address, data3=data3), pid=10,
                                       ip=address, time=1000))
        truth[address] += cycles
    top = report("--sort", "latency", "--top", "100000", scratch("cycles", records))
    check_bounds(top["top_instructions"], truth, "latency_sum")
    row = top["top_instructions"]["rows"][0]
    equal((row["address"], row["samples"]), ("0x10000", 120))


def test_exact_tables_have_no_bound():
    """as long as there is room nothing is missed, and nothing is said of it"""
    top = report(recording("zen4-op"))["top_instructions"]
    assert not any("missed_most" in row for row in top["rows"])
    assert "missed" not in " ".join(top["notes"])


def test_text():
    """text fits 100 columns, the summary a screen; colour only where asked for"""
    for name in NAMES:
        text = good("report", "--all", recording(name))
        lines = [line for line in text.splitlines() if recording(name) not in line]
        assert max(map(len, lines)) <= 100, name
        assert "\033" not in text
        equal(re.sub(r"\033\[[0-9]*m", "", good("report", "--all", "--colour", "always", recording(name))),
              text, "colour")
    long = os.path.join(SCRATCH.name, *["d" * 60] * 6, "a file")
    os.makedirs(os.path.dirname(long))
    shutil.copy(recording("zen4-freq"), long)
    assert long in good("report", "--all", long).replace("\n" + " " * 13, " "), "a long path is cut"
    text = good("report", "--sections", "recording,summary,losses", recording("zen4-own-pertask"))
    assert text.index("\nLosses\n") < len("\n".join(text.split("\n")[:50])), text


def test_formats_agree():
    """csv has each figure of json"""
    path = recording("zen4-own-pertask")
    lines = list(csv.reader(io.StringIO(good("report", "--format", "csv", "--no-symbols", path))))
    equal(lines[0], ["section", "row", "column", "value", "n", "low", "high"], "header")
    figures = {tuple(line[:3]): line[3:] for line in lines[1:]}
    for name, table in report(path).items():
        if name in ("precis", "recording", "findings"): # those of findings: test_report_findings.py
            continue
        for row in table["rows"]:
            for column, value in row.items():
                if column == "row":
                    continue
                line = figures[(name, row["row"], column)]
                if value is None:
                    equal(line[0], "", name)
                elif "what" in (value if isinstance(value, dict) else {}):
                    equal(line, [value["what"], str(value["n"]), "", ""], name)
                elif isinstance(value, dict):
                    equal([float(cell) for cell in line],
                          [value["value"], value["n"], value["low"], value["high"]], name)
                else:
                    equal(type(value)(line[0]), value, name)
        for entry in table["coverage"]:
            equal(figures[(name, entry["field"], "present")][:2],
                  [str(entry["present"]), str(entry["of"])], name)


def test_usage():
    """wrong calls are told from wrong files"""
    assert "expected one of text, json, csv" in usage("report", "--format", "xml")
    assert "expected one of samples" in usage("report", "--sort", "age")
    assert "--top" in usage("report", "--top", "-1")
    assert "--colour" in usage("report", "--colour", "red")
    assert "found also" in usage("dump", "a", "b")
    equal(run("report", os.path.join(SCRATCH.name, "none")).code, 1, "no file")
    path = recording("zen4-fetch")
    equal(run("report", "-o", "/no/such/directory/file", path).code, 1, "no directory")
    target = os.path.join(SCRATCH.name, "out")
    good("report", "-o", target, path)
    with open(target) as file:
        equal(file.read(), good("report", path), "-o")


def test_truncated():
    """what stands before the break is reported, with exit code 1"""
    path = os.path.join(SCRATCH.name, "truncated")
    with open(recording("zen4-freq"), "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(data[:len(data) // 2])
    result = run("report", "--format", "json", path)
    equal(result.code, 1, "exit code")
    assert json.loads(result.out)["recording"]["values"]["samples"] > 100, result
    assert "offset" in result.err, result


def test_truncated_soon():
    """Where nothing but samples is behind the first one all are counted once it is known what they are; told once"""
    with open(recording("zen4-freq"), "rb") as file:
        data = file.read()
    at, left = struct.unpack_from("<Q", data, 40)[0], 3
    while left:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        at += size
        left -= kind == perfdata.RECORD_SAMPLE
    path = os.path.join(SCRATCH.name, "soon")
    with open(path, "wb") as file:
        file.write(data[:at + 20])
    for key in ("symbol", "comm", "level"):
        result = run("report", "--by", key, "--format", "json", path)
        equal((result.code, result.err.count("truncated")), (1, 1), result.err)
        rows = json.loads(result.out)["by_ops"]["rows"]
        equal(sum(row["samples"] for row in rows if row["row"] != "rest"), 3, key)


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
