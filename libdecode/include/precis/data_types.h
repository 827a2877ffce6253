/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What data a program file has: its variables, and the types and members of what lies at an offset.
 *
 * Variables are those of the ELF symbol tables (STT_OBJECT, STT_TLS: System V ABI, "Symbol Table"), which
 * need no debug information, together with those of DWARF 2 to 5, which have types. Types, members and
 * arrays: DWARF 5, chapter 5; split files and packages of them: appendix F; supplementary files as dwz
 * makes them.
 *
 * All addresses are the file's own, as its program headers have them: what a process uses is that and where
 * the file was loaded. Offsets and sizes are in bytes unless a name says bits. Handles are not for several
 * threads at once. All strings and types belong to the handle and live as long as it does.
 */
#ifndef PRECIS_DATA_TYPES_H
#define PRECIS_DATA_TYPES_H

#include <precis/export.h>
#include <precis/symbols.h>

PRECIS_BEGIN_DECLS

/** The variables and types of one file. */
struct precis_data_types;

/** One of its types. The same type has one pointer for each place of the file that describes it. */
struct precis_data_type;

/** Why something is not known. The numbers are ABI: new ones are added at the end. */
enum precis_data_type_absent {
	PRECIS_DATA_TYPE_PRESENT = 0,         /* it is there */
	PRECIS_DATA_TYPE_NOT_BUILT = 1,       /* this build of the library reads no ELF files */
	PRECIS_DATA_TYPE_NO_FILE = 2,         /* the file is not there, or cannot be read as ELF */
	PRECIS_DATA_TYPE_OTHER_BUILD_ID = 3,  /* the file is not the recorded one */
	PRECIS_DATA_TYPE_NO_DEBUG_INFO = 4,   /* neither the file nor a debug file has DWARF */
	PRECIS_DATA_TYPE_NO_VARIABLE = 5,     /* the file tells of no variable there */
	PRECIS_DATA_TYPE_NONE_OF_NAME = 6,    /* no type has that name */
	PRECIS_DATA_TYPE_NOT_DESCRIBED = 7,   /* the debug information does not describe that variable */
	PRECIS_DATA_TYPE_INCOMPLETE = 8,      /* declared, and defined nowhere in the file */
	PRECIS_DATA_TYPE_AMBIGUOUS = 9,       /* declared, and defined in several ways */
	PRECIS_DATA_TYPE_RUN_TIME = 10,       /* worked out by the program: a length, a stride, a position */
	PRECIS_DATA_TYPE_VIRTUAL_BASE = 11,   /* where a virtual base lies depends on the object */
	PRECIS_DATA_TYPE_BEYOND = 12,         /* the offset is not in the type */
	PRECIS_DATA_TYPE_NO_SIZE = 13,        /* functions and void have none */
	PRECIS_DATA_TYPE_LOOP = 14,           /* the description leads back to itself, or is too deep */
	PRECIS_DATA_TYPE_TOO_MANY = 15,       /* more than the library's limits allow */
	PRECIS_DATA_TYPE_MALFORMED = 16,      /* the debug information contradicts itself */
	PRECIS_DATA_TYPE_NO_SPLIT_FILE = 17,  /* it is in a .dwo file that is not there, or is another one */
	PRECIS_DATA_TYPE_PACKAGE = 18,        /* it is in a .dwp file that cannot be read */
	PRECIS_DATA_TYPE_NO_SUPPLEMENT = 19,  /* it is in a supplementary file (dwz) that is not there */
	PRECIS_DATA_TYPE_DESCRIPTOR = 20,     /* the object is a descriptor; the data lie where it points */
	PRECIS_DATA_TYPE_HOLDS_POINTERS = 21, /* pointers are kept in the block, and nothing says to what */
	PRECIS_DATA_TYPE_DIVIDED = 22         /* pointers to several types lead into the block */
};

/** The reason in a few words, without a final full stop. Never NULL. */
PRECIS_API const char *precis_data_type_absent_text(uint32_t absent);

/* --- files ------------------------------------------------------------------------------------- */

/**
 * Read the variables of a file and index its types.
 *
 * @param options   where it and its debug files are looked for; NULL: as perf does
 * @param path      of the file
 * @param build_id  which build is wanted; of no bytes: any
 * @param types     set, to be freed; NULL if there are none
 * @param absent    set to enum precis_data_type_absent if it is not NULL: why there are none
 * @return 1; 0 if there are none; PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_data_types_open(const struct precis_symbols_options *options, const char *path,
				 struct precis_bytes build_id, struct precis_data_types **types,
				 uint32_t *absent);

/** NULL is allowed. */
PRECIS_API void precis_data_types_free(struct precis_data_types *types);

/** Why this file has variables and no types, or not all: enum precis_data_type_absent. */
PRECIS_API uint32_t precis_data_types_lack(const struct precis_data_types *types);

/**
 * The address of what a mapping has at an offset in the file: with the start of the mapping that tells
 * where the file was loaded.
 *
 * @return 1; 0 if the file loads nothing executable from there; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_data_types_address(const struct precis_data_types *types, uint64_t file_offset,
				    uint64_t *address);

/* --- variables --------------------------------------------------------------------------------- */

/** What a variable is. */
enum precis_variable_flags {
	PRECIS_VARIABLE_THREAD = 1u << 0, /* each thread has its own */
	PRECIS_VARIABLE_EXTERNAL = 1u << 1, /* other files can see it */
	PRECIS_VARIABLE_COMMON = 1u << 2, /* a whole COMMON block of Fortran */
	PRECIS_VARIABLE_POINTER = 1u << 3 /* in questions alone: precis_data_types_variable_at() */
};

struct precis_variable {
	uint32_t size;     /* sizeof(struct precis_variable), set by the caller */
	uint32_t flags;    /* enum precis_variable_flags */
	const char *name;  /* with namespaces and classes; as the symbol table has it, without a version, if
			    * nobody else does; "": none, as of a string in the text */
	const char *scope; /* the function or COMMON block that it is in; NULL: in none */
	const char *file;  /* that declares it; NULL if that is not known */
	uint32_t line;     /* there, from 1; 0: not known */
	uint32_t absent;   /* enum precis_data_type_absent: why 'type' is NULL */
	uint64_t address;  /* or, with PRECIS_VARIABLE_THREAD, the offset in the file's thread storage */
	uint64_t bytes;    /* how long it is; 0: nobody says */
	const struct precis_data_type *type;
};

/** How many variables there are, in the order of addresses; those of threads come last. */
PRECIS_API uint64_t precis_data_types_variables(const struct precis_data_types *types);

/** Variable n, from 0. @return 1; 0 if there is none; PRECIS_E_ARGUMENT */
PRECIS_API int precis_data_types_variable(struct precis_data_types *types, uint64_t n,
				     struct precis_variable *variable);

/**
 * The variable that an address lies in; the innermost of several.
 *
 * @param flags  PRECIS_VARIABLE_THREAD: 'address' is an offset in the file's thread storage;
 *               PRECIS_VARIABLE_POINTER: one from x86-64's thread pointer, fs, of a program itself: negative,
 *               and so is the variable's
 * @return 1; 0 if there is none ('absent' says why); PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_data_types_variable_at(struct precis_data_types *types, uint32_t flags,
					     uint64_t address, struct precis_variable *variable);

/* --- functions --------------------------------------------------------------------------------- */

/** A function that code belongs to: it lies in one, or in one that was inlined into that. */
struct precis_code_function {
	uint32_t size;      /* sizeof(struct precis_code_function), set by the caller */
	uint32_t declared;  /* the line that it begins on, from 1; 0: not known */
	const char *name;   /* as linkers have it (DW_AT_linkage_name), else as the source has it */
	uint32_t call_line; /* of the call that was inlined, in the function around; 0: not known, or none */
	uint32_t call_discriminator; /* of that line; 0: the compiler gave it none */
	const char *call_file; /* of the source, that has that line; NULL: not known, or none */
};

/**
 * The functions that the instruction at an address belongs to: number 0 is the innermost, the last one that
 * whose code it is. Each but the last was inlined into the next one. Quick for addresses one after the
 * other. Of programs with split files (.dwo) none are known.
 *
 * @return 1; 0 if there are no more than n, or none is known there; PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_data_types_function(struct precis_data_types *types, uint64_t address, uint32_t n,
					  struct precis_code_function *function);

/* --- types ------------------------------------------------------------------------------------- */

/** What a type is, beneath typedefs and qualifiers. */
enum precis_data_type_kind {
	PRECIS_DATA_KIND_VOID = 0,
	PRECIS_DATA_KIND_BASE = 1, /* integers, floating point numbers, characters, … */
	PRECIS_DATA_KIND_ENUMERATION = 2,
	PRECIS_DATA_KIND_POINTER = 3, /* references, too */
	PRECIS_DATA_KIND_MEMBER_POINTER = 4,
	PRECIS_DATA_KIND_STRUCTURE = 5, /* classes, too */
	PRECIS_DATA_KIND_UNION = 6,
	PRECIS_DATA_KIND_ARRAY = 7,
	PRECIS_DATA_KIND_FUNCTION = 8,
	PRECIS_DATA_KIND_STRING = 9, /* of Fortran */
	PRECIS_DATA_KIND_OTHER = 10
};

/**
 * Types by name, as C or C++ would write it: "struct node", "node", "ns::node<int>", "size_t"; or as Fortran
 * does, in lower case, with its module or without: "type(node)", "node", "lists::node".
 *
 * @param n     0 for the first; definitions that are alike count once, declarations not at all
 * @param type  set
 * @return 1; 0 if there are no more; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_data_types_find(struct precis_data_types *types, const char *name, uint32_t n,
				 const struct precis_data_type **type);

/** As C or C++ would write it; "void" for NULL. Never NULL. */
PRECIS_API const char *precis_data_type_name(const struct precis_data_type *type);

/** enum precis_data_type_kind; that of a declaration is that of its definition where there is one. */
PRECIS_API uint32_t precis_data_type_kind(const struct precis_data_type *type);

/** @return 1 with the size; 0 if it has none: 'absent', if not NULL, is set to the reason */
PRECIS_API int precis_data_type_bytes(const struct precis_data_type *type, uint64_t *bytes, uint32_t *absent);

/**
 * What a pointer points to, what an array has as elements, a function returns, a typedef stands for.
 * @return 1 with the type; 0 if it is none of these; NULL stands for void
 */
PRECIS_API int precis_data_type_target(const struct precis_data_type *type,
				       const struct precis_data_type **target);

/**
 * What a pointer or a reference leads to, whatever typedefs and qualifiers it has itself.
 * @return 1 with the type; 0 if it is neither; NULL stands for void, and for what nobody has defined
 */
PRECIS_API int precis_data_type_pointed(const struct precis_data_type *type,
					const struct precis_data_type **target);

/* --- what lies at an offset -------------------------------------------------------------------- */

/** What an access to a part of a type may have meant. */
struct precis_data_type_paths;

enum precis_path_kind {
	PRECIS_PATH_MEMBER = 0,  /* a member, an element, or the whole of a type that has neither */
	PRECIS_PATH_HOLE = 1,    /* padding */
	PRECIS_PATH_UNKNOWN = 2  /* 'absent' says why */
};

struct precis_data_type_path {
	uint32_t size;       /* sizeof(struct precis_data_type_path), set by the caller */
	uint32_t kind;       /* enum precis_path_kind */
	const char *text;    /* "node[3].key[7]"; "" for the whole; base classes as "base::member"; elements
			      * of Fortran as "(2,3)"; several neighbours as "[4..7]" */
	const char *pattern; /* without the numbers: "node[].key[]" */
	uint64_t offset;     /* of what is named, from the start of the type; of elements of the first */
	uint64_t bytes;      /* of it; of elements of each; of a bit field those that it touches */
	uint32_t bit_offset; /* of a bit field: its first bit in the byte at 'offset', from the lowest */
	uint32_t bits;       /* of it; 0: it is no bit field */
	const int64_t *index; /* the numbers in 'text', as the language counts them */
	uint32_t indexes;    /* how many */
	uint32_t absent;     /* enum precis_data_type_absent */
	uint64_t elements;   /* how many elements that lie behind each other are meant; 1 elsewhere */
	const struct precis_data_type *type; /* of what is named; NULL for a hole */
	uint32_t alternative; /* paths of one access that overlap have the same number: one of them is it */
	uint32_t reserved;
};

/** @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY */
PRECIS_API int precis_data_type_paths_new(struct precis_data_type_paths **paths);

/** NULL is allowed. */
PRECIS_API void precis_data_type_paths_free(struct precis_data_type_paths *paths);

/**
 * Find what an access touches. All of it is named where it touches several members; of a union all
 * alternatives that the width allows.
 *
 * @param paths   filled anew; what it had before is no more
 * @param offset  of the access from the start of the type
 * @param width   of the access, up to 4096; 0: not known, then what has the first byte
 * @return how many paths there are; 0 if none: precis_data_type_paths_absent() says why; PRECIS_E_ARGUMENT,
 *         PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_data_type_at(const struct precis_data_type *type, uint64_t offset, uint32_t width,
			      struct precis_data_type_paths *paths);

/** Path n, from 0, in the order of offsets. @return 1; 0 if there is none; PRECIS_E_ARGUMENT */
PRECIS_API int precis_data_type_path(const struct precis_data_type_paths *paths, uint32_t n,
				struct precis_data_type_path *path);

/** All of them: "a, b" for an access to both, "a|b" for one of both. Never NULL. */
PRECIS_API const char *precis_data_type_paths_text(const struct precis_data_type_paths *paths);

/** enum precis_data_type_absent: why there are no paths, or not all. */
PRECIS_API uint32_t precis_data_type_paths_absent(const struct precis_data_type_paths *paths);

/* --- how a type is laid out -------------------------------------------------------------------- */

/** A walk over all members of a type, and of these, in the order of offsets. */
struct precis_data_type_layout;

struct precis_data_type_row {
	uint32_t size;       /* sizeof(struct precis_data_type_row), set by the caller */
	uint32_t kind;       /* enum precis_path_kind */
	const char *name;    /* of the member; NULL if it has none; of a base class that of its type */
	const struct precis_data_type *type; /* NULL for a hole */
	uint64_t offset;     /* from the start of the outermost type, of an array's first element */
	uint64_t bytes;      /* 0: not known, 'absent' says why, or of no length */
	uint32_t bit_offset; /* of a bit field, or a hole between two, as in struct precis_data_type_path */
	uint32_t bits;       /* of it; 0: whole bytes */
	uint32_t depth;      /* 0 for members of the type itself */
	uint32_t is_base;    /* a base class */
	uint64_t elements;   /* of an array, all dimensions together; 1: it is none; 0: not known */
	uint32_t absent;     /* enum precis_data_type_absent */
	uint32_t reserved;
};

/**
 * @param layout  set, to be freed
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_data_type_layout_new(const struct precis_data_type *type,
				      struct precis_data_type_layout **layout);

/** NULL is allowed. */
PRECIS_API void precis_data_type_layout_free(struct precis_data_type_layout *layout);

/**
 * The next row. Members of a structure follow it, one deeper; of an array of structures those of its
 * first element. What a type has that is neither structure nor union is one row without a name.
 *
 * @return 1; 0 at the end; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_data_type_layout_next(struct precis_data_type_layout *layout,
				       struct precis_data_type_row *row);

/** enum precis_data_type_absent: why the walk ended early, or could not begin. */
PRECIS_API uint32_t precis_data_type_layout_absent(const struct precis_data_type_layout *layout);

/* --- what a block of the heap is --------------------------------------------------------------- */

/** What tells the type of a block, the strongest first. The numbers are ABI. */
enum precis_allocation_evidence {
	PRECIS_ALLOCATION_UNKNOWN = 0,
	PRECIS_ALLOCATION_CALL = 1,      /* the compiler's word at the call: DW_AT_LLVM_alloc_type, which
					  * DWARF 6 has, too, by a number that is not settled */
	PRECIS_ALLOCATION_ALLOCATOR = 2, /* the template argument of a C++ function that allocates */
	PRECIS_ALLOCATION_VARIABLE = 3,  /* the pointer variable that takes the result, or an element */
	PRECIS_ALLOCATION_MEMBER = 4,    /* the member or element, a pointer, that takes it */
	PRECIS_ALLOCATION_OBJECT = 5,    /* 'this' of a constructor, or of another function of its class */
	PRECIS_ALLOCATION_PARAMETER = 6, /* the parameter that takes it */
	PRECIS_ALLOCATION_RETURNED = 7   /* what a function around the call returns */
};

struct precis_allocation {
	uint32_t size;     /* sizeof(struct precis_allocation), set by the caller */
	uint32_t evidence; /* enum precis_allocation_evidence */
	uint32_t frame;    /* which return address told it, from 0 */
	uint32_t absent;   /* enum precis_data_type_absent: why 'type' is NULL */
	const struct precis_data_type *type; /* of the block, or of each of its elements */
	/** Where that begins: so many bytes the function that gives the memory keeps for itself, as for the
	 * block's size; 'type' fits what is behind them. */
	uint64_t start;
	/** So many bytes from there on 'type' describes, if nothing is known of what is behind; else 0. */
	uint64_t known;
};

/**
 * The type of a block of the heap, by the calls that led to its allocation.
 *
 * The pointer goes to variables, members and arguments; a function may return it, or put it where an argument
 * of its own points, as posix_memalign() does: then callers are asked. What points to characters counts where
 * nothing else is said, and not where the code keeps pointers in the block.
 *
 * A type whose size the block is no multiple of is none, but for C++ with 8 or 16 bytes before the first
 * element, and for structures that end in a flexible array, in C also in one that is declared with one
 * element; a structure of C that nothing fits better is what the block begins with ('known'). Of one that the
 * block has room for several of, callers are asked to whom the function returns the block: what begins with
 * the same members is more. Classes with virtual functions, and those of PRECIS_ALLOCATION_OBJECT, have to be
 * as long as the block: they may be bases of what it is. Code is that of x86-64; of files with split debug
 * information nothing is known.
 *
 * @param return_addresses  of these calls, the innermost first: that of malloc() or operator new; the
 *                          file's own addresses, as everywhere here; 0 for a call in another file,
 *                          but for functions that return the block as malloc() does: these are left out
 * @param frames            how many; at most 32 are looked at
 * @param bytes             how long the block is, as it was asked for; 0: not known
 * @param allocation        filled
 * @return 1; 0 if the type is not known; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_data_type_of_allocation(struct precis_data_types *types,
					      const uint64_t *return_addresses, uint32_t frames,
					      uint64_t bytes, struct precis_allocation *allocation);

/* --- where code keeps its variables ------------------------------------------------------------- */

/** The variables of a function and of what was inlined into it, with the places that DWARF gives for them. */
struct precis_data_locals;

/** Where a variable, or a part of it, is. The numbers are ABI. */
enum precis_local_place {
	PRECIS_LOCAL_REGISTER = 0, /* the register has it */
	PRECIS_LOCAL_VALUE = 1,    /* what the register has, plus 'offset', is its value */
	PRECIS_LOCAL_MEMORY = 2,   /* it is at what the register has, plus 'offset' */
	PRECIS_LOCAL_FRAME = 3,    /* it is at the canonical frame address (DWARF 5, 6.4), plus 'offset' */
	PRECIS_LOCAL_ENTRY = 4     /* its value is what the register had when the function began */
};

struct precis_local {
	uint32_t size;     /* sizeof(struct precis_local), set by the caller */
	uint32_t place;    /* enum precis_local_place */
	uint32_t number;   /* of the register, as DWARF numbers those of the machine; 0 for FRAME */
	uint32_t depth;    /* of blocks and inlined calls around it: what is deeper hides others */
	const char *name;  /* NULL: it has none */
	const struct precis_data_type *type; /* of the whole variable */
	uint64_t low, high; /* where that holds: before instructions from 'low' on, up to 'high' */
	int64_t offset;    /* in bytes; 0 for REGISTER and ENTRY */
	uint64_t part;     /* which part of the variable it is, as its offset; 0: the whole, or the first */
};

/**
 * The variables of the function that an address is in. Those that are nowhere, or at a place that takes more
 * to work out than enum precis_local_place has, are left out; of programs with split files (.dwo) no
 * functions are known.
 *
 * @param locals  set, to be freed before 'types'; NULL if there are none
 * @return 1; 0 if no function is known there; PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_data_locals_new(struct precis_data_types *types, uint64_t address,
				      struct precis_data_locals **locals);

/** NULL is allowed. */
PRECIS_API void precis_data_locals_free(struct precis_data_locals *locals);

/** Place n, from 0: of each variable as many as it has. @return 1; 0 if there is none; PRECIS_E_ARGUMENT */
PRECIS_API int precis_data_locals_get(const struct precis_data_locals *locals, uint32_t n,
				      struct precis_local *local);

/**
 * A range of the function's code, from 0; where it begins is in the first one.
 * @return 1 with its first address and the one behind its end; 0 if there is none; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_data_locals_range(const struct precis_data_locals *locals, uint32_t n, uint64_t *low,
					uint64_t *high);

/**
 * The type of what a call in that function returns.
 *
 * @param return_address  of the instruction behind the call
 * @param target          what is called, if that is in the same file; 0: not known
 * @return 1 with the type; 0 if it is not known, or void; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_data_locals_returned(struct precis_data_locals *locals, uint64_t return_address,
					   uint64_t target, const struct precis_data_type **type);

PRECIS_END_DECLS

#endif
