/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_sharing.c
 * @see precis_sharing.h
 */
#include "precis_sharing.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libdecode/sample/abi.h"
#include "papi.h"
#include "precis_errors.h"
#include "sharing/in_process.h"
#include "sharing/live_estimate.h"

#include <precis/papi.h>

#define OVERHEAD 0.05
#define WINDOW_NS 10000000u
#define WINDOW_MOST_NS 1000000000u
#define WEIGHT_MOST 1000000000000u
#define USER_BITS 47u

/* Accesses are handed on as they are. */
_Static_assert((uint32_t)PRECIS_PAPI_LOADED == ACCESS_LOADS &&
		       (uint32_t)PRECIS_PAPI_STORED == ACCESS_STORES,
	       "the same bits");
_Static_assert(sizeof(((struct precis_papi_sharing_thread *)0)->name) >= LIVE_NAME, "names fit");

/* --- begin, and end --- */

static int is_there; /* the component */

static void at_exit(void)
{
	precis_sharing_end();
}

static void note_exit(void)
{
	atexit(at_exit);
}

static int fail(enum in_process_fault fault, int error)
{
	switch (fault) {
	case IN_PROCESS_FINE:
		return PAPI_OK;
	case IN_PROCESS_NO_MEMORY:
		return precis_fail(PAPI_ENOMEM, "no memory to observe who shares lines");
	case IN_PROCESS_NO_THREAD:
		return precis_fail(PAPI_ESYS, "no thread that observes who shares lines: %s",
				   strerror(error));
	case IN_PROCESS_BUSY:
		return precis_fail(
			PAPI_EISRUN,
			"who shares lines is observed already: precis_papi_sharing_stop");
	case IN_PROCESS_NO_REGISTER:
		break;
	}
	switch (error) {
	case ENOSPC:
		return precis_fail(
			PAPI_ECNFLCT,
			"all debug registers are taken: by a debugger, or by BREAKPOINT events");
	case EACCES:
	case EPERM:
		return precis_fail(
			PAPI_EPERM,
			"debug registers: %s (kernel.perf_event_paranoid must be 2 at most)",
			strerror(error));
	case ENOMEM:
		return precis_fail(PAPI_ENOMEM, "no memory to observe who shares lines");
	case EMFILE:
	case ENFILE:
		return precis_fail(PAPI_ESYS,
				   "debug registers: %s: four descriptors are open of each thread",
				   strerror(error));
	default:
		return precis_fail(PAPI_ENOSUPP, "no debug register can be had here: %s",
				   strerror(error));
	}
}

static int read_options(struct precis_papi_sharing *copy, const struct precis_papi_sharing *sharing)
{
	const unsigned char *bytes = (const unsigned char *)sharing;

	memset(copy, 0, sizeof(*copy));
	if (!sharing)
		return PAPI_OK;
	if (!abi_read(copy, sharing, sizeof(*copy)))
		return precis_fail(PAPI_EINVAL, "struct precis_papi_sharing: no size");
	for (uint32_t n = sizeof(*sharing); n < sharing->size; n++) {
		if (bytes[n])
			return precis_fail(
				PAPI_EINVAL,
				"struct precis_papi_sharing: there is something at byte %u, "
				"but this libpapi knows %zu",
				n, sizeof(*sharing));
	}
	if (!(copy->max_overhead >= 0) || copy->max_overhead >= 1)
		return precis_fail(PAPI_EINVAL, "max_overhead has a value that it cannot have");
	if (copy->window_ns > WINDOW_MOST_NS)
		return precis_fail(PAPI_EINVAL, "window_ns: at most %u", WINDOW_MOST_NS);
	return PAPI_OK;
}

int precis_papi_sharing_start(const struct precis_papi_sharing *sharing)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct precis_papi_sharing asked;
	struct live_settings settings = { 0 };
	int error = read_options(&asked, sharing), why;

	if (error)
		return error;
	if (!__atomic_load_n(&is_there, __ATOMIC_ACQUIRE))
		return precis_fail(PAPI_ENOINIT, "PAPI_library_init() has not been called, or the "
						 "component precis is disabled");
	settings.most_overhead = asked.max_overhead > 0 ? asked.max_overhead : OVERHEAD;
	settings.window_ns = asked.window_ns ? asked.window_ns : WINDOW_NS;
	settings.seed = asked.seed;
	pthread_once(&once, note_exit);
	return fail(in_process_begin(&settings, &why), why);
}

void precis_sharing_begin(void)
{
	__atomic_store_n(&is_there, 1, __ATOMIC_RELEASE);
}

void precis_sharing_end(void)
{
	__atomic_store_n(&is_there, 0, __ATOMIC_RELEASE);
	in_process_end();
}

int precis_papi_sharing_stop(void)
{
	if (in_process_end())
		return precis_fail(PAPI_ENOTRUN, "who shares lines is not observed");
	return PAPI_OK;
}

/* --- accesses: in signal handlers, too, so that no reason is noted --- */

static int put(uint64_t address, uint64_t bytes, uint32_t did, uint32_t tid, uint64_t weight)
{
	if (!address || address >> USER_BITS || bytes > 64 || !did ||
	    did & ~(uint32_t)(PRECIS_PAPI_LOADED | PRECIS_PAPI_STORED) || !weight ||
	    weight >= WEIGHT_MOST)
		return PAPI_EINVAL;
	return in_process_put(address, (uint16_t)bytes, (uint16_t)did, tid, weight) ? PAPI_ENOTRUN
										    : PAPI_OK;
}

int precis_papi_sharing_access(const volatile void *address, uint32_t bytes, uint32_t did,
			       uint64_t weight)
{
	if (!bytes)
		return PAPI_EINVAL;
	return put((uintptr_t)address, bytes, did, (uint32_t)syscall(SYS_gettid), weight);
}

static uint32_t told_by(const struct precis_sample *sample)
{
	uint64_t op;

	if (!precis_get(sample, PRECIS_FIELD_OP, &op))
		return 0;
	switch (op) {
	case PRECIS_OP_LOAD:
		return PRECIS_PAPI_LOADED;
	case PRECIS_OP_STORE:
		return PRECIS_PAPI_STORED;
	case PRECIS_OP_LOAD_STORE:
		return PRECIS_PAPI_LOADED | PRECIS_PAPI_STORED;
	default:
		return 0;
	}
}

int precis_papi_sharing_sample(const struct precis_sample *sample,
			       const struct precis_papi_arrival *arrival, uint32_t did)
{
	uint64_t address = 0, tid = 0, bytes = 0;

	if (!abi_is_size(sample) || !abi_is_size(arrival) ||
	    !precis_get(sample, PRECIS_FIELD_ADDR, &address) ||
	    !precis_get(sample, PRECIS_FIELD_TID, &tid) || (int32_t)tid <= 0)
		return PAPI_EINVAL;
	precis_get(sample, PRECIS_FIELD_ACCESS_BYTES, &bytes);
	return put(address, bytes, did ? did : told_by(sample), (uint32_t)tid, arrival->period);
}

/* --- what was found --- */

struct sum {
	double middle, low, high;
};

static struct sum sum_of(const struct poisson_sum *sum)
{
	const struct interval interval = poisson_sum_interval(sum, interval_confidence);

	return (struct sum){ sum->sum, interval.low, interval.high };
}

/* NULL: nobody has observed; noted. Else to be let go */
static const struct live_result *hold(const void *filled, uint64_t *dropped, int *is_running,
				      int *error)
{
	const struct live_result *result;

	*error = PAPI_EINVAL;
	if (!abi_is_size(filled)) {
		precis_fail(*error, "a struct of what was found: no size");
		return NULL;
	}
	result = in_process_hold(dropped, is_running);
	if (result)
		return result;
	in_process_let_go();
	*error = precis_fail(PAPI_ENOTRUN, "who shares lines has not been observed");
	return NULL;
}

static double of_line(const struct live_line *line)
{
	return line->line ? line->met + line->apart : 0;
}

static uint32_t count_lines(const struct live_result *result)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < LIVE_LINES_MOST; n++)
		count += of_line(&result->lines[n]) > 0;
	return count;
}

static void fill_counts(struct precis_papi_sharing_result *found, const struct live_result *result)
{
	found->threads = result->thread_count;
	found->lines = count_lines(result);
	found->seconds = result->seconds;
	found->overhead =
		result->seconds > 0 ? (double)result->cost_ns / (result->seconds * 1e9) : 0;
	found->accesses = result->accesses;
	found->refused = result->strange;
	found->experiments = result->experiments;
	found->stored = result->stored;
	found->timed_out = result->timed_out;
	found->no_store = result->no_anchor;
	found->used_up = result->used_up;
	found->traps = result->hits;
	found->trap_ns = result->hit_ns;
	found->overrun = result->overrun;
	found->threads_beyond = result->threads_beyond;
	found->threads_refused = result->refused;
	found->refused_error = result->refused_error;
	found->watched_bytes = result->line_bytes;
	found->left = result->absent;
}

int precis_papi_sharing_result(struct precis_papi_sharing_result *filled)
{
	struct precis_papi_sharing_result found = { .size = sizeof(found) };
	const struct live_result *result;
	struct live_flow all;
	struct sum sum;
	int is_running, error;

	result = hold(filled, &found.dropped, &is_running, &error);
	if (!result)
		return error;
	found.is_running = (uint32_t)is_running;
	fill_counts(&found, result);
	all = live_estimate_total(result);
	in_process_let_go();
	sum = sum_of(&all.all);
	found.transfers = sum.middle, found.transfers_low = sum.low,
	found.transfers_high = sum.high;
	sum = sum_of(&all.met);
	found.true_transfers = sum.middle, found.true_low = sum.low, found.true_high = sum.high;
	sum = sum_of(&all.apart);
	found.false_transfers = sum.middle, found.false_low = sum.low, found.false_high = sum.high;
	abi_write(filled, &found, sizeof(found));
	return PAPI_OK;
}

static int no_such(const char *what, uint32_t number, uint32_t count)
{
	return precis_fail(PAPI_EINVAL, "no %s %u: there are %u", what, number, count);
}

int precis_papi_sharing_thread(uint32_t number, struct precis_papi_sharing_thread *filled)
{
	struct precis_papi_sharing_thread found = { .size = sizeof(found) };
	const struct live_result *result;
	uint64_t dropped;
	uint32_t count;
	int is_running, error;

	result = hold(filled, &dropped, &is_running, &error);
	if (!result)
		return error;
	count = result->thread_count;
	if (number < count) {
		const struct live_thread *thread = &result->threads[number];
		const struct live_flow sent = live_estimate_sent(result, number);
		const struct sum sum = sum_of(&sent.all);

		found.tid = thread->tid;
		memcpy(found.name, thread->name, sizeof(thread->name));
		found.loads = thread->loads;
		found.stores = thread->stores;
		found.transfers = sum.middle, found.transfers_low = sum.low;
		found.transfers_high = sum.high;
	}
	in_process_let_go();
	if (number >= count)
		return no_such("thread", number, count);
	abi_write(filled, &found, sizeof(found));
	return PAPI_OK;
}

int precis_papi_sharing_flow(uint32_t from, uint32_t to, struct precis_papi_sharing_flow *filled)
{
	struct precis_papi_sharing_flow found = { .size = sizeof(found) };
	const struct live_result *result;
	struct live_flow flow = { .all = { .sum = 0 } };
	struct sum sum;
	uint64_t dropped;
	uint32_t count;
	int is_running, error;

	result = hold(filled, &dropped, &is_running, &error);
	if (!result)
		return error;
	count = result->thread_count;
	if (from < count && to < count)
		flow = live_estimate(result, from, to);
	in_process_let_go();
	if (from >= count || to >= count)
		return no_such("thread", from < count ? to : from, count);
	sum = sum_of(&flow.all);
	found.transfers = sum.middle, found.transfers_low = sum.low,
	found.transfers_high = sum.high;
	sum = sum_of(&flow.met);
	found.true_transfers = sum.middle, found.true_low = sum.low, found.true_high = sum.high;
	sum = sum_of(&flow.apart);
	found.false_transfers = sum.middle, found.false_low = sum.low, found.false_high = sum.high;
	abi_write(filled, &found, sizeof(found));
	return PAPI_OK;
}

static int by_transfers(const void *a, const void *b)
{
	const struct live_line *left = *(const struct live_line *const *)a;
	const struct live_line *right = *(const struct live_line *const *)b;

	if (of_line(left) != of_line(right))
		return of_line(left) > of_line(right) ? -1 : 1;
	return (left->line > right->line) - (left->line < right->line);
}

int precis_papi_sharing_line(uint32_t number, struct precis_papi_sharing_line *filled)
{
	struct precis_papi_sharing_line found = { .size = sizeof(found) };
	const struct live_line *lines[LIVE_LINES_MOST];
	const struct live_result *result;
	uint64_t dropped;
	uint32_t count = 0;
	double all = 0;
	int is_running, error;

	result = hold(filled, &dropped, &is_running, &error);
	if (!result)
		return error;
	for (uint32_t n = 0; n < LIVE_LINES_MOST; n++) {
		if (of_line(&result->lines[n]) > 0)
			lines[count++] = &result->lines[n];
		all += of_line(&result->lines[n]);
	}
	qsort(lines, count, sizeof(lines[0]), by_transfers);
	if (number < count) {
		found.address = lines[number]->line;
		found.experiments = lines[number]->experiments;
		found.share = of_line(lines[number]) / all;
		found.false_share = lines[number]->apart / of_line(lines[number]);
	}
	in_process_let_go();
	if (number >= count)
		return no_such("line", number, count);
	abi_write(filled, &found, sizeof(found));
	return PAPI_OK;
}

const struct precis_fork_hooks precis_sharing_fork = {
	.before = in_process_before_fork,
	.after = in_process_after_fork,
};
