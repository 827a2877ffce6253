/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From an address of a sample to the file and the symbol that it lies in.
 *
 * The process model is fed with the recording's records in the order of their
 * times; a look-up answers for the program that the process was running at the
 * time it is asked for. Where an address lies is one question, and what the
 * file calls that place is another: the first opens no file.
 */
#ifndef PRECIS_SYMBOLS_H
#define PRECIS_SYMBOLS_H

#include <precis/export.h>
#include <precis/file.h>
#include <precis/record.h>

PRECIS_BEGIN_DECLS

struct precis_symbols;

/** Why there is no symbol or line. The numbers are ABI: new ones are added at the end. */
enum precis_symbol_absent {
	PRECIS_SYMBOL_PRESENT = 0,        /* it is there */
	PRECIS_SYMBOL_NOT_ASKED = 1,      /* precis_symbols_locate() opens no file, nor does
				           * PRECIS_SYMBOLS_NO_FILES */
	PRECIS_SYMBOL_NOT_A_FILE = 2,     /* memory that only has a name, such as "[heap]" */
	PRECIS_SYMBOL_NO_FILE = 3,        /* the file is not there, or cannot be read as ELF */
	PRECIS_SYMBOL_OTHER_BUILD_ID = 4, /* the file is not the recorded one */
	PRECIS_SYMBOL_NONE_THERE = 5,     /* nothing is told of that place */
	PRECIS_SYMBOL_NOT_BUILT = 6,      /* this build of the library reads no ELF files */
	PRECIS_SYMBOL_NOT_MAPPED = 7,     /* nothing is known to be mapped at the address */
	PRECIS_SYMBOL_GUEST = 8,          /* an address of a guest or a hypervisor */
	PRECIS_SYMBOL_NO_KALLSYMS = 9,    /* no list of the recorded kernel's symbols */
	PRECIS_SYMBOL_KALLSYMS_HIDDEN = 10, /* that list has no addresses: kernel.kptr_restrict */
	PRECIS_SYMBOL_NO_VDSO = 11,       /* the recorded vdso is in no build-id cache */
	PRECIS_SYMBOL_NO_PERF_MAP = 12,   /* anonymous memory, and no /tmp/perf-PID.map for it */
	PRECIS_SYMBOL_NO_DEBUG_INFO = 13, /* neither the file nor a debug file has line numbers */
	PRECIS_SYMBOL_RUN_TIME_CODE = 14, /* of code made at run time there are no bytes */
	PRECIS_SYMBOL_KERNEL_CODE = 15    /* of the kernel's neither its memory nor a vmlinux was found */
};

/** The reason in a few words, without a final full stop. Never NULL. */
PRECIS_API const char *precis_symbol_absent_text(uint32_t absent);

/** Where an address lies. Strings belong to the model and live as long as it does. */
struct precis_location {
	uint32_t size;      /* sizeof(struct precis_location), set by the caller */
	uint32_t cpumode;   /* as it was looked up: enum precis_cpumode */
	const char *object; /* what is mapped there, by the name that perf has for it: the file's
			     * path in the recording, "[kernel.kallsyms]", "[MODULE]", "[vdso]",
			     * a BPF program, "/tmp/perf-PID.map" for code made at run time. One
			     * pointer for all equal ones; NULL if nothing is mapped there */
	uint64_t offset;    /* of the address in that file, or from where the kernel's object is
			     * mapped; the address itself in "/tmp/perf-PID.map" */
	const char *symbol; /* as the file has it, not demangled; NULL: 'symbol_absent' says why */
	uint64_t symbol_offset; /* of the address from the symbol's start; 0 without a symbol */
	uint32_t symbol_absent; /* enum precis_symbol_absent */
	uint32_t reserved;
};

/** Where in its source a location is. Strings belong to the model. */
struct precis_line {
	uint32_t size;   /* sizeof(struct precis_line), set by the caller */
	uint32_t number; /* from 1; 0 if 'file' is NULL */
	const char *file; /* as the compiler was given it: a relative one is relative to where it
			   * ran. NULL: 'absent' says why */
	uint32_t absent; /* enum precis_symbol_absent */
	uint32_t discriminator; /* of code on the same line (DWARF 5, 6.2.2); 0: the compiler gave it none */
};

/** Code of a location's file. */
struct precis_code {
	uint32_t size;    /* sizeof(struct precis_code), set by the caller */
	uint32_t
		bits; /* what it is made for: 64 or 32 bits of x86, PRECIS_CODE_AARCH64 in a build that
			   * decodes that; 0: another machine */
	uint64_t address; /* of the location as the file has it, and as objdump prints it */
	uint32_t absent;  /* enum precis_symbol_absent: why there are no bytes */
	uint32_t reserved;
};

/** Use a file's symbols even if its build id is not the recorded one: names may be wrong. */
#define PRECIS_SYMBOLS_ANY_BUILD_ID (1u << 0)

/**
 * Learn what else than code is mapped, too: 'perf record -d' records it. Without, precis_symbols_memory()
 * knows data of programs and their libraries alone.
 */
#define PRECIS_SYMBOLS_DATA (1u << 1)

/** Open no ELF file: of what only files know the reason is PRECIS_SYMBOL_NOT_ASKED. */
#define PRECIS_SYMBOLS_NO_FILES (1u << 2)

/** What a piece of memory is. The numbers are ABI: new ones are added at the end. */
enum precis_memory_kind {
	PRECIS_MEMORY_UNKNOWN = 0,   /* nothing known is mapped there */
	PRECIS_MEMORY_PROGRAM = 1,   /* of an executable or a shared object, .bss too */
	PRECIS_MEMORY_FILE = 2,      /* another file that is mapped, /dev/shm too */
	PRECIS_MEMORY_ANONYMOUS = 3, /* no file's: large blocks, arenas, stacks of threads */
	PRECIS_MEMORY_HEAP = 4,      /* that of brk(2) */
	PRECIS_MEMORY_STACK = 5,     /* of the first thread */
	PRECIS_MEMORY_SHARED = 6,    /* between processes, without a path: System V, memfd, /dev/zero */
	PRECIS_MEMORY_SPECIAL = 7,   /* "[vdso]", "[vvar]" and the like */
	PRECIS_MEMORY_KERNEL = 8     /* an address of the kernel's */
};

/** The kind in a word or two; NULL if there is none of that number. */
PRECIS_API const char *precis_memory_kind_name(uint32_t kind);

/** What an address of data is in. Strings belong to the model and live as long as it does. */
struct precis_memory {
	uint32_t size;        /* sizeof(struct precis_memory), set by the caller */
	uint32_t kind;        /* enum precis_memory_kind */
	const char *object;   /* the file's path in the recording, or what perf calls such memory; one pointer
			       * for all equal ones; NULL: of KERNEL and UNKNOWN */
	uint64_t address;     /* PROGRAM, if 'absent' is PRESENT or NONE_THERE: where the file was linked to
			       * have it; else the one asked for, without tags */
	const char *variable; /* PROGRAM: as the file has it, not demangled; NULL: 'absent' says why */
	uint64_t variable_offset; /* of the address from the variable's start, in bytes */
	uint64_t variable_bytes;  /* how long it is */
	uint32_t absent;      /* enum precis_symbol_absent, of the variable */
	uint32_t reserved;
};

/** What of a build is to be fetched. */
enum precis_symbols_fetch {
	PRECIS_SYMBOLS_FETCH_FILE = 1, /* the file that ran */
	PRECIS_SYMBOLS_FETCH_DEBUG = 2 /* its separate debug file */
};

/**
 * Asked for a file of which nothing that will do was found, as from a server. It may be called by every
 * thread that has a model with these options. What it finds is used only if its build id is that one.
 *
 * @param what  enum precis_symbols_fetch
 * @param id    the build id
 * @param path  room for the path, with its NUL
 * @return 1: it is in 'path'; 0: there is none
 */
typedef int (*precis_symbols_fetch_fn)(void *data, uint32_t what, struct precis_bytes id, char *path,
				       size_t room);

/** Where files are looked for. All-zero means: as perf does. Strings are copied. */
struct precis_symbols_options {
	uint32_t size;     /* sizeof(struct precis_symbols_options), set by the caller */
	uint32_t flags;    /* PRECIS_SYMBOLS_* */
	const char *symfs; /* a directory that stands for the recorded machine's root;
			    * NULL or "": "/" */
	const char *const *debug_directories; /* of separate debug files, ends with NULL;
					       * NULL: /usr/lib/debug in 'symfs' */
	const char *const *build_id_caches; /* as "perf buildid-cache" fills them, ends with NULL;
					     * NULL: ~/.debug, or .debug in 'symfs' if given */
	const char *kallsyms; /* the kernel's symbols; NULL: of 'recording_directory', of a
			       * build-id cache, or of this machine if it runs the same kernel */
	const char *recording_directory; /* has a kcore_dir; NULL: of precis_symbols_file() */
	precis_symbols_fetch_fn fetch; /* the last to be asked; NULL: nobody is */
	void *fetch_data; /* its first argument */
	uint64_t
		memory_most; /* bytes of what records make it keep; 0, and whatever is more: 32 MiB */
};

/**
 * @param options  NULL for none
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_symbols_new(const struct precis_symbols_options *options,
				  struct precis_symbols **symbols);

/** NULL is allowed. */
PRECIS_API void precis_symbols_free(struct precis_symbols *symbols);

/** Does this build of the library read ELF files? Without elfutils a location has no symbol. */
PRECIS_API int precis_symbols_available(void);

/**
 * Learn the build ids of all files that the recording's BUILD_ID feature names,
 * and where its kcore_dir is. A recording without them is none to complain of.
 *
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY, PRECIS_E_IO, or
 *         PRECIS_E_TRUNCATED: what stands before the broken part is learnt
 */
PRECIS_API int precis_symbols_file(struct precis_symbols *symbols,
				   const struct precis_file *file);

/**
 * Learn from a record: MMAP, MMAP2 (with its build id), COMM, FORK, KSYMBOL,
 * HEADER_BUILD_ID. Others are ignored; so is EXIT: a task runs on after it, and
 * who gets its number next is told by FORK.
 *
 * @param time  of the record's sample_id; 0 where it has none: then look-ups
 *              answer for the program that ran last
 * @return 0, PRECIS_E_NO_MEMORY, or the error of a body that does not parse
 */
PRECIS_API int precis_symbols_record(struct precis_symbols *symbols,
				     const struct precis_record *record, uint64_t time);

/**
 * Find what is mapped at an address. No file is opened: there is no symbol.
 *
 * @param pid       the sample's process
 * @param cpumode   the sample's, enum precis_cpumode: KERNEL and USER are looked up
 * @param time      of the sample; UINT64_MAX: the program that ran last. What that program had
 *                  mapped last at the address is the answer: before a time at which it mapped
 *                  a file over another one, that other one; where nothing was mapped before,
 *                  what was first (a record may be later than a sample)
 * @param location  'size' must be set
 * @return 1 if something was found, 0 if nothing is mapped there, or negative
 */
PRECIS_API int precis_symbols_locate(struct precis_symbols *symbols, uint32_t pid,
				     uint32_t cpumode, uint64_t time, uint64_t address,
				     struct precis_location *location);

/**
 * Find the symbol of a location: of its 'object', 'offset' and 'cpumode'.
 * The file is read when it is first asked for.
 *
 * @return 1 if it has one, 0 if not ('symbol_absent' says why), or negative
 */
PRECIS_API int precis_symbols_name(struct precis_symbols *symbols,
				   struct precis_location *location);

/** Both at once. @return as precis_symbols_locate() */
PRECIS_API int precis_symbols_find(struct precis_symbols *symbols, uint32_t pid, uint32_t cpumode,
				   uint64_t time, uint64_t address,
				   struct precis_location *location);

/**
 * Find the source line of a location: of its 'object', 'offset' and 'cpumode'.
 * The file's line numbers (.debug_line, DWARF 2 to 5) are read when first asked for.
 *
 * @param line  'size' must be set
 * @return 1 if it has one, 0 if not ('absent' says why), or negative
 */
PRECIS_API int precis_symbols_line(struct precis_symbols *symbols,
				   const struct precis_location *location,
				   struct precis_line *line);

/**
 * What belongs to the symbol of a location: from 'start' up to 'end', not included, as its 'offset' is.
 * Where the file does not say how long it is, it ends where the next one begins.
 *
 * @return 1; 0 if the location has no symbol, or nobody knows how long it is; or negative
 */
PRECIS_API int precis_symbols_extent(struct precis_symbols *symbols,
				     const struct precis_location *location, uint64_t *start,
				     uint64_t *end);

/**
 * Bytes of a location's file from its 'offset' on: those of the file that ran, as for its symbols.
 * Of code that is in no file, as the kernel's, there are none.
 *
 * @param bytes  room for 'most'; less are read where what is executable ends
 * @param code   'size' must be set
 * @return how many were read; 0 if none ('absent' says why), or negative
 */
PRECIS_API int precis_symbols_code(struct precis_symbols *symbols,
				   const struct precis_location *location, void *bytes,
				   uint32_t most, struct precis_code *code);

/**
 * Where the location's file has it: of a program its 'offset', of the kernel the offset in its vmlinux,
 * wherever it was loaded (KASLR). Kernel modules and code made at run time have no such file.
 *
 * @param offset  set if it is known
 * @return 1 if it is known, 0 if not, or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_symbols_file_offset(struct precis_symbols *symbols,
					  const struct precis_location *location, uint64_t *offset);

/**
 * The build id that was recorded of a location's object: of its 'object' and 'cpumode'.
 *
 * @param id  set if it is known; the bytes belong to the model and may change with the next record
 * @return 1 if it is known; 0 if not, or if several were recorded; or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_symbols_build_id(struct precis_symbols *symbols,
				       const struct precis_location *location,
				       struct precis_bytes *id);

/**
 * Find what memory an address of data is in, and the variable: static or global, of the symbol tables of the
 * file that ran and of its debug file. A variable of a thread (TLS) is not found: no sample tells where a
 * thread has its own. Bits of the address that a processor ignores (LAM, UAI, TBI) are left out.
 *
 * @param pid     the sample's process, whatever its cpumode
 * @param time    as of precis_symbols_locate()
 * @param memory  'size' must be set
 * @return 1 if the memory is known, 0 if not, or negative
 */
PRECIS_API int precis_symbols_memory(struct precis_symbols *symbols, uint32_t pid, uint64_t time,
				     uint64_t address, struct precis_memory *memory);

/**
 * The name of a task (thread) at a time, by COMM and FORK records.
 *
 * @param time  as in precis_symbols_locate()
 * @param name  set; NULL if no record told it
 * @return 1 if it is known, 0 if not, or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_symbols_task(struct precis_symbols *symbols, uint32_t tid, uint64_t time,
				   const char **name);

PRECIS_END_DECLS

#endif
