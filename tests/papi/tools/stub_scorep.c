/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of Score-P that the plugin sees, where there is no Score-P: metrics of each thread that are
 * fetched when the measurement is over. It puts values into regions by their times alone, as readers
 * of a trace do, and writes a line for each metric and region: number of values, sum, least, greatest,
 * region, metric.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <scorep/SCOREP_MetricPlugins.h>
#include <scorep/SCOREP_User.h>

#define METRICS_MOST 32
#define EVENTS_MOST 64
#define DEPTH_MOST 8

/* From an event of a thread to its next one, the innermost region is 'region'. */
struct span {
	uint64_t begin;
	const char *region;
};

struct sums {
	uint64_t values, sum, least, greatest;
};

struct thread {
	struct thread *next;
	int32_t ids[METRICS_MOST];
	struct span spans[EVENTS_MOST];
	int spans_used;
	const char *regions[DEPTH_MOST];
	int depth;
	struct sums sums[METRICS_MOST][EVENTS_MOST];
};

static SCOREP_Metric_Plugin_Info plugin;
static SCOREP_Metric_Plugin_MetricProperties *metrics;
static int metrics_used;
static __thread struct thread *thread;
static struct thread *threads;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Async-signal-safe, as Score-P's is */
static uint64_t ticks(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct thread *begin_thread(void)
{
	struct thread *new = calloc(1, sizeof(*new));

	if (!new)
		abort();
	new->spans[new->spans_used++] = (struct span){ 0, "-" };
	for (int n = 0; n < metrics_used; n++) {
		new->ids[n] = plugin.add_counter(metrics[n].name);
		if (new->ids[n] < 0)
			abort();
	}
	pthread_mutex_lock(&mutex);
	new->next = threads;
	threads = new;
	pthread_mutex_unlock(&mutex);
	return new;
}

static void add(struct sums *sums, uint64_t value)
{
	if (!sums->values || value < sums->least)
		sums->least = value;
	if (!sums->values || value > sums->greatest)
		sums->greatest = value;
	sums->values++;
	sums->sum += value;
}

static void put(struct thread *of, int metric, const SCOREP_MetricTimeValuePair *pair)
{
	int at = of->spans_used - 1;

	while (of->spans[at].begin > pair->timestamp)
		at--;
	add(&of->sums[metric][at], pair->value);
}

static void fetch(struct thread *of)
{
	for (int n = 0; n < metrics_used; n++) {
		SCOREP_MetricTimeValuePair *pairs;
		uint64_t count = plugin.get_all_values(of->ids[n], &pairs);

		for (uint64_t pair = 0; pair < count; pair++)
			put(of, n, &pairs[pair]);
		free(pairs);
	}
}

static void print_thread(const struct thread *of)
{
	for (int metric = 0; metric < metrics_used; metric++) {
		for (int at = 0; at < of->spans_used; at++) {
			const struct sums *sums = &of->sums[metric][at];

			if (sums->values)
				printf("metric\t%llu\t%llu\t%llu\t%llu\t%s\t%s\n",
				       (unsigned long long)sums->values,
				       (unsigned long long)sums->sum, (unsigned long long)sums->least,
				       (unsigned long long)sums->greatest, of->spans[at].region,
				       metrics[metric].name);
		}
	}
}

static void next_span(void)
{
	if (thread->spans_used == EVENTS_MOST)
		abort();
	thread->spans[thread->spans_used++] = (struct span){
		ticks(), thread->depth ? thread->regions[thread->depth - 1] : "-"
	};
}

void stub_enter(const char *name)
{
	if (!thread)
		thread = begin_thread();
	thread->regions[thread->depth++] = name;
	next_span();
}

void stub_leave(const char *name)
{
	(void)name;
	thread->depth--;
	next_span();
}

static void add_metrics(SCOREP_Metric_Plugin_MetricProperties *more)
{
	metrics = more;
	while (metrics[metrics_used].name) {
		printf("unit\t%s\t%s\n", metrics[metrics_used].unit, metrics[metrics_used].name);
		metrics_used++;
	}
}

__attribute__((constructor)) static void begin(void)
{
	void *library = dlopen(getenv("STUB_PLUGIN"), RTLD_NOW);
	SCOREP_Metric_Plugin_Info (*get_info)(void);

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	*(void **)&get_info = dlsym(library, "SCOREP_MetricPlugin_precis_plugin_get_info");
	plugin = get_info();
	plugin.set_clock_function(ticks);
	if (plugin.initialize() == 0)
		add_metrics(plugin.get_event_info(getenv("SCOREP_METRIC_PRECIS_PLUGIN")));
	plugin.synchronize(true, SCOREP_METRIC_SYNCHRONIZATION_MODE_BEGIN);
}

__attribute__((destructor)) static void end(void)
{
	plugin.synchronize(true, SCOREP_METRIC_SYNCHRONIZATION_MODE_END);
	for (struct thread *of = threads, *next; of; of = next) {
		next = of->next;
		fetch(of);
		print_thread(of);
		free(of);
	}
	plugin.finalize();
	for (int n = 0; n < metrics_used; n++) {
		free(metrics[n].name);
		free(metrics[n].description);
		free(metrics[n].unit);
	}
	free(metrics);
}
