#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report: samples in step with a loop. Loops are made here, and what is true of them is known:
intervals hold it, or it is said that they cannot, and what to record with.
"""
import json
import os
import random
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import perfdata
import tap
from command import run
from quick import FEW
from tap import equal

SCRATCH = tempfile.TemporaryDirectory()
COUNTS_OPS = 1 << 19
PERIODS = 1 << 8
LOAD = perfdata.op_payload(data=0, data3=0x40001)
OTHER = perfdata.op_payload(data=0, data2=0, data3=0)
FILES = ("--no-symbols", "--format", "json")


def payload(is_load, rip):
    """of a load that hits the L1, or of an op without access"""
    return perfdata.op_payload(data=0, data2=0, data3=0x60001 if is_load else 0, rip=rip)


class Loop:
    """So many ops, of which the first ones are loads, and what samples of it there are"""

    def __init__(self, length, rng):
        self.length = length
        self.loads = rng.randrange(length // 4, 3 * length // 4)
        self.place = rng.randrange(length)

    def truth(self):
        return self.loads / self.length

    def samples(self, count, period, bits, rng, **other):
        for _ in range(count):
            self.place += period - (rng.randrange(1 << bits) if bits else 0)
            self.place %= self.length
            ip = 0x401000 + 4 * self.place
            yield perfdata.sample(payload(self.place < self.loads, ip), ip=ip, **other)


def made(name, records, period, config=COUNTS_OPS):
    path = os.path.join(SCRATCH.name, name + ".perf.data")
    events = [(perfdata.attr(period=period, config=config), [1], "ibs_op//")]
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(list(records), events))
    return path


def loop_file(name, count, period, length, config=COUNTS_OPS, seed=1):
    rng = random.Random(seed)
    loop = Loop(length, rng)
    records = loop.samples(count, period, 7 if config & COUNTS_OPS else 0, rng)
    return made(name, records, period, config), loop


def report(*arguments):
    return json.loads(run("report", *FILES, *arguments).out)


def loads_of(found):
    return {row["row"]: row for row in found["summary"]["rows"]}["loads"]["share"]


def verdict_of(found):
    return found["in_step"]["rows"][0]["verdict"] if "in_step" in found else None


def shares_of(value):
    """all shares anywhere in a document"""
    if isinstance(value, dict):
        if "low" in value and "value" in value:
            yield value
        for member in value.values():
            yield from shares_of(member)
    elif isinstance(value, list):
        for member in value:
            yield from shares_of(member)


def test_locked():
    """a fixed period that is the loop's length, and nothing random: nothing is known of the loop"""
    path, _ = loop_file("locked", 500, 4096, 4096, config=0)
    found = report(path)
    equal(verdict_of(found), "locked")
    share = loads_of(found)
    equal((share["low"], share["high"], share["no_interval"]), (None, None, "in step"))
    assert all(share["low"] is None for share in shares_of(found))
    for table in ("summary", "ops", "top_instructions"):
        notes = " ".join(found[table]["notes"])
        assert "as 4304 (an odd multiple of 16), and with cnt_ctl=1" in notes, (table, notes)
    equal(found["in_step"]["rows"][0]["samples"], 500)
    path, _ = loop_file("short", 500, 176, 176, config=0)
    notes = " ".join(report(path)["summary"]["notes"])
    assert "than 176, as 208 (an odd multiple of 16)" in notes, notes


def test_slow():
    """random numbers take samples slowly through a loop: too slowly, or often enough to tell how far"""
    path, _ = loop_file("slow", 1000, 100000, 100000)
    found = report(path)
    equal(verdict_of(found), "few")
    equal(loads_of(found)["low"], None)
    assert "as 104752 (an odd multiple of 16)" in " ".join(found["summary"]["notes"])
    path, loop = loop_file("widened", 6000, 4159, 256)
    found = report(path)
    equal(verdict_of(found), "widened")
    share = loads_of(found)
    assert share["low"] < loop.truth() < share["high"], share
    independent = found["in_step"]["rows"][0]["independent"]
    equal(int(share["effective_n"]), independent)
    assert 100 < independent < 3000, independent
    # the score interval of so many samples is about that wide
    half = 1.96 * (share["value"] * (1 - share["value"]) / independent) ** .5
    assert abs((share["high"] - share["low"]) / 2 / half - 1) < .03, (share, half)


def test_out_of_step():
    """with a period that is not in step nothing changes"""
    lengths = (1000, 4096, 10000, 50000, 65536, 100000)
    for seed in range(6 if FEW else 18):
        path, _ = loop_file("out", 1500, 104752, lengths[seed % 6], seed=seed)
        share = loads_of(report(path))
        assert share["low"] is not None, (seed, lengths[seed % 6])
        assert share["high"] - share["low"] < .12, (seed, share)
        path, _ = loop_file("short", 1500, 104752, 24, seed=seed)
        found = report(path)
        equal(verdict_of(found), None)
        assert "effective_n" not in loads_of(found)


def test_coverage():
    """intervals hold in 94 of 100 runs, or are not told"""
    cases = [(4096, 4096, COUNTS_OPS), (4096, 4096, 0), (100000, 100000, COUNTS_OPS),
             (4096, 1000, COUNTS_OPS), (100000, 50000, COUNTS_OPS), (4096, 1536, 0),
             (104752, 4096, COUNTS_OPS), (104752, 100000, COUNTS_OPS)]
    seeds = 5 if FEW else 25
    held = told = 0
    for period, length, config in cases:
        for seed in range(seeds):
            path, loop = loop_file("run", 1200, period, length, config, 1000 + seed)
            share = loads_of(report(path))
            told += share["low"] is not None
            held += share["low"] is None or share["low"] <= loop.truth() <= share["high"]
    assert held >= .94 * len(cases) * seeds, (held, len(cases) * seeds)
    assert told >= 3 * seeds, told


def other_file(name, addresses, period):
    """a counter's samples, whose addresses are all that there is"""
    sample_type = perfdata.IP | perfdata.TID
    path = os.path.join(SCRATCH.name, name + ".perf.data")
    records = [perfdata.record(perfdata.RECORD_SAMPLE, struct.pack("<QII", ip, 7, 7), 2)
               for ip in addresses]
    events = [(perfdata.attr(4, sample_type, period, 0x1c0), [1], "instructions")]
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(list(records), events))
    return path


def test_one_place():
    """one instruction is all there is, or all that is sampled: primes tell it apart"""
    same = [0x401000] * 400
    found = report(other_file("round", same, 100000))
    equal(verdict_of(found), "locked")
    assert "as 104761 (a prime)" in " ".join(found["top_other"]["notes"])
    equal(verdict_of(report(other_file("prime", same, 100003))), None)
    equal(verdict_of(report(other_file("every", same, 1))), None)
    # whether there are others between these places only a prime can tell
    third = [0x401000 + 12 * (7 * n % 40) for n in range(4000)]
    equal(verdict_of(report(other_file("third", third, 120))), "locked")
    assert verdict_of(report(other_file("whole", third, 127))) in (None, "widened")


def test_tasks():
    """each task by itself, in whatever order their samples are in the file"""
    rng = random.Random(3)
    threads = [Loop(4096, rng).samples(300, 4096, 0, rng, tid=tid) for tid in range(100, 104)]
    records = [next(threads[n % 4]) for n in range(1200)]
    found = report(made("tasks", records, 4096, 0))
    equal(verdict_of(found), "locked")
    equal(found["in_step"]["rows"][0]["repeating_percent"], 100)


def test_several():
    """of several recordings what is in step in one is so in all of them together"""
    locked, _ = loop_file("one", 300, 4096, 4096, config=0)
    free, _ = loop_file("two", 1500, 104752, 24)
    equal(verdict_of(report(locked, free)), "locked")
    equal(verdict_of(report(free, locked)), "locked")
    equal(report(locked, free)["in_step"]["rows"][0]["samples"], 1800)
    many, _ = loop_file("many", 20000, 104752, 24, seed=9)
    equal(verdict_of(report(many, locked)), None)


def test_by():
    """samples told apart, and compared"""
    locked, _ = loop_file("by", 300, 4096, 4096, config=0)
    found = report("--by", "instruction", locked)
    assert all(share["low"] is None for share in shares_of(found))
    equal(verdict_of(found), "locked")
    assert "in step" in " ".join(found["by_ops"]["notes"]), found["by_ops"]["notes"]
    other, _ = loop_file("by2", 300, 4096, 4096, config=0, seed=2)
    compared = json.loads(run("diff", *FILES, "--by", "op", locked, other).out)
    rows = compared["diff_ops"]["rows"]
    equal({row["verdict"] for row in rows}, {"in step"})
    free, _ = loop_file("by3", 1500, 104752, 24)
    again, _ = loop_file("by4", 1500, 104752, 24, seed=2)
    compared = json.loads(run("diff", *FILES, "--by", "op", free, again).out)
    assert "in step" not in {row["verdict"] for row in compared["diff_ops"]["rows"]}


def test_formats():
    """text says why there is no interval, CSV has no ends"""
    path, _ = loop_file("formats", 300, 4096, 4096, config=0)
    text = run("report", "--no-symbols", "--all", path).out
    assert "[in step]" in text and "Samples in step with the program" in text
    lines = run("report", "--no-symbols", "--format", "csv", path).out.splitlines()
    shares = [line.split(",") for line in lines if line.startswith("summary,") and ",share," in line]
    assert shares and all(words[-2:] == ["", ""] for words in shares), shares


def test_jobs():
    """several threads find what one does"""
    rng = random.Random(8)
    loop = Loop(4096, rng)
    path = made("jobs", loop.samples(90000, 4096, 7, rng), 4096)
    assert os.path.getsize(path) > 8 << 20
    alone = run("report", *FILES, path).out
    equal(verdict_of(json.loads(alone)), "widened")
    for jobs in ("2", "3"):
        equal(run("report", *FILES, "--jobs", jobs, path).out, alone)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
