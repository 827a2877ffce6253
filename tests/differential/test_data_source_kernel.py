#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
The tables and layouts of Intel's data sources against the kernel's own functions: those of each
kernel source that is here (Debian's linux-source-6.1, linux-source-6.12, and the kernels of the
virtual machine's checks) are compiled outside of it, in a folder that is removed, and asked for every
data source of 16 bits. The same sources say which model numbers Intel's cores have.
"""

import os
import re
import subprocess
import tempfile

from differential import BUILD, QUICK, TOP, done, note, ok, skip, skip_all
from intel_models import NO_CORE, core_of
from kernel_sources import (CACHE, KERNEL, PACKAGES, UAPI, compiled, nothing_of, slice_of,
                            sources)

TOOL = os.path.join(BUILD, "tests/differential/data_sources")
PREAMBLE = os.path.join(TOP, "tests/differential/linux_data_source.h")
DS, FAMILY = "arch/x86/events/intel/ds.c", "arch/x86/include/asm/intel-family.h"
NEEDED = (DS, UAPI, KERNEL, FAMILY)
REPORTED = 5
LVL_NUM_NA = 0xf << 33

# enum precis_pebs_facility, and the kernel's flags for such an event on P cores, and on E cores and
# since Lion Cove
LOAD, STORE, PRECISE_STORE, LA_LOAD, LA_STORE, LA_OTHER = 1, 2, 3, 4, 5, 6
FLAGS = {LOAD: ("LDLAT", "LAT_HYBRID|LD_HSW"), STORE: ("STLAT", "LAT_HYBRID|ST_HSW"),
         PRECISE_STORE: ("ST", None), LA_LOAD: ("LD_HSW", None), LA_STORE: ("ST_HSW", None),
         LA_OTHER: ("NA_HSW", None)}

INIT = "intel_pmu_pebs_data_source_"
SNB_EVENTS = (LOAD, PRECISE_STORE)
HSW_EVENTS = (LOAD, LA_LOAD, LA_STORE, LA_OTHER)
GLC_EVENTS = (LOAD, STORE, LA_LOAD, LA_STORE, LA_OTHER)
HYBRID_EVENTS = (LOAD, STORE)

# Core: the statements with which the kernel sets itself up for it, its events, 1 if their flags
# are the second ones. As in intel_pmu_init() of arch/x86/events/intel/core.c.
BLOCK = "x86_pmu.pebs_block = true;"
HYBRID = "x86_pmu.hybrid = true; event.pmu = &x86_pmu.hybrid_pmu[%d]; " \
         "event.pmu->pmu_type = event.pmu->cpu_type = %s;"
BIG, SMALL = HYBRID % (0, "hybrid_big"), HYBRID % (1, "hybrid_small")
LATENCY = "x86_pmu.pebs_latency_data = %s_latency_data;"
CORES = {
    "Nehalem": (INIT + "nhm(); x86_pmu.pebs_no_tlb = 1;", (LOAD,), 0),
    "Westmere": (INIT + "nhm();", (LOAD,), 0),
    "Sandy Bridge": ("", SNB_EVENTS, 0),
    "Ivy Bridge": ("", SNB_EVENTS, 0),
    "Haswell": ("", HSW_EVENTS, 0),
    "Broadwell": ("", HSW_EVENTS, 0),
    "Skylake": (INIT + "skl(false);", HSW_EVENTS, 0),
    "Skylake (server)": (INIT + "skl(true);", HSW_EVENTS, 0),
    "Sunny Cove": (INIT + "skl(false);", HSW_EVENTS, 0),
    "Sunny Cove (server)": (INIT + "skl(true);", HSW_EVENTS, 0),
    "Cypress Cove": (INIT + "skl(false);", HSW_EVENTS, 0),
    "Willow Cove": (INIT + "skl(false);", HSW_EVENTS, 0),
    "Golden Cove": (INIT + "adl();" + BLOCK + BIG, GLC_EVENTS, 0),
    "Golden Cove (server)": (INIT + "skl(true);" + BLOCK, GLC_EVENTS, 0),
    "Gracemont": (INIT + "adl();" + BLOCK + SMALL + LATENCY % "grt", HYBRID_EVENTS, 1),
    "Raptor Cove": (INIT + "adl();" + BLOCK + BIG, GLC_EVENTS, 0),
    "Raptor Cove (server)": (INIT + "skl(true);" + BLOCK, GLC_EVENTS, 0),
    "Redwood Cove": (INIT + "mtl();" + BLOCK + BIG, GLC_EVENTS, 0),
    "Redwood Cove (server)": (INIT + "skl(true);" + BLOCK, GLC_EVENTS, 0),
    "Crestmont": (INIT + "cmt();" + BLOCK + LATENCY % "cmt", HYBRID_EVENTS, 1),
    "Lion Cove": (INIT + "lnl();" + BLOCK + BIG + LATENCY % "lnl", HYBRID_EVENTS, 1),
    "Skymont": (INIT + "lnl();" + BLOCK + SMALL + LATENCY % "lnl", HYBRID_EVENTS, 1),
    "Cougar Cove": (INIT + "lnl();" + BLOCK + BIG + LATENCY % "lnl", HYBRID_EVENTS, 1),
    "Darkmont": (INIT + "lnl();" + BLOCK + SMALL + LATENCY % "lnl", HYBRID_EVENTS, 1),
    "Panther Cove": (BLOCK + LATENCY % "pnc", HYBRID_EVENTS, 1),
    "Coyote Cove": (BLOCK + BIG + LATENCY % "nvl", HYBRID_EVENTS, 1),
    "Arctic Wolf": (BLOCK + SMALL + LATENCY % "nvl", HYBRID_EVENTS, 1),
}

TYPES = ("", "P", "E", "LP-E")


def harness(files):
    """@return a C program: CORE EVENT-FLAGS; names of the cores that this kernel knows"""
    text = files[DS]
    first = "union omr_encoding" if "\nunion omr_encoding" in text else "union intel_x86_pebs_dse"
    decoding = slice_of(text, first, "struct pebs_record_core {")
    choice = slice_of(text, "#define PERF_X86_EVENT_PEBS_HSW_PREC", "static void setup_pebs_")
    known, cases = [], []
    for number, (core, (statements, _, _)) in enumerate(CORES.items()):
        functions = re.findall(r"(\w+)\(", statements) + re.findall(r"= (\w+_latency_data)",
                                                                    statements)
        if all(re.search(r"\b%s\(" % name, decoding) for name in functions):
            known.append(core)
            cases.append("case %d: %s break;" % (number, statements))
    main = """
int main(int argc, char **argv)
{
	struct perf_event event = { .hw.flags = atoi(argv[argc - 1]) };

	switch (atoi(argv[1])) { %s }
	for (u64 dse = 0; dse <= 0xffff; dse++)
		printf("%%llx\\n", (unsigned long long)get_data_src(&event, dse));
	return 0;
}
""" % "\n".join(cases)
    return "\n".join(['#include "%s"' % PREAMBLE, '#include "uapi.h"', nothing_of(files), decoding,
                      choice, main]), known


def flags_number(names):
    values = {"LDLAT": 1, "ST": 2, "ST_HSW": 4, "LD_HSW": 8, "NA_HSW": 16, "STLAT": 32,
              "LAT_HYBRID": 64}
    return sum(values[name] for name in names.split("|"))


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def compare(version, program, core, number, unsaid):
    """
    @param unsaid  what this kernel leaves 0 in PERF_MEM_NA, and newer ones do not
    @return how many words were compared
    """
    _, events, column = CORES[core]
    position = str(list(CORES).index(core))
    words = 0
    for event in events:
        kernel = output(program, position, str(flags_number(FLAGS[event][column]))).split()
        if event in (LA_LOAD, LA_STORE, LA_OTHER):
            kernel = [b"%x" % (int(word, 16) | unsaid) for word in kernel]
        ours = output(TOOL, "dse", str(number), str(event)).split()
        wrong = [(dse, a, b) for dse, (a, b) in enumerate(zip(ours, kernel)) if a != b]
        for dse, a, b in wrong[:REPORTED]:
            note("%s, event %d, source %x: precis %s, Linux %s" %
                 (core, event, dse, a.decode(), b.decode()))
        ok(len(ours) == len(kernel) == 0x10000 and not wrong,
           "Linux %s: %s, event %d, %d differ" % (version, core, event, len(wrong)))
        words += len(ours)
    return words


def cores_of_models():
    """@return (family, model): {type: name of the core}"""
    found = {}
    for line in output(TOOL, "models").decode().splitlines():
        family, model, kind, name = line.split("\t")
        found.setdefault((int(family), int(model)), {})[TYPES[int(kind)]] = name
    return found


def compare_models(version, header):
    """Each model number that Linux has a name for is the core that the name says"""
    found, wrong, count = cores_of_models(), [], 0
    for name, family, model in re.findall(
            r"^#define INTEL_(?:FAM6_)?(\w+)\s+(?:IFM\((\d+), )?(0x[0-9A-F]{2})\b", header, re.M):
        if NO_CORE.match(name):
            continue
        count += 1
        core = core_of(name)
        ours = dict(found.get((int(family or 6), int(model, 16)), {}))
        if isinstance(core, str):
            expected = len(ours) == 2 and "" in ours and set(ours.values()) == {core}
        else:
            expected = core is not None and ours == core
        if not expected:
            wrong.append("%s %s" % (name, ours))
    note("Linux %s: %d models compared" % (version, count))
    ok(count > 60 and not wrong, "Linux %s: models have the cores of their names%s" %
       (version, ": " * bool(wrong) + "; ".join(wrong)))


def judge(version, files, place, folder, cores, rows):
    if len(files) != len(NEEDED):
        skip("Linux " + version, "%s has not all of %s" % (place, ", ".join(NEEDED)))
        return
    compare_models(version, files[FAMILY])
    text, known = harness(files)
    program, complaint = compiled(folder, text, files)
    if program is None:
        ok(False, "Linux %s: its functions compile: %s" % (version, complaint))
        return
    newest = tuple(map(int, version.split(".")))
    words, compared = 0, set()
    unsaid = 0 if "(LVLNUM, NA)" in nothing_of(files) else LVL_NUM_NA
    for core, (number, tables) in cores.items():
        if core in known:
            words += compare(version, program, core, number, unsaid)
            compared.update(tables)
        else:
            skip("Linux %s: %s" % (version, core), "this kernel does not know the core")
    newer = [row for row in rows if tuple(map(int, row[2].split("."))) > newest]
    done_rows = [row for row in rows if row[0] in compared and row not in newer]
    note("Linux %s: %d words, %d rows of tables compared, %d rows skipped: read in a newer kernel" %
         (version, words, len(done_rows), len(newer)))
    ok(len(done_rows) + len(newer) == len(rows),
       "Linux %s: each row is compared or newer" % version)


def main():
    if QUICK:
        skip_all("PRECIS_QUICK: unpacking a kernel takes a while")
    found = sources(NEEDED, CACHE)
    if not found:
        skip_all("no %s and no kernels in %s" % (PACKAGES, CACHE))
    lines = output(TOOL, "cores").decode().splitlines()
    cores = {}
    for number, name, *tables in (line.split("\t") for line in lines):
        if tables[0] != "NONE":
            cores[name] = (int(number), tables)
    ok(set(cores) == set(CORES), "each core with a data source is compared")
    # a row of a table that others build on is one row
    rows = {tuple(line.split("\t")) for line in output(TOOL, "rows").decode().splitlines()}
    for version, files, place in found:
        with tempfile.TemporaryDirectory() as folder:
            judge(version, files, place, folder, cores, rows)
    done()


main()
