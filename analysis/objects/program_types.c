/* SPDX-License-Identifier: BSD-3-Clause */
/* See program_types.h. */
#include "program_types.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/error.h>

#include "libdecode/code/operands/thread.h"
#include "libdecode/code/operands/types.h"
#include "lifetime.h"

/* Arrays of arrays of arrays: more are the debug information's mistake */
#define ARRAYS_MOST 32u
#define TYPEDEFS_MOST 32u
#define INSTRUCTION_MOST 15u /* bytes */
/* Of what an access may touch so many are named */
#define PATHS_MOST 4u

struct program_file {
	char *object; /* its path */
	const struct precis_symbols *symbols;
	struct precis_data_types *types; /* NULL: 'absent' says why */
	uint32_t absent;
	struct operand_types *operands; /* of its instructions; NULL: none was asked for */
};

/* 0, or negative if memory is short */
static int open_file(const struct program_place *place, uint32_t cpumode, struct program_file *file)
{
	const struct precis_location location = {
		.size = sizeof(location),
		.cpumode = cpumode,
		.object = file->object,
	};
	struct precis_bytes id = { NULL, 0 };

	if (!place->options) {
		file->absent = PRECIS_DATA_TYPE_NO_FILE;
		return 0;
	}
	if (precis_symbols_build_id(place->symbols, &location, &id) < 0)
		id.bytes = 0;
	return precis_data_types_open(place->options, file->object, id, &file->types,
				      &file->absent);
}

/* NULL: memory is short */
static struct program_file *file_of(struct program_types *types, const struct program_place *place,
				    const char *object, uint32_t cpumode)
{
	struct program_file *more;

	for (uint32_t n = 0; n < types->count; n++) {
		if (!strcmp(types->files[n].object, object) &&
		    types->files[n].symbols == place->symbols)
			return &types->files[n];
	}
	more = realloc(types->files, (types->count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	types->files = more;
	more += types->count;
	*more = (struct program_file){ .object = strdup(object), .symbols = place->symbols };
	if (!more->object || open_file(place, cpumode, more) < 0) {
		free(more->object);
		return NULL;
	}
	types->count++;
	return more;
}

int program_types_open(struct program_types *types, const struct program_place *place,
		       const char *file, struct precis_data_types **opened)
{
	const struct program_file *found = file_of(types, place, file, PRECIS_CPUMODE_USER);

	*opened = found ? found->types : NULL;
	return found ? 0 : -1;
}

/* What the elements of an array are; where the address is in one of them. 0: nobody says how long they are */
static int peel(const struct precis_data_type **type, uint64_t *offset, uint32_t *absent)
{
	for (uint32_t n = 0; precis_data_type_kind(*type) == PRECIS_DATA_KIND_ARRAY; n++) {
		const struct precis_data_type *element;
		uint64_t bytes;

		if (n == ARRAYS_MOST || !precis_data_type_target(*type, &element) || !element ||
		    !precis_data_type_bytes(element, &bytes, absent) || !bytes)
			return 0;
		*offset %= bytes;
		*type = element;
	}
	return 1;
}

/*
 * What typedefs and qualifiers of a structure stand for, if that has a name: all of its variables are of one
 * type then.
 */
static const struct precis_data_type *structure(const struct precis_data_type *type)
{
	const uint32_t kind = precis_data_type_kind(type);
	const struct precis_data_type *is;

	if (kind != PRECIS_DATA_KIND_STRUCTURE && kind != PRECIS_DATA_KIND_UNION)
		return type;
	for (uint32_t n = 0; n < TYPEDEFS_MOST && precis_data_type_target(type, &is) > 0 && is &&
			     !strstr(precis_data_type_name(is), "{...}");
	     n++)
		type = is;
	return type;
}

/* --- names --- */

struct naming {
	char *text;
	size_t used;
};

static void add_text(struct naming *naming, const char *text)
{
	const size_t room = TYPED_NAME_BYTES - naming->used, bytes = strlen(text);
	const size_t taken = bytes < room ? bytes : room - 1;

	memcpy(naming->text + naming->used, text, taken);
	naming->used += taken;
	naming->text[naming->used] = '\0';
}

/*
 * A member's name begins at once where it is one of all that is named; the number of an element does not
 * tell
 */
static int begins_with_number(const char *path)
{
	return path[0] == '[' ||
	       (path[0] == '(' && (path[1] == '-' || (path[1] >= '0' && path[1] <= '9')));
}

static void add_path(struct naming *naming, const char *of, const char *path)
{
	add_text(naming, of);
	if (of[0] && path[0] && !begins_with_number(path))
		add_text(naming, ".");
	add_text(naming, path);
}

/* The type, or the variable, stands before the first, where that does not begin with a number before each */
static void add_paths(struct naming *naming, const struct precis_data_type_paths *paths,
		      const char *of, enum typed_part wanted)
{
	struct precis_data_type_path path = { .size = sizeof(path) };
	uint32_t alternative = 0, count = 0;
	char more[32];

	for (; precis_data_type_path(paths, count, &path) > 0; count++) {
		if (count >= PATHS_MOST)
			continue;
		if (count)
			add_text(naming, path.alternative == alternative ? "|" : ", ");
		alternative = path.alternative;
		add_path(naming, count && wanted == TYPED_MEMBER ? "" : of,
			 wanted == TYPED_MEMBER ? path.pattern : path.text);
	}
	snprintf(more, sizeof(more), ", and %u more", count > PATHS_MOST ? count - PATHS_MOST : 0);
	if (count > PATHS_MOST)
		add_text(naming, more);
}

/* --- a variable's --- */

/* The variable that an address is in, and from where on; 0: there is none, or it has no type */
static int find_variable(const struct program_file *file, uint64_t address, struct typed *typed,
			 struct precis_variable *variable)
{
	typed->absent = file->types ? PRECIS_DATA_TYPE_NO_VARIABLE : file->absent;
	if (!file->types || precis_data_types_variable_at(file->types, 0, address, variable) <= 0)
		return 0;
	typed->absent = variable->absent;
	return variable->type != NULL;
}

/* There is room for ways into a type, here and for whoever asks about what was told. 0, or -1 */
static int need_paths(struct program_types *types)
{
	return types->paths || precis_data_type_paths_new(&types->paths) == 0 ? 0 : -1;
}

/* What an access touches of a type; -1: memory is short */
static int name_part(struct program_types *types, const struct precis_data_type *type,
		     uint64_t offset, uint32_t width, const char *of, enum typed_part wanted,
		     struct typed *typed)
{
	const int count = precis_data_type_at(type, offset, width, types->paths);
	struct naming naming = { types->name, 0 };

	typed->absent = precis_data_type_paths_absent(types->paths);
	if (count > 0) {
		add_paths(&naming, types->paths, of, wanted);
		typed->name = types->name;
	}
	return count == PRECIS_E_NO_MEMORY ? -1 : 0;
}

static void tell_whole(const char *file, const struct precis_data_type *type, uint64_t offset,
		       struct typed *typed)
{
	*typed = (struct typed){
		.name = precis_data_type_name(type),
		.type = type,
		.file = file,
		.offset = offset,
		.evidence = typed->evidence,
		.is_behind = typed->is_behind,
	};
}

/* Of a type that is known: its name, or that of the member that an access touches */
static int tell_type(struct program_types *types, const char *file,
		     const struct precis_data_type *type, uint64_t offset, uint32_t width,
		     enum typed_part wanted, struct typed *typed)
{
	type = structure(type);
	tell_whole(file, type, offset, typed);
	if (wanted == TYPED_WHOLE)
		return 0;
	typed->name = NULL;
	return name_part(types, type, offset, width, precis_data_type_name(type), wanted, typed);
}

/* Of a variable that is known, and how far in it the address is */
static int tell_variable(struct program_types *types, const char *file,
			 const struct precis_variable *variable, uint64_t offset, uint32_t width,
			 enum typed_part wanted, struct typed *typed)
{
	const struct precis_data_type *type = variable->type;

	*typed = (struct typed){
		.absent = variable->absent,
		.evidence = "the variable that the address is in",
	};
	if (!type)
		return 0;
	if (wanted == TYPED_ELEMENT) {
		typed->declared = variable->line ? variable->file : NULL;
		typed->declared_line = variable->line;
		return name_part(types, type, offset, width, variable->name, wanted, typed);
	}
	if (!peel(&type, &offset, &typed->absent))
		return 0;
	return tell_type(types, file, type, offset, width, wanted, typed);
}

int program_types_at(struct program_types *types, const struct program_place *place,
		     const struct precis_memory *memory, uint32_t width, enum typed_part wanted,
		     struct typed *typed)
{
	const struct program_file *file =
		file_of(types, place, memory->object, PRECIS_CPUMODE_USER);
	struct precis_variable variable = { .size = sizeof(variable) };

	*typed = (struct typed){ .name = NULL };
	if (!file || need_paths(types) < 0)
		return -1;
	if (!find_variable(file, memory->address, typed, &variable))
		return 0;
	return tell_variable(types, file->object, &variable, memory->address - variable.address,
			     width, wanted, typed);
}

/* 'element': its number, of an array; NULL: it is none */
static int name_element(struct program_types *types, const char *file,
			const struct precis_data_type *type, const char *of, uint64_t offset,
			const uint64_t *element, uint32_t width, enum typed_part wanted,
			struct typed *typed)
{
	char name[TYPED_NAME_BYTES];

	if (wanted != TYPED_ELEMENT)
		return tell_type(types, file, type, offset, width, wanted, typed);
	type = structure(type);
	if (element)
		snprintf(name, sizeof(name), "%s[%" PRIu64 "]", of, *element);
	else
		snprintf(name, sizeof(name), "%s", of);
	return name_part(types, type, offset, width, name, wanted, typed);
}

/* Definitions of one name in a file: of more the first are looked at */
#define OF_NAME_MOST 64u

/* A type that was asked for by its name */
struct named_type {
	const struct precis_data_type *type; /* NULL: 'absent' says why */
	const char *file;
	uint64_t bytes; /* 0: nobody says */
	int fits; /* it is as long as the object says that it is */
	uint32_t absent;
};

/* Of several that are called so it is the one that fits. Files that were built together have the same. */
static void consider(const struct lifetime *life, const struct precis_data_type *type,
		     const char *file, struct named_type *found)
{
	struct named_type is = { .type = type, .file = file };

	precis_data_type_bytes(type, &is.bytes, &is.absent);
	is.absent = PRECIS_DATA_TYPE_PRESENT;
	is.fits =
		is.bytes && (life->stride ? is.bytes == life->stride : life->bytes % is.bytes == 0);
	if (!found->type || is.fits > found->fits)
		*found = is;
	else if (is.fits == found->fits && (is.file == found->file || is.bytes != found->bytes))
		found->absent = PRECIS_DATA_TYPE_AMBIGUOUS;
}

/* In one more file. 0, or -1 if memory is short */
static int find_named(struct program_types *types, const struct program_place *place,
		      const char *object, const struct lifetime *life, struct named_type *found)
{
	const struct program_file *file = file_of(types, place, object, PRECIS_CPUMODE_USER);
	const struct precis_data_type *type = NULL;

	if (!file)
		return -1;
	if (!found->type)
		found->absent = file->types ? PRECIS_DATA_TYPE_NONE_OF_NAME : file->absent;
	for (uint32_t n = 0; file->types && n < OF_NAME_MOST &&
			     precis_data_types_find(file->types, life->type, n, &type) > 0;
	     n++)
		consider(life, type, file->object, found);
	return 0;
}

/* The executable's; else that of what it had loaded: files of the recording, by where their code is */
static int find_type(struct program_types *types, const struct program_place *place,
		     const struct program_object *object, struct named_type *found)
{
	const struct lifetime *life = object->life;
	struct precis_location location = { .size = sizeof(location) };
	uint32_t absent;

	*found = (struct named_type){ .type = NULL };
	if (find_named(types, place, life->executable, life, found) < 0)
		return -1;
	absent = found->absent;
	for (uint32_t n = 0, is_there = found->type != NULL; !is_there && n < life->module_count;
	     n++) {
		if (precis_symbols_locate(place->symbols, object->pid, PRECIS_CPUMODE_USER,
					  object->time, life->modules[n].code, &location) > 0 &&
		    find_named(types, place, location.object, life, found) < 0)
			return -1;
	}
	if (!found->type)
		found->absent = absent;
	if (found->absent)
		found->type = NULL;
	return 0;
}

int program_types_of(struct program_types *types, const struct program_place *place,
		     const struct program_object *object, uint32_t width, enum typed_part wanted,
		     struct typed *typed)
{
	const struct lifetime *life = object->life;
	uint64_t stride = life->stride, element, offset;
	struct named_type found;

	*typed = (struct typed){
		.absent = PRECIS_DATA_TYPE_NONE_OF_NAME,
		.evidence = "the program's own word (precis_objects_name)",
	};
	if (!life->type)
		return 0;
	if (find_type(types, place, object, &found) < 0 || need_paths(types) < 0)
		return -1;
	typed->absent = found.absent;
	if (!found.type)
		return 0;
	/* one object that is as long as several of its type are these */
	if (!stride && found.bytes && life->bytes > found.bytes && life->bytes % found.bytes == 0)
		stride = found.bytes;
	element = stride ? object->offset / stride : 0;
	offset = stride ? object->offset % stride : object->offset;
	return name_element(types, found.file, found.type, object->name, offset,
			    stride ? &element : NULL, width, wanted, typed);
}

/* --- variables of threads --- */

/*
 * The module whose variables these are. 1; 0: it is not known, or not read, and 'absent' says why; -1: memory
 * is short
 */
static int find_thread_file(struct program_types *types, const struct program_place *place,
			    const struct program_object *object, const struct program_file **file,
			    uint32_t *absent)
{
	struct precis_location location = { .size = sizeof(location) };

	*absent = PRECIS_DATA_TYPE_NO_FILE;
	if (!object->life->code ||
	    precis_symbols_locate(place->symbols, object->pid, PRECIS_CPUMODE_USER, object->time,
				  object->life->code, &location) <= 0)
		return 0;
	*file = file_of(types, place, location.object, PRECIS_CPUMODE_USER);
	if (!*file)
		return -1;
	*absent = (*file)->absent;
	return (*file)->types != NULL;
}

/* Likewise */
static int find_thread_variable(struct program_types *types, const struct program_place *place,
				const struct program_object *object,
				struct precis_variable *variable, const char **path)
{
	const struct program_file *file;
	const int found = find_thread_file(types, place, object, &file, &variable->absent);

	if (found <= 0)
		return found;
	variable->absent = PRECIS_DATA_TYPE_NO_VARIABLE;
	*path = file->object;
	return precis_data_types_variable_at(file->types,
					     object->life->is_before ? PRECIS_VARIABLE_POINTER
								     : PRECIS_VARIABLE_THREAD,
					     object->offset, variable) > 0;
}

/* Those of threads come last. */
int program_types_has_thread_variables(struct program_types *types,
				       const struct program_place *place,
				       const struct program_object *object)
{
	struct precis_variable last = { .size = sizeof(last) };
	const struct program_file *file;
	uint32_t absent;
	const int found = find_thread_file(types, place, object, &file, &absent);
	const uint64_t count = found > 0 ? precis_data_types_variables(file->types) : 0;

	if (found < 0)
		return -1;
	return count && precis_data_types_variable(file->types, count - 1, &last) > 0 &&
	       last.flags & PRECIS_VARIABLE_THREAD;
}

int program_types_thread_variable(struct program_types *types, const struct program_place *place,
				  const struct program_object *object, const char **name,
				  const char **path)
{
	struct precis_variable variable = { .size = sizeof(variable) };
	const int found = find_thread_variable(types, place, object, &variable, path);

	*name = found > 0 ? variable.name : NULL;
	return found < 0 ? -1 : 0;
}

int program_types_of_thread(struct program_types *types, const struct program_place *place,
			    const struct program_object *object, uint32_t width,
			    enum typed_part wanted, struct typed *typed)
{
	struct precis_variable variable = { .size = sizeof(variable) };
	const char *path;
	const int found = find_thread_variable(types, place, object, &variable, &path);

	*typed = (struct typed){ .absent = variable.absent };
	if (found <= 0)
		return found;
	if (need_paths(types) < 0)
		return -1;
	return tell_variable(types, path, &variable, object->offset - variable.address, width,
			     wanted, typed);
}

/* --- blocks --- */

const char *program_types_evidence(uint32_t evidence)
{
	static const char *const names[PROGRAM_EVIDENCE] = {
		[PRECIS_ALLOCATION_CALL] = "the compiler's word",
		[PRECIS_ALLOCATION_ALLOCATOR] = "the allocator's template argument",
		[PRECIS_ALLOCATION_VARIABLE] = "the variable that took them",
		[PRECIS_ALLOCATION_MEMBER] = "the member that took them",
		[PRECIS_ALLOCATION_OBJECT] = "the constructor",
		[PRECIS_ALLOCATION_PARAMETER] = "the parameter that took them",
		[PRECIS_ALLOCATION_RETURNED] = "what the function returns",
		[PROGRAM_VOTES] = "votes of instructions",
	};

	return evidence < PROGRAM_EVIDENCE && names[evidence] ? names[evidence] : "nothing";
}

#define BLOCK_TYPES_LOG 10u
/* Calls that are asked of: more is not looked at */
#define CALLS_MOST 32u

struct block_type {
	const void *key;
	uint64_t bytes;
	const struct precis_data_type *type;
	uint64_t start; /* where it begins */
	uint64_t known; /* so many bytes of it; 0: all */
	uint32_t evidence, absent;
};

static struct block_type *find_block_type(struct program_types *types,
					  const struct program_file *file,
					  const struct program_block *block)
{
	struct precis_allocation allocation = { .size = sizeof(allocation) };
	uint64_t addresses[CALLS_MOST] = { 0 };
	struct block_type *known;

	known = &types->blocks[(((uintptr_t)block->key >> 3) + block->bytes) *
				       UINT64_C(0x9e3779b97f4a7c15) >>
			       (64 - BLOCK_TYPES_LOG)];
	if (known->key == block->key && known->bytes == block->bytes)
		return known;
	for (uint32_t n = 0; n < block->count && n < CALLS_MOST; n++) {
		if (block->offsets[n] != PROGRAM_ELSEWHERE)
			precis_data_types_address(file->types, block->offsets[n], &addresses[n]);
	}
	precis_data_type_of_allocation(file->types, addresses,
				       block->count < CALLS_MOST ? block->count : CALLS_MOST,
				       block->bytes, &allocation);
	*known = (struct block_type){
		block->key,       block->bytes,        allocation.type,   allocation.start,
		allocation.known, allocation.evidence, allocation.absent,
	};
	return known;
}

uint64_t program_types_cookie(uint64_t block_bytes, uint64_t bytes)
{
	const uint64_t rest = block_bytes % bytes;

	return block_bytes > bytes && (rest == 8 || rest == 16) ? rest : 0;
}

/* A structure that ends in an array of as many elements as there are: a block has one of it */
static int goes_on(const struct program_types *types, const struct precis_data_type *type,
		   uint64_t bytes)
{
	return precis_data_type_kind(type) == PRECIS_DATA_KIND_STRUCTURE &&
	       precis_data_type_at(type, bytes, 1, types->paths) > 0;
}

int program_types_of_typed_block(struct program_types *types, const char *file,
				 const struct precis_data_type *type,
				 const struct program_block *block, uint32_t width,
				 enum typed_part wanted, const char *evidence, struct typed *typed)
{
	uint64_t bytes, cookie, element;

	*typed = (struct typed){ .name = NULL };
	if (need_paths(types) < 0)
		return -1;
	if (!precis_data_type_bytes(type, &bytes, &typed->absent) || !bytes)
		return 0;
	typed->evidence = evidence;
	if (goes_on(types, type, bytes))
		return name_element(types, file, type, block->name, block->offset, NULL, width,
				    wanted, typed);
	cookie = program_types_cookie(block->bytes, bytes);
	typed->absent = PRECIS_DATA_TYPE_BEYOND;
	if (block->offset < cookie)
		return 0;
	element = (block->offset - cookie) / bytes;
	return name_element(types, file, type, block->name, (block->offset - cookie) % bytes,
			    block->bytes >= 2 * bytes ? &element : NULL, width, wanted, typed);
}

/* Of a block only what it begins with is known: it is of that type, but no member is there. */
static void tell_behind(const char *file, const struct block_type *known, uint64_t offset,
			enum typed_part wanted, struct typed *typed)
{
	typed->evidence = program_types_evidence(known->evidence);
	typed->is_behind = 1;
	if (wanted == TYPED_WHOLE)
		tell_whole(file, structure(known->type), offset, typed);
}

int program_types_of_block(struct program_types *types, const struct program_place *place,
			   const struct program_block *block, uint32_t width,
			   enum typed_part wanted, struct typed *typed,
			   struct program_called *called)
{
	const struct program_file *file = file_of(types, place, block->file, PRECIS_CPUMODE_USER);
	const struct block_type *known;
	struct program_block behind = *block;

	*typed = (struct typed){ .name = NULL };
	*called = (struct program_called){ 0, NULL };
	if (!types->blocks)
		types->blocks = calloc((size_t)1 << BLOCK_TYPES_LOG, sizeof(*types->blocks));
	if (!file || !types->blocks)
		return -1;
	typed->absent = file->absent;
	if (!file->types)
		return 0;
	known = find_block_type(types, file, block);
	typed->absent = known->absent;
	if (!known->type)
		return 0;
	typed->absent = PRECIS_DATA_TYPE_BEYOND;
	if (block->offset < known->start)
		return 0;
	*called = (struct program_called){ known->evidence, known->type };
	behind.offset -= known->start;
	behind.bytes -= known->start;
	if (known->known && behind.offset >= known->known) {
		tell_behind(file->object, known, behind.offset, wanted, typed);
		return 0;
	}
	if (known->known)
		behind.bytes = known->known;
	return program_types_of_typed_block(types, file->object, known->type, &behind, width,
					    wanted, program_types_evidence(known->evidence), typed);
}

/* --- by instructions --- */

struct code_reader {
	const struct program_place *place;
	const struct program_instruction *instruction;
	uint64_t offset; /* of it, in the file */
	uint64_t address; /* of it, the file's own */
};

/* A segment is loaded as a whole: from address to address it is as far as from offset to offset. */
static uint32_t read_code(void *data, uint64_t address, uint8_t *bytes, uint32_t most)
{
	const struct code_reader *reader = data;
	const struct precis_location location = {
		.size = sizeof(location),
		.cpumode = reader->instruction->cpumode,
		.object = reader->instruction->file,
		.offset = reader->instruction->offset + (address - reader->address),
	};
	struct precis_code code = { .size = sizeof(code) };
	const int count =
		precis_symbols_code(reader->place->symbols, &location, bytes, most, &code);
	/* the kernel's is that where it was loaded */
	const int is_there = code.address == address || location.cpumode == PRECIS_CPUMODE_KERNEL;

	return count > 0 && code.bits == 64 && is_there ? (uint32_t)count : 0;
}

/* What the operand is; 0, or -1 if memory is short */
static int find_operand(struct program_file *file, struct code_reader *reader,
			struct operand_type *is)
{
	*is = (struct operand_type){ .absent = OPERAND_NO_CODE };
	if (!precis_data_types_address(file->types, reader->offset, &reader->address))
		return 0;
	if (!file->operands)
		file->operands = operand_types_new(file->types);
	if (!file->operands)
		return -1;
	return operand_types_at(file->operands, reader->address, 0, read_code, reader, is) < 0 ? -1 : 0;
}

/* Where the file has the instruction; 0: 'untold' says why that is not known */
static int find_offset(const struct program_place *place,
		       const struct program_instruction *instruction, uint64_t *offset,
		       const char **untold)
{
	const struct precis_location location = {
		.size = sizeof(location),
		.cpumode = instruction->cpumode,
		.object = instruction->file,
		.offset = instruction->offset,
	};

	*offset = instruction->offset;
	if (instruction->cpumode == PRECIS_CPUMODE_USER)
		return 1;
	*untold = strcmp(instruction->file, "[kernel.kallsyms]")
			  ? "code of a kernel module, or made at run time"
			  : "code of the kernel, of whose build no vmlinux is found";
	return precis_symbols_file_offset(place->symbols, &location, offset) > 0;
}

int program_types_from_thread(const struct program_place *place,
			      const struct program_instruction *instruction, int64_t *offset)
{
	const struct precis_location location = {
		.size = sizeof(location),
		.cpumode = instruction->cpumode,
		.object = instruction->file,
		.offset = instruction->offset,
	};
	struct precis_code code = { .size = sizeof(code) };
	uint8_t bytes[INSTRUCTION_MOST];
	int count;

	if (!location.object)
		return 0;
	count = precis_symbols_code(place->symbols, &location, bytes, sizeof(bytes), &code);
	return count > 0 && code.bits == 64 && operand_from_thread(bytes, (uint32_t)count, offset);
}

int program_types_operand(struct program_types *types, const struct program_place *place,
			  const struct program_instruction *instruction,
			  struct program_operand *operand)
{
	struct code_reader reader = { .place = place, .instruction = instruction };
	struct program_file *file;
	struct operand_type is;

	*operand = (struct program_operand){ .type = NULL };
	if (!find_offset(place, instruction, &reader.offset, &operand->untold))
		return 0;
	file = file_of(types, place, instruction->file, instruction->cpumode);
	if (!file)
		return -1;
	operand->untold = precis_data_type_absent_text(file->absent);
	if (!file->types)
		return 0;
	if (find_operand(file, &reader, &is) < 0)
		return -1;
	*operand = (struct program_operand){
		.type = is.type,
		.offset = is.offset,
		.width = is.width,
		.file = file->object,
		.evidence = is.type ? operand_evidence_text(is.evidence) : NULL,
		.untold = is.type ? NULL : operand_absence_text(is.absent),
	};
	return 0;
}

int program_types_of_operand(struct program_types *types, const struct program_operand *operand,
			     uint32_t width, enum typed_part wanted, struct typed *typed)
{
	*typed = (struct typed){ .evidence = operand->evidence };
	if (need_paths(types) < 0)
		return -1;
	return tell_type(types, operand->file, operand->type, operand->offset,
			 width ? width : operand->width, wanted, typed);
}

void program_types_forget_blocks(struct program_types *types)
{
	free(types->blocks);
	types->blocks = NULL;
}

void program_types_free(struct program_types *types)
{
	for (uint32_t n = 0; n < types->count; n++) {
		operand_types_free(types->files[n].operands);
		precis_data_types_free(types->files[n].types);
		free(types->files[n].object);
	}
	free(types->files);
	free(types->blocks);
	free(types->calls);
	precis_data_type_paths_free(types->paths);
	memset(types, 0, sizeof(*types));
}
