/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plugin of TAU: each precise sample triggers user events of TAU, named for the level of memory
 * that it found and for the timers that ran.
 *
 * Samples are taken to TAU where a timer starts or stops. TAU tells of a start when the timer already
 * runs, while what was sampled until then belongs to the timers before: so the plugin
 * keeps the thread's timers itself, and writes a context into an event's name as TAU does.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* TAU's headers want this order in C. */
#include <Profile/tau_types.h>

#include <Profile/TauPlugin.h>

#include <Profile/Profiler.h>
#include <Profile/TauEnv.h>

#include <precis/fields.h>
#include <precis/papi.h>

#include "../collector.h"

#define TIMERS_MOST 512
#define NAME_MOST 2048
#define DOUBLE_EXACT (UINT64_C(1) << 53) /* TAU's values are doubles */

struct timer {
	unsigned int id; /* TAU's of the function */
	const char *name; /* TAU's: it lives as long as TAU */
};

struct thread {
	struct collector *collector;
	struct timer timers[TIMERS_MOST];
	unsigned int depth;   /* may be above TIMERS_MOST: the innermost are not known then */
	int is_refused;       /* it is not sampled, and that was said */
	int is_taking;
	char context[NAME_MOST]; /* " : outer => inner"; "" where no timer runs */
};

static struct collector_settings settings = { .delivery = PRECIS_PAPI_WATERMARK };
static __thread struct thread *thread;
static pthread_key_t key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct collector_losses ended; /* of threads that have ended, and of the main one */
static uint64_t without_timer;        /* samples after a thread's last timer */
static atomic_int running;            /* threads that are sampled */
static int is_ready;                  /* PAPI has the component */

static void trigger(const struct thread *of, const char *what, double value)
{
	char name[2 * NAME_MOST];

	snprintf(name, sizeof(name), "%s%s", what, of->context);
	Tau_userevent(Tau_get_userevent(name), value);
}

/* "mem_level=L3", "mem_level absent (no load)" */
static void describe_level(const struct collected *sample, char *text, size_t room)
{
	const char *name = collected_info(COLLECTED_MEM_LEVEL).name;
	char value[PRECIS_VALUE_TEXT];

	if (!(sample->present >> COLLECTED_MEM_LEVEL & 1)) {
		snprintf(text, room, "%s absent (%s)", name,
			 sample->why[COLLECTED_MEM_LEVEL] ? sample->why[COLLECTED_MEM_LEVEL] :
							    "not asked for");
		return;
	}
	collected_format(COLLECTED_MEM_LEVEL, sample->value[COLLECTED_MEM_LEVEL], value);
	snprintf(text, room, "%s=%s", name, value);
}

static void trigger_field(const struct collected *sample, uint32_t field, const char *level)
{
	const struct collected_info info = collected_info(field);
	const char *event = settings.events[sample->event].name;
	char what[NAME_MOST];

	if (sample->value[field] > DOUBLE_EXACT) {
		snprintf(what, sizeof(what), "%s %s beyond what a double holds", event, info.name);
		trigger(thread, what, 1);
		return;
	}
	if (info.kind == COLLECTED_PLACE)
		snprintf(what, sizeof(what), "%s %s", event, info.name);
	else
		snprintf(what, sizeof(what), "%s %s in %s, %s", event, info.name, info.unit, level);
	trigger(thread, what, (double)sample->value[field]);
}

static void tell(const struct collected *sample, void *user)
{
	char level[256], what[NAME_MOST];

	(void)user;
	describe_level(sample, level, sizeof(level));
	snprintf(what, sizeof(what), "%s samples, %s", settings.events[sample->event].name, level);
	trigger(thread, what, (double)sample->period);
	for (uint32_t n = 0; n < COLLECTED_COUNT; n++) {
		if (sample->present >> n & 1 && collected_info(n).kind != COLLECTED_NAME)
			trigger_field(sample, n, level);
	}
}

/* The innermost timers, as many as TAU's own context events name */
static void describe_context(struct thread *of)
{
	int most = TauEnv_get_callpath_depth();
	unsigned int known = of->depth < TIMERS_MOST ? of->depth : TIMERS_MOST, n;
	size_t length = 0;

	of->context[0] = '\0';
	n = most > 0 && (unsigned int)most < known ? known - (unsigned int)most : 0;
	for (const char *between = " : "; n < known && length < sizeof(of->context); n++) {
		length += (size_t)snprintf(of->context + length, sizeof(of->context) - length, "%s%s",
					   between, of->timers[n].name);
		between = " => ";
	}
}

/* Not again while TAU's own timers in here start and stop */
static void take(struct thread *of)
{
	if (!of->collector || of->is_taking)
		return;
	of->is_taking = 1;
	describe_context(of);
	collector_take(of->collector, tell, NULL);
	of->is_taking = 0;
}

static void count_only(const struct collected *sample, void *user)
{
	(void)sample;
	++*(uint64_t *)user;
}

/* Of the calling thread: sample no more, and keep what was lost. */
static void end_sampling(struct thread *of, uint64_t *late)
{
	if (!of->collector)
		return;
	collector_stop(of->collector);
	if (late)
		collector_take(of->collector, count_only, late);
	else
		take(of);
	pthread_mutex_lock(&mutex);
	collector_add_losses(of->collector, &ended);
	without_timer += late ? *late : 0;
	pthread_mutex_unlock(&mutex);
	collector_free(of->collector);
	of->collector = NULL;
	atomic_fetch_sub(&running, 1);
}

/* At a thread's end TAU has no timers for it any more: what was not taken is counted. */
static void end_thread(void *argument)
{
	uint64_t late = 0;

	end_sampling(argument, &late);
	free(argument);
}

/* The calling thread's state; NULL without memory. Sampling begins with it. */
static struct thread *this_thread(void)
{
	char error[512];

	if (!thread) {
		thread = calloc(1, sizeof(*thread));
		if (!thread)
			return NULL;
		pthread_setspecific(key, thread);
	}
	if (!thread->collector && !thread->is_refused && is_ready) {
		thread->collector = collector_start(&settings, error, sizeof(error));
		thread->is_refused = 1; /* not tried again, in any case */
		if (thread->collector)
			atomic_fetch_add(&running, 1);
		else
			collector_complain(error);
	}
	return thread;
}

/* TAU has initialised PAPI by now, if it measures with it. */
static int on_post_init(Tau_plugin_event_post_init_data_t *data)
{
	char error[512];

	(void)data;
	is_ready = collector_init(error, sizeof(error));
	if (!is_ready)
		collector_complain(error);
	else if (!this_thread() || !thread->collector)
		is_ready = 0; /* what the first thread cannot have none can: said once */
	return 0;
}

static int on_entry(Tau_plugin_event_function_entry_data_t *data)
{
	struct thread *of = this_thread();

	if (!of || of->is_taking)
		return 0;
	take(of);
	if (of->depth < TIMERS_MOST)
		of->timers[of->depth] = (struct timer){ data->func_id, data->timer_name };
	of->depth++;
	return 0;
}

static int is_known(const struct thread *of, unsigned int id)
{
	for (unsigned int n = 0; n < of->depth && n < TIMERS_MOST; n++) {
		if (of->timers[n].id == id)
			return 1;
	}
	return of->depth > TIMERS_MOST;
}

/* A timer that TAU throttles tells of its start or its stop alone: those within it have ended, too. */
static int on_exit_of_function(Tau_plugin_event_function_exit_data_t *data)
{
	struct thread *of = this_thread();
	unsigned int id;

	if (!of || of->is_taking)
		return 0;
	take(of);
	if (!is_known(of, data->func_id))
		return 0;
	do {
		of->depth--;
		id = of->depth < TIMERS_MOST ? of->timers[of->depth].id : data->func_id;
	} while (id != data->func_id);
	return 0;
}

static void write_metadata(const char *name, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	Tau_metadata(name, text);
}

static int on_pre_end(Tau_plugin_event_pre_end_of_execution_data_t *data)
{
	(void)data;
	if (!is_ready)
		return 0;
	is_ready = 0; /* no thread begins any more */
	if (thread)
		end_sampling(thread, NULL);
	pthread_mutex_lock(&mutex);
	write_metadata("precis: samples taken", ended.taken);
	write_metadata("precis: samples without room (PRECIS_TOOL_ROOM)", ended.no_room);
	write_metadata("precis: samples lost in rings", ended.lost);
	write_metadata("precis: records that could not be read", ended.truncated);
	write_metadata("precis: times throttled", ended.throttled);
	write_metadata("precis: samples after a thread's last timer", without_timer);
	write_metadata("precis: threads still running, whose losses are not in these numbers",
		       (uint64_t)atomic_load(&running));
	pthread_mutex_unlock(&mutex);
	return 0;
}

int Tau_plugin_init_func(int argc, char **argv, int id);

/* TAU's entry. What is to be sampled is in the environment: TAU's lists of plugins end at colons. */
int Tau_plugin_init_func(int argc, char **argv, int id)
{
	static Tau_plugin_callbacks_t callbacks;
	const char *list = getenv("PRECIS_TOOL_EVENTS");
	char error[512];

	(void)argc;
	(void)argv;
	if (!list) {
		collector_complain("PRECIS_TOOL_EVENTS is not set: NAME@PERIOD,...");
		return -1;
	}
	if (!collector_parse(&settings, list, error, sizeof(error)) ||
	    !collector_options(&settings, error, sizeof(error))) {
		collector_complain(error);
		return -1;
	}
	if (pthread_key_create(&key, end_thread) != 0) {
		collector_complain("no key for threads is left");
		return -1;
	}
	Tau_util_init_tau_plugin_callbacks(&callbacks);
	callbacks.PostInit = on_post_init;
	callbacks.FunctionEntry = on_entry;
	callbacks.FunctionExit = on_exit_of_function;
	callbacks.PreEndOfExecution = on_pre_end;
	Tau_util_plugin_register_callbacks(&callbacks, (unsigned int)id);
	return 0;
}
