#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_papi_intel.py DIRECTORY: PAPI's component has delivered exactly what the modeled Intel PMU has
sampled (guest/scenario_intel.sh), by the component's names and by libpfm4's.
"""

import re
import sys

from papi_delivery import check, result_of
from papi_listing import description, has
from scenario import done, equal, ok, steps

MODES = ("batch", "watermark", "thread", "sample", "overflow")


def check_listing(listing):
    for event, words in (("MEM_LOADS", "only loads of at least so many cycles"),
                         ("MEM_LOADS_RETIRED", "loads retired: MEM_INST_RETIRED:ALL_LOADS")):
        ok(has(listing, event, words) and not has(listing, event, "not here"),
           "papi_native_avail: " + event, description(listing, event))
    ok(has(listing, "IBS_OP_UOPS", "not here: IBS is AMD's"),
       "papi_native_avail: why AMD's events are not here", description(listing, "IBS_OP_UOPS"))


def main():
    found = {step.name: step for step in steps(sys.argv[1])}
    check_listing(found["list"].text)
    for mode in MODES:
        for threads in ("", "-threads"):
            check(found["papi-loads-" + mode + threads], "cpu")
    for name in ("slow-loads", "stores", "instructions", "by-libpfm4", "by-alias"):
        check(found["papi-" + name], "cpu")
    # what is counted is every one, not those that were sampled
    instructions = found["papi-instructions"]
    equal(result_of(instructions)["count"], instructions.stepper["steps"],
          "papi-instructions: PAPI's count is that of all instructions")
    ok(re.search(r"^precis:::MEM_STORES : +\t?\d+", found["command"].text, re.M),
       "papi_command_line: adds, starts and reads them", found["command"].text)
    return done()


sys.exit(main())
