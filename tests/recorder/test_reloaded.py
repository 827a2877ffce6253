#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Plugins that are loaded one after the other at the same addresses, with the same instructions: what one of them has asked for
is told by its own functions, lines and types, and has call stacks of its own, which are the same whenever it comes back.
"""
import collections
import csv
import glob
import io
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../command/cli"))

import built
import page_faults
import tap
from command import good
from tap import equal

# Members differ in their names alone, so that code does not; lines do.
PLUGIN = """
#include <stdlib.h>

struct NODE { long head; long MEMBER[BYTES / 8 - 1]; };

#line LINE
__attribute__((noinline)) struct NODE *MAKE(void)
{
	struct NODE *made = malloc(sizeof(*made));

	__asm__ volatile("" : "+r"(made));
	return made;
}

void *plug(void)
{
	void *made = MAKE();

	__asm__ volatile("" : "+r"(made));
	return made;
}
"""
# What each of them made stays, and is touched when others are there, the last one too.
PROGRAM = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef ROUNDS
#define ROUNDS 6
#endif
static char *made[ROUNDS];

static void touch(int round)
{
	for (long at = 4096; at < BYTES; at += 4096)
		made[round][at] = 1;
}

int main(int argc, char **argv)
{
	void *library = NULL;

	for (int n = 0; n < ROUNDS; n++) {
		void *(*plug)(void);

		library = dlopen(argv[1 + n % (argc - 1)], RTLD_NOW);
		plug = library ? (void *(*)(void))dlsym(library, "plug") : NULL;
		if (!plug)
			return 1;
		printf("%p\\n", (void *)plug);
		made[n] = plug();
		dlclose(library);
	}
	fflush(stdout);
	for (int n = 0; n < ROUNDS / 2; n++)
		touch(n);
	if (fork() == 0) {
		made[0] = malloc(100); /* it has a file of its own from then on */
		for (int n = ROUNDS / 2; n < ROUNDS; n++)
			touch(n);
		exit(0);
	}
	wait(NULL);
	return 0;
}
"""
PAGES = 40
PLUGINS = {"first": 100, "other": 200} # and a line in its source
SCRATCH = tempfile.TemporaryDirectory()


def build():
    """The program, and its plugins"""
    compiler = [*page_faults.CC.split(), "-g", "-O1", "-fno-omit-frame-pointer", f"-DBYTES={PAGES * 4096 + 4096}L"]
    for name, line in PLUGINS.items():
        source = os.path.join(SCRATCH.name, name + ".c")
        with open(source, "w", encoding="ascii") as file:
            file.write(PLUGIN)
        subprocess.run([*compiler, "-shared", "-fPIC", f"-DNODE={name}_node", f"-DMAKE={name}_make",
                        f"-DMEMBER={name}_rest", f"-DLINE={line}", "-o", os.path.join(SCRATCH.name, name + ".so"),
                        source], check=True)
    program = os.path.join(SCRATCH.name, "program")
    with open(program + ".c", "w", encoding="ascii") as file:
        file.write(PROGRAM)
    subprocess.run([*compiler, "-o", program, program + ".c", "-ldl"], check=True)
    return program, [os.path.join(SCRATCH.name, name + ".so") for name in PLUGINS]


def recorded(name, stack):
    """(the recording, its side files)"""
    built.need("elfutils")
    page_faults.need_recorder()
    program, plugins = build()
    directory = os.path.join(SCRATCH.name, name)
    os.makedirs(directory)
    path = os.path.join(directory, "data")
    done = page_faults.recorded_with_blocks(path, program, *plugins, options="interval=all,overhead=any,stack=" + stack)
    if len(set(done.stdout.split())) != 1:
        raise tap.Skip("the plugins were loaded at different addresses")
    return path, glob.glob(directory + "/*.objects")


def rows(path, key):
    told = json.loads(good("report", "--by", key, "--top", "1000", "--format", "json", path))
    found = collections.Counter()
    for row in told["by_other"]["rows"]:
        found[row[key]] += row["samples"]
    return found


def blocks(side_file):
    """{who asked for it: numbers of the stacks} of the blocks that plugins made, by 'precis objects --events'"""
    found = collections.defaultdict(list)
    told = csv.DictReader(io.StringIO(good("objects", "--events", "--format", "csv", side_file)))
    for event in told:
        if event["operation"] == "alloc" and int(event["bytes"]) == PAGES * 4096 + 4096:
            found[event["frames"].split(" < ")[0]].append(event["stack"])
    return found


def check(stack):
    path, side_files = recorded(stack, stack)
    # three rounds each; the first page is the allocator's, too
    most = 3 * PAGES
    objects = rows(path, "object")
    for name, line in PLUGINS.items():
        mine = sum(count for text, count in objects.items() if text and f"of {name}_make at {name}.c:{line + 2}" in text)
        equal(mine, most, f"page faults in blocks of {name}_make ({stack}): {objects}")
        allocations = rows(path, "allocation")
        equal(sum(count for text, count in allocations.items() if text and f"{name}_make" in text), most,
              f"allocations of {name} ({stack})")
        types = rows(path, "type")
        equal(types[f"struct {name}_node"] or types[f"{name}_node"], most, f"types of {name} ({stack}): {types}")
        members = rows(path, "member")
        equal(sum(count for text, count in members.items() if text and f"{name}_rest" in text), most,
              f"members of {name} ({stack}): {members}")
    of_parent = [found for found in map(blocks, side_files) if found]
    equal(len(of_parent), 1, "files with blocks")
    equal({name: len(stacks) for name, stacks in of_parent[0].items()}, {name + "_make": 3 for name in PLUGINS},
          "blocks by 'precis objects'")
    told = [set(of_parent[0][name + "_make"]) for name in PLUGINS]
    equal(told[0] & told[1], set(), "stacks in common")
    # the first of them could not know that another one comes to its place
    equal([len(stacks) <= 2 for stacks in told], [True, True], f"stacks of plugins that come back: {told}")
    table = good("objects", "--format", "csv", "--top", "100", side_files[0] if blocks(side_files[0]) else side_files[1])
    for name in PLUGINS:
        equal(f"{name}_make" in table, True, table)


def test_unwound():
    """By the compilers' tables"""
    check("unwind")


def test_frame_pointers():
    """By frame pointers"""
    check("frames")


def test_many_times():
    """A plugin that is loaded again and again has as many stacks as one that is loaded twice"""
    page_faults.need_recorder()
    program, plugins = build()
    counts = []
    for rounds in (6, 200):
        directory = os.path.join(SCRATCH.name, f"rounds{rounds}")
        os.makedirs(directory)
        again = program + str(rounds)
        subprocess.run([*page_faults.CC.split(), "-O1", f"-DBYTES={PAGES * 4096 + 4096}L", "-DROUNDS=" + str(rounds), "-o", again,
                        program + ".c", "-ldl"], check=True)
        subprocess.run([again, *plugins], check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, LD_PRELOAD=page_faults.RECORDER,
                                PRECIS_OBJECTS="interval=all,overhead=any,directory=" + directory))
        counts.append(sum(len(set(stacks)) for file in glob.glob(directory + "/*.objects")
                          for name, stacks in blocks(file).items() if name))
    equal(counts[0] == counts[1] and counts[0] > 1, True, f"stacks of 6 and 200 rounds: {counts}")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
