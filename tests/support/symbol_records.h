/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that tell of mappings, tasks and build ids, for tests of symbols. */
#ifndef TESTS_SUPPORT_SYMBOL_RECORDS_H
#define TESTS_SUPPORT_SYMBOL_RECORDS_H

#include <precis/record.h>
#include <precis/symbols.h>

#include "tests/support/build.h"
#include "tests/support/tap.h"

/* Of both the body, behind 8 bytes of the header: the kernel's text of 1 MiB is mapped there, or changes. */
static inline void build_kernel_mapping(struct build *build, uint64_t at)
{
	build->count = 8;
	build_u32(build, UINT32_MAX);
	build_u32(build, 0);
	build_u64(build, at);
	build_u64(build, 0x100000);
	build_u64(build, at);
	build_name(build, "[kernel.kallsyms]_text");
}

static inline void build_poke(struct build *build, uint64_t address, const char *old, uint16_t old_count,
			      const char *new, uint16_t new_count)
{
	build->count = 8;
	build_u64(build, address);
	build_u16(build, old_count);
	build_u16(build, new_count);
	build_bytes(build, old, old_count);
	build_bytes(build, new, new_count);
	build_filled(build);
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
