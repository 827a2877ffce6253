/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A metric plugin of Score-P, "precis_plugin": what each precise sample measured, as asynchronous
 * metrics of the thread that was sampled.
 *
 * A sample gets its time from Score-P's own clock, in the signal handler that brings it: perf's clock
 * is another one, and so a sample stands between the same events of Score-P as in the program. A field
 * that a sample does not have gives no value. Score-P's metrics are numbers: how many samples lack a
 * field, and why, is told at the end.
 *
 * Score-P fetches the values once, after the measurement (SCOREP_METRIC_ASYNC): with metrics that it
 * fetches at each event (SCOREP_METRIC_ASYNC_EVENT) version 8.4 reads what it has not allocated yet, and
 * crashes at the first event.
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
	struct thread *thread;
	struct counter *next; /* of the same thread */
	SCOREP_MetricTimeValuePair *pairs;
	uint64_t count, room;
};

/* Samples of an event that have no value in a field, and one of the reasons */
struct absent {
	uint64_t samples;
	const char *why;
};

struct thread {
	struct collector *collector; /* NULL: it could not be sampled */
	struct counter *counters;
	struct thread *next;
	int is_stopped;
	uint64_t end;    /* when it was */
	int is_taken;    /* its samples are in its counters */
	uint64_t untold; /* samples for whose values there was no memory */
	struct absent absent[COLLECTOR_EVENTS][COLLECTED_COUNT];
};

static struct collector_settings settings = { .delivery = PRECIS_PAPI_SAMPLE };
static struct counter *counters[COUNTERS_MOST];
static atomic_uint counters_used;
static __thread struct thread *thread;
static struct thread *threads; /* all that were sampled, until the end */
static pthread_key_t key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

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

/* The metric of lost samples has one value, if any were, at the thread's end. */
static void tell_losses(const struct thread *of)
{
	for (struct counter *counter = of->counters; counter; counter = counter->next) {
		struct collector_losses losses = { 0 };
		uint64_t all;

		if (counter->what != WHAT_LOST)
			continue;
		collector_add_losses_of(of->collector, counter->event, &losses);
		all = losses.no_room + losses.lost + losses.truncated;
		if (all)
			append(counter, of->end, all);
	}
}

/* At the end of a thread, or of the measurement; what it has is kept until Score-P fetches it. */
static void end_thread(void *argument)
{
	struct thread *of = argument;

	if (!of->collector || of->is_stopped)
		return;
	collector_stop(of->collector);
	of->end = settings.clock();
	of->is_stopped = 1;
}

/* Score-P tells a thread's metrics when it begins, in the thread: sampling begins with the first one. */
static struct thread *begin_thread(void)
{
	struct thread *new = calloc(1, sizeof(*new));
	char error[512];

	if (!new)
		return NULL;
	new->collector = collector_start(&settings, error, sizeof(error));
	if (!new->collector)
		collector_complain(error);
	pthread_setspecific(key, new);
	pthread_mutex_lock(&mutex);
	new->next = threads;
	threads = new;
	pthread_mutex_unlock(&mutex);
	return new;
}

/* All of a thread's samples, once. Those of one that still runs are as many as there are until now. */
static void take(struct thread *of)
{
	if (of->is_taken || !of->collector)
		return;
	of->is_taken = 1;
	collector_take(of->collector, tell, of);
	if (of->is_stopped)
		tell_losses(of);
}

/* After the measurement, in any thread */
static uint64_t get_all_values(int32_t id, SCOREP_MetricTimeValuePair **list)
{
	struct counter *counter = counters[id];
	uint64_t count;

	take(counter->thread);
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

/* "of a sample; the numbers are: 1=L1 2=L2 ..." */
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
		collector_complain(error);
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

static void attach(struct counter *counter)
{
	counter->thread = thread;
	counter->next = thread->counters;
	thread->counters = counter;
}

static int32_t add_counter(char *name)
{
	struct counter *counter = calloc(1, sizeof(*counter));
	unsigned int id;

	if (!thread)
		thread = begin_thread();
	if (!counter || !thread || !find_metric(name, counter)) {
		free(counter);
		return -1;
	}
	id = atomic_fetch_add(&counters_used, 1);
	if (id >= COUNTERS_MOST) {
		free(counter);
		return -1;
	}
	attach(counter);
	counters[id] = counter;
	return (int32_t)id;
}

static int32_t initialize(void)
{
	char error[512];

	if (!collector_options(&settings, error, sizeof(error)) ||
	    !collector_init(error, sizeof(error))) {
		collector_complain(error);
		return -1;
	}
	if (pthread_key_create(&key, end_thread) != 0) {
		collector_complain("no key for threads is left");
		return -1;
	}
	return 0;
}

/* Samples beyond the end of the measurement are none of Score-P's. */
static void synchronize(bool is_responsible, SCOREP_MetricSynchronizationMode mode)
{
	(void)is_responsible;
	if (mode == SCOREP_METRIC_SYNCHRONIZATION_MODE_END && thread)
		end_thread(thread);
}

static void say_losses(const struct collector_losses *losses, uint64_t untold, int running)
{
	fprintf(stderr,
		"precis: samples: %llu taken, %llu of them without memory for all values; not taken: %llu "
		"without room, %llu lost in rings, %llu that could not be read; throttled %llu times; %d "
		"threads were still running, whose losses are not in these numbers\n",
		(unsigned long long)losses->taken, (unsigned long long)untold,
		(unsigned long long)losses->no_room, (unsigned long long)losses->lost,
		(unsigned long long)losses->truncated, (unsigned long long)losses->throttled, running);
}

/* Of all threads */
static void say_absent(uint32_t event, uint32_t field)
{
	struct absent all = { 0 };

	for (const struct thread *of = threads; of; of = of->next) {
		all.samples += of->absent[event][field].samples;
		if (of->absent[event][field].why)
			all.why = of->absent[event][field].why;
	}
	if (all.samples)
		fprintf(stderr, "precis: %s: %llu samples have no %s: %s\n", settings.events[event].name,
			(unsigned long long)all.samples,
			collected_info((enum collected_field)field).name, all.why);
}

/* A thread that still runs writes to what is its own: that stays. */
static int free_threads(void)
{
	int running = 0;

	for (struct thread *of = threads, *next; of; of = next) {
		next = of->next;
		if (of->collector && !of->is_stopped) {
			running++;
			continue;
		}
		for (struct counter *counter = of->counters; counter; counter = counter->next)
			free(counter->pairs);
		collector_free(of->collector);
		of->collector = NULL;
	}
	return running;
}

/* What the trace does not tell, or only in part */
static void finalize(void)
{
	struct collector_losses losses = { 0 };
	uint64_t untold = 0;

	pthread_mutex_lock(&mutex);
	for (const struct thread *of = threads; of; of = of->next) {
		untold += of->untold;
		if (of->collector && of->is_stopped)
			collector_add_losses(of->collector, &losses);
	}
	for (uint32_t n = 0; n < settings.count * COLLECTED_COUNT; n++)
		say_absent(n / COLLECTED_COUNT, n % COLLECTED_COUNT);
	say_losses(&losses, untold, free_threads());
	pthread_mutex_unlock(&mutex);
}

SCOREP_METRIC_PLUGIN_ENTRY(precis_plugin)
{
	SCOREP_Metric_Plugin_Info info;

	memset(&info, 0, sizeof(info));
	info.plugin_version = SCOREP_METRIC_PLUGIN_VERSION;
	info.run_per = SCOREP_METRIC_PER_THREAD;
	info.sync = SCOREP_METRIC_ASYNC;
	info.initialize = initialize;
	info.finalize = finalize;
	info.get_event_info = get_event_info;
	info.add_counter = add_counter;
	info.get_all_values = get_all_values;
	info.set_clock_function = set_clock;
	info.synchronize = synchronize;
	return info;
}
