#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Types by instruction against perf's data types (perf report -s type,typeoff, from Linux 6.8 on), and both against a program
that touches fresh pages of nameless memory through pointers: so many by each member. It has no libraries, as perf 6.12
falls over those without debug information.
"""
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../command/cli"))

import built
import exact_ip
import oracles
import tap
from command import good
from differential import ENVIRONMENT
from tap import Skip, equal

# Member, C type, how it is accessed, offset
ACCESSES = (("struct node.key", "struct node", "p->key = 1", 0),
            ("struct node.left", "struct node *", "(*p)->left = 0", 8),
            ("struct node.right", "struct node", "p->right = 0", 16),
            ("struct node.height", "struct node", "sink = p->height", 24),
            ("struct node.name[]", "struct node", "p->name[9] = 1", 37),
            ("struct point.y", "struct point", "p->y = 1.5", 8),
            ("struct point.z", "struct point", "real = p->z", 16),
            ("union both.words[]", "union both", "p->words[3] = 2", 24),
            ("struct wide.nodes[].height", "struct wide", "p->nodes[1].height = 3", 168))
FIRST = 10 # pages by the first, one more by each
SOURCE = """
struct node { long key; struct node *left, *right; int height; char name[20]; };
struct point { double x, y, z; };
union both { struct point point; long words[4]; };
struct wide { char head[64]; union both both; struct node nodes[3]; };

static char *at;
static volatile long sink;
static volatile double real;

static char *page(void)
{
	return at += 4096;
}

static long mapped(long bytes)
{
	register long flags __asm__("r10") = 0x22, none __asm__("r8") = -1, offset __asm__("r9") = 0;
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(9L), "D"(0L), "S"(bytes), "d"(3L), "r"(flags), "r"(none),
			 "r"(offset) : "rcx", "r11", "memory");
	return result;
}

%s
void _start(void)
{
	at = (char *)mapped(4096 * 4096) - 4096;
%s	__asm__ volatile("syscall" : : "a"(60L), "D"(0L));
}
"""
SCRATCH = tempfile.TemporaryDirectory()
OFFSET = re.compile(r",\s*((?:struct|union) \w+?)\s*,\s*(?:struct|union) \w+ \+(0x[0-9a-f]+|0)(?: |$)")


def source():
    functions = calls = ""
    for n, (_, kind, access, _) in enumerate(ACCESSES):
        functions += ("__attribute__((noinline, noclone)) static void touch%d(%s *p)\n{\n\t%s;\n}\n\n"
                      % (n, kind, access))
        touch = "touch%d((void *)page());" % n
        if kind.endswith("*"):
            touch = "{ %s q = (void *)page(); touch%d(&q); }" % (kind, n)
        calls += "\tfor (int n = 0; n < %d; n++)\n\t\t%s\n" % (FIRST + n, touch)
    return SOURCE % (functions, calls)


TRUTH = {(member, offset): FIRST + n for n, (member, _, _, offset) in enumerate(ACCESSES)}


def perfs():
    """Those that know types; a reason where there is none"""
    found = [perf for perf in oracles.programs() if b"typeoff" in subprocess.run(
        [perf, "report", "-h"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENVIRONMENT, check=False).stdout]
    if not found:
        raise Skip("no perf that tells types")
    return found


def recorded(name, flags):
    """Each access is a sample"""
    built.need("elfutils")
    built.need("zydis")
    if os.uname().machine != "x86_64":
        raise Skip("not x86-64")
    perf = os.environ.get("PERF", "")
    if not shutil.which(perf):
        raise Skip("no perf")
    program = os.path.join(SCRATCH.name, name)
    with open(program + ".c", "w", encoding="utf-8") as file:
        file.write(source())
    made = subprocess.run([*os.environ.get("CC", "cc").split(), "-g", *flags, "-nostdlib", "-static", "-no-pie",
                           "-fno-stack-protector", "-o", program, program + ".c"], capture_output=True, check=False)
    if made.returncode:
        raise Skip("no program without libraries: " + made.stderr.decode(errors="replace").splitlines()[0])
    path = program + ".data"
    done = subprocess.run([perf, "record", "-q", "-N", "-d", "-e", "page-faults:u", "-c", "1", "-o", path, program],
                          capture_output=True, text=True, env=ENVIRONMENT, check=False)
    if not os.path.exists(path):
        raise Skip("perf record: " + (done.stderr.strip().splitlines() or ["failed"])[-1])
    exact_ip.say_exact(path)
    return path


def ours(path):
    told = json.loads(good("report", "--by", "member", "--top", "1000", "--format", "json", path))
    return {row["member"]: row["samples"] for row in told["by_other"]["rows"]}


def theirs(perf, path):
    """How many samples it says to be at which offset of which type"""
    done = subprocess.run([perf, "report", "-i", path, "--stdio", "-q", "-n", "-t,", "-s", "type,typeoff"],
                          capture_output=True, text=True, errors="replace", env=ENVIRONMENT, check=False)
    if done.returncode:
        raise Skip("perf ends by %d where it should tell types" % done.returncode)
    found = collections.Counter()
    for line in done.stdout.splitlines():
        kind = OFFSET.search(line)
        if kind:
            found[kind[1], int(kind[2], 0)] += int(line.split(",")[1])
    return found


def check(name, *flags):
    path = recorded(name, flags)
    told = ours(path)
    for (member, _), count in TRUTH.items():
        equal(told.get(member), count, (name, member))
    known = collections.Counter()
    for (member, offset), count in TRUTH.items():
        known[member.split(".")[0], offset] += count
    for perf in perfs():
        said = theirs(perf, path)
        equal({place: (count, known[place]) for place, count in said.items() if count != known[place]}, {}, name)
        print("# %s: of %d accesses perf tells the members of %d, precis those of all"
              % (name, sum(known.values()), sum(said.values())))
        if flags[0] != "-O0": # it knows none of a variable on the stack
            assert said, (name, perf)


def test_optimized():
    """Optimized programs: both tell the member of each access"""
    check("fast", "-O2")
    check("some", "-O1")
    check("older", "-O1", "-gdwarf-4")


def test_plain():
    """Not optimized ones, whose pointers are on the stack"""
    check("plain", "-O0")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
