/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What PAPI delivers of an event, for a comparison with what the modeled PMU says it has sampled.
 *
 *     papi_samples [-c CPU] [-n THREADS] [-p PERIOD] [-r ROUNDS] [-m MODE] [-b BYTES]
 *                  [-x OTHERS] [-uU] EVENT
 *
 * MODE: batch, watermark, thread, sample: the component's deliveries; overflow: PAPI_overflow;
 * count: the event is counted, no more.
 * With -c the events are the CPU's, in one EventSet; else each thread has its own EventSet.
 * Prints one line:
 *
 *     result MODE samples N lost N discarded N truncated N sum HEX address N none N other N
 *         throttled N throttled_ns N count N
 *
 * sum: over the words of all samples, word[i] * (2 * i + 1) modulo 2^64; the words are an IBS
 * payload's registers in its order, or ip, addr, data_src and weight of an Intel event. address:
 * samples whose ip is the one that the PMU says (IbsOpRip, IbsFetchLinAd), in a handler of
 * PAPI_overflow its argument as well; none: those without (IbsRipInvalid); other: the rest.
 * -b: of the ring; few make a batch lose samples. -x: so many Intel events before it in the
 * EventSet, for a bit of the overflow vector beyond them. -u: user mode only, also of IBS.
 * -U: as a user without privileges.
 *
 * Exit status: 0; 1 with "error WHAT: CODE: WORDS"; 2 wrong arguments.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <papi.h>
#include <precis/papi.h>

#define THREADS_MOST 16
#define EVENTS_MOST 64
#define WORDS_MOST 16
#define NODES 4096u
#define NOBODY 65534
#define TRACE "/proc/precis_model/trace"

enum { MODE_OVERFLOW = PRECIS_PAPI_SAMPLE + 1, MODE_COUNT, MODES };

static const char *const mode_names[MODES] = {
	[PRECIS_PAPI_BATCH] = "batch",   [PRECIS_PAPI_WATERMARK] = "watermark",
	[PRECIS_PAPI_THREAD] = "thread", [PRECIS_PAPI_SAMPLE] = "sample",
	[MODE_OVERFLOW] = "overflow",    [MODE_COUNT] = "count",
};

static struct {
	const char *event;
	int mode, cpu, threads, before;
	uint64_t period, rounds;
	uint32_t ring_bytes;
	int user_only, unprivileged;
} options = { .mode = PRECIS_PAPI_BATCH, .cpu = -1, .threads = 1, .period = 65536, .rounds = 20 };

/* What one EventSet has got. Written in signal handlers of its own thread, or in one other */
struct tally {
	uint64_t samples, sum, address, none, other;
};

static struct worker {
	pthread_t thread;
	struct tally tally;
	struct precis_papi_statistics statistics;
	long long count;
	int set, code;
} workers[THREADS_MOST];

static __thread struct worker *own; /* of a handler of PAPI_overflow */

static _Noreturn void fail(const char *what, int error)
{
	printf("error %s: %d: %s\n", what, error, precis_papi_strerror(error));
	fflush(stdout);
	_exit(1);
}

static void must(int error, const char *what)
{
	if (error != PAPI_OK)
		fail(what, error);
}

/* --- a sample's words ----------------------------------------------------------------------- */

static uint32_t ibs_op_words(const struct precis_ibs_op *op, uint64_t *word, uint64_t *ip)
{
	const uint64_t all[] = { op->op_ctl,     op->op_rip,    op->op_data,
				 op->op_data2,   op->op_data3,  op->dc_lin_ad,
				 op->dc_phys_ad, op->br_target, op->op_data4 };
	uint32_t words = 0;

	for (uint32_t n = 0; n < sizeof(all) / sizeof(all[0]); n++) {
		if (op->captured >> (PRECIS_IBS_OP_CTL + n) & 1)
			word[words++] = all[n];
	}
	*ip = op->op_rip;
	return words;
}

static uint32_t ibs_fetch_words(const struct precis_ibs_fetch *fetch, uint64_t *word, uint64_t *ip)
{
	const uint64_t all[] = { fetch->fetch_ctl, fetch->fetch_lin_ad, fetch->fetch_phys_ad,
				 fetch->fetch_ctl_extd };
	uint32_t words = 0;

	for (uint32_t n = 0; n < sizeof(all) / sizeof(all[0]); n++) {
		if (fetch->captured >> (PRECIS_IBS_FETCH_CTL + n) & 1)
			word[words++] = all[n];
	}
	*ip = fetch->fetch_lin_ad;
	return words;
}

static uint32_t intel_words(const struct precis_sample *sample, uint64_t *word, uint64_t *ip)
{
	const struct precis_perf_words *words = &sample->registers.perf_words;

	if (!precis_get_ip(sample, ip))
		*ip = 0;
	word[0] = *ip;
	word[1] = words->addr;
	word[2] = words->data_src;
	word[3] = words->weight | (uint64_t)words->weight_var2 << 32 |
		  (uint64_t)words->weight_var3 << 48;
	return 4;
}

/* @return how many; *ip: of the PMU */
static uint32_t words_of(const struct precis_sample *sample, uint64_t *word, uint64_t *ip)
{
	switch (sample->source) {
	case PRECIS_SOURCE_IBS_OP:
		return ibs_op_words(&sample->registers.ibs_op, word, ip);
	case PRECIS_SOURCE_IBS_FETCH:
		return ibs_fetch_words(&sample->registers.ibs_fetch, word, ip);
	case PRECIS_SOURCE_PERF_WORDS:
		return intel_words(sample, word, ip);
	default:
		*ip = 0;
		return 0;
	}
}

static void take(struct tally *tally, const struct precis_sample *sample, const uint64_t *address)
{
	uint64_t word[WORDS_MOST], expected, ip;
	uint32_t words = words_of(sample, word, &expected);

	for (uint32_t n = 0; n < words; n++)
		tally->sum += word[n] * (2 * n + 1);
	tally->samples++;
	if (words && !precis_get_ip(sample, &ip))
		tally->none++;
	else if (words && ip == expected && (!address || *address == expected))
		tally->address++;
	else
		tally->other++;
}

static void on_sample(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	(void)arrival;
	take(&((struct worker *)user)->tally, sample, NULL);
}

static void on_overflow(int event_set, void *address, long long vector, void *context)
{
	struct precis_sample sample = { .size = sizeof(sample) };
	const uint64_t at = (uint64_t)(uintptr_t)address;

	(void)event_set;
	(void)context;
	if (vector == 1ll << options.before && precis_papi_current_sample(&sample) == PAPI_OK)
		take(&own->tally, &sample, &at);
	else
		own->tally.other++;
}

/* --- work ----------------------------------------------------------------------------------- */

struct node {
	struct node *next;
	uint64_t value[7];
};

/* Loads that depend on each other, a store to each cache line, and a branch that is taken. */
__attribute__((noinline)) static uint64_t chase(struct node *node, uint64_t steps)
{
	uint64_t sum = 0;

	while (steps--) {
		sum += node->value[0];
		node->value[1] = sum;
		node = node->next;
	}
	return sum;
}

/* Code in many fetch blocks: of a small loop, hardware fetches nothing */
static void jump_around(void)
{
	__asm__ volatile(".rept 256\n\tjmp 1f\n\t.p2align 6\n1:\n\t.endr" : : : "memory");
}

/* Lets the model look at the thread's instructions, where it counts only what it was told to. */
static void trace(char on)
{
	int fd = open(TRACE, O_WRONLY);

	if (fd < 0)
		return;
	if (write(fd, &on, 1) != 1)
		perror(TRACE);
	close(fd);
}

static void work(void)
{
	struct node *nodes = aligned_alloc(64, NODES * sizeof(*nodes));

	if (!nodes)
		fail("memory", PAPI_ENOMEM);
	memset(nodes, 0, NODES * sizeof(*nodes));
	for (uint32_t n = 0; n < NODES; n++)
		nodes[n].next = &nodes[(n + 1) % NODES];
	trace('1');
	for (uint64_t round = 0; round < options.rounds; round++) {
		chase(nodes, NODES);
		jump_around();
	}
	trace('0');
	free(nodes);
}

/* --- PAPI ----------------------------------------------------------------------------------- */

static void set_targets(int set)
{
	PAPI_option_t domain = { .domain = { .eventset = set, .domain = PAPI_DOM_ALL } };
	PAPI_option_t cpu = { .cpu = { .eventset = set, .cpu_num = (unsigned int)options.cpu } };

	/* IBS does not know user from kernel; what Intel's is asked for is the program alone */
	if (!options.user_only && strncmp(options.event, "precis:::IBS", 12) == 0)
		must(PAPI_set_opt(PAPI_DOMAIN, &domain), "PAPI_DOMAIN");
	if (options.cpu >= 0)
		must(PAPI_set_opt(PAPI_CPU_ATTACH, &cpu), "PAPI_CPU_ATTACH");
}

/* Events that are only counted, before the one that is sampled */
static void add_others(int set)
{
	char name[PAPI_MAX_STR_LEN];
	int code;

	for (int n = 0; n < options.before; n++) {
		snprintf(name, sizeof(name), "precis:::MEM_LOADS:ldlat=%d", 100 + n);
		must(PAPI_event_name_to_code(name, &code), name);
		must(PAPI_add_event(set, code), name);
	}
}

static void add_event(struct worker *worker)
{
	const struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = (uint32_t)options.mode,
		.period = options.period,
		.watermark_samples = options.mode == PRECIS_PAPI_WATERMARK ? 4 : 0,
		.ring_bytes = options.ring_bytes,
		.callback = on_sample,
		.user = worker,
	};
	int component = PAPI_get_component_index("precis");

	worker->set = PAPI_NULL;
	must(component < 0 ? component : PAPI_OK, "PAPI_get_component_index");
	must(PAPI_create_eventset(&worker->set), "PAPI_create_eventset");
	must(PAPI_assign_eventset_component(worker->set, component), "component");
	set_targets(worker->set);
	add_others(worker->set);
	must(PAPI_event_name_to_code(options.event, &worker->code), options.event);
	must(PAPI_add_event(worker->set, worker->code), "PAPI_add_event");
	if (options.mode == MODE_OVERFLOW)
		must(PAPI_overflow(worker->set, worker->code, (int)options.period, 0, on_overflow),
		     "PAPI_overflow");
	else if (options.mode != MODE_COUNT)
		must(precis_papi_set_sampling(worker->set, worker->code, &sampling),
		     "precis_papi_set_sampling");
}

static void remove_event(struct worker *worker)
{
	long long counts[EVENTS_MOST];

	must(PAPI_stop(worker->set, counts), "PAPI_stop");
	worker->count = counts[options.before];
	worker->statistics.size = sizeof(worker->statistics);
	if (options.mode != MODE_COUNT)
		must(precis_papi_get_statistics(worker->set, worker->code, &worker->statistics),
		     "precis_papi_get_statistics");
	if (options.mode == MODE_OVERFLOW)
		must(PAPI_overflow(worker->set, worker->code, 0, 0, on_overflow),
		     "PAPI_overflow 0");
	must(PAPI_cleanup_eventset(worker->set), "PAPI_cleanup_eventset");
	must(PAPI_destroy_eventset(&worker->set), "PAPI_destroy_eventset");
}

/* A thread of an EventSet that is another's, or with its own */
static void *run(void *argument)
{
	own = argument;
	if (options.cpu < 0) {
		must(PAPI_register_thread(), "PAPI_register_thread");
		add_event(own);
		must(PAPI_start(own->set), "PAPI_start");
	}
	work();
	if (options.cpu < 0) {
		remove_event(own);
		must(PAPI_unregister_thread(), "PAPI_unregister_thread");
	}
	return NULL;
}

static void run_all(void)
{
	struct worker *shared = &workers[0];

	if (options.cpu >= 0) {
		add_event(shared);
		must(PAPI_start(shared->set), "PAPI_start");
	}
	for (int n = 0; n < options.threads; n++) {
		if (pthread_create(&workers[n].thread, NULL, run, &workers[n]))
			fail("pthread_create", PAPI_ESYS);
	}
	for (int n = 0; n < options.threads; n++)
		pthread_join(workers[n].thread, NULL);
	if (options.cpu >= 0)
		remove_event(shared);
}

/* --- the result ----------------------------------------------------------------------------- */

static void print_result(void)
{
	struct tally all = { 0 };
	struct precis_papi_statistics statistics = { 0 };
	long long count = 0;

	for (int n = 0; n < options.threads; n++) {
		const struct worker *worker = &workers[n];

		all.samples += worker->tally.samples;
		all.sum += worker->tally.sum;
		all.address += worker->tally.address;
		all.none += worker->tally.none;
		all.other += worker->tally.other;
		statistics.lost += worker->statistics.lost;
		statistics.discarded += worker->statistics.discarded;
		statistics.truncated += worker->statistics.truncated;
		statistics.throttled += worker->statistics.throttled;
		statistics.throttled_ns += worker->statistics.throttled_ns;
		count += worker->count;
	}
	printf("result %s samples %" PRIu64 " lost %" PRIu64 " discarded %" PRIu64
	       " truncated %" PRIu64 " sum %016" PRIx64 " address %" PRIu64 " none %" PRIu64
	       " other %" PRIu64 " throttled %" PRIu64 " throttled_ns %" PRIu64 " count %lld\n",
	       mode_names[options.mode], all.samples, statistics.lost, statistics.discarded,
	       statistics.truncated, all.sum, all.address, all.none, all.other,
	       statistics.throttled, statistics.throttled_ns, count);
}

static int mode_of(const char *name)
{
	for (int mode = 0; mode < MODES; mode++) {
		if (strcmp(name, mode_names[mode]) == 0)
			return mode;
	}
	return -1;
}

static void parse_arguments(int count, char **arguments)
{
	int option;

	while ((option = getopt(count, arguments, "c:n:p:r:m:b:x:uU")) != -1) {
		switch (option) {
		case 'c':
			options.cpu = atoi(optarg);
			break;
		case 'n':
			options.threads = atoi(optarg);
			break;
		case 'p':
			options.period = strtoull(optarg, NULL, 0);
			break;
		case 'r':
			options.rounds = strtoull(optarg, NULL, 0);
			break;
		case 'm':
			options.mode = mode_of(optarg);
			break;
		case 'b':
			options.ring_bytes = (uint32_t)strtoul(optarg, NULL, 0);
			break;
		case 'x':
			options.before = atoi(optarg);
			break;
		case 'u':
			options.user_only = 1;
			break;
		case 'U':
			options.unprivileged = 1;
			break;
		default:
			exit(2);
		}
	}
	if (optind != count - 1 || options.mode < 0 || options.threads < 1 ||
	    options.threads > THREADS_MOST || options.before < 0 ||
	    options.before >= EVENTS_MOST) {
		fprintf(stderr, "papi_samples: wrong arguments\n");
		exit(2);
	}
	options.event = arguments[optind];
}

int main(int count, char **arguments)
{
	int version;

	parse_arguments(count, arguments);
	if (options.unprivileged && setuid(NOBODY)) {
		perror("setuid");
		return 1;
	}
	version = PAPI_library_init(PAPI_VER_CURRENT);
	if (version != PAPI_VER_CURRENT)
		fail("PAPI_library_init", version);
	must(PAPI_thread_init((unsigned long (*)(void))pthread_self), "PAPI_thread_init");
	run_all();
	print_result();
	return 0;
}
