/* SPDX-License-Identifier: BSD-3-Clause */
/* The type and the member that an address of a variable is in, by the debug information of its program. */
#ifndef ANALYSIS_OBJECTS_PROGRAM_TYPES_H
#define ANALYSIS_OBJECTS_PROGRAM_TYPES_H

#include <precis/data_types.h>
#include <precis/symbols.h>

struct lifetime;
struct program_file;
struct block_type;
struct known_call;

#define TYPED_NAME_BYTES 512u

/* Zeroed memory has read no file. */
struct program_types {
	struct program_file *files;
	uint32_t count;
	struct precis_data_type_paths *paths;
	struct block_type *blocks; /* what was found of blocks, some of it */
	struct known_call *calls; /* likewise of calls */
	char name[TYPED_NAME_BYTES];
};

/* What of a variable is wanted */
enum typed_part {
	TYPED_WHOLE, /* its type, of an array that of its elements */
	TYPED_MEMBER, /* of that type, without numbers of elements */
	TYPED_ELEMENT /* of the variable, with them */
};

/*
 * "struct record", "struct record.inner[].key", "records[3].inner[7].key"; of a union all that it may be,
 * of an access to several members some, and how many more. It lives until the next call.
 */
struct typed {
	const char *name; /* NULL: 'absent' says why */
	uint32_t absent; /* enum precis_data_type_absent */
	/* Of no element: the type, as its file knows it, and where in one of it the address is */
	const struct precis_data_type *type;
	const char *file;
	uint64_t offset;
	int is_behind; /* of a block that begins with one of it the address is behind that */
	const char *evidence; /* in words: what tells it */
	/* Of a variable's element: where the variable is declared; NULL: that is not known */
	const char *declared;
	uint32_t declared_line; /* there, from 1 */
};

struct program_place {
	struct precis_symbols *symbols;
	const struct precis_symbols_options
		*options; /* where files are looked for; NULL: none is opened */
};

/*
 * @param memory  PRECIS_MEMORY_PROGRAM
 * @param width   of the access, 0: not known
 * @return 0, or -1 if memory is short
 */
int program_types_at(struct program_types *types, const struct program_place *place,
		     const struct precis_memory *memory, uint32_t width, enum typed_part wanted,
		     struct typed *typed);

/* What a program says is of one of its types */
struct program_object {
	const struct lifetime
		*life; /* NAMED: its 'type' is "struct node"; NULL: nobody has said it */
	const char *name;
	uint64_t offset; /* of what is asked for */
	/* Whose it is: types that the executable does not have are those of what it had loaded then */
	uint32_t pid;
	uint64_t time;
};

/* Likewise. A name is not to be compared by its address: it is of a side file. */
int program_types_of(struct program_types *types, const struct program_place *place,
		     const struct program_object *object, uint32_t width, enum typed_part wanted,
		     struct typed *typed);

/* Of the variable of a thread, by its life, TLS: 'name' of the object does not count. Likewise */
int program_types_of_thread(struct program_types *types, const struct program_place *place,
			    const struct program_object *object, uint32_t width,
			    enum typed_part wanted, struct typed *typed);
/*
 * Its name, and the path of its module, if it has one that is known; these are the file's. 0, or -1 if memory
 * is short
 * @param name  NULL: it has none, or none is known
 */
int program_types_thread_variable(struct program_types *types, const struct program_place *place,
				  const struct program_object *object, const char **name,
				  const char **path);
/* Has the module any? 1, 0: no, or it is not known, or -1 if memory is short */
int program_types_has_thread_variables(struct program_types *types,
				       const struct program_place *place,
				       const struct program_object *object);

/* A block of the heap, and the calls that asked for it */
struct program_block {
	const void *key; /* the same for the same calls */
	const char *file; /* that has them */
	const uint64_t *
		offsets; /* return addresses in that file, the innermost first; PROGRAM_ELSEWHERE */
	uint32_t count;
	uint64_t bytes; /* of the block */
	uint64_t offset; /* of what is asked for */
	const char *name; /* of the block */
};

#define PROGRAM_ELSEWHERE UINT64_MAX
/* Kinds of enum precis_allocation_evidence, and none; and what the calls do not tell: type_votes.h */
#define PROGRAM_VOTES 8u
#define PROGRAM_EVIDENCE 9u

/* What tells the types of blocks, in words: static */
const char *program_types_evidence(uint32_t evidence);

/* What the calls tell of a block */
struct program_called {
	uint32_t evidence; /* enum precis_allocation_evidence; 0: nothing */
	const struct precis_data_type *type; /* of it, or of each of its elements */
};

/* Likewise, by debug information of the calls. */
int program_types_of_block(struct program_types *types, const struct program_place *place,
			   const struct program_block *block, uint32_t width,
			   enum typed_part wanted, struct typed *typed,
			   struct program_called *called);

/* What new[] puts before elements of so many bytes: what a block has more than these */
uint64_t program_types_cookie(uint64_t block_bytes, uint64_t bytes);

/*
 * Likewise, of a block that is of that type, as its file knows it, whoever says so
 * @param evidence  in words: static
 */
int program_types_of_typed_block(struct program_types *types, const char *file,
				 const struct precis_data_type *type,
				 const struct program_block *block, uint32_t width,
				 enum typed_part wanted, const char *evidence, struct typed *typed);

/* Which functions only pass a request on, by names as linkers have them */
struct program_passing {
	int (*passes_on)(const struct program_passing *passing, const char *function);
	char *(*demangle)(const char *symbol); /* NULL: as they are */
};

/* A call in the source */
struct program_call {
	const char *file; /* the type's file keeps it */
	uint32_t line;
};

/*
 * Of an instruction in functions that pass on and were inlined: where the first one that does not, into which
 * they were, calls them. 1; 0: it is in none such, or that is not known; -1 if memory is short
 */
int program_types_call(struct program_types *types, const struct program_place *place,
		       const char *file, uint64_t offset, const struct program_passing *passing,
		       struct program_call *call);

/* What is known of a program's file; NULL: nothing. 0, or -1 if memory is short */
int program_types_open(struct program_types *types, const struct program_place *place,
		       const char *file, struct precis_data_types **opened);

/* An instruction, where its file has it */
struct program_instruction {
	const char *file;
	uint64_t offset;
	uint32_t cpumode; /* as in struct precis_location */
};

/* What the very instruction that accesses it tells of something by its operand, whatever the address is */
struct program_operand {
	const struct precis_data_type *type; /* NULL: 'untold' says why, in words */
	uint64_t offset;
	uint32_t width; /* 0: not known */
	const char *file;
	const char *evidence, *untold;
};

/* Its only data is so far from the thread's pointer. 0: it does not say that */
int program_types_from_thread(const struct program_place *place,
			      const struct program_instruction *instruction, int64_t *offset);

/* 0, or -1 if memory is short */
int program_types_operand(struct program_types *types, const struct program_place *place,
			  const struct program_instruction *instruction,
			  struct program_operand *operand);

/*
 * Likewise as above, of an operand that has a type: it tells no element. Of memory of which the type is not
 * known that is all that can be told.
 */
int program_types_of_operand(struct program_types *types, const struct program_operand *operand,
			     uint32_t width, enum typed_part wanted, struct typed *typed);

/* Keys of blocks are used again. */
void program_types_forget_blocks(struct program_types *types);

void program_types_free(struct program_types *types);

#endif
