/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precis dump: what its formats get, and the tables of formats. A format knows
 * no field by name: columns say what each is made of.
 */
#ifndef DUMP_H
#define DUMP_H

#include <precis/precis.h>

#include "columns.h"
#include "output.h"
#include "register_view.h"

struct dump {
	struct output output;
	const struct precis_file *file;
	struct columns columns;
	int reasons; /* 1: say why a field is absent */
	struct register_view registers; /* of --registers */
};

struct dump_format {
	const char *name;
	void (*begin)(struct dump *dump);
	void (*sample)(struct dump *dump, const struct precis_sample *sample);
	void (*end)(struct dump *dump);
};

/* NULL if there is none of that name. */
const struct dump_format *dump_sample_format(const char *name);
const struct dump_format *dump_register_format(const char *name);

/* The formats. Those of registers put the same cells first. */
void dump_text_begin(struct dump *dump);
void dump_text_cells(struct dump *dump, const struct precis_sample *sample);
void dump_text_sample(struct dump *dump, const struct precis_sample *sample);
void dump_csv_begin(struct dump *dump);
void dump_csv_header(struct dump *dump);
void dump_csv_cells(struct dump *dump, const struct precis_sample *sample);
void dump_csv_sample(struct dump *dump, const struct precis_sample *sample);
void dump_json_begin(struct dump *dump);
void dump_json_cells(struct dump *dump, const struct precis_sample *sample);
void dump_json_sample(struct dump *dump, const struct precis_sample *sample);
void dump_registers_text(struct dump *dump, const struct precis_sample *sample);
void dump_registers_csv_begin(struct dump *dump);
void dump_registers_csv(struct dump *dump, const struct precis_sample *sample);
void dump_registers_json(struct dump *dump, const struct precis_sample *sample);

/* The name of a sample's event, which is present in it. */
static inline const char *dump_event_name(const struct dump *dump, uint64_t index)
{
	return precis_file_event(dump->file, (uint32_t)index)->name;
}

#define DUMP_REASON_ROOM 256

/* As much of a reason's detail as has room: none is longer. */
static inline char *dump_put_clamped(char *at, const char *text)
{
	size_t length = strlen(text);

	return put_bytes(at, text, length < DUMP_REASON_ROOM ? length : DUMP_REASON_ROOM);
}

/* Room for 'count' cells. */
static inline char *dump_room(struct dump *dump, uint32_t count)
{
	size_t cell = COLUMN_ROOM + (dump->reasons ? DUMP_REASON_ROOM : 0);

	return output_room(&dump->output, (size_t)(count + 1) * cell);
}

#endif
