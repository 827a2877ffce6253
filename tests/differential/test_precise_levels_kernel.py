#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
The highest precise level of each of Intel's cores, as precis info --events has it, against the kernel's
own sources (those of test_data_source_kernel.py): what intel_pmu_init() sets for a model, and what
x86_pmu_max_precise() makes of that.
"""

import csv
import io
import os
import re
import subprocess

from differential import QUICK, done, ok, skip, skip_all
from intel_models import core_of
from kernel_sources import CACHE, PACKAGES, sources

CORE, COMMON = "arch/x86/events/intel/core.c", "arch/x86/events/core.c"
PRECIS = os.environ.get("PRECIS", "precis")
SWITCH = re.compile(r"^\tswitch \(boot_cpu_data\.x86_(?:model|vfm)\) \{$", re.M)
# As of 6.12; older kernels have "INTEL_FAM6_".
LABEL = re.compile(r"^\tcase INTEL_(?:FAM6_)?(\w+):")
CALL = re.compile(r"\b(intel_pmu_init_\w+)\(")
INIT = re.compile(r"^static \w+ void (?:__init )?(intel_pmu_init_\w+)\([^)]*\)\n\{\n(.*?)^\}", re.M | re.S)


def rows():
    """@return core: level or None, as precis says"""
    text = subprocess.run([PRECIS, "info", "--events", "--format", "csv"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    found = {}
    for row in csv.DictReader(io.StringIO(text)):
        if row["section"] == "levels" and row["column"] in ("vendor", "level"):
            found.setdefault(row["row"], {})[row["column"]] = row["value"]
    return {core: int(row["level"]) if row["level"] else None for core, row in found.items()
            if row["vendor"] == "Intel"}


def formats():
    """@return core: number of its PEBS format or None"""
    text = subprocess.run([PRECIS, "info", "--events", "--format", "csv"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return {row["row"]: re.sub(r"\D*", "", row["value"]) for row in csv.DictReader(io.StringIO(text))
            if row["section"] == "levels" and row["column"] == "technique"}


def blocks(text):
    """(models, statements) of each case of the switch by models, with that into which it falls"""
    start = SWITCH.search(text, text.index("int intel_pmu_init(void)")).end()
    lines = text[start:].split("\n")[1:]
    models, body = [], []
    for line in lines:
        label = LABEL.match(line)
        if label and body and body[-1].strip() != "fallthrough;":
            yield models, "\n".join(body)
            models, body = [], []
        if line.startswith("\tdefault:") or line == "\t}":
            break
        if label:
            models.append(label[1])
        elif line.strip():
            body.append(line)
    yield models, "\n".join(body)


def with_calls(body, functions):
    """What is done there, and in the functions that it calls"""
    for name in CALL.findall(body):
        body += with_calls(functions.get(name, ""), functions)
    return body


def level(body, pebs_format):
    """
    x86_pmu_max_precise(), of a core whose PEBS works. The cores whose format is not known are among
    those with architectural branch records, which Linux sets up before it looks at the model.
    """
    has_branches = "lbr_init" in body or not pebs_format
    return 1 + (has_branches or int(pebs_format) >= 2) + ("pebs_prec_dist = true" in body)


def levels(text, ours):
    """@return core: the levels that the kernel gives it on some model"""
    functions, found = dict(INIT.findall(text)), {}
    for models, body in blocks(text):
        common = re.search(r"goto (\w+);", body)
        if common:
            body += re.search(r"^\t%s:\n(.*?)\n\t\tbreak;" % common[1], text, re.M | re.S)[1]
        body = with_calls(body, functions)
        for name in models:
            cores = core_of(name)
            for core in [cores] if isinstance(cores, str) else (cores or {}).values():
                found.setdefault(core, set()).add(level(body, ours[core]))
    return found


def judge(version, files, place, told, ours):
    text = files.get(CORE)
    if text is None or COMMON not in files:
        skip("Linux " + version, "%s has not both of %s, %s" % (place, CORE, COMMON))
        return
    ok("if (x86_pmu.lbr_nr || x86_pmu.intel_cap.pebs_format >= 2)" in files[COMMON] and
       "if (x86_pmu.pebs_prec_dist)" in files[COMMON],
       "Linux %s: levels come from what this test reads" % version)
    found = levels(text, ours)
    wrong = ["%s: precis %s, Linux %s" % (core, told[core], sorted(kernel))
             for core, kernel in sorted(found.items()) if kernel != {told[core]}]
    ok(len(found) > 20 and not wrong, "Linux %s: %d cores have the kernel's levels%s" %
       (version, len(found), ": " * bool(wrong) + "; ".join(wrong)))
    # What it does not name precis does not know from it.
    if version == "6.12":
        unknown = {core for core, value in told.items() if value is None}
        ok(not unknown & set(found), "Linux %s: no level is missing that it gives" % version)


def main():
    if QUICK:
        skip_all("PRECIS_QUICK: unpacking a kernel takes a while")
    kernels = sources((CORE, COMMON), CACHE)
    if not kernels:
        skip_all("no kernel source: neither %s nor %s" % (PACKAGES, CACHE))
    told, ours = rows(), formats()
    for version, files, place in kernels:
        judge(version, files, place, told, ours)
    done()


main()
