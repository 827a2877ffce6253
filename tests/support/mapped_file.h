/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that is mapped as a whole, for who asks for its code by offset. */
#ifndef TESTS_SUPPORT_MAPPED_FILE_H
#define TESTS_SUPPORT_MAPPED_FILE_H

#include <precis/fields.h>
#include <precis/record.h>
#include <precis/symbols.h>

#include "tests/support/build.h"

#define MAPPED_PID 1u
#define MAPPED_AT UINT64_C(0x100000000)

/* From there on, offset by offset. @return 0 if the symbols know of it */
static inline int map_file(struct precis_symbols *symbols, const char *path)
{
	static struct build build;
	struct precis_record record = { 0 };

	build_begin(&build, PRECIS_RECORD_MMAP, PRECIS_CPUMODE_USER);
	build_u32(&build, MAPPED_PID);
	build_u32(&build, MAPPED_PID);
	build_u64(&build, MAPPED_AT);
	build_u64(&build, UINT64_C(1) << 32);
	build_u64(&build, 0);
	build_name(&build, path);
	build_end(&build);
	return precis_record_at(build.bytes, build.count, &record) ||
	       precis_symbols_record(symbols, &record, 1);
}

#endif
