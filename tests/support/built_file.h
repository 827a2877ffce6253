/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file under construction, of at most BUILT_FILE_ROOM bytes, which whoever includes this
 * defines: built from pieces and from records.
 */
#ifndef TESTS_SUPPORT_BUILT_FILE_H
#define TESTS_SUPPORT_BUILT_FILE_H

#include <CUnit/CUnit.h>
#include <string.h>

#include "tests/support/build.h"

static struct bytes {
	uint8_t at[BUILT_FILE_ROOM];
	size_t count;
} bytes;

/* The record that is built next */
static struct build build;

static void put(const void *from, size_t count)
{
	CU_ASSERT_FATAL(count <= sizeof(bytes.at) - bytes.count);
	memcpy(bytes.at + bytes.count, from, count);
	bytes.count += count;
}

static void put_u64(uint64_t value)
{
	put(&value, sizeof(value));
}

static void put_record(void)
{
	build_end(&build);
	put(build.bytes, build.count);
}

#endif
