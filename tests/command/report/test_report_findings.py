#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report: findings. For each rule of the table a recording that it is found in, and one that differs
in just that and in which it is not; commands that run; the same with several threads and files.
"""
import csv
import io
import json
import os
import random
import re
import shlex
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import perfdata
import tap
import test_report
import test_report_buffer
import test_report_pebs as pebs
from built import WITHOUT, need
from command import PRECIS, SRCDIR, good, recording, run
from tap import equal

OPS, FETCHES = perfdata.IBS_OP_TYPE, perfdata.IBS_FETCH_TYPE
ENOUGH = 2000
PERIOD = 100003 # a prime: no loop is in step with it, and samples may all be of one place
RECORD_COMM = 3
CYCLES_CTL, OPS_CTL, L3_MISS_ONLY = 0x6186a, 0xe186a, 1 << 16


def rules():
    """Name and the rest of each row of the table"""
    with open(os.path.join(SRCDIR, "analysis/findings/rules.def"), encoding="utf-8") as file:
        text = file.read()
    return dict(re.findall(r"^FINDING\((\w+), (\w+, [\d.]+),", text, re.M))


# --- samples of IBS, by what their registers say (AMD, 24593, "IBS Op Data") ---

MISS, L2_MISS, LINEAR, PHYSICAL = 1 << 7, 1 << 20, 1 << 17, 1 << 18
SOURCES = {"L3": 1, "NEAR_CACHE": 2, "DRAM": 3, "FAR_CACHE": 5}
NO_BUFFER, L1_TLB_MISS, L2_TLB_MISS = 1 << 16, 1 << 2, 1 << 3
LOCKED, MISALIGNED = 1 << 15, 1 << 8


def load(level="L1", remote=0, latency=300, flags=0, **how):
    data3 = 1 | LINEAR | PHYSICAL | 4 << 22 | flags
    data2 = 0
    if level != "L1":
        data3 |= MISS | latency << 32
    if level == "LFB":
        data3 |= NO_BUFFER | L2_MISS
    elif level in SOURCES:
        data2 = SOURCES[level] | remote << 4
        data3 |= L2_MISS
    return op(data2=data2, data3=data3, **how)


def branch(mispredicted=0, **how):
    return op(data=1 << 37 | mispredicted << 36 | 1 << 35, data3=0, **how)


def op(data=0, data2=0, data3=0, ip=0x401000, ctl=CYCLES_CTL, caps=0xbff, raw=True):
    payload = perfdata.op_payload(caps=caps, ctl=ctl, rip=ip, data=0x200010 | data, data2=data2,
                                  data3=data3)
    return perfdata.sample(payload if raw else b"\0" * 12, ip=ip, misc=2 | pebs.EXACT_IP)


def fetch(icache_miss=0, walk=0):
    # it took 20 cycles, is enabled, valid and complete, and has a physical address
    ctl = 20 << 32 | 7 << 48 | 1 << 52 | icache_miss << 51 | (3 << 55 if walk else 0)
    return perfdata.sample(struct.pack("<I4Q", 0xbff, ctl, 0x401000, 0x1000, 0))


def several(share, some, rest, count=ENOUGH):
    """So many of the one and of the other, mixed"""
    part = round(share * count)
    return [some] * part + [rest] * (count - part)


def event(kind=OPS, period=PERIOD, config=0, config1=0, flags=0, sample_type=perfdata.SAMPLE_TYPE):
    body = bytearray(perfdata.attr(kind, sample_type, period=period, config=config))
    struct.pack_into("<Q", body, 40, perfdata.SAMPLE_ID_ALL | flags)
    struct.pack_into("<Q", body, 56, config1)
    return bytes(body)


def made(name, records, attr=None, label="ibs_op//", cpu=perfdata.ZEN4):
    events = [(attr or event(), [1], label)]
    features = {
        perfdata.OSRELEASE: perfdata.string("6.1.0"), perfdata.CPUID: perfdata.string(cpu),
        perfdata.EVENT_DESC: perfdata.event_desc(events),
        perfdata.PMU_MAPPINGS: perfdata.pmu_mappings([(OPS, "ibs_op"), (FETCHES, "ibs_fetch"),
                                                      (4, "cpu")])}
    return test_report.scratch(name, records, events=events, features=features)


def stepping(step, length=256):
    """A loop of which half are loads, and a period that is some turns and a little more"""
    place, source, records = 0, random.Random(1), []
    for _ in range(6000):
        place = (place + step - source.randrange(128)) % length
        at = 0x401000 + 4 * place
        records.append(load(ip=at, ctl=OPS_CTL) if place < length // 2 else
                       branch(ip=at, ctl=OPS_CTL))
    return records


def loads(share, **how):
    """A share of loads that are so among others; the same way for 'found' and 'not found'"""
    return several(share, load(**how), load())


def weighed(periods):
    """Samples with periods of their own"""
    kind = perfdata.SAMPLE_TYPE | 1 << 8
    records = []
    for period in periods:
        raw = perfdata.op_payload(ctl=CYCLES_CTL, data3=1 | LINEAR | PHYSICAL)
        raw += b"\0" * (-(len(raw) + 4) % 8)
        records.append(perfdata.record(perfdata.RECORD_SAMPLE, struct.pack(
            "<QIIQQIIQI", 0x401000, 100, 101, 10 ** 9, 1, 0, 0, period, len(raw)) + raw, 2))
    return records, event(period=1000, flags=1 << 10, sample_type=kind)


def at_time(kind, body, time):
    """A record with its sample_id: pid, tid, time, id, cpu"""
    return perfdata.record(kind, body + struct.pack("<IIQQII", 100, 101, time, 1, 0, 0), 0)


def throttled(share, second=10 ** 9):
    """Of a second that begins at 1 s"""
    end = round(second * (1 + share))
    comm = struct.pack("<II", 100, 101) + b"last\0\0\0\0"
    return [load()] * ENOUGH + [
        at_time(perfdata.RECORD_THROTTLE, struct.pack("<QQQ", second, 1, 1), second),
        at_time(perfdata.RECORD_UNTHROTTLE, struct.pack("<QQQ", end, 1, 1), end),
        at_time(RECORD_COMM, comm, 2 * second)]


def lost(share):
    records = [load()] * ENOUGH
    return records + [at_time(perfdata.RECORD_LOST, struct.pack(
        "<QQ", 1, round(ENOUGH * share / (1 - share))), 10 ** 9)]


def hot(share):
    """One of a hundred instructions has that share of the cycles, in no order"""
    records = [load("DRAM", ip=0x500000 if n < share * ENOUGH else 0x400000 + n % 99)
               for n in range(ENOUGH)]
    random.Random(7).shuffle(records)
    return records


def intel(name, records, ldlat=0):
    attr = bytearray(pebs.event(pebs.MEM_LOADS, ldlat=ldlat))
    struct.pack_into("<Q", attr, 16, PERIOD)
    return pebs.recording(name, records, [(bytes(attr), "mem-loads")], pebs.SAPPHIRE_RAPIDS)


def fetches(name, records, **how):
    return made(name, records, event(FETCHES, **how), "ibs_fetch//")


def cycles(name, count, others=ENOUGH):
    """So many samples of an event that is not precise beside those that are"""
    attrs = [(event(), [1], "ibs_op//"),
             (event(0, sample_type=perfdata.SAMPLE_TYPE & ~perfdata.RAW), [2], "cycles")]
    features = {perfdata.OSRELEASE: perfdata.string("6.1.0"),
                perfdata.CPUID: perfdata.string(perfdata.ZEN4),
                perfdata.EVENT_DESC: perfdata.event_desc(attrs),
                perfdata.PMU_MAPPINGS: perfdata.pmu_mappings([(OPS, "ibs_op")])}
    records = [load()] * others + [perfdata.sample(None, ident=2)] * count
    return test_report.scratch(name, records, events=attrs, features=features)


# mem_blk of Linux' data source: an older store's data could not be forwarded; nothing of the kind
DATA_BLOCKED, NOT_BLOCKED = 2 << 40, 1 << 40


def blocked(share):
    return several(share, pebs.sample(1, pebs.words(data_src=pebs.L3_LOAD | DATA_BLOCKED)),
                   pebs.sample(1, pebs.words(data_src=pebs.L3_LOAD | NOT_BLOCKED)))


# By rule: two recordings
CASES = {
    "hot_instruction": (lambda n: made(n, hot(0.3)), lambda n: made(n, hot(0.18))),
    "remote_dram": (lambda n: made(n, loads(0.2, level="DRAM", remote=1)),
                    lambda n: made(n, loads(0.2, level="DRAM"))),
    "dram": (lambda n: made(n, loads(0.1, level="DRAM")), lambda n: made(n, loads(0.04, level="DRAM"))),
    "other_caches": (lambda n: made(n, loads(0.1, level="FAR_CACHE")),
                     lambda n: made(n, loads(0.1, level="L3"))),
    "hidden_sources": (lambda n: made(n, loads(0.1, level="LFB")),
                       lambda n: made(n, loads(0.04, level="LFB"))),
    "page_walks": (lambda n: made(n, loads(0.1, flags=L1_TLB_MISS | L2_TLB_MISS)),
                   lambda n: made(n, loads(0.1, flags=L1_TLB_MISS))),
    "itlb_walks": (lambda n: fetches(n, several(0.1, fetch(walk=1), fetch())),
                   lambda n: fetches(n, several(0.01, fetch(walk=1), fetch()))),
    "locked": (lambda n: made(n, loads(0.1, flags=LOCKED)), lambda n: made(n, loads(0.04, flags=LOCKED))),
    "misaligned": (lambda n: made(n, loads(0.1, flags=MISALIGNED)),
                   lambda n: made(n, loads(0.04, flags=MISALIGNED))),
    "forwarding_failed": (lambda n: intel(n, blocked(0.2)), lambda n: intel(n, blocked(0.04))),
    "mispredicted": (lambda n: made(n, several(0.1, branch(1), branch())),
                     lambda n: made(n, several(0.02, branch(1), branch()))),
    "icache_misses": (lambda n: fetches(n, several(0.2, fetch(1), fetch())),
                      lambda n: fetches(n, several(0.08, fetch(1), fetch()))),
    "no_symbols": (lambda n: made(n, several(0.2, load(ip=0x900000), load())),
                   lambda n: made(n, [load()] * ENOUGH)),
    "few_samples": (lambda n: made(n, [load()] * 100), lambda n: made(n, [load()] * 1000)),
    "uneven_samples": (lambda n: made(n, *weighed([10 ** 6] * 50 + [1000] * ENOUGH)),
                       lambda n: made(n, *weighed([1100, 900] * ENOUGH))),
    "lost": (lambda n: made(n, lost(0.05)), lambda n: made(n, lost(0.005))),
    "throttled": (lambda n: made(n, throttled(0.2)), lambda n: made(n, throttled(0.005))),
    "undecodable": (lambda n: made(n, several(0.05, op(raw=False), load())),
                    lambda n: made(n, several(0.005, op(raw=False), load()))),
    "not_precise": (lambda n: cycles(n, ENOUGH), lambda n: cycles(n, ENOUGH // 20)),
    "latency_threshold": (lambda n: intel(n, blocked(0), 30), lambda n: made(n, [load()] * ENOUGH)),
    "l3_misses_alone": (lambda n: made(n, [load("DRAM", ctl=CYCLES_CTL | L3_MISS_ONLY)] * ENOUGH),
                        lambda n: made(n, [load("DRAM")] * ENOUGH)),
    "in_step": (lambda n: made(n, [load()] * ENOUGH, event(period=100112)),
                lambda n: made(n, [load()] * ENOUGH)),
    "nearly_in_step": (lambda n: made(n, stepping(63), event(config=1 << 19, period=4159)),
                       lambda n: made(n, [load()] * ENOUGH)),
    "round_period": (lambda n: made(n, [load()] * ENOUGH, event(period=100000)),
                     lambda n: made(n, [load()] * ENOUGH)),
    "ops_not_time": (lambda n: made(n, [load(ctl=OPS_CTL)] * ENOUGH),
                     lambda n: made(n, [load()] * ENOUGH)),
}

def found(path, *options):
    return json.loads(run("report", "--format", "json", "--sections", "findings", *options,
                          path).out)["findings"]


def names(path, *options):
    return [finding["name"] for finding in found(path, *options)]


def test_rules():
    """each rule of the table: found in a recording, and not in one that differs in just that"""
    equal(sorted(CASES), sorted(rules()), "the rules that have a test")
    wrong, cases = [], dict(CASES)
    if "elfutils" in WITHOUT:
        del cases["no_symbols"]
    for name, (fires, does_not) in cases.items():
        options = () if name == "no_symbols" else ("--no-symbols",)
        if name not in names(fires(name), *options):
            wrong.append((name, "not found", found(fires(name), *options)))
        other = does_not("no-" + name)
        if name in names(other, "--no-symbols"):
            wrong.append((name, "found", found(other, "--no-symbols")))
    assert not wrong, "\n".join(map(repr, wrong))


def test_commands():
    """the command of each finding runs, and shows of the same samples"""
    for name, (fires, _) in CASES.items():
        if name == "no_symbols" and "elfutils" in WITHOUT:
            continue
        path = fires("of " + name + ", it's")
        options = ["--no-symbols"] if name != "no_symbols" else []
        told = [finding for finding in found(path, *options, "--pid", "100,7")
                if finding["name"] == name]
        if not told: # of a selection it is not known
            equal(name, "not_precise")
            continue
        command = told[0]["command"]
        words = shlex.split(command)
        equal(words[-1], path, command)
        if words[1] in ("report", "dump"):
            assert "--pid=100,7" in words and ("--no-symbols" in words or not options), command
        done = subprocess.run(command.replace("precis", PRECIS, 1), shell=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        # what cannot be decoded is shown, and is a failure
        assert done.returncode == (name == "undecodable") and done.stdout, (command, done)


def test_commands_of_dumps():
    """of a dump of PEBS records, too"""
    path = os.path.join(os.path.dirname(test_report.scratch("beside", [])), "buffer.ds")
    with open(path, "wb") as file:
        file.write(test_report_buffer.records_of(5, test_report_buffer.random_fixed))
    told = found(path, *test_report_buffer.SKYLAKE)
    assert "few_samples" in [one["name"] for one in told], told
    for one in told:
        done = subprocess.run(one["command"].replace("precis", PRECIS, 1), shell=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        assert done.returncode == 0 and done.stdout, (one, done)


def test_figures():
    """shares, numbers and what is told are those of the tables"""
    path = recording("zen4-mix-op")
    report = json.loads(good("report", "--no-symbols", "--format", "json", "--top", "1000000", path))
    told = {finding["name"]: finding for finding in report["findings"]}
    rows = {row["row"]: row for row in report["load_sources"]["rows"]}
    keys = {row["row"]: row for row in report["summary"]["rows"]}
    equal(told["remote_dram"]["share"], rows["DRAM/remote_node"]["share"])
    equal(told["dram"]["share"], keys["loads from DRAM"]["share"])
    equal(told["hidden_sources"]["share"], keys["loads from an outstanding miss"]["share"])
    size = [finding["size"] for finding in report["findings"]]
    assert len(size) <= 5 and all(0 < number <= 1 for number in size), size
    for finding in told.values():
        if finding["share"]:
            assert finding["size"] < finding["share"]["low"] < finding["share"]["value"], finding
    need("elfutils")
    symfs = os.path.join(SRCDIR, "tests/recordings/symfs")
    hottest = [one for one in found(path, "--symfs", symfs) if one["name"] == "hot_instruction"][0]
    by = json.loads(good("report", "--symfs", symfs, "--format", "json", "--top", "1000000", "--by",
                         "instruction", "--sort", "cycle_share", path))["by_ops"]["rows"][0]
    equal(hottest["share"], by["cycle_share"], "as --by has it")
    equal(hottest["where"], by["instruction"] + " (mix)")
    function = by["instruction"].rpartition("+")[0]
    equal(hottest["command"], "precis annotate --symfs=%s %s %s" % (symfs, function, path))
    listed = good(*(shlex.split(hottest["command"])[1:]))
    assert "\n%s (mix)\n" % function in listed, listed


def test_formats():
    """text and CSV say what JSON says, at the head"""
    path = recording("zen4-mix-op")
    findings = found(path)
    text = good("report", path)
    assert text.startswith("Findings\n  1. "), text[:40]
    head = re.sub(r"\s+", " ", text.partition("\n\n")[0])
    for number, finding in enumerate(findings, 1):
        assert "%d. %s %s" % (number, finding["text"], finding["command"]) in head, finding
    rows = [row for row in csv.reader(io.StringIO(good("report", "--format", "csv", path)))
            if row[0] == "findings"]
    equal([row[3] for row in rows if row[2] == "text"], [one["text"] for one in findings])
    equal([float(row[3]) for row in rows if row[2] == "share" and row[3]],
          [round(one["share"]["value"], 9) for one in findings if one["share"]])
    nothing = made("nothing", [load()] * ENOUGH)
    equal(found(nothing, "--no-symbols"), [])
    assert "none: no figure" in good("report", "--no-symbols", nothing).splitlines()[1]
    assert "findings" not in json.loads(good("report", "--by", "op", "--format", "json", path))
    for line in text.splitlines()[:20]:
        assert len(line) <= 100 or path in line, line


def test_selected():
    """what was asked for is no finding; what is left is of the samples that were chosen"""
    path = recording("zen4-mix-op")
    assert "dram" in names(path) and "dram" not in names(path, "--filter", "mem_level == DRAM")
    chosen = found(path, "--filter", "mem_level == DRAM")[0]
    assert "--filter='mem_level == DRAM'" in chosen["command"], chosen
    several = run("report", "--format", "json", "--sections", "findings", path,
                  recording("zen4-mix-fetch")).out
    assert json.loads(several)["findings"][0]["command"].endswith(" FILE"), several


def test_population():
    """of L3 misses alone that they come from DRAM is none, and sentences say what they are of"""
    kept = CYCLES_CTL | L3_MISS_ONLY
    path = made("kept", [load("DRAM", remote=1, ctl=kept)] * ENOUGH)
    told = {one["name"]: one for one in found(path, "--no-symbols")}
    assert "dram" not in told and "l3_misses_alone" in told, told
    equal(told["remote_dram"]["of"], "loads that missed the L3")


def is_prime(number):
    return number > 1 and all(number % factor for factor in range(2, int(number ** 0.5) + 1))


def test_advice():
    """the period that is advised is about as long: IBS a prime number of sixteens, others a prime"""
    for period, kind in ((100000, OPS), (65536, OPS), (1000000, OPS), (100000, FETCHES), (100000, 4),
                         (65536, 4), (1024, 4)):
        label = {OPS: "ibs_op//", FETCHES: "ibs_fetch//", 4: "mem-loads"}[kind]
        records = blocked(0) if kind == 4 else [fetch()] * 9 if kind == FETCHES else [load()] * 9
        if kind == 4:
            attr = bytearray(pebs.event(pebs.MEM_LOADS))
            struct.pack_into("<Q", attr, 16, period)
            path = pebs.recording("advice", records, [(bytes(attr), label)], pebs.SKYLAKE)
        else:
            path = made("advice", records, event(kind, period), label)
        told = [one["text"] for one in found(path, "--no-symbols") if one["name"] == "round_period"]
        advised = int(re.search(r"Record with -c (\d+)\.$", told[0]).group(1))
        turns, rest = divmod(advised, 1 if kind == 4 else 16)
        assert is_prime(turns) and rest == 0 and 1 < advised / period < 1.2, (period, told)
    random = made("random", [fetch()] * 9, event(FETCHES, 100000, config=1 << 57), "ibs_fetch//")
    assert "round_period" not in names(random, "--no-symbols"), "the hardware varies it"


def test_documented():
    """precis-report(1) has each rule with its threshold"""
    with open(os.path.join(SRCDIR, "doc/man/precis-report.1"), encoding="utf-8") as file:
        page = file.read()
    section = page.partition(".Ss Findings\n")[2].partition("\n.Ss ")[0]
    documented = re.findall(r"^\.It (\w+)((?: , [\d.]+%)?)$", section, re.M)
    wanted = []
    for name, row in rules().items():
        least = float(row.split(", ")[1])
        wanted.append((name, " , %g%%" % least if least else ""))
    equal(documented, wanted)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
