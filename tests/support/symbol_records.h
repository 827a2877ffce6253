/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that tell of mappings, tasks and build ids, for tests of symbols. */
#ifndef TESTS_SUPPORT_SYMBOL_RECORDS_H
#define TESTS_SUPPORT_SYMBOL_RECORDS_H

#include <precis/record.h>
#include <precis/symbols.h>

#include "tests/support/build.h"
#include "tests/support/tap.h"

/* A text as it ends a record: with its NUL, and zeros up to a multiple of 8 */
static inline void build_name(struct build *build, const char *name)
{
	build_bytes(build, name, strlen(name) + 1);
	while (build->count % 8)
		build->bytes[build->count++] = 0;
}

/* The symbols learn from the record whose body was built behind 8 bytes of its header. */
static inline int feed_at(struct precis_symbols *symbols, struct build *build, uint32_t type,
			  uint16_t misc, uint64_t time)
{
	struct precis_record record = { 0 };

	memcpy(build->bytes, &type, sizeof(type));
	memcpy(build->bytes + 4, &misc, sizeof(misc));
	build_end(build);
	CU_ASSERT_EQUAL_FATAL(precis_record_at(build->bytes, build->count, &record), 0);
	return precis_symbols_record(symbols, &record, time);
}

static inline int feed_mmap_at(struct precis_symbols *symbols, uint16_t misc, uint32_t pid,
			       uint64_t start, uint64_t length, uint64_t offset, const char *name,
			       uint64_t time)
{
	static struct build build;

	build.count = 8;
	build_u32(&build, pid);
	build_u32(&build, pid);
	build_u64(&build, start);
	build_u64(&build, length);
	build_u64(&build, offset);
	build_name(&build, name);
	return feed_at(symbols, &build, PRECIS_RECORD_MMAP, misc, time);
}

#endif
