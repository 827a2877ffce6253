/* SPDX-License-Identifier: BSD-3-Clause */
/* The model's life, and look-ups in it. */
#define _GNU_SOURCE /* tdestroy() */

#include <search.h>
#include <stdlib.h>

#include <precis/error.h>
#include <precis/fields.h>

#include "elf_symbols.h"
#include "libdecode/sample/abi.h"
#include "model.h"

int precis_symbols_new(const struct precis_symbols_options *options,
		       struct precis_symbols **symbols)
{
	struct precis_symbols *made;
	int error;

	ABI_MAY_IN(struct precis_symbols_options, options, precis_symbols_new(&abi, symbols));
	if (!symbols)
		return PRECIS_E_ARGUMENT;
	*symbols = NULL;
	made = calloc(1, sizeof(*made));
	if (!made)
		return PRECIS_E_NO_MEMORY;
	made->learns_data = options && (options->flags & PRECIS_SYMBOLS_DATA) != 0;
	made->budget.left = BUDGET_BYTES;
	if (options && options->memory_most && options->memory_most < BUDGET_BYTES)
		made->budget.left = (size_t)options->memory_most;
	error = precis_places_init(&made->places, options);
	if (error)
		precis_symbols_free(made);
	else
		*symbols = made;
	return error;
}

static void free_process(void *node)
{
	struct process *process = node;
	struct budget unused = { 0 };

	precis_images_clear(&process->images, &unused);
	precis_images_clear(&process->memory, &unused);
	free(process);
}

void precis_symbols_free(struct precis_symbols *symbols)
{
	if (!symbols)
		return;
	tdestroy(symbols->processes, free_process);
	precis_pasts_free(&symbols->pasts);
	precis_kernel_free(&symbols->kernel, &symbols->budget);
	precis_objects_free(&symbols->objects);
	precis_tasks_free(&symbols->tasks);
	precis_names_free(&symbols->source_files);
	precis_places_free(&symbols->places);
	free(symbols);
}

int precis_symbols_available(void)
{
	return precis_elf_symbols_available();
}

static const struct ranges *ranges_at(struct precis_symbols *symbols, uint32_t pid,
				      uint32_t cpumode, uint64_t time)
{
	const struct process *process;

	switch (cpumode) {
	case PRECIS_CPUMODE_KERNEL:
		return precis_images_at(&symbols->kernel.images, time);
	case PRECIS_CPUMODE_USER:
		process = precis_process_find(symbols, pid);
		return process ? precis_images_at(&process->images, time) : NULL;
	default:
		return NULL;
	}
}

/* @return 1 if something is mapped there */
static int locate(const struct range *range, uint32_t cpumode, uint64_t address,
		  struct precis_location *location)
{
	location->cpumode = cpumode;
	location->object = NULL;
	location->offset = 0;
	location->symbol = NULL;
	location->symbol_offset = 0;
	location->reserved = 0;
	if (!range) {
		location->symbol_absent = cpumode >= PRECIS_CPUMODE_HYPERVISOR
						  ? PRECIS_SYMBOL_GUEST
						  : PRECIS_SYMBOL_NOT_MAPPED;
		return 0;
	}
	location->symbol_absent = PRECIS_SYMBOL_NOT_ASKED;
	location->object = range->object->name;
	location->offset = address - range->start + range->offset;
	return 1;
}

int precis_symbols_locate(struct precis_symbols *symbols, uint32_t pid, uint32_t cpumode,
			  uint64_t time, uint64_t address, struct precis_location *location)
{
	const struct ranges *ranges;
	const struct range *range;

	ABI_OUT(struct precis_location, location,
		precis_symbols_locate(symbols, pid, cpumode, time, address, &abi));
	if (!symbols)
		return PRECIS_E_ARGUMENT;
	ranges = ranges_at(symbols, pid, cpumode, time);
	range = ranges ? precis_ranges_find(ranges, address) : NULL;
	return locate(precis_past_find(range, address, time), cpumode, address, location);
}

struct object *precis_symbols_object(struct precis_symbols *symbols,
				     const struct precis_location *location,
				     enum precis_symbol_absent *absent)
{
	int is_kernels = location->cpumode == PRECIS_CPUMODE_KERNEL;
	struct object *object = NULL;

	if (location->object)
		object = precis_objects_find(&symbols->objects, location->object, is_kernels);
	if (!object)
		*absent = location->cpumode >= PRECIS_CPUMODE_HYPERVISOR ? PRECIS_SYMBOL_GUEST
									 : PRECIS_SYMBOL_NOT_MAPPED;
	return object;
}

/* @return its name, or NULL: 'absent' is set */
static const char *find_symbol(struct precis_symbols *symbols, struct object *object,
			       uint64_t offset, uint64_t *symbol_offset,
			       enum precis_symbol_absent *absent)
{
	const struct symbol *symbol;

	if (object->kind == OBJECT_KSYMBOL) {
		*absent = PRECIS_SYMBOL_PRESENT;
		*symbol_offset = offset;
		return object->name;
	}
	if (object->kind == OBJECT_KERNEL) {
		symbol = precis_kernel_symbol(&symbols->kernel, &symbols->objects, &symbols->places,
					      object, offset, symbol_offset, absent);
	} else {
		symbol = precis_object_symbol(&symbols->places, object, offset, absent);
		*symbol_offset = symbol ? offset - symbol->start : 0;
	}
	return symbol ? symbol->name : NULL;
}

int precis_symbols_name(struct precis_symbols *symbols, struct precis_location *location)
{
	enum precis_symbol_absent absent;
	struct object *object;

	ABI_OUT(struct precis_location, location, precis_symbols_name(symbols, &abi));
	if (!symbols)
		return PRECIS_E_ARGUMENT;
	location->symbol = NULL;
	location->symbol_offset = 0;
	object = precis_symbols_object(symbols, location, &absent);
	if (object)
		location->symbol = find_symbol(symbols, object, location->offset,
					       &location->symbol_offset, &absent);
	location->symbol_absent = absent;
	return location->symbol != NULL;
}

int precis_symbols_find(struct precis_symbols *symbols, uint32_t pid, uint32_t cpumode,
			uint64_t time, uint64_t address, struct precis_location *location)
{
	const struct ranges *ranges;
	const struct range *range;
	struct found *found;
	int result, error;

	ABI_OUT(struct precis_location, location,
		precis_symbols_find(symbols, pid, cpumode, time, address, &abi));
	if (!symbols)
		return PRECIS_E_ARGUMENT;
	ranges = ranges_at(symbols, pid, cpumode, time);
	found = found_place(&symbols->found, ranges, address);
	if (ranges && found->ranges == ranges && found->address == address &&
	    found->state == symbols->state) {
		uint32_t size = location->size;

		*location = found->location;
		location->size = size;
		return 1;
	}
	range = ranges ? precis_ranges_find(ranges, address) : NULL;
	result = locate(precis_past_find(range, address, time), cpumode, address, location);
	error = result > 0 ? precis_symbols_name(symbols, location) : 0;
	/* what has a past is something else at another time */
	if (result > 0 && error >= 0 && !range->past)
		*found = (struct found){ ranges, address, symbols->state, *location };
	return error < 0 ? error : result;
}

/* Give back what is known of other objects' lines, if all of it is too much */
static void limit_lines(struct precis_symbols *symbols, struct object *keep)
{
	struct object *object;

	if (symbols->lines_bytes <= LINES_BYTES)
		return;
	while ((object = symbols->with_lines) != NULL) {
		symbols->with_lines = object->next_with_lines;
		if (object == keep)
			continue;
		precis_elf_lines_free(object->lines);
		object->lines = NULL;
		object->lines_are_read = 0;
	}
	keep->next_with_lines = NULL;
	symbols->with_lines = keep;
	symbols->lines_bytes = precis_elf_lines_bytes(keep->lines);
}

static void read_lines(struct precis_symbols *symbols, struct object *object)
{
	object->lines_are_read = 1;
	if (object->is_contradicted && !symbols->places.any_build_id) {
		object->lines_absent = PRECIS_SYMBOL_OTHER_BUILD_ID;
		return;
	}
	object->lines_absent = precis_elf_lines_read(&symbols->places, object->name,
						     &object->build_id, &object->lines);
	if (!object->lines)
		return;
	object->next_with_lines = symbols->with_lines;
	symbols->with_lines = object;
	symbols->lines_bytes += precis_elf_lines_bytes(object->lines);
	limit_lines(symbols, object);
}

/* Where the object's file has what lies at that offset: lines are by that */
static enum precis_symbol_absent find_place(struct precis_symbols *symbols, const struct object *object,
					    uint64_t offset, uint64_t *place)
{
	*place = offset;
	switch (object->kind) {
	case OBJECT_NAMED:
		return PRECIS_SYMBOL_NOT_A_FILE;
	case OBJECT_FILE:
	case OBJECT_VDSO:
		return PRECIS_SYMBOL_PRESENT;
	case OBJECT_KERNEL:
		return precis_kernel_place(&symbols->kernel, &symbols->places, object, offset, place) ?
			       PRECIS_SYMBOL_NO_DEBUG_INFO : PRECIS_SYMBOL_PRESENT;
	default:
		return PRECIS_SYMBOL_NO_DEBUG_INFO;
	}
}

static enum precis_symbol_absent find_line(struct precis_symbols *symbols, struct object *object,
					   uint64_t offset, struct precis_line *line)
{
	enum precis_symbol_absent absent = find_place(symbols, object, offset, &offset);
	size_t before;

	if (absent)
		return absent;
	if (!object->lines_are_read)
		read_lines(symbols, object);
	if (!object->lines)
		return object->lines_absent;
	before = precis_elf_lines_bytes(object->lines);
	absent = precis_elf_lines_find(object->lines, offset, &symbols->source_files,
				       &symbols->budget, line);
	symbols->lines_bytes += precis_elf_lines_bytes(object->lines) - before;
	limit_lines(symbols, object);
	return absent;
}

int precis_symbols_line(struct precis_symbols *symbols, const struct precis_location *location,
			struct precis_line *line)
{
	enum precis_symbol_absent absent;
	struct object *object;

	ABI_IN(struct precis_location, location, precis_symbols_line(symbols, &abi, line));
	ABI_OUT(struct precis_line, line, precis_symbols_line(symbols, location, &abi));
	if (!symbols)
		return PRECIS_E_ARGUMENT;
	line->file = NULL;
	line->number = 0;
	line->discriminator = 0;
	object = precis_symbols_object(symbols, location, &absent);
	if (object)
		absent = find_line(symbols, object, location->offset, line);
	line->absent = absent;
	return line->file != NULL;
}

int precis_symbols_file_offset(struct precis_symbols *symbols,
			       const struct precis_location *location, uint64_t *offset)
{
	enum precis_symbol_absent absent;
	const struct object *object;
	uint64_t place;

	if (!symbols || !location || !offset)
		return PRECIS_E_ARGUMENT;
	ABI_IN(struct precis_location, location, precis_symbols_file_offset(symbols, &abi, offset));
	object = precis_symbols_object(symbols, location, &absent);
	if (!object || find_place(symbols, object, location->offset, &place))
		return 0;
	*offset = place;
	return 1;
}

int precis_symbols_build_id(struct precis_symbols *symbols, const struct precis_location *location,
			    struct precis_bytes *id)
{
	enum precis_symbol_absent absent;
	const struct object *object;

	if (!symbols || !location || !id)
		return PRECIS_E_ARGUMENT;
	ABI_IN(struct precis_location, location, precis_symbols_build_id(symbols, &abi, id));
	object = precis_symbols_object(symbols, location, &absent);
	if (!object || object->is_contradicted || !object->build_id.bytes)
		return 0;
	*id = (struct precis_bytes){ object->build_id.data, object->build_id.bytes };
	return 1;
}

int precis_symbols_task(struct precis_symbols *symbols, uint32_t tid, uint64_t time,
			const char **name)
{
	if (!symbols || !name)
		return PRECIS_E_ARGUMENT;
	*name = precis_tasks_name(&symbols->tasks, tid, time);
	return *name != NULL;
}

static const char *const texts[] = {
	[PRECIS_SYMBOL_PRESENT] = "present",
	[PRECIS_SYMBOL_NOT_ASKED] = "not looked up",
	[PRECIS_SYMBOL_NOT_A_FILE] = "memory that is no file's",
	[PRECIS_SYMBOL_NO_FILE] = "file not found or not readable",
	[PRECIS_SYMBOL_OTHER_BUILD_ID] = "file is not the recorded build",
	[PRECIS_SYMBOL_NONE_THERE] = "nothing known of that place in the file",
	[PRECIS_SYMBOL_NOT_BUILT] = "this build of precis reads no ELF files",
	[PRECIS_SYMBOL_NOT_MAPPED] = "nothing mapped there",
	[PRECIS_SYMBOL_GUEST] = "address of a guest or hypervisor",
	[PRECIS_SYMBOL_NO_KALLSYMS] = "no symbols of the recorded kernel found",
	[PRECIS_SYMBOL_KALLSYMS_HIDDEN] = "kernel addresses hidden by kernel.kptr_restrict",
	[PRECIS_SYMBOL_NO_VDSO] = "recorded vdso is in no build-id cache",
	[PRECIS_SYMBOL_NO_PERF_MAP] = "code made at run time, without a perf-PID.map",
	[PRECIS_SYMBOL_NO_DEBUG_INFO] = "no line numbers in the file or its debug file",
	[PRECIS_SYMBOL_RUN_TIME_CODE] = "code made at run time, which is in no file",
	[PRECIS_SYMBOL_KERNEL_CODE] = "code of the kernel, which is in no file here",
};

const char *precis_symbol_absent_text(uint32_t absent)
{
	return absent < sizeof(texts) / sizeof(texts[0]) ? texts[absent] : "unknown reason";
}
