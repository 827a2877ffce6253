#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_intel.py DIRECTORY: every recording of guest/scenario_intel.sh has exactly the samples that the
modeled PMU delivered, with the same address, data source and weights; and precis has the latencies
that stock perf prints.
"""

import json
import os
import re
import sys

from scenario import PERF, PRECIS, done, equal, ok, output, steps

SAMPLE = re.compile(r"PERF_RECORD_SAMPLE\(IP, 0x[0-9a-f]+\): -?\d+/-?\d+: (0x[0-9a-f]+|0) "
                    r"period: \d+ addr: (0x[0-9a-f]+|0)")
WEIGHT = re.compile(r"\.\.\. weight: (\d+),0x([0-9a-f]+),0x([0-9a-f]+)")
DATA_SRC = re.compile(r" \. data_src: 0x([0-9a-f]+)")


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
    return [json.loads(line) for line in output(
        PRECIS, "dump", "--format", "json", "-F", "ip,addr,load_latency,instruction_latency",
        path).splitlines()]


def check_precis(name, path, perf, has_instruction_latency):
    precis = precis_samples(path)
    equal([int(sample["ip"], 16) for sample in precis], [sample["ip"] for sample in perf],
          "%s: precis has the samples that perf has" % name)
    wrong = []
    for ours, theirs in zip(precis, perf):
        load, instruction = theirs["weight"][:2]
        if isinstance(ours.get("load_latency"), int) and ours["load_latency"] != load:
            wrong.append((ours, theirs))
        if isinstance(ours.get("instruction_latency"), int) and (
                not has_instruction_latency or ours["instruction_latency"] != instruction):
            wrong.append((ours, theirs))
    equal(wrong, [], "%s: precis has perf's latencies" % name)


def check_recording(directory, step, has_instruction_latency):
    path = os.path.join(directory, step.name + ".data")
    samples = perf_samples(path)
    ok(len(samples) >= 16, "%s: some samples" % step.name)
    equal(len(samples), step.total("cpu", "delivered"),
          "%s: all that the PMU has delivered" % step.name)
    equal(checksum(samples), step.total("cpu", "sum"),
          "%s: with the same address, data source and weights" % step.name)
    check_precis(step.name, path, samples, has_instruction_latency)


def main():
    directory = sys.argv[1]
    found = {step.name: step for step in steps(directory)}
    golden_cove = found["loads"].words["machine"] == "sapphire_rapids"
    if golden_cove:
        ok("auxiliary event" in found["alone"].text,
           "the kernel refuses load latency without its auxiliary event", found["alone"].text)
    for name in ("loads", "stores", "mem", "c2c"):
        check_recording(directory, found[name], golden_cove)
    return done()


sys.exit(main())
