/* SPDX-License-Identifier: BSD-3-Clause */
/* See keys.h. */
#define _GNU_SOURCE /* asprintf() */
#include "keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/model/absences.h"
#include "analysis/model/rows.h"
#include "block_keys.h"
#include "memory_keys.h"
#include "places.h"
#include "stacks.h"
#include "thread_data.h"
#include "times.h"
#include "type_keys.h"

#define PAGE_BYTES UINT64_C(4096)
#define LINE_BYTES UINT64_C(64)

/* What the two words of a value are */
enum form {
	FORM_NUMBER, /* a: it */
	FORM_NODE, /* likewise; NODE_UNKNOWN */
	FORM_ADDRESS, /* likewise */
	FORM_NAME, /* a: name; 0: not known */
	FORM_CGROUP, /* a: name, or 0, then b: its id */
	FORM_SYMBOL, /* a: name, or 0; b: the object, or 0 */
	FORM_LINE, /* a: file, b: number; a 0, b: the object, or 0 */
	FORM_PLACE, /* a: the object, b: offset; a 0, b: address */
	FORM_OBJECT, /* a: a variable, or 0; b: the memory, or 0 */
	FORM_TYPE, /* a: name, or 0; b: the reason, or 0; of a name what told it, or 0: the address */
	FORM_TIME, /* a: number of the part */
	FORM_FIELD /* a: a value of the field's type */
};

#define FIELD(id) PRECIS_FIELD_##id
#define PLACE_FIELDS                                                                               \
	{                                                                                          \
		FIELD(IP), FIELD(CPUMODE), FIELD(PID), FIELD(TIME), FIELDS_END                     \
	}

#define DATA_FIELDS                                                                                \
	{                                                                                          \
		FIELD(ADDR), FIELD(PID), FIELD(TIME), FIELDS_END                                   \
	}

#define TYPE_FIELDS                                                                                \
	{                                                                                          \
		FIELD(ADDR), FIELD(PID), FIELD(TIME), FIELD(ACCESS_BYTES), FIELD(IP),              \
			FIELD(CPUMODE), FIELDS_END                                                 \
	}

#define CHAIN_FIELDS                                                                               \
	{                                                                                          \
		FIELD(CPUMODE), FIELD(PID), FIELD(TIME), FIELDS_END                                \
	}

static const struct {
	enum form form;
	const char *columns[BY_KEY_COLUMNS];
	uint8_t fields[BY_KEY_FIELDS];
} keys[] = {
	[BY_SYMBOL] = { FORM_SYMBOL, { "symbol", "symbol_object" }, PLACE_FIELDS },
	[BY_LINE] = { FORM_LINE, { "file", "line", "line_object" }, PLACE_FIELDS },
	[BY_INSTRUCTION] = { FORM_PLACE, { "instruction", "instruction_object", "offset" }, PLACE_FIELDS },
	[BY_DSO] = { FORM_NAME, { "dso" }, PLACE_FIELDS },
	[BY_COMM] = { FORM_NAME, { "comm" }, { FIELD(TID), FIELD(TIME), FIELDS_END } },
	[BY_NODE] = { FORM_NODE, { "node" }, { FIELD(CPU), FIELDS_END } },
	[BY_MEMORY_NODE] = { FORM_NODE, { "memory_node" }, { FIELD(PHYS_ADDR), FIELDS_END } },
	[BY_PAGE] = { FORM_ADDRESS, { "page" }, { FIELD(ADDR), FIELDS_END } },
	[BY_CACHE_LINE] = { FORM_ADDRESS, { "cache_line" }, { FIELD(ADDR), FIELDS_END } },
	[BY_OBJECT] = { FORM_OBJECT, { "object", "object_in", "object_kind" }, DATA_FIELDS },
	[BY_MEMORY] = { FORM_NAME, { "memory" }, DATA_FIELDS },
	[BY_TYPE] = { FORM_TYPE, { "type", "no_type", "type_by" }, TYPE_FIELDS },
	[BY_MEMBER] = { FORM_TYPE, { "member", "no_member", "member_by" }, TYPE_FIELDS },
	[BY_ELEMENT] = { FORM_TYPE, { "element", "no_element", "element_by" }, TYPE_FIELDS },
	[BY_ALLOCATION] = { FORM_NAME, { "allocation" }, DATA_FIELDS },
	[BY_TAG] = { FORM_NAME, { "tag" }, DATA_FIELDS },
	[BY_PHASE] = { FORM_NAME, { "phase" }, { FIELD(PID), FIELD(TIME), FIELDS_END } },
	[BY_CGROUP] = { FORM_CGROUP, { "cgroup", "cgroup_id" }, { FIELD(CGROUP), FIELDS_END } },
	/* whatever the sample lacks: the callchain is no field */
	[BY_CALLER] = { FORM_SYMBOL, { "caller", "caller_object" }, CHAIN_FIELDS },
	[BY_STACK] = { FORM_NAME, { "stack" }, CHAIN_FIELDS },
	[BY_EVENT] = { FORM_NAME, { "event" }, { FIELD(EVENT), FIELDS_END } },
	[BY_TIME] = { FORM_TIME,
		      { "time", "time_from_ns", "time_to_ns" },
		      { FIELD(TIME), FIELDS_END } },
	[BY_FIELD] = { FORM_FIELD, { NULL }, { FIELDS_END } },
};
_Static_assert(sizeof(keys) / sizeof(keys[0]) == BY_KEY_KINDS, "each key has a row");


void by_key_fields(const struct by_asked_key *key, uint8_t fields[BY_KEY_FIELDS])
{
	memcpy(fields, keys[key->key].fields, BY_KEY_FIELDS);
	if (key->key != BY_FIELD)
		return;
	fields[0] = (uint8_t)key->field;
	fields[1] = FIELDS_END;
}

void by_keys_want(struct by *by)
{
	by_types_choose(by);
	while (by->object_depth < by->request->key_count &&
	       !by_is_of_object(by->request->keys[by->object_depth].key))
		by->object_depth++;
	for (uint32_t n = 0; n < by->request->key_count; n++) {
		enum by_key key = by->request->keys[n].key;

		by->wants_caller |= key == BY_CALLER;
		by->wants_stack |= key == BY_STACK;
		by->wants_symbols |= key == BY_SYMBOL || key == BY_CALLER || key == BY_STACK ||
				     by_is_of_object(key);
		by->wants_lines |= key == BY_LINE || key == BY_OBJECT || key == BY_ELEMENT;
		by->wants_places |= key <= BY_DSO;
		by->wants_tasks |= key == BY_COMM;
		by->wants_memory |= by_is_of_memory(key);
		by->wants_objects |= by_is_recorded_beside(key);
	}
}

/* --- what a sample says --- */

static uint32_t task_of(struct by *by, const struct sample_batch *batch, uint32_t row)
{
	const uint32_t tid = (uint32_t)batch->column[PRECIS_FIELD_TID][row];
	struct by_task *task = &by->tasks[tid % BY_TASKS];
	const char *name = NULL;
	uint32_t epoch;

	if (!by->model.symbols)
		return 0;
	epoch = model_epoch(&by->model.threads, tid, row_time(&by->model, batch, row));
	if (task->is_known && task->tid == tid && task->epoch == epoch)
		return task->name;
	*task = (struct by_task){ .tid = tid, .epoch = epoch, .is_known = 1 };
	precis_symbols_task(by->model.symbols, tid, row_time(&by->model, batch, row), &name);
	task->name = by_name_of(by, name);
	return task->name;
}

static struct by_value phase_value(struct by *by, const struct sample_batch *batch, uint32_t row)
{
	const char *phase = NULL;

	if (by->model.symbols &&
	    lifetimes_phase(&by->lifetimes, (uint32_t)batch->column[PRECIS_FIELD_PID][row],
			    row_time(&by->model, batch, row), &phase) < 0)
		by->failed = 1;
	return (struct by_value){ by_name_of(by, phase), 0 };
}

static struct by_value place_value(enum by_key key, const struct by_place *place, uint64_t address)
{
	switch (key) {
	case BY_SYMBOL:
		return (struct by_value){ place->symbol, place->object };
	case BY_LINE:
		return place->file ? (struct by_value){ place->file, place->line } :
				     (struct by_value){ 0, place->object };
	case BY_INSTRUCTION:
		return place->object ? (struct by_value){ place->object, place->offset } :
				       (struct by_value){ 0, address - (address == BY_ABSENT) };
	default:
		return (struct by_value){ place->object, 0 };
	}
}

static struct by_value cgroup_value(struct by *by, uint64_t id)
{
	uint32_t name = by_name_of(by, cgroup_paths_find(&by->cgroups, id));

	return (struct by_value){ name, name ? 0 : id - (id == BY_ABSENT) };
}

static struct by_value event_value(struct by *by, uint64_t number)
{
	const struct precis_event *event =
		number <= UINT32_MAX ? precis_input_event(by->about->input, (uint32_t)number) : NULL;

	return (struct by_value){ event ? by_name_of(by, event->name) : 0, 0 };
}

static struct by_value value_of(struct by *by, const struct by_asked_key *key,
				const struct sample_batch *batch, uint32_t row)
{
	uint64_t *const *column = batch->column;

	switch (key->key) {
	case BY_COMM:
		return (struct by_value){ task_of(by, batch, row), 0 };
	case BY_NODE:
		return (struct by_value){ nodes_of_cpu(&by->nodes, column[PRECIS_FIELD_CPU][row]), 0 };
	case BY_MEMORY_NODE:
		return (struct by_value){
			nodes_of_address(&by->nodes, column[PRECIS_FIELD_PHYS_ADDR][row]), 0
		};
	case BY_PAGE:
		return (struct by_value){ column[PRECIS_FIELD_ADDR][row] & ~(PAGE_BYTES - 1), 0 };
	case BY_CACHE_LINE:
		return (struct by_value){ column[PRECIS_FIELD_ADDR][row] & ~(LINE_BYTES - 1), 0 };
	case BY_PHASE:
		return phase_value(by, batch, row);
	case BY_CGROUP:
		return cgroup_value(by, column[PRECIS_FIELD_CGROUP][row]);
	case BY_CALLER:
		return by->chained[row].caller;
	case BY_STACK:
		return by->chained[row].stack;
	case BY_TIME:
		return (struct by_value){ by_time_of(by->about, key, column[PRECIS_FIELD_TIME][row]), 0 };
	case BY_EVENT:
		return event_value(by, column[PRECIS_FIELD_EVENT][row]);
	default:
		return (struct by_value){ column[key->field][row], 0 };
	}
}

static struct by_value memory_value(struct by *by, uint32_t n, const struct sample_batch *batch,
				    uint32_t row, const struct by_class *is,
				    const struct by_memory *memory)
{
	struct by_place instruction;

	switch (by->request->keys[n].key) {
	case BY_OBJECT:
		return by_object_value(by, memory);
	case BY_MEMORY:
		return by_memory_value(by, memory);
	case BY_ALLOCATION:
		return by_allocation_value(by, memory);
	case BY_TAG:
		return (struct by_value){ by_name_of(by, memory->life.tag), 0 };
	default:
		if (is->has_own_place)
			instruction = by_place_of(by, batch, row);
		return by_type_value(by, n, memory,
				     batch_has(batch, row, FIELD(ACCESS_BYTES))
					     ? (uint32_t)batch->column[FIELD(ACCESS_BYTES)][row]
					     : 0,
				     is->has_own_place ? &instruction : NULL);
	}
}

/* Of fields beyond word 0 the group does not tell: all ones are no value of theirs. */
static int is_absent(const struct by_asked_key *key, const struct sample_batch *batch, uint32_t row)
{
	const uint8_t field = key->key == BY_FIELD ? (uint8_t)key->field : keys[key->key].fields[0];

	return field >= 64 && batch->column[field][row] == UINT64_MAX;
}

/* What its data is in, and what that tells of others */
static void find_memory(struct by *by, const struct sample_batch *batch, uint32_t row,
			const struct by_class *is, struct by_memory *memory)
{
	by_find_memory(by, batch, row, memory);
	if (by->wants_objects && is->has_own_place &&
	    (memory->life.is_before || by_thread_may_have(memory)))
		by_thread_learn(by, batch, row, memory);
}

void by_key_values(struct by *by, const struct sample_batch *batch, uint32_t row,
		   const struct by_class *is, struct by_value values[BY_KEYS_MOST])
{
	struct by_place place = { .is_known = 0 };
	int has_place = 0;
	struct by_memory memory = { .is.size = 0 }; /* not found yet */

	by->block.is_of_heap = 0;
	by->told.is_asked = 0;

	for (uint32_t n = 0; n < by->request->key_count; n++) {
		const struct by_asked_key *key = &by->request->keys[n];

		if (!is->why[n] && is_absent(key, batch, row)) {
			values[n] = (struct by_value){ PRECIS_NOT_CAPTURED, BY_ABSENT };
		} else if (is->why[n]) {
			values[n] = (struct by_value){ is->why[n], BY_ABSENT };
		} else if (key->key <= BY_DSO) {
			if (!has_place)
				place = by_place_of(by, batch, row);
			has_place = 1;
			values[n] = place_value(key->key, &place, batch->column[PRECIS_FIELD_IP][row]);
		} else if (by_is_of_memory(key->key)) {
			if (!memory.is.size)
				find_memory(by, batch, row, is, &memory);
			by->block = by_block_of(&memory);
			values[n] = memory_value(by, n, batch, row, is, &memory);
		} else {
			values[n] = value_of(by, key, batch, row);
		}
	}
}

/* --- how it is told --- */

static const char *text_of(const struct by *by, uint64_t name)
{
	const struct name *found = names_get(&by->names, name);

	return found ? found->text : NULL;
}

/* That of a path, without its directory; NULL if there is none */
static const char *file_part(const char *path)
{
	return path ? model_file_of(path) : NULL;
}

static const char *why_of(uint64_t why)
{
	const char *name = precis_reason_name((uint32_t)why);

	if (why == BY_NOT_ITS_OWN)
		return "address of another instruction";
	if (why == BY_OUTERMOST)
		return "the outermost call";
	return name ? name : "unknown";
}

/* The symbol of a place in an object, to be freed; NULL: it has none, or memory is short */
static char *symbol_text(const struct by *by, const struct by_value *value)
{
	const struct name *object = names_get(&by->names, value->a);
	struct precis_location location = { .size = sizeof(location) };
	char *readable = NULL, *text;

	if (!object || !by->about->symbols)
		return NULL;
	location.object = object->object;
	location.cpumode = object->cpumode;
	location.offset = value->b;
	known_places_name(&by->known, &(struct known_source){ object->symbols, object->known_as }, &location);
	if (!location.symbol)
		return NULL;
	if (by->about->demangle)
		readable = by->about->demangle(location.symbol);
	if (asprintf(&text, "%s+0x%" PRIx64, readable ? readable : location.symbol,
		     location.symbol_offset) < 0)
		text = NULL;
	free(readable);
	return text;
}

static char *instruction_text(const struct by *by, const struct by_value *value)
{
	const char *file = file_part(text_of(by, value->a));
	char *symbol = symbol_text(by, value), *text;

	if (!file)
		return name_printed("0x%016" PRIx64 " (no file)", value->b);
	text = symbol ? name_printed("%s (%s)", symbol, file) :
			name_printed("0x%" PRIx64 " (%s)", value->b, file);
	free(symbol);
	return text;
}

static char *symbol_key_text(const struct by *by, const struct by_value *value)
{
	const char *symbol = text_of(by, value->a), *file = file_part(text_of(by, value->b));

	if (symbol)
		return name_printed("%s (%s)", symbol, file ? file : "no file");
	return file ? name_printed("no symbol (%s)", file) : name_printed("nothing known is mapped there");
}

static char *line_text(const struct by *by, const struct by_value *value)
{
	const char *file = file_part(text_of(by, value->a));
	const char *object = file_part(text_of(by, value->b));

	if (file)
		return name_printed("%s:%" PRIu64, file, value->b);
	return object ? name_printed("no line (%s)", object) : name_printed("nothing known is mapped there");
}

static char *field_text(const struct by *by, const struct by_asked_key *key, uint64_t value)
{
	struct precis_field_info info = { .size = sizeof(info) };
	const struct precis_event *event = NULL;
	char text[PRECIS_VALUE_TEXT];

	if (precis_field_info(key->field, &info))
		return NULL;
	if (info.type == PRECIS_TYPE_EVENT && value <= UINT32_MAX)
		event = precis_input_event(by->about->input, (uint32_t)value);
	if (event && event->name)
		return name_printed("%s", event->name);
	if (info.type == PRECIS_TYPE_BOOL)
		return name_printed("%s: %s", key->name, value ? "yes" : "no");
	precis_value_format(info.type, value, text);
	if (info.type == PRECIS_TYPE_UINT || info.type == PRECIS_TYPE_INT)
		return name_printed("%s %s", key->name, text);
	return name_printed("%s", text);
}

/* Several recordings have each a span of its own, of which parts are told in percent. */
static int has_one_span(const struct by *by, const struct by_asked_key *key)
{
	return !key->parts || by->about->recordings->count == 1;
}

static char *time_text(const struct by *by, const struct by_asked_key *key, uint64_t part)
{
	const double start = (double)by_time_start(by->about, key, part) / 1e9;
	const double from = 100.0 * (double)part / (key->parts ? key->parts : 1);
	const double to = 100.0 * (double)(part + 1) / (key->parts ? key->parts : 1);

	if (!key->parts)
		return name_printed("%.9g s", start);
	return has_one_span(by, key) ? name_printed("%.4g%%-%.4g%%, %.6f s", from, to, start) :
				       name_printed("%.4g%%-%.4g%%", from, to);
}

char *by_key_text(const struct by *by, uint32_t n, const struct by_value *value)
{
	const struct by_asked_key *key = &by->request->keys[n];

	if (value->b == BY_ABSENT)
		return name_printed("no %s: %s", key->name, why_of(value->a));
	switch (keys[key->key].form) {
	case FORM_NODE:
		return value->a == NODE_UNKNOWN ? name_printed("no %s: not recorded", key->name) :
						  name_printed("node %" PRIu64, value->a);
	case FORM_ADDRESS:
		return name_printed("0x%" PRIx64, value->a);
	case FORM_NAME:
		return value->a ? name_printed("%s", text_of(by, value->a)) :
				  name_printed("no %s", key->name);
	case FORM_CGROUP:
		return value->a ? name_printed("%s", text_of(by, value->a)) :
				  name_printed("cgroup %" PRIu64, value->b);
	case FORM_SYMBOL:
		return symbol_key_text(by, value);
	case FORM_LINE:
		return line_text(by, value);
	case FORM_PLACE:
		return instruction_text(by, value);
	case FORM_OBJECT:
		return by_object_text(by, value);
	case FORM_TYPE:
		return by_type_text(by, key, value);
	case FORM_TIME:
		return time_text(by, key, value->a);
	default:
		return field_text(by, key, value->a);
	}
}

uint32_t by_key_columns(const struct by_asked_key *key, struct column *columns)
{
	uint32_t count = 0;

	if (key->key == BY_FIELD)
		columns[count++] = (struct column){ key->name, NULL, COLUMN_LEFT };
	for (; count < BY_KEY_COLUMNS && keys[key->key].columns[count]; count++)
		columns[count] = (struct column){ keys[key->key].columns[count], NULL, COLUMN_LEFT };
	return count;
}

static void cell_name(struct document *document, const struct by *by, uint64_t name)
{
	by_cell(document, text_of(by, name));
}

static void cell_of_text(struct document *document, char *text)
{
	by_cell(document, text);
	free(text);
}

static void cell_field(struct document *document, const struct by *by,
		       const struct by_asked_key *key, uint64_t value)
{
	struct precis_field_info info = { .size = sizeof(info) };

	precis_field_info(key->field, &info);
	if (info.type == PRECIS_TYPE_UINT || (info.type == PRECIS_TYPE_INT && (int64_t)value >= 0))
		cell_count(document, value);
	else if (info.type == PRECIS_TYPE_ADDRESS || info.type == PRECIS_TYPE_HEX)
		cell_address(document, value);
	else if (info.type == PRECIS_TYPE_BOOL)
		cell_bool(document, value != 0);
	else
		cell_of_text(document, field_text(by, key, value));
}

static void cells_time(struct document *document, const struct by *by,
		       const struct by_asked_key *key, uint64_t part)
{
	cell_count(document, part);
	for (uint64_t n = part; n <= part + 1; n++) {
		if (has_one_span(by, key))
			cell_count(document, by_time_start(by->about, key, n));
		else
			cell_absent(document);
	}
}

static void cells_present(struct document *document, const struct by *by,
			  const struct by_asked_key *key, const struct by_value *value)
{
	switch (keys[key->key].form) {
	case FORM_NODE:
		if (value->a == NODE_UNKNOWN)
			cell_absent(document);
		else
			cell_count(document, value->a);
		break;
	case FORM_ADDRESS:
		cell_address(document, value->a);
		break;
	case FORM_NAME:
		cell_name(document, by, value->a);
		break;
	case FORM_CGROUP:
		cell_name(document, by, value->a);
		if (value->a)
			cell_absent(document);
		else
			cell_count(document, value->b);
		break;
	case FORM_SYMBOL:
		cell_name(document, by, value->a);
		cell_name(document, by, value->b);
		break;
	case FORM_LINE:
		cell_name(document, by, value->a);
		if (value->a)
			cell_count(document, value->b);
		else
			cell_absent(document);
		cell_name(document, by, value->a ? 0 : value->b);
		break;
	case FORM_PLACE:
		cell_of_text(document, symbol_text(by, value));
		cell_name(document, by, value->a);
		cell_address(document, value->b);
		break;
	case FORM_OBJECT:
		by_object_cells(document, by, value);
		break;
	case FORM_TYPE:
		by_type_cells(document, by, value);
		break;
	case FORM_TIME:
		cells_time(document, by, key, value->a);
		break;
	default:
		cell_field(document, by, key, value->a);
	}
}

void by_key_cells(struct document *document, const struct by *by, uint32_t n,
		  const struct by_value *value)
{
	const struct by_asked_key *key = &by->request->keys[n];
	struct column columns[BY_KEY_COLUMNS];

	if (value->b != BY_ABSENT) {
		cells_present(document, by, key, value);
		return;
	}
	for (uint32_t i = by_key_columns(key, columns); i > 0; i--) {
		cell_absent(document);
		cell_why_absent(document, why_of(value->a));
	}
}

uint32_t by_key_names(const struct by_asked_key *key, struct by_value *value, uint64_t *names[2])
{
	enum form form = keys[key->key].form;
	uint32_t count = 0;

	if (value->b == BY_ABSENT)
		return 0;
	const int is_pair = form == FORM_SYMBOL || form == FORM_OBJECT || form == FORM_TYPE;

	if (is_pair || (form == FORM_LINE && !value->a))
		names[count++] = &value->b;
	if (is_pair || form == FORM_NAME || form == FORM_CGROUP || form == FORM_LINE ||
	    form == FORM_PLACE)
		names[count++] = &value->a;
	return count;
}

int by_key_is_place(const struct by_asked_key *key)
{
	return keys[key->key].form == FORM_PLACE;
}
