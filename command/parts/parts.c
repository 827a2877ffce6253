/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of parts, and what is kept up for them while a file is read. */
#include "parts.h"

#include <string.h>

#include "values.h"

static const struct part_info rows[PART_COUNT] = {
#define PART(id, name, type, unit, bits, needs, source, meaning)                                   \
	[PART_##id] = { #name, unit, source, meaning, type, needs, bits },
#include "parts.def"
#undef PART
};

const struct part_info *part_info(enum part part)
{
	return &rows[part];
}

const char *part_type_name(enum part_type type)
{
	static const char *const names[] = {
		[PART_UINT] = "uint", [PART_ADDRESS] = "address", [PART_BYTES] = "bytes",
		[PART_TEXT] = "text", [PART_LIST] = "list",       [PART_MEMBERS] = "members",
	};

	return names[type];
}

int part_find(const char *name, size_t length)
{
	for (int part = 0; part < PART_COUNT; part++) {
		if (strlen(rows[part].name) == length && memcmp(rows[part].name, name, length) == 0)
			return part;
	}
	return -1;
}

void parts_add_fields(unsigned int needs, uint64_t fields[PRECIS_FIELD_WORDS])
{
	if (needs & PART_NEEDS_SYMBOLS)
		places_add_fields(fields);
	if (needs & PART_NEEDS_CGROUPS)
		precis_fields_add(fields, PRECIS_FIELD_CGROUP);
}

/* The kernel's symbols are in texts of tracepoints, too */
static int needs_places(const struct parts *parts)
{
	return (parts->needs & (PART_NEEDS_SYMBOLS | PART_NEEDS_TRACE)) != 0;
}

int parts_open(struct parts *parts, struct precis_file *file, struct symbol_options *options)
{
	struct precis_file_info info = { .size = sizeof(info) };

	precis_file_info(file, &info);
	parts->file = file;
	parts->arch = info.arch;
	parts->perf.size = sizeof(parts->perf);
	parts->trace.function = places_function;
	parts->trace.data = &parts->places;
	return needs_places(parts) ? places_open(&parts->places, file, options) : 0;
}

void parts_close(struct parts *parts)
{
	places_close(&parts->places);
	cgroup_paths_free(&parts->cgroups);
	trace_text_free(&parts->trace);
}

static void learn_cgroup(struct parts *parts, const struct precis_record *record)
{
	struct precis_cgroup cgroup = { .size = sizeof(cgroup) };

	if (!precis_cgroup_parse(record, &cgroup) &&
	    cgroup_paths_learn(&parts->cgroups, cgroup.id, cgroup.path))
		parts->unlearnt++;
}

void parts_learn(struct parts *parts, const struct precis_record *record, uint64_t time)
{
	if (needs_places(parts) && places_learn(&parts->places, record, time))
		parts->unlearnt++;
	if (parts->needs & PART_NEEDS_CGROUPS)
		learn_cgroup(parts, record);
}

static void take_sample(struct parts *parts, const struct precis_record *record,
			const struct precis_event *event, const struct precis_sample *sample)
{
	uint64_t ip = 0;

	parts->record = record;
	parts->event = event;
	parts->sample = sample;
	if (!(parts->needs & (PART_NEEDS_PLACES | PART_NEEDS_NAMES | PART_NEEDS_LINES)))
		return;
	parts->has_ip = precis_get_ip(sample, &ip);
	if (!parts->has_ip)
		return;
	places_find(&parts->places, sample, sample->value[PRECIS_FIELD_CPUMODE], ip,
		    (parts->needs & PART_NEEDS_NAMES) != 0, &parts->place);
	if (parts->needs & PART_NEEDS_LINES)
		places_find_line(&parts->places, &parts->place, &parts->line);
}

void parts_sample(struct parts *parts, const struct precis_record *record,
		  const struct precis_event *event, const struct precis_sample *sample)
{
	parts->is_traced = 0;
	parts->regs_intr = event ? event->layout->regs_intr : 0;
	take_sample(parts, record, event, sample);
}

void parts_traced_sample(struct parts *parts, const struct precis_record *record,
			 const struct precis_event *event, const struct precis_sample *sample,
			 uint64_t regs_intr)
{
	parts->is_traced = 1;
	parts->regs_intr = regs_intr;
	take_sample(parts, record, event, sample);
}

int part_is_absent(struct parts *parts, enum part part, struct part_absence *absence)
{
	const struct part_info *row = &rows[part];

	if (row->bits && !(parts->perf.present & row->bits)) {
		absence->reason = precis_reason_name(PRECIS_NOT_CAPTURED);
		absence->detail = parts->is_traced ? "the record in the trace does not have it" :
						     "the event does not sample it";
		return 1;
	}
	return part_values[part].is_absent && part_values[part].is_absent(parts, absence);
}

void part_put(struct parts *parts, enum part part, struct output *output, enum value_form form)
{
	int is_number = rows[part].type == PART_UINT || rows[part].type == PART_ADDRESS;
	struct value_sink sink;

	value_begin(&sink, output, form, !is_number);
	part_values[part].put(parts, &sink);
	value_end(&sink);
}

const char *field_hint(const char *word, size_t length, char room[NEAREST_ROOM])
{
	struct nearest nearest = nearest_to(word, length);

	nearest_offer_fields(&nearest);
	for (int part = 0; part < PART_COUNT; part++)
		nearest_offer(&nearest, part_info((enum part)part)->name);
	return nearest_hint(&nearest, room);
}
