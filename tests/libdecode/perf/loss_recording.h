/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests of what was lost: a recording of two events, each of two ids, record by record. */
#ifndef TESTS_LOSS_RECORDING_H
#define TESTS_LOSS_RECORDING_H

#include <precis/precis.h>

#include "tests/support/build.h"
#include "tests/support/tap.h"

#define SAMPLE_TYPE                                                                                \
	(PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_CPU)
#define ANY PRECIS_LOSS_ANY
#define NONE PRECIS_LOSS_NONE
#define PROCESS 100u

static char path[64];
static struct build build;
static struct precis_writer *writer;

static const uint64_t first_ids[] = { 10, 11 }, second_ids[] = { 20, 21 };

#define CHECK(loss, member, expected) CU_ASSERT_EQUAL((loss).member, expected)

static inline void create(void)
{
	CU_ASSERT_EQUAL_FATAL(precis_writer_open(path, &writer), 0);
}

static inline void add_event(uint64_t sample_type, uint64_t read_format, uint64_t flags,
			     const uint64_t *ids, uint32_t count)
{
	uint8_t attr[BUILD_ATTR_BYTES];

	build_attr(attr, 1, sample_type, flags);
	build_put_u64(attr, BUILD_ATTR_READ_FORMAT, read_format);
	CU_ASSERT_EQUAL_FATAL(precis_writer_event(writer, attr, sizeof(attr), ids, count, NULL), 0);
}

static inline void begin(uint32_t type, uint16_t misc, const uint64_t *words, uint32_t count)
{
	build_begin(&build, type, misc);
	build_bytes(&build, words, count * 8);
}

static inline void add_record(void)
{
	build_end(&build);
	CU_ASSERT_EQUAL_FATAL(precis_writer_record(writer, build.bytes, build.count), 0);
}

static inline void build_place(uint32_t tid, uint64_t time, uint32_t cpu)
{
	build_u32(&build, PROCESS);
	build_u32(&build, tid);
	build_u64(&build, time);
	build_u32(&build, cpu);
	build_u32(&build, 0);
}

/* The sample_id of SAMPLE_TYPE */
static inline void build_trailer(uint32_t tid, uint64_t time, uint32_t cpu, uint64_t id)
{
	build_place(tid, time, cpu);
	build_u64(&build, id);
}

static inline void add_sample_of(uint32_t tid, uint64_t time, uint32_t cpu, uint64_t id)
{
	build_begin(&build, PRECIS_RECORD_SAMPLE, 0);
	build_u64(&build, id);
	build_place(tid, time, cpu);
	add_record();
}

static inline void add_words_of(uint32_t tid, uint32_t type, uint16_t misc, const uint64_t *words,
				uint32_t count, uint64_t time, uint32_t cpu, uint64_t id)
{
	begin(type, misc, words, count);
	build_trailer(tid, time, cpu, id);
	add_record();
}

/* The recording, read to its end */
static inline struct precis_file *finish(void)
{
	struct precis_record record;
	struct precis_file *file;

	CU_ASSERT_EQUAL_FATAL(precis_writer_close(writer), 0);
	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, NULL, &file, NULL), 0);
	while (precis_file_next(file, &record) > 0)
		;
	return file;
}

#endif
