/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sources: machine__create_kernel_maps() and dso__load_kernel_sym() in
 * tools/perf/util of Linux 7.3 for names and the order of preference.
 */
#include "kernel.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <precis/error.h>

#include "text_file.h"
#include "text_lines.h"

/* An ELF note: {u32 name bytes, content bytes, type}, name, content, each filled up to 4 */
#define NOTE_HEADER 12u
#define NOTE_BUILD_ID 3u

/* @return where the module's name begins; its length without directory and endings */
static const char *module_name(const char *path, size_t *length)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *end = strstr(name, ".ko");

	if (path[0] != '/' || !end || end == name || (end[3] != '\0' && end[3] != '.'))
		return NULL;
	*length = (size_t)(end - name);
	return name;
}

const char *precis_kernel_object_name(const char *name, char *room, size_t *length)
{
	/* "[kernel.kallsyms]_text" names the reference */
	const char *end = name[0] == '[' ? strchr(name, ']') : NULL;
	const char *module = module_name(name, length);
	size_t i;

	if (module && *length + 2 <= KERNEL_NAME_ROOM) {
		room[0] = '[';
		for (i = 0; i < *length; i++)
			room[1 + i] = module[i] == '-' ? '_' : module[i];
		room[1 + i] = ']';
		*length += 2;
		return room;
	}
	*length = end ? (size_t)(end - name) + 1 : strlen(name);
	return name;
}

int precis_is_kernel_itself(const struct object *object)
{
	return strcmp(object->name, KERNEL_NAME) == 0;
}

int precis_kernel_map(struct kernel *kernel, struct objects *objects, const struct precis_mmap *map,
		      struct budget *budget)
{
	struct ranges *ranges = precis_images_last(&kernel->images, budget);
	struct range range = { .start = map->addr };
	char room[KERNEL_NAME_ROOM];
	const char *name;
	size_t length;

	name = precis_kernel_object_name(map->filename, room, &length);
	range.object = ranges ? precis_objects_get(objects, name, length, 1, budget) : NULL;
	if (!range.object)
		return PRECIS_E_NO_MEMORY;
	range.object->start = map->addr;
	/* The kernel's own mapping has the reference's address as its page offset */
	if (precis_is_kernel_itself(range.object)) {
		snprintf(kernel->reference, sizeof(kernel->reference), "%s",
			 map->filename + length);
		kernel->reference_address = map->page_offset;
	}
	if (__builtin_add_overflow(map->addr, map->length, &range.end))
		range.end = UINT64_MAX;
	return precis_ranges_insert(ranges, &range, budget);
}

static int add_function(struct ranges *ranges, struct objects *objects, struct range *range,
			const char *name, struct budget *budget)
{
	range->object = precis_objects_get(objects, name, strlen(name), 1, budget);
	if (!range->object)
		return PRECIS_E_NO_MEMORY;
	range->object->kind = OBJECT_KSYMBOL;
	return precis_ranges_insert(ranges, range, budget);
}

int precis_kernel_ksymbol(struct kernel *kernel, struct objects *objects,
			  const struct precis_record *record, uint64_t time, struct budget *budget)
{
	struct precis_ksymbol symbol = { .size = sizeof(symbol) };
	struct range range = { 0 };
	struct ranges *ranges;
	int error = precis_ksymbol_parse(record, &symbol);

	if (error)
		return error;
	range.start = symbol.addr;
	/* Names in brackets are of what is mapped */
	if (symbol.length == 0 || symbol.name[0] == '\0' || symbol.name[0] == '[' ||
	    __builtin_add_overflow(symbol.addr, symbol.length, &range.end))
		return 0;
	ranges = precis_images_continue(&kernel->images, time, budget);
	if (!ranges)
		return PRECIS_E_NO_MEMORY;
	if (symbol.flags & PRECIS_KSYMBOL_UNREGISTER)
		return precis_ranges_remove(ranges, range.start, range.end, budget);
	return add_function(ranges, objects, &range, symbol.name, budget);
}

/* Where a list, or a file, is of some kernel, it must be known which one was recorded */
static int is_known(const struct object *itself)
{
	return itself && itself->build_id.bytes != 0 && !itself->is_contradicted;
}

/* Is the recorded kernel the one that runs here? */
static int is_running(const struct build_id *recorded)
{
	size_t bytes, at = 0;
	char *notes = precis_text_read("", "/sys/kernel/notes", TEXT_OF_ANYONE, &bytes);
	int found = 0;

	while (notes && !found && bytes - at >= NOTE_HEADER) {
		uint32_t header[3];
		size_t name, content;

		memcpy(header, notes + at, sizeof(header));
		name = ((size_t)header[0] + 3) & ~(size_t)3;
		content = ((size_t)header[1] + 3) & ~(size_t)3;
		at += NOTE_HEADER;
		if (name + content > bytes - at)
			break;
		found = header[2] == NOTE_BUILD_ID && header[0] == 4 &&
			memcmp(notes + at, "GNU", 4) == 0 &&
			precis_build_id_matches(recorded, (uint8_t *)notes + at + name, header[1]);
		at += name + content;
	}
	free(notes);
	return found;
}

/* What was told of a list that was found counts for more than that the next is not there */
static int try_list(struct kernel *kernel, const char *path)
{
	uint64_t reference = kernel->reference_address;
	enum precis_symbol_absent absent =
		precis_kallsyms_read(path, kernel->reference, &reference, &kernel->table);

	/* The list may be of another boot, which had the kernel elsewhere */
	kernel->moved = kernel->reference_address - reference;
	if (absent != PRECIS_SYMBOL_NO_KALLSYMS)
		kernel->absent = absent;
	return absent == PRECIS_SYMBOL_PRESENT;
}

static void find_list(struct kernel *kernel, const struct places *places,
		      const struct object *itself)
{
	char path[PLACE_PATH];
	size_t i;

	kernel->absent = PRECIS_SYMBOL_NO_KALLSYMS;
	if (places->kallsyms) {
		try_list(kernel, places->kallsyms);
		return;
	}
	if (places->recording_directory &&
	    precis_places_join(path, places->recording_directory, "/kcore_dir/kallsyms", NULL) &&
	    try_list(kernel, path))
		return;
	if (!is_known(itself))
		return;
	for (i = 0; places->build_id_caches[i]; i++) {
		if (precis_places_cached(path, places->build_id_caches[i], &itself->build_id,
					 "kallsyms") &&
		    try_list(kernel, path))
			return;
	}
	if (is_running(&itself->build_id)) {
		kernel->running_is_sought = 1;
		kernel->is_running = try_list(kernel, "/proc/kallsyms");
		kernel->running_moved = kernel->moved;
	}
}

/* Its list of symbols, if it has not been read before */
static void read_list(struct kernel *kernel, struct objects *objects, const struct places *places)
{
	if (kernel->is_read)
		return;
	kernel->is_read = 1;
	find_list(kernel, places, precis_objects_find(objects, KERNEL_NAME, 1));
}

void precis_kernel_seek_running(struct kernel *kernel, struct objects *objects)
{
	const struct object *itself = precis_objects_find(objects, KERNEL_NAME, 1);
	uint64_t reference = kernel->reference_address;
	struct symbol_table table = { 0 };

	if (kernel->running_is_sought)
		return;
	kernel->running_is_sought = 1;
	if (!is_known(itself) || !is_running(&itself->build_id))
		return;
	/* The list that names functions may be the recording's or a cache's, of another boot than this one */
	kernel->is_running = precis_kallsyms_read("/proc/kallsyms", kernel->reference, &reference,
						  &table) == PRECIS_SYMBOL_PRESENT;
	kernel->running_moved = kernel->reference_address - reference;
	precis_symbol_table_free(&table);
}

/* Is that a symbol of the object? Of another boot modules lie anywhere. */
static int is_of(const struct kernel *kernel, const struct symbol *symbol,
		 const struct object *object)
{
	const char *module = precis_kallsyms_module(symbol);

	if (precis_is_kernel_itself(object))
		return module[0] == '\0';
	return kernel->moved == 0 && strcmp(module, object->name) == 0;
}

const struct symbol *precis_kernel_symbol(struct kernel *kernel, struct objects *objects,
					  const struct places *places, const struct object *object,
					  uint64_t offset, uint64_t *symbol_offset,
					  enum precis_symbol_absent *absent)
{
	const struct symbol *symbol;
	uint64_t address;

	read_list(kernel, objects, places);
	address = object->start + offset - kernel->moved;
	symbol = precis_symbol_table_find(&kernel->table, address);
	if (symbol && is_of(kernel, symbol, object)) {
		*absent = PRECIS_SYMBOL_PRESENT;
		*symbol_offset = address - symbol->start;
		return symbol;
	}
	*absent = kernel->absent ? kernel->absent : PRECIS_SYMBOL_NONE_THERE;
	return NULL;
}

void precis_kernel_free(struct kernel *kernel, struct budget *budget)
{
	precis_images_clear(&kernel->images, budget);
	precis_symbol_table_free(&kernel->table);
}
