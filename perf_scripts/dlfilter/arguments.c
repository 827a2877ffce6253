/* SPDX-License-Identifier: BSD-3-Clause */
/* See arguments.h. */
#include "arguments.h"
#include "command/usage/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char arguments_help[] =
	"Prints the fields of AMD IBS samples that perf hides in its raw data, and what Intel PEBS\n"
	"says of memory accesses, or filters by them. IBS: record with --raw-samples; PEBS: with\n"
	"-d and -W, and say cpuid=. Each option is one --dlarg:\n"
	"  fields=NAME,...  print these before perf's own line; 'default': a useful few; 'all'.\n"
	"                   Without fields= and filter=, the default is printed.\n"
	"                   `precis fields` lists them\n"
	"  filter=EXPR      keep only samples for which this is true, for example\n"
	"                   'dcache_miss_latency > 200 && mem_level == DRAM'; see precis-filter(7).\n"
	"                   Samples of other events have no such fields: no comparison is true of\n"
	"                   them\n"
	"  only=1           print nothing but the fields, a line for each sample\n"
	"  format=csv       a header line, then comma-separated values; implies only=1 unless o= is\n"
	"                   there. format=text: NAME=VALUE\n"
	"  reasons=1        say why a field has no value (else text leaves it out, CSV has nothing)\n"
	"  cpuid=TEXT       which CPU recorded: AuthenticAMD,25,17,1 as\n"
	"                   `perf report --header-only` has it. perf does not tell it to filters;\n"
	"                   without it, only fields that are right on every AMD CPU with these\n"
	"                   capabilities are given. Intel: GenuineIntel,6,143,8; without it,\n"
	"                   precise events are as any others\n"
	"  os-release=TEXT  which kernel recorded: 6.8.0-40-generic. Of Intel, whether it records\n"
	"                   retire_latency; of ibs_fetch, whether it is one before 5.10\n"
	"  perf-capabilities=HEX  Intel: IA32_PERF_CAPABILITIES (MSR 345h) of the CPU that\n"
	"                   recorded, whose bit 17 says whether it measures retire_latency.\n"
	"                   Without these two a retire_latency of 0 is not given\n"
	"  old-fetch=1      ibs_fetch samples come from a kernel before 5.10\n"
	"  o=FILE           write there instead of to stdout\n"
	"  help             print this\n";

#define OP_DEFAULT                                                                                 \
	"op,mem_level,dcache_miss_latency,tlb_level,tlb_refill_latency,miss_buffers_open,"         \
	"tag_to_retire,completion_to_retire"
#define FETCH_DEFAULT                                                                              \
	"fetch_latency,fetch_completed,icache_miss,opcache_miss,itlb_level,itlb_refill_latency"
#define PEBS_DEFAULT                                                                               \
	"op,addr,mem_level,mem_snoop,tlb_level,load_latency,cache_latency,instruction_latency,"    \
	"retire_latency"

/* Of each kind of event; CSV has the columns of PRECIS_EVENT_OTHER for all of them. */
static const char *const default_text[EVENT_KINDS] = {
	[PRECIS_EVENT_OTHER] = "",
	[PRECIS_EVENT_IBS_OP] = OP_DEFAULT,
	[PRECIS_EVENT_IBS_FETCH] = FETCH_DEFAULT,
	[PRECIS_EVENT_PEBS] = PEBS_DEFAULT,
};
static const char default_csv[] = "event,cpu,pid,tid,time,ip,addr," OP_DEFAULT "," FETCH_DEFAULT
				  "," PEBS_DEFAULT;

__attribute__((format(printf, 1, 2))) static int refuse(const char *format, ...)
{
	va_list list;

	fputs("precis-dlfilter: ", stderr);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fputs("\n", stderr);
	return -1;
}

/* The offending text, and a mark under the column (counted from 1). */
static int refuse_at(const char *option, const char *text, uint32_t column, const char *message)
{
	refuse("%s: column %u: %s", option, column, message);
	fprintf(stderr, "  %s\n  %*s\n", text, (int)column, "^");
	return -1;
}

static void add_field(struct field_list *list, uint32_t field)
{
	struct precis_field_info info = { .size = sizeof(info) };

	for (uint32_t i = 0; i < list->count; i++) {
		if (list->printed[i].field == field)
			return;
	}
	if (!precis_field_info(field, &info))
		list->printed[list->count++] = (struct printed){
			.field = field,
			.type = info.type,
			.unit = info.unit,
			.name = info.name,
			.name_length = strlen(info.name),
		};
}

static int is_word(const char *word, size_t length, const char *text)
{
	return strlen(text) == length && !memcmp(word, text, length);
}

/* Names of 'text', separated by commas. 'standard' stands for the word "default". */
static int add_fields(struct field_list *list, const char *text, const char *standard)
{
	const char *at = text;

	for (;; at++) {
		size_t length = strcspn(at, ",");
		int field = precis_field_find(at, length);
		char message[200];

		if (is_word(at, length, "all")) {
			for (uint32_t n = 0; n < PRECIS_FIELD_COUNT; n++)
				add_field(list, n);
		} else if (is_word(at, length, "default")) {
			if (*standard)
				add_fields(list, standard, "");
		} else if (field >= 0) {
			add_field(list, (uint32_t)field);
		} else {
			struct nearest nearest = nearest_to(at, length);
			char hint[NEAREST_ROOM];

			nearest_offer_fields(&nearest);
			snprintf(message, sizeof(message),
				 "no field is named '%.*s' (`precis fields` lists them)%s",
				 (int)(length < 60 ? length : 60), at,
				 nearest_hint(&nearest, hint));
			return refuse_at("fields", text, (uint32_t)(at - text) + 1, message);
		}
		at += length;
		if (!*at)
			return 0;
	}
}

static int read_fields(struct arguments *arguments, const char *text)
{
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		if (add_fields(&arguments->print[kind], text,
			       arguments->csv ? default_csv : default_text[kind]))
			return -1;
	}
	return 0;
}

static int find_event(const char *name, size_t length, void *events)
{
	return events_name(events, name, length);
}

static int read_filter(struct arguments *arguments, const char *text, struct events *events)
{
	struct precis_filter_error error = { .size = sizeof(error) };

	if (precis_filter_compile(text, find_event, events, &arguments->filter, &error) < 0)
		return refuse_at("filter", text, error.column, error.message);
	arguments->has_filter = 1;
	return 0;
}

/* The options as they come; what depends on others is read when all of them are there. */
struct options {
	const char *fields, *filter, *path, *cpuid, *format;
	const char *only, *reasons, *old_fetch;
	const char *os_release, *capabilities;
};

static const struct option {
	const char *name;
	const char *bare; /* what the option means without a value; NULL: it needs one */
	size_t member;    /* of struct options */
} table[] = {
	{ "fields", NULL, offsetof(struct options, fields) },
	{ "filter", NULL, offsetof(struct options, filter) },
	{ "o", NULL, offsetof(struct options, path) },
	{ "cpuid", NULL, offsetof(struct options, cpuid) },
	{ "format", NULL, offsetof(struct options, format) },
	{ "only", "1", offsetof(struct options, only) },
	{ "reasons", "1", offsetof(struct options, reasons) },
	{ "old-fetch", "1", offsetof(struct options, old_fetch) },
	{ "os-release", NULL, offsetof(struct options, os_release) },
	{ "perf-capabilities", NULL, offsetof(struct options, capabilities) },
};

static int take(struct options *options, const char *text)
{
	size_t length = strcspn(text, "=");
	const char *value = text[length] ? text + length + 1 : NULL;
	struct nearest nearest = nearest_to(text, length);
	char hint[NEAREST_ROOM];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const char **member = (const char **)((char *)options + table[i].member);

		if (!is_word(text, length, table[i].name))
			continue;
		if (!value)
			value = table[i].bare;
		if (!value || !*value)
			return refuse("%s: needs a value: %s=...", table[i].name, table[i].name);
		if (*member)
			return refuse("%s: given twice", table[i].name);
		*member = value;
		return 0;
	}
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		nearest_offer(&nearest, table[i].name);
	return refuse("no option '%s'; --dlarg help lists them%s", text,
		      nearest_hint(&nearest, hint));
}

/* A word out of two: 0 for the first or where there is no text, 1 for the second. */
static int choose(const char *name, const char *text, const char *first, const char *second,
		  int *choice)
{
	*choice = text && !strcmp(text, second);
	if (text && !*choice && strcmp(text, first))
		return refuse("%s: %s or %s, not '%s'", name, first, second, text);
	return 0;
}

static int read_capabilities(struct arguments *arguments, const char *text)
{
	char *end;

	errno = 0;
	arguments->capabilities = strtoull(text, &end, 16);
	arguments->has_capabilities = 1;
	if (errno || *end || !isxdigit((unsigned char)*text))
		return refuse("perf-capabilities: '%s' is no hexadecimal number like 0x3fc5b7",
			      text);
	return 0;
}

/* What is known of the machine that recorded */
static int read_machine(struct arguments *arguments, const struct options *options)
{
	arguments->cpu.size = sizeof(arguments->cpu);
	if (options->cpuid && precis_cpu_parse(options->cpuid, &arguments->cpu) < 0)
		return refuse("cpuid: '%s' is not like AuthenticAMD,25,17,1", options->cpuid);
	arguments->os_release = options->os_release;
	if (options->capabilities && read_capabilities(arguments, options->capabilities))
		return -1;
	if (choose("old-fetch", options->old_fetch, "0", "1", &arguments->old_fetch))
		return -1;
	if (!options->old_fetch)
		arguments->old_fetch = precis_ibs_fetch_layout_is_old(options->os_release);
	return 0;
}

int arguments_read(struct arguments *arguments, int count, char **texts, struct events *events)
{
	struct options options = { 0 };

	for (int i = 0; i < count; i++) {
		if (!strcmp(texts[i], "help")) {
			fputs(arguments_help, stderr);
			return -1;
		}
		if (take(&options, texts[i]))
			return -1;
	}
	memset(arguments, 0, sizeof(*arguments));
	arguments->path = options.path;
	if (read_machine(arguments, &options) ||
	    choose("format", options.format, "text", "csv", &arguments->csv) ||
	    choose("only", options.only, "0", "1", &arguments->only) ||
	    choose("reasons", options.reasons, "0", "1", &arguments->reasons))
		return -1;
	if (arguments->csv && !arguments->path)
		arguments->only = 1;
	arguments->lines = arguments->only || arguments->path;
	if (!options.fields && (!options.filter || arguments->lines))
		options.fields = "default";
	if (options.fields && read_fields(arguments, options.fields))
		return -1;
	return options.filter ? read_filter(arguments, options.filter, events) : 0;
}
