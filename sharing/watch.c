/* SPDX-License-Identifier: BSD-3-Clause */
/* See watch.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include "watch.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <precis/record.h>

#include "threads.h"
#include "timeslices.h"

#define RING_PAGES_MOST 32u
#define PROBES 20u
#define ROUNDS 20u

uint64_t watch_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* --- registers --- */

/*
 * The registers of a thread are a group: they are on while their leader is, which is one interrupt of the CPU
 * that the thread ran on last, in place of four. The others are let on before. It has the ring that all
 * write into, and tells of exec(2), too.
 */
#define LEADER (WATCH_REGISTERS - 1)

static struct perf_event_attr attr_of(const struct watch_register *is, uint32_t n)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(struct perf_event_attr),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_ID | PERF_SAMPLE_CPU,
		.disabled = 1,
		.comm = n == LEADER,
		.comm_exec = n == LEADER,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.bp_type = is->kind == WATCH_STORES ? HW_BREAKPOINT_W : HW_BREAKPOINT_RW,
		.bp_addr = is->address,
		.bp_len = is->bytes,
	};
}

/* @param leader  descriptor; -1: it is one */
static int open_register(const struct watch_register *is, uint32_t n, pid_t tid, int leader)
{
	struct perf_event_attr attr = attr_of(is, n);
	const int fd =
		(int)syscall(SYS_perf_event_open, &attr, tid, -1, leader, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static void close_registers(struct watch_thread *thread)
{
	for (uint32_t n = WATCH_REGISTERS; n--;) {
		if (thread->fd[n] >= 0)
			close(thread->fd[n]);
		thread->fd[n] = -1;
		thread->left[n] = 0;
	}
	mapped_ring_close(&thread->ring);
	thread->is_aimed = thread->is_armed = thread->is_used_up = 0;
}

/* The leader is first, and has the ring. */
static int open_one(struct watch *watch, struct watch_thread *thread, uint32_t n)
{
	/* somewhere: it is off, until it is told where */
	const struct watch_register nowhere = { (uintptr_t)watch & ~UINT64_C(63), 8, WATCH_STORES };
	const int fd = open_register(&nowhere, n, (pid_t)thread->tid, thread->fd[LEADER]);

	if (fd < 0)
		return fd;
	thread->fd[n] = fd;
	if (n == LEADER ? mapped_ring_open(&thread->ring, fd, RING_PAGES_MOST, watch->wrapped)
			: ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, thread->fd[LEADER]))
		return -EIO;
	return ioctl(fd, PERF_EVENT_IOC_ID, &thread->id[n]) ? -errno : 0;
}

static int is_gone(const struct watch_thread *thread)
{
	const struct watch_register nowhere = { (uintptr_t)thread & ~UINT64_C(63), 8, WATCH_STORES };
	const int fd = open_register(&nowhere, LEADER, (pid_t)thread->tid, -1);

	if (fd >= 0)
		close(fd);
	return fd == -ESRCH;
}

static int open_registers(struct watch *watch, struct watch_thread *thread)
{
	int error = 0;

	for (uint32_t n = WATCH_REGISTERS; n-- && !error;)
		error = open_one(watch, thread, n);
	if (!error)
		return 0;
	close_registers(thread);
	/* one that ended meanwhile has no group any more, which is said in other words */
	return is_gone(thread) ? -ESRCH : error;
}

static void close_thread(struct watch_thread *thread)
{
	if (thread->timeslices >= 0)
		close(thread->timeslices);
	thread->timeslices = -1;
	close_registers(thread);
}

static void know(struct watch *watch, struct watch_thread *thread, uint32_t tid)
{
	*thread = (struct watch_thread){ .tid = tid, .is_there = 1 };
	for (uint32_t n = 0; n < WATCH_REGISTERS; n++)
		thread->fd[n] = -1;
	thread->timeslices = timeslices_open(watch->pid, tid);
	if (thread->timeslices >= 0)
		timeslices_read(thread->timeslices, &thread->switches);
}

/* --- threads --- */

struct watch_thread *watch_find(struct watch *watch, uint32_t tid)
{
	for (uint32_t n = 0; n < watch->count; n++) {
		if (watch->threads[n].tid == tid)
			return &watch->threads[n];
	}
	return NULL;
}

/* A thread that has gone is none. */
static void count_refused(struct watch *watch, int error)
{
	if (!error || error == -ESRCH)
		return;
	watch->refused++;
	watch->error = -error;
}

void watch_meet(struct watch *watch, uint32_t tid)
{
	struct watch_thread *thread = watch_find(watch, tid);

	if (thread) {
		thread->is_there = 1;
		return;
	}
	if (tid == watch->spared)
		return;
	if (watch->count == WATCH_THREADS_MOST) {
		watch->beyond++;
		return;
	}
	know(watch, &watch->threads[watch->count++], tid);
}

void watch_prefer(struct watch *watch, uint32_t tid)
{
	struct watch_thread *thread = watch_find(watch, tid);

	for (uint32_t n = 0; n < watch->count && !thread; n++) {
		if (watch->threads[n].is_preferred)
			continue;
		/* it may have ended since it was seen */
		if (tid == watch->spared || syscall(SYS_tgkill, watch->pid, tid, 0))
			return;
		thread = &watch->threads[n];
		close_thread(thread);
		know(watch, thread, tid);
	}
	if (thread)
		thread->is_preferred = 1;
}

/* One that is not preferred gives its files back; 0: none of these has any. */
static int give_way(struct watch *watch)
{
	for (uint32_t n = 0; n < watch->count; n++) {
		struct watch_thread *thread = &watch->threads[n];

		if (thread->is_preferred || (thread->fd[LEADER] < 0 && thread->timeslices < 0))
			continue;
		close_thread(thread);
		return 1;
	}
	return 0;
}

int watch_take(struct watch *watch, struct watch_thread *thread)
{
	int error = thread->fd[LEADER] < 0 ? open_registers(watch, thread) : 0;

	while (error == -EMFILE && thread->is_preferred && give_way(watch))
		error = open_registers(watch, thread);

	count_refused(watch, error);
	return error;
}

static void forget_gone(struct watch *watch)
{
	for (uint32_t n = watch->count; n--;) {
		if (watch->threads[n].is_there)
			continue;
		close_thread(&watch->threads[n]);
		watch->threads[n] = watch->threads[--watch->count];
	}
}

void watch_rest(struct watch *watch)
{
	for (uint32_t n = 0; n < watch->count; n++)
		close_registers(&watch->threads[n]);
}

void watch_forget(struct watch *watch)
{
	while (watch->count)
		close_thread(&watch->threads[--watch->count]);
}

uint64_t watch_switches(struct watch *watch)
{
	for (uint32_t n = 0; n < watch->count; n++) {
		struct watch_thread *thread = &watch->threads[n];
		uint64_t now;

		if (thread->timeslices < 0 || timeslices_read(thread->timeslices, &now))
			continue;
		watch->switches += now - thread->switches;
		thread->switches = now;
	}
	return watch->switches;
}

void watch_spare_caller(struct watch *watch)
{
	watch->spared = (uint32_t)syscall(SYS_gettid);
}

void watch_look(struct watch *watch)
{
	struct threads threads;

	for (uint32_t n = 0; n < watch->count; n++)
		watch->threads[n].is_there = 0;
	threads_open(&threads, watch->pid);
	for (uint32_t tid; (tid = threads_next(&threads));)
		watch_meet(watch, tid);
	threads_close(&threads);
	forget_gone(watch);
}

/* --- arming --- */

/* If the leader is to watch nothing it watches what the first one does, so that it can be on: unheard. */
static const struct watch_register *watched_by(
	const struct watch_register registers[WATCH_REGISTERS], uint32_t n)
{
	return n == LEADER && registers[n].kind == WATCH_NOTHING ? &registers[0] : &registers[n];
}

static int aim_at(struct watch_thread *thread, uint32_t n,
		  const struct watch_register registers[WATCH_REGISTERS])
{
	struct perf_event_attr attr = attr_of(watched_by(registers, n), n);

	attr.disabled = n == LEADER || registers[n].kind == WATCH_NOTHING;
	thread->addresses[n] = registers[n].address;
	thread->bytes[n] = registers[n].bytes;
	thread->kinds[n] = registers[n].kind;
	return ioctl(thread->fd[n], PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr) ? -errno : 0;
}

static int turn_on(struct watch_thread *thread, uint32_t n)
{
	if (thread->kinds[n] == WATCH_NOTHING && n != LEADER)
		return 0;
	if (ioctl(thread->fd[n], PERF_EVENT_IOC_REFRESH, WATCH_HITS_MOST - thread->left[n]))
		return -errno;
	thread->left[n] = WATCH_HITS_MOST;
	return 0;
}

int watch_aim(struct watch *watch, struct watch_thread *thread,
	      const struct watch_register registers[WATCH_REGISTERS])
{
	int error;

	if (watch->again == WATCH_BY_OPENING && thread->is_used_up)
		close_registers(thread);
	error = watch_take(watch, thread);
	for (uint32_t n = WATCH_REGISTERS; n-- && !error;)
		error = aim_at(thread, n, registers);
	thread->is_aimed = !error;
	return error;
}

int watch_start(struct watch_thread *thread)
{
	int error = thread->is_aimed ? 0 : -ESRCH;

	/* what hits from here on hits where it is armed now, and not where it was before */
	thread->armed_at = watch_now_ns();
	for (uint32_t n = 0; n < WATCH_REGISTERS && !error; n++)
		error = turn_on(thread, n);
	thread->is_aimed = 0;
	thread->is_armed = 1;
	return error;
}

int watch_arm(struct watch *watch, struct watch_thread *thread,
	      const struct watch_register registers[WATCH_REGISTERS])
{
	const int error = watch_aim(watch, thread, registers);

	return error ? error : watch_start(thread);
}

void watch_disarm_one(struct watch_thread *thread)
{
	if (thread->is_armed)
		ioctl(thread->fd[LEADER], PERF_EVENT_IOC_DISABLE, 0);
}

void watch_disarm(struct watch *watch)
{
	for (uint32_t n = 0; n < watch->count; n++)
		watch_disarm_one(&watch->threads[n]);
}

/* --- hits --- */

/* IP, TID, TIME, ID, CPU as the kernel lays them out */
struct hit_body {
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time, id;
	uint32_t cpu, reserved;
};

static int take_hit(struct watch *watch, struct watch_thread *thread,
		    const struct precis_record *record, struct watch_hit *hit)
{
	struct hit_body body;

	if (record->type != PRECIS_RECORD_SAMPLE || record->size < 8 + sizeof(body)) {
		watch->lost += record->type == PRECIS_RECORD_LOST;
		watch->execs += record->type == PRECIS_RECORD_COMM &&
				record->misc & PRECIS_MISC_COMM_EXEC;
		return 0;
	}
	memcpy(&body, record->data + 8, sizeof(body));
	for (uint32_t n = 0; n < WATCH_REGISTERS; n++) {
		if (thread->id[n] != body.id)
			continue;
		if (thread->left[n] && !--thread->left[n])
			thread->is_used_up = 1;
		if (thread->kinds[n] == WATCH_NOTHING)
			return 0;
		watch->hits++;
		*hit = (struct watch_hit){ body.time, thread->tid, n, body.ip, body.cpu + 1 };
		return 1;
	}
	return 0;
}

size_t watch_read(struct watch *watch, struct watch_hit *hits, size_t room)
{
	size_t count = 0;

	for (uint32_t n = 0; n < watch->count; n++) {
		struct watch_thread *thread = &watch->threads[n];
		struct precis_record record;

		if (!thread->ring.mapping || !precis_ring_look(&thread->ring.ring))
			continue;
		while (count < room && precis_ring_next(&thread->ring.ring, &record) == 1)
			count += (size_t)take_hit(watch, thread, &record, &hits[count]);
		precis_ring_release(&thread->ring.ring);
	}
	return count;
}

/* --- what this kernel does --- */

/* Hits of so many stores of this thread */
static uint64_t hit(struct watch *watch, uint32_t stores)
{
	struct watch_hit hits[8];
	const uint64_t before = watch->hits;

	for (uint32_t n = 0; n < stores; n++)
		watch->probed[0] = n;
	while (watch_read(watch, hits, sizeof(hits) / sizeof(hits[0])))
		;
	return watch->hits - before;
}

static const struct watch_register probe[WATCH_REGISTERS] = {
	[0] = { 0, 8, WATCH_STORES },
};

static int arm_probe(struct watch *watch)
{
	struct watch_register registers[WATCH_REGISTERS];

	for (uint32_t n = 0; n < WATCH_REGISTERS; n++)
		registers[n] = (struct watch_register){ (uintptr_t)&watch->probed[n], 8, probe[n].kind };
	return watch_arm(watch, &watch->threads[0], registers);
}

/* Used up and armed again: does it hit? */
static int works_again(struct watch *watch, enum watch_again again)
{
	int error;

	watch->again = again;
	/* what another way has left may be deaf */
	watch_rest(watch);
	error = arm_probe(watch);
	if (!error)
		hit(watch, WATCH_HITS_MOST + 8);
	if (!error)
		error = arm_probe(watch);
	return !error && hit(watch, 3) == 3;
}

/* The quickest round: others are of what else the CPU does */
static void measure(struct watch *watch)
{
	watch->hit_ns = UINT64_MAX;
	for (uint32_t round = 0; round < ROUNDS && !arm_probe(watch); round++) {
		const uint64_t begun = watch_now_ns();
		uint64_t each;

		hit(watch, PROBES);
		each = (watch_now_ns() - begun) / PROBES;
		watch->hit_ns = each < watch->hit_ns ? each : watch->hit_ns;
	}
}

static uint32_t longest(const volatile uint64_t *probed)
{
	const struct watch_register line = { (uintptr_t)probed, 64, WATCH_ALL };
	const int fd = open_register(&line, 0, 0, -1);

	if (fd >= 0)
		close(fd);
	return fd >= 0 ? 64 : 8;
}

/* --- beginning and end --- */

static void let_go(int signal)
{
	(void)signal;
}

/*
 * A guest's kernel may turn a register off before it is told that it was hit: then nobody is known to have
 * wanted it, and the thread gets a SIGTRAP, which ends it if nobody takes it. Registers of this thread are
 * used up on purpose here, while it goes on hitting them.
 */
static void take_late_traps(struct sigaction *before)
{
	const struct sigaction action = { .sa_handler = let_go };

	sigaction(SIGTRAP, &action, before);
}

static int probe_kernel(struct watch *watch)
{
	volatile uint64_t probed[8] __attribute__((aligned(64)));
	static const enum watch_again ways[] = { WATCH_BY_REFRESH, WATCH_BY_OPENING };
	int error, works = 0;

	watch->probed = probed;
	watch_meet(watch, (uint32_t)syscall(SYS_gettid));
	error = watch_take(watch, &watch->threads[0]);
	if (error) {
		watch_forget(watch);
		return error;
	}
	for (size_t n = 0; n < sizeof(ways) / sizeof(ways[0]) && !works; n++)
		works = works_again(watch, ways[n]);
	if (works)
		measure(watch);
	watch_forget(watch);
	watch->hits = watch->lost = 0;
	watch->line_bytes = longest(probed);
	watch->probed = NULL;
	return works ? 0 : -ENODEV;
}

int watch_open(struct watch *watch, pid_t pid)
{
	struct sigaction before;
	int error;

	memset(watch, 0, sizeof(*watch));
	watch->pid = pid;
	watch->wrapped = malloc(PRECIS_RING_WRAPPED_BYTES);
	if (!watch->wrapped)
		return -ENOMEM;
	take_late_traps(&before);
	error = probe_kernel(watch);
	sigaction(SIGTRAP, &before, NULL);
	return error;
}

void watch_close(struct watch *watch)
{
	watch_forget(watch);
	free(watch->wrapped);
	memset(watch, 0, sizeof(*watch));
}
