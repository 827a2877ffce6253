/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading what /proc, /sys and CPUID say about precise sampling. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "machine.h"
#include "machine_capabilities.h"

#define DEVICES "/sys/bus/event_source/devices/"
#define CPUINFO_LINES 64 /* of the first CPU */

/* capabilities(7) */
#define CAP_SYS_ADMIN 21
#define CAP_PERFMON 38

static FILE *open_file(const struct machine *machine, const char *path)
{
	char full[PATH_MAX];

	if (snprintf(full, sizeof(full), "%s%s", machine->root, path) >= (int)sizeof(full))
		return NULL;
	return fopen(full, "re");
}

int machine_read_line(const struct machine *machine, const char *path, char *text, size_t room)
{
	FILE *file = open_file(machine, path);
	int found;

	text[0] = '\0';
	if (!file)
		return 0;
	found = fgets(text, (int)room, file) != NULL;
	fclose(file);
	text[strcspn(text, "\n")] = '\0';
	return found;
}

int machine_read_number(const struct machine *machine, const char *path, int *number)
{
	char text[32], *end;
	long value;

	if (!machine_read_line(machine, path, text, sizeof(text)))
		return 0;
	value = strtol(text, &end, 10);
	if (end == text || value < INT_MIN || value > INT_MAX)
		return 0;
	*number = (int)value;
	return 1;
}

static int exists(const struct machine *machine, const char *path)
{
	FILE *file = open_file(machine, path);

	if (file)
		fclose(file);
	return file != NULL;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the files in a directory, in alphabetical order. @return 1 if it can be read */
static int list_directory(const struct machine *machine, const char *path, char *text, size_t room)
{
	enum { MOST = 64 };
	char full[PATH_MAX], *names[MOST];
	size_t count = 0, length = 0;
	struct dirent *entry;
	DIR *directory;

	text[0] = '\0';
	if (snprintf(full, sizeof(full), "%s%s", machine->root, path) >= (int)sizeof(full))
		return 0;
	directory = opendir(full);
	if (!directory)
		return 0;
	while (count < MOST && (entry = readdir(directory))) {
		if (entry->d_name[0] != '.' && (names[count] = strdup(entry->d_name)))
			count++;
	}
	closedir(directory);
	qsort(names, count, sizeof(names[0]), by_name);
	for (size_t i = 0; i < count; i++) {
		if (length < room)
			length += (size_t)snprintf(text + length, room - length, "%s%s",
						   length ? " " : "", names[i]);
		free(names[i]);
	}
	return 1;
}

static void read_pmu(const struct machine *machine, const char *name, struct machine_pmu *pmu)
{
	char path[128];

	snprintf(path, sizeof(path), DEVICES "%s/type", name);
	pmu->present = exists(machine, path);
	snprintf(path, sizeof(path), DEVICES "%s/format", name);
	list_directory(machine, path, pmu->formats, sizeof(pmu->formats));
	snprintf(path, sizeof(path), DEVICES "%s/caps", name);
	list_directory(machine, path, pmu->caps, sizeof(pmu->caps));
}

static int has_event(const struct machine *machine, const char *pmu, const char *event)
{
	char path[128];

	snprintf(path, sizeof(path), DEVICES "%s/events/%s", pmu, event);
	return exists(machine, path);
}

/* Hybrid parts have no "cpu" but a PMU for each kind of core. */
static void read_core_pmus(struct machine *machine)
{
	struct machine_core_pmu *pmu = machine->core_pmus;
	char path[128];

	for (uint32_t type = 0; type < MACHINE_CORE_PMUS; type++) {
		const char *name = precis_core_type_pmu(type);

		snprintf(path, sizeof(path), DEVICES "%s/type", name);
		if (!exists(machine, path))
			continue;
		pmu->name = name;
		pmu->core_type = type;
		pmu->max_precise = -1;
		snprintf(path, sizeof(path), DEVICES "%s/caps/max_precise", name);
		machine_read_number(machine, path, &pmu->max_precise);
		pmu->branches = -1;
		snprintf(path, sizeof(path), DEVICES "%s/caps/branches", name);
		machine_read_number(machine, path, &pmu->branches);
		snprintf(path, sizeof(path), DEVICES "%s/caps/pmu_name", name);
		machine_read_line(machine, path, pmu->pmu_name, sizeof(pmu->pmu_name));
		/* the first of "0-7,16"; of a CPU whose cores are alike any */
		snprintf(path, sizeof(path), DEVICES "%s/cpus", name);
		machine_read_number(machine, path, &pmu->cpu);
		if (machine->cpu.vendor == PRECIS_VENDOR_INTEL)
			machine_read_capabilities(machine, pmu);
		pmu->has_mem_loads = has_event(machine, name, "mem-loads");
		pmu->has_mem_stores = has_event(machine, name, "mem-stores");
		pmu->has_mem_loads_aux = has_event(machine, name, "mem-loads-aux");
		pmu++;
	}
}

/* Is it one of the words? */
static int has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += length) {
		if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return 1;
	}
	return 0;
}

static void note_cpuinfo(struct machine *machine, const char *name, const char *value)
{
	struct precis_cpu *cpu = &machine->cpu;

	if (strcmp(name, "vendor_id") == 0)
		snprintf(machine->vendor, sizeof(machine->vendor), "%s", value);
	else if (strcmp(name, "model name") == 0)
		snprintf(machine->model_name, sizeof(machine->model_name), "%s", value);
	else if (strcmp(name, "cpu family") == 0)
		cpu->family = (uint32_t)strtoul(value, NULL, 10);
	else if (strcmp(name, "model") == 0)
		cpu->model = (uint32_t)strtoul(value, NULL, 10);
	else if (strcmp(name, "stepping") == 0)
		cpu->stepping = (uint32_t)strtoul(value, NULL, 10);
	else if (strcmp(name, "flags") == 0) {
		machine->has_ibs_flag = has_word(value, "ibs");
		machine->has_hypervisor_flag = has_word(value, "hypervisor");
		machine->has_pdcm_flag = has_word(value, "pdcm");
	}
}

/* "name : value" up to the empty line behind the first CPU */
static void read_cpuinfo(struct machine *machine)
{
	FILE *file = open_file(machine, "/proc/cpuinfo");
	char text[8192], cpuid[96];

	machine->cpu.size = sizeof(machine->cpu);
	if (!file)
		return;
	for (int line = 0; line < CPUINFO_LINES && fgets(text, sizeof(text), file); line++) {
		char *colon = strchr(text, ':'), *end;

		if (!colon)
			break;
		text[strcspn(text, "\n")] = '\0';
		for (end = colon; end > text && (end[-1] == '\t' || end[-1] == ' '); end--)
			;
		*end = '\0';
		note_cpuinfo(machine, text, colon + 1 + strspn(colon + 1, " "));
	}
	fclose(file);
	snprintf(cpuid, sizeof(cpuid), "%s,%u,%u,%u", machine->vendor, machine->cpu.family,
		 machine->cpu.model, machine->cpu.stepping);
	precis_cpu_parse(cpuid, &machine->cpu);
}

/* The capability word is in no file: only the CPU itself tells. */
static void read_ibs_caps(struct machine *machine)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned int eax, ebx, ecx, edx;

	if (!*machine->root && machine->has_ibs_flag &&
	    __get_cpuid(0x8000001b, &eax, &ebx, &ecx, &edx) && (eax & PRECIS_IBS_CAPS_VALID))
		machine->ibs_caps = eax;
#else
	(void)machine;
#endif
}

static void read_privileges(struct machine *machine)
{
	FILE *file = open_file(machine, "/proc/self/status");
	unsigned long long capabilities = 0;
	char text[256];

	if (!file)
		return;
	while (fgets(text, sizeof(text), file)) {
		if (strncmp(text, "CapEff:", 7) == 0)
			capabilities = strtoull(text + 7, NULL, 16);
	}
	fclose(file);
	machine->is_privileged = (capabilities >> CAP_PERFMON & 1) ||
				 (capabilities >> CAP_SYS_ADMIN & 1);
}

void machine_read(struct machine *machine, const char *root)
{
	memset(machine, 0, sizeof(*machine));
	machine->root = root;
	read_cpuinfo(machine);
	read_ibs_caps(machine);
	machine_read_line(machine, "/proc/sys/kernel/osrelease", machine->release,
			  sizeof(machine->release));
	if (sscanf(machine->release, "%u.%u", &machine->release_major,
		   &machine->release_minor) != 2)
		machine->release[0] = '\0';
	machine->has_paranoid = machine_read_number(machine, "/proc/sys/kernel/perf_event_paranoid",
						    &machine->paranoid);
	read_privileges(machine);
	read_pmu(machine, "ibs_op", &machine->ibs_op);
	read_pmu(machine, "ibs_fetch", &machine->ibs_fetch);
	read_core_pmus(machine);
}
