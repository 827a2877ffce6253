#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by object, type and member of thread-local variables without a recorder: a program gives pages of its own
back and touches them again, some by instructions that say how far they are from the thread's pointer, most through
pointers, and prints where each thread has which variable. The instruction of a page fault is the very one that caused
it, which is said in the recording here.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import exact_ip
import page_faults
import tap
from command import good
from tap import equal

SOURCE = """
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct record { long key; char room[4088]; };

static __thread struct record records[24] __attribute__((aligned(4096)));
static __thread double numbers[8][512] __attribute__((aligned(4096)));
static __thread int small = 7;
static int is_direct = 1;

__attribute__((noinline)) static void touch(struct record *record)
{
	record->key++;
}

__attribute__((noinline)) static void add(double *number)
{
	*number += 1;
}

static void *run(void *unused)
{
	const char *end = (const char *)numbers + sizeof(numbers);
	char line[200];

	madvise(records, sizeof(records), MADV_DONTNEED);
	madvise(numbers, sizeof(numbers), MADV_DONTNEED);
	for (int n = 2; n < 20; n++)
		touch(&records[n]);
	if (is_direct) {
		records[0].key++;
		__asm__ volatile("" ::: "memory");
		records[1].key++;
	}
	for (int n = 0; n < 8; n++)
		add(&numbers[n][3]);
	for (int n = 20; n < 24; n++)
		touch(&records[n]);
	if (write(1, line, snprintf(line, sizeof(line), "records %#lx %#lx\\nnumbers %#lx %#lx\\n", (long)records,
				    (long)(records + 24), (long)numbers, (long)end)) < 0 || small != 7)
		return "";
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[3];

	is_direct = argc < 2;
	for (int n = 0; n < 3; n++)
		pthread_create(&threads[n], NULL, run, NULL);
	for (int n = 0; n < 3; n++)
		pthread_join(threads[n], NULL);
	for (int n = 0; n < 2; n++) { /* one after the other: a stack is used again */
		pthread_create(&threads[0], NULL, run, NULL);
		pthread_join(threads[0], NULL);
	}
	run(argv);
	return 0;
}
"""
SCRATCH = tempfile.TemporaryDirectory()


def recorded(name, *flags, is_exact=True, arguments=()):
    """The recording, and [(variable, from, to)] of each thread"""
    built.need("elfutils")
    built.need("zydis")
    if os.uname().machine != "x86_64":
        raise tap.Skip("not x86-64")
    directory = os.path.join(SCRATCH.name, name)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "truth"), "w+", encoding="utf-8") as truth:
        path = page_faults.recorded(directory, SOURCE, *flags, options=("-d",), output=truth, arguments=arguments)
        truth.seek(0)
        places = [(name, int(start, 0), int(end, 0)) for name, start, end in map(str.split, truth)]
    equal(len(places), 12, "places")
    if is_exact:
        exact_ip.say_exact(path)
    return path, places


def expected(path, places):
    """How many samples have their data in which variable"""
    lines = good("dump", "--fields", "addr", "--format", "csv", path).splitlines()
    told = [int(line.split(",")[-1], 0) for line in lines[1:] if line.split(",")[-1]]
    found = collections.Counter()
    for address in told:
        names = {name for name, start, end in places if start <= address < end}
        found[names.pop() if names else None] += 1
    return found


def rows_of(path, key, *options):
    told = json.loads(good("report", "--by", key, "--top", "1000", "--format", "json", *options, path))
    return [row for row in told["by_other"]["rows"] if "." not in row["row"]]


def check(name, *flags):
    path, places = recorded(name, *flags)
    truth = expected(path, places)
    equal(truth["records"] >= 6 * 24 and truth["numbers"] >= 6 * 8, True, "faults")
    objects = {row["object"]: row["samples"] for row in rows_of(path, "object") if row["object"]}
    for variable in ("records", "numbers"):
        equal(objects.get("%s (thread-local, program)" % variable), truth[variable], variable)
    if "-static" not in flags:  # else it has the C library's
        equal([name for name in objects if name.endswith("(thread-local, program)") and
               name.split()[0] not in ("records", "numbers", "small")], [], "others")
    members = {row["member"]: row["samples"] for row in rows_of(path, "member") if row["member_by"] == "address"}
    assert members.get("struct record.key", 0) >= 6 * 24 - 1, members
    types = {row["type"]: row["samples"] for row in rows_of(path, "type") if row["type_by"] == "address"}
    equal((types.get("struct record"), types.get("double")), (truth["records"], truth["numbers"]), "types")
    return path, truth


def test_objects():
    """As many samples of each variable as threads have touched, also before it was known where these have them"""
    check("plain", "-O0")
    check("optimized", "-O2")
    check("fixed", "-O1", "-no-pie", "-fno-pie")
    check("static", "-O1", "-static")


def test_jobs():
    """As many threads as there may be read it likewise"""
    path, _ = recorded("jobs", "-O1")
    equal(good("report", "--by", "object,comm", "--jobs", "2", path), good("report", "--by", "object,comm", "--jobs", "1",
                                                                          path), "jobs")


def test_pipe():
    """What can be read once is told from where on it is known"""
    path, places = recorded("pipe", "-O1")
    whole = expected(path, places)["records"]
    stream = subprocess.run([page_faults.PERF, "inject", "-i", path, "-o", "-"], capture_output=True, check=True).stdout
    told = json.loads(good("report", "--by", "object", "--format", "json", "-", stdin=None, input=stream))
    objects = {row["object"]: row["samples"] for row in told["by_other"]["rows"]}
    assert 0 < objects.get("records (thread-local, program)", 0) < whole, (objects, whole)


def test_nothing_known():
    """Without such an instruction, or with a skid, they are memory, as before"""
    for name, options in (("skid", {"is_exact": False}), ("pointers", {"arguments": ("x",)})):
        path, _ = recorded(name, "-O1", **options)
        equal([row["object"] for row in rows_of(path, "object") if row["object"] and "thread-local" in row["object"]], [],
              name)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
