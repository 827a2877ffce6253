#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report of a program that loads one library where another one was: each sample is told to be in the one that was there
then, as stock perf tells it, whoever asks for it.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import page_faults
import tap
from command import good
from tap import equal

LIBRARY = """
#include <sys/mman.h>

#define PAGES 64

/* Each page that is touched for the first time is a fault. */
__attribute__((noinline)) void NAME(int pages)
{
	volatile char *at = mmap(0, PAGES * 4096L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise((void *)at, PAGES * 4096L, MADV_NOHUGEPAGE);
	for (int n = 0; n < pages; n++)
		at[n * 4096L] = 1;
	munmap((void *)at, PAGES * 4096L);
}

void plug(int pages)
{
	NAME(pages);
	__asm__ volatile("");
}
"""
PROGRAM = """
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	for (int n = 0; n < 6; n++) {
		void *library = dlopen(argv[1 + n % 2], RTLD_NOW);
		void (*plug)(int) = library ? (void (*)(int))dlsym(library, "plug") : NULL;

		if (!plug)
			return 1;
		printf("%p\\n", (void *)plug);
		plug(n % 2 ? 40 : 10);
		dlclose(library);
	}
	return argc == 0;
}
"""
TRUTH = {"work_one": 30, "work_other": 120}
SCRATCH = tempfile.TemporaryDirectory()


def recorded():
    """Page faults of the program whose libraries come to the same address"""
    built.need("elfutils")
    if not page_faults.PERF:
        raise tap.Skip("no perf")
    path = os.path.join(SCRATCH.name, "program")
    for name, text, *flags in (("one.so", LIBRARY, "-shared", "-fPIC", "-DNAME=work_one"),
                               ("two.so", LIBRARY, "-shared", "-fPIC", "-DNAME=work_other"), ("program", PROGRAM)):
        source = os.path.join(SCRATCH.name, name + ".c")
        with open(source, "w", encoding="ascii") as file:
            file.write(text)
        subprocess.run([*page_faults.CC.split(), "-g", "-O1", "-fno-omit-frame-pointer", *flags, "-o", os.path.join(SCRATCH.name, name), source, "-ldl"],
                       check=True)
    done = subprocess.run([page_faults.PERF, "record", "-q", "-N", "-e", "page-faults:u", "-c", "1", "-g", "-o",
                           path + ".data", path, SCRATCH.name + "/one.so", SCRATCH.name + "/two.so"], capture_output=True,
                          text=True, check=False)
    page_faults.need_recording(done, path + ".data")
    if len(set(done.stdout.split())) != 1:
        raise tap.Skip("the libraries were loaded at different addresses")
    return path + ".data"


def rows(path, key, table="by_other"):
    told = json.loads(good("report", "--by", key, "--top", "1000", "--format", "json", path))
    found = collections.Counter()
    for row in told[table]["rows"]:
        found[row[key]] += row["samples"]
    return found


def test_symbols():
    """As many page faults of each function as it had, of each of its libraries, and as perf tells"""
    path = recorded()
    found = rows(path, "symbol")
    equal({name: found[name] for name in TRUTH}, TRUTH, "symbols")
    equal(rows(path, "caller")["plug"], sum(TRUTH.values()), "callers")
    objects = rows(path, "dso")
    for name, library in (("work_one", "one.so"), ("work_other", "two.so")):
        equal(objects[os.path.join(SCRATCH.name, library)] >= TRUTH[name], True, library)
    top = json.loads(good("report", "--format", "json", "--top", "1000", path))
    assert "work_one" in json.dumps(top) and "work_other" in json.dumps(top)
    stock = subprocess.run([page_faults.PERF, "script", "-i", path, "-F", "ip,sym", "-G"], capture_output=True, text=True,
                           check=True).stdout
    told = collections.Counter(line.split()[-1] for line in stock.splitlines() if line.split())
    equal({name: told[name] for name in TRUTH}, TRUTH, "perf script")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
