/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A metric plugin of Score-P, "precis_plugin": what each precise sample measured, as asynchronous
 * metrics of the thread that was sampled.
 *
 * A sample gets its time from Score-P's own clock, in the signal handler that brings it: perf's clock
 * is another one, and so a sample stands between the same events of Score-P as in the program. A field
 * that a sample does not have gives no value. Score-P's metrics are numbers: how many samples lack a
 * field, and why, is told at the end.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scorep/SCOREP_MetricPlugins.h>

#include <precis/fields.h>
#include <precis/papi.h>

#include "../collector.h"

#define COUNTERS_MOST 65536
#define LEVELS_MOST 64 /* names of an enumerated field that a description lists */

/* What a metric tells of an event's samples: a field, or one of these */
enum { WHAT_SAMPLES = COLLECTED_COUNT, WHAT_LOST, WHAT_COUNT };

/* A metric of one thread: its values until Score-P fetches them */
struct counter {
	uint32_t event;
	uint32_t what;
	struct counter *next; /* of the same thread */
	int is_attached;      /* it has a thread */
	SCOREP_MetricTimeValuePair *pairs;
	uint64_t count, room;
	uint64_t last; /* of WHAT_LOST: the value told last */
};

/* Samples of an event that have no value in a field, and one of the reasons */
struct absent {
	uint64_t samples;
	const char *why;
};

struct thread {
	struct collector *collector;
	struct counter *counters;
	const struct counter *first; /* the one that Score-P asks for first, each time */
	uint64_t untold; /* samples for whose values there was no memory */
	struct absent absent[COLLECTOR_EVENTS][COLLECTED_COUNT];
};

static struct collector_settings settings = { .delivery = PRECIS_PAPI_SAMPLE };
static struct counter *counters[COUNTERS_MOST];
static atomic_uint counters_used;
static __thread struct thread *thread;
static pthread_key_t key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct collector_losses ended; /* of threads that sample no longer */
static uint64_t late, untold;         /* samples after a thread's last event; without memory */
static struct absent absent[COLLECTOR_EVENTS][COLLECTED_COUNT];
static atomic_int running, is_over;

static void complain(const char *error)
{
	fprintf(stderr, "precis: not sampled: %s\n", error);
}

static void set_clock(uint64_t (*clock)(void))
{
	settings.clock = clock;
}

/* One more value of a metric, to be fetched */
static int append(struct counter *counter, uint64_t stamp, uint64_t value)
{
	if (counter->count == counter->room) {
		uint64_t room = counter->room ? 2 * counter->room : 64;
		SCOREP_MetricTimeValuePair *pairs = realloc(counter->pairs, room * sizeof(*pairs));

		if (!pairs)
			return 0;
		counter->pairs = pairs;
		counter->room = room;
	}
	counter->pairs[counter->count].timestamp = stamp;
	counter->pairs[counter->count++].value = value;
	return 1;
}

static void count_absent(struct thread *of, const struct collected *sample)
{
	for (uint32_t n = 0; n < COLLECTED_COUNT; n++) {
		struct absent *here = &of->absent[sample->event][n];

		if (!sample->why[n])
			continue;
		here->samples++;
		here->why = sample->why[n];
	}
}

static void tell(const struct collected *sample, void *user)
{
	struct thread *of = user;
	int is_told = 1;

	count_absent(of, sample);

	for (struct counter *counter = of->counters; counter; counter = counter->next) {
		if (counter->event != sample->event)
			continue;
		if (counter->what == WHAT_SAMPLES)
			is_told &= append(counter, sample->stamp, sample->period);
		else if (counter->what < COLLECTED_COUNT && sample->present >> counter->what & 1)
			is_told &= append(counter, sample->stamp, sample->value[counter->what]);
	}
	of->untold += !is_told;
}

/* The metric of lost samples has a value where more were lost, at the time that it was seen. */
static void tell_losses(struct thread *of)
{
	for (struct counter *counter = of->counters; counter; counter = counter->next) {
		struct collector_losses losses = { 0 };
		uint64_t all;

		if (counter->what != WHAT_LOST)
			continue;
		collector_add_losses_of(of->collector, counter->event, &losses);
		all = losses.no_room + losses.lost + losses.truncated;
		if (all != counter->last && append(counter, settings.clock(), all))
			counter->last = all;
	}
}

static void count_only(const struct collected *sample, void *user)
{
	(void)sample;
	++*(uint64_t *)user;
}

static void sum_absent(struct thread *of)
{
	for (uint32_t n = 0; n < settings.count * COLLECTED_COUNT; n++) {
		uint32_t event = n / COLLECTED_COUNT, field = n % COLLECTED_COUNT;
		const struct absent *here = &of->absent[event][field];

		if (!here->samples)
			continue;
		absent[event][field].samples += here->samples;
		absent[event][field].why = here->why;
	}
}

static void end_sampling(struct thread *of)
{
	uint64_t rest = 0;

	if (!of->collector)
		return;
	collector_stop(of->collector);
	collector_take(of->collector, count_only, &rest);
	pthread_mutex_lock(&mutex);
	collector_add_losses(of->collector, &ended);
	late += rest;
	untold += of->untold;
	sum_absent(of);
	pthread_mutex_unlock(&mutex);
	collector_free(of->collector);
	of->collector = NULL;
	atomic_fetch_sub(&running, 1);
}

static void end_thread(void *argument)
{
	end_sampling(argument);
	free(argument);
}

/* At a thread's first event of Score-P sampling begins. */
static struct thread *begin_thread(void)
{
	struct thread *new = calloc(1, sizeof(*new));
	char error[512];

	if (!new)
		return NULL;
	new->collector = collector_start(&settings, error, sizeof(error));
	if (new->collector)
		atomic_fetch_add(&running, 1);
	else
		complain(error);
	pthread_setspecific(key, new);
	return new;
}

/* The calling thread's metric from now on. Until all of them are known nothing is taken. */
static void attach(struct counter *counter)
{
	counter->is_attached = 1;
	counter->next = thread->counters;
	thread->counters = counter;
	if (!thread->first)
		thread->first = counter;
}

/* Once at each event of Score-P, for all metrics of the thread */
static void take(void)
{
	if (!thread->collector)
		return;
	collector_take(thread->collector, tell, thread);
	tell_losses(thread);
}

static uint64_t get_all_values(int32_t id, SCOREP_MetricTimeValuePair **list)
{
	struct counter *counter = counters[id];
	uint64_t count;

	*list = NULL;
	if (!thread && !atomic_load(&is_over))
		thread = begin_thread();
	if (!thread)
		return 0;
	if (!counter->is_attached)
		attach(counter);
	else if (counter == thread->first)
		take();
	/* Score-P frees the list. */
	*list = counter->pairs;
	count = counter->count;
	counter->pairs = NULL;
	counter->count = counter->room = 0;
	return count;
}

static const char *what_name(uint32_t what)
{
	return what == WHAT_SAMPLES ? "samples" :
	       what == WHAT_LOST    ? "lost" :
				      collected_info((enum collected_field)what).name;
}

/* "data came from: 1 L1, 2 L2, ..." */
static void describe_names(enum collected_field field, char *text, size_t room)
{
	char value[PRECIS_VALUE_TEXT], number[PRECIS_VALUE_TEXT];
	size_t length = (size_t)snprintf(text, room, "of a sample; the numbers are:");

	for (uint64_t n = 0; n < LEVELS_MOST && length < room; n++) {
		collected_format(field, n, value);
		snprintf(number, sizeof(number), "%llu", (unsigned long long)n);
		if (strcmp(value, number) != 0)
			length += (size_t)snprintf(text + length, room - length, " %s=%s", number, value);
	}
}

static void describe(uint32_t what, char *text, size_t room)
{
	if (what == WHAT_SAMPLES)
		snprintf(text, room, "samples, each with the number of events that it stands for");
	else if (what == WHAT_LOST)
		snprintf(text, room, "samples that were lost until now");
	else if (collected_info((enum collected_field)what).kind == COLLECTED_NAME)
		describe_names((enum collected_field)what, text, room);
	else
		snprintf(text, room, "of a sample that has it: see precis-fields(7)");
}

static const char *what_unit(uint32_t what)
{
	const char *unit;

	if (what >= COLLECTED_COUNT)
		return what == WHAT_SAMPLES ? "events" : "samples";
	unit = collected_info((enum collected_field)what).unit;
	return *unit ? unit : "#";
}

static int is_wanted(uint32_t what)
{
	return what >= COLLECTED_COUNT || settings.fields >> what & 1;
}

static char *metric_name(uint32_t event, uint32_t what)
{
	char name[sizeof(settings.events[0].name) + 64];

	snprintf(name, sizeof(name), "%s %s", settings.events[event].name, what_name(what));
	return strdup(name);
}

static void describe_metric(SCOREP_Metric_Plugin_MetricProperties *metric, uint32_t event,
			    uint32_t what)
{
	char text[1024];

	describe(what, text, sizeof(text));
	*metric = (SCOREP_Metric_Plugin_MetricProperties){
		.name = metric_name(event, what),
		.description = strdup(text),
		.mode = what == WHAT_SAMPLES ? SCOREP_METRIC_MODE_RELATIVE_POINT :
					       SCOREP_METRIC_MODE_ABSOLUTE_POINT,
		.value_type = SCOREP_METRIC_VALUE_UINT64,
		.base = SCOREP_METRIC_BASE_DECIMAL,
		.unit = strdup(what_unit(what)),
	};
}

/* A token of the user's list is an event: a metric for each field that is wanted. */
static SCOREP_Metric_Plugin_MetricProperties *get_event_info(char *token)
{
	SCOREP_Metric_Plugin_MetricProperties *metrics = calloc(WHAT_COUNT + 1, sizeof(*metrics));
	uint32_t event = settings.count, used = 0;
	char error[512];

	if (!metrics)
		return NULL;
	if (!collector_parse(&settings, token, error, sizeof(error))) {
		complain(error);
		return metrics;
	}
	for (uint32_t what = 0; what < WHAT_COUNT; what++) {
		if (is_wanted(what))
			describe_metric(&metrics[used++], event, what);
	}
	return metrics;
}

/* Which metric is it? */
static int find_metric(const char *wanted, struct counter *counter)
{
	int is_it = 0;

	for (uint32_t n = 0; n < settings.count * WHAT_COUNT && !is_it; n++) {
		char *name = metric_name(n / WHAT_COUNT, n % WHAT_COUNT);

		is_it = name && strcmp(name, wanted) == 0;
		counter->event = n / WHAT_COUNT;
		counter->what = n % WHAT_COUNT;
		free(name);
	}
	return is_it;
}

static int32_t add_counter(char *name)
{
	struct counter *counter = calloc(1, sizeof(*counter));
	unsigned int id;

	if (!counter || !find_metric(name, counter)) {
		free(counter);
		return -1;
	}
	id = atomic_fetch_add(&counters_used, 1);
	if (id >= COUNTERS_MOST) {
		free(counter);
		return -1;
	}
	counters[id] = counter;
	return (int32_t)id;
}

static int32_t initialize(void)
{
	char error[512];

	if (!collector_options(&settings, error, sizeof(error)) ||
	    !collector_init(error, sizeof(error))) {
		complain(error);
		return -1;
	}
	if (pthread_key_create(&key, end_thread) != 0) {
		complain("no key for threads is left");
		return -1;
	}
	return 0;
}

/* Samples beyond the end of the measurement are none of Score-P's. */
static void synchronize(bool is_responsible, SCOREP_MetricSynchronizationMode mode)
{
	(void)is_responsible;
	if (mode != SCOREP_METRIC_SYNCHRONIZATION_MODE_END)
		return;
	atomic_store(&is_over, 1);
	if (thread)
		end_sampling(thread);
}

static void say_losses(void)
{
	fprintf(stderr,
		"precis: samples: %llu taken, %llu after a thread's last event and not in the trace, %llu "
		"without memory; not taken: %llu without room, %llu lost in rings, %llu that could not be "
		"read; throttled %llu times; %d threads were still running\n",
		(unsigned long long)ended.taken, (unsigned long long)late, (unsigned long long)untold,
		(unsigned long long)ended.no_room, (unsigned long long)ended.lost,
		(unsigned long long)ended.truncated, (unsigned long long)ended.throttled,
		atomic_load(&running));
}

static void say_absent(uint32_t event, uint32_t field)
{
	const struct absent *here = &absent[event][field];

	if (here->samples)
		fprintf(stderr, "precis: %s: %llu samples have no %s: %s\n", settings.events[event].name,
			(unsigned long long)here->samples,
			collected_info((enum collected_field)field).name, here->why);
}

/* What the trace does not tell, or only in part */
static void finalize(void)
{
	unsigned int used = atomic_load(&counters_used);

	pthread_mutex_lock(&mutex);
	say_losses();
	for (uint32_t n = 0; n < settings.count * COLLECTED_COUNT; n++)
		say_absent(n / COLLECTED_COUNT, n % COLLECTED_COUNT);
	pthread_mutex_unlock(&mutex);
	for (unsigned int n = 0; n < used && n < COUNTERS_MOST && !atomic_load(&running); n++) {
		if (counters[n])
			free(counters[n]->pairs);
		free(counters[n]);
		counters[n] = NULL;
	}
}

SCOREP_METRIC_PLUGIN_ENTRY(precis_plugin)
{
	SCOREP_Metric_Plugin_Info info;

	memset(&info, 0, sizeof(info));
	info.plugin_version = SCOREP_METRIC_PLUGIN_VERSION;
	info.run_per = SCOREP_METRIC_PER_THREAD;
	info.sync = SCOREP_METRIC_ASYNC_EVENT;
	info.initialize = initialize;
	info.finalize = finalize;
	info.get_event_info = get_event_info;
	info.add_counter = add_counter;
	info.get_all_values = get_all_values;
	info.set_clock_function = set_clock;
	info.synchronize = synchronize;
	return info;
}
