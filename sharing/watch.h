/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Debug registers of another process's threads: armed from outside, without a signal. Each hit is a record
 * in a ring of the thread's own, which is read here.
 *
 * Of x86 each thread has four registers, for 1, 2, 4 or 8 aligned bytes, of AMD's with bpext also for 16,
 * 32 or 64; for stores, or for loads and stores, not for loads alone. A hit comes behind the access.
 *
 * Source: Linux 6.18 kernel/events/hw_breakpoint.c, arch/x86/kernel/hw_breakpoint.c.
 */
#ifndef SHARING_WATCH_H
#define SHARING_WATCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "mapped_ring.h"

#define WATCH_REGISTERS 4u
#define WATCH_THREADS_MOST 256u
/*
 * Of one register, until it is armed again: then it is off, so that a thread that waits in a loop goes on.
 * If that is the last one, so are the others.
 */
#define WATCH_HITS_MOST 512u

enum watch_kind { WATCH_NOTHING, WATCH_STORES, WATCH_ALL };

struct watch_register {
	uint64_t address;
	uint32_t bytes;
	enum watch_kind kind;
};

struct watch_hit {
	uint64_t time; /* CLOCK_MONOTONIC */
	uint32_t tid;
	uint32_t slot; /* register */
	uint64_t ip;   /* behind the instruction */
	uint32_t cpu; /* number from 1; 0: not known */
};

struct watch_thread {
	uint32_t tid;
	int fd[WATCH_REGISTERS];
	uint64_t id[WATCH_REGISTERS];
	uint32_t left[WATCH_REGISTERS]; /* hits until it is off; what was not used stays */
	uint64_t addresses[WATCH_REGISTERS]; /* that they watch */
	uint32_t bytes[WATCH_REGISTERS]; /* from there on */
	enum watch_kind kinds[WATCH_REGISTERS];
	uint64_t armed_at; /* hits from then on are of these: CLOCK_MONOTONIC */
	int is_aimed, is_armed, is_there;
	int is_used_up; /* one of the registers was, since they were opened */
	int is_preferred; /* to those that are not, where there is no room for all, or not for their files */
	int timeslices; /* descriptor; negative: its switches are not known */
	uint64_t switches; /* when last looked at */
	struct mapped_ring ring;
};

/*
 * How a register whose hits have been used up is armed again. Since Linux 6.16 it is stopped then, and deaf
 * when it is refreshed; its period told once more (PERF_EVENT_IOC_PERIOD) starts it in a thread that runs,
 * and in no other: so it is opened anew.
 */
enum watch_again { WATCH_BY_REFRESH, WATCH_BY_OPENING };

struct watch {
	pid_t pid;
	struct watch_thread threads[WATCH_THREADS_MOST];
	uint32_t count;
	uint32_t line_bytes; /* the longest that a register takes: 8, or 64: whole lines */
	enum watch_again again;
	uint64_t hit_ns; /* what one costs: measured here */
	uint64_t hits, lost;
	uint64_t switches; /* of threads that are known, as far as watch_switches() has looked */
	uint64_t execs; /* calls of exec(2) by watched threads: another program's memory since */
	uint32_t beyond; /* threads that there was no room for */
	uint32_t refused; /* whose registers could not be had */
	int error; /* errno of the last of these */
	uint32_t spared; /* a thread that is not watched; 0: none */
	uint8_t *wrapped;
	volatile uint64_t *probed; /* a line, as long as it is tried */
};

/*
 * Try it on the calling thread: what a register takes, how it is armed again, what that costs.
 * 0, or -errno: no register can be had
 */
int watch_open(struct watch *watch, pid_t pid);
void watch_close(struct watch *watch);

/* The calling thread, which watches its own process, is not watched itself. */
void watch_spare_caller(struct watch *watch);

/* Threads that have come are known, and have no registers yet; those that have gone give them back. */
void watch_look(struct watch *watch);

/* One thread is known. */
void watch_meet(struct watch *watch, uint32_t tid);

/* That thread has room, and may have files open, if need be those of one that is not preferred. */
void watch_prefer(struct watch *watch, uint32_t tid);

/* It gets registers, which are off, if it has none. 0, or -errno */
int watch_take(struct watch *watch, struct watch_thread *thread);

/* All threads give them back: those that are off cost something, too. */
void watch_rest(struct watch *watch);

/* The same, and no thread is known any more, until they are looked for again. */
void watch_forget(struct watch *watch);

/* Context switches that threads have made since they are known; of those that have gone, but the last few */
uint64_t watch_switches(struct watch *watch);

/* By the clock of hits, and of when a thread was armed */
uint64_t watch_now_ns(void);

struct watch_thread *watch_find(struct watch *watch, uint32_t tid);

/* Where they are to watch, once watch_start() says so: until then they are off. It gets some, if it has none.
 * 0, or -errno: it has gone */
int watch_aim(struct watch *watch, struct watch_thread *thread,
	      const struct watch_register registers[WATCH_REGISTERS]);
/* All registers at once. 0, or -errno: it has gone, or is not aimed */
int watch_start(struct watch_thread *thread);
/* Both, of one thread alone */
int watch_arm(struct watch *watch, struct watch_thread *thread,
	      const struct watch_register registers[WATCH_REGISTERS]);
void watch_disarm_one(struct watch_thread *thread);
void watch_disarm(struct watch *watch);

/* Hits of all threads, those that fit. How many */
size_t watch_read(struct watch *watch, struct watch_hit *hits, size_t room);

#endif
