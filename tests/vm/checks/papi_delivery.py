# SPDX-License-Identifier: BSD-3-Clause
"""What papi_samples has got, compared with what the modeled PMU has handed to perf."""


def ran(tap, steps, name, pmu):
    """@return the step's result and what the PMU says, or None"""
    step = steps.get(name)
    if step and step.status == 0 and step.result and pmu in step.delivered:
        return step.result, step.delivered[pmu]
    tap.ok(False, name + ": ran", step.text if step else "no such step")
    return None


def check(tap, steps, name, pmu, least=16):
    """Each sample arrived once, with all registers, at the address that the PMU says"""
    both = ran(tap, steps, name, pmu)
    if not both:
        return
    result, truth = both
    samples = int(result["samples"])
    tap.ok(least <= samples == truth[0], "%s: as many samples as the PMU has delivered" % name,
           "papi %d, the model %d, at least %d" % (samples, truth[0], least))
    tap.ok(int(result["sum"], 16) == truth[1], "%s: with the same registers" % name,
           "papi %s, the model %x" % (result["sum"], truth[1]))
    tap.ok(int(result["address"]) == samples, "%s: each at the PMU's address" % name, result)
    tap.ok(all(int(result[what]) == 0 for what in ("lost", "discarded", "truncated")),
           "%s: nothing lost, discarded or cut off" % name, result)


def check_lost(tap, steps, name, pmu):
    """Of a small ring: what is not there is counted"""
    both = ran(tap, steps, name, pmu)
    if not both:
        return
    result, truth = both
    samples, lost = int(result["samples"]), int(result["lost"])
    tap.ok(lost > 0 and samples > 0, "%s: some fit, some do not" % name, result)
    tap.ok(samples + lost == truth[0],
           "%s: and both together are what the PMU has delivered" % name,
           "%d + %d, the model %d" % (samples, lost, truth[0]))


def check_refused(tap, steps, name, *words):
    """It must not work, and say why"""
    step = steps.get(name)
    error = step.error() if step else None
    tap.ok(step and step.status == 0 and error and all(word in error for word in words),
           "%s: refused, with the reason" % name, step.text if step else "no such step")
