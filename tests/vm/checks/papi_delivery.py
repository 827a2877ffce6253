# SPDX-License-Identifier: BSD-3-Clause
"""What papi_samples has got, compared with what the modeled PMU has handed to perf."""

import re

from scenario import equal, ok


def result_of(step):
    """The line that papi_samples prints; {}: it did not"""
    found = re.search(r"^result \S+ (.*)$", step.text if step else "", re.M)
    pairs = found[1].split() if found else []
    numbers = {name: int(value, 16 if name == "sum" else 10)
               for name, value in zip(pairs[::2], pairs[1::2])}
    if not numbers:
        ok(False, "%s: has a result" % (step.name if step else "a step"),
           step.text if step else "no such step")
    return numbers


def check(step, pmu, least=16):
    """Each sample arrived once, with all registers, at the address that the PMU says."""
    result = result_of(step)
    if not result:
        return
    delivered = step.total(pmu, "delivered")
    ok(result["samples"] >= least, "%s: some samples" % step.name, step.text)
    equal(result["samples"], delivered, "%s: all that the PMU has delivered" % step.name)
    equal(result["sum"], step.total(pmu, "sum"), "%s: with the same registers" % step.name)
    equal(result["address"], delivered, "%s: each at the PMU's address" % step.name)
    equal([result[what] for what in ("lost", "discarded", "truncated")], [0, 0, 0],
          "%s: none lost, discarded or cut off" % step.name)


def check_lost(step, pmu):
    """Of a small ring: what is not there is counted."""
    result = result_of(step)
    if not result:
        return
    ok(result["lost"] > 0 and result["samples"] > 0,
       "%s: some samples fit, some do not" % step.name, step.text)
    equal(result["samples"] + result["lost"], step.total(pmu, "delivered"),
          "%s: together they are what the PMU has delivered" % step.name)


def check_throttled(step, pmu):
    """The kernel stopped the event now and then; what it said of that was heard."""
    result = result_of(step)
    if not result:
        return
    ok(result["throttled"] > 0 and result["throttled_ns"] > 0,
       "%s: the kernel throttled it, for some time" % step.name, step.text)
    equal(result["throttled"], step.total(pmu, "throttled"), "%s: as often as it says" % step.name)


def check_count(step, expected):
    """What PAPI_stop says"""
    result = result_of(step)
    if result:
        equal(result["count"], expected, "%s: PAPI's count is the model's" % step.name)


def check_refused(step, *words):
    """The program failed (the step, which is about that, did not), and said why."""
    found = re.search(r"^error (.*)$", step.text if step else "", re.M)
    ok(found and step.status == 0 and all(word in found[1] for word in words),
       "%s: refused, with the reason" % (step.name if step else "a step"),
       step.text if step else "no such step")
