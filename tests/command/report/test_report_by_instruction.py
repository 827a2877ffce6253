#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by type and member of memory that nobody knows: a program touches fresh pages of a mapping of its own
through pointers, and prints what of which type each is. The instruction of a page fault is the very one that caused
it, which is said in the recording here.
"""
import collections
import json
import os
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
#include <stdio.h>
#include <sys/mman.h>

struct inner { long a; char pad[4088]; };
struct record { long key; char room[4096 - 8]; struct record *next; char more[4096 - 8]; struct inner inner[2]; };

typedef struct { double first, second; char room[4096 - 16]; } pair_t; /* which has no other name */

static struct record *here;

#define TOUCH(type, member, of) (                                                                    \\
	printf("%#lx\\t%s\\t%s\\n", (unsigned long)&(of), type, member), fflush(stdout), (of)++)

__attribute__((noinline)) static void touch(struct record *record, int n)
{
	TOUCH("struct record", "struct record.key", record->key);
	TOUCH("struct record", "struct record.next", record->next);
	TOUCH("struct record", "struct record.inner[].a", record->inner[1].a);
	if (n)
		record->next = record + 1;
}

__attribute__((noinline)) static void numbers(double *values, int count)
{
	for (int n = 0; n < count; n++)
		TOUCH("double", "double", values[n * 512]);
}

__attribute__((noinline)) static void pairs(const pair_t *unused, pair_t *pair, int count)
{
	for (int n = 0; n < count; n++, pair++)
		TOUCH("pair_t", "pair_t.second", pair->second);
	(void)unused;
}

int main(void)
{
	here = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (here == MAP_FAILED)
		return 1;
	for (int n = 7; n >= 0; n--, here++)
		touch(here, n);
	numbers((double *)here, 12);
	pairs(NULL, (pair_t *)here + 12, 6);
	return 0;
}
"""
TOUCHED = 8 * 3 + 12 + 6
SCRATCH = tempfile.TemporaryDirectory()


def recorded(name, *flags, is_exact=True):
    """The recording, and of each address: type, member"""
    built.need("elfutils")
    built.need("zydis")
    if os.uname().machine != "x86_64":
        raise tap.Skip("not x86-64")
    directory = os.path.join(SCRATCH.name, name)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "truth"), "w+", encoding="utf-8") as truth:
        path = page_faults.recorded(directory, SOURCE, *flags, options=("-d",), output=truth)
        truth.seek(0)
        touched = [line.rstrip("\n").split("\t") for line in truth]
    equal(len(touched), TOUCHED, "addresses")
    if is_exact:
        exact_ip.say_exact(path)
    return path, {int(address, 0): rest for address, *rest in touched}


def rows_of(path, key):
    told = json.loads(good("report", "--by", key, "--top", "1000", "--format", "json", path))
    return [row for row in told["by_other"]["rows"] if "." not in row["row"]]


def expected(path, touched, n):
    lines = good("dump", "--fields", "addr", "--format", "csv", path).splitlines()
    told = [int(line.split(",")[-1], 0) for line in lines[1:] if line.split(",")[-1]]
    return collections.Counter(touched[address][n] for address in told if address in touched)


def check(name, *flags):
    path, touched = recorded(name, *flags)
    for n, key in ((0, "type"), (1, "member")):
        truth = expected(path, touched, n)
        equal(sum(truth.values()) >= TOUCHED - 8, True, "faults of the mapping")
        told = {row[key]: row["samples"] for row in rows_of(path, key) if row[key + "_by"] == "instruction"}
        print("# %s: by instruction %s, of %s" % (" ".join((name, *flags)), told, dict(truth)))
        equal({name: told.get(name) for name in truth}, dict(truth), key)
    text = good("report", "--by", "member", path)
    assert "struct record.inner[].a (by instruction)" in text, text


def test_types():
    """As many samples of each type and member as the program has touched, optimized or not"""
    check("plain", "-O0")
    check("optimized", "-O2")
    check("older", "-O2", "-gdwarf-4")


def test_page_of_a_type():
    """precis annotate --type has them, too"""
    path, touched = recorded("page", "-O2")
    text = good("annotate", "--type", "struct record", path)
    assert "next" in text and "inner" in text, text
    assert expected(path, touched, 0)["struct record"] > 0


def test_skid():
    """An instruction that may be another one tells nothing"""
    path, _ = recorded("skid", "-O2", is_exact=False)
    equal([row for row in rows_of(path, "type") if row["type_by"] == "instruction"], [], "by instruction")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
