/* SPDX-License-Identifier: BSD-3-Clause */
/* See preflight.h. A row each: what to read, and what of it is in the way. */
#include "preflight.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "thread_numbers.h"

struct bench_machine preflight_machine(const struct machine *machine)
{
	return (struct bench_machine){
		.root = machine->root, .cpu = machine->cpu, .release = machine->release,
		.is_guest = machine->has_hypervisor_flag, .is_privileged = machine->is_privileged,
		.has_paranoid = machine->has_paranoid, .paranoid = machine->paranoid,
	};
}

/* A file below the root, its first line. What 'value' at its beginning means, or NULL */
static const struct row_of_file {
	const char *name, *path, *value, *means;
} files[] = {
	{ "paranoid", "/proc/sys/kernel/perf_event_paranoid", NULL, NULL },
	{ "NMI watchdog", "/proc/sys/kernel/nmi_watchdog", "1", "takes a counter, where there is a PMU" },
	{ "SMT", "/sys/devices/system/cpu/smt/active", "1", "what runs beside a thread shares its core" },
	{ "boost", "/sys/devices/system/cpu/cpufreq/boost", "1", "clock rates vary: so do times" },
	{ "no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo", "0", "clock rates vary: so do times" },
	{ "most samples in a second", "/proc/sys/kernel/perf_event_max_sample_rate", NULL, NULL },
	{ "most CPU time", "/proc/sys/kernel/perf_cpu_time_max_percent", "0",
	  "nothing is throttled for its time" },
	{ "KiB for rings", "/proc/sys/kernel/perf_event_mlock_kb", NULL, NULL },
	{ "CPUs online", "/sys/devices/system/cpu/online", NULL, NULL },
	{ "CPUs offline", "/sys/devices/system/cpu/offline", NULL, NULL },
	{ "clock source", "/sys/devices/system/clocksource/clocksource0/current_clocksource", NULL, NULL },
};

static const struct column columns[] = {
	{ "finding", "finding", COLUMN_LEFT },
	{ "remark", "remark", COLUMN_LEFT },
};

void preflight_begin(struct document *document)
{
	table_begin(document, "preflight", "Preflight", "", columns, sizeof(columns) / sizeof(columns[0]));
}

void preflight_row(struct document *document, const char *name, const char *finding, const char *remark)
{
	row_begin(document, "%s", name);
	row_in(document, "rows");
	if (finding)
		cell_text(document, "%s", finding);
	else
		cell_absent(document);
	if (remark)
		cell_text(document, "%s", remark);
	else
		cell_absent(document);
}

/* Governors that keep one rate: others choose by load (Documentation/admin-guide/pm/cpufreq.rst of Linux). */
static int is_steady(const char *governor)
{
	return strcmp(governor, "performance") == 0 || strcmp(governor, "userspace") == 0;
}

#define CPUS_MOST 1024u
#define GOVERNORS_MOST 4u /* different ones: more are no machine's */
#define GOVERNOR 32u

/* Each that some CPU has, once; CPUs that are offline have none. How many */
static uint32_t find_governors(const struct machine *machine, char found[GOVERNORS_MOST][GOVERNOR])
{
	uint32_t count = 0;

	for (unsigned int cpu = 0; cpu < CPUS_MOST && count < GOVERNORS_MOST; cpu++) {
		char path[80];
		uint32_t n = 0;

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor", cpu);
		if (!machine_read_line(machine, path, found[count], GOVERNOR))
			continue;
		while (strcmp(found[n], found[count]) != 0)
			n++;
		count += n == count;
	}
	return count;
}

static void add_governors(const struct machine *machine, struct document *document)
{
	char found[GOVERNORS_MOST][GOVERNOR], all[GOVERNORS_MOST * (GOVERNOR + 2)] = "";
	const uint32_t count = find_governors(machine, found);
	int used = 0, varies = 0;

	for (uint32_t n = 0; n < count; n++) {
		used += snprintf(all + used, sizeof(all) - (size_t)used, "%s%s", n ? ", " : "", found[n]);
		varies |= !is_steady(found[n]);
	}
	preflight_row(document, "governor", count ? all : NULL,
		      !count ? "is not there" : varies ? "clock rates vary: so do times" : NULL);
}

/* More that want to run than CPUs are noisy neighbours. */
static void add_load(const struct machine *machine, struct document *document)
{
	char text[128];
	double load;

	if (!machine_read_line(machine, "/proc/loadavg", text, sizeof(text)) ||
	    sscanf(text, "%lf", &load) != 1) {
		preflight_row(document, "load", NULL, "cannot be read");
		return;
	}
	snprintf(text, sizeof(text), "%.2f", load);
	preflight_row(document, "load", text,
		      load > 0.5 ? "others run, too: times are theirs as well; runs tell how often threads "
				   "had to wait" : NULL);
}

static void add_cpus(uint32_t threads, struct document *document)
{
	const uint32_t cpus = threads_at_once();
	char finding[16], remark[160];

	snprintf(finding, sizeof(finding), "%" PRIu32, cpus);
	snprintf(remark, sizeof(remark), "%" PRIu32 " threads at once are more: they take turns, and not all "
		 "are measured at the same time", threads);
	preflight_row(document, "CPUs for threads", cpus ? finding : NULL,
		      !cpus ? "cannot be asked for" : threads > cpus ? remark : NULL);
}

void preflight_describe(const struct machine *machine, uint32_t threads, struct document *document)
{
	preflight_begin(document);
	preflight_row(document, "CPU", *machine->model_name ? machine->model_name : NULL,
		*machine->model_name ? NULL : "cannot be read");
	preflight_row(document, "kernel", *machine->release ? machine->release : NULL,
		*machine->release ? NULL : "cannot be read");
	preflight_row(document, "virtual machine", machine->has_hypervisor_flag ? "yes" : "no",
		machine->has_hypervisor_flag ? "its host may hide the PMU, and takes time" : NULL);
	preflight_row(document, "privileges", machine->is_privileged ? "CAP_PERFMON" : "none",
		machine->is_privileged ? NULL : "what perf_event_paranoid allows");
	for (size_t n = 0; n < sizeof(files) / sizeof(files[0]); n++) {
		char text[128];
		const int found = machine_read_line(machine, files[n].path, text, sizeof(text));

		/* that no CPU is offline is an empty line */
		preflight_row(document, files[n].name, !found ? NULL : *text ? text : "none",
			!found ? "is not there" :
			files[n].value && strcmp(text, files[n].value) == 0 ? files[n].means : NULL);
	}
	add_governors(machine, document);
	add_cpus(threads, document);
	add_load(machine, document);
}

const struct table *preflight_table(const struct document *document)
{
	for (size_t n = 0; n < document->count; n++) {
		if (strcmp(document->tables[n].name, "preflight") == 0)
			return &document->tables[n];
	}
	return NULL;
}

const char *preflight_finding(const struct table *table, const char *name)
{
	for (size_t n = 0; table && n < table->row_count; n++) {
		const struct row *row = &table->rows[n];

		if (strcmp(row->name, name) == 0)
			return row->set && row->cells[0].kind == CELL_TEXT ? row->cells[0].text : NULL;
	}
	return NULL;
}
