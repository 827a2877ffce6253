#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by: rows of whatever tells samples apart, as sums of what precis dump and perf script
print of each sample have it.
"""
import collections
import csv
import glob
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import oracle
import page_faults
import perfdata
import tap
from command import SHARED, good, kib_of, recording, run, usage
from oracle import Number, weight_of
from quick import QUICK
from tap import Skip, equal

PERF = os.environ.get("PERF", "")
SCRATCH = tempfile.TemporaryDirectory()
RECORDINGS = ("zen4-mix-op", "zen4-freq", "zen4-mix-fetch", "zen4-op_l3", "skylake-mix-loads",
              "spr-mix-loads", "skylake-loads_phys")
ALL = ("--top", "1000000", "--format", "json")
KINDS = {"by_ops": oracle.is_op, "by_fetches": oracle.is_fetch, "by_pebs": oracle.is_pebs}
LATENCY = {"by_ops": "dcache_miss_latency", "by_fetches": "fetch_latency"}
FIGURES = ("samples", "share", "cycles", "cycle_share", "n", "mean", "median", "p95", "p99", "max",
           "L1", "DRAM", "remote", "tlb_miss", "dcache_miss")


def there(name):
    return os.path.join(SCRATCH.name, name)


def report(*arguments):
    found = json.loads(run("report", *ALL, *arguments).out)
    return {name: table for name, table in found.items() if name.startswith("by_")}


def rows(table, *keys):
    """By the values of keys, those at the end of the list being absent: the row"""
    return {tuple(row[key] for key in keys): row for row in table["rows"]
            if not row["row"].endswith("rest")}


# --- from precis dump ---

def dumped(path):
    """What is undecodable is of another table"""
    return oracle.samples(good("dump", "--format", "json", "--reasons", "-F", "all,dso", path))


def flag(samples, field, is_so, unknown=()):
    known = [s for s in samples if field in s and s[field] not in unknown]
    return oracle.share([s for s in known if is_so(s[field])], known)


def cycles_of(samples, field):
    """Each number weighs what it adds to the sum"""
    weighed = [(s[field], weight_of(s) or 1) for s in samples if field in s]
    return [Number(1, value * weight) for value, weight in weighed if value]


def share_of_sum(part, whole):
    """All or nothing of it has no interval"""
    if not whole.n:
        return None
    told = whole.share_of(part)
    return told if 0 < len(part) < whole.n else {**told, "low": None, "high": None}


class Population:
    """What the rows of a table are parts of"""
    def __init__(self, samples, field):
        weights = {weight_of(sample) for sample in samples}
        self.field, self.samples = field, oracle.Whole(samples)
        self.cycles = oracle.Whole(cycles_of(samples, field))
        self.unit = 1 if len(weights) > 1 else min(weights) or 1


def expected(samples, population):
    field = population.field
    numbers, cycles = oracle.values(samples, field), cycles_of(samples, field)
    latency = oracle.latency(numbers)
    figures = {
        "samples": len(samples), "share": population.samples.share_of(samples),
        "cycles": sum(map(weight_of, cycles)) // population.unit if numbers else None,
        "cycle_share": share_of_sum(cycles, population.cycles) if numbers else None,
        "n": len(numbers),
        "L1": flag(samples, "mem_level", lambda level: level == "L1"),
        "DRAM": flag(samples, "mem_level", lambda level: level == "DRAM"),
        "remote": flag(samples, "mem_remote", lambda remote: remote != "local"),
        "tlb_miss": flag(samples, "tlb_level", lambda level: level != "L1", ("L1_or_L2",)),
        "dcache_miss": flag(samples, "dcache_miss", bool),
    }
    for name in ("mean", "median", "p95", "p99", "max"):
        figures[name] = latency["latency_" + name]
        for end in ("_low", "_high"):
            if "latency_" + name + end in latency:
                figures[name + end] = latency["latency_" + name + end]
    return figures


def same(found, wanted):
    if isinstance(wanted, dict):
        return found is not None and all(same(found.get(name), value)
                                         for name, value in wanted.items())
    if isinstance(wanted, float) or isinstance(found, float):
        return wanted is not None and found is not None and \
            abs(found - wanted) <= 2e-6 * max(1, abs(wanted))
    return found == wanted


def without_ends(figures):
    """of samples that are in step with a loop: values alone"""
    return {name: None if name.endswith(("_low", "_high")) else
            {**value, "low": None, "high": None} if isinstance(value, dict) else value
            for name, value in figures.items()}


def check_row(row, wanted, where):
    for name, value in wanted.items():
        assert same(row[name], value), "%s, %s: %r, expected %r" % (where, name, row[name], value)


def check_keys(path, found, samples, value_of, *names):
    """value_of: the values of a sample's keys, None where it lacks one"""
    compared = 0
    for name, is_of in KINDS.items():
        if name not in found:
            continue
        whole = [s for s in samples if is_of(s)]
        field = LATENCY.get(name)
        if not field:
            fields = [f for f in ("load_latency", "cache_latency") if any(f in s for s in whole)]
            field = fields[0] if fields else "load_latency"
        population = Population(whole, field)
        groups = collections.defaultdict(list)
        for sample in whole:
            groups[value_of(sample)].append(sample)
        told = rows(found[name], *names)
        equal(set(told), set(groups), "%s by %s" % (path, names))
        for key, group in groups.items():
            wanted = expected(group, population)
            if (told[key]["share"] or {}).get("no_interval") == "in step":
                wanted = without_ends(wanted)
            if all(sample.get("l3_miss_only") for sample in whole): # the hardware kept no others
                wanted["dcache_miss"] = without_ends({"": wanted["dcache_miss"]})[""]
            check_row(told[key], wanted, "%s, %r" % (path, key))
            compared += 1
    return compared


def column(name, value_of=None):
    return lambda sample: (value_of(sample) if value_of else sample.get(name),)


def hexadecimal(name, mask):
    def value_of(sample):
        return "0x%x" % (int(sample[name], 16) & mask) if name in sample else None
    return value_of


KEYS = {
    "cpu": column("cpu"), "pid": column("pid"), "tid": column("tid"), "op": column("op"),
    "mem_level": column("mem_level"), "tlb_level": column("tlb_level"),
    "access_bytes": column("access_bytes"),
    "page": column("page", hexadecimal("addr", ~4095)),
    "cache_line": column("cache_line", hexadecimal("addr", ~63)),
    "dso": column("dso", lambda sample: sample.get("dso")),
}


def test_keys():
    """rows of fields, pages and files: all figures, from the lines of precis dump"""
    compared = 0
    for name in RECORDINGS:
        path = recording(name)
        samples = dumped(path)
        for key, value_of in KEYS.items():
            found = report("--no-symbols", "--by", key, "--columns", ",".join(FIGURES), path)
            compared += check_keys(path, found, samples, value_of, key)
    print("# %d rows" % compared)
    assert compared > 500, compared


def test_nested():
    """rows in rows: of several keys each depth has all that is in it"""
    path = recording("zen4-mix-op")
    samples = dumped(path)
    found = report("--no-symbols", "--by", "tid,op,mem_level", "--columns", ",".join(FIGURES), path)
    table = found["by_ops"]
    every = [row["row"].count(".") for row in table["rows"]]
    equal(set(every), {0, 1, 2})
    for depth, names in enumerate((("tid",), ("tid", "op"), ("tid", "op", "mem_level"))):
        part = {"by_ops": {"rows": [row for row in table["rows"] if row["row"].count(".") == depth]}}
        check_keys(path, part, samples, lambda s, names=names: tuple(map(s.get, names)), *names)


def test_reasons():
    """samples that lack a key have a row that says why"""
    table = report("--no-symbols", "--by", "level", recording("zen4-mix-op"))["by_ops"]
    row = [row for row in table["rows"] if row["mem_level"] is None][0]
    equal(row["mem_level_reason"], "NOT_APPLICABLE")
    table = report("--no-symbols", "--by", "cgroup", recording("zen4-mix-op"))["by_ops"]
    equal([row["cgroup_reason"] for row in table["rows"]], ["NOT_CAPTURED"])


def test_rest():
    """what is not listed is one row, of each depth"""
    path = recording("zen4-mix-op")
    found = json.loads(good("report", "--no-symbols", "--format", "json", "--top", "2", "--by",
                            "op,mem_level", path))["by_ops"]["rows"]
    whole = report("--no-symbols", "--by", "op,mem_level", path)["by_ops"]["rows"]
    outer = [row for row in whole if "." not in row["row"]]
    shown = {row["row"]: row for row in found}
    equal(shown["rest"]["samples"], sum(row["samples"] for row in outer[2:]))
    equal(shown["rest"]["n"], sum(row["n"] for row in outer[2:]))
    equal((shown["rest"]["median"], shown["1.rest"]["op"]), (None, shown["1"]["op"]))
    equal(shown["1.rest"]["samples"] + shown["1.1"]["samples"] + shown["1.2"]["samples"],
          shown["1"]["samples"])
    text = good("report", "--no-symbols", "--top", "2", "--by", "op", path)
    assert "(%d others)" % (len(outer) - 2) in text, text


def test_order():
    """--sort: by any column, those of which nothing is known last"""
    for name in ("samples", "cycle_share", "mean", "p99", "max", "DRAM"):
        table = report("--no-symbols", "--by", "instruction", "--columns",
                       "samples,cycle_share,mean,p99,max,DRAM", "--sort", name,
                       recording("zen4-mix-op"))["by_ops"]
        found = [row[name] for row in table["rows"]]
        found = [value["value"] if isinstance(value, dict) else value for value in found]
        known = [value for value in found if value is not None]
        equal(found[:len(known)], sorted(known, reverse=True), name)
        assert len(known) > 3, name


def test_latency():
    """--latency: another one than the usual; of events that lack it none"""
    path = recording("zen4-mix-op")
    samples = [s for s in dumped(path) if oracle.is_op(s)]
    table = report("--no-symbols", "--by", "op", "--latency", "tag_to_retire", path)["by_ops"]
    for row in table["rows"]:
        wanted = oracle.latency([s["tag_to_retire"] for s in samples if s.get("op") == row["op"] and
                                 "tag_to_retire" in s])
        equal((row["n"], row["median"], row["p99"]),
              (wanted["latency_n"], wanted["latency_median"], wanted["latency_p99"]))
    assert "cycles: tag_to_retire" in table["notes"], table["notes"]


def test_zero():
    """samples whose latency is 0 add nothing to the sum, and are not of unknown weight"""
    path = there("zero")
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(
            [perfdata.sample(perfdata.op_payload(data=0), tid=1)] * 100 +
            [perfdata.sample(perfdata.op_payload(data=50 << 16 | 50), tid=2)] * 60 +
            [perfdata.sample(perfdata.op_payload(data=20 << 16 | 20), tid=3)] * 60))
    table = report("--by", "tid", "--latency", "tag_to_retire", "--columns", "cycle_share,n,mean", path)
    told = {row["tid"]: row for row in table["by_ops"]["rows"]}
    equal([told[tid]["mean"] for tid in (1, 2, 3)], [0, 50, 20])
    equal([round(told[tid]["cycle_share"]["value"], 6) for tid in (1, 2, 3)],
          [0, round(50 / 70, 6), round(20 / 70, 6)])
    assert told[2]["cycle_share"]["low"] < 50 / 70 < told[2]["cycle_share"]["high"], told
    equal((told[1]["cycle_share"]["low"], told[1]["n"]), (None, 100))


# --- from perf script ---

FIELDS = "comm,pid,tid,event,period,ip,sym,dso"
LINE = re.compile(r"\s*(.*\S)\s+(\d+)/(\d+)\s+(\d+)\s+(\S+):\s+([0-9a-f]+) (.*) \((.*)\)")


def script(path, *options):
    """Of each sample what perf says, and its period"""
    done = subprocess.run([PERF, "script", "-G", "-F", FIELDS, "--no-itrace", "-i", path, *options],
                          capture_output=True, text=True, errors="replace", check=False)
    for line in done.stdout.splitlines():
        found = LINE.fullmatch(line)
        if not found:
            return
        comm, pid, tid, period, event, _, symbol, dso = found.groups()
        yield {"comm": comm, "pid": int(pid), "tid": int(tid), "event": event, "symbol": symbol,
               "dso": dso, "period": int(period)}


# Samples of a group's leader, which perf script tells as those of each member
GROUPS = ("GrapheneOS_platform_system_extras__perf_with_add_counter.data",)


def check_script(path):
    """perf does not know which samples of IBS have an address of their own. How many rows compared"""
    compared = 0
    samples = list(script(path))
    for key in ("comm", "pid", "tid", "dso"):
        found = report("--no-symbols", "--by", key, path)
        if not samples or "by_ops" in found or "by_fetches" in found:
            return compared
        wanted, every = collections.Counter(), collections.Counter()
        for sample in samples:
            wanted[sample["event"], sample[key]] += sample["period"]
            every[sample["event"]] += sample["period"]
        told = [(row["samples"], row["share"]["value"], row[key])
                for table in found.values() for row in table["rows"]]
        shares = sorted("%.6f" % (period / every[place[0]]) for place, period in wanted.items())
        if any(isinstance(name, str) and name.startswith(("[", "//anon", "/memfd", ":"))
               for _, name in wanted):
            continue # what perf calls so has other names, or several
        equal(sorted("%.6f" % share for _, share, _ in told), shares, path + " " + key)
        equal({name for _, _, name in told}, {name for _, name in wanted}, path + " " + key)
        compared += len(told)
    return compared


def test_recordings_of_others():
    """threads, processes and files of other people's recordings weigh what perf script's periods do"""
    built.need("zstd")
    if not PERF:
        raise Skip("no perf")
    paths = sorted(glob.glob(os.path.join(SHARED, "perfdata/*perf*"))) if SHARED else []
    if not paths:
        raise Skip("PRECIS_SHARED has no recordings")
    compared = {path: check_script(path) for path in paths
                if os.path.isfile(path) and os.path.basename(path) not in GROUPS}
    print("# %d rows of %d recordings" % (sum(compared.values()),
                                          sum(1 for n in compared.values() if n)))
    assert sum(compared.values()) >= 40, compared


PROGRAM = r"""
#include <pthread.h>
#include <sys/prctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void touch(size_t pages)
{
	for (size_t n = 0; n < pages; n++) {
		char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		*(volatile char *)page = 1;
	}
}

__attribute__((noinline)) void rarely(void) { touch(100); __asm__ volatile(""); }
__attribute__((noinline)) void often(void) { touch(900); __asm__ volatile(""); }

static void *other(void *name)
{
	prctl(PR_SET_NAME, name);
	often();
	prctl(PR_SET_NAME, "later");
	rarely();
	return NULL;
}

int main(void)
{
	pthread_t thread;

	rarely();
	pthread_create(&thread, NULL, other, "earlier");
	pthread_join(thread, NULL);
	return 0;
}
"""


def recorded():
    return page_faults.recorded(SCRATCH.name, PROGRAM)


def test_live():
    """names of threads when they had them, functions and lines: of page faults that are known"""
    built.need("elfutils")
    path = recorded()
    table = report("--by", "comm,symbol", path)["by_other"]
    found = rows(table, "comm", "symbol")
    for comm, symbol, faults in (("earlier", "touch", 900), ("later", "touch", 100)):
        # inlined or not: the function that touches, or the one that calls it
        row = max(((key, row) for key, row in found.items()
                   if key[0] == comm and key[1] in (symbol, "often", "rarely")),
                  key=lambda pair: pair[1]["samples"])
        assert row[1]["samples"] >= faults, (comm, row)
        assert row[1]["samples"] < faults + 5, (comm, row)
    table = report("--by", "line", path)["by_other"]
    most = table["rows"][0]
    equal(os.path.basename(most["file"]), "program.c")
    equal(PROGRAM.splitlines()[most["line"] - 1].strip(), "*(volatile char *)page = 1;")
    assert most["samples"] >= 1100, most


PERIODS = (("-c", "1"), ("-c", "3"), ("-c", "7"), ("-F", "4000"))


def of_perf_report(path):
    """Symbol: its share in percent, as perf report prints it"""
    done = subprocess.run([PERF, "report", "--stdio", "-i", path, "--sort", "sym,dso", "-F",
                           "overhead,sym,dso", "--percent-limit", "0"], capture_output=True,
                          text=True, check=True)
    theirs = collections.Counter()
    for line in done.stdout.splitlines():
        found = re.match(r"\s*([\d.]+)%\s+\[\.\]\s+(\S+)\s+(\S+)", line)
        if found and found.group(2) != "@plt":  # a stub whose name perf does not find: ours may
            theirs[found.group(2)] += float(found.group(1))
    return theirs


def check_perf_report(period):
    """The five symbols with most samples have these shares; so many samples, and whether they weigh alike"""
    path = page_faults.recorded(there("".join(period)), PROGRAM, period=period)
    theirs, ours = of_perf_report(path), collections.Counter()
    table = report("--by", "symbol", path)["by_other"]
    for row in table["rows"]:
        ours[row["symbol"]] += 100 * row["share"]["value"]
    top = [symbol for symbol, _ in theirs.most_common(5)]
    assert len(top) >= 3, (period, theirs)
    for symbol in top:
        assert abs(theirs[symbol] - ours[symbol]) < 0.011, (period, symbol, theirs[symbol], ours[symbol])
    return sum(row["samples"] for row in table["rows"]), "effective_n" not in json.dumps(table)


def test_perf_report():
    """symbols: the shares that perf report prints, whatever the period, and where it varies"""
    built.need("elfutils")
    for period in PERIODS:
        samples, alike = check_perf_report(period)
        print("# %s: %d samples" % (" ".join(period), samples))
        equal(alike, period[0] == "-c", period)
        # how many a frequency makes depends on how long they take: enough for three symbols, see above
        assert not alike or samples >= 1100 // int(period[1]), (period, samples)


# --- what is bounded ---

def many(name, count, heavy):
    """An address for each sample, and then one that has many"""
    records = [perfdata.sample(perfdata.op_payload(), pid=100, tid=n % 30000, ip=0x400000)
               for n in range(64)]
    path = there(name)
    pages = list(range(count)) + [count] * heavy
    random.Random(7).shuffle(pages)
    with open(path, "wb") as file:
        body = b"".join(page_sample(page) for page in pages)
        file.write(perfdata.perf_data([body] + records))
    return path


def page_sample(page):
    return PAGE_SAMPLE[:PAGE_AT] + struct.pack("<Q", 0x10000000 + 4096 * page) + \
        PAGE_SAMPLE[PAGE_AT + 8:]


PAGE_SAMPLE = perfdata.sample(perfdata.op_payload())
PAGE_AT = PAGE_SAMPLE.index(perfdata.op_payload()) + 4 + 5 * 8 # IbsDcLinAd


def test_many():
    """as many pages as samples: memory is bounded, what is heavy is there, the rest is told"""
    count, heavy = (60000, 9000) if QUICK else (1000000, 90000)
    path = there("many")
    many("many", count, heavy)
    found = json.loads(good("report", "--no-symbols", "--no-progress", "--by", "page", "--format",
                            "json", "--top", "3", path))["by_ops"]
    first, rest = found["rows"][0], found["rows"][-1]
    equal(int(first["page"], 16), 0x10000000 + 4096 * count)
    assert first["samples"] <= heavy <= first["samples"] + first["missed_most"], first
    assert first["missed_most"] <= (count + heavy) / 8192 + 1, first
    equal(first["samples"] + sum(row["samples"] for row in found["rows"][1:]), count + heavy + 64)
    equal(rest["row"], "rest")
    assert any("more rows than are counted at once" in note for note in found["notes"]), found
    if os.environ.get("PRECIS_SANITIZED") != "yes" and not QUICK:
        kib = kib_of("report", "--no-symbols", "--by", "page,tid", path)
        assert kib < 100 << 10, "%d KiB" % kib


def test_jobs():
    """several threads, and several recordings: the rows of one, and of one that has all"""
    path = there("large")
    with open(path, "wb") as file:
        file.write(perfdata.perf_data([b"".join(
            perfdata.sample(perfdata.op_payload(), tid=n % 97, time=10**9 + n, ip=0x400000 + n % 51)
            for n in range(90000))]))
    for keys in ("tid", "instruction,tid", "page"):
        one = run("report", "--no-symbols", "--by", keys, "--format", "json", path).out
        two = run("report", "--no-symbols", "--by", keys, "--format", "json", "--jobs", "2", path).out
        equal(two, one)
    path = there("many")
    many("many", 60000, 9000)
    one = run("report", "--no-symbols", "--by", "page", path).out
    equal(run("report", "--no-symbols", "--by", "page", "--jobs", "2", path).out, one)
    first, second = recording("zen4-mix-op"), recording("zen4-op")
    both = rows(report("--no-symbols", "--by", "op", first, second)["by_ops"], "op")
    parts = [rows(report("--no-symbols", "--by", "op", path)["by_ops"], "op")
             for path in (first, second)]
    for key, row in both.items():
        equal(row["samples"], sum(part[key]["samples"] for part in parts if key in part))
    # names that each knows in an order of its own
    paths = [recording(name) for name in ("zen4-mix-op", "zen4-own-pertask", "zen4-freq")]
    for names in (("dso",), ("comm",), ("symbol", "symbol_object")):
        def counted(*which, names=names):
            return {key: row["samples"]
                    for key, row in rows(report("--by", names[0], *which)["by_ops"], *names).items()}
        wanted = sum((collections.Counter(counted(path)) for path in paths), collections.Counter())
        equal(counted(*paths), wanted, names)


def test_columns():
    """no two keys have a column of the same name"""
    path, whose = recording("zen4-mix-op"), {}
    for key in [line.split()[0] for line in good("report", "--by", "help").splitlines() if line]:
        done = run("report", "--no-symbols", "--by", key, "--format", "json", path)
        table = json.loads(done.out).get("by_ops") if not done.code else None
        if not table or key in ("level", "remote"): # one that no sample can have, or a short name of another
            continue
        for row in table["rows"]:
            names = list(row)
            for name in names[names.index("n") + 1:]: # keys stand behind figures
                equal(whose.setdefault(name, key), key, f"key of column {name}")
    equal({"object", "instruction_object", "offset"} <= set(whose), True, whose)


def test_renamed():
    """a thread that is called otherwise 100000 times: each sample has the name of its time"""
    def renamed(time, name):
        return perfdata.record(3, struct.pack("<II", 7, 7) + name.encode().ljust(16, b"\0") +
                               struct.pack("<IIQ", 7, 7, time))

    records, wanted = [], collections.Counter()
    for n in range(100000):
        name = "job%d" % (n * 5 // 100000)
        records.append(renamed(10 + 10 * n, name))
        if n % 100 == 0:
            records.append(perfdata.record(perfdata.RECORD_SAMPLE,
                                           struct.pack("<QIIQ", 0x401000, 7, 7, 11 + 10 * n), 2))
            wanted[name] += 1
    path = there("renamed")
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(records, [(perfdata.attr(1, perfdata.IP | perfdata.TID | perfdata.TIME),
                                                 [1], "clock")]))
    equal({key[0]: row["samples"] for key, row in rows(report("--by", "comm", path)["by_other"], "comm").items()},
          wanted)


# --- what is wrong ---

def test_help():
    """--by help and --columns help: all keys and columns, each taken, with what they mean"""
    path = recording("zen4-mix-op")
    for option, some in (("--by", ("symbol", "time", "level", "tid", "page_size")),
                         ("--columns", ("samples", "p95", "LFB", "locked"))):
        listed = [line.split(None, 1) for line in good("report", option, "help").splitlines()]
        names = [words[0] for words in listed]
        equal(sorted(set(names)), sorted(names), option)
        assert set(some) <= set(names), (option, names)
        assert all(len(words) == 2 for words in listed), option
        for name in names:
            words = ("--by", name) if option == "--by" else ("--by", "op", "--columns", name)
            done = run("report", *words, "--format", "json", path)
            assert done.code == 0 or "expected" not in done.err, (words, done)
            assert "there is no" not in done.err, (words, done)
    compared = good("diff", "--columns", "help")
    assert "\nshare " in compared and "trend" not in compared, compared
    assert "\ntime " not in good("diff", "--by", "help")
    assert "(--by help lists them)" in usage("report", "--by", "symbl", path)
    assert "(--columns help lists them)" in usage("report", "--by", "op", "--columns", "p90", path)


def test_p50():
    """p50 is the median, by its name"""
    path = recording("zen4-mix-op")
    equal(good("report", "--by", "op", "--columns", "p50,p95", "--sort", "p50", path),
          good("report", "--by", "op", "--columns", "median,p95", "--sort", "median", path))
    assert "comes twice" in usage("report", "--by", "op", "--columns", "median,p50", path)


def test_none():
    """no sample: that is said, in every format"""
    path, nothing = recording("zen4-mix-op"), ("--filter", "ip == 1")
    text = good("report", "--by", "symbol,level", *nothing, path)
    assert text.endswith("\n\nSamples by symbol, mem_level\n  no sample was selected\n"), text
    found = json.loads(good("report", "--by", "symbol,level", "--format", "json", *nothing, path))
    equal((found["by"]["rows"], found["by"]["notes"]), ([], ["no sample was selected"]))
    lines = list(csv.reader(good("report", "--by", "symbol", "--format", "csv", *nothing,
                                 path).splitlines()))
    equal({len(line) for line in lines}, {len(lines[0])})
    equal([line[:4] for line in lines if line[0] == "by"], [["by", "", "note", "no sample was selected"]])
    empty = there("empty")
    with open(empty, "wb") as file:
        comm = struct.pack("<II", 100, 101) + b"none\0\0\0\0" + struct.pack("<IIQQII", 100, 101, 10**9, 1, 0, 0)
        file.write(perfdata.perf_data([perfdata.record(3, comm)], [(perfdata.attr(), [1], "ibs_op//")]))
    assert good("report", "--by", "symbol", empty).endswith("\n  there are no samples\n")
    assert "\nSamples by" not in good("report", "--by", "symbol", path)


def test_usage():
    """unknown keys and columns are named, with what was meant"""
    path = recording("zen4-mix-op")
    for words, says in (
            (("--by", "symbl"), "did you mean 'symbol'"), (("--by", "tid,tid"), "'tid' comes twice"),
            (("--by", "tid,,cpu"), "there is no key ''"), (("--by", "tsc"), "does not tell"),
            (("--by", "pid,tid,cpu,op,symbol"), "at most 4"),
            (("--by", "tid", "--columns", "meen"), "did you mean 'mean'"),
            (("--by", "tid", "--columns", "n,n"), "'n' comes twice"),
            (("--columns", "n"), "--columns is for tables of --by"),
            (("--latency", "tag_to_retire"), "--latency is for tables of --by"),
            (("--by", "tid", "--latency", "ip"), "no latency 'ip'"),
            (("--by", "tid", "--sort", "DRAM"), "none of the --columns"),
            (("--by", "tid", "--sort", "latency"), "there is no column 'latency'")):
        said = usage("report", *words, path)
        assert says in said, (words, said)


def test_lacking():
    """recordings without times, threads or processes: a row that says why"""
    sample_type = perfdata.IP | perfdata.ID | perfdata.RAW
    payload = perfdata.op_payload()
    body = struct.pack("<QQ", 0x401000, 1) + struct.pack("<I", len(payload) + 4) + payload + bytes(4)
    path = there("bare")
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(
            [perfdata.record(perfdata.RECORD_SAMPLE, body, 2)] * 50,
            [(perfdata.attr(sample_type=sample_type), [1], "ibs_op//")]))
    for key in ("tid", "comm", "cpu", "node", "symbol", "memory_node"):
        table = report("--by", key, path)["by_ops"]
        equal([row["samples"] for row in table["rows"]], [50], key)
        text = good("report", "--by", key, path)
        assert "no " in text or "nothing known" in text, text


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
