/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precis dump: what its formats get, and the tables of formats. A format knows
 * no field by name: columns say what each is made of.
 */
#ifndef DUMP_H
#define DUMP_H

#include <precis/precis.h>

#include "columns.h"
#include "command/recording/recording.h"
#include "command/recording/selection.h"
#include "command/symbols/filter_names.h"
#include "document/output.h"
#include "pebs_groups.h"
#include "record_types.h"
#include "register_view.h"

struct pebs_walk;
struct faults;

struct dump {
	struct output output;
	struct recording *recording; /* of a dump of a PEBS buffer a name alone */
	struct pebs_walk *walk; /* through such a dump; NULL: it is a perf.data */
	struct precis_input *input; /* of either */
	struct precis_file *file; /* NULL of a dump of a PEBS buffer */
	const struct dump_format *format;
	struct record_types types; /* that are printed */
	struct columns columns;
	uint64_t wanted[PRECIS_FIELD_WORDS]; /* fields that samples are decoded for */
	struct parts parts;
	struct filter_names names; /* that the filter asks for */
	const struct precis_record *record; /* that is being printed */
	int reasons; /* 1: say why a field is absent */
	struct register_view registers; /* of --registers */
	struct pebs_groups *pebs_groups; /* likewise of PEBS records; NULL: not wanted */
	int is_stopped; /* 1: the format cannot go on, and has said why */
};

/* Read the recording and print what is selected, at most 'max' lines. An exit code. */
int dump_read(struct dump *dump, const struct selection *selection, uint64_t max);

/* After the last sample, on stderr: what could not be read, what was lost. An exit code. */
int dump_say_what_is_missing(const struct dump *dump, struct faults *faults);

/* The same of whatever is read, without a word on what could not be. */
void dump_print_items(struct dump *dump, const struct selection *selection, uint64_t max,
		      struct faults *faults);

struct dump_format {
	const char *name;
	void (*begin)(struct dump *dump);
	void (*sample)(struct dump *dump, const struct precis_sample *sample);
	void (*end)(struct dump *dump);
	/* A record other than a sample; NULL: they are not printed. 0, or enum precis_error */
	int (*record)(struct dump *dump, const struct precis_record *record);
};

/* NULL if there is none of that name. */
const struct dump_format *dump_sample_format(const char *name);
const struct dump_format *dump_register_format(const char *name);
const struct dump_format *dump_record_format(const char *name);
const struct dump_format *dump_pebs_format(const char *name); /* of --registers */

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
/* Before a member behind the cells, of which there may be none. */
void dump_json_comma(struct dump *dump);
void dump_json_sample(struct dump *dump, const struct precis_sample *sample);
void dump_registers_text(struct dump *dump, const struct precis_sample *sample);
void dump_registers_csv_begin(struct dump *dump);
void dump_registers_csv(struct dump *dump, const struct precis_sample *sample);
void dump_registers_json(struct dump *dump, const struct precis_sample *sample);
void dump_pebs_text(struct dump *dump, const struct precis_sample *sample);
void dump_pebs_csv_begin(struct dump *dump);
void dump_pebs_csv(struct dump *dump, const struct precis_sample *sample);
void dump_pebs_json(struct dump *dump, const struct precis_sample *sample);
int dump_record_text(struct dump *dump, const struct precis_record *record);
void dump_record_sample_text(struct dump *dump, const struct precis_sample *sample);
int dump_record_json(struct dump *dump, const struct precis_record *record);
void dump_record_sample_json(struct dump *dump, const struct precis_sample *sample);

/*
 * Has the sample a value for that column? The formats are compiled twice, with and
 * without parts: fields alone are printed by the million, and any question more is felt.
 */
static inline int dump_has(struct dump *dump, const struct column *column,
			   const struct precis_sample *sample, int with_parts)
{
	struct part_absence unused;

	if (with_parts && column->kind == COLUMN_PART)
		return !part_is_absent(&dump->parts, (enum part)column->field, &unused);
	return precis_fields_have(sample->present, column->field);
}

/* Why a sample has no value in that column. */
void dump_why(struct dump *dump, const struct column *column, const struct precis_sample *sample,
	      struct part_absence *why);

/*
 * Put what column n says where column_is_long(). The cells from 'start' to 'at' come
 * before it. @return room for those behind it
 */
char *dump_put_long(struct dump *dump, uint32_t n, const struct precis_sample *sample,
		    enum value_form form, const char *start, const char *at);

#define DUMP_CELLS static inline __attribute__((always_inline)) void
/* cold: its copy of what prints numbers does not keep that of the other from being inlined */
#define DUMP_CELLS_WITH_PARTS static __attribute__((noinline, cold)) void

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
