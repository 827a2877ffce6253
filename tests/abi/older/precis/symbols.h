#ifndef PRECIS_SYMBOLS_H
#define PRECIS_SYMBOLS_H

#include <precis/export.h>
#include <precis/file.h>
#include <precis/record.h>

PRECIS_BEGIN_DECLS

struct precis_symbols;

enum precis_symbol_absent {
	PRECIS_SYMBOL_PRESENT = 0,
	PRECIS_SYMBOL_NOT_ASKED = 1,
	PRECIS_SYMBOL_NOT_A_FILE = 2,
	PRECIS_SYMBOL_NO_FILE = 3,
	PRECIS_SYMBOL_OTHER_BUILD_ID = 4,
	PRECIS_SYMBOL_NONE_THERE = 5,
	PRECIS_SYMBOL_NOT_BUILT = 6,
	PRECIS_SYMBOL_NOT_MAPPED = 7,
	PRECIS_SYMBOL_GUEST = 8,
	PRECIS_SYMBOL_NO_KALLSYMS = 9,
	PRECIS_SYMBOL_KALLSYMS_HIDDEN = 10,
	PRECIS_SYMBOL_NO_VDSO = 11,
	PRECIS_SYMBOL_NO_PERF_MAP = 12,
	PRECIS_SYMBOL_NO_DEBUG_INFO = 13,
	PRECIS_SYMBOL_RUN_TIME_CODE = 14,
	PRECIS_SYMBOL_KERNEL_CODE = 15
};

PRECIS_API const char *precis_symbol_absent_text(uint32_t absent);

struct precis_location {
	uint32_t size;
	uint32_t cpumode;
	const char *object;
	uint64_t offset;
	const char *symbol;
	uint64_t symbol_offset;
	uint32_t symbol_absent;
};

struct precis_line {
	uint32_t size;
	uint32_t number;
	const char *file;
	uint32_t absent;
};

struct precis_code {
	uint32_t size;
	uint32_t bits;
	uint64_t address;
	uint32_t absent;
};

#define PRECIS_SYMBOLS_ANY_BUILD_ID (1u << 0)

enum precis_symbols_fetch {
	PRECIS_SYMBOLS_FETCH_FILE = 1,
	PRECIS_SYMBOLS_FETCH_DEBUG = 2
};

typedef int (*precis_symbols_fetch_fn)(void *data, uint32_t what, struct precis_bytes id, char *path,
				       size_t room);

struct precis_symbols_options {
	uint32_t size;
	uint32_t flags;
	const char *symfs;
	const char *const *debug_directories;
	const char *const *build_id_caches;
	const char *kallsyms;
	const char *recording_directory;
	precis_symbols_fetch_fn fetch;
	void *fetch_data;
};

PRECIS_API int precis_symbols_new(const struct precis_symbols_options *options,
				  struct precis_symbols **symbols);

PRECIS_API void precis_symbols_free(struct precis_symbols *symbols);

PRECIS_API int precis_symbols_available(void);

PRECIS_API int precis_symbols_file(struct precis_symbols *symbols,
				   const struct precis_file *file);

PRECIS_API int precis_symbols_record(struct precis_symbols *symbols,
				     const struct precis_record *record, uint64_t time);

PRECIS_API int precis_symbols_locate(struct precis_symbols *symbols, uint32_t pid,
				     uint32_t cpumode, uint64_t time, uint64_t address,
				     struct precis_location *location);

PRECIS_API int precis_symbols_name(struct precis_symbols *symbols,
				   struct precis_location *location);

PRECIS_API int precis_symbols_find(struct precis_symbols *symbols, uint32_t pid, uint32_t cpumode,
				   uint64_t time, uint64_t address,
				   struct precis_location *location);

PRECIS_API int precis_symbols_line(struct precis_symbols *symbols,
				   const struct precis_location *location,
				   struct precis_line *line);

PRECIS_API int precis_symbols_extent(struct precis_symbols *symbols,
				     const struct precis_location *location, uint64_t *start,
				     uint64_t *end);

PRECIS_API int precis_symbols_code(struct precis_symbols *symbols,
				   const struct precis_location *location, void *bytes,
				   uint32_t most, struct precis_code *code);

PRECIS_API int precis_symbols_file_offset(struct precis_symbols *symbols,
					  const struct precis_location *location, uint64_t *offset);

PRECIS_API int precis_symbols_build_id(struct precis_symbols *symbols,
				       const struct precis_location *location,
				       struct precis_bytes *id);

struct precis_memory {
	uint32_t size;
	uint32_t kind;
	const char *object;
	uint64_t address;
	const char *variable;
	uint64_t variable_offset;
	uint64_t variable_bytes;
};

PRECIS_API int precis_symbols_memory(struct precis_symbols *symbols, uint32_t pid, uint64_t time,
				     uint64_t address, struct precis_memory *memory);

PRECIS_API int precis_symbols_task(struct precis_symbols *symbols, uint32_t tid, uint64_t time,
				   const char **name);

PRECIS_END_DECLS

#endif
