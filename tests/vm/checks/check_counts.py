#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_counts.py DIRECTORY: every recording of a scenario has exactly the samples that the module
delivered, with exactly their registers; and stock perf prints the same registers.
"""

import json
import os
import re
import sys

import losses
from registers import perf_samples
from scenario import PRECIS, done, equal, ok, output, steps

def json_lines(*arguments):
    return [json.loads(line) for line in output(PRECIS, "dump", "--format", "json",
                                                *arguments).splitlines()]


def pmu_of(event):
    return "ibs_fetch" if "ibs_fetch" in event else "ibs_op"


def registers(sample):
    """The registers of a sample in the payload's order; none: it was recorded without"""
    return {name: int(value, 16) for name, value in sample.items()
            if isinstance(value, str) and re.match(r"Ibs[A-Z]", name)}


def checksum(payload):
    """As model/ibs_registers.c has it"""
    return sum(value * (2 * i + 1) for i, value in enumerate(payload)) % 2**64


def lost_samples(path):
    """LOST_SAMPLES is exact and for each event; LOST, without it, counts records of all kinds."""
    records = json_lines("--records=LOST,LOST_SAMPLES", path)
    exact = [r for r in records if r["type"] == "LOST_SAMPLES"]
    return sum(r["body"]["lost"] for r in exact or records)


def check_module(step):
    name = step.name
    for pmu in step.pmus():
        count = lambda what: step.total(pmu, what)  # noqa: E731
        equal(count("tagged"), count("filtered") + count("delivered") + count("discarded") +
              count("unhandled"), "%s: %s: nothing tagged is forgotten" % (name, pmu))
        equal(count("unhandled"), 0, "%s: %s: the driver knew each interrupt" % (name, pmu))
    # One interrupt may be of both units
    units = [step.total(pmu, "tagged") - step.total(pmu, "filtered") for pmu in step.pmus()]
    if step.words.get("nmi"):
        ok(max(units) <= step.nmis <= sum(units),
           "%s: the kernel counted as many NMIs" % name, step.nmis, units)
    else:
        equal(step.nmis, 0, "%s: no NMI" % name)
    for what, title in (("undecoded", "every instruction was decoded"),
                        ("unexpected", "what was decoded is what ran next")):
        equal(step.stepper.get(what), 0, "%s: %s" % (name, title))


def check_stock_perf(step, path, raw):
    printed = perf_samples(path)
    equal(len(printed), len(raw), "%s: stock perf prints the registers of as many samples"
          % step.name)
    if len({cpu for _, cpu in step.units}) > 1:
        # perf prints one CPU's samples after another's, precis all by time; and perf no addresses that
        # there are not, which are 0
        names = list(raw[0])
        raw, printed = (sorted(all_, key=lambda one: [one.get(name, 0) for name in names])
                        for all_ in (raw, printed))
    # Where the CPU has neither, perf prints what follows the payload as IbsBrTarget or
    # IbsFetchCtlExtd.
    differing = [(ours, theirs) for ours, theirs in zip(raw, printed)
                 if any(ours[name] != value for name, value in theirs.items() if name in ours)]
    ok(not differing, "%s: stock perf prints the same registers" % step.name, *differing[:1])


def check_recording(step, path):
    samples = json_lines("--registers", path)
    lost = lost_samples(path)
    for pmu in step.pmus():
        mine = [s for s in samples if pmu_of(s["event"]) == pmu]
        delivered = step.total(pmu, "delivered")
        if not mine and not delivered:
            continue
        equal(len(mine) + lost, delivered, "%s: %s: %d samples, %d lost: as many as delivered"
              % (step.name, pmu, len(mine), lost))
        raw = [registers(s) for s in mine]
        if not lost and all(raw):
            equal(sum(checksum(r.values()) for r in raw) % 2**64, step.total(pmu, "sum"),
                  "%s: %s: checksum over all registers" % (step.name, pmu))
    raw = [registers(s) for s in samples]
    if raw and all(raw):
        check_stock_perf(step, path, raw)
    return samples, lost


def check_particular(step, path, samples, lost):
    """What the step was made for"""
    if step.name == "lost":
        ok(lost > 0, "lost: samples were lost")
        losses.check("lost", path, step.total("ibs_op", "delivered") - len(samples), False)
    if step.name == "throttled":
        records = json_lines("--records=THROTTLE", path)
        ok(records, "throttled: perf throttled the event")
        equal(len(records), step.total("ibs_op", "throttled"),
              "throttled: a record each time")
    if step.name == "l3missonly":
        ok(step.total("ibs_op", "filtered") > 0, "l3missonly: the hardware filtered")
        levels = {s.get("mem_level") for s in json_lines("-F", "mem_level", path)}
        ok(not levels & {"L1", "L2", "L3"}, "l3missonly: no cache of this core complex",
           sorted(map(str, levels)))
    if step.name == "timer":
        ok(any(int(s["IbsOpRip"], 16) >> 63 for s in samples if "IbsOpRip" in s),
           "timer: samples in the kernel")
    if step.name == "threads":
        equal(len({s["tid"] for s in samples}), 4, "threads: samples of all threads")


def check_seeds(directory):
    """The seed alone makes a difference: "branches" and seed_1 are the same, seed_2 is not."""
    paths = [os.path.join(directory, name + ".data") for name in ("branches", "seed_1", "seed_2")]
    if all(map(os.path.exists, paths)):
        # Not their registers: each process has pages of its own
        ips = [[s["ip"] for s in json_lines("-F", "ip", path)] for path in paths]
        ok(ips[0] and ips[0] == ips[1], "seed: the same instructions again")
        ok(ips[0] != ips[2], "seed: with another one other instructions")


def main(directory):
    check_seeds(directory)
    for step in steps(directory):
        equal(step.status, 0, "%s: done" % step.name)
        check_module(step)
        path = os.path.join(directory, step.name + ".data")
        if not os.path.exists(path):
            continue
        samples, lost = check_recording(step, path)
        ok(samples, "%s: there are samples" % step.name)
        check_particular(step, path, samples, lost)
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
