#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by object of mappings that are replaced, moved, cut and unmapped in parts, beside what the recorder of objects
cannot see: a program touches their pages, and prints of how many of them which function mapped them; "-" are pages that no
function of it mapped as the recorder knows, so that they are nobody's. The same of blocks that the C library allocates itself.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../sharing"))

import built
import page_faults
import tap
from command import good
from tap import equal

COMMON = r"""
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096L
#define NOINLINE __attribute__((noinline))
#define ANONYMOUS (MAP_PRIVATE | MAP_ANONYMOUS)
#define BOTH (PROT_READ | PROT_WRITE)
#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

static void check(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "%s\n", what);
	exit(1);
}

/* Each page is a fault of its own. */
static void touch(const char *function, void *from, long pages)
{
	volatile char *start = from;

	madvise(from, pages * PAGE, MADV_DONTNEED);
	madvise(from, pages * PAGE, MADV_NOHUGEPAGE);
	for (long n = 0; n < pages; n++)
		start[n * PAGE + 2000] = 1;
	printf("%s %ld\n", function, pages);
}

"""
SOURCE = COMMON + r"""
/* What the recorder does not see */
static void unseen(void *at, long pages)
{
	check(syscall(SYS_mmap, at, pages * PAGE, BOTH, ANONYMOUS | MAP_FIXED, -1, 0) == (long)at, "unseen");
	touch("-", at, pages);
}

/* A function of its own for each place that asks */
#define PLACE(name, parameters, call)                                                                 \
	static NOINLINE char *name parameters                                                         \
	{                                                                                             \
		char *start = call;                                                                   \
		__asm__ volatile("" ::: "memory");                                                    \
		return start;                                                                         \
	}
#define MAPS(name)                                                                                    \
	PLACE(name, (void *at, long bytes, int flags), mmap(at, bytes, BOTH, ANONYMOUS | flags, -1, 0))
MAPS(map_cut)
MAPS(map_short)
MAPS(map_lower)
MAPS(map_upper)
MAPS(map_over)
MAPS(map_all_over)
MAPS(map_kept)
MAPS(map_free)
MAPS(map_small)
MAPS(map_large)
MAPS(map_target)
MAPS(map_source)
MAPS(map_left)
MAPS(map_room)

#define MOVES(name)                                                                                   \
	PLACE(name, (void *old, long before, long bytes, int flags, void *to),                        \
	      mremap(old, before, bytes, flags, to))
MOVES(move_grown)
MOVES(move_shrunk)
MOVES(move_onto)
MOVES(move_left)

static void parts(void)
{
	char *start = map_room(NULL, 12 * PAGE, 0); /* so that nobody else is behind it */

	check(map_cut(start, 8 * PAGE, MAP_FIXED) == start, "cut");
	munmap(start + 2 * PAGE, 2 * PAGE);
	unseen(start + 2 * PAGE, 2);
	touch("map_cut", start, 2);
	touch("map_cut", start + 4 * PAGE, 4);
	munmap(start + 7 * PAGE, 3 * PAGE); /* and what is behind it */
	unseen(start + 7 * PAGE, 1);
	munmap(start, 8 * PAGE);
	unseen(start, 8);
	/* whole pages, whatever is said */
	start = map_short(NULL, 3 * PAGE + 100, 0);
	munmap(start, 1);
	munmap(start + 3 * PAGE, 1);
	unseen(start, 1);
	unseen(start + 3 * PAGE, 1);
	touch("map_short", start + PAGE, 2);
	munmap(start + PAGE, PAGE + 1);
	unseen(start + PAGE, 2);
}

static void replaced(void)
{
	char *room = map_room(NULL, 12 * PAGE, 0);

	check(map_lower(room, 4 * PAGE, MAP_FIXED) == room, "lower");
	check(map_upper(room + 4 * PAGE, 4 * PAGE, MAP_FIXED) == room + 4 * PAGE, "upper");
	check(map_over(room + 2 * PAGE, 3 * PAGE + 1, MAP_FIXED) == room + 2 * PAGE, "over");
	touch("map_lower", room, 2);
	touch("map_over", room + 2 * PAGE, 4);
	touch("map_upper", room + 6 * PAGE, 2);
	touch("map_room", room + 8 * PAGE, 4);
	check(map_all_over(room, 12 * PAGE, MAP_FIXED) == room, "all over");
	touch("map_all_over", room, 12);
}

/* What fails changes nothing. */
static void failed(void)
{
	char *start = map_kept(NULL, 4 * PAGE, 0), *freed;

	check(map_free(start + PAGE, 2 * PAGE, MAP_FIXED_NOREPLACE) == MAP_FAILED, "no replace");
	touch("map_kept", start, 4);
	check(mmap(start, 4 * PAGE, BOTH, MAP_PRIVATE | MAP_FIXED, -1, 0) == MAP_FAILED, "no file");
	touch("map_kept", start, 4);
	check(mmap(start + PAGE, 1, BOTH, MAP_PRIVATE | MAP_FIXED, -1, 0) == MAP_FAILED, "no file");
	touch("map_kept", start, 4);
	start = map_kept(NULL, 4 * PAGE, 0);
	check(munmap(start + 1, PAGE) < 0, "no page");
	touch("map_kept", start, 4);
	check(munmap(start, 0) < 0, "nothing");
	touch("map_kept", start, 4);
	start = map_kept(NULL, 4 * PAGE, 0);
	check(mremap(start, 2 * PAGE, 3 * PAGE, 0) == MAP_FAILED, "no room");
	touch("map_kept", start, 4);
	freed = mmap(NULL, 4 * PAGE, PROT_NONE, ANONYMOUS, -1, 0);
	munmap(freed, 4 * PAGE);
	check(map_free(freed, 4 * PAGE, MAP_FIXED_NOREPLACE) == freed, "free");
	touch("map_free", freed, 4);
}

static void moved(void)
{
	char *start = map_small(NULL, 2 * PAGE, 0), *other = map_target(NULL, 4 * PAGE, 0), *now;

	now = move_grown(start, 2 * PAGE, 8 * PAGE, MREMAP_MAYMOVE, NULL);
	if (now != start)
		unseen(start, 2);
	touch("move_grown", now, 8);
	start = map_large(NULL, 8 * PAGE, 0);
	touch("map_large", start, 8);
	check(move_shrunk(start, 8 * PAGE - 5, 3 * PAGE - 7, 0, NULL) == start, "shrunk");
	unseen(start + 3 * PAGE, 5);
	touch("move_shrunk", start, 3);
	start = map_source(NULL, 4 * PAGE, 0);
	check(move_onto(start + PAGE, 2 * PAGE, 2 * PAGE, MREMAP_FIXED | MREMAP_MAYMOVE, other + PAGE) == other + PAGE,
	      "onto");
	unseen(start + PAGE, 2);
	touch("map_source", start, 1);
	touch("map_source", start + 3 * PAGE, 1);
	touch("move_onto", other + PAGE, 2);
	touch("map_target", other, 1);
	touch("map_target", other + 3 * PAGE, 1);
	start = map_left(NULL, 2 * PAGE, 0);
	now = move_left(start, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
	if (now != MAP_FAILED)
		touch("move_left", now, 2);
	touch("map_left", start, 2);
}

/* Not mapped at all, as the recorder sees it */
static void heaps_end(void)
{
	char *start = sbrk(8 * PAGE);

	touch("-", start + PAGE, 6);
	sbrk(-2 * PAGE);
	touch("-", start + PAGE, 4);
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	parts();
	replaced();
	failed();
	moved();
	heaps_end();
	return 0;
}
"""
SOURCE_ALLOCATIONS = COMMON + r"""
#define BYTES (40 * PAGE)

/* Whole pages of a block, whatever is in them */
static void touch_block(const char *function, char *block, long bytes)
{
	char *start = (char *)(((unsigned long)block + PAGE - 1) & ~(PAGE - 1));

	touch(function, start, (block + bytes - start) / PAGE);
	free(block);
}

static NOINLINE char *make_copy(const char *text)
{
	char *copy = strdup(text);

	__asm__ volatile("" ::: "memory");
	return copy;
}

static NOINLINE char *make_part(const char *text)
{
	char *copy = strndup(text, BYTES / 2);

	__asm__ volatile("" ::: "memory");
	return copy;
}

static NOINLINE char *make_line(FILE *file)
{
	char *line = NULL;
	size_t room = 0;

	check(getline(&line, &room, file) == BYTES - 1, "line");
	__asm__ volatile("" ::: "memory");
	return line;
}

static NOINLINE char *make_formatted(const char *text)
{
	char *formatted;

	check(asprintf(&formatted, "%s", text) == BYTES - 1, "formatted");
	__asm__ volatile("" ::: "memory");
	return formatted;
}

int main(void)
{
	char *text = mmap(NULL, BYTES, BOTH, ANONYMOUS, -1, 0);

	setvbuf(stdout, NULL, _IONBF, 0);
	memset(text, 'x', BYTES - 1);
	touch_block("make_copy", make_copy(text), BYTES);
	touch_block("make_part", make_part(text), BYTES / 2);
	touch_block("make_line", make_line(fmemopen(text, BYTES - 1, "r")), BYTES);
	touch_block("make_formatted", make_formatted(text), BYTES);
	return 0;
}
"""
SOURCE_LOST = COMMON + r"""
#define BYTES (400 * PAGE)

#define MAKES(name)                                                                                   \
	static NOINLINE char *name(void)                                                              \
	{                                                                                             \
		char *block = malloc(BYTES);                                                          \
		__asm__ volatile("" ::: "memory");                                                    \
		return block;                                                                         \
	}
MAKES(make_first)
MAKES(make_later)

static void touch_inside(const char *function, char *block)
{
	touch(function, (char *)(((unsigned long)block + PAGE) & ~(PAGE - 1)), 40);
}

int main(void)
{
	const struct rlimit limit = { 200000, 200000 };
	char *first, *later;

	mallopt(M_MMAP_THRESHOLD, 1 << 16); /* what is given back is unmapped, and mapped again at the same place */
	first = make_first();
	setvbuf(stdout, NULL, _IONBF, 0);
	touch_inside("make_first", first);
	setrlimit(RLIMIT_FSIZE, &limit);
	for (int n = 0; n < 100000; n++) {
		void *volatile block = malloc(100);

		free(block);
	}
	free(first);
	later = make_later();
	touch_inside(later == first ? "same" : "other", later);
	return 0;
}
"""
SCRATCH = tempfile.TemporaryDirectory()


def recorded(name, source, errors=""):
    """The recording of a program, and of how many pages it says which function mapped them"""
    page_faults.need_recorder()
    directory = os.path.join(SCRATCH.name, name)
    os.makedirs(directory)
    program, path = os.path.join(directory, "program"), os.path.join(directory, "program.data")
    subprocess.run([*page_faults.CC.split(), "-g", "-O1", "-fno-omit-frame-pointer", "-x", "c", "-", "-o", program],
                   input=source, text=True, check=True)
    done = page_faults.recorded_with_blocks(path, program, options="interval=all,overhead=any")
    truth = collections.Counter()
    for line in done.stdout.splitlines():
        function, pages = line.split()
        truth[function] += int(pages)
    assert re.fullmatch(errors, done.stderr), done.stderr
    return path, truth


def told(path, kind):
    """Samples by the function that made the object, of such objects"""
    found = collections.Counter()
    for row in json.loads(good("report", "--by", "object", "--top", "1000", "--format", "json", path))["by_other"]["rows"]:
        if (row["object"] or "").startswith(kind + " of "):
            found[row["object"].split(" of ")[1].split(" at ")[0]] += row["samples"]
    return found


def test_mappings():
    """Each page is the mapping's that it is in, and of what the recorder cannot see none is told"""
    built.need("elfutils")
    path, truth = recorded("mappings", SOURCE)
    assert truth.pop("-") == 34, truth
    equal(told(path, "mapping"), truth)


def test_allocations():
    """What the C library allocates for those who ask it for text is theirs; it touches the pages itself, too"""
    built.need("elfutils")
    path, truth = recorded("allocations", SOURCE_ALLOCATIONS)
    found = told(path, "block")
    wrong = [function for function, pages in truth.items() if not pages <= found[function] <= 3 * pages + 3]
    assert len(truth) == 4 and not wrong, (wrong, truth, found)
    # what asprintf() writes into before it knows how much that is
    assert found.keys() - truth.keys() <= {"_IO_str_overflow"}, found


def test_lost():
    """Nothing is told of times at which the side file could not be written any more: other blocks may be there"""
    built.need("elfutils")
    path, truth = recorded("lost", SOURCE_LOST, r"precis-objects: cannot be written to any more, .*\n")
    assert truth["same"] == 40, truth
    rows = json.loads(good("report", "--by", "object", "--top", "1000", "--format", "json", path))["by_other"]["rows"]
    samples = {row["object"]: row["samples"] for row in rows}
    equal(told(path, "block"), collections.Counter(make_first=40))
    assert samples["not recorded, as the side file could not be written any more"] >= 40, samples


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
