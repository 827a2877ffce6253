#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_papi.py DIRECTORY: PAPI's component has delivered exactly what the IBS of the kernel's driver
has sampled (guest/scenario_papi.sh), and says what this kernel's driver cannot.
"""

import sys

from papi_delivery import check, check_count, check_lost, check_refused, check_throttled
from papi_listing import description, has
from scenario import done, ok, steps

MODES = ("batch", "watermark", "thread", "sample", "overflow")
NO_FORMAT = "(not here: the PMU here has no such format)"


def check_listing(components, zen4, older):
    ok("precis" in components.partition("Active components")[2],
       "papi_component_avail: the component is active", components)
    for event, format_bits in (("IBS_OP_CYCLES", "only ops that miss the L3"),
                               ("IBS_OP_UOPS", "only ops that miss the L3"),
                               ("IBS_FETCH", "the period's lowest bits are random")):
        ok(has(zen4, event, format_bits) and not has(zen4, event, format_bits + NO_FORMAT),
           "papi_native_avail: %s has its format: %s" % (event, format_bits),
           description(zen4, event))
    ok(has(zen4, "IBS_OP_UOPS", "the kernel drops samples outside the domain " + NO_FORMAT),
       "papi_native_avail: what this kernel's driver lacks", description(zen4, "IBS_OP_UOPS"))
    ok(has(older, "IBS_OP_UOPS", "only ops that miss the L3 " + NO_FORMAT),
       "papi_native_avail: what the IBS of Zen 3 lacks", description(older, "IBS_OP_UOPS"))
    ok(has(zen4, "MEM_LOADS", "not here: PEBS is Intel's"),
       "papi_native_avail: why Intel's events are not here", description(zen4, "MEM_LOADS"))


def main():
    found = {step.name: step for step in steps(sys.argv[1])}
    check_listing(*(found[name].text for name in ("components", "list", "list-older")))
    check_refused(found["refused-thread"], "whole CPUs only", "PAPI_CPU_ATTACH")
    check_refused(found["refused-signal"], "BATCH or THREAD")
    check_refused(found["refused-user"], "perf_event_paranoid is 2", "CAP_PERFMON")
    check_refused(found["refused-domain"], "PRECIS_PAPI_DOMAIN=all", "PAPI_set_cmp_domain")
    for name in ("cpu-batch", "cpu-batch-threads", "cpu-thread"):
        check(found[name], "ibs_op")
    check(found["cpu-fetch"], "ibs_fetch")
    check_lost(found["cpu-lost"], "ibs_op")
    # The driver counts at interrupts, which come with this period
    interrupts = found["cpu-count"].total("ibs_op", "delivered")
    ok(interrupts > 0, "cpu-count: there were interrupts")
    check_count(found["cpu-count"], interrupts * 0xffff0)
    for mode in MODES:
        for threads in ("", "-threads"):
            check(found["task-" + mode + threads], "ibs_op")
    check(found["task-fetch"], "ibs_fetch")
    check(found["task-throttled"], "ibs_op")
    check_throttled(found["task-throttled"], "ibs_op")
    return done()


sys.exit(main())
