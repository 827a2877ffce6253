#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by object where some blocks are recorded, by chance: a program prints which blocks it has, so that the
share of each site is known; how often the intervals of estimates hold it is counted over many seeds.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import page_faults
import quick
import saved_files
import tap
from command import good
from tap import equal

SEEDS = quick.fewer(100, 10)

# Pages of blocks are touched once each, whichever blocks are recorded.
SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE 4096UL

static void touch(const char *site, char *block, unsigned long bytes)
{
	char *at = (char *)(((unsigned long)block + PAGE - 1) & ~(PAGE - 1));

	printf("%s %#lx %#lx\\n", site, (unsigned long)block, (unsigned long)block + bytes);
	madvise(at, (unsigned long)(block + bytes - at) & ~(PAGE - 1), MADV_DONTNEED);
	for (; at + PAGE <= block + bytes; at += PAGE)
		*(volatile char *)at = 1;
}

#define MAKES(name, bytes)                                                  \\
	__attribute__((noinline)) static void name(void)                     \\
	{                                                                     \\
		char *block = malloc(bytes);                                  \\
		touch(#name, block, bytes);                                   \\
		__asm__ volatile("" ::: "memory");                            \\
	}
MAKES(make_small, 12288)
MAKES(make_large, 98304)
MAKES(make_huge, 4 * 1048576)

int main(void)
{
	static char printed[1 << 17];

	setvbuf(stdout, printed, _IOFBF, sizeof(printed));
	for (int n = 0; n < 300; n++)
		make_small();
	for (int n = 0; n < 30; n++)
		make_large();
	make_huge();
	return 0;
}
"""
SITES = ("make_small", "make_large", "make_huge")
SCRATCH = tempfile.TemporaryDirectory()


def program():
    built.need("elfutils")
    page_faults.need_recorder()
    path = os.path.join(SCRATCH.name, "program")
    if not os.path.exists(path):
        with open(path + ".c", "w", encoding="utf-8") as file:
            file.write(SOURCE)
        subprocess.run([*page_faults.CC.split(), "-g", "-O1", "-fno-omit-frame-pointer", "-o", path, path + ".c"],
                       check=True)
    return path


def recorded(name, options):
    """The recording, and of each site the share of all samples that lie in its blocks"""
    made, directory = program(), os.path.join(SCRATCH.name, name)
    os.makedirs(directory)
    path = os.path.join(directory, "program.data")
    done = page_faults.recorded_with_blocks(path, made, options=options)
    blocks = [(site, int(start, 0), int(end, 0)) for site, start, end in map(str.split, done.stdout.splitlines())]
    lines = good("dump", "--fields", "addr", "--format", "csv", path).splitlines()[1:]
    addresses = [int(line.split(",")[-1], 0) for line in lines if line.split(",")[-1]]
    inside = {site: sum(any(start <= address < end for of, start, end in blocks if of == site) for address in addresses)
              for site in SITES}
    return path, {site: inside[site] / len(lines) for site in SITES}


def rows(path, *options):
    told = json.loads(good("report", "--by", "object", "--top", "1000", "--format", "json", *options, path))
    return told["by_other"]["rows"], told["by_other"]["notes"]


def of_sites(found):
    return {site: row for row in found for site in SITES if f"block of {site} " in (row["object"] or "")}


def test_all_recorded():
    """Where all blocks are recorded nothing is estimated"""
    path, truth = recorded("all", "interval=all,overhead=any")
    found, _ = rows(path)
    assert "estimate" not in found[0], found[0]
    for site, row in of_sites(found).items():
        equal(round(row["share"]["value"], 9), round(truth[site], 9), site)


def test_rows():
    """Blocks that were not recorded have no estimate of their own; those of a site stand for them"""
    path, truth = recorded("rows", "interval=128k,seed=3,overhead=any")
    found, notes = rows(path)
    small = of_sites(found)["make_small"]
    assert small["share"]["value"] < truth["make_small"] / 2, (small, truth)
    assert 0 < small["blocks"] < 150, small
    assert small["estimate"]["low"] < small["estimate"]["value"] < small["estimate"]["high"], small
    others = [row for row in found if row["estimate"] is None]
    assert any(row["object_kind"] in ("heap", "anonymous") and row["samples"] > 50 for row in others), others
    variables = [row for row in found if row["object_kind"] == "program"]
    for row in variables:
        equal(row["estimate"]["value"], row["share"]["value"], "what is in no block stands for itself")
    assert any("stands for 1 / its chance" in note for note in notes), notes
    assert "estimate [95% CI]" in good("report", "--by", "object", path)


def test_saved():
    """What blocks stand for is told of a saved report, and of both halves, as of the recording"""
    path, _ = recorded("saved", "interval=128k,seed=5,overhead=any")
    for keys in ("object", "allocation,symbol"):
        saved_files.same([path], "--by", keys)
    saved_files.grouped([path, recorded("saved2", "interval=128k,seed=6,overhead=any")[0]], "--by", "object")


def test_intervals():
    """The true share of each site is in 95 of 100 intervals, of as many seeds"""
    held, asked = dict.fromkeys(SITES, 0), dict.fromkeys(SITES, 0)
    for seed in range(1, SEEDS + 1):
        path, truth = recorded(f"seed{seed}", f"interval=128k,seed={seed},overhead=any")
        for site, row in of_sites(rows(path)[0]).items():
            asked[site] += 1
            held[site] += row["estimate"]["low"] <= truth[site] <= row["estimate"]["high"]
    print("#", held, "of", asked)
    for site in SITES:
        least = 0.95 * asked[site] - 3 * math.sqrt(asked[site] * 0.95 * 0.05)
        assert asked[site] >= SEEDS * 0.9 and held[site] >= least, (site, held, asked)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
