/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program asks of its heap, written down apart from the recorder of objects, to compare that with:
 *
 *     LD_PRELOAD=allocations.so ALLOCATIONS=FILE ALLOCATIONS_PROGRAM=NAME COMMAND
 *
 * FILE is made of 64-bit words. For each block that comes: 1, time, address, bytes, how many return
 * addresses there are, and these, the innermost first, by the compiler's unwinder; for each that goes: 2,
 * time, address. Times are of CLOCK_MONOTONIC. What perf's clock says meanwhile two COMM records tell, called
 * "allocations": each is made between the times of a 3, before, after. Only the program NAME writes anything.
 *
 * Behind the recorder in LD_PRELOAD this sees what is asked of that. Where the program is traced it is not
 * meanwhile, so that no sample is of this. The program has one thread, and asks for memory by malloc(),
 * calloc() and realloc().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#define EXPORTED __attribute__((visibility("default")))
#define WORDS (4u << 20)
#define STACK 40

/* Glibc's own, under other names */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

enum { BLOCK_COMES = 1, BLOCK_GOES, COMM };

static uint64_t words[WORDS];
static size_t used;
static int is_writing, trace_file;

/* Tells the module. It holds the thread by the trap flag. */
static int trace(int on)
{
	const int was_on = __builtin_ia32_readeflags_u64() >> 8 & 1;

	if (was_on != on && write(trace_file, on ? "1" : "0", 1) != 1)
		abort();
	return was_on;
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void add(uint64_t word)
{
	if (used == WORDS)
		abort();
	words[used++] = word;
}

static _Unwind_Reason_Code add_call(struct _Unwind_Context *context, void *count)
{
	if (*(uint64_t *)count == STACK)
		return _URC_END_OF_STACK;
	add(_Unwind_GetIP(context));
	++*(uint64_t *)count;
	return _URC_NO_REASON;
}

static void comes(void *block, size_t size)
{
	int was_on;
	size_t at;

	if (!block || !is_writing)
		return;
	was_on = trace(0);
	add(BLOCK_COMES);
	add(now());
	add((uint64_t)block);
	add(size);
	at = used;
	add(0);
	_Unwind_Backtrace(add_call, &words[at]);
	trace(was_on);
}

static void goes(void *block)
{
	int was_on;

	if (!block || !is_writing)
		return;
	was_on = trace(0);
	add(BLOCK_GOES);
	add(now());
	add((uint64_t)block);
	trace(was_on);
}

EXPORTED void *malloc(size_t size)
{
	void *block = __libc_malloc(size);

	comes(block, size);
	return block;
}

EXPORTED void *calloc(size_t count, size_t size)
{
	void *block = __libc_calloc(count, size);

	comes(block, count * size);
	return block;
}

EXPORTED void *realloc(void *old, size_t size)
{
	void *block;

	goes(old);
	block = __libc_realloc(old, size);
	comes(block, size);
	return block;
}

EXPORTED void free(void *block)
{
	goes(block);
	__libc_free(block);
}

/* A COMM record, between two times; the name is the program's own again behind it. */
static void mark(void)
{
	add(COMM);
	add(now());
	prctl(PR_SET_NAME, "allocations");
	add(now());
	prctl(PR_SET_NAME, program_invocation_short_name);
}

static __attribute__((constructor)) void begin(void)
{
	const char *name = getenv("ALLOCATIONS_PROGRAM");

	is_writing = getenv("ALLOCATIONS") && name && strcmp(name, program_invocation_short_name) == 0;
	if (!is_writing)
		return;
	trace_file = open("/proc/precis_model/trace", O_WRONLY | O_CLOEXEC);
	mark();
}

static __attribute__((destructor)) void end(void)
{
	size_t bytes;
	int fd;

	if (!is_writing)
		return;
	mark();
	is_writing = 0;
	bytes = used * sizeof(words[0]);
	fd = open(getenv("ALLOCATIONS"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || write(fd, words, bytes) != (ssize_t)bytes)
		abort();
	close(fd);
}
