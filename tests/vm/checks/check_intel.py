#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_intel.py DIRECTORY: every recording of guest/scenario_intel.sh has exactly the samples that
the modeled PMU delivered, with the same address, data source and weights; precis has the latencies
that stock perf prints, and the levels of caches and memory that the model had put into the records.
"""

import collections
import json
import os
import re
import sys

import losses
from scenario import PERF, PRECIS, done, equal, ok, output, steps

SAMPLE = re.compile(r"PERF_RECORD_SAMPLE\(IP, 0x[0-9a-f]+\): -?\d+/-?\d+: (0x[0-9a-f]+|0) "
                    r"period: \d+ addr: (0x[0-9a-f]+|0)")
WEIGHT = re.compile(r"\.\.\. weight: (\d+),0x([0-9a-f]+),0x([0-9a-f]+)")
DATA_SRC = re.compile(r" \. data_src: 0x([0-9a-f]+)")


# enum vm_level of model/model.h as precis has it: mem_level, mem_remote, mem_snoop. Level 0: none
LEVELS = {
    1: ("L1", None, None), 2: ("LFB", None, None), 3: ("L2", None, None),
    4: ("L3", "local", "none"), 5: ("L3", "local", "modified"),
    6: ("far_cache", "remote_node", "modified"),
    7: ("DRAM", "local", "hit"), 8: ("DRAM", "remote_node", "none"),
}
FIELDS = ("ip,op,load_latency,cache_latency,instruction_latency,mem_level,mem_remote,mem_snoop,"
          "tlb_level,locked")


def perf_samples(path):
    """Each sample's ip, addr, data_src and weights, as perf report -D prints them"""
    found = []
    for line in output(PERF, "report", "-D", "-i", path).splitlines():
        sample, weight, source = (form.search(line) for form in (SAMPLE, WEIGHT, DATA_SRC))
        if sample:
            found.append({"ip": int(sample[1], 16), "addr": int(sample[2], 16)})
        elif weight and found:
            found[-1]["weight"] = (int(weight[1]), int(weight[2], 16), int(weight[3], 16))
        elif source and found:
            found[-1]["data_src"] = int(source[1], 16)
    return found


def checksum(samples):
    """As modules/cpu_ds.c has it"""
    total = 0
    for sample in samples:
        var1, var2, var3 = sample["weight"]
        words = (sample["ip"], sample["addr"], sample["data_src"], var1 | var2 << 32 | var3 << 48)
        total += sum(word * (2 * i + 1) for i, word in enumerate(words))
    return total % 2**64


def precis_samples(path):
    return [json.loads(line) for line in output(PRECIS, "dump", "--format", "json", "-F", FIELDS,
                                                path).splitlines()]


def number(sample, field):
    """None: it has none, and perhaps a reason"""
    value = sample.get(field)
    return value if isinstance(value, int) else None


def check_latencies(name, precis, perf, golden_cove):
    expected = [(sample["weight"][0] if ours["op"] == "load" else None,
                 sample["weight"][1] if golden_cove else None)
                for ours, sample in zip(precis, perf)]
    # Golden Cove tells two, and neither is what older cores call the latency of a load
    load_field = "cache_latency" if golden_cove else "load_latency"
    found = [(number(sample, load_field), number(sample, "instruction_latency"))
             for sample in precis]
    equal(found, expected, "%s: precis has perf's latencies" % name)
    ok(all(load is None or load >= 30 for load, _ in found),
       "%s: no load is faster than was asked for" % name)


def check_levels(step, precis, golden_cove):
    """Stores have no full data source before Golden Cove."""
    precis = [sample for sample in precis if golden_cove or sample["op"] == "load"]
    words = [tuple(sample.get(field) if isinstance(sample.get(field), str) else None
                   for field in ("mem_level", "mem_remote", "mem_snoop")) for sample in precis]
    expected = collections.Counter()
    for level, key in LEVELS.items():
        expected[key] += step.total("cpu", "level%d" % level)
    equal(collections.Counter(words), +expected, "%s: precis has the model's levels" % step.name)
    equal(sum(sample["tlb_level"] == "walk" for sample in precis), step.total("cpu", "walks"),
          "%s: and its page walks" % step.name)
    equal(sum(sample["locked"] is True for sample in precis), step.total("cpu", "locked"),
          "%s: and its locked instructions" % step.name)


def check_recording(directory, step, golden_cove):
    path = os.path.join(directory, step.name + ".data")
    samples = perf_samples(path)
    ok(len(samples) >= 16, "%s: some samples" % step.name)
    equal(len(samples), step.total("cpu", "delivered"),
          "%s: all that the PMU has delivered" % step.name)
    equal(checksum(samples), step.total("cpu", "sum"),
          "%s: with the same address, data source and weights" % step.name)
    precis = precis_samples(path)
    equal([int(sample["ip"], 16) for sample in precis], [sample["ip"] for sample in samples],
          "%s: precis has the samples that perf has" % step.name)
    check_latencies(step.name, precis, samples, golden_cove)
    check_levels(step, precis, golden_cove)


def main():
    directory = sys.argv[1]
    found = {step.name: step for step in steps(directory)}
    golden_cove = found["loads"].words["machine"] == "sapphire_rapids"
    if golden_cove:
        ok("auxiliary event" in found["alone"].text,
           "the kernel refuses load latency without its auxiliary event", found["alone"].text)
    for name in ("loads", "stores", "mem", "c2c"):
        check_recording(directory, found[name], golden_cove)
    path = os.path.join(directory, "lost.data")
    missing = found["lost"].total("cpu", "delivered") - len(perf_samples(path))
    losses.check("lost", path, missing, True)
    return done()


sys.exit(main())
