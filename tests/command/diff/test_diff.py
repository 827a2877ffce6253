#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis diff: what differs, how sure that is, and what cannot be compared."""
import json
import math
import os
import random
import statistics
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../report"))

import built
import page_faults
import perfdata
import tap
import test_report_pebs as pebs
from command import good, recording, run, usage
from tap import equal

SCRATCH = tempfile.TemporaryDirectory()
SEEDS = 100
LATENCY = 0xffff << 32
DATA3 = 0x901961cd60085
DRAM, L2 = 3, 0 # of DataSrc


def there(name):
    return os.path.join(SCRATCH.name, name)


def diff(*arguments):
    done = run("diff", "--format", "json", *arguments)
    equal(done.code, 0, done)
    return {name: table for name, table in json.loads(done.out).items()
            if name.startswith("diff_")}


def rows(table):
    return {row["row"]: row for row in table["rows"]}


def load(cycles, hits_l2=False):
    """A load that missed the L1"""
    data3 = DATA3 & ~LATENCY | cycles << 32
    return perfdata.op_payload(data2=0 if hits_l2 else 3,
                               data3=data3 & ~(1 << 20) if hits_l2 else data3)


def made(name, samples, attr=None, cpuid=perfdata.ZEN4, more=(), version=None):
    """samples: pairs of a payload and a thread; more: further records"""
    path = there(name)
    records = [perfdata.sample(payload, tid=tid, time=10**9 + n)
               for n, (payload, tid) in enumerate(samples)] + list(more)
    events = [(attr or perfdata.attr(), [1], "ibs_op//")]
    features = {**(version or {}), perfdata.CPUID: perfdata.string(cpuid), perfdata.EVENT_DESC: perfdata.event_desc(events),
                perfdata.PMU_MAPPINGS: perfdata.pmu_mappings([(perfdata.IBS_OP_TYPE, "ibs_op")])}
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(records, events, features))
    return path


# --- the figures ---

def score_ends(k, n, z):
    """Of a share, with continuity correction: roots of (|k/n - p| - 1/2n)^2 = z^2 p (1 - p) / n"""
    def root(share, sign):
        a, b = 1 + z * z / n, -(2 * share + z * z / n)
        return (-b + sign * math.sqrt(max(0, b * b - 4 * a * share * share))) / (2 * a)
    return (root((k - 0.5) / n, -1) if k else 0, root((k + 0.5) / n, 1) if k < n else 1)


def square_and_add(before, ends_before, after, ends_after):
    return (after - before - math.hypot(after - ends_after[0], ends_before[1] - before),
            after - before + math.hypot(ends_after[1] - after, before - ends_before[0]))


def near(found, expected):
    return abs(found - expected) <= 2e-6 * max(1, abs(expected))


def test_figures():
    """shares and their difference, by the formulas"""
    before = made("f-before", [(load(100), 1)] * 120 + [(load(100), 2)] * 80)
    after = made("f-after", [(load(100), 1)] * 30 + [(load(100), 2)] * 170)
    table = diff("--by", "tid", "--columns", "share", "--level", "90", before, after)["diff_ops"]
    found = rows(table)
    equal(set(found), {"1/share", "2/share"})
    z = statistics.NormalDist().inv_cdf(1 - 0.1 / 2 / 2) # two figures are compared
    for row in found.values():
        k = {1: (120, 30), 2: (80, 170)}[row["tid"]]
        wanted = square_and_add(k[0] / 200, score_ends(k[0], 200, z),
                                k[1] / 200, score_ends(k[1], 200, z))
        equal((row["before"], row["after"]), (k[0] / 200, k[1] / 200))
        assert near(row["difference"], (k[1] - k[0]) / 200), row
        assert near(row["difference_low"], wanted[0]) and near(row["difference_high"], wanted[1]), \
            (row, wanted)
        equal(row["verdict"], "less" if k[1] < k[0] else "more")
    text = good("diff", "--by", "tid", "--columns", "share", before, after)
    assert "+45.00% [" in text and "60.00%" in text and "hold together with 95%" in text, text


def test_verdicts():
    """better is fewer events, shorter latencies, more from the L1, less from DRAM"""
    before = made("v-before", [(load(400), 1)] * 300 + [(load(30, True), 1)] * 100)
    after = made("v-after", [(load(60), 1)] * 40 + [(load(30, True), 1)] * 160)
    columns = "events,share,mean,median,DRAM,l2_miss"
    found = rows(diff("--columns", columns, before, after)["diff_ops"])
    equal({name: row["verdict"] for name, row in found.items()},
          {"all/events": "better", "all/mean": "better", "all/median": "better",
           "all/DRAM": "better", "all/l2_miss": "better"})
    equal((found["all/events"]["before"], found["all/events"]["after"]), (40e6, 20e6))
    equal((found["all/median"]["before"], found["all/median"]["after"]), (400, 30))
    found = rows(diff("--columns", columns, after, before)["diff_ops"])
    equal({row["verdict"] for row in found.values()}, {"worse"})


def test_losses():
    """fewer events are no better where samples were lost or none were taken; shares are compared"""
    trailer = struct.pack("<IIQQII", 100, 101, 2 * 10**9, 1, 0, 0)
    lost = perfdata.record(perfdata.RECORD_LOST, struct.pack("<QQ", 1, 600) + trailer)
    throttled = perfdata.record(perfdata.RECORD_THROTTLE, struct.pack("<QQQ", 2 * 10**9, 1, 1) + trailer)
    whole = made("l-whole", [(load(400), 1)] * 700 + [(load(30, True), 2)] * 300)
    ends = perfdata.record(perfdata.RECORD_UNTHROTTLE, struct.pack("<QQQ", 3 * 10**9, 1, 1) +
                           struct.pack("<IIQQII", 100, 101, 3 * 10**9, 1, 0, 0))
    for records, words in (([lost], ["600 samples were lost"]),
                           ([throttled, ends], ["sampling was throttled 1 times, 1000.0 ms"]),
                           ([throttled], ["sampling was throttled 1 times, how long is not known"]),
                           ([lost, throttled, ends], ["600 samples were lost",
                                                      "sampling was throttled 1 times, 1000.0 ms"])):
        less = made("l-less", [(load(400), 1)] * 100 + [(load(30, True), 2)] * 300, more=records)
        for side, pair in (("after", (whole, less)), ("before", (less, whole))):
            table = diff("--by", "tid", "--columns", "events,DRAM,share", *pair)["diff_ops"]
            found = [row for row in table["rows"] if row["figure"] == "events"]
            equal({row["verdict"] for row in found}, {"samples lost"})
            equal({row["difference_low"] for row in found}, {None})
            equal(len(found), 3)
            equal(rows(table)["all/DRAM"]["verdict"], "better" if side == "after" else "worse")
            equal([note for note in table["notes"] if note.startswith(("before:", "after:"))],
                  ["%s: %s" % (side, word) for word in words])
            assert any(note.startswith("events have no verdict") for note in table["notes"]), table["notes"]
    again = made("l-again", [(load(400), 1)] * 700 + [(load(30, True), 2)] * 300)
    table = diff("--columns", "events", whole, again)["diff_ops"]
    equal(rows(table)["all/events"]["verdict"], "undecided")


def counting_attr(flags=0):
    """Of an event that counts what is lost of it, as perf record has it since 6.1"""
    attr = bytearray(perfdata.attr())
    struct.pack_into("<Q", attr, 32, 1 << 4 | 1 << 2)  # LOST, ID
    struct.pack_into("<Q", attr, 40, perfdata.SAMPLE_ID_ALL | flags)
    return bytes(attr)


def counted(count):
    """As perf record appends it: no time, no CPU, no thread"""
    return perfdata.record(perfdata.RECORD_LOST_SAMPLES, struct.pack("<QIIQQII", count, 100, 101, 0, 1, 0, 0))


def test_bounded_losses():
    """where all that was lost is counted events may be more by a period each: a verdict that stands is one"""
    period, frequency = 100000, 1 << 10
    version = {perfdata.VERSION: b"\x40\0\0\0" + b"6.1".ljust(64, b"\0")}
    throttled = perfdata.record(perfdata.RECORD_THROTTLE, struct.pack(
        "<QQQIIQQII", 2 * 10**9, 1, 1, 100, 101, 2 * 10**9, 1, 0, 0))
    whole = made("b-whole", [(load(400), 1)] * 700 + [(load(400), 2)] * 300)

    def less(more, flags=0):
        return made("b-less%d" % len(more), [(load(400), 1)] * 100 + [(load(400), 2)] * 300,
                    counting_attr(flags), more=more, version=version)

    def events(*pair, options=()):
        table = diff("--by", "tid", "--columns", "events", *options, *pair)["diff_ops"]
        return {row["row"]: (row["verdict"], row["difference_low"], row["difference_high"])
                for row in table["rows"]}, table["notes"]

    none, _ = events(whole, less([]))
    equal(none["all/events"][0], "better")
    some, notes = events(whole, less([counted(100)]))
    for row, (_, low, high) in none.items(): # any row may have had all that was lost
        equal(some[row][1], low, row)
        assert near(some[row][2], high + 100 * period), (row, high, some[row])
    equal({row: verdict for row, (verdict, _, _) in some.items()},
          {"all/events": "better", "1/events": "better", "2/events": "undecided"})
    assert "after: 100 samples were lost" in notes and any("wider" in note for note in notes), notes
    back, _ = events(less([counted(100)]), whole)
    equal(back["all/events"][0], "worse")
    assert near(back["all/events"][1], -some["all/events"][2]) and \
        near(back["all/events"][2], -some["all/events"][1]), (back, some)
    many, _ = events(whole, less([counted(700)]))
    equal({verdict for verdict, _, _ in many.values()}, {"undecided"})
    runs, _ = events(whole, copied(whole, "again"), less([counted(100)]), copied(less([]), "too"), options=("--runs", "2"))
    alone, _ = events(whole, copied(whole, "again"), copied(less([]), "too"), less([]), options=("--runs", "2"))
    assert near(runs["all/events"][2], alone["all/events"][2] + 50 * period), (runs, alone)
    for more, flags in (([counted(100), throttled], 0), ([counted(100)], frequency)):
        found, notes = events(whole, less(more, flags))
        equal({verdict for verdict, _, _ in found.values()}, {"samples lost"})
        assert any(note.startswith("events have no verdict") for note in notes), notes


def test_lost_seeds():
    """of pairs of one kind of run intervals of events hold no difference, whichever samples one has lost"""
    source, compared, outside, verdicts = random.Random(20261125), 0, 0, 0
    version = {perfdata.VERSION: b"\x40\0\0\0" + b"6.1".ljust(64, b"\0")}

    def of_thread(mean):
        """Samples of a time in which so many are expected"""
        count, at = 0, source.expovariate(mean)
        while at < 1:
            count, at = count + 1, at + source.expovariate(mean)
        return count

    for seed in range(SEEDS):
        pair, left = [], []
        for side in range(2):
            kept = [of_thread(300), of_thread(100)]
            lost = [0, 0]
            if side == seed % 2: # all in one thread, the larger or the smaller one
                of = seed // 2 % 2
                lost[of] = sum(source.random() < 0.25 for _ in range(kept[of]))
            left.append([count - gone for count, gone in zip(kept, lost)])
            pair.append(made("x%d" % side, [(load(100), tid + 1) for tid in range(2) for _ in range(left[-1][tid])],
                             counting_attr(), more=[counted(sum(lost))] if sum(lost) else [], version=version))
        for row in diff("--by", "tid", "--columns", "events", *pair)["diff_ops"]["rows"]:
            compared += 1
            outside += not row["difference_low"] <= 0 <= row["difference_high"]
            verdicts += row["verdict"] != "undecided"
    print("# %d of %d intervals without 0, %d verdicts" % (outside, compared, verdicts))
    assert compared == 3 * SEEDS and outside <= 5 * compared / 100 and verdicts <= 5 * SEEDS / 100, (outside, verdicts)


def copied(path, name):
    with open(path, "rb") as file, open(path + name, "wb") as copy:
        copy.write(file.read())
    return path + name


def test_means():
    """of one figure the ends are those of precis report, by the formula"""
    source = random.Random(5)
    paths = [made("m%d" % n, [(load(int(middle * math.exp(0.5 * source.gauss(0, 1)))), 1)
                              for _ in range(300)]) for n, middle in enumerate((300, 200))]
    row, = diff("--columns", "mean", *paths)["diff_ops"]["rows"]
    sides = [json.loads(good("report", "--format", "json", "--by", "tid", "--columns", "mean",
                             path))["by_ops"]["rows"][0] for path in paths]
    ends = [(side["mean_low"], side["mean_high"]) for side in sides]
    wanted = square_and_add(sides[0]["mean"], ends[0], sides[1]["mean"], ends[1])
    assert near(row["before"], sides[0]["mean"]) and near(row["after"], sides[1]["mean"]), row
    assert near(row["difference_low"], wanted[0]) and near(row["difference_high"], wanted[1]), row
    equal(row["verdict"], "better")


def test_new_rows():
    """a row of one side alone: no samples are none, not unknown"""
    before = made("n-before", [(load(100), 1)] * 200)
    after = made("n-after", [(load(100), 1)] * 150 + [(load(100), 2)] * 50)
    found = [row for row in diff("--by", "tid", before, after)["diff_ops"]["rows"]
             if row.get("tid") == 2]
    told = {row["figure"]: row for row in found}
    equal((told["share"]["before"], told["share"]["verdict"]), (0, "more"))
    equal((told["events"]["before"], told["events"]["verdict"]), (0, "worse"))
    assert "median" not in told, told


# --- how often it is right ---

def drawn(name, source, share, middle):
    samples = []
    for _ in range(400):
        is_in = source.random() < share
        cycles = max(1, int(middle * math.exp(0.6 * source.gauss(0, 1))))
        samples.append((load(cycles), 1 if is_in else source.randrange(2, 12)))
    return made(name, samples)


def test_seeds():
    """of 100 pairs of one kind of run at most 5 have any verdict; of two kinds 95 have the right one"""
    source, wrong, right = random.Random(20261123), 0, 0
    for _ in range(SEEDS):
        first, second = (drawn(name, source, 0.4, 200) for name in ("s-a", "s-b"))
        other = drawn("s-c", source, 0.6, 100)
        columns = ("--by", "tid", "--columns", "events,share,cycle_share,mean,median")
        verdicts = {row["verdict"] for row in diff(*columns, first, second)["diff_ops"]["rows"]}
        wrong += not verdicts <= {"undecided", "too few samples"}
        table = diff("--by", "tid", "--columns", "share,mean,median", first, other)["diff_ops"]
        of_one = {row["figure"]: row["verdict"] for row in table["rows"] if row.get("tid") == 1}
        every = [rows(table)["all/" + name]["verdict"] for name in ("mean", "median")]
        right += (of_one["share"], *every) == ("more", "better", "better")
    print("# %d false, %d right of %d" % (wrong, right, SEEDS))
    assert wrong <= 5 * SEEDS / 100 and right >= 95 * SEEDS / 100, (wrong, right)


def test_runs():
    """runs that differ decide nothing that one of each would"""
    shares = (0.3, 0.5, 0.7, 0.45, 0.65, 0.75)
    paths = [made("r%d" % n, [(load(100), 1)] * int(4000 * share) +
                  [(load(100), 2)] * (4000 - int(4000 * share))) for n, share in enumerate(shares)]
    one = rows(diff("--by", "tid", "--columns", "share", paths[0], paths[3])["diff_ops"])
    equal({row["verdict"] for row in one.values()}, {"more", "less"})
    table = diff("--by", "tid", "--columns", "share", "--runs", "3", *paths)["diff_ops"]
    equal({row["verdict"] for row in table["rows"]}, {"undecided"})
    first = [row for row in table["rows"] if row["tid"] == 1][0]
    assert near(first["before"], 0.5) and near(first["after"], sum(shares[3:]) / 3), first
    assert any("3 runs of each" in note for note in table["notes"]), table["notes"]
    steady = [made("t%d" % n, [(load(100), 1)] * (1000 + 3000 * (n > 2) + n) + [(load(100), 2)] * 4000)
              for n in range(6)]
    table = diff("--by", "tid", "--columns", "share", "--runs", "3", *steady)["diff_ops"]
    equal({row["verdict"] for row in table["rows"]}, {"more", "less"})


def test_others():
    """each further recording is compared with the first"""
    paths = [made("o%d" % n, [(load(100), 1)] * (100 + 300 * n) + [(load(100), 2)] * 100)
             for n in range(3)]
    found = diff("--by", "tid", "--columns", "share", *paths)
    equal(sorted(found), ["diff_ops_1", "diff_ops_2"])
    for name, after in (("diff_ops_1", 0.8), ("diff_ops_2", 0.875)):
        row = [row for row in found[name]["rows"] if row["tid"] == 1][0]
        equal((row["before"], row["after"]), (0.5, after))


PROGRAM = r"""
#include <sys/mman.h>
#ifdef SECOND
__attribute__((noinline)) int moved(int n) { return n * n + 3 * n; }
#endif
__attribute__((noinline)) static void touch(int pages)
{
	for (int n = 0; n < pages; n++)
		*(volatile char *)mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
}
__attribute__((noinline)) void steady(void) { touch(300); __asm__ volatile(""); }
__attribute__((noinline)) void mended(void)
{
	for (int n = 0; n < PAGES; n++)
		*(volatile char *)mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
}
int main(void) { steady(); mended(); return 0; }
"""


def test_builds():
    """functions of two builds match by name, wherever they are"""
    built.need("elfutils")
    paths = [page_faults.recorded(there(name), PROGRAM, *flags) for name, flags in
             (("one", ["-DPAGES=2000"]), ("two", ["-DPAGES=500", "-DSECOND"]))]
    # what did not differ comes last
    table = diff("--by", "symbol", "--columns", "events", "--top", "1000", *paths)["diff_other"]
    told = {row["symbol"]: row for row in table["rows"] if row["row"] != "all/events"}
    mended = told["mended"]
    assert 2000 <= mended["before"] <= 2005 and 500 <= mended["after"] <= 505, mended
    equal(mended["verdict"], "better")
    same = told.get("touch", told.get("steady"))
    equal(same["verdict"], "undecided")


# --- what is refused ---

def refused(*arguments):
    done = run("diff", *arguments)
    equal((done.code, done.out), (1, ""), done)
    return done.err


def test_refused():
    """other events, filters, CPUs; a side that is not there"""
    one = made("x-one", [(load(100), 1)] * 50)
    by_cycles = perfdata.op_payload(ctl=0x6b0007186a) # as its own payloads say, too
    ops = made("x-ops", [(by_cycles, 1)] * 50, perfdata.attr(config=0))
    assert "cnt_ctl: by cycles and by micro-ops\n" in refused(one, ops)
    for name, config, config1, says in (("x-l3", perfdata.COUNTS_OPS | 1 << 16, 0,
                                         "l3missonly: only L3 misses and all ops\n"),
                                        ("x-lat", perfdata.COUNTS_OPS, 128, "ldlat: 128 and 0\n"),
                                        ("x-two", 1 << 16, 256, "cnt_ctl: by cycles and by micro-ops; l3missonly: "
                                         "only L3 misses and all ops; ldlat: 256 and 0\n"),
                                        ("x-odd", perfdata.COUNTS_OPS | 1 << 40, 0,
                                         "config: 0x10000080000 and 0x80000, config1: 0x0 and 0x0\n")):
        attr = bytearray(perfdata.attr(config=config))
        attr[56:64] = struct.pack("<Q", config1)
        said = refused(one, made(name, [(load(100), 1)] * 50, bytes(attr)))
        assert said.endswith(says), said
    assert "x-ops cannot be compared with " in refused(one, ops)
    other = made("x-cpu", [(load(100), 1)] * 50, cpuid="AuthenticAMD,25,1,1")
    said = refused(one, other)
    assert "different CPUs, AMD family 19h model 1h stepping 1h and AMD family 19h model 11h stepping 1h" in said, said
    for config, says in ((pebs.MEM_LOADS, "ldlat: 128 and 30\n"), # another event's config1 is no latency
                         (0x1b7, "config: 0x1b7 and 0x1b7, config1: 0x80 and 0x1e\n")):
        first, second = (pebs.recording("x-%d" % ldlat, [pebs.sample(1, pebs.words())] * 9,
                                        [(pebs.event(config, ldlat=ldlat), "loads")], pebs.SKYLAKE)
                         for ldlat in (30, 128))
        said = refused(first, second)
        assert said.endswith(says), said
    said = refused(one, recording("spr-loads"))
    assert "they have no event in common: " in said and said.endswith("; and ibs_op//\n"), said
    again = made("x-again", [(load(100), 2)] * 50)
    assert "it has no sample that was chosen" in refused("--filter", "tid == 1", one, again)
    assert "the latter has no sample that was chosen" in refused("--filter", "tid == 2", one, again)
    assert "not complete" in refused(one, there("missing"))


def test_usage():
    """wrong numbers of recordings, and figures that have no interval"""
    one, two = (made("u%d" % n, [(load(100), n)] * 50) for n in (1, 2))
    three = made("u3", [(load(100), 3)] * 50)
    for words, says in (((one,), "expected two recordings or more"),
                        (("--runs", "2", one, two, three), "(2); found 3"),
                        (("--runs", "0", one, two), "expected 1 or more"),
                        (("--level", "20", one, two), "expected 50 to 99"),
                        (("--columns", "max", one, two), "'max' has no interval"),
                        (("--by", "tid", "--sort", "samples", one, two), "'samples' has no interval"),
                        ((one, one), "the same file")):
        said = usage("diff", *words)
        assert says in said, (words, said)
    assert "unknown" in usage("report", "--runs", "2", one)
    text = good("diff", one, two)
    assert "one run of each" in text and "undecided" in text, text
    equal(run("diff", "--jobs", "2", "--by", "tid", one, two).out,
          run("diff", "--by", "tid", one, two).out)
    assert "figure" in good("diff", "--format", "csv", one, two)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
