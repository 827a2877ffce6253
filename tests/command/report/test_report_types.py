#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by type, member and element: a program touches members of its variables, each page for the first time,
and prints the address, the type, the member and the element of each: what the compiler made of the same words.
"""
import collections
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import page_faults
import tap
from command import good
from tap import equal

# Each page of a variable is touched once, at a member that the number of the page chooses.
SOURCE = """
#include <stdio.h>

#define ALIGNED __attribute__((aligned(4096)))

struct inner { long a; char pad[56]; };
struct record { long key; char flag; struct inner inner[63]; double last; } ALIGNED;
typedef struct record record_t;
typedef struct { int first; char room[4092]; } pair_t;
union both { long number; struct { int low, high; } half; char room[4096]; };

static struct record records[24];
static volatile record_t one;
static pair_t pairs[8] ALIGNED;
static long matrix[8][512] ALIGNED;
static char plain[8 * 4096] ALIGNED;
static union both either[8] ALIGNED;

#define TOUCH(type, member, of, element, ...) (                                                      \\
	(*(volatile char *)&(of element))++,                                                         \\
	printf("%#lx\\t%s\\t%s\\t" #of __VA_ARGS__ "\\n", (unsigned long)&(of element), type, member, i, i, i))

int main(void)
{
	int i;

	for (i = 0; i < 24; i++) {
		switch (i % 4) {
		case 0:
			TOUCH("struct record", "struct record.key", records, [i].key, "[%d].key");
			break;
		case 1:
			TOUCH("struct record", "struct record.inner[].pad[]", records, [i].inner[7].pad[3],
			      "[%d].inner[7].pad[3]");
			break;
		case 2:
			TOUCH("struct record", "struct record.last", records, [i].last, "[%d].last");
			break;
		default:
			((volatile char *)&records[i])[12]++;
			printf("%#lx\\tstruct record\\tstruct record.(hole)\\trecords[%d].(hole)\\n",
			       (unsigned long)&records[i] + 12, i);
		}
	}
	i = 0;
	TOUCH("struct record", "struct record.inner[].a", one, .inner[2].a, ".inner[2].a%.0d");
	for (i = 0; i < 8; i++) {
		TOUCH("pair_t", "pair_t.room[]", pairs, [i].room[5], "[%d].room[5]");
		TOUCH("long int", "long int", matrix, [i][3], "[%d][3]");
		TOUCH("char", "char", plain, [i * 4096 + 1], "[%d*4096+1]");
		TOUCH("union both", "union both.number|half.high|room[]", either, [i].room[4],
		      "[%d].number|either[%d].half.high|either[%d].room[4]");
	}
	return 0;
}
"""
SCRATCH = tempfile.TemporaryDirectory()


def recorded(name, *flags):
    """The recording, and of each address: type, member, element"""
    built.need("elfutils")
    directory = os.path.join(SCRATCH.name, name)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "truth"), "w+", encoding="utf-8") as truth:
        path = page_faults.recorded(directory, SOURCE, *flags, options=("-d",), output=truth)
        truth.seek(0)
        touched = [line.rstrip("\n").split("\t") for line in truth]
    equal(len(touched), 57, "addresses")
    return path, {int(address, 0): rest for address, *rest in touched}


def expected(path, touched, n):
    """How many samples each type, member or element has. What the program wrote is asked for, not more."""
    lines = good("dump", "--fields", "addr", "--format", "csv", path).splitlines()
    told = [int(line.split(",")[-1], 0) for line in lines[1:] if line.split(",")[-1]]
    return collections.Counter(touched[address][n] for address in told if address in touched)


def rows_of(path, key, *options):
    told = json.loads(good("report", "--by", key, "--top", "1000", "--format", "json", *options, path))
    return [row for row in told["by_other"]["rows"] if "." not in row["row"]]


def check(path, touched, *options):
    for n, key in ((0, "type"), (1, "member")):
        truth = expected(path, touched, n)
        told = {row[key]: row["samples"] for row in rows_of(path, key, *options)}
        for name, samples in truth.items():
            # char and long are the C library's, too
            if name in ("char", "long int"):
                assert told[name] >= samples, (name, told, truth)
            else:
                equal(told.get(name), samples, name)


def test_types():
    """As many samples of each type and member as the program has touched; with --jobs, too"""
    path, touched = recorded("types", "-fPIC", "-pie")
    truth = expected(path, touched, 1)
    assert min(truth[member] for member in truth if member.startswith("struct record") and "a" not in member) >= 6
    check(path, touched)
    check(path, touched, "--jobs", "2")


def test_forms_of_debug_information():
    """DWARF 4, split files, types apart, optimized: the same"""
    for n, flags in enumerate((("-gdwarf-4",), ("-gsplit-dwarf",), ("-gdwarf-4", "-fdebug-types-section"), ("-O2",))):
        check(*recorded(f"form{n}", *flags))


def element(text):
    """As precis tells it, of what the program printed: it has not worked out one number"""
    return f"plain[{int(text[6:].split('*')[0]) * 4096 + 1}]" if "*4096+1" in text else text


def test_elements():
    """Each element that was touched is a row of its own"""
    path, touched = recorded("elements", "-no-pie", "-fno-pie")
    told = {row["element"]: row["samples"] for row in rows_of(path, "element")}
    for name, samples in expected(path, touched, 2).items():
        equal(told.get(element(name)), samples, name)


def test_reasons():
    """What has no type says why: no debug information, no variable, no program"""
    path, _ = recorded("stripped", "-g0")
    rows = {row["no_type"]: row["samples"] for row in rows_of(path, "type") if not row["type"]}
    assert any("debug" in (why or "") for why in rows), rows
    text = good("report", "--by", "member", path)
    assert "no member: no variable" in text, text
    rows = rows_of(path, "type", "--no-symbols")
    equal({row["type"] for row in rows}, {None}, "types without files")


def test_with_other_keys():
    """A member's samples, by object and member"""
    path, touched = recorded("keys")
    truth = expected(path, touched, 1)
    told = json.loads(good("report", "--by", "object,member", "--top", "1000", "--format", "json", path))
    inner = [row for row in told["by_other"]["rows"] if row["member"] == "struct record.key"]
    equal([(row["object"], row["samples"]) for row in inner], [("records", truth["struct record.key"])])


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
