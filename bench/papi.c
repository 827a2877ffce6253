/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a sample costs through PAPI: each delivery mode of the component, PAPI_overflow with it, and
 * the scheme of PAPI's own perf_event component (disable, newest IP, refresh), in one run; and what
 * the kernel takes for a sample that nobody reads, below which no reader can come. Events
 * are a data breakpoint and the CPU's clock, so it runs on machines without a PMU. See --help.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <papi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <precis/ibs.h>
#include <precis/papi.h>

#include "tests/papi/fake_ibs.h"

#define RUNS_MOST 99
#define STORES 60000u
#define CLOCK_PERIOD_NS 50000u
#define CLOCK_ROUNDS 40000000u
#define READS 200000u
#define RING_BYTES ((uint64_t)8 << 20)

static volatile long cell __attribute__((aligned(8)));
static volatile unsigned long rounds;
static uint64_t samples;

/* The whole process's: the helper thread's work is a cost as well. */
static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void die(const char *what, int code)
{
	fprintf(stderr, "papi: %s: %s\n", what, precis_papi_strerror(code));
	exit(1);
}

/* --- the work ------------------------------------------------------------------ */

static void store(void)
{
	for (unsigned int n = 0; n < STORES; n++)
		cell = n;
}

static void burn(void)
{
	for (rounds = 0; rounds < CLOCK_ROUNDS; rounds++)
		;
}

struct event {
	const char *what;
	char name[128];
	struct perf_event_attr attr;
	uint64_t period;
	void (*work)(void);
	int code;
};

static struct event events[] = {
	{ .what = "breakpoint", .period = 1, .work = store },
	{ .what = "cpu-clock", .period = CLOCK_PERIOD_NS, .work = burn },
};

static void name_events(void)
{
	int code;

	snprintf(events[0].name, sizeof(events[0].name),
		 "precis:::BREAKPOINT:addr=0x%" PRIxPTR ":len=8:access=w", (uintptr_t)&cell);
	events[0].attr = (struct perf_event_attr){
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uintptr_t)&cell,
		.bp_len = HW_BREAKPOINT_LEN_8,
	};
	strcpy(events[1].name, "precis:::SW_CPU_CLOCK");
	events[1].attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
	};
	for (size_t n = 0; n < 2; n++) {
		events[n].attr.size = sizeof(events[n].attr);
		events[n].attr.exclude_kernel = 1;
		code = PAPI_event_name_to_code(events[n].name, &events[n].code);
		if (code)
			die(events[n].name, code);
	}
}

/* --- events without the component --------------------------------------------------- */

/* Of this thread, disabled: an address for each sample, in a ring. 'attr' has what wakes a reader. */
static struct perf_event_mmap_page *open_ring(const struct event *event, struct perf_event_attr attr,
					      size_t bytes, int *fd)
{
	struct perf_event_mmap_page *page = MAP_FAILED;

	attr.sample_period = event->period;
	attr.sample_type = PERF_SAMPLE_IP;
	attr.disabled = 1;
	*fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (*fd >= 0)
		page = mmap(NULL, 4096 + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (page == MAP_FAILED) {
		perror("papi: perf_event_open");
		exit(1);
	}
	return page;
}

static void close_ring(struct perf_event_mmap_page *page, size_t bytes, int fd)
{
	munmap(page, 4096 + bytes);
	close(fd);
}

/* --- the kernel alone ---------------------------------------------------------------- */

/* An address into a ring that nobody looks at before the end: no wakeup, no signal, no reader. */
static double run_unread(const struct event *event)
{
	struct perf_event_attr attr = event->attr;
	struct perf_event_mmap_page *page;
	double began;
	int fd;

	attr.watermark = 1;
	attr.wakeup_watermark = UINT32_MAX;
	page = open_ring(event, attr, RING_BYTES, &fd);
	began = cpu_seconds();
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	event->work();
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	began = cpu_seconds() - began;
	for (uint64_t at = 0; at < page->data_head;) {
		const struct perf_event_header *record =
			(const void *)((const uint8_t *)page + 4096 + at);

		samples += record->type == PERF_RECORD_SAMPLE;
		at += record->size;
	}
	close_ring(page, RING_BYTES, fd);
	return began;
}

/* --- the scheme of PAPI's perf_event component ------------------------------------- */

static int stock_fd;
static struct perf_event_mmap_page *stock_page;
static volatile uint64_t last_ip;

static void stock_handler(int number, siginfo_t *info, void *context)
{
	const uint8_t *data = (const uint8_t *)stock_page + 4096;
	uint64_t head;

	(void)number;
	(void)info;
	(void)context;
	ioctl(stock_fd, PERF_EVENT_IOC_DISABLE, 0);
	head = __atomic_load_n(&stock_page->data_head, __ATOMIC_ACQUIRE);
	memcpy((void *)&last_ip, data + ((head - 8) & 8191), 8);
	__atomic_store_n(&stock_page->data_tail, head, __ATOMIC_RELEASE);
	samples++;
	ioctl(stock_fd, PERF_EVENT_IOC_REFRESH, 1);
}

static double run_stock(const struct event *event)
{
	struct perf_event_attr attr = event->attr;
	struct f_owner_ex owner = { F_OWNER_TID, (pid_t)syscall(SYS_gettid) };
	struct sigaction action = { .sa_sigaction = stock_handler,
				    .sa_flags = SA_SIGINFO | SA_RESTART };
	double began;

	attr.wakeup_events = 1;
	stock_page = open_ring(event, attr, 8192, &stock_fd);
	sigaction(SIGRTMIN + 2, &action, NULL);
	fcntl(stock_fd, F_SETFL, O_ASYNC | O_NONBLOCK);
	fcntl(stock_fd, F_SETSIG, SIGRTMIN + 2);
	fcntl(stock_fd, F_SETOWN_EX, &owner);
	began = cpu_seconds();
	ioctl(stock_fd, PERF_EVENT_IOC_REFRESH, 1);
	event->work();
	ioctl(stock_fd, PERF_EVENT_IOC_DISABLE, 0);
	began = cpu_seconds() - began;
	close_ring(stock_page, 8192, stock_fd);
	return began;
}

/* --- the component ---------------------------------------------------------------- */

static uint64_t sum;

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	uint64_t value;

	(void)arrival;
	(void)user;
	samples++;
	if (precis_get_ip(sample, &value))
		sum += value;
}

static void on_overflow(int event_set, void *address, long long vector, void *context)
{
	(void)event_set;
	(void)vector;
	(void)context;
	samples++;
	sum += (uint64_t)(uintptr_t)address;
}

enum way { COUNTING, UNREAD, STOCK, OVERFLOW, BATCH, WATERMARK, THREAD, SAMPLE, WAYS };

static const char *const way_names[] = {
	"counted only",
	"the kernel, unread",
	"perf_event's scheme",
	"PAPI_overflow",
	"batch",
	"watermark, 64 samples",
	"thread",
	"sample",
};

static struct precis_papi_statistics statistics;

/* @return CPU seconds from PAPI_start to PAPI_stop */
static double run_component(const struct event *event, enum way way)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = way >= BATCH ? (uint32_t)way - BATCH : 0,
		.period = event->period,
		.watermark_samples = way == WATERMARK ? 64 : 0,
		.ring_bytes = RING_BYTES,
		.callback = on_sample,
	};
	int event_set = PAPI_NULL, code;
	long long count;
	double began;

	code = PAPI_create_eventset(&event_set);
	if (!code)
		code = PAPI_add_event(event_set, event->code);
	if (!code && way == OVERFLOW)
		code = PAPI_overflow(event_set, event->code, (int)event->period, 0, on_overflow);
	if (!code && way >= BATCH)
		code = precis_papi_set_sampling(event_set, event->code, &sampling);
	if (code)
		die(event->name, code);
	began = cpu_seconds();
	PAPI_start(event_set);
	event->work();
	PAPI_stop(event_set, &count);
	began = cpu_seconds() - began;
	statistics.size = sizeof(statistics);
	if (way >= BATCH)
		precis_papi_get_statistics(event_set, event->code, &statistics);
	PAPI_cleanup_eventset(event_set);
	PAPI_destroy_eventset(&event_set);
	return began;
}

/* --- measuring ---------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), by_value);
	return values[count / 2];
}

struct result {
	double seconds[WAYS][RUNS_MOST], count[WAYS][RUNS_MOST], inside[WAYS][RUNS_MOST];
	uint64_t lost;
};

static double run_way(const struct event *event, enum way way)
{
	if (way == UNREAD)
		return run_unread(event);
	return way == STOCK ? run_stock(event) : run_component(event, way);
}

/* All ways in turn, so that a change of the machine's speed meets all of them */
static void measure(const struct event *event, int runs, struct result *result)
{
	result->lost = 0;
	for (int run = 0; run < runs; run++) {
		for (int way = 0; way < WAYS; way++) {
			samples = 0;
			result->seconds[way][run] = run_way(event, (enum way)way);
			result->count[way][run] = (double)samples;
			result->inside[way][run] = (double)statistics.component_ns;
			if (way >= BATCH)
				result->lost += statistics.lost;
		}
	}
}

/* ns a sample beyond counting; of the sampling event alone */
static double cost(const struct result *result, int way, int runs)
{
	double base[RUNS_MOST], seconds[RUNS_MOST], count[RUNS_MOST];

	memcpy(base, result->seconds[COUNTING], sizeof(base));
	memcpy(seconds, result->seconds[way], sizeof(seconds));
	memcpy(count, result->count[way], sizeof(count));
	return 1e9 * (median(seconds, runs) - median(base, runs)) / median(count, runs);
}

static double inside(const struct result *result, int way, int runs)
{
	double spent[RUNS_MOST], count[RUNS_MOST];

	memcpy(spent, result->inside[way], sizeof(spent));
	memcpy(count, result->count[way], sizeof(count));
	return median(spent, runs) / median(count, runs);
}

/*
 * The 95 % interval of a median, or of a ratio of two, by the runs drawn again and again: those of one turn
 * stay together, so that what met all ways alike does not widen it.
 */
#define DRAWS 2000

struct interval {
	double low, high;
};

static uint64_t draw(uint64_t below)
{
	static uint64_t state = 0x9e3779b97f4a7c15u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

/* What a figure is of some runs; interval_of() has that of 'way', or its ratio to 'to' (WAYS: none). */
typedef double figure(const struct result *result, int way, int runs);

static struct interval interval_of(const struct result *result, figure *of, int way, int to, int runs)
{
	static double drawn[DRAWS];
	static struct result again;

	for (int n = 0; n < DRAWS; n++) {
		for (int run = 0; run < runs; run++) {
			uint64_t from = draw((uint64_t)runs);

			for (int each = 0; each < WAYS; each++) {
				again.seconds[each][run] = result->seconds[each][from];
				again.count[each][run] = result->count[each][from];
				again.inside[each][run] = result->inside[each][from];
			}
		}
		drawn[n] = of(&again, way, runs) / (to < WAYS ? of(&again, to, runs) : 1);
	}
	qsort(drawn, DRAWS, sizeof(*drawn), by_value);
	return (struct interval){ drawn[DRAWS / 40], drawn[DRAWS - 1 - DRAWS / 40] };
}

static void print_intervals(const struct result *result, int has_stock, int runs)
{
	struct interval batch = interval_of(result, cost, BATCH, SAMPLE, runs);
	struct interval within = interval_of(result, inside, BATCH, WAYS, runs);
	struct interval least = interval_of(result, cost, UNREAD, SAMPLE, runs);
	struct interval above = interval_of(result, cost, BATCH, UNREAD, runs);

	printf("95 %%: of sample the kernel, unread, %.2f to %.2f, batch %.2f to %.2f; "
	       "batch of the kernel, unread, %.2f to %.2f;\nbatch in component %.0f to %.0f ns",
	       least.low, least.high, batch.low, batch.high, above.low, above.high, within.low,
	       within.high);
	if (has_stock) {
		struct interval overflow = interval_of(result, cost, OVERFLOW, STOCK, runs);
		struct interval of_stock = interval_of(result, cost, BATCH, STOCK, runs);

		printf("; of perf_event PAPI_overflow %.2f to %.2f, batch %.2f to %.2f",
		       overflow.low, overflow.high, of_stock.low, of_stock.high);
	}
	printf("\n");
}

static void print(const struct event *event, const struct result *result, int runs)
{
	double stock = cost(result, STOCK, runs), each = cost(result, SAMPLE, runs);

	printf("%s, a sample each %" PRIu64 "\n%-24s %9s %12s %13s %10s %12s\n", event->what,
	       event->period, "", "samples", "ns a sample", "of perf_event", "of sample",
	       "in component");
	for (int way = UNREAD; way < WAYS; way++) {
		double ns = cost(result, way, runs);

		if (way == STOCK && result->count[way][0] < 10) {
			/* a kernel that does not start a breakpoint again which REFRESH had ended */
			printf("%-24s stops after its first sample on this kernel\n",
			       way_names[way]);
			stock = 0;
			continue;
		}
		printf("%-24s %9.0f %12.0f ", way_names[way], result->count[way][runs / 2], ns);
		if (stock > 0)
			printf("%13.2f ", ns / stock);
		else
			printf("%13s ", "");
		printf("%10.2f", ns / each);
		if (way >= BATCH)
			printf(" %12.0f", inside(result, way, runs));
		printf("\n");
	}
	print_intervals(result, stock > 0, runs);
	printf("lost: %" PRIu64 "\n\n", result->lost);
}

static void measure_reads(const struct event *event)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = PRECIS_PAPI_BATCH,
		.period = 1000000,
		.callback = on_sample,
	};
	int event_set = PAPI_NULL, code;
	long long count;
	double began, reads, resets;

	PAPI_create_eventset(&event_set);
	code = PAPI_add_event(event_set, event->code);
	if (!code)
		code = precis_papi_set_sampling(event_set, event->code, &sampling);
	if (code)
		die(event->name, code);
	PAPI_start(event_set);
	began = cpu_seconds();
	for (unsigned int n = 0; n < READS; n++)
		PAPI_read(event_set, &count);
	reads = cpu_seconds() - began;
	began = cpu_seconds();
	for (unsigned int n = 0; n < READS; n++)
		PAPI_reset(event_set);
	resets = cpu_seconds() - began;
	PAPI_stop(event_set, &count);
	printf("while %s is sampled each ms: PAPI_read %.0f ns, PAPI_reset %.0f ns\n", event->what,
	       1e9 * reads / READS, 1e9 * resets / READS);
}

/* --- IBS ------------------------------------------------------------------------------ */

#define CAPS_ZEN4 0xbffu
#define IBS_PERIOD 4096u

/* Loads that missed, with all registers */
static int set_payloads(struct bpf_payload *bpf)
{
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
	int error = 0;

	for (uint32_t slot = 0; slot < BPF_PAYLOAD_SLOTS && !error; slot++) {
		struct precis_ibs_op op = {
			.size = sizeof(op),
			.caps = CAPS_ZEN4,
			.op_ctl = (UINT64_C(3) << 17) | (IBS_PERIOD >> 4),
			.op_data = 0x00c80014 + slot,
			.op_data2 = 3,
			/* load, L1 TLB hit, L1 miss, both addresses valid, latency */
			.op_data3 =
				(UINT64_C(200) + slot) << 32 | 1u | 1u << 7 | 1u << 17 | 1u << 18,
			.dc_lin_ad = 0x7f0000000000 + 64 * slot,
			.dc_phys_ad = 0x100000000 + 64 * slot,
		};
		int bytes = precis_ibs_op_encode(&op, payload);

		error = bytes < 0 ? bytes : bpf_payload_set(bpf, slot, payload, (size_t)bytes);
	}
	return error;
}

/* Payloads of a BPF program, one at each store; all fields of each sample decoded */
static void measure_ibs(struct bpf_payload *bpf, int runs)
{
	struct perf_event_attr attr = events[0].attr;
	struct event ibs = { .what = "IBS op", .period = IBS_PERIOD, .work = store };
	static struct result result;
	struct interval interval;
	int trigger;

	attr.sample_period = 1;
	trigger = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	strcpy(ibs.name, "precis:::IBS_OP_UOPS");
	if (trigger < 0 || set_payloads(bpf) || bpf_payload_trigger(bpf, trigger) ||
	    PAPI_event_name_to_code(ibs.name, &ibs.code)) {
		printf("IBS op: not measured: no payloads can be sent here\n");
		return;
	}
	for (int run = 0; run < runs; run++) {
		samples = 0;
		run_component(&ibs, BATCH);
		result.inside[BATCH][run] = (double)statistics.component_ns;
		result.count[BATCH][run] = samples ? (double)samples : 1;
	}
	interval = interval_of(&result, inside, BATCH, WAYS, runs);
	printf("IBS op, batch: %.0f ns a sample in the component (95 %%: %.0f to %.0f), decoded in full"
	       " (%" PRIu64 " samples, %" PRIu64 " lost)\n",
	       inside(&result, BATCH, runs), interval.low, interval.high, samples, statistics.lost);
	close(trigger);
}

static int usage(FILE *out)
{
	fprintf(out,
		"Usage: papi [--runs N]\n\n"
		"What a sample costs through PAPI, in ns of CPU time beyond counting the event.\n"
		"Each table has the median of N runs (9), all ways in turn, with the interval that\n"
		"the runs leave open.\n");
	return out == stderr ? 2 : 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "runs", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static struct bpf_payload bpf;
	static struct result result;
	double load[1];
	int runs = 9, option, version, no_ibs;

	while ((option = getopt_long(argc, argv, "r:h", options, NULL)) != -1) {
		if (option == 'h')
			return usage(stdout);
		if (option == 'r')
			runs = atoi(optarg);
		if (option == '?' || runs < 1 || runs > RUNS_MOST)
			return usage(stderr);
	}
	no_ibs = bpf_payload_open(&bpf);
	if (!no_ibs)
		no_ibs = fake_ibs_begin(&bpf);
	version = PAPI_library_init(PAPI_VER_CURRENT);
	if (version != PAPI_VER_CURRENT) {
		fprintf(stderr, "papi: PAPI_library_init: %s\n", PAPI_strerror(version));
		return 1;
	}
	name_events();
	if (getloadavg(load, 1) == 1)
		printf("load of this machine in the last minute: %.1f\n\n", load[0]);
	for (size_t n = 0; n < 2; n++) {
		measure(&events[n], runs, &result);
		print(&events[n], &result, runs);
	}
	if (no_ibs)
		printf("IBS op: not measured: %s: %s\n", bpf.step, strerror(-no_ibs));
	else
		measure_ibs(&bpf, runs);
	measure_reads(&events[1]);
	PAPI_shutdown();
	fake_ibs_end();
	bpf_payload_close(&bpf);
	return 0;
}
