/* SPDX-License-Identifier: BSD-3-Clause */
/* Putting bytes together: records, attrs and files for tests of who reads them. */
#ifndef TESTS_SUPPORT_BUILD_H
#define TESTS_SUPPORT_BUILD_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <precis/record.h>

struct build {
	size_t count;
	uint8_t bytes[70000];
};

static inline void build_bytes(struct build *build, const void *bytes, size_t count)
{
	if (count > sizeof(build->bytes) - build->count)
		abort();
	if (count)
		memcpy(build->bytes + build->count, bytes, count);
	build->count += count;
}

static inline void build_u16(struct build *build, uint16_t value)
{
	build_bytes(build, &value, sizeof(value));
}

static inline void build_u32(struct build *build, uint32_t value)
{
	build_bytes(build, &value, sizeof(value));
}

static inline void build_u64(struct build *build, uint64_t value)
{
	build_bytes(build, &value, sizeof(value));
}

/* Zeros up to a multiple of 8, as records end */
static inline void build_filled(struct build *build)
{
	while (build->count % 8)
		build_bytes(build, "", 1);
}

/* A text as it ends a record, with its NUL */
static inline void build_name(struct build *build, const char *name)
{
	build_bytes(build, name, strlen(name) + 1);
	build_filled(build);
}

/* A record's header; build_end() puts the size in. */
static inline void build_begin(struct build *build, uint32_t type, uint16_t misc)
{
	build->count = 0;
	build_u32(build, type);
	build_u16(build, misc);
	build_u16(build, 0);
}

static inline void build_end(struct build *build)
{
	uint16_t size = (uint16_t)build->count;

	memcpy(build->bytes + 6, &size, sizeof(size));
}

static inline void build_patch(struct build *build, size_t at, uint64_t value)
{
	memcpy(build->bytes + at, &value, sizeof(value));
}

static inline struct precis_record build_record(const struct build *build)
{
	struct precis_record record = { 0 };

	memcpy(&record.type, build->bytes, 4);
	memcpy(&record.misc, build->bytes + 4, 2);
	record.size = (uint16_t)build->count;
	record.data = build->bytes;
	return record;
}

/* Offsets in struct perf_event_attr */
enum {
	BUILD_ATTR_TYPE = 0,
	BUILD_ATTR_SIZE = 4,
	BUILD_ATTR_CONFIG = 8,
	BUILD_ATTR_PERIOD = 16,
	BUILD_ATTR_SAMPLE_TYPE = 24,
	BUILD_ATTR_READ_FORMAT = 32,
	BUILD_ATTR_FLAGS = 40,
	BUILD_ATTR_BRANCH = 72,
	BUILD_ATTR_REGS_USER = 80,
	BUILD_ATTR_REGS_INTR = 96,
	BUILD_ATTR_BYTES = 128
};
#define BUILD_ATTR_FREQ (UINT64_C(1) << 10)
#define BUILD_ATTR_SAMPLE_ID_ALL (UINT64_C(1) << 18)

static inline void build_put_u64(uint8_t *bytes, size_t at, uint64_t value)
{
	memcpy(bytes + at, &value, sizeof(value));
}

static inline void build_attr(uint8_t attr[BUILD_ATTR_BYTES], uint32_t type, uint64_t sample_type,
			      uint64_t flags)
{
	memset(attr, 0, BUILD_ATTR_BYTES);
	build_put_u64(attr, BUILD_ATTR_TYPE, type | (uint64_t)BUILD_ATTR_BYTES << 32);
	build_put_u64(attr, BUILD_ATTR_SAMPLE_TYPE, sample_type);
	build_put_u64(attr, BUILD_ATTR_FLAGS, flags);
}

/* A new empty file of this process; to be unlinked by the caller. */
static inline void build_path(char path[64])
{
	int fd;

	snprintf(path, 64, "./precis-test-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		abort();
	close(fd);
}

static inline void build_file(const char *path, const void *bytes, size_t count)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(bytes, 1, count, file) != count || fclose(file))
		abort();
}

/* The whole of a file; to be freed. */
static inline uint8_t *build_slurp(const char *path, size_t *count)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes;

	if (!file || fseek(file, 0, SEEK_END))
		abort();
	*count = (size_t)ftell(file);
	rewind(file);
	bytes = malloc(*count + 1);
	if (!bytes || fread(bytes, 1, *count, file) != *count || fclose(file))
		abort();
	return bytes;
}

#endif
