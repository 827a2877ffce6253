/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests of what symbols are made from: files in a directory of their own, mappings, look-ups. */
#ifndef TESTS_SYMBOL_FILES_H
#define TESTS_SYMBOL_FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <precis/fields.h>
#include <precis/record.h>
#include <precis/symbols.h>

#include "tests/support/symbol_records.h"

#define USER PRECIS_CPUMODE_USER

static char directory[] = "/tmp/precis-symbols.XXXXXX";
static uint64_t random_state = 1;

static inline uint32_t random_below(size_t limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((random_state >> 33) % limit);
}

static inline const char *in_directory(const char *name)
{
	static char path[4][256];
	static unsigned int next;
	char *found = path[next++ % 4];

	snprintf(found, sizeof(path[0]), "%s/%s", directory, name);
	return found;
}

static inline void write_file(const char *path, const void *bytes, size_t count)
{
	FILE *file;

	unlink(path); /* some file systems wait for the disk when a file is written anew */
	file = fopen(path, "wb");

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	CU_ASSERT_EQUAL(fwrite(bytes, 1, count, file), count);
	fclose(file);
}

static inline void map(struct precis_symbols *symbols, uint16_t misc, uint32_t pid, uint64_t start,
		uint64_t length, uint64_t offset, const char *name)
{
	CU_ASSERT_EQUAL(feed_mmap_at(symbols, misc, pid, start, length, offset, name, 0), 0);
}

static inline struct precis_symbols *new_symbols(const char *symfs, const char *kallsyms)
{
	static const char *const none[] = { NULL };
	const struct precis_symbols_options options = {
		.size = sizeof(options),
		.symfs = symfs,
		.kallsyms = kallsyms,
		.debug_directories = none,
		.build_id_caches = none,
	};
	struct precis_symbols *symbols;

	CU_ASSERT_EQUAL_FATAL(precis_symbols_new(&options, &symbols), 0);
	return symbols;
}

/* The cases, in a directory that is there as long. An exit status */
static inline int run_in_directory(const char *name, const struct tap_case *cases, size_t count)
{
	char command[64];
	int result;

	if (!mkdtemp(directory))
		return 1;
	result = tap_main(name, cases, count);
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return system(command) != 0 ? 1 : result;
}

#endif
