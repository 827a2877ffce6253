/* SPDX-License-Identifier: BSD-3-Clause */
/* See places.h. */
#include "places.h"

#include <stdlib.h>

#include "analysis/model/absences.h"
#include "analysis/model/rows.h"

/* Where recordings are compared files of two builds, in whatever directory, are one by their name. */
static uint32_t object_of(struct by *by, const struct precis_location *location)
{
	const char *object = by->request->runs && location->object ? model_file_of(location->object)
								   : location->object;
	uint32_t number = by_name_of(by, object);
	struct name *name = number ? &by->names.list[number - 1] : NULL;

	if (name && !name->object) {
		name->object = location->object;
		name->symbols = by->model.symbols;
		name->cpumode = location->cpumode;
	}
	return number;
}

static uint32_t symbol_of(struct by *by, struct precis_location *location, uint32_t object)
{
	char *readable = NULL;
	uint32_t number;

	if (!by->about->symbols) /* no file is to be opened */
		return 0;
	if (precis_symbols_name(by->model.symbols, location) <= 0) {
		if (object)
			by->names.list[object - 1].absent = location->symbol_absent;
		return 0;
	}
	if (by->about->demangle)
		readable = by->about->demangle(location->symbol);
	number = by_name_of(by, readable ? readable : location->symbol);
	free(readable);
	return number;
}

static void find_line(struct by *by, const struct precis_location *location, struct by_place *place)
{
	struct precis_line line = { .size = sizeof(line) };

	if (!by->about->symbols || precis_symbols_line(by->model.symbols, location, &line) <= 0)
		return;
	place->file = by_name_of(by, line.file);
	place->line = line.number;
}

static void find_place(struct by *by, struct by_place *place)
{
	struct precis_location location = { .size = sizeof(location) };
	const uint32_t owner = (uint32_t)place->space;
	const uint32_t mode = place->space >> 32 & PRECIS_MISC_CPUMODE_MASK;
	const uint64_t time = model_time(&by->model.processes, owner, place->epoch);

	if (precis_symbols_locate(by->model.symbols, owner, mode, time, place->address,
				  &location) <= 0)
		return;
	/* what is mapped there is known for good only where all records are */
	place->is_known = 1;
	place->object = object_of(by, &location);
	place->offset = location.offset;
	if (by->wants_symbols)
		place->symbol = symbol_of(by, &location, place->object);
	if (by->wants_lines)
		find_line(by, &location, place);
}

struct by_place by_place_at(struct by *by, uint32_t owner, uint32_t epoch, uint32_t mode,
			    uint64_t address)
{
	const uint64_t space = (uint64_t)mode << 32 | owner;
	struct by_place *place;

	place = &by->places[((address ^ space ^ (uint64_t)epoch << 40) *
			     UINT64_C(0x9e3779b97f4a7c15)) >>
			    52];
	_Static_assert(BY_PLACES == 1u << (64 - 52), "a hash of so many bits");
	if (place->is_known && place->space == space && place->epoch == epoch &&
	    place->address == address)
		return *place;
	*place = (struct by_place){ .space = space, .address = address, .epoch = epoch };
	find_place(by, place);
	place->is_known |= by->model.phase == MODEL_COMPLETE;
	return *place;
}

struct by_place by_place_of(struct by *by, const struct sample_batch *batch, uint32_t row)
{
	const uint64_t mode = batch->column[PRECIS_FIELD_CPUMODE][row] & PRECIS_MISC_CPUMODE_MASK;
	uint32_t owner;

	if (!by->model.symbols || !row_owner(batch, row, &owner))
		return (struct by_place){ .is_known = 0 };
	return by_place_at(by, owner, row_epoch(&by->model, batch, row, owner), (uint32_t)mode,
			   batch->column[PRECIS_FIELD_IP][row]);
}
