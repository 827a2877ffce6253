/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad input: each has its code of PAPI's, and a text that names what is wrong. */
#define _GNU_SOURCE
#include <pwd.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "precis_test.h"

static volatile long cells[5] __attribute__((aligned(64)));
static uint64_t samples;

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
	samples++;
}

static void handler(int set, void *address, long long vector, void *context)
{
	(void)set;
	(void)address;
	(void)vector;
	(void)context;
}

static void expect(int error, int expected, const char *word, const char *what)
{
	const char *text = precis_papi_strerror(error);

	if (!tap_ok(error == expected && text && strstr(text, word), "%s", what))
		printf("# got %d, expected %d with \"%s\"\n", error, expected, word);
	printf("# %s\n", text ? text : "(null)");
}

static struct precis_papi_sampling good(void)
{
	return (struct precis_papi_sampling){ .size = sizeof(struct precis_papi_sampling),
					      .period = 10,
					      .callback = on_sample };
}

static int add(int set, const char *name)
{
	char full[PAPI_MAX_STR_LEN];

	snprintf(full, sizeof(full), "precis:::%s", name);
	return PAPI_add_named_event(set, full);
}

/* --- of precis_papi_set_sampling ------------------------------------------------- */

static void check_sets(int set, int code)
{
	struct precis_papi_sampling sampling = good();
	int empty = PAPI_NULL, other = PAPI_NULL;

	expect(precis_papi_set_sampling(12345, code, &sampling), PAPI_ENOEVST, "12345",
	       "an EventSet that does not exist");
	test_must(PAPI_create_eventset(&empty), "PAPI_create_eventset");
	expect(precis_papi_set_sampling(empty, code, &sampling), PAPI_ENOCMP, "precis",
	       "an EventSet without a component");
	test_must(PAPI_assign_eventset_component(empty, PAPI_get_component_index("precis")),
		  "PAPI_assign_eventset_component");
	expect(precis_papi_set_sampling(empty, code, &sampling), PAPI_ENOEVNT, "empty",
	       "an empty EventSet");
	test_must(PAPI_create_eventset(&other), "PAPI_create_eventset");
	test_must(PAPI_assign_eventset_component(other, 0), "PAPI_assign_eventset_component");
	expect(precis_papi_set_sampling(other, code, &sampling), PAPI_ENOCMP, "precis",
	       "an EventSet of another component");
	expect(precis_papi_set_sampling(set, code + 1000, &sampling), PAPI_ENOEVNT,
	       "not in EventSet", "an event that is not in the EventSet");
	test_must(PAPI_start(set), "PAPI_start");
	expect(precis_papi_set_sampling(set, code, &sampling), PAPI_EISRUN, "running",
	       "an EventSet that runs");
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	test_must(PAPI_destroy_eventset(&empty), "PAPI_destroy_eventset");
	test_must(PAPI_destroy_eventset(&other), "PAPI_destroy_eventset");
}

static void check_options(int set, int code)
{
	static const struct {
		const char *what, *word;
		struct precis_papi_sampling bad;
	} cases[] = {
		{ "no size", "size", { .size = 0, .period = 10, .callback = on_sample } },
		{ "no callback", "callback", { .period = 10 } },
		{ "neither period nor frequency", "period", { .callback = on_sample } },
		{ "period and frequency",
		  "period",
		  { .period = 10, .frequency = 10, .callback = on_sample } },
		{ "a period beyond 2^63", "2^63", { .period = UINT64_MAX, .callback = on_sample } },
		{ "an unknown delivery",
		  "delivery",
		  { .period = 10, .delivery = 4, .callback = on_sample } },
		{ "an unknown behaviour when full",
		  "full",
		  { .period = 10, .full = 2, .callback = on_sample } },
		{ "a precise level above 3",
		  "precise",
		  { .period = 10, .precise = 4, .callback = on_sample } },
		{ "a precise level below -1",
		  "precise",
		  { .period = 10, .precise = -2, .callback = on_sample } },
		{ "a watermark without a signal",
		  "watermark",
		  { .period = 10, .watermark_samples = 5, .callback = on_sample } },
		{ "a watermark of each sample",
		  "watermark",
		  { .period = 10,
		    .delivery = PRECIS_PAPI_SAMPLE,
		    .watermark_bytes = 4096,
		    .callback = on_sample } },
		{ "two watermarks",
		  "not both",
		  { .period = 10,
		    .delivery = PRECIS_PAPI_THREAD,
		    .watermark_samples = 5,
		    .watermark_bytes = 4096,
		    .callback = on_sample } },
		{ "a part that is none",
		  "0x80000000",
		  { .period = 10, .parts = UINT64_C(1) << 31, .callback = on_sample } },
		{ "branches, for which there is no option",
		  "0x800",
		  { .period = 10, .parts = PRECIS_SAMPLE_BRANCH_STACK, .callback = on_sample } },
		{ "a stack of no size",
		  "0x2000",
		  { .period = 10, .parts = PRECIS_SAMPLE_STACK_USER, .callback = on_sample } },
		{ "registers, but none of them",
		  "registers",
		  { .period = 10, .parts = PRECIS_SAMPLE_REGS_INTR, .callback = on_sample } },
		{ "registers of no part",
		  "registers",
		  { .period = 10, .registers = 1, .callback = on_sample } },
		{ "a negative max_overhead",
		  "max_overhead",
		  { .period = 10, .max_overhead = -0.1, .callback = on_sample } },
		{ "max_overhead of all time",
		  "max_overhead",
		  { .period = 10, .max_overhead = 1, .callback = on_sample } },
		{ "max_overhead of a frequency",
		  "max_overhead",
		  { .frequency = 10, .max_overhead = 0.1, .callback = on_sample } },
		{ "overwriting with signals",
		  "batch",
		  { .period = 10,
		    .full = PRECIS_PAPI_OVERWRITE,
		    .delivery = PRECIS_PAPI_SAMPLE,
		    .callback = on_sample } },
		{ "overwriting with a thread",
		  "batch",
		  { .period = 10,
		    .full = PRECIS_PAPI_OVERWRITE,
		    .delivery = PRECIS_PAPI_THREAD,
		    .callback = on_sample } },
		{ "more samples a second than the kernel takes",
		  "perf_event_max_sample_rate",
		  { .frequency = UINT64_C(1) << 40, .callback = on_sample } },
		{ "a ring of 2 GiB",
		  "ring",
		  { .period = 10, .ring_bytes = UINT64_C(2) << 30, .callback = on_sample } },
	};

	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		struct precis_papi_sampling sampling = cases[n].bad;

		sampling.size = n ? sizeof(sampling) : 0;
		expect(precis_papi_set_sampling(set, code, &sampling), PAPI_EINVAL, cases[n].word,
		       cases[n].what);
	}
}

/* A program that was compiled with a later header, which has more members */
static void check_later(int set, int code)
{
	struct {
		struct precis_papi_sampling known;
		uint64_t later;
	} sampling = { .known = good(), .later = 0 };

	sampling.known.size = sizeof(sampling);
	tap_call(precis_papi_set_sampling(set, code, &sampling.known),
		 "members of a later header, not used");
	sampling.later = 1;
	expect(precis_papi_set_sampling(set, code, &sampling.known), PAPI_EINVAL, "byte",
	       "one of them used");
}

static void *told_user;

static void on_earlier(const struct precis_sample *sample,
		       const struct precis_papi_arrival *arrival, void *user)
{
	(void)sample;
	(void)arrival;
	told_user = user;
	samples++;
}

/* One that was compiled with an earlier header, which has fewer: what lies behind is not its struct */
static void check_earlier(void)
{
	struct precis_papi_sampling sampling = good();
	union {
		struct precis_papi_statistics known;
		unsigned char bytes[sizeof(struct precis_papi_statistics)];
	} statistics;
	const size_t least = offsetof(struct precis_papi_sampling, user);
	const size_t half = offsetof(struct precis_papi_statistics, truncated);
	int set = PAPI_NULL, touched = 0, code;

	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	code = test_add_breakpoint(set, &cells[0]);
	sampling.size = (uint32_t)least;
	sampling.period = 1;
	sampling.delivery = PRECIS_PAPI_SAMPLE;
	sampling.callback = on_earlier;
	sampling.user = &samples;
	samples = 0;
	told_user = &samples;
	tap_call(precis_papi_set_sampling(set, code, &sampling), "a struct without its last member");
	test_must(PAPI_start(set), "PAPI_start");
	for (long n = 0; n < 5; n++)
		cells[0] = n;
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	tap_equal((int64_t)samples, 5, "the members that it has are heard");
	tap_ok(!told_user, "what lies behind it is not");
	memset(&statistics, 0xa5, sizeof(statistics));
	statistics.known.size = (uint32_t)half;
	tap_call(precis_papi_get_statistics(set, code, &statistics.known),
		 "statistics without their last members");
	tap_equal((int64_t)statistics.known.samples, 5, "those that there are, are filled in");
	for (size_t n = half; n < sizeof(statistics); n++)
		touched += statistics.bytes[n] != 0xa5;
	tap_equal(touched, 0, "what lies behind them is left alone");
	sampling.size = 2;
	expect(precis_papi_set_sampling(set, code, &sampling), PAPI_EINVAL, "size",
	       "a size that does not hold itself");
	test_destroy(&set);
}

/* Zeros would be taken for no loss. */
static void check_statistics(int set, int code)
{
	struct precis_papi_statistics statistics = { .size = sizeof(statistics), .samples = 77 };
	struct precis_papi_sampling sampling = good();

	test_must(precis_papi_set_sampling(set, code, NULL), "precis_papi_set_sampling");
	expect(precis_papi_get_statistics(set, code, &statistics), PAPI_EINVAL, "only counted",
	       "statistics of an event that is only counted");
	tap_equal((int64_t)statistics.samples, 77, "nothing is filled in");
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	tap_call(precis_papi_get_statistics(set, code, &statistics), "of one that is sampled");
	tap_equal((int64_t)statistics.samples, 0, "no sample yet");
	test_must(precis_papi_set_sampling(set, code, NULL), "precis_papi_set_sampling");
	test_must(PAPI_overflow(set, code, 100, 0, handler), "PAPI_overflow");
	tap_call(precis_papi_get_statistics(set, code, &statistics), "of one of PAPI_overflow");
	test_must(PAPI_overflow(set, code, 0, 0, handler), "PAPI_overflow");
	expect(precis_papi_get_statistics(set, code, &statistics), PAPI_EINVAL, "only counted",
	       "of one that PAPI_overflow had");
}

static void check_overflow(int set, int code)
{
	struct precis_papi_sampling sampling = good();
	struct precis_sample sample = { .size = sizeof(sample) };

	test_must(PAPI_overflow(set, code, 100, 0, handler), "PAPI_overflow");
	expect(precis_papi_set_sampling(set, code, &sampling), PAPI_ECNFLCT, "PAPI_overflow",
	       "sampling of what PAPI_overflow has");
	test_must(PAPI_overflow(set, code, 0, 0, handler), "PAPI_overflow");
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	expect(PAPI_overflow(set, code, 100, 0, handler), PAPI_ECNFLCT, "precis_papi_set_sampling",
	       "PAPI_overflow of what is sampled");
	test_must(precis_papi_set_sampling(set, code, NULL), "precis_papi_set_sampling");
	tap_equal(precis_papi_current_sample(&sample), PAPI_ENOTRUN, "no sample outside a handler");
	tap_equal(precis_papi_current_sample(NULL), PAPI_EINVAL, "nowhere to put it");
	expect(precis_papi_get_statistics(set, code, NULL), PAPI_EINVAL, "statistics",
	       "nowhere to put statistics");
}

/* --- of events' names ---------------------------------------------------------------- */

static void check_names(void)
{
	static const struct {
		const char *name, *word;
		int error;
	} cases[] = {
		{ "NO_SUCH_EVENT", "NO_SUCH_EVENT", PAPI_ENOEVNT },
		{ "BREAKPOINT:colour=3", "colour", PAPI_ENOEVNT },
		{ "SW_CPU_CLOCK:addr=3", "addr", PAPI_ENOEVNT },
		{ "BREAKPOINT", "address", PAPI_EINVAL },
		{ "BREAKPOINT:addr=", "addr", PAPI_EINVAL },
		{ "BREAKPOINT:addr=0x10000000000000000", "addr", PAPI_EINVAL },
		{ "BREAKPOINT:addr=0x10zz", "addr", PAPI_EINVAL },
		{ "BREAKPOINT:addr=0x1000:access=q", "access", PAPI_EINVAL },
		{ "BREAKPOINT:addr=0x1001:len=8", "multiple", PAPI_EINVAL },
		{ "BREAKPOINT:addr=0x1000:len=0", "len", PAPI_EINVAL },
		{ "BREAKPOINT:addr=0x1000:len=3", "len", PAPI_EINVAL },
		{ "BREAKPOINT:addr=0x1000:addr=0x2000", "twice", PAPI_EINVAL },
	};
	int set = PAPI_NULL;

	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++)
		expect(add(set, cases[n].name), cases[n].error, cases[n].word, cases[n].name);
	PAPI_cleanup_eventset(set);
	test_must(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
}

/* More addresses than any table of names had room for: a tool that watches one after the other */
#define ADDRESSES 6000u

static void check_addresses(void)
{
	char name[PAPI_MAX_STR_LEN];
	uint32_t failed = 0, changed = 0;
	int set = PAPI_NULL, first = 0, again = -1, code;
	long long count = -1;

	for (uintptr_t n = 0; n < ADDRESSES; n++) {
		test_name_breakpoint(name, (uintptr_t)cells + (64 << 10) + 8 * n);
		failed += PAPI_event_name_to_code(name, &code) != PAPI_OK;
		if (!n)
			first = code;
		else
			changed += code == first;
	}
	tap_equal(failed, 0, "%u addresses are names", ADDRESSES);
	tap_equal(changed, 0, "with codes of their own");
	test_name_breakpoint(name, (uintptr_t)cells + (64 << 10));
	test_must(PAPI_event_name_to_code(name, &again), name);
	tap_equal(again, first, "the first one has still its own");
	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	snprintf(name, sizeof(name), "precis:::BREAKPOINT:access=w:len=8:addr=0x%" PRIxPTR,
		 (uintptr_t)&cells[0]);
	tap_call(PAPI_add_named_event(set, name), "one more");
	test_must(PAPI_start(set), "PAPI_start");
	cells[0] = 1;
	test_must(PAPI_stop(set, &count), "PAPI_stop");
	tap_equal(count, 1, "counts");
	test_destroy(&set);
}

static void check_fifth(void)
{
	int set = PAPI_NULL;
	char name[100];

	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	for (unsigned int n = 0; n < 4; n++)
		test_add_breakpoint(set, &cells[n]);
	snprintf(name, sizeof(name), "BREAKPOINT:addr=%p:len=8:access=w", (void *)&cells[4]);
	expect(add(set, name), PAPI_ECNFLCT, "debug register", "a fifth breakpoint");
	tap_equal(PAPI_num_events(set), 4, "the four are still there");
	tap_call(PAPI_start(set), "and can be started");
	PAPI_stop(set, NULL);
	test_destroy(&set);
}

/* As a tool does that multiplexes all that it counts: what always has a counter is exact, and sampled. */
static void check_multiplex(void)
{
	struct precis_papi_sampling sampling = good();
	long long counts[2] = { -1, -1 };
	int set = PAPI_NULL, code;

	test_must(PAPI_multiplex_init(), "PAPI_multiplex_init");
	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	test_must(PAPI_assign_eventset_component(set, PAPI_get_component_index("precis")),
		  "PAPI_assign_eventset_component");
	tap_call(PAPI_set_multiplex(set), "a multiplexed EventSet");
	code = test_add_breakpoint(set, &cells[0]);
	tap_call(add(set, "SW_PAGE_FAULTS"), "with two events");
	sampling.period = 1;
	tap_call(precis_papi_set_sampling(set, code, &sampling), "one of them sampled");
	samples = 0;
	test_must(PAPI_start(set), "PAPI_start");
	for (int n = 0; n < 10; n++)
		cells[0] = n;
	tap_call(PAPI_stop(set, counts), "it can be read");
	tap_ok(counts[0] == 10 && samples == 10, "and counts: %lld, with %d samples", counts[0],
	       (int)samples);
	test_destroy(&set);
}

static void check_missing(void)
{
	int set = PAPI_NULL, error;

	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	error = add(set, "IBS_OP_CYCLES");
	if (error == PAPI_OK)
		tap_skip("this machine has IBS", "an event that the machine lacks");
	else
		expect(error, PAPI_ENOSUPP, "IBS", "an event that the machine lacks");
	PAPI_cleanup_eventset(set);
	test_must(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
}

static void check_cpu(void)
{
	PAPI_option_t option = { .cpu = { .cpu_num = 4000 } };
	int code, set = test_set_of("SW_CPU_CLOCK", &code), error;

	option.cpu.eventset = set;
	error = PAPI_set_opt(PAPI_CPU_ATTACH, &option);
	if (error == PAPI_EPERM)
		tap_skip("whole CPUs may not be measured by this user",
			 "a CPU that does not exist");
	else
		expect(error, PAPI_EINVAL, "4000", "a CPU that does not exist");
	tap_call(PAPI_start(set), "the EventSet can still be started");
	PAPI_stop(set, NULL);
	test_destroy(&set);
}

static void check_tid(void)
{
	int code, set = test_set_of("SW_CPU_CLOCK", &code);

	expect(PAPI_attach(set, 0x7ffffff0), PAPI_EINVAL, "no thread",
	       "a thread that does not exist");
	test_destroy(&set);
}

/* --- IBS, made up in sysfs of an event that can be opened -------------------------------- */

static void put(const char *folder, const char *file, const char *text)
{
	char path[300];
	FILE *stream;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	stream = fopen(path, "w");
	if (!stream || fputs(text, stream) < 0 || fclose(stream))
		test_bail_out(path, PAPI_ESYS);
}

static void make_sysfs(char *root)
{
	char folder[300];

	if (!mkdtemp(root))
		test_bail_out(root, PAPI_ESYS);
	snprintf(folder, sizeof(folder), "%s/ibs_op", root);
	mkdir(folder, 0755);
	put(folder, "type", "1\n"); /* PERF_TYPE_SOFTWARE: config 0 is the CPU clock */
	snprintf(folder, sizeof(folder), "%s/ibs_op/format", root);
	mkdir(folder, 0755);
	put(folder, "swfilt", "config2:0\n");
}

static void remove_sysfs(const char *root)
{
	static const char *const parts[] = { "ibs_op/format/swfilt", "ibs_op/format", "ibs_op/type",
					     "ibs_op", "" };
	char path[300];

	for (size_t n = 0; n < sizeof(parts) / sizeof(parts[0]); n++) {
		snprintf(path, sizeof(path), "%s/%s", root, parts[n]);
		remove(path);
	}
}

static void check_ibs(void)
{
	struct precis_papi_sampling sampling = good();
	int code, set = test_set_of("IBS_OP_CYCLES", &code), fetch = PAPI_NULL;

	sampling.period = 0x80;
	expect(precis_papi_set_sampling(set, code, &sampling), PAPI_EINVAL, "144",
	       "an IBS period below the least");
	sampling.period = 1001;
	expect(precis_papi_set_sampling(set, code, &sampling), PAPI_EINVAL, "1008",
	       "an IBS period that is no multiple of 16");
	test_must(PAPI_create_eventset(&fetch), "PAPI_create_eventset");
	expect(add(fetch, "IBS_OP_UOPS"), PAPI_ENOSUPP, "cnt_ctl", "IBS that counts no ops");
	expect(add(fetch, "IBS_OP_CYCLES:l3missonly=1"), PAPI_ENOSUPP, "l3missonly",
	       "a qualifier that the PMU lacks");
	expect(add(fetch, "IBS_OP_CYCLES:swfilt=2"), PAPI_EINVAL, "fit",
	       "a value that does not fit into the PMU's format");
	PAPI_cleanup_eventset(fetch);
	PAPI_destroy_eventset(&fetch);
	test_destroy(&set);
}

/* --- another user, in a child --------------------------------------------------------- */

static void check_permission(void)
{
	PAPI_option_t option = { .domain = { .domain = PAPI_DOM_ALL } };
	PAPI_option_t cpu = { .cpu = { .cpu_num = 0 } };
	int code, set = test_set_of("SW_CPU_CLOCK", &code);

	option.domain.eventset = cpu.cpu.eventset = set;
	expect(PAPI_set_opt(PAPI_DOMAIN, &option), PAPI_EPERM, "perf_event_paranoid",
	       "the kernel, of a user who may not");
	tap_ok(strstr(precis_papi_strerror(PAPI_EPERM), "CAP_PERFMON") != NULL,
	       "the text names the capability");
	expect(PAPI_set_opt(PAPI_CPU_ATTACH, &cpu), PAPI_EPERM, "whole CPU",
	       "a whole CPU, of a user who may not");
	tap_call(PAPI_start(set), "the EventSet can still be started");
	PAPI_stop(set, NULL);
	test_destroy(&set);
}

static void check_locked_memory(void)
{
	struct precis_papi_sampling sampling = good();
	struct rlimit none = { 0, 0 };
	int code, set = PAPI_NULL, error;

	setrlimit(RLIMIT_MEMLOCK, &none);
	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	code = test_add_breakpoint(set, &cells[0]);
	sampling.period = 1;
	sampling.ring_bytes = UINT64_C(1) << 30;
	error = precis_papi_set_sampling(set, code, &sampling);
	if (error) {
		expect(error, PAPI_EPERM, "perf_event_mlock_kb", "no memory may be locked at all");
	} else {
		uint32_t bytes = test_statistics(set, code).ring_bytes;

		tap_ok(bytes >= 4096 && bytes < 1u << 30, "the ring is smaller than asked for: %u",
		       bytes);
		samples = 0;
		test_must(PAPI_start(set), "PAPI_start");
		for (long n = 0; n < 10; n++)
			cells[0] = n;
		test_must(PAPI_stop(set, NULL), "PAPI_stop");
		tap_equal((int64_t)samples, 10, "and has its samples");
	}
	test_destroy(&set);
}

/* Run 'checks' in a process of its own; its lines and numbers go on here. */
static void in_child(void (*checks)(void), const char *sysfs, uid_t user, const char *what)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		if (sysfs)
			setenv("PRECIS_SYSFS", sysfs, 1);
		if (user && (setgid(user) || setuid(user)))
			exit(2);
		tap_count = tap_failed = tap_skipped = 0;
		tap_indent = "    ";
		test_init();
		checks();
		exit(tap_done());
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		status = -1;
	tap_child(status, what);
}

static void check_in_children(void)
{
	const struct passwd *nobody = getpwnam("nobody");
	char root[] = "/tmp/precis_input.XXXXXX";

	make_sysfs(root);
	in_child(check_ibs, root, 0, "periods and qualifiers of IBS");
	remove_sysfs(root);
	if (geteuid() != 0 || !nobody) {
		tap_skip("only root can become another user", "permission");
		return;
	}
	in_child(check_permission, NULL, nobody->pw_uid, "permission");
	in_child(check_locked_memory, NULL, nobody->pw_uid,
		 "a ring beyond the limit of locked memory");
}

int main(int argc, char **argv)
{
	int set = PAPI_NULL, code;

	test_begin(argc, argv);
	test_need_breakpoints();
	check_in_children(); /* before this process has PAPI */
	test_init();
	test_must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	code = test_add_breakpoint(set, &cells[0]);
	check_sets(set, code);
	check_options(set, code);
	check_later(set, code);
	check_earlier();
	check_statistics(set, code);
	check_overflow(set, code);
	test_destroy(&set);
	check_multiplex();
	check_names();
	check_addresses();
	check_fifth();
	check_missing();
	check_cpu();
	check_tid();
	return tap_done();
}
