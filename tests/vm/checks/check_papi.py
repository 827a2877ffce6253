#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_papi.py DIRECTORY: what guest/scenario_papi.sh has left there, as TAP."""
import re
import sys

from guest_log import Tap, log_of
from papi_delivery import check, check_lost, check_refused

MODES = ("batch", "watermark", "thread", "sample", "overflow")


def event_in(listing, name):
    """An event's part of what papi_native_avail prints, on one line"""
    found = re.search(r"\| precis:::%s .*?(?=\n-{20}|\n={20})" % name, listing, re.S)
    return re.sub(r"\s*\|\n\|\s*", " ", found[0]) if found else ""


def check_listing(tap, steps):
    components, new, old = (steps[name].text if name in steps else ""
                            for name in ("components", "list", "list-old"))
    active = components.partition("Active components")[2]
    tap.ok("precis" in active, "papi_component_avail: the component is active", components)
    for name, qualifier in (("IBS_OP_CYCLES", "l3missonly"), ("IBS_OP_UOPS", "l3missonly"),
                            ("IBS_FETCH", "rand_en")):
        event = event_in(new, name)
        tap.ok(":%s=0" % qualifier in event and "not here" not in event.partition(":ldlat")[0]
               .partition(":fetchlat")[0], "papi_native_avail: %s with %s" % (name, qualifier),
               event)
    tap.ok(re.search(r":swfilt=0.*not here: the PMU", event_in(new, "IBS_OP_UOPS")),
           "papi_native_avail: a format that this kernel's PMU lacks is told so",
           event_in(new, "IBS_OP_UOPS"))
    tap.ok(re.search(r":l3missonly=0.*?not here: the PMU.*:ldlat",
                     event_in(old, "IBS_OP_CYCLES")),
           "papi_native_avail: and one that this CPU's IBS lacks", event_in(old, "IBS_OP_CYCLES"))
    tap.ok("not here: PEBS is Intel's" in event_in(new, "MEM_LOADS"),
           "papi_native_avail: and Intel's events", event_in(new, "MEM_LOADS"))


def main():
    tap, steps = Tap(), log_of(sys.argv[1])
    check_listing(tap, steps)
    check_refused(tap, steps, "refused-thread", "whole CPUs only", "PAPI_CPU_ATTACH")
    check_refused(tap, steps, "refused-signal", "BATCH or THREAD")
    for name in ("cpu-batch", "cpu-batch-threads", "cpu-thread"):
        check(tap, steps, name, "ibs_op")
    check(tap, steps, "cpu-fetch", "ibs_fetch")
    check_lost(tap, steps, "cpu-lost", "ibs_op")
    for mode in MODES:
        for threads in ("", "-threads"):
            check(tap, steps, "task-" + mode + threads, "ibs_op")
    check(tap, steps, "task-fetch", "ibs_fetch")
    return tap.done()


sys.exit(main())
