/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines by address. What is kept of a file is its .debug_line and which program
 * covers which addresses; the rows of a program are made when somebody asks for
 * one of its addresses.
 */
#include "elf_lines.h"

#include <stdlib.h>
#include <string.h>

#include "elf_search.h"
#include "line_program.h"

/* Addresses without a gap, from one part of a program */
struct sequence {
	uint64_t start, end;
	size_t unit; /* offset of its unit in .debug_line */
	size_t program; /* offset of its first opcode */
	struct row *rows; /* NULL: not made */
	uint32_t count; /* of them */
};

struct row {
	uint32_t distance; /* of the address from the sequence's start */
	uint32_t file, line, discriminator;
};

struct elf_lines {
	struct elf_segments segments;
	struct line_bytes lines, strings; /* .debug_line, .debug_line_str */
	struct sequence *sequence; /* sorted */
	size_t count, room;
	size_t bytes; /* that all of it takes */
	size_t row_bytes; /* of these, for rows */
};

static int by_start(const void *a, const void *b)
{
	const struct sequence *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	if (left->end != right->end)
		return left->end > right->end ? -1 : 1;
	return (left->program > right->program) - (left->program < right->program);
}

static int has_room(const struct elf_lines *lines, size_t more)
{
	return more <= LINES_BYTES - lines->bytes;
}

/* What linkers threw away begins where no code is */
static int is_loaded(const struct elf_lines *lines, uint64_t address)
{
	uint64_t offset, back;

	return precis_elf_offset_of(&lines->segments, address, &offset) &&
	       precis_elf_address_of(&lines->segments, offset, &back) && back == address;
}

/* @return 0 if memory is short */
static int add_sequence(struct elf_lines *lines, const struct sequence *sequence)
{
	if (sequence->start >= sequence->end || !is_loaded(lines, sequence->start))
		return 1;
	if (lines->count == lines->room) {
		size_t room = lines->room ? lines->room * 2 : 64;
		size_t more = (room - lines->room) * sizeof(*lines->sequence);
		struct sequence *larger;

		/* The old ones live until they are copied */
		if (!has_room(lines, more + lines->room * sizeof(*lines->sequence)))
			return 0;
		larger = realloc(lines->sequence, room * sizeof(*larger));
		if (!larger)
			return 0;
		lines->sequence = larger;
		lines->room = room;
		lines->bytes += more;
	}
	lines->sequence[lines->count++] = *sequence;
	return 1;
}

/* @return 0 if memory is short */
static int add_unit(struct elf_lines *lines, const struct line_unit *unit, size_t at)
{
	struct sequence sequence = { .unit = at };
	struct line_state state;
	int is_first = 1;

	precis_line_begin(&state, unit->program);
	sequence.program = (size_t)(unit->program.at - lines->lines.at);
	while (precis_line_next(unit, &state)) {
		if (is_first)
			sequence.start = state.address;
		is_first = 0;
		if (!state.is_end)
			continue;
		sequence.end = state.address;
		if (!add_sequence(lines, &sequence))
			return 0;
		precis_line_begin(&state, state.left);
		sequence.program = (size_t)(state.left.at - lines->lines.at);
		is_first = 1;
	}
	return 1;
}

/* None reaches into the next one */
static void sort(struct elf_lines *lines)
{
	size_t i, kept = 0;

	if (lines->count)
		qsort(lines->sequence, lines->count, sizeof(*lines->sequence), by_start);
	for (i = 0; i < lines->count; i++) {
		struct sequence *last = kept ? &lines->sequence[kept - 1] : NULL;

		if (last && last->start == lines->sequence[i].start)
			continue;
		if (last && last->end > lines->sequence[i].start)
			last->end = lines->sequence[i].start;
		lines->sequence[kept++] = lines->sequence[i];
	}
	lines->count = kept;
}

static void read_units(struct elf_lines *lines)
{
	struct line_bytes left = lines->lines;
	struct line_unit unit;
	size_t total;

	do {
		size_t at = (size_t)(left.at - lines->lines.at);

		if (precis_line_unit_parse(left, &unit, &total) && !add_unit(lines, &unit, at))
			break;
		left.at += total;
		left.bytes -= total;
	} while (total > 0);
	sort(lines);
}

/* Keep a section beyond the file. @return 0 if it has none, or memory is short */
static int keep_section(struct elf_lines *lines, const struct elf_source *source, const char *name,
			struct line_bytes *section)
{
	/* Half of it, for it is there twice until the file is closed */
	size_t most = (LINES_BYTES - lines->bytes) / 2;
	Elf_Data *data = precis_elf_debug_data(source, name, most);
	uint8_t *kept = data && data->d_size ? malloc(data->d_size) : NULL;

	if (!kept)
		return 0;
	memcpy(kept, data->d_buf, data->d_size);
	section->at = kept;
	section->bytes = data->d_size;
	lines->bytes += data->d_size;
	return 1;
}

static int read_sections(struct elf_lines *lines, struct elf_search *search)
{
	struct elf_source source;
	int found = 0;

	while (!found && precis_elf_search_next(search, &source)) {
		found = keep_section(lines, &source, ".debug_line", &lines->lines);
		if (found)
			keep_section(lines, &source, ".debug_line_str", &lines->strings);
		precis_elf_close(&source);
	}
	return found;
}

enum precis_symbol_absent precis_elf_lines_read(const struct places *places, const char *name,
						const struct build_id *recorded,
						struct elf_lines **lines)
{
	struct elf_search search;
	enum precis_symbol_absent absent = precis_elf_search_begin(&search, places, name, recorded);

	*lines = NULL;
	if (absent)
		return absent;
	*lines = calloc(1, sizeof(**lines));
	if (*lines) {
		(*lines)->bytes = sizeof(**lines);
		(*lines)->segments = search.segments;
	}
	if (!*lines || !read_sections(*lines, &search)) {
		precis_elf_lines_free(*lines);
		*lines = NULL;
		absent = PRECIS_SYMBOL_NO_DEBUG_INFO;
	}
	precis_elf_search_end(&search);
	if (*lines)
		read_units(*lines);
	return absent;
}

static void free_rows(struct elf_lines *lines)
{
	size_t i;

	for (i = 0; i < lines->count; i++) {
		free(lines->sequence[i].rows);
		lines->sequence[i].rows = NULL;
	}
	lines->bytes -= lines->row_bytes;
	lines->row_bytes = 0;
}

void precis_elf_lines_free(struct elf_lines *lines)
{
	if (!lines)
		return;
	free_rows(lines);
	free((void *)(uintptr_t)lines->lines.at);
	free((void *)(uintptr_t)lines->strings.at);
	free(lines->sequence);
	free(lines);
}

size_t precis_elf_lines_bytes(const struct elf_lines *lines)
{
	return lines ? lines->bytes : 0;
}

static struct sequence *find_sequence(struct elf_lines *lines, uint64_t address)
{
	size_t low = 0, high = lines->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lines->sequence[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && lines->sequence[low - 1].end > address ? &lines->sequence[low - 1] : NULL;
}

static int unit_of(const struct elf_lines *lines, const struct sequence *sequence,
		   struct line_unit *unit)
{
	struct line_bytes bytes = lines->lines;
	size_t total;

	bytes.at += sequence->unit;
	bytes.bytes -= sequence->unit;
	return precis_line_unit_parse(bytes, unit, &total);
}

/* Run the sequence; fill 'rows' if it is not NULL. @return how many it has, sorted; 0: bad */
static size_t run(const struct elf_lines *lines, const struct sequence *sequence,
		  const struct line_unit *unit, struct row *rows)
{
	struct line_bytes program = { lines->lines.at + sequence->program, 0 };
	uint64_t last = sequence->start;
	struct line_state state;
	size_t count = 0;

	program.bytes = (size_t)(unit->program.at + unit->program.bytes - program.at);
	precis_line_begin(&state, program);
	while (precis_line_next(unit, &state) && !state.is_end) {
		uint64_t distance = state.address - sequence->start;

		if (state.address < last || distance > UINT32_MAX)
			return 0;
		last = state.address;
		if (rows)
			rows[count] = (struct row){ (uint32_t)distance, state.file, state.line,
						    state.discriminator };
		count++;
	}
	return count;
}

/* @return 0 if there is no memory for them */
static int make_rows(struct elf_lines *lines, struct sequence *sequence,
		     const struct line_unit *unit)
{
	size_t count = run(lines, sequence, unit, NULL);
	size_t bytes = count * sizeof(struct row);

	if (count == 0 || count > UINT32_MAX)
		return 0;
	if (!has_room(lines, bytes))
		free_rows(lines);
	sequence->rows = has_room(lines, bytes) ? malloc(bytes) : NULL;
	if (!sequence->rows)
		return 0;
	lines->bytes += bytes;
	lines->row_bytes += bytes;
	sequence->count = (uint32_t)run(lines, sequence, unit, sequence->rows);
	return 1;
}

/* The last row up to there; of several at one address the last has the say */
static const struct row *find_row(const struct sequence *sequence, uint64_t address)
{
	uint64_t distance = address - sequence->start;
	uint32_t low = 0, high = sequence->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (sequence->rows[middle].distance <= distance)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &sequence->rows[low - 1] : NULL;
}

enum precis_symbol_absent precis_elf_lines_find(struct elf_lines *lines, uint64_t offset,
						struct names *names, struct budget *budget,
						struct precis_line *line)
{
	struct sequence *sequence = NULL;
	const struct row *row = NULL;
	struct line_unit unit;
	char name[PLACE_PATH];
	uint64_t address;

	if (precis_elf_address_of(&lines->segments, offset, &address))
		sequence = find_sequence(lines, address);
	if (sequence && unit_of(lines, sequence, &unit)) {
		if (sequence->rows || make_rows(lines, sequence, &unit))
			row = find_row(sequence, address);
		else
			sequence->end = sequence->start; /* not to be tried again */
	}
	/* Line 0: the compiler made that code for no line */
	if (!row || row->line == 0 ||
	    !precis_line_file(&unit, lines->strings, row->file, name, sizeof(name)))
		return PRECIS_SYMBOL_NONE_THERE;
	line->file = precis_names_keep(names, name, budget);
	line->number = line->file ? row->line : 0;
	line->discriminator = line->file ? row->discriminator : 0;
	return line->file ? PRECIS_SYMBOL_PRESENT : PRECIS_SYMBOL_NONE_THERE;
}
