/* SPDX-License-Identifier: BSD-3-Clause */
/* See texts.h. */
#include "texts.h"

#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <precis/error.h>
#include <precis/fields.h>
#include <precis/kernel_records.h>

#include "bpf_programs.h"
#include "pokes.h"
#include "run_time_code.h"

#define WINDOW_BYTES 65536u
#define WINDOWS_MOST 1024u /* of one text: 64 MiB */
#define TEXTS_MOST (1u << 20)
#define MADE_MOST (1u << 16) /* functions of the kernel's, the newest; a power of 2 */
#define ID_BYTES 32u

/* Bytes of a text's file that were read, or of which it is known why not */
struct window {
	uint64_t start, end;
	uint8_t *bytes; /* NULL: 'absent' */
	uint64_t address; /* of 'start' */
	uint32_t count, absent;
};

struct code_text {
	struct code_texts *texts;
	uint32_t number, bits;
	struct precis_location location; /* of the object */
	uint8_t id[ID_BYTES];
	uint32_t id_bytes;
	const struct run_time_function *function; /* of the program's own making; else NULL */
	struct window *window; /* sorted, without overlap */
	uint32_t windows, windows_room;
	uint64_t kernel_start; /* of the kernel's: where offset 0 is */
	uint64_t moved; /* from an offset to its address */
};

/* Code that the kernel said it made */
struct kernel_function {
	uint64_t start, end;
	uint32_t type;
};

struct code_texts {
	struct precis_symbols *symbols;
	struct code_text **text;
	uint32_t count, room;
	void *by_identity; /* of tsearch(3) */
	struct code_pokes pokes;
	struct run_time_code run_time;
	struct bpf_programs bpf;
	uint32_t bpf_bits;
	uint64_t bad_jitdumps;
	code_open_fn *open_file;
	const void *open_data;
	struct kernel_function *made; /* in the order of their records, round and round */
	uint64_t made_count;
	uint32_t made_room;
};

static int open_where_it_was(const void *data, const char *path)
{
	(void)data;
	return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

int code_texts_new(struct precis_symbols *symbols, struct code_texts **texts)
{
	if (!symbols || !texts)
		return PRECIS_E_ARGUMENT;
	*texts = calloc(1, sizeof(**texts));
	if (!*texts)
		return PRECIS_E_NO_MEMORY;
	(*texts)->symbols = symbols;
	(*texts)->open_file = open_where_it_was;
	return 0;
}

void code_texts_open_with(struct code_texts *texts, code_open_fn *open_file, const void *data)
{
	texts->open_file = open_file;
	texts->open_data = data;
}

static void drop_windows(struct code_text *text)
{
	for (uint32_t n = 0; n < text->windows; n++)
		free(text->window[n].bytes);
	text->windows = 0;
}

static int by_identity(const void *a, const void *b)
{
	const struct code_text *left = a, *right = b;

	if (left->location.cpumode != right->location.cpumode)
		return left->location.cpumode < right->location.cpumode ? -1 : 1;
	if (left->kernel_start != right->kernel_start)
		return left->kernel_start < right->kernel_start ? -1 : 1;
	if (left->id_bytes != right->id_bytes)
		return left->id_bytes < right->id_bytes ? -1 : 1;
	if (left->id_bytes)
		return memcmp(left->id, right->id, left->id_bytes);
	return left->location.object < right->location.object
		       ? -1
		       : left->location.object > right->location.object;
}

void code_texts_free(struct code_texts *texts)
{
	if (!texts)
		return;
	for (uint32_t n = 0; n < texts->count; n++) {
		tdelete(texts->text[n], &texts->by_identity, by_identity);
		drop_windows(texts->text[n]);
		free(texts->text[n]->window);
		free(texts->text[n]);
	}
	free(texts->text);
	free(texts->made);
	code_pokes_free(&texts->pokes);
	run_time_code_free(&texts->run_time);
	bpf_programs_free(&texts->bpf);
	free(texts);
}

/* --- records --- */

static int learn_function(struct code_texts *texts, const struct precis_record *record)
{
	struct precis_ksymbol symbol = { .size = sizeof(symbol) };
	struct kernel_function *more;
	const int error = precis_ksymbol_parse(record, &symbol);

	if (error)
		return error;
	if ((symbol.flags & PRECIS_KSYMBOL_UNREGISTER) || symbol.addr > UINT64_MAX - symbol.length)
		return 0;
	if (texts->made_count == texts->made_room && texts->made_room < MADE_MOST) {
		const uint32_t room = texts->made_room ? 2 * texts->made_room : 64;

		more = realloc(texts->made, room * sizeof(*more));
		if (!more)
			return PRECIS_E_NO_MEMORY;
		texts->made = more;
		texts->made_room = room;
	}
	texts->made[texts->made_count++ % MADE_MOST] = (struct kernel_function){
		symbol.addr,
		symbol.addr + symbol.length,
		symbol.type,
	};
	return 0;
}

static int learn_poke(struct code_texts *texts, const struct precis_record *record, uint64_t time)
{
	struct precis_text_poke poke = { .size = sizeof(poke) };
	const int error = precis_text_poke_parse(record, &poke);

	return error ? error : code_pokes_add(&texts->pokes, &poke, time);
}

static int learn_mapping(struct code_texts *texts, const struct precis_record *record)
{
	struct precis_mmap map = { .size = sizeof(map) };
	int error = precis_mmap_parse(record, &map), fd;

	if (error || !code_jitdump_is_name(map.filename))
		return error;
	fd = texts->open_file(texts->open_data, map.filename);
	error = run_time_code_read(&texts->run_time, fd);
	if (fd >= 0)
		close(fd);
	if (error == PRECIS_E_NO_MEMORY)
		return error;
	/* One that is not there is the reason of its code; one that is cut off was being written. */
	texts->bad_jitdumps += fd >= 0 && error && error != PRECIS_E_TRUNCATED;
	return 0;
}

int code_texts_record(struct code_texts *texts, const struct precis_record *record, uint64_t time)
{
	switch (record->type) {
	case PRECIS_RECORD_TEXT_POKE:
		return learn_poke(texts, record, time);
	case PRECIS_RECORD_KSYMBOL:
		return learn_function(texts, record);
	case PRECIS_RECORD_MMAP:
	case PRECIS_RECORD_MMAP2:
		return learn_mapping(texts, record);
	default:
		return 0;
	}
}

int code_texts_jitdump(struct code_texts *texts, const void *bytes, size_t count)
{
	return run_time_code_add(&texts->run_time, bytes, count);
}

int code_texts_bpf(struct code_texts *texts, const void *section, size_t count, uint32_t bits)
{
	texts->bpf_bits = bits;
	return bpf_programs_add(&texts->bpf, section, count);
}

/* --- places --- */

/* @return NULL if memory is short */
static struct code_text *add_text(struct code_texts *texts, const struct code_text *made)
{
	struct code_text *text, **more;

	if (texts->count == texts->room) {
		const uint32_t room = texts->room ? 2 * texts->room : 64;

		if (room > TEXTS_MOST)
			return NULL;
		more = realloc(texts->text, room * sizeof(*more));
		if (!more)
			return NULL;
		texts->text = more;
		texts->room = room;
	}
	text = malloc(sizeof(*text));
	if (!text)
		return NULL;
	*text = *made;
	text->texts = texts;
	text->number = texts->count;
	texts->text[texts->count++] = text;
	return text;
}

static struct code_text *text_of(struct code_texts *texts, const struct precis_location *location,
				 uint64_t address)
{
	struct code_text key = { .location = *location }, **found, *text;
	struct precis_bytes id;

	if (precis_symbols_build_id(texts->symbols, location, &id) > 0 && id.bytes <= ID_BYTES) {
		memcpy(key.id, id.data, id.bytes);
		key.id_bytes = id.bytes;
	}
	if (location->cpumode == PRECIS_CPUMODE_KERNEL)
		key.kernel_start = key.moved = address - location->offset;
	found = tfind(&key, &texts->by_identity, by_identity);
	if (found)
		return *found;
	text = add_text(texts, &key);
	/* One that cannot be found again is a text all the same, and freed with the others. */
	if (text)
		tsearch(text, &texts->by_identity, by_identity);
	return text;
}

static int place_in_function(struct code_texts *texts, struct run_time_function *function,
			     uint64_t address, struct code_place *place)
{
	const struct code_text made = {
		.location = { .size = sizeof(made.location), .cpumode = PRECIS_CPUMODE_USER },
		.function = function,
		.bits = function->bits,
		.moved = function->start,
	};

	if (function->foreign_clock || !function->code) {
		place->absent = function->foreign_clock ? CODE_ABSENT_JITDUMP_CLOCK
							: CODE_ABSENT_RUN_TIME_CODE;
		return 0;
	}
	if (!function->owner)
		function->owner = add_text(texts, &made);
	if (!function->owner)
		return PRECIS_E_NO_MEMORY;
	place->text = function->owner;
	place->offset = address - function->start;
	place->absent = CODE_PRESENT;
	return 1;
}

int code_texts_locate(struct code_texts *texts, uint32_t pid, uint32_t cpumode, uint64_t time,
		      uint64_t address, struct code_place *place)
{
	struct precis_location location = { .size = sizeof(location) };
	struct run_time_function *function = NULL;
	int found;

	*place = (struct code_place){ 0 };
	if (cpumode == PRECIS_CPUMODE_USER)
		function = run_time_code_find(&texts->run_time, pid, address, time);
	if (function)
		return place_in_function(texts, function, address, place);
	found = precis_symbols_locate(texts->symbols, pid, cpumode, time, address, &location);
	if (found <= 0) {
		place->absent = code_absence_of(location.symbol_absent);
		return found;
	}
	place->text = text_of(texts, &location, address);
	place->offset = location.offset;
	return place->text ? 1 : PRECIS_E_NO_MEMORY;
}

void code_text_valid(const struct code_text *text, uint64_t start, uint64_t end, uint64_t time,
		     uint64_t *since, uint64_t *until)
{
	*since = 0;
	*until = UINT64_MAX;
	if (text->location.cpumode == PRECIS_CPUMODE_KERNEL)
		code_pokes_valid(&text->texts->pokes, text->kernel_start + start,
				 text->kernel_start + end, time, since, until);
}

/* --- bytes --- */

/* The number of windows that begin at or before an offset */
static uint32_t windows_before(const struct code_text *text, uint64_t offset)
{
	uint32_t low = 0, high = text->windows;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (text->window[middle].start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct window *window_of(struct code_text *text, uint64_t offset)
{
	const uint32_t before = windows_before(text, offset);

	return before && offset < text->window[before - 1].end ? &text->window[before - 1] : NULL;
}

/* Bytes of a file from an offset on, up to 'end' */
static int read_window(struct code_text *text, uint64_t start, uint64_t end, struct window *window)
{
	struct precis_code code = { .size = sizeof(code) };
	struct precis_location location = text->location;
	int count;

	*window = (struct window){ .start = start, .end = end, .bytes = malloc(WINDOW_BYTES) };
	if (!window->bytes)
		return PRECIS_E_NO_MEMORY;
	location.offset = start;
	count = precis_symbols_code(text->texts->symbols, &location, window->bytes,
				    (uint32_t)(end - start), &code);
	if (count > 0) {
		window->count = (uint32_t)count;
		window->end = start + window->count;
		window->address = code.address;
		text->bits = text->bits ? text->bits : code.bits;
		return 0;
	}
	free(window->bytes);
	window->bytes = NULL;
	window->absent = code_absence_of(code.absent);
	return count;
}

/* What the file has there; where a part of the file's window is no code, from the offset on */
static int find_window(struct code_text *text, uint64_t offset, struct window **found)
{
	const uint64_t window_start = offset - offset % WINDOW_BYTES;
	const uint64_t end =
		window_start > UINT64_MAX - WINDOW_BYTES ? UINT64_MAX : window_start + WINDOW_BYTES;
	uint32_t before = windows_before(text, offset);
	uint64_t start = window_start, last = end;
	struct window made;
	int error;

	*found = window_of(text, offset);
	if (*found)
		return 0;
	if (before && text->window[before - 1].end > start)
		start = text->window[before - 1].end;
	if (before < text->windows && text->window[before].start < last)
		last = text->window[before].start;
	error = read_window(text, start, last, &made);
	if (!error && start < offset && made.end <= offset) {
		free(made.bytes);
		error = read_window(text, offset, last, &made);
	} else if (!error && !made.bytes && start < offset) {
		error = read_window(text, offset, last, &made);
	}
	if (error)
		return error;
	if (text->windows == WINDOWS_MOST) {
		drop_windows(text);
		before = 0;
	}
	if (text->windows == text->windows_room) {
		const uint32_t room = text->windows_room ? 2 * text->windows_room : 8;
		struct window *more = realloc(text->window, room * sizeof(*more));

		if (!more) {
			free(made.bytes);
			return PRECIS_E_NO_MEMORY;
		}
		text->window = more;
		text->windows_room = room;
	}
	memmove(&text->window[before + 1], &text->window[before],
		(text->windows - before) * sizeof(made));
	text->window[before] = made;
	text->windows++;
	*found = &text->window[before];
	return 0;
}

/* An instruction may lie in two windows. */
static int read_file(struct code_text *text, uint64_t offset, uint8_t *bytes, uint32_t *absent)
{
	uint32_t count = 0;

	while (count < PRECIS_CODE_BYTES_MOST) {
		struct window *window;
		uint64_t left;
		int error;

		if (offset > UINT64_MAX - PRECIS_CODE_BYTES_MOST)
			break;
		error = find_window(text, offset + count, &window);
		if (error)
			return error;
		if (!window->bytes) {
			*absent = window->absent;
			break;
		}
		text->moved = window->address - window->start;
		left = window->end - offset - count;
		if (left > PRECIS_CODE_BYTES_MOST - count)
			left = PRECIS_CODE_BYTES_MOST - count;
		memcpy(bytes + count, window->bytes + (offset + count - window->start), left);
		count += (uint32_t)left;
	}
	if (!count && !*absent)
		*absent = CODE_ABSENT_NONE_THERE;
	return (int)count;
}

static int read_function(const struct code_text *text, uint64_t offset, uint8_t *bytes,
			 uint32_t *absent)
{
	const struct run_time_function *function = text->function;
	uint64_t left;

	if (offset >= function->bytes) {
		*absent = CODE_ABSENT_RUN_TIME_CODE;
		return 0;
	}
	left = function->bytes - offset;
	left = left < PRECIS_CODE_BYTES_MOST ? left : PRECIS_CODE_BYTES_MOST;
	memcpy(bytes, function->code + offset, left);
	return (int)left;
}

/* What kind of code it is that the kernel made there, and that is in no file: the newest counts. Of one that
 * was long ago the kind is not known any more. */
static enum code_absence absence_in_kernel(const struct code_texts *texts, uint64_t address,
					   enum code_absence otherwise)
{
	for (uint32_t n = 0; n < MADE_MOST && n < texts->made_count; n++) {
		const struct kernel_function *made =
			&texts->made[(texts->made_count - n - 1) % MADE_MOST];

		if (address >= made->start && address < made->end)
			return made->type == PRECIS_KSYMBOL_BPF ? CODE_ABSENT_BPF
								: CODE_ABSENT_OUT_OF_LINE;
	}
	return otherwise;
}

static int read_kernel(struct code_text *text, uint64_t offset, uint64_t time, uint8_t *bytes,
		       uint32_t *absent)
{
	const uint64_t address = text->kernel_start + offset;
	/* What the kernel's memory has there now may be another program */
	int count =
		(int)bpf_programs_read(&text->texts->bpf, address, bytes, PRECIS_CODE_BYTES_MOST);

	if (count)
		text->bits = text->texts->bpf_bits;
	else
		count = read_file(text, offset, bytes, absent);
	if (count < 0)
		return count;
	if (!count)
		*absent = absence_in_kernel(text->texts, address, *absent);
	return (int)code_pokes_apply(&text->texts->pokes, address, time, bytes, (uint32_t)count,
				     PRECIS_CODE_BYTES_MOST);
}

int code_text_read(struct code_text *text, uint64_t offset, uint64_t time, uint8_t *bytes,
		   uint32_t *absent)
{
	const int is_kernels = text->location.cpumode == PRECIS_CPUMODE_KERNEL;
	int count;

	*absent = CODE_PRESENT;
	if (text->function)
		count = read_function(text, offset, bytes, absent);
	else
		count = is_kernels ? read_kernel(text, offset, time, bytes, absent)
				   : read_file(text, offset, bytes, absent);
	if (count > 0) {
		*absent = CODE_PRESENT;
		/* Changes have no word on it: who changes itself is the kernel of this machine's kind */
		if (!text->bits && is_kernels)
			text->bits = 64;
	} else if (!count && !*absent) {
		*absent = is_kernels ? CODE_ABSENT_KERNEL_CODE : CODE_ABSENT_NONE_THERE;
	}
	return count;
}

/* --- what it is --- */

const char *code_text_name(const struct code_text *text)
{
	return text->function ? "code made at run time" : text->location.object;
}

const char *code_text_made_name(const struct code_text *text)
{
	return text->function ? text->function->name : NULL;
}

uint32_t code_text_number(const struct code_text *text)
{
	return text->number;
}

uint32_t code_texts_count(const struct code_texts *texts)
{
	return texts->count;
}

void code_texts_renumber(struct code_texts *texts, struct code_text *const *order)
{
	for (uint32_t n = 0; n < texts->count; n++) {
		texts->text[n] = order[n];
		texts->text[n]->number = n;
	}
}

uint32_t code_text_bits(const struct code_text *text)
{
	return text->bits;
}

uint64_t code_text_address(const struct code_text *text, uint64_t offset)
{
	return offset + text->moved;
}

int code_text_location(const struct code_text *text, uint64_t offset, struct precis_location *location)
{
	if (text->function)
		return 0;
	*location = text->location;
	location->offset = offset;
	location->symbol = NULL;
	return 1;
}

int code_text_function(struct code_text *text, uint64_t offset, uint64_t *start, uint64_t *end)
{
	struct precis_location location = text->location;

	if (text->function) {
		*start = 0;
		*end = text->function->bytes;
		return offset < *end;
	}
	location.offset = offset;
	return precis_symbols_extent(text->texts->symbols, &location, start, end);
}

uint64_t code_texts_not_kept(const struct code_texts *texts)
{
	return texts->pokes.not_kept;
}

uint64_t code_texts_bad_jitdumps(const struct code_texts *texts)
{
	return texts->bad_jitdumps;
}
