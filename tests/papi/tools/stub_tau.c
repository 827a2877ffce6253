/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of TAU that the plugin sees, where there is no TAU: timers, each with a call of the plugin
 * when it already runs and when it has just stopped, a thread's outermost timer, user events. At the
 * end it writes a line for each event to standard output: number of values, sum, least, greatest, name;
 * and for each piece of metadata.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <Profile/TauPlugin.h>

#define EVENTS_MOST 256
#define OUTERMOST ".TAU application"

struct event {
	char name[2048];
	unsigned long values;
	double sum, least, greatest;
};

static struct event events[EVENTS_MOST];
static int events_used;
static Tau_plugin_callbacks_t plugin;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread int depth;

void Tau_util_init_tau_plugin_callbacks(Tau_plugin_callbacks_t *callbacks)
{
	memset(callbacks, 0, sizeof(*callbacks));
}

void Tau_util_plugin_register_callbacks(Tau_plugin_callbacks_t *callbacks, unsigned int id)
{
	(void)id;
	plugin = *callbacks;
}

int TauEnv_get_callpath_depth(void)
{
	return 2;
}

void *Tau_get_userevent(const char *name)
{
	struct event *found = NULL;

	pthread_mutex_lock(&mutex);
	for (int n = 0; n < events_used && !found; n++) {
		if (strcmp(events[n].name, name) == 0)
			found = &events[n];
	}
	if (!found) {
		if (events_used == EVENTS_MOST)
			abort();
		found = &events[events_used++];
		snprintf(found->name, sizeof(found->name), "%s", name);
	}
	pthread_mutex_unlock(&mutex);
	return found;
}

void Tau_userevent(void *event, double value)
{
	struct event *of = event;

	pthread_mutex_lock(&mutex);
	if (!of->values || value < of->least)
		of->least = value;
	if (!of->values || value > of->greatest)
		of->greatest = value;
	of->values++;
	of->sum += value;
	pthread_mutex_unlock(&mutex);
}

void Tau_metadata(const char *name, const char *value)
{
	printf("metadata\t%s\t%s\n", name, value);
}

static unsigned int id_of(const char *name)
{
	unsigned int id = 0;

	while (*name)
		id = id * 31 + (unsigned char)*name++;
	return id;
}

static void tell_start(const char *name)
{
	Tau_plugin_event_function_entry_data_t data = { name, id_of(name) };

	depth++;
	if (plugin.FunctionEntry)
		plugin.FunctionEntry(&data);
}

static void tell_stop(const char *name)
{
	Tau_plugin_event_function_exit_data_t data = { name, id_of(name) };

	depth--;
	if (plugin.FunctionExit)
		plugin.FunctionExit(&data);
}

void stub_start(const char *name)
{
	if (!depth)
		tell_start(OUTERMOST);
	tell_start(name);
}

static void write_profile(void)
{
	Tau_plugin_event_pre_end_of_execution_data_t data = { 0 };

	if (plugin.PreEndOfExecution)
		plugin.PreEndOfExecution(&data);
	for (int n = 0; n < events_used; n++) {
		const struct event *of = &events[n];

		printf("event\t%lu\t%.0f\t%.0f\t%.0f\t%s\n", of->values, of->sum, of->least,
		       of->greatest, of->name);
	}
}

void stub_stop(const char *name)
{
	tell_stop(name);
	if (strcmp(name, "main") == 0)
		write_profile();
}

void stub_init(void)
{
	Tau_plugin_event_post_init_data_t data = { 0 };
	void *library = dlopen(getenv("STUB_PLUGIN"), RTLD_NOW);
	int (*init)(int, char **, int);

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	*(void **)&init = dlsym(library, "Tau_plugin_init_func");
	if (!init || init(0, NULL, 1) < 0)
		return; /* as TAU does: the program runs without */
	if (plugin.PostInit)
		plugin.PostInit(&data);
}
