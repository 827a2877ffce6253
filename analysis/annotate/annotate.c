/* SPDX-License-Identifier: BSD-3-Clause */
/* What is counted is analysis/by's, by symbol and instruction; here is how that stands beside code. */
#include "annotate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/by/figures.h"
#include "analysis/by/tables.h"
#include "analysis/mix/columns.h"
#include "analysis/mix/executions.h"
#include "analysis/model/absences.h"
#include "asked.h"
#include "exactness.h"
#include "functions.h"
#include "jumps.h"

#define CONTEXT_UNLESS_SHORT 10u /* of functions of more instructions than: */
#define SHORT_FUNCTION 4096u
#define LISTED_MOST 65536u
/* Functions of which a source line has instructions; candidates that are told */
#define LINE_FUNCTIONS_MOST 10u
#define CANDIDATES_MOST 20u

/* perf's: red from 5% on, green from 0.5% on */
#define HOT 0.05
#define WARM 0.005

/* --- columns --- */

enum { COLUMN_SAMPLES, COLUMN_SHARE, COLUMN_MEAN, COLUMN_MEASURED, COLUMN_FLAGS };

static const struct by_column usual[COLUMN_FLAGS] = {
	[COLUMN_SAMPLES] = { .name = "samples", .figure = BY_SAMPLES },
	[COLUMN_SHARE] = { .name = "share", .figure = BY_SHARE },
	[COLUMN_MEAN] = { .name = "mean", .figure = BY_MEAN },
	[COLUMN_MEASURED] = { .name = "n", .figure = BY_N },
};

/* Beside the levels of the memory */
static const struct {
	const char *field, *name;
} flags[] = {
	{ "branch_taken", "taken" },
	{ "branch_mispredicted", "mispredicted" },
	{ "ip_exact", "exact" },
};
#define FLAGS (sizeof(flags) / sizeof(flags[0]))

static void add_flag(struct by *by, const char *column, const char *name)
{
	struct by_column *added = &by->columns[by->column_count];

	if (by->column_count == BY_COLUMNS_MOST ||
	    !by_find_column(column, strlen(column), added))
		return;
	added->name = name;
	added->flag = by->flags++;
	by->column_count++;
}

void annotate_choose_columns(struct by *by)
{
	memcpy(by->columns, usual, sizeof(usual));
	by->column_count = COLUMN_FLAGS;
	by->flags = 0;
	by->sort = usual[COLUMN_SAMPLES];
	for (size_t n = 0; n < FLAGS; n++)
		add_flag(by, flags[n].field, flags[n].name);
	for (uint64_t level = 0; level < 32; level++) {
		const char *name = precis_type_value_name(PRECIS_TYPE_MEM_LEVEL, level);

		if (name)
			add_flag(by, name, name);
	}
}

/* The flag of a name; NULL: it is not counted */
static const struct flag *flag_of(const struct by *by, const struct by_row *row, const char *name)
{
	for (uint32_t n = COLUMN_FLAGS; n < by->column_count; n++) {
		if (strcmp(by->columns[n].name, name) == 0)
			return &row->is[by->columns[n].flag];
	}
	return NULL;
}

int annotate_wants(struct by *by, const struct by_value *key)
{
	const struct by_annotated *asked = &by->request->annotated;
	struct name *name;

	if (!asked->symbol)
		return 1;
	if (key->b == BY_ABSENT || !key->a)
		return 0;
	name = &by->names.list[key->a - 1];
	/* in which file is asked when all is read: a name may be of several */
	if (!name->asked)
		name->asked = asked_is_function(asked, name->text, NULL) ? 2 : 1;
	return name->asked == 2;
}

/* --- one listing --- */

struct listing {
	struct document *document;
	const struct by *by;
	const struct by_event *event;
	const struct annotated_function *function;
	struct annotated_code code;
	struct jumps jumps;
	char *file;  /* of the line told last */
	uint32_t line;
	uint32_t hidden; /* instructions since the last one that is shown */
	int has_lines, has_sources, lacks_sources;
	enum precis_symbol_absent lines_absent;
	const struct code_text *text; /* where executions are asked for */
	int has_executions;
	const char *no_executions; /* why an instruction has none */
};

#define LISTING(executions, missed, mean, n)                                                                 \
	{                                                                                          \
		{ "samples", "samples", 0 }, { "missed_most", missed, 0 },                         \
		{ "share", "share [95% CI]", 0 }, MIX_SUM_COLUMNS("executions", executions),       \
		{ "mean", mean, 0 }, { "mean_low", NULL, 0 },                                      \
		{ "mean_high", NULL, 0 }, { "n", n, COLUMN_N },                                    \
		{ NULL, "", COLUMN_LEFT }, { "instruction", "instruction", COLUMN_LEFT },          \
		{ "shares", "", COLUMN_LEFT }, { "offset", NULL, 0 }, { "length", NULL, 0 },       \
		{ "loads", NULL, 0 }, { "stores", NULL, 0 }, { "jump", NULL, COLUMN_LEFT },        \
		{ "target", NULL, 0 }, { "loops", NULL, 0 }, { "file", NULL, COLUMN_LEFT },        \
		{ "line", NULL, 0 }, { "source", NULL, COLUMN_LEFT },                              \
	}

#define LISTINGS(executions)                                                                       \
	{                                                                                          \
		{ LISTING(executions, NULL, NULL, NULL), LISTING(executions, NULL, "mean", "n") }, \
		{                                                                                  \
			LISTING(executions, "missed<=", NULL, NULL),                               \
				LISTING(executions, "missed<=", "mean", "n")                       \
		}                                                                                  \
	}

static const struct column listing_columns[2][2][2][23] = { LISTINGS(NULL),
							    LISTINGS("executions [95% CI]") };

static const char *const listing_names[EVENT_KINDS] = {
	[PRECIS_EVENT_OTHER] = "annotate_other", [PRECIS_EVENT_IBS_OP] = "annotate_ops",
	[PRECIS_EVENT_IBS_FETCH] = "annotate_fetches", [PRECIS_EVENT_PEBS] = "annotate_pebs",
};

/* What is shown: near samples, or of the line that was asked for. */
static void choose_shown(struct listing *listing)
{
	const struct by_annotated *asked = &listing->by->request->annotated;
	struct annotated_code *code = &listing->code;
	uint32_t context = asked->has_context ? asked->context :
			   code->count > SHORT_FUNCTION ? CONTEXT_UNLESS_SHORT : UINT32_MAX;
	uint32_t left = 0, shown = 0;

	for (uint32_t n = 0; n < code->count; n++) {
		code->list[n].is_shown = code->list[n].row || left || context == UINT32_MAX;
		left = code->list[n].row ? context : left - (left > 0);
	}
	left = 0;
	for (uint32_t n = code->count; n > 0; n--) {
		code->list[n - 1].is_shown |= left > 0;
		left = code->list[n - 1].row ? context : left - (left > 0);
	}
	for (uint32_t n = 0; n < code->count; n++) {
		struct annotated_instruction *instruction = &code->list[n];

		if (asked->file)
			instruction->is_shown = (uint8_t)function_has_line(
				listing->by, listing->function->object, instruction->offset);
		instruction->is_shown &= shown < LISTED_MOST;
		shown += instruction->is_shown;
	}
}

/* --- its source lines --- */

static int find_line(struct listing *listing, const struct annotated_instruction *instruction,
		     struct precis_line *line)
{
	struct precis_location location = listing->code.location;

	location.offset = instruction->offset;
	*line = (struct precis_line){ .size = sizeof(*line), .absent = PRECIS_SYMBOL_NOT_ASKED };
	if (listing->code.reads_files &&
	    precis_symbols_line(listing->code.symbols, &location, line) > 0) {
		listing->has_lines = 1;
		return 1;
	}
	listing->lines_absent = (enum precis_symbol_absent)line->absent;
	return 0;
}

static const char *source_of(struct listing *listing, const struct precis_line *line)
{
	const struct by_annotated *asked = &listing->by->request->annotated;
	struct precis_bytes id = { NULL, 0 };
	const char *text;

	precis_symbols_build_id(listing->code.symbols, &listing->code.location, &id);
	text = asked->source ? asked->source(asked->source_data, id, line->file, line->number) : NULL;
	*(text ? &listing->has_sources : &listing->lacks_sources) = 1;
	return text;
}

/* Above the row where it changes, and where something was left out */
static void add_heading(struct listing *listing, const struct precis_line *line, const char *source)
{
	const int is_new = line && (!listing->file || line->number != listing->line ||
				    strcmp(line->file, listing->file) != 0);
	char gap[64] = "";

	if (listing->hidden)
		snprintf(gap, sizeof(gap), "(%" PRIu32 " instructions left out) ", listing->hidden);
	listing->hidden = 0;
	if (!is_new) {
		if (*gap)
			row_heading(listing->document, "%s", gap);
		return;
	}
	row_heading(listing->document, "%s%s:%" PRIu32 "%s%s", gap, model_file_of(line->file),
		    line->number, source && *source ? "  " : "", source ? source : "");
	free(listing->file);
	listing->file = strdup(line->file);
	listing->document->failed |= !listing->file;
	listing->line = line->number;
}

static void cells_line(struct listing *listing, const struct precis_line *line, const char *source)
{
	if (!line) {
		for (uint32_t n = 0; n < 3; n++)
			cell_absent(listing->document);
		return;
	}
	cell_text(listing->document, "%s", line->file);
	cell_count(listing->document, line->number);
	if (source)
		cell_text(listing->document, "%s", source);
	else
		cell_absent(listing->document);
}

/* --- its figures --- */

/* Code that is in no file is not found by where it is listed. */
static const char *why_none(const struct listing *listing, const char *why)
{
	const int has_code = listing->text || listing->code.byte_count;

	return has_code ? why : precis_symbol_absent_text(listing->code.code.absent);
}

/* @return 0: it is not known how many there were */
static int cells_executions(struct listing *listing, const struct annotated_instruction *instruction)
{
	const struct by_annotated *asked = &listing->by->request->annotated;
	const char *why = asked->no_executions;
	struct mix_figure figure;

	if (!asked->executions || instruction->is_inside ||
	    !mix_executions_at(asked->executions, listing->text, instruction->offset, &figure, &why)) {
		why = asked->executions ? why_none(listing, why) : why;
		cell_absent(listing->document);
		cell_why_absent(listing->document,
				instruction->is_inside ? "inside the instruction before" : why);
		cell_absent(listing->document);
		cell_absent(listing->document);
		listing->no_executions = instruction->is_inside ? listing->no_executions : why;
		return 0;
	}
	listing->has_executions = 1;
	mix_cells_sum(listing->document, figure, 0, 1);
	return 1;
}

static void cells_figures(struct listing *listing, const struct annotated_instruction *instruction)
{
	const struct by_row *row = instruction->row;
	static const struct weighted none;
	const struct by_row *total = listing->event->total;
	const struct by_figures_of of = { .row = row };
	struct document *document = listing->document;

	cell_count(document, row ? row->samples.samples : 0);
	by_cell_missed(document, total, row ? row->missed : listing->event->rows[1].floor);
	cell_share(document, row ? &row->samples : &none, &listing->function->row->samples);
	/* Text leaves a row free in which nothing is known. */
	if (cells_executions(listing, instruction) && !row)
		row_heat(document, 0);
	for (uint32_t n = COLUMN_MEAN; n <= COLUMN_MEASURED; n++) {
		if (row)
			by_cells(document, listing->by, 0, total, &listing->by->columns[n], &of, NULL);
	}
	for (uint32_t n = 0; !row && n < 4; n++)
		cell_absent(document);
}

static void append_share(char *text, size_t room, const char *name, const struct flag *flag,
			 struct confidence confidence)
{
	const struct interval interval = weighted_interval_at(&flag->yes, &flag->known, confidence);
	const size_t used = strlen(text);
	int is_few = !weighted_are_counted(&flag->known) &&
		     weighted_effective(&flag->known) < WEIGHTED_FEWEST;
	int more = snprintf(text + used, room - used, "%s%s %.1f%%", used ? ", " : "", name,
			    100 * weighted_share(&flag->yes, &flag->known));

	if (more < 0 || (size_t)more >= room - used)
		return;
	if (isnan(confidence.effect))
		snprintf(text + used + more, room - used - (size_t)more, " [in step]");
	else if (is_few)
		snprintf(text + used + more, room - used - (size_t)more, " [too few]");
	else
		snprintf(text + used + more, room - used - (size_t)more, " [%.1f,%.1f]",
			 100 * interval.low, 100 * interval.high);
}

/* A level that none of its samples has is not told; of branches either outcome is. */
static int is_told(const struct by_column *column, const struct flag *flag)
{
	return flag->known.samples &&
	       (column->field != PRECIS_FIELD_MEM_LEVEL || flag->yes.samples) &&
	       column->field != PRECIS_FIELD_IP_EXACT;
}

static void cell_shares(struct listing *listing, const struct by_row *row)
{
	const struct by *by = listing->by;
	char text[1024] = "";

	for (uint32_t n = COLUMN_FLAGS; row && n < by->column_count; n++) {
		if (is_told(&by->columns[n], &row->is[by->columns[n].flag]))
			append_share(text, sizeof(text), by->columns[n].name,
				     &row->is[by->columns[n].flag], document_confidence(listing->document));
	}
	if (!*text) {
		cell_absent(listing->document);
		return;
	}
	cell_text(listing->document, "%s", text);
	for (uint32_t n = COLUMN_FLAGS; n < by->column_count; n++) {
		const struct flag *flag = &row->is[by->columns[n].flag];

		if (is_told(&by->columns[n], flag))
			member_share(listing->document, by->columns[n].name, &flag->yes, &flag->known,
				     0);
	}
}

/* --- its instructions --- */

/* What is called, or jumped to outside: its name; to be freed. NULL: it has none */
static char *target_name(const struct listing *listing,
			 const struct annotated_instruction *instruction)
{
	const struct annotated_code *code = &listing->code;
	struct precis_location location = code->location;
	char *readable = NULL, *text = NULL;
	char room[32] = "";

	if (!(instruction->does & PRECIS_CODE_TARGET) || annotated_find(code, instruction->target))
		return NULL;
	location.offset += instruction->target - code->code.address;
	if (precis_symbols_name(code->symbols, &location) <= 0)
		return NULL;
	if (listing->by->about->demangle)
		readable = listing->by->about->demangle(location.symbol);
	if (location.symbol_offset)
		snprintf(room, sizeof(room), "+0x%" PRIx64, location.symbol_offset);
	text = malloc(strlen(readable ? readable : location.symbol) + sizeof(room));
	if (text)
		sprintf(text, "%s%s", readable ? readable : location.symbol, room);
	listing->document->failed |= !text;
	free(readable);
	return text;
}

static void cell_instruction(struct listing *listing,
			     const struct annotated_instruction *instruction)
{
	char text[PRECIS_CODE_TEXT], *name;

	if (instruction->is_inside) {
		cell_absent(listing->document);
		cell_why_absent(listing->document, "inside the instruction before");
		return;
	}
	if (!instruction->length) {
		cell_absent(listing->document);
		cell_why_absent(listing->document,
				!precis_code_available() ? "this build of precis decodes no instructions" :
				listing->code.byte_count ? "no instruction" : "code not found");
		return;
	}
	annotated_text(&listing->code, instruction, listing->by->request->annotated.syntax, text);
	name = target_name(listing, instruction);
	if (name)
		cell_text(listing->document, "%s <%s>", text, name);
	else
		cell_text(listing->document, "%s", text);
	free(name);
}

static void cells_decoded(struct listing *listing, const struct annotated_instruction *instruction)
{
	struct document *document = listing->document;
	const char *way = jump_way(&listing->code, instruction);

	cell_address(document, instruction->offset);
	if (!instruction->length) {
		for (uint32_t n = 0; n < 6; n++)
			cell_absent(document);
		return;
	}
	cell_count(document, instruction->length);
	cell_bool(document, (instruction->does & PRECIS_CODE_LOADS) != 0);
	cell_bool(document, (instruction->does & PRECIS_CODE_STORES) != 0);
	if (way)
		cell_text(document, "%s", way);
	else
		cell_absent(document);
	if (instruction->does & PRECIS_CODE_TARGET)
		cell_address(document, instruction->target);
	else
		cell_absent(document);
	if (listing->code.is_sparse)
		cell_absent(document);
	else
		cell_count(document, instruction->loops);
}

static int heat_of(const struct listing *listing, const struct by_row *row)
{
	double share;

	if (!row)
		return -1;
	share = weighted_share(&row->samples, &listing->function->row->samples);
	return share >= HOT ? 2 : share >= WARM;
}

static void add_instruction(struct listing *listing, uint32_t n)
{
	const struct annotated_instruction *instruction = &listing->code.list[n];
	struct precis_line line;
	int has_line = find_line(listing, instruction, &line);
	const char *source = has_line ? source_of(listing, &line) : NULL;

	row_begin(listing->document, "0x%" PRIx64,
		  annotated_address(&listing->code, instruction->offset));
	add_heading(listing, has_line ? &line : NULL, source);
	row_heat(listing->document, heat_of(listing, instruction->row));
	cells_figures(listing, instruction);
	cell_text(listing->document, "%s", jumps_text(&listing->jumps, n));
	cell_instruction(listing, instruction);
	cell_shares(listing, instruction->row);
	cells_decoded(listing, instruction);
	cells_line(listing, has_line ? &line : NULL, source);
}

/* --- notes --- */

static void note_exactness(const struct listing *listing, uint32_t kind, uint32_t place)
{
	const struct by *by = listing->by;
	const struct flag *exact = flag_of(by, listing->function->row, "exact");
	const struct event_places *places = by->about->events[kind];
	const struct precis_event *event =
		place ? recordings_event(by->about->recordings, places->number[place - 1]) : NULL;

	table_note(listing->document, "%s", exactness_of(kind, event)->text);
	if (exact && exact->known.samples && kind != PRECIS_EVENT_IBS_FETCH)
		table_note(listing->document,
			   "the kernel says of %" PRIu64 " of %" PRIu64
			   " samples that their address is exact",
			   exact->yes.samples, exact->known.samples);
}

static void note_code(const struct listing *listing)
{
	const struct annotated_code *code = &listing->code;
	struct document *document = listing->document;
	const char *file = model_file_of(listing->function->object->text);

	if (!code->byte_count)
		table_note(document, "no disassembly: %s: %s; addresses are offsets in it", file,
			   precis_symbol_absent_text(code->code.absent));
	else if (!precis_code_available())
		table_note(document, "no disassembly: this build of precis has no Zydis");
	else if (!code->code.bits)
		table_note(document, "no disassembly: %s is not for x86", file);
	else if (!code->is_sparse && code->byte_count < code->end - code->location.offset)
		table_note(document, "%s has only %" PRIu32 " of the function's %" PRIu64 " bytes", file,
			   code->byte_count, code->end - code->location.offset);
	if (code->is_sparse)
		table_note(document, "where the function begins and ends is not known: what has no "
				     "sample is not listed");
}

static void note_lines(const struct listing *listing)
{
	struct document *document = listing->document;

	if (!listing->has_lines)
		table_note(document, "no source lines: %s",
			   precis_symbol_absent_text(listing->lines_absent));
	else if (listing->lacks_sources)
		table_note(document, "%s: see --source-path", listing->has_sources ?
			   "some source files were not found" : "source files were not found");
}

static void note_executions(const struct listing *listing)
{
	if (listing->has_executions)
		table_note(listing->document, "executions: estimated from all of the recording that tells "
					      "of them, as by precis mix; with 95%% intervals");
	else if (listing->no_executions)
		table_note(listing->document, "no executions: %s", listing->no_executions);
}

static void add_notes(const struct listing *listing, uint32_t kind, uint32_t place)
{
	const struct annotated_function *function = listing->function;
	const struct by_row *total = listing->event->total;
	int latency = by_event_latency(listing->by, listing->event, kind);

	table_note(listing->document,
		   "%" PRIu64 " samples of the function's, %.2f%% of all %" PRIu64
		   "; shares are of the function's",
		   function->row->samples.samples,
		   100 * weighted_share(&function->row->samples, &total->samples),
		   total->samples.samples);
	note_exactness(listing, kind, place);
	if (latency >= 0)
		table_note(listing->document, "mean: cycles of %s, of n samples",
			   precis_field_name((uint32_t)latency));
	note_executions(listing);
	note_code(listing);
	note_lines(listing);
	if (listing->hidden)
		table_note(listing->document, "%" PRIu32 " instructions behind that are left out",
			   listing->hidden);
	by_note_gaps(listing->document, listing->by);
}

/* --- functions --- */

static int open_code(struct listing *listing)
{
	const struct annotated_function *function = listing->function;
	const struct precis_location location = {
		.size = sizeof(location),
		.cpumode = function->object->cpumode,
		.object = function->object->object,
		.offset = function->rows[0]->key[1].b,
	};

	if (annotated_code_open(&listing->code, function->object->symbols, &location, function->rows,
				function->count, listing->by->about->symbols != NULL) < 0)
		return -1;
	choose_shown(listing);
	if (listing->by->request->annotated.executions)
		listing->text = mix_executions_text(listing->by->request->annotated.executions,
						    function->object->symbols, &listing->code.location);
	return jumps_open(&listing->jumps, &listing->code);
}

static void add_listing(struct document *document, const struct by *by, uint32_t kind, uint32_t place,
			const struct annotated_function *function, uint32_t number)
{
	const struct by_event *event = &by->own.list[kind][place];
	struct listing listing = { .document = document, .by = by, .event = event,
				   .function = function };
	const struct column *columns = listing_columns[by->request->annotated.executions != NULL]
						      [event->rows[1].dropped != 0]
						      [by_event_latency(by, event, kind) >= 0];

	table_begin(document, listing_names[kind], "", "address", columns,
		    sizeof(listing_columns[0][0][0]) / sizeof(columns[0]));
	table_titled(document, "%s (%s)", function->name ? function->name : "no symbol",
		     model_file_of(function->object->text));
	by_table_of(document, by, kind, place);
	if (number > 1)
		table_numbered(document, number, ", function");
	table_is_listing(document);
	if (open_code(&listing) < 0) {
		document->failed = 1;
	} else {
		for (uint32_t n = 0; n < listing.code.count; n++) {
			if (listing.code.list[n].is_shown)
				add_instruction(&listing, n);
			else
				listing.hidden++;
		}
		add_notes(&listing, kind, place);
	}
	free(listing.file);
	jumps_free(&listing.jumps);
	annotated_code_free(&listing.code);
}

#define FUNCTIONS(missed)                                                                          \
	{                                                                                          \
		{ "samples", "samples", 0 }, { "missed_most", missed, 0 },                         \
		{ "share", "share [95% CI]", 0 }, { "is_listed", NULL, 0 },                        \
		{ "addresses", "addresses", COLUMN_LEFT }, { "function", "function", COLUMN_LEFT },\
		{ "object", NULL, COLUMN_LEFT },                                                   \
	}

/* Of all functions, or the heavier ones */
static const struct column function_columns[2][7] = { FUNCTIONS(NULL), FUNCTIONS("missed<=") };

static const struct {
	const char *name, *of; /* of samples of no event of their own */
} candidates[EVENT_KINDS] = {
	[PRECIS_EVENT_OTHER] = { "functions_other", "other events" },
	[PRECIS_EVENT_IBS_OP] = { "functions_ops", "ops" },
	[PRECIS_EVENT_IBS_FETCH] = { "functions_fetches", "fetches" },
	[PRECIS_EVENT_PEBS] = { "functions_pebs", "PEBS" },
};

static void note_placeless(struct document *document, const struct by_event *event)
{
	uint64_t samples = 0;

	for (uint32_t n = 0; n < event->rows[0].count; n++) {
		const struct by_row *row = by_row(&event->rows[0], n);

		samples += row->key[0].b == BY_ABSENT ? row->samples.samples : 0;
	}
	if (samples)
		table_note(document, "%" PRIu64 " samples have no address of their own: they are in no "
				     "function here", samples);
}

/* Of a line what its instructions that had to go can have had is not known. */
static void cell_function_missed(struct document *document, const struct by *by,
				 const struct by_event *event,
				 const struct annotated_function *function)
{
	if (by->request->annotated.file && event->rows[1].dropped)
		cell_absent(document);
	else
		by_cell_missed(document, event->total, function->row->missed);
}

static void note_others(struct document *document, const struct by *by,
			const struct by_event *event, const struct annotated_functions *functions,
			uint32_t told)
{
	const uint32_t others = functions->count - told + functions->without_rows;
	const int is_dropped = event->rows[0].dropped != 0;

	if (others || is_dropped)
		table_note(document, "and %s%" PRIu32 " others", is_dropped ? "more than " : "", others);
	if (by->request->annotated.file && event->rows[1].dropped)
		table_note(document, "there are more instructions than are counted at once: those of "
				     "the line that weigh little are missing");
}

static void add_candidates(struct document *document, const struct by *by, uint32_t kind,
			   uint32_t place, const struct annotated_functions *functions,
			   uint32_t listed)
{
	const uint32_t most = listed > CANDIDATES_MOST ? listed : CANDIDATES_MOST;
	const uint32_t told = functions->count < most ? functions->count : most;
	const struct by_event *event = &by->own.list[kind][place];
	const struct event_places *places = by->about->events[kind];
	const struct precis_event *of =
		place ? recordings_event(by->about->recordings, places->number[place - 1]) : NULL;
	const struct column *columns =
		function_columns[event->rows[by->request->annotated.file != NULL].dropped != 0];

	table_begin(document, candidates[kind].name, "", "", columns,
		    sizeof(function_columns[0]) / sizeof(columns[0]));
	table_titled(document, "Functions by samples of %s",
		     of && of->name ? of->name : candidates[kind].of);
	by_table_of(document, by, kind, place);
	for (uint32_t n = 0; n < told; n++) {
		const struct annotated_function *function = &functions->list[n];

		row_begin(document, "%" PRIu32, n + 1);
		cell_count(document, function->samples.samples);
		cell_function_missed(document, by, event, function);
		cell_share(document, &function->samples, &event->total->samples);
		cell_bool(document, n < listed);
		cell_text(document, "%s", exactness_of(kind, of)->name);
		cell_text(document, "%s (%s)%s", function->name ? function->name : "no symbol",
			  model_file_of(function->object->text), n < listed ? ", listed below" : "");
		member_text(document, "name", function->name);
		cell_text(document, "%s", function->object->text);
	}
	note_placeless(document, event);
	note_others(document, by, event, functions, told);
}

/* Of a name one, of a line all, of neither as many as --top says */
static uint32_t count_listed(const struct by *by, uint32_t count)
{
	const struct by_annotated *asked = &by->request->annotated;
	uint32_t most = asked->file ? LINE_FUNCTIONS_MOST : asked->symbol ? 1 : by->about->top;

	return count < most ? count : most;
}

static void add_event(struct document *document, const struct by *by, uint32_t kind, uint32_t place)
{
	struct annotated_functions functions;
	uint32_t listed;

	if (functions_open(&functions, by, &by->own.list[kind][place]) < 0) {
		document->failed = 1;
	} else if (functions.count) {
		listed = count_listed(by, functions.count);
		add_candidates(document, by, kind, place, &functions, listed);
		for (uint32_t n = 0; n < listed; n++)
			add_listing(document, by, kind, place, &functions.list[n], n + 1);
	}
	functions_free(&functions);
}

void annotate_tables(struct document *document, const struct by *by)
{
	by_each_event(document, by, add_event);
}

int annotate_is_there(const struct by *by)
{
	struct annotated_functions functions;
	int is_there = 0;

	for (uint32_t kind = 0; kind < EVENT_KINDS && !is_there; kind++) {
		for (uint32_t n = 0; n < by->own.count[kind] && !is_there; n++) {
			if (!by->own.list[kind][n].total)
				continue;
			is_there = functions_open(&functions, by, &by->own.list[kind][n]) < 0 ||
				   functions.count;
			functions_free(&functions);
		}
	}
	return is_there;
}

void annotate_each_name(const struct by *by, void (*tell)(void *data, const char *name), void *data)
{
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < by->own.count[kind]; n++) {
			const struct by_rows *rows = &by->own.list[kind][n].rows[0];

			for (uint32_t i = 0; i < rows->count; i++) {
				const struct by_value *key = &by_row(rows, i)->key[0];

				if (key->b != BY_ABSENT && key->a)
					tell(data, names_get(&by->names, key->a)->text);
			}
		}
	}
}
