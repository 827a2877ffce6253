#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_erratum.py DIRECTORY: where AMD-718 leaves the bits of older samples in IbsOpData3, the
registers say what is not so, and precis does not: it says L1 of those that hit the first-level TLB,
which another bit tells, and nothing, with the erratum's name, of the others.
"""

import json
import os
import sys

import chances
import registers as r
from scenario import PRECIS, done, equal, estimates, ok, output

L1_MISS, L2_MISS, ADDRESS_VALID = 2, 3, 17
SURE = 1e-6   # what chance does not do
ALARM = 0.002  # what it does in two choices of seeds of a thousand


def accesses(path):
    """IbsOpData3 of those that have a translation"""
    every = (sample["IbsOpData3"] for sample in r.perf_samples(path) if "IbsOpData3" in sample)
    return [data3 for data3 in every if r.bits(data3, ADDRESS_VALID) and data3 & 3]


def dumped(path):
    """tlb_level of the same samples, or why there is none"""
    lines = output(PRECIS, "dump", "--format", "json", "--reasons", "-F", "op,addr,tlb_level", path)
    samples = [json.loads(line) for line in lines.splitlines()]
    return [sample for sample in samples if "addr" in sample and "op" in sample]


def check(directory, step):
    path = os.path.join(directory, step.name + ".data")
    exact = r.exact_totals(directory, step.name).count
    found, samples = accesses(path), dumped(path)
    missed = [data3 for data3 in found if r.bits(data3, L1_MISS)]
    walks = sum(r.bits(data3, L2_MISS) for data3 in missed)
    ok(chances.of_share(walks, len(missed), exact["dtlb_walks"] / exact["dtlb_l1_misses"]) < SURE,
       "%s: the erratum strikes: by the registers %d of %d misses of the L1 TLB walk, in truth "
       "%d of %d" % (step.name, walks, len(missed), exact["dtlb_walks"], exact["dtlb_l1_misses"]))
    ok(any(r.bits(data3, L2_MISS) for data3 in found if not r.bits(data3, L1_MISS)),
       "%s: and some that hit it miss the second level" % step.name)
    equal(len(samples), len(found), "%s: precis has the same samples" % step.name)
    hits = [sample for sample in samples if sample.get("tlb_level") == "L1"]
    equal(len(hits), len(found) - len(missed),
          "%s: precis says L1 of those that hit it" % step.name)
    whole = exact["dtlb_accesses"]
    truth = whole - exact["dtlb_l1_misses"]
    ok(chances.of_share(len(hits), len(samples), truth / whole) >= ALARM,
       "%s: %d of %d, in truth %d of %d" % (step.name, len(hits), len(samples), truth, whole))
    others = [sample for sample in samples if sample not in hits and
              "718" not in json.dumps(sample)]
    equal(others, [], "%s: and names the erratum of the others" % step.name)
    ok(hits and len(hits) < len(samples), "%s: of both there are some" % step.name)


def main(directory):
    for step in estimates(directory):
        equal(step.status, 0, "%s: done" % step.name)
        check(directory, step)
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
