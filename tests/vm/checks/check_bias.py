#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_bias.py DIRECTORY: estimates over all seeds together are not biased. Of each step of a
scenario that is an estimate (guest/steps.sh):

  - each figure of each table of precis report is, exactly, what the registers that stock perf
    prints of the samples add up to (registers.py);
  - and differs from the exact one, which the module counted over all instructions and apart from
    any register, no more than samples do by chance: shares, means and percentiles (chances.py);
  - each latency is the one that model/machines.def states of the place that the sample names, and
    the place the one that model/placement.c states of its physical address.

What is compared by chance is the same each time, since the seeds are. In ALARMS of a thousand
other choices of seeds, at most, something would be found in a directory where nothing is wrong.
"""

import csv
import io
import json
import os
import sys

import chances
from figures import ENDS, MEAN_ENDS, PERCENTILES, Share, figures, value
from machines import STATED, Machine, place
import registers as r
from scenario import PRECIS, done, equal, estimates, ok, output, steps

ALARMS = 1

# Sections of precis report that are not about what was sampled (or repeat it by address), and
# columns of others that are no figures: why a field is absent, what a share is of
OTHER_SECTIONS = ("findings", "recording", "losses", "top_instructions", "top_fetches")
OTHER_COLUMNS = ("note", "present", "of")

# What the dump calls them
LEVELS = {r.L3: ("L3", "local"), r.NEAR_CACHE: ("near_cache", "local"),
          r.FAR_CACHE: ("far_cache", "remote_node"), r.DRAM: ("DRAM", "local"),
          r.FAR_DRAM: ("DRAM", "remote_node"), r.PMEM: ("PMEM", "local"),
          r.EXTENSION: ("CXL", "local"), r.PEER: ("peer_agent", "local"), r.MMIO: ("IO", "local"),
          r.L2: ("L2", None), r.MISS_BUFFER: ("LFB", None), r.L1: ("L1", None)}
LEVELS_OF_PATTERNS = {"L1", "L2", "L3", "LFB", "near_cache", "far_cache", "DRAM"}
TLBS = {"L1": 0, "L2": 1, "walk": 2}
FIELDS = ("op,mem_level,mem_remote,l2_miss,phys_addr,dcache_miss_latency,miss_buffer_allocated,"
          "tlb_level,tlb_refill_latency,icache_miss,opcache_miss,fetch_l2_miss,fetch_l3_miss,"
          "fetch_latency,itlb_level,itlb_refill_latency")


def reported(path):
    """{(section, row, column): text} of the figures"""
    found = {}
    text = output(PRECIS, "report", "--no-symbols", "--format", "csv", path)
    for line in csv.DictReader(io.StringIO(text)):
        if (line["section"] not in OTHER_SECTIONS and line["column"] not in OTHER_COLUMNS and
                not line["column"].startswith("NOT_") and line["value"]):
            found[line["section"], line["row"], line["column"]] = line["value"]
    return found


def as_printed(number):
    """What is compared: a share has nine digits, a mean six"""
    return None if number in ("", None) else float(number)


def same(printed, figure):
    printed, expected = as_printed(printed), value(figure)
    if printed is None or expected is None:
        return not printed and not expected
    return abs(printed - expected) < 1e-6 + 1e-9 * abs(expected)


def check_report(name, path, sampled):
    """The report has what the registers add up to, all of it, and nothing else."""
    expected, found = figures(sampled), reported(path)
    unknown = sorted(set(found) - set(expected))
    equal(unknown, [], "%s: each figure of the report is one that is checked" % name)
    missing = sorted(key for key in set(expected) - set(found) if value(expected[key]))
    equal(missing, [], "%s: the report has each figure that is not 0" % name)
    wrong = [(key, found[key], value(expected[key])) for key in sorted(found)
             if key in expected and not same(found[key], expected[key])]
    ok(not wrong, "%s: %d figures are what the samples' registers add up to" % (name, len(found)),
       *wrong[:10])


def chance(sampled, exact):
    """None: nothing to compare"""
    if isinstance(sampled, Share):
        if not sampled.whole or not exact.whole:
            return None if not sampled.whole else 0.0
        return chances.of_share(sampled.part, sampled.whole, exact.part / exact.whole)
    if not isinstance(sampled, tuple) or sampled[0] in ("n", "max") + ENDS + MEAN_ENDS:
        return None # shares have the counts, percentiles the values, and ends are of these
    name, distribution = sampled
    n = sum(distribution.values())
    if not n:
        return None
    if name == "mean":
        return chances.of_mean(value(sampled), n, exact[1]) if exact[1] else 0.0
    numerator, denominator = PERCENTILES[name]
    return chances.of_percentile(value(sampled), n, -(-n * numerator // denominator), exact[1])


def all_chances(name, sampled, exact):
    """{(step, section, row, column): how probable it is to be so wrong}"""
    exact = figures(exact)
    found = {(name,) + key: chance(figure, exact[key]) for key, figure in figures(sampled).items()}
    return {key: number for key, number in found.items() if number is not None}


def check_chances(tested):
    least = ALARMS / 1000 / len(tested)
    wrong = sorted((number, key) for key, number in tested.items() if number < least)
    ok(not wrong, "%d figures over all seeds are as near to the exact ones as samples are by "
       "chance (false alarms: %d of 1000)" % (len(tested), ALARMS), *wrong[:10])
    for number, key in sorted((number, key) for key, number in tested.items())[:3]:
        print("# least probable: %.2g %s" % (number, " / ".join(key)))


def wrong_place(sample):
    """A place beyond the L3 that is not the address's"""
    named = sample.get("mem_level"), sample.get("mem_remote")
    level = next((level for level, names in LEVELS.items() if names == named), None)
    if level is None or level <= r.L3 or level == r.MMIO or "phys_addr" not in sample:
        return False
    return level != place(int(sample["phys_addr"], 16))


def wrong_miss(sample):
    """What missed the L1 and not the L2 was in the L2."""
    return ("mem_level" in sample and isinstance(sample.get("l2_miss"), (bool, int)) and
            bool(sample["l2_miss"]) != (sample["mem_level"] != "L2"))


def wrong_load(machine, sample):
    """A load with its own miss buffer has the latency of where its data was."""
    if sample.get("miss_buffer_allocated") is not True or "dcache_miss_latency" not in sample:
        return False
    named = sample.get("mem_level"), sample.get("mem_remote")
    expected = [machine.load[level] for level, names in LEVELS.items()
                if names == named and level in machine.load]
    return expected != [sample["dcache_miss_latency"]]


def wrong_refill(machine, sample):
    wrong = False
    for level, latency, stated in (("tlb_level", "tlb_refill_latency", machine.dtlb),
                                   ("itlb_level", "itlb_refill_latency", machine.itlb)):
        if isinstance(sample.get(latency), int):
            wrong |= stated.get(TLBS.get(sample.get(level))) != sample[latency]
    return wrong


def wrong_fetch(machine, sample):
    """The op cache's latency or that of where the instructions were, and the refill's"""
    if not isinstance(sample.get("fetch_latency"), int):
        return False
    if sample["fetch_l3_miss"]:
        data = [machine.load[level] for level in machine.load if level > r.L3]
    elif sample["icache_miss"]:
        data = [machine.load[r.L3 if sample["fetch_l2_miss"] else r.L2]]
    else:
        data = [machine.l1i if sample["opcache_miss"] else machine.op_cache]
    refill = sample["itlb_refill_latency"] if sample["itlb_level"] != "L1" else 0
    return sample["fetch_latency"] not in [min(cycles + refill, 0xffff) for cycles in data]


def check_stated(name, path, machine):
    samples = [json.loads(line) for line in output(PRECIS, "dump", "--format", "json", "-F", FIELDS,
                                                   path).splitlines()]
    for title, wrong in (
            ("placement.c's rule gives the place that each sample names",
             wrong_place),
            ("what missed the L2 was not there", wrong_miss),
            ("each load took as long as machines.def states of where its data was",
             lambda sample: wrong_load(machine, sample)),
            ("each refill took as long as machines.def states",
             lambda sample: wrong_refill(machine, sample)),
            ("each fetch took as long as machines.def states of where it found its block",
             lambda sample: wrong_fetch(machine, sample))):
        found = [sample for sample in samples if wrong(sample)]
        ok(not found, "%s: %s" % (name, title), "%d of %d" % (len(found), len(samples)), *found[:3])
    seen = {sample.get("mem_level") for sample in samples}
    return seen


def main(directory):
    tested = {}
    for name, machine in {step.words["machine"]: None for step in steps(directory)}.items():
        equal(Machine(name).stated(), STATED[name], "%s: machines.def is as it was" % name)
    for step in estimates(directory):
        path = os.path.join(directory, step.name + ".data")
        sampled = r.sampled_totals(r.perf_samples(path))
        check_report(step.name, path, sampled)
        tested.update(all_chances(step.name, sampled, r.exact_totals(directory, step.name)))
        seen = check_stated(step.name, path, Machine(step.words["machine"]))
        ok(step.words["machine"] != "zen4_patterns" or seen >= LEVELS_OF_PATTERNS,
           "%s: there were samples of each level that there should be" % step.name, seen)
    check_chances(tested)
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
