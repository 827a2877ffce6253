#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by object, allocation, tag, phase, type and member beside the recorder of objects: a program touches pages of
blocks that it then gives back, so that others come to the same addresses, and prints how many pages of which it has
touched: as many samples of page faults each has.
"""
import collections
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../sharing"))

import accesses
import built
import page_faults
import side_file
import tap
from command import good
from tap import Skip, equal

CHUNK_BYTES = 120
INCLUDE = os.path.join(os.environ.get("srcdir", "."), "libdecode/include")

# Each write is a fault of its own: pages that were touched are given back before, and are small.
SOURCE = """
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <precis/objects.h>

#define PAGE 4096L
#define BLOCK (64 * PAGE)

struct node { long key; char first[4096]; char second[4096]; } __attribute__((packed));
struct item { char head[4096]; long sums[512]; };
struct letter { char to[5000]; };
static char *low(char *at) { return (char *)(((unsigned long)at + PAGE - 1) & ~(PAGE - 1)); }

static void fresh(char *block, long bytes)
{
	char *start = low(block), *end = low(block + bytes - PAGE + 1);

	madvise(start, end - start, MADV_DONTNEED);
	madvise(start, end - start, MADV_NOHUGEPAGE);
}

/* Whole pages of it; how many */
static int touch(char *block, long bytes)
{
	int count = 0;

	for (char *at = low(block); at + PAGE <= block + bytes; at += PAGE, count++)
		*(volatile char *)at = 1;
	return count;
}

#define MAKES(name)                                                          \\
	__attribute__((noinline)) static char *name(void)                     \\
	{                                                                      \\
		char *block = malloc(BLOCK);                                   \\
		fresh(block, BLOCK);                                           \\
		__asm__ volatile("" ::: "memory");                             \\
		return block;                                                  \\
	}
MAKES(make_one)
MAKES(make_other)
MAKES(make_moved)
MAKES(make_given)
MAKES(make_forked)

static void *give_back(void *block)
{
	printf("object make_given %d\\n", touch(block, BLOCK));
	free(block);
	return NULL;
}

static void *use_stack(void *unused)
{
	volatile char here[16 * PAGE];

	fresh((char *)here, sizeof(here));
	printf("stack - %d\\n", touch((char *)here, sizeof(here)));
	return unused;
}

__attribute__((noinline)) static void use_nodes(void)
{
	struct node *nodes = aligned_alloc(PAGE, 16 * sizeof(struct node) / PAGE * PAGE + PAGE);
	int pages = 0;

	fresh((char *)nodes, 16 * sizeof(struct node));
	precis_objects_name_array(nodes, 8, sizeof(struct node), "inner nodes", "struct node");
	precis_objects_name_array(nodes + 8, 8, sizeof(struct node), "leaves", "struct node");
	precis_objects_tag(nodes, "level=0");
	precis_objects_tag(nodes + 8, "level=1");
	for (int n = 0; n < 16; n++) {
		madvise(low(&nodes[n].second[0]) - PAGE, PAGE, MADV_DONTNEED);
		nodes[n].first[5] = 1;
		pages++;
	}
	printf("tag level=0 8\\ntag level=1 8\\nmember struct_node.first[] %d\\n", pages);
	printf("named inner_nodes 8\\nnamed leaves 8\\n");
	free(nodes);
}

/* Nobody says what these are, but the variable. */
__attribute__((noinline)) static void use_items(void)
{
	struct item *items = aligned_alloc(PAGE, 24 * sizeof(struct item));

	fresh((char *)items, 24 * sizeof(struct item));
	madvise(items, 24 * sizeof(struct item), MADV_DONTNEED);
	for (int n = 0; n < 24; n++)
		*(volatile long *)&items[n].sums[7] = 1;
	printf("type struct_item 24\\nmember struct_item.sums[] 24\\n");
	free(items);
}

/* What a program names among its variables, which are not where the file was linked to have them */
struct pooled { char head[4096]; long sums[512]; };
static struct pooled pool[8] __attribute__((aligned(4096)));

__attribute__((noinline)) static void use_pool(void)
{
	precis_objects_name(&pool[2], 4 * sizeof(pool[0]), "pooled", "struct pooled");
	for (int n = 1; n < 8; n++)
		*(volatile long *)&pool[n].sums[7] = 1;
	printf("type struct_pooled 7\\nmember struct_pooled.sums[] 7\\nnamed pooled 4\\nnamed pool 3\\n");
	precis_objects_forget(&pool[2]);
}

/* What it is behind the structure nobody says. */
__attribute__((noinline)) static void use_letter(void)
{
	struct letter *letter = aligned_alloc(PAGE, 4 * PAGE);

	fresh((char *)letter, 4 * PAGE);
	madvise(letter, 4 * PAGE, MADV_DONTNEED);
	*(volatile char *)&letter->to[17] = 1;
	*((volatile char *)letter + 2 * PAGE) = 1;
	*((volatile char *)letter + 3 * PAGE) = 1;
	printf("type struct_letter 3\\nmember struct_letter.to[] 1\\n");
	free(letter);
}

/* The same process as another program: its recorder begins anew, with another file. */
static void be_another(char **arguments)
{
	char *again[] = { arguments[0], "again", NULL };
	char *block = make_one();

	printf("object make_one %d\\n", touch(block, BLOCK));
	free(block);
	execv(again[0], again);
}

static int main_again(void)
{
	char *block = make_other();

	printf("object make_other %d\\n", touch(block, BLOCK));
	free(block);
	return 0;
}

int main(int count, char **arguments)
{
	pthread_t thread;
	char *block;
	int one = 0, other = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (count > 1 && !strcmp(arguments[1], "exec"))
		be_another(arguments);
	if (count > 1)
		return main_again();

	for (int n = 0; n < 8; n++) {
		block = make_one();
		one += touch(block, BLOCK);
		free(block);
		block = make_other();
		other += touch(block, BLOCK);
		free(block);
	}
	printf("object make_one %d\\nobject make_other %d\\n", one, other);
	block = make_moved();
	block = realloc(block, 4 * BLOCK);
	fresh(block, 4 * BLOCK);
	printf("object main %d\\n", touch(block, 4 * BLOCK));
	free(block);
	pthread_create(&thread, NULL, give_back, make_given());
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, use_stack, NULL);
	pthread_join(thread, NULL);
	use_nodes();
	use_items();
	use_letter();
	use_pool();
	block = make_forked();
	fflush(stdout);
	if (!fork()) {
		fresh(block, BLOCK);
		printf("object make_forked %d\\n", touch(block, BLOCK));
		fflush(stdout);
		exit(0);
	}
	wait(NULL);
	free(block);
	return 0;
}
"""
# Functions whose arguments are the library's are the program's; those of the library pass requests on.
SOURCE_CXX = """
#include <stdlib.h>
#include <string>
#include <sys/mman.h>
#include <vector>

static void fresh(char *start, long bytes)
{
	char *low = (char *)(((unsigned long)start + 4095) & ~4095UL);

	madvise(low, (start + bytes - low) & ~4095L, MADV_DONTNEED);
	for (; low + 4096 <= start + bytes; low += 4096)
		*(volatile char *)low = 1;
}
__attribute__((noinline)) char *take_named(long bytes, std::string)
{
	char *block = (char *)malloc(bytes);

	fresh(block, bytes);
	return block;
}
template <typename T> __attribute__((noinline)) char *take_typed(long bytes)
{
	char *block = new char[bytes];

	fresh(block, bytes);
	return block;
}
__attribute__((noinline)) void take_vector(std::vector<char> &list, long bytes)
{
	list.resize(bytes);
	fresh(list.data(), bytes);
}

int main()
{
	std::vector<char> list;

	take_vector(list, 64 * 4096);
	return !take_named(64 * 4096, "name") || !take_typed<std::vector<int>>(64 * 4096);
}
"""
# Names of what is unmapped, and of a thread that has ended, are those of nothing that comes to the same place.
SOURCE_NAMES = """
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <precis/objects.h>

#define PAGE 4096L
#define ALL (16 * PAGE)

/* How many page faults the kernel counted meanwhile */
static long touch(char *start, long bytes)
{
	struct rusage before, after;

	getrusage(RUSAGE_THREAD, &after); /* its memory is there from then on */
	madvise(start, bytes, MADV_DONTNEED);
	madvise(start, bytes, MADV_NOHUGEPAGE);
	getrusage(RUSAGE_THREAD, &before);
	for (char *at = start; at < start + bytes; at += PAGE)
		*(volatile char *)at = 1;
	getrusage(RUSAGE_THREAD, &after);
	return after.ru_minflt - before.ru_minflt;
}

__attribute__((noinline)) static char *map_here(char *at)
{
	char *start = mmap(at, ALL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	__asm__ volatile("" ::: "memory");
	return start;
}

static char *stacks[2];
static long faults[2];

static void *use_stack(void *name)
{
	static int number;
	char here[12 * PAGE], *start = (char *)(((unsigned long)here + PAGE) & ~(PAGE - 1));

	stacks[number] = start;
	if (name)
		precis_objects_name(start, 8 * PAGE, (const char *)name, NULL);
	faults[number++] = touch(start, 8 * PAGE);
	return NULL;
}

static void in_thread(const char *name)
{
	pthread_t thread;

	pthread_create(&thread, NULL, use_stack, (void *)name);
	pthread_join(thread, NULL);
}

int main(void)
{
	char *first = map_here(NULL), *second, *kept;

	precis_objects_phase("first");
	precis_objects_name(first, ALL, "arena", NULL);
	touch(first, ALL);
	precis_objects_phase("second");
	munmap(first, ALL);
	second = map_here(first);
	precis_objects_tag(second + PAGE, "again");
	touch(second, ALL);
	kept = map_here(NULL);
	precis_objects_name(kept, ALL, "kept", NULL);
	precis_objects_phase("threads");
	in_thread("scratch");
	in_thread(NULL);
	precis_objects_phase("child");
	printf("place arena %d\\nplace scratch %d\\n", first == second, stacks[0] == stacks[1]);
	printf("faults scratch %ld\\nfaults unnamed %ld\\n", faults[0], faults[1]);
	fflush(stdout);
	if (!fork()) {
		touch(kept, ALL);
		exit(0);
	}
	wait(NULL);
	return 0;
}
"""
# Types and thread-local variables of a library; the program has none of the first, and a type twice.
SOURCE_LIBRARY = """
#include <stdlib.h>
#include <sys/mman.h>
#include <precis/objects.h>

struct of_library { long key; double values[511]; };
static __thread struct of_library of_thread[20];

static void touch(char *from, int pages)
{
	madvise(from, pages * 4096L, MADV_DONTNEED);
	madvise(from, pages * 4096L, MADV_NOHUGEPAGE);
	for (int n = 0; n < pages; n++)
		((volatile char *)from)[n * 4096L + 8] = 1;
}

void use(void);
void use(void)
{
	struct of_library *list = aligned_alloc(4096, 16 * sizeof(struct of_library));

	precis_objects_name(list, 16 * sizeof(struct of_library), "list", "struct of_library");
	touch((char *)list, 16);
	touch((char *)(((unsigned long)of_thread + 4095) & ~4095UL), 19);
	free(list);
}
"""
SOURCE_USER = """
#include <stdlib.h>
#include <sys/mman.h>
#include <precis/objects.h>

#define PAGE 4096L

#ifdef OTHER
struct twice { char text[PAGE]; };
struct twice other;
#else
void use(void);
struct twice { long numbers[3 * PAGE / sizeof(long)]; };
struct twice one;
__thread long numbers[8 * PAGE];

int main(void)
{
	char *block = aligned_alloc(PAGE, 12 * PAGE), *own = (char *)(((unsigned long)numbers + PAGE) & ~(PAGE - 1));

	use();
	precis_objects_name_array(block, 4, 3 * PAGE, "thrice", "struct twice");
	madvise(own, 30 * PAGE, MADV_DONTNEED);
	madvise(own, 30 * PAGE, MADV_NOHUGEPAGE);
	for (long n = 0; n < 30; n++)
		*(volatile long *)(own + n * PAGE) = 1;
	madvise(block, 12 * PAGE, MADV_DONTNEED);
	madvise(block, 12 * PAGE, MADV_NOHUGEPAGE);
	for (long n = 0; n < 12; n++)
		((volatile char *)block)[n * PAGE + 16] = 1;
	return 0;
}
#endif
"""
SCRATCH = tempfile.TemporaryDirectory()


def recorded(name, *perf_options, options="interval=all,overhead=any", arguments=(), source=SOURCE, compiler=page_faults.CC):
    """The recording, beside which its side files are, and by key and name how many pages were touched"""
    page_faults.need_recorder()
    directory = os.path.join(SCRATCH.name, name)
    os.makedirs(directory)
    program, path = os.path.join(directory, "program"), os.path.join(directory, "program.data")
    text = program + (".c" if compiler == page_faults.CC else ".cc")
    with open(text, "w", encoding="utf-8") as file:
        file.write(source)
    subprocess.run([*compiler.split(), "-g", "-O1", "-fno-omit-frame-pointer", "-I" + INCLUDE, "-o", program, text,
                    "-lpthread"], check=True)
    done = page_faults.recorded_with_blocks(path, program, *arguments, options=options, perf_options=perf_options)
    truth = collections.defaultdict(dict)
    for line in done.stdout.splitlines():
        key, what, pages = line.split()
        truth[key][what.replace("_", " ") if key in ("member", "named", "type") else what] = int(pages)
    return path, truth


def rows(path, key, *options):
    told = json.loads(good("report", "--by", key, "--top", "1000", "--format", "json", *options, path))
    return told["by_other"]["rows"], told


def blocks(path):
    """Samples by the function that asked for the block"""
    found = collections.Counter()
    for row in rows(path, "object")[0]:
        if (row["object"] or "").startswith("block"):
            found[row["object"].split(" of ")[1].split(" at ")[0]] += row["samples"]
    return found


def check(path, truth):
    found = blocks(path)
    for function, pages in truth["object"].items():
        equal(found[function], pages, function)
    named = {row["object"]: row["samples"] for row in rows(path, "object")[0]}
    for name, pages in truth["named"].items():
        equal(named.get(name), pages, name)


def test_blocks():
    """Blocks at the same addresses one after the other, moved, freed by another thread, of before a fork"""
    built.need("elfutils")
    path, truth = recorded("blocks")
    equal(len(truth["object"]), 5, "functions")
    check(path, truth)


def test_clocks():
    """By CLOCK_MONOTONIC as well, and the error of the clock is told"""
    built.need("elfutils")
    path, truth = recorded("mono", "-k", "mono")
    check(path, truth)
    assert "its times are known to" in good("report", "--by", "object", path)


def test_exec():
    """A program that becomes another one: each has its own file, and its own clock"""
    built.need("elfutils")
    path, truth = recorded("exec", arguments=("exec",))
    equal(sum(name.endswith(".objects") for name in os.listdir(os.path.dirname(path))), 2, "side files")
    found = blocks(path)
    for function, pages in truth["object"].items():
        equal(found[function], pages, function)


def test_cxx():
    """Blocks of the C++ library's containers are those of who has them; its types as arguments make no function its own"""
    built.need("elfutils")
    built.need("demangle")
    compiler = os.environ.get("CXX", "g++")
    if not shutil.which(compiler.split()[0]):
        raise Skip("no " + compiler)
    path, _ = recorded("cxx", source=SOURCE_CXX, compiler=compiler)
    names = {row["object"]: row["samples"] for row in rows(path, "object")[0] if "take_" in (row["object"] or "")}
    for function in ("take_named ", "take_vector ", "take_typed<"):
        found = [samples for name, samples in names.items() if function in name]
        equal(len(found), 1, f"{function} {names}")
        assert found[0] >= 63, names


def test_allocations():
    """All calls, from the outermost on: as many samples as the blocks have"""
    built.need("elfutils")
    path, truth = recorded("allocations")
    found = collections.Counter()
    for row in rows(path, "allocation")[0]:
        if row["allocation"]:
            found[row["allocation"].split(";")[-1]] += row["samples"]
    for function in ("make_one", "make_other", "make_given"):
        equal(found[function], truth["object"][function], function)
    assert any("main;make_one" in (row["allocation"] or "") for row in rows(path, "allocation")[0])


def test_names():
    """Tags, types and members of what the program named; the stack of a thread"""
    built.need("elfutils")
    path, truth = recorded("names")
    for key in ("tag", "member", "type"):
        told = {row[key]: row["samples"] for row in rows(path, key)[0]}
        for name, samples in truth[key].items():
            equal(told.get(name), samples, name)
    kinds = {row["memory"]: row["samples"] for row in rows(path, "memory,object")[0] if "." not in row["row"]}
    assert kinds["stack"] >= truth["stack"]["-"], kinds
    told = {row["element"] for row in rows(path, "element")[0]}
    assert any("use_items at" in (name or "") and name.endswith("[23].sums[7]") for name in told), told
    assert "types of blocks are known by the variable" in good("report", "--by", "type", path)
    assert {"pooled[3].sums[7]", "pool[6].sums[7]"} <= set(told), told
    assert "leaves[7].first[5]" in told and "inner nodes[0].first[5]" in told, told


def test_names_end():
    """Names and tags of mappings and of stacks, and what the program was at; none of what came to the same place"""
    built.need("elfutils")
    path, truth = recorded("ends", source=SOURCE_NAMES)
    told = {row["object"]: row["samples"] for row in rows(path, "object")[0]}
    equal((told.get("arena"), told.get("scratch"), told.get("kept")), (16, 8, 16),
          f"names {told}, the kernel counted {truth['faults']}")
    told = {row["tag"]: row["samples"] for row in rows(path, "tag")[0]}
    equal(told.get("again"), 16, f"tags {told}")
    told = {(row["phase"], row["object"]): row["samples"] for row in rows(path, "phase,object")[0] if "." in row["row"]}
    equal((told.get(("first", "arena")), told.get(("threads", "scratch")), told.get(("child", "kept"))), (16, 8, 16),
          f"phases {told}")
    assert not any(key == ("second", "arena") for key in told), told
    assert (sum(samples for (phase, name), samples in told.items() if phase == "second" and "map_here" in (name or ""))
            >= 16), told
    if set(truth["place"].values()) != {1}:
        raise Skip("what came later is at another place")


def test_library():
    """Types by name of what a library has named, and of two of that name the one that fits; variables of threads"""
    page_faults.need_recorder()
    built.need("elfutils")
    directory = os.path.join(SCRATCH.name, "library")
    os.makedirs(directory)
    for name, text in (("library.c", SOURCE_LIBRARY), ("user.c", SOURCE_USER)):
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)
    compiler = [*page_faults.CC.split(), "-g", "-O1", "-I" + INCLUDE]
    for command in (["-shared", "-fPIC", "-o", "libuse.so", "library.c"], ["-c", "-DOTHER", "-o", "other.o", "user.c"],
                    ["-o", "program", "user.c", "other.o", "-L.", "-luse", "-Wl,-rpath," + directory]):
        subprocess.run(compiler + command, check=True, cwd=directory)
    path = os.path.join(directory, "program.data")
    page_faults.recorded_with_blocks(path, os.path.join(directory, "program"), options="interval=all,overhead=any")
    told = {row["element"]: row["samples"] for row in rows(path, "element")[0]}
    equal(told.get("list[15].values[0]"), 1, f"elements {told}")
    equal(sum(samples for name, samples in told.items() if (name or "").startswith("thrice[3].numbers")), 3, f"{told}")
    told = {row["object"]: row["samples"] for row in rows(path, "object")[0]}
    equal(told.get("of_thread (thread-local, libuse.so)"), 19, f"objects {told}")
    equal(told.get("numbers (thread-local, program)"), 30, f"objects {told}")
    told = {row["member"]: row["samples"] for row in rows(path, "member")[0]}
    equal(told.get("struct of_library.key", 0) + told.get("struct of_library.values[]", 0), 35, f"members {told}")


def test_many_files():
    """Of more processes than side files are read of, a note says how many are left out"""
    samples = [accesses.ibs(0x10000, 1, 1, pid=n, time=10 ** 9 + n) for n in (1, 4099)]
    files = [side_file.mapped(n, f"/nowhere/precis-{n}.objects") for n in range(1, 4100)]
    path = accesses.ibs_recording("many", files + samples)
    text = good("report", "--by", "object", path)
    assert "those of the first 4096 processes are told; of 3 more nothing is" in " ".join(text.split()), text
    path = accesses.ibs_recording("fewer", files[:4096] + samples)
    assert "processes are told" not in good("report", "--by", "object", path)


def test_moved_files():
    """Side files that are no longer where they were are looked for beside the recording; others have a reason"""
    built.need("elfutils")
    path, truth = recorded("moved")
    elsewhere = os.path.join(SCRATCH.name, "elsewhere")
    os.makedirs(elsewhere)
    for name in os.listdir(os.path.dirname(path)):
        if name.endswith(".objects") or name.endswith(".data"):
            shutil.move(os.path.join(os.path.dirname(path), name), elsewhere)
    path = os.path.join(elsewhere, "program.data")
    check(path, truth)
    for name in os.listdir(elsewhere):
        if name.endswith(".objects"):
            with open(os.path.join(elsewhere, name), "r+b") as file:
                file.truncate(100)
    text = " ".join(good("report", "--by", "object", path).split())
    assert "its side file cannot be read" in text, text
    equal(blocks(path), collections.Counter(), "blocks without side files")


def side_files_of(path):
    """Paths of the side files beside a recording, the program's own first: it has most"""
    directory = os.path.dirname(path)
    return sorted((os.path.join(directory, name) for name in os.listdir(directory) if name.endswith(".objects")),
                  key=os.path.getsize, reverse=True)


def chunks_of(whole):
    """(the header, chunks) of a side file: libdecode/objects/format.h"""
    at = struct.unpack_from("<I", whole, 12)[0]
    header, chunks = whole[:at], []
    while at < len(whole):
        end = at + CHUNK_BYTES + (struct.unpack_from("<I", whole, at + 8)[0] + 7) // 8 * 8
        chunks.append(whole[at:end])
        at = end
    return header, chunks


def test_shuffled():
    """Chunks of a side file in another order, of a thread too: nothing is told that is wrong"""
    built.need("elfutils")
    path, _ = recorded("shuffled")
    whole = blocks(path)
    file = side_files_of(path)[0]
    with open(file, "rb") as source:
        header, chunks = chunks_of(source.read())
    assert len(chunks) > 4, len(chunks)
    for seed in range(3):
        random.Random(seed).shuffle(chunks)
        with open(file, "wb") as target:
            target.write(header + b"".join(chunks))
        for function, samples in blocks(path).items():
            assert samples <= whole[function], (seed, function, samples)


def test_of_another_process():
    """A side file that is another process's has a reason, and tells of nothing"""
    built.need("elfutils")
    path, _ = recorded("other")
    other, _ = recorded("another")
    shutil.copy(side_files_of(other)[0], side_files_of(path)[0])
    text = " ".join(good("report", "--by", "object", path).split())
    assert "its side file cannot be read" in text, text
    for row in rows(path, "object")[0]:
        assert not (row["object"] or "").startswith("block of make_one"), row


def test_killed():
    """A side file that ends early gives what it has; nothing that is wrong"""
    built.need("elfutils")
    path, truth = recorded("cut")
    directory = os.path.dirname(path)
    for name in os.listdir(directory):
        if name.endswith(".objects"):
            size = os.path.getsize(os.path.join(directory, name))
            with open(os.path.join(directory, name), "r+b") as file:
                file.truncate(size // 2)
    for function, samples in blocks(path).items():
        assert samples <= truth["object"].get(function, 0), (function, samples)


def test_sampled():
    """Of blocks that are recorded by chance a note says so"""
    built.need("elfutils")
    path, _ = recorded("sampled", options="interval=4k")
    assert "of its blocks some are recorded" in good("report", "--by", "object", path)
    assert "are not recorded" not in good("report", "--by", "object", path)


def test_large():
    """Of blocks that are left out as they are small a note says so"""
    built.need("elfutils")
    path, truth = recorded("large", options="interval=all,size=300k,overhead=any")
    assert "blocks of less than 307200 bytes are not recorded" in " ".join(good("report", "--by", "object", path).split())
    equal(blocks(path), collections.Counter({"main": truth["object"]["main"]}))


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
