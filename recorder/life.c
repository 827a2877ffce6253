/* SPDX-License-Identifier: BSD-3-Clause */
/* See life.h. */
#define _GNU_SOURCE
#include "life.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

#include "clocks.h"
#include "definitions.h"
#include "libraries.h"
#include "live.h"
#include "modules.h"
#include "output.h"
#include "real.h"
#include "system.h"
#include "tracked.h"

static struct options options;
static struct objects_header header;
static int pid; /* whose recorder this is; 0: it has not begun */
static int is_stopped; /* 1: for good, in children too */
static int is_entered; /* 1: the thread that begins has been in one of the functions here */

/* Of the executable, which comes first */
static int find_build_id(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	(void)data;
	header.build_id_bytes = libraries_build_id(info, header.build_id, sizeof(header.build_id));
	return 1;
}

/*
 * An executable with a malloc of its own, or a library before this one? The address tells nothing: of a
 * program that is not position-independent it is a stub in the program, whoever's function that leads to. So
 * it is tried.
 */
static int is_other_malloc(void)
{
	void *(*first)(size_t);
	void *block;

	*(void **)&first = dlsym(RTLD_DEFAULT, "malloc");
	is_entered = 0;
	block = first ? first(1) : NULL;
	if (is_entered)
		real.free(block); /* another malloc's block may not be fit for any free */
	return !is_entered;
}

/*
 * A library with a malloc, as jemalloc's, may have C++'s operator new as well, which does not call it.
 * @return the library's path; NULL: it has not
 */
static const char *other_new(void)
{
	void *first = dlsym(RTLD_DEFAULT, "_Znwm"), *behind = dlsym(RTLD_NEXT, "malloc");
	Dl_info of_new, of_malloc;

	dlerror(); /* that there is none is nothing that the program is to read */
	if (!first || !behind || !dladdr(first, &of_new) || !dladdr(behind, &of_malloc))
		return NULL;
	return of_new.dli_fbase == of_malloc.dli_fbase ? of_new.dli_fname : NULL;
}

static void describe_program(void)
{
	const char *library;

	memcpy(header.magic, OBJECTS_MAGIC, sizeof(header.magic));
	header.version = OBJECTS_VERSION;
	header.bytes = sizeof(header);
	header.unwinder = (uint32_t)options.stack;
	header.threshold = options.size;
	header.interval = options.interval;
	header.depth = (uint32_t)options.depth;
	header.max_overhead = options.interval || options.size ? (uint32_t)options.overhead : 0;
	header.flags = options.size && !options.interval ? OBJECTS_SMALL_DROPPED : 0;
	libraries_each(find_build_id, NULL);
	CALL3(SYS_readlink, "/proc/self/exe", header.executable, sizeof(header.executable) - 1);
	if (is_other_malloc()) {
		header.flags |= OBJECTS_OTHER_MALLOC;
		say("has a malloc of its own, which is not recorded; build it without, or name its blocks "
		    "(precis_objects(3))",
		    header.executable);
		return;
	}
	library = other_new();
	if (library) {
		header.flags |= OBJECTS_OTHER_NEW;
		say("its operator new does not call malloc, and is not recorded; run the program without it, "
		    "or name such blocks (precis_objects(3))",
		    library);
	}
}

/* What both a new program and a forked child do. @return 0, -1 */
static int begin_file(int parent)
{
	pid = own_pid();
	header.pid = (uint32_t)pid;
	header.parent_pid = (uint32_t)parent;
	header.seed = options.seed + (parent ? tracked_mix((uint64_t)pid) : 0);
	header.start_ticks = ticks_now();
	header.start_monotonic = clock_nanoseconds(CLOCK_MONOTONIC);
	header.flags &= ~(uint32_t)OBJECTS_NOT_MAPPED;
	sampling_set_up(&options, parent != 0);
	threads_set_up(header.seed);
	if (output_open(options.directory, &header))
		return -1;
	clocks_note(1);
	return 0;
}

/* Bytes from one recorded block to the next: see tracked.h */
static uint64_t spacing(void)
{
	const int has_both = options.size && options.interval;

	return has_both && options.interval < options.size ? options.interval :
	       options.size ? options.size : options.interval;
}

static int begin_program(void)
{
	const char *text = getenv("PRECIS_OBJECTS"), *wrong = options_parse(&options, text);

	say_begin();
	if (wrong) {
		say("PRECIS_OBJECTS is wrong here, nothing is recorded", wrong);
		return -1;
	}
	if (output_settle(options.directory, sizeof(options.directory))) {
		say("the working directory has no name, or too long a one; nothing is recorded", NULL);
		return -1;
	}
	header.clock = clock_choose(options.clock);
	if (!options.seed)
		options.seed = ticks_now() ^ (uint64_t)own_pid() << 32;
	if (state_empty_in_children()) {
		say("needs Linux 4.14 or later, nothing is recorded", NULL);
		return -1;
	}
	if (definitions_begin() || stacks_begin((uint32_t)options.stack, (uint32_t)options.depth) ||
	    tracked_begin(spacing()) || (options.live && live_begin()) || threads_begin()) {
		say("no memory, nothing is recorded", NULL);
		return -1;
	}
	describe_program();
	return begin_file(0);
}

/* What lives now is in the parent's file; which blocks are recorded has been taken over with the memory. */
static int begin_child(void)
{
	int parent = pid;

	output_forget();
	if (self && self->busy && !thread_is_stuck(self, __builtin_frame_address(0))) {
		say("forked in a signal handler amid recording: this child is not recorded", NULL);
		return -1;
	}
	libraries_mend();
	definitions_clear();
	stacks_clear();
	threads_forget_others();
	live_mend();
	if (begin_file(parent))
		return -1;
	if (self)
		thread_renew(self);
	return 0;
}

/* Not while the C library has not set itself up: those few blocks are the dynamic linker's. */
static int can_begin(void)
{
	return environ || pid;
}

static void begin(void)
{
	int not_begun = NOT_BEGUN, error, saved = errno;
	uint64_t signals;

	if (!can_begin() || is_stopped || shared.running == REFUSED)
		return;
	/* a handler would wait for what it interrupts, or end the process at half a file */
	signals = signals_block();
	if (!__atomic_compare_exchange_n(&shared.running, &not_begun, BEGINNING, 0,
					 __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		signals_restore(signals);
		/* What the recorder itself allocates while it begins is not recorded. */
		is_entered |= shared.beginner == own_tid();
		while (shared.beginner != own_tid() &&
		       __atomic_load_n(&shared.running, __ATOMIC_ACQUIRE) == BEGINNING)
			CALL1(SYS_sched_yield, 0);
		return;
	}
	shared.beginner = own_tid();
	error = pid ? begin_child() : begin_program();
	__atomic_store_n(&shared.running, error ? REFUSED : RUNNING, __ATOMIC_RELEASE);
	signals_restore(signals);
	if (!error && self)
		thread_leave(self);
	errno = saved;
}

int life_has_begun(void)
{
	return pid != 0;
}

struct thread *life_thread(void)
{
	int saved = errno;
	struct thread *thread = self;
	uint64_t signals;

	if (shared.running != RUNNING)
		begin();
	if (shared.running != RUNNING)
		return NULL;
	if (!thread) {
		/* who jumps out of a handler would leave it busy for ever */
		signals = signals_block();
		thread = thread_new();
		if (thread && thread_enter(thread, NULL)) {
			modules_tell(thread);
			thread_leave(thread);
		}
		signals_restore(signals);
	}
	errno = saved;
	return thread;
}

void life_end(uint32_t end)
{
	struct {
		struct objects_chunk chunk;
		struct objects_trailer trailer;
	} last;

	uint64_t lost, signals;

	/* A child of vfork(2) shares the memory: the parent goes on. */
	if (shared.running != RUNNING || own_pid() != pid)
		return;
	signals = signals_block(); /* a handler would wait for what it has interrupted */
	lost = threads_write_all(end == OBJECTS_END_EXEC || end == OBJECTS_END_FILTER);
	clocks_note(1);
	definitions_write();
	memset(&last, 0, sizeof(last));
	last.chunk.kind = OBJECTS_TRAILER;
	last.chunk.bytes = sizeof(last.trailer);
	last.trailer.end = end;
	last.trailer.stacks = definitions_stacks();
	threads_sum(&last.trailer);
	last.trailer.lost += lost;
	output_chunk(&last.chunk);
	signals_restore(signals);
}

/* In a forked child 'shared' is empty: it has no file yet, and is to have none. */
void life_stop(const char *why, const char *about)
{
	if (is_stopped || shared.running == REFUSED ||
	    (shared.running == RUNNING && own_pid() != pid))
		return;
	if (shared.running == RUNNING) {
		output_lost_from(ticks_now());
		life_end(OBJECTS_END_FILTER);
	}
	say(why, about);
	is_stopped = 1;
	__atomic_store_n(&shared.running, REFUSED, __ATOMIC_RELEASE);
}

/* A program that allocates nothing has a file, too. */
static __attribute__((constructor)) void loaded(void)
{
	life_thread();
}

static __attribute__((destructor)) void unloaded(void)
{
	life_end(OBJECTS_END_EXIT);
}
