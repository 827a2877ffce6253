/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said on the command line of a dump of PEBS records. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "options.h"
#include "command/usage/complain.h"
#include "command/recording/recording.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define CPUID_TEXT 64
#define EVENT_BITS 0xffffu /* unit mask and event select */

static const struct {
	const char *name;
	uint32_t event;
} events[] = {
	{ "load-latency", PRECIS_PEBS_FACILITY_LOAD_LATENCY },
	{ "store-latency", PRECIS_PEBS_FACILITY_STORE_LATENCY },
	{ "precise-store", PRECIS_PEBS_FACILITY_PRECISE_STORE },
	{ "load", PRECIS_PEBS_FACILITY_DATA_LA_LOAD },
	{ "store", PRECIS_PEBS_FACILITY_DATA_LA_STORE },
	{ "load-or-store", PRECIS_PEBS_FACILITY_DATA_LA_OTHER },
	{ "other", PRECIS_PEBS_FACILITY_OTHER },
};

void pebs_options_init(struct pebs_options *options)
{
	*options = (struct pebs_options){
		.machine = { .size = sizeof(options->machine),
			     .cpu = { .size = sizeof(options->machine.cpu) } },
	};
}

/* A number as C writes it, the whole of the text. 0 or -1 */
static int parse_number(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 0);
	return errno || *end || *text < '0' || *text > '9' ? -1 : 0;
}

static int take_format(struct pebs_options *options, const char *command, const char *value)
{
	int format = precis_pebs_format_parse(value);

	if (format < 0)
		return complain_usage(command,
				      "--pebs-format: expected 0 to 6, arch, netburst32 or "
				      "netburst64, found '%s'",
				      value);
	options->format = (uint32_t)format;
	options->has_format = 1;
	return EXIT_OK;
}

static int take_core_type(struct pebs_options *options, const char *command, const char *value)
{
	const char *name;

	for (uint32_t type = PRECIS_CORE_TYPE_P; (name = precis_core_type_name(type)); type++) {
		if (strcasecmp(value, name) == 0) {
			options->machine.core_type = type;
			return EXIT_OK;
		}
	}
	return complain_usage(command, "--core-type: expected p, e or lp-e, found '%s'", value);
}

static int take_base(struct pebs_options *options, const char *command, const char *value)
{
	options->has_base = 1;
	if (parse_number(value, &options->base) == 0)
		return EXIT_OK;
	return complain_usage(command, "--ds-base: expected an address as in 0x7f0000, found '%s'",
			      value);
}

int pebs_option(struct pebs_options *options, const char *command, int option, const char *value)
{
	switch (option) {
	case OPTION_PEBS_FORMAT:
		return take_format(options, command, value);
	case OPTION_CORE_TYPE:
		return take_core_type(options, command, value);
	case OPTION_DS_AREA:
		options->area = value;
		return EXIT_OK;
	case OPTION_DS_BASE:
		return take_base(options, command, value);
	default:
		return -1;
	}
}

static int take_cpuid(struct pebs_options *options, const char *command, const char *value)
{
	struct precis_cpu *cpu = &options->machine.cpu;

	if (precis_cpu_parse(value, cpu) == 0 && cpu->vendor == PRECIS_VENDOR_INTEL)
		return EXIT_OK;
	return complain_usage(command,
			      "--cpuid: expected an Intel CPU as in GenuineIntel,6,143,8 (family, "
			      "model, stepping) with --pebs-format, found '%s'",
			      value);
}

static int take_cpu(struct pebs_options *options, const char *command, const char *value)
{
	char cpuid[CPUID_TEXT];
	int length = snprintf(cpuid, sizeof(cpuid), "GenuineIntel,%s", value);

	if ((size_t)length < sizeof(cpuid) && precis_cpu_parse(cpuid, &options->machine.cpu) == 0)
		return EXIT_OK;
	return complain_usage(command,
			      "--cpu: expected FAMILY,MODEL,STEPPING as in 6,143,8 with "
			      "--pebs-format, found '%s'",
			      value);
}

static int take_event(struct pebs_options *options, const char *command, const char *value)
{
	struct precis_pebs_machine *machine = &options->machine;

	machine->facility_is_known = machine->has_config = 0;
	for (size_t n = 0; n < COUNT(events); n++) {
		if (strcasecmp(value, events[n].name) == 0) {
			machine->facility = events[n].event;
			machine->facility_is_known = 1;
			return EXIT_OK;
		}
	}
	machine->has_config = 1;
	if (parse_number(value, &machine->config) == 0 && machine->config <= EVENT_BITS)
		return EXIT_OK;
	return complain_usage(command,
			      "--event: expected load-latency, store-latency, precise-store, load, "
			      "store, load-or-store, other or a number as in 0x1cd with "
			      "--pebs-format, found '%s'",
			      value);
}

static int take_capabilities(struct pebs_options *options, const char *command, const char *value)
{
	struct recording_options known = { 0 };
	int code = recording_option(&known, command, OPTION_PERF_CAPABILITIES, value);

	options->machine.has_capabilities = (uint32_t)known.has_perf_capabilities;
	options->machine.capabilities = known.perf_capabilities;
	return code;
}

static const char *option_name(const struct option *option, int found)
{
	while (option->name && option->val != found)
		option++;
	return option->name;
}

int pebs_take_other(struct pebs_options *options, struct selection *selection, const char *command,
		    int option, const char *value, const struct option *long_options)
{
	switch (option) {
	case OPTION_CPU:
		return take_cpu(options, command, value);
	case OPTION_CPUID:
		return take_cpuid(options, command, value);
	case OPTION_EVENT:
		return take_event(options, command, value);
	case OPTION_FILTER:
		return selection_option(selection, command, option, value);
	case OPTION_PERF_CAPABILITIES:
		return take_capabilities(options, command, value);
	default:
		return complain_usage(command, "--%s and --pebs-format exclude each other",
				      option_name(long_options, option));
	}
}

int pebs_format_is_given(int argc, char **argv, const char *short_options,
			 const struct option *long_options)
{
	int found, is_there = 0;

	while ((found = getopt_long(argc, argv, short_options, long_options, NULL)) != -1)
		is_there |= found == OPTION_PEBS_FORMAT;
	optind = 0; /* once more from the beginning */
	return is_there;
}

static const char *event_name(int event)
{
	for (size_t n = 0; n < COUNT(events); n++) {
		if ((int)events[n].event == event)
			return events[n].name;
	}
	return "what it records is not known";
}

void pebs_event_text(const struct pebs_options *options, char text[PEBS_EVENT_TEXT])
{
	const struct precis_pebs_machine *machine = &options->machine;
	uint32_t core = precis_intel_core_of(&machine->cpu,
					     (enum precis_core_type)machine->core_type);

	if (machine->facility_is_known)
		snprintf(text, PEBS_EVENT_TEXT, "%s", event_name((int)machine->facility));
	else if (machine->has_config)
		snprintf(text, PEBS_EVENT_TEXT, "0x%" PRIx64 " (%s)", machine->config,
			 event_name(precis_pebs_facility_of(core, machine->config)));
	else
		snprintf(text, PEBS_EVENT_TEXT, "not told: give it with --event");
}

/* A core that is not known, for which reason? */
static void warn_of_core(const struct precis_pebs_machine *machine, const char *command)
{
	const struct precis_cpu *cpu = &machine->cpu;
	int is_hybrid = precis_intel_core_of(cpu, PRECIS_CORE_TYPE_P) != PRECIS_INTEL_UNKNOWN ||
			precis_intel_core_of(cpu, PRECIS_CORE_TYPE_E) != PRECIS_INTEL_UNKNOWN;

	if (machine->core_type != PRECIS_CORE_TYPE_UNKNOWN)
		complain(command, "warning: no core of type %s is known of CPU %u,%u,%u",
			 precis_core_type_name(machine->core_type), cpu->family, cpu->model,
			 cpu->stepping);
	else if (is_hybrid)
		complain(command,
			 "warning: CPU %u,%u,%u has cores of several kinds: say which one with "
			 "--core-type",
			 cpu->family, cpu->model, cpu->stepping);
	else
		complain(command, "warning: CPU %u,%u,%u is not known", cpu->family, cpu->model,
			 cpu->stepping);
}

static void warn_of_format(const struct pebs_options *options, uint32_t core, const char *command)
{
	struct precis_intel_core_info info = { .size = sizeof(info) };

	precis_intel_core_info(core, &info);
	if (info.pebs_format >= 0 && (uint32_t)info.pebs_format != options->format)
		complain(command, "warning: %s writes records of format %s, not %s", info.name,
			 precis_pebs_format_name((uint32_t)info.pebs_format),
			 precis_pebs_format_name(options->format));
}

int pebs_options_check(const struct pebs_options *options, const char *command)
{
	const struct precis_pebs_machine *machine = &options->machine;
	uint32_t core;

	if (!options->has_format)
		return machine->core_type || options->area || options->has_base ?
			       complain_usage(command, "--core-type, --ds-area and --ds-base need "
						       "--pebs-format") :
			       EXIT_OK;
	if (options->has_base && !options->area)
		return complain_usage(command, "--ds-base needs --ds-area");
	if (options->area && precis_ds_layout_of(options->format) < 0)
		return complain_usage(command, "--ds-area: records of format %s have no DS area",
				      precis_pebs_format_name(options->format));
	if (machine->cpu.vendor != PRECIS_VENDOR_INTEL)
		return EXIT_OK;
	core = precis_intel_core_of(&machine->cpu, (enum precis_core_type)machine->core_type);
	if (core == PRECIS_INTEL_UNKNOWN)
		warn_of_core(machine, command);
	else
		warn_of_format(options, core, command);
	return EXIT_OK;
}
