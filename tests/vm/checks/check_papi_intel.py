#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_papi_intel.py DIRECTORY: PAPI's component has delivered exactly what the modeled Intel PMU has
sampled (guest/scenario_intel.sh), by the component's names and by libpfm4's.
"""

import re
import sys

from papi_delivery import check, check_count
from papi_listing import description, has
from scenario import done, ok, steps, totals

MODES = ("batch", "watermark", "thread", "sample", "overflow")


# Events, and what the model's exact totals call what they count
EVENTS = {
    "MEM_STORES": ("stores", "load_stores"), "INST_RETIRED_PREC": ("ops",),
    "MEM_LOADS_RETIRED": ("loads",), "BR_INST_RETIRED:ALL_BRANCHES": ("branches",),
    "MEM_LOAD_RETIRED:L1_MISS": (), "STLB_MISS_LOADS_RETIRED": (),
}


def check_listing(listing):
    for event, words in (("MEM_LOADS", "only loads of more cycles, 1 to 65535"),
                         ("MEM_LOADS_RETIRED", "loads retired: MEM_INST_RETIRED:ALL_LOADS")):
        ok(has(listing, event, words) and not has(listing, event, "not here"),
           "papi_native_avail: " + event, description(listing, event))
    ok(has(listing, "IBS_OP_UOPS", "not here: IBS is AMD's"),
       "papi_native_avail: why AMD's events are not here", description(listing, "IBS_OP_UOPS"))


def main():
    directory = sys.argv[1]
    found = {step.name: step for step in steps(directory)}
    check_listing(found["list"].text)
    for mode in MODES:
        for threads in ("", "-threads"):
            check(found["papi-loads-" + mode + threads], "cpu")
    # The vector has a bit for each event; this one is beyond the first 32
    check(found["papi-many-events"], "cpu")
    check(found["papi-slow-loads"], "cpu")
    for event, members in EVENTS.items():
        check(found["papi-" + event], "cpu", least=1)
        for name in ("papi-" + event, "papi-%s-counted" % event):
            if members:
                exact = totals(directory, name)["all"]
                check_count(found[name], sum(exact[member] for member in members))
    ok(re.search(r"^precis:::MEM_STORES : +\t?\d+", found["command"].text, re.M),
       "papi_command_line: adds, starts and reads them", found["command"].text)
    return done()


sys.exit(main())
