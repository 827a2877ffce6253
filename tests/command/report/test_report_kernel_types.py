#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by member of code of the kernel: by a program that is linked where a kernel is and recorded as if it had
been loaded elsewhere, whose instructions access a member each; offsetof() says which.
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../annotate"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../sharing"))

import accesses
import built
import perfdata
import tap
import test_annotate_kernel as kernel
from command import good
from tap import equal
from test_annotate import extent, program, there, tool

STRUCT = """
struct list { struct list *next, *prev; };
struct task { long state; int prio; char name[20]; struct list tasks; unsigned long flags; };
"""
MEMBERS = {"state": "state", "prio": "prio", "flags": "flags", "prev": "tasks.prev"}
# Each function has a type of its own: the code of another one tells something else
SOURCE = STRUCT + "".join(
    "struct of_%s { struct task is; };\n"
    "__attribute__((noinline)) long get_%s(struct of_%s *of) { return (long)of->is.%s; }\n" % (name, name, name, path)
    for name, path in MEMBERS.items()) + "long start(void *task) { return get_prio(task) + get_flags(task); }\n"
TRUTH = "#include <stddef.h>\n#include <stdio.h>\n" + STRUCT + "int main(void) {\n" + "".join(
    'printf("%s %%zu\\n", offsetof(struct task, %s));\n' % one for one in MEMBERS.items()) + "return 0; }\n"
OPTIONS = ("-O2", "-ffreestanding", "-fno-pie", "-no-pie", "-nostdlib", "-static", "-mcmodel=kernel",
           "-fcf-protection=none", "-Wl,--build-id", "-Wl,-e,start",
           "-Wl,-Ttext-segment=%#x" % kernel.LINKED, "-Wl,--defsym=_text=%#x" % kernel.LINKED)
DATA = 0xffff888000001000


def load(path, name, offset):
    """The instruction of a function that loads from so far behind the register of its argument"""
    start, size = extent(path, "get_" + name)
    for line in tool("objdump", "-d", "--start-address=%#x" % start, "--stop-address=%#x" % (start + size),
                     path).splitlines():
        found = re.match(r" *([0-9a-f]+):.*\smov\w*\s+(0x[0-9a-f]+)?\(%rdi\)", line)
        if found:
            equal(int(found.group(2) or "0", 16), offset, line)
            return int(found.group(1), 16)
    raise AssertionError(name)


def recorded(name, *flags, slide=kernel.SLIDE, has_id=True):
    built.need("elfutils")
    built.need("zydis")
    path = program("vmlinux-" + name, flags + OPTIONS, SOURCE)
    truth = dict(line.split() for line in tool(program("truth", (), TRUTH)).splitlines())
    records = [kernel.kernel_mmap("[kernel.kallsyms]_text", kernel.LINKED + slide, 1 << 24, kernel.LINKED + slide)]
    digits = kernel.build_id(path)
    if has_id:
        records.append(kernel.build_id_record(digits))
    for n, (member, offset) in enumerate(truth.items()):
        at = load(path, member, int(offset)) + slide
        width = accesses.WIDTHS[4 if member == "prio" else 8]
        for again in range(n + 1):
            payload = perfdata.op_payload(caps=0xbff, ctl=7 << 17 | 0x186a, rip=at, data=0, data2=0,
                                          data3=1 | accesses.LINEAR | width << 22, lin=DATA + int(offset))
            records.append(perfdata.sample(payload, ip=at, time=1000 + 10 * n + again, misc=kernel.KERNEL | accesses.EXACT_IP))
    data = accesses.ibs_recording(name, records)
    return data, kernel.cached(there("cache-" + name), digits, path, "/elf")


def told(key, data, *options):
    return json.loads(good("report", "--by", key, "--top", "100", "--format", "json", *options, data))


def members(data, *options):
    return {row["member"]: row["samples"] for row in told("member", data, *options)["by_ops"]["rows"]}


def reasons(data, *options):
    return {row["reason"]: row["samples"] for row in told("type", data, *options)["by_ops_type_untold"]["rows"]}


WANTED = {"struct of_%s.is.%s" % one: n + 1 for n, one in enumerate(MEMBERS.items())}
SAMPLES = sum(WANTED.values())


def test_members():
    """Of its vmlinux by build id, wherever the kernel was loaded"""
    for dwarf in ("-gdwarf-4", "-gdwarf-5"):
        for slide in (0, kernel.SLIDE):
            data, cache = recorded("%s-%x" % (dwarf, slide), dwarf, slide=slide)
            equal(members(data, "--buildid-dir", cache), WANTED, (dwarf, slide))


def test_no_vmlinux():
    """None with the build id, or no build id: a reason"""
    for has_id in (True, False):
        data, cache = recorded("none-%d" % has_id, "-g", has_id=has_id)
        equal(reasons(data, "--buildid-dir", there("nothing") if has_id else cache),
              {"code of the kernel, of whose build no vmlinux is found": SAMPLES}, has_id)


def test_no_debug_info():
    """A vmlinux that has none: a reason"""
    data, cache = recorded("bare")
    found = reasons(data, "--buildid-dir", cache)
    equal(sum(found.values()), SAMPLES, found)
    print("#", found)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
