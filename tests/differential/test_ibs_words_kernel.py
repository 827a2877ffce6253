#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
IBS without its registers: the words that the kernel's own functions make of all states of the
registers, on all cores. What precis makes of the words must never contradict what it makes of the
registers; it may know less, if the reason says so. The functions are those of each kernel source
that is here: Debian's linux-source-6.1, linux-source-6.12, and the kernels of the virtual machine's
checks. They are compiled in a folder that is removed.
"""

import os
import re
import subprocess
import tempfile

from differential import BUILD, QUICK, TOP, done, note, ok, skip, skip_all
from kernel_sources import (CACHE, KERNEL, PACKAGES, UAPI, absent, compiled, nothing_of, slice_of,
                            sources)

TOOL = os.path.join(BUILD, "tests/differential/ibs_words")
PREAMBLE = os.path.join(TOP, "tests/differential/linux_ibs.h")
DRIVER, CAPS = "arch/x86/events/amd/ibs.c", "arch/x86/include/asm/perf_event.h"
# the unions of the registers, where 6.1 and 7.3 have them
LAYOUTS = ("arch/x86/include/asm/amd-ibs.h", "arch/x86/include/asm/amd/ibs.h")
NEEDED = (DRIVER, CAPS, UAPI, KERNEL)

ENTRY = """
struct made { u64 data_src, weight, addr, phys_addr; };

void kernel_cpu(u32 family, u32 model, u32 caps)
{
	boot_cpu_data.x86 = family;
	boot_cpu_data.x86_model = model;
	ibs_caps = caps;
}

void kernel_words(const u64 *registers, u64 sample_type, struct made *made)
{
	struct perf_ibs_data ibs = { .size = 0 };
	struct perf_sample_data data;

	memset(&data, 0, sizeof(data));
	memcpy(ibs.regs, registers, 7 * sizeof(u64));
	perf_ibs_parse_ld_st_data(sample_type, &ibs, &data);
	made->data_src = data.data_src.val;
	made->weight = data.weight.full;
	made->addr = data.addr;
	made->phys_addr = data.phys_addr;
}
"""

SAMPLE = """
struct perf_sample_data {
	u64 sample_flags, addr, phys_addr;
	union perf_mem_data_src data_src;
	union perf_sample_weight weight;
};
"""


def functions(driver):
    """From the first that looks at an op to the end of the one that fills in the sample"""
    whole = slice_of(driver, "static void perf_ibs_get_mem_op(", "static int perf_ibs_handle_irq(")
    last = whole.index("\nstatic void perf_ibs_parse_ld_st_data(")
    return whole[:whole.index("\n}\n", last) + 3]


def harness(files):
    """@return a C library: kernel_cpu() and kernel_words()"""
    layout = next(files[name] for name in LAYOUTS if name in files)
    return "\n".join([
        '#include "%s"' % PREAMBLE, '#include "uapi.h"', nothing_of(files),
        "\n".join(re.findall(r"^#define IBS_CAPS_\w+\s+\(1U<<\d+\)", files[CAPS], re.M)),
        layout.replace("#include <asm/msr-index.h>", ""), SAMPLE, functions(files[DRIVER]), ENTRY])


def judge(version, files, place):
    if not set(NEEDED) <= set(files) or not set(LAYOUTS) & set(files):
        skip("Linux " + version, "%s has not all of %s" % (place, ", ".join(NEEDED)))
        return
    with tempfile.TemporaryDirectory() as folder:
        library, complaint = compiled(folder, harness(files), files, "-shared", "-fPIC")
        if library is None:
            ok(False, "Linux %s: its functions compile: %s" % (version, complaint))
            return
        # kernels call themselves 6.1.0-49-amd64
        tool = subprocess.run([TOOL, library, version + ".0"], stdout=subprocess.PIPE, check=False)
    lines = tool.stdout.decode().splitlines()
    told = dict(line.split("\t")[1:3] for line in lines if line.startswith("count\t"))
    for line in lines:
        if not line.startswith("count\t"):
            note("Linux %s: %s" % (version, line))
    note("Linux %s: %s" % (version, ", ".join("%s %s" % pair for pair in told.items())))
    ok(tool.returncode == 0 and int(told.get("states", 0)) > 1000000,
       "Linux %s: all states of the registers of all cores" % version)
    for what, name in (("contradictions", "no word says other than the registers"),
                       ("false reasons", "what the registers have is not called inapplicable"),
                       ("unused", "what all states behind a word agree on is told")):
        ok(told.get(what) == "0", "Linux %s: %s" % (version, name))


def main():
    if QUICK:
        skip_all("PRECIS_QUICK: unpacking a kernel takes a while")
    found = sources(NEEDED + LAYOUTS, CACHE)
    if not found:
        skip_all("no %s and no kernels in %s" % (PACKAGES, CACHE))
    for version, files, place in found:
        judge(version, files, place)
    for name in absent([version for version, _, _ in found], CACHE):
        skip("Linux " + name, "neither %s nor %s: tests/vm/fetch-kernel --kernel %s --cache %s"
             % (PACKAGES, os.path.join(CACHE, name), name, CACHE))
    done()


main()
