/* SPDX-License-Identifier: BSD-3-Clause */
/* See filter_names.h. */
#include "filter_names.h"

#include <string.h>

#include "analysis/record_id.h"

enum { NAME_COMM, NAME_DSO, NAME_SYMBOL, NAME_CGROUP, NAMES };

static const char *const names_of[NAMES] = {
	[NAME_COMM] = "comm", [NAME_DSO] = "dso", [NAME_SYMBOL] = "symbol", [NAME_CGROUP] = "cgroup",
};
#define BIT(name) (UINT64_C(1) << (name))

/* Of the ip of the sample that is asked about; with its symbol only where that is ever compared */
static const struct precis_location *place_of(struct filter_names *names,
					      const struct precis_sample *sample)
{
	uint64_t ip, mode;

	memset(&names->place, 0, sizeof(names->place));
	if (precis_get_ip(sample, &ip) && precis_get(sample, PRECIS_FIELD_CPUMODE, &mode))
		places_find(&names->places, sample, mode, ip, (names->used & BIT(NAME_SYMBOL)) != 0,
			    &names->place);
	return &names->place;
}

static const char *find(const struct precis_sample *sample, uint32_t name, void *data)
{
	struct filter_names *names = data;
	const struct precis_location *place;
	uint64_t cgroup;

	switch (name) {
	case NAME_COMM:
		return places_task(&names->places, sample);
	case NAME_CGROUP:
		return precis_get(sample, PRECIS_FIELD_CGROUP, &cgroup) ?
			       cgroup_paths_find(&names->cgroups, cgroup) : NULL;
	case NAME_DSO:
		return place_of(names, sample)->object;
	default:
		place = place_of(names, sample);
		return place->symbol ? places_symbol(&names->places, place) : NULL;
	}
}

static struct precis_filter_names table_of(struct filter_names *names)
{
	struct precis_filter_names table = {
		.size = sizeof(table), .count = NAMES, .names = names_of, .paths = BIT(NAME_DSO),
		.find = find, .data = names,
	};

	places_add_fields(table.fields);
	precis_fields_add(table.fields, PRECIS_FIELD_CGROUP);
	return table;
}

/* Whatever events there will be */
static int any_event(const char *name, size_t length, void *data)
{
	(void)name, (void)length, (void)data;
	return 0;
}

uint64_t filter_names_used(const char *expression)
{
	const struct precis_filter_names table = table_of(NULL);
	struct precis_filter filter;

	if (!expression || precis_filter_compile_names(expression, any_event, NULL, &table, &filter, NULL))
		return 0;
	return precis_filter_names_used(&filter);
}

int filter_names_open(struct filter_names *names, uint64_t used, struct precis_file *file,
		      struct symbol_options *options)
{
	names->table = table_of(names);
	names->used = used;
	names->file = file;
	return used & ~BIT(NAME_CGROUP) ? places_open(&names->places, file, options) : 0;
}

void filter_names_close(struct filter_names *names)
{
	places_close(&names->places);
	cgroup_paths_free(&names->cgroups);
	memset(names, 0, sizeof(*names));
}

static int learn_cgroup(struct filter_names *names, const struct precis_record *record)
{
	struct precis_cgroup cgroup = { .size = sizeof(cgroup) };

	return precis_cgroup_parse(record, &cgroup) ?
		       0 : cgroup_paths_learn(&names->cgroups, cgroup.id, cgroup.path);
}

void filter_names_learn(struct filter_names *names, const struct precis_record *record)
{
	struct precis_sample_id id = { .size = sizeof(id) };
	uint64_t time = 0;

	if (!names->used)
		return;
	if (record->type == PRECIS_RECORD_CGROUP) {
		names->unlearnt += learn_cgroup(names, record) != 0;
		return;
	}
	if (!names->places.symbols)
		return;
	if (record_sample_id(names->file, record, &id) && (id.present & PRECIS_SAMPLE_TIME))
		time = id.time;
	names->unlearnt += places_learn(&names->places, record, time) != 0;
}
