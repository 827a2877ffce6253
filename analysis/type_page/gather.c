/* SPDX-License-Identifier: BSD-3-Clause */
/* What of samples a page of a type is made of. See page.h. */
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "analysis/annotate/asked.h"
#include "analysis/batch.h"
#include "analysis/by/places.h"

/* --- what is asked for --- */

#define BIT(value) (1u << (value))

/* Beside the levels of the memory */
static const struct {
	struct by_column column;
	enum page_part part;
} own[] = {
	{ { .name = "loads", .title = "loads", .field = PRECIS_FIELD_OP,
	    .values = BIT(PRECIS_OP_LOAD) | BIT(PRECIS_OP_LOAD_STORE) },
	  PAGE_KIND },
	{ { .name = "stores", .title = "stores", .field = PRECIS_FIELD_OP,
	    .values = BIT(PRECIS_OP_STORE) | BIT(PRECIS_OP_LOAD_STORE) },
	  PAGE_KIND },
	{ { .name = "remote" }, PAGE_LEVELS },
	{ { .name = "tlb_miss" }, PAGE_TRANSLATION },
	{ { .name = "tlb_walk" }, PAGE_TRANSLATION },
	{ { .name = "miss_buffer_allocated" }, PAGE_TRANSLATION },
	{ { .name = "fill_buffer_full" }, PAGE_TRANSLATION },
	{ { .name = "misaligned" }, PAGE_TRANSLATION },
};
#define OWN (sizeof(own) / sizeof(own[0]))

static void add_column(struct by *by, const struct by_column *column)
{
	struct by_column *added = &by->columns[by->column_count];

	if (by->column_count == BY_COLUMNS_HELD)
		return;
	if (column->title)
		*added = *column;
	else if (!by_find_column(column->name, strlen(column->name), added))
		return;
	added->figure = BY_IS;
	added->flag = by->flags++;
	by->column_count++;
}

void type_page_choose_columns(struct by *by)
{
	by->column_count = by->flags = 0;
	by->sort = (struct by_column){ .name = "samples", .figure = BY_SAMPLES };
	for (size_t n = 0; n < OWN; n++)
		add_column(by, &own[n].column);
	for (uint64_t level = 0; level < 32; level++) {
		const char *name = precis_type_value_name(PRECIS_TYPE_MEM_LEVEL, level);

		if (name)
			add_column(by, &(struct by_column){ .name = name });
	}
}

enum page_part type_page_part(const struct by_column *column)
{
	for (size_t n = 0; n < OWN; n++) {
		if (strcmp(own[n].column.name, column->name) == 0)
			return own[n].part;
	}
	return PAGE_LEVELS;
}

int type_page_latency(uint32_t n)
{
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		if (by_is_latency(field) && n-- == 0)
			return (int)field;
	}
	return -1;
}

/* --- samples --- */

/* Pages have columns, and latencies; reports count samples alone. */
struct type_tally *type_page_have_tally(const struct by *by, struct by_event *event,
					const struct type_shape *shape)
{
	const int is_page = by->request->annotated.type != NULL;
	uint32_t latencies = 0;
	struct type_tally **more;

	for (uint32_t n = 0; n < event->type_count; n++) {
		if (event->types[n]->shape == shape)
			return event->types[n];
	}
	more = realloc(event->types, (event->type_count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	event->types = more;
	while (is_page && latencies < TALLY_LATENCIES_MOST && type_page_latency(latencies) >= 0)
		latencies++;
	more[event->type_count] = member_tally_new(shape, is_page ? by->flags : 0, latencies);
	return more[event->type_count] ? more[event->type_count++] : NULL;
}

static int is_asked(struct by *by, const struct by_value *key)
{
	const struct by_annotated *asked = &by->request->annotated;
	struct name *name;

	if (key->b == BY_ABSENT || !key->a)
		return 0;
	name = &by->names.list[key->a - 1];
	if (!name->asked)
		name->asked = asked_is_type(asked, name->text) ? 2 : 1;
	return name->asked == 2 && asked_is_in_file(asked, by->typed.file);
}

/* Fields beyond word 0 read as all ones where they are absent. */
static int has(const struct sample_batch *batch, uint32_t row, uint32_t field)
{
	if (!batch->column[field])
		return 0;
	return field < 64 ? batch_has(batch, row, (enum precis_field)field)
			  : batch->column[field][row] != UINT64_MAX;
}

static void read_sample(struct by *by, const struct sample_batch *batch, uint32_t row,
			struct tally_sample *sample)
{
	const struct by_class *is = &by->classes[batch_note(batch, row) - 1];
	int field;

	sample->weight = batch_weight(batch, row);
	sample->weighted = weighted_of(1, sample->weight);
	sample->is = is->is;
	sample->has_thread = has(batch, row, PRECIS_FIELD_TID);
	if (sample->has_thread)
		sample->thread = (uint32_t)batch->column[PRECIS_FIELD_TID][row];
	for (uint32_t n = 0; n < TALLY_LATENCIES_MOST && (field = type_page_latency(n)) >= 0; n++) {
		if (!has(batch, row, (uint32_t)field))
			continue;
		sample->latencies |= 1u << n;
		sample->values[n] = batch->column[field][row];
	}
}

int type_page_add(struct by *by, struct by_event *event, const struct sample_batch *batch, uint32_t row,
		  const struct by_value *key)
{
	const struct page_place place = { by->typed.file, by->typed.type, by->typed.offset };
	struct tally_sample sample = { .weight = 0 };

	if (!is_asked(by, key))
		return 0;
	read_sample(by, batch, row, &sample);
	return type_page_tally(by, event, batch, row, &place, &sample);
}

int type_page_tally(struct by *by, struct by_event *event, const struct sample_batch *batch,
		    uint32_t row, const struct page_place *place, struct tally_sample *sample)
{
	const uint32_t width = batch_has(batch, row, PRECIS_FIELD_ACCESS_BYTES)
				       ? (uint32_t)batch->column[PRECIS_FIELD_ACCESS_BYTES][row]
				       : 0;
	const struct name *function = names_get(&by->names, by_place_of(by, batch, row).symbol);
	uint32_t touched[SHAPE_TOUCHED_MOST];
	const struct type_shape *shape;
	struct type_tally *tally;
	int known;

	sample->start = batch->column[PRECIS_FIELD_ADDR][row] - place->offset;
	sample->function = function ? function->text : NULL;
	known = shapes_find(&by->shapes, place->file, place->type, &shape);
	if (known <= 0) {
		weighted_add(&event->untold_types, &sample->weighted);
		return known;
	}
	tally = type_page_have_tally(by, event, shape);
	if (!tally || precis_data_type_at(place->type, place->offset, width, by->types.paths) ==
			      PRECIS_E_NO_MEMORY)
		return -1;
	return member_tally_add(tally, sample, touched,
				shape_touched(shape, by->types.paths, touched));
}

/* --- several runs --- */

int type_page_merge(struct by *by, struct by_event *event, struct by *others,
		    const struct by_event *other, uint32_t recording)
{
	weighted_add(&event->untold_types, &other->untold_types);
	for (uint32_t n = 0; n < other->type_count; n++) {
		const struct type_shape *shape =
			shapes_take(&by->shapes, &others->shapes, other->types[n]->shape);
		struct type_tally *tally;

		if (!shape) {
			weighted_add(&event->untold_types, &member_tally_whole(other->types[n])->samples);
			continue;
		}
		tally = type_page_have_tally(by, event, shape);
		if (!tally || member_tally_merge(tally, other->types[n], recording) < 0)
			return -1;
	}
	return 0;
}

void type_page_free_event(const struct by_event *event)
{
	for (uint32_t n = 0; n < event->type_count; n++)
		member_tally_free(event->types[n]);
	free(event->types);
}

int type_page_is_there(const struct by *by)
{
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < by->own.count[kind]; n++) {
			if (by->own.list[kind][n].type_count)
				return 1;
		}
	}
	return 0;
}
