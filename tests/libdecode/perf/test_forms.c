/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The forms of a recording, each made byte by byte: version 1, pipe mode, through
 * a pipe, a directory, compressed; and the order of times.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include <precis/precis.h>

#define BUILT_FILE_ROOM 200000
#include "tests/support/built_file.h"
#include "tests/support/tap.h"

#define SAMPLE_TYPE                                                                                \
	(PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME)
#define SAMPLE_BYTES 40u
#define SEEKABLE_BYTES 104u
#define ATTR_ENTRY (BUILD_ATTR_BYTES + 16)
#define ID 7
#define LATE_ID 8
#define COMM_BYTES 48u

static char path[64];

static void put_sample(uint64_t id, uint64_t time)
{
	build_begin(&build, PRECIS_RECORD_SAMPLE, PRECIS_CPUMODE_USER);
	build_u64(&build, id);
	build_u64(&build, 0x400000 + time);
	build_u64(&build, 1);
	build_u64(&build, time);
	put_record();
}

static void put_round(void)
{
	build_begin(&build, PRECIS_RECORD_FINISHED_ROUND, 0);
	put_record();
}

/* As the kernel writes it: with a sample_id of TID, TIME and IDENTIFIER */
static void put_comm(uint64_t time)
{
	build_begin(&build, PRECIS_RECORD_COMM, 0);
	build_u64(&build, 1);
	build_bytes(&build, "a\0\0\0\0\0\0", 8);
	build_u64(&build, 1);
	build_u64(&build, time);
	build_u64(&build, ID);
	put_record();
}

static void make_attr(uint8_t attr[BUILD_ATTR_BYTES])
{
	build_attr(attr, 1, SAMPLE_TYPE, BUILD_ATTR_SAMPLE_ID_ALL);
}

/* Header, attr and id of a seekable file; end_seekable() says how long the data are. */
static void begin_seekable(const char *magic)
{
	uint8_t attr[BUILD_ATTR_BYTES];

	bytes.count = 0;
	put(magic, 8);
	put_u64(SEEKABLE_BYTES);
	put_u64(ATTR_ENTRY);
	put_u64(SEEKABLE_BYTES);
	put_u64(ATTR_ENTRY);
	for (int n = 0; n < 8; n++)
		put_u64(0);
	make_attr(attr);
	put(attr, sizeof(attr));
	put_u64(bytes.count + 16); /* the ids */
	put_u64(8);
	put_u64(ID);
	build_put_u64(bytes.at, 40, bytes.count);
}

static void end_seekable(void)
{
	uint64_t start;

	memcpy(&start, bytes.at + 40, sizeof(start));
	build_put_u64(bytes.at, 48, bytes.count - start);
}

static void put_attr_record(uint64_t id)
{
	uint8_t attr[BUILD_ATTR_BYTES];

	make_attr(attr);
	build_begin(&build, PRECIS_RECORD_HEADER_ATTR, 0);
	build_bytes(&build, attr, sizeof(attr));
	build_u64(&build, id);
	put_record();
}

static void put_feature(uint64_t feature, const char *text)
{
	build_begin(&build, PRECIS_RECORD_HEADER_FEATURE, 0);
	build_u64(&build, feature);
	build_u32(&build, 16);
	build_bytes(&build, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
	memcpy(build.bytes + 20, text, strlen(text));
	put_record();
}

static void put_name(uint64_t id, const char *name)
{
	build_begin(&build, PRECIS_RECORD_EVENT_UPDATE, 0);
	build_u64(&build, 2);
	build_u64(&build, id);
	build_bytes(&build, "\0\0\0\0\0\0\0", 8);
	memcpy(build.bytes + 24, name, strlen(name));
	put_record();
}

static void put_tracing_data(const char *text, uint32_t count, uint32_t there)
{
	build_begin(&build, PRECIS_RECORD_HEADER_TRACING_DATA, 0);
	build_u32(&build, count);
	build_u32(&build, 0);
	put_record();
	put(text, there);
}

/* What perf record -o - begins with: features first, as old versions have it */
static void begin_pipe(void)
{
	bytes.count = 0;
	put("PERFILE2", 8);
	put_u64(16);
	put_feature(PRECIS_FEATURE_OSRELEASE, "5.4.0");
	put_feature(PRECIS_FEATURE_CPUID, "AuthenticAMD,25");
	put_attr_record(ID);
	put_tracing_data("tracing!", 8, 8);
	put_name(ID, "cycles");
}

static struct precis_file *open_path(const char *what, uint32_t order)
{
	struct precis_file_options options = { .size = sizeof(options), .order = order };
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_file *file = NULL;
	int code = precis_file_open(what, &options, &file, &error);

	if (code)
		printf("# %s: %s\n", precis_strerror(code), error.expected);
	CU_ASSERT_EQUAL_FATAL(code, 0);
	return file;
}

static struct precis_file *open_bytes(uint32_t order)
{
	build_file(path, bytes.at, bytes.count);
	return open_path(path, order);
}

/* The same bytes through a pipe, which holds so many */
static int pipe_of_bytes(void)
{
	int ends[2];

	CU_ASSERT_FATAL(bytes.count <= 60000);
	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	CU_ASSERT_EQUAL_FATAL(write(ends[1], bytes.at, bytes.count), (ssize_t)bytes.count);
	close(ends[1]);
	return ends[0];
}

static struct precis_file *open_piped(uint32_t order)
{
	struct precis_file_options options = { .size = sizeof(options), .order = order };
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_file *file = NULL;
	int fd = pipe_of_bytes();

	CU_ASSERT_EQUAL_FATAL(precis_file_open_fd(fd, &options, &file, &error), 0);
	close(fd);
	return file;
}

/* The times of all samples as text, and how it ended: "5 3 9 = 0" */
static const char *times(struct precis_file *file)
{
	static char text[4096];
	struct precis_record record;
	size_t used = 0;
	int code;

	while ((code = precis_file_next(file, &record)) > 0) {
		uint64_t time;

		if (record.type != PRECIS_RECORD_SAMPLE)
			continue;
		CU_ASSERT_PTR_NOT_NULL(precis_file_event_of(file, &record));
		memcpy(&time, record.data + 32, sizeof(time));
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%llu ",
					 (unsigned long long)time);
	}
	snprintf(text + used, sizeof(text) - used, "= %d", code);
	return text;
}

#define EXPECT(file, text) expect(file, text, __LINE__)
static void expect(struct precis_file *file, const char *text, int line)
{
	const char *found = times(file);

	CU_ASSERT_STRING_EQUAL(found, text);
	if (strcmp(found, text))
		printf("# line %d: %s, not %s\n", line, found, text);
}

static struct precis_file_info info_of(const struct precis_file *file)
{
	struct precis_file_info info = { .size = sizeof(info) };

	CU_ASSERT_EQUAL(precis_file_info(file, &info), 0);
	return info;
}

static struct precis_file_counts counts_of(const struct precis_file *file)
{
	struct precis_file_counts counts = { .size = sizeof(counts) };

	CU_ASSERT_EQUAL(precis_file_counts(file, &counts), 0);
	return counts;
}

static void put_two_rounds(void)
{
	put_sample(ID, 10);
	put_sample(ID, 40);
	put_sample(ID, 20); /* of another CPU */
	put_sample(ID, 30);
	put_round();
	put_sample(ID, 35);
	put_comm(15);
	put_round();
	put_sample(ID, 60);
	put_sample(ID, 50);
}

static void version_1(void)
{
	struct precis_file *file;

	begin_seekable("PERFFILE");
	put_two_rounds();
	end_seekable();
	file = open_bytes(PRECIS_ORDER_FILE);
	CU_ASSERT_EQUAL(info_of(file).header_version, 1);
	CU_ASSERT_EQUAL(info_of(file).form, PRECIS_FORM_SEEKABLE);
	EXPECT(file, "10 40 20 30 35 60 50 = 0");
	precis_file_close(file);
}

static void order_of_times(void)
{
	struct precis_file *file;

	begin_seekable("PERFILE2");
	put_two_rounds();
	end_seekable();
	file = open_bytes(PRECIS_ORDER_TIME);
	for (int twice = 0; twice < 2; twice++) {
		EXPECT(file, "10 20 30 35 40 50 60 = 0");
		CU_ASSERT_EQUAL(counts_of(file).records, 10);
		CU_ASSERT_EQUAL(counts_of(file).samples, 7);
		CU_ASSERT_EQUAL(counts_of(file).late_records, 0);
		CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	}
	precis_file_close(file);
}

static void late_ones_are_counted(void)
{
	struct precis_file *file;

	begin_seekable("PERFILE2");
	put_sample(ID, 10);
	put_sample(ID, 40);
	put_round();
	put_round();
	put_sample(ID, 20); /* in spite of the rounds */
	put_sample(ID, 50);
	end_seekable();
	file = open_bytes(PRECIS_ORDER_TIME);
	EXPECT(file, "10 40 20 50 = 0");
	CU_ASSERT_EQUAL(counts_of(file).late_records, 1);
	precis_file_close(file);
}

static void cut_in_order(void)
{
	struct precis_file *file;

	begin_seekable("PERFILE2");
	put_two_rounds();
	end_seekable();
	bytes.count -= 3;
	file = open_bytes(PRECIS_ORDER_TIME);
	for (int twice = 0; twice < 2; twice++) {
		EXPECT(file, "10 20 30 35 40 60 = -5");
		CU_ASSERT_EQUAL(precis_file_last_error(file)->code, PRECIS_E_TRUNCATED);
		CU_ASSERT_EQUAL(precis_file_last_error(file)->offset, bytes.count - 37);
		CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	}
	precis_file_close(file);
}

static void check_pipe(struct precis_file *file)
{
	struct precis_file_info info = info_of(file);
	struct precis_bytes tracing;

	CU_ASSERT_EQUAL(info.form, PRECIS_FORM_PIPE);
	CU_ASSERT_STRING_EQUAL(info.os_release, "5.4.0");
	CU_ASSERT_STRING_EQUAL(info.cpuid, "AuthenticAMD,25");
	CU_ASSERT_EQUAL_FATAL(precis_file_event_count(file), 1);
	CU_ASSERT_STRING_EQUAL(precis_file_event(file, 0)->name, "cycles");
	CU_ASSERT_EQUAL(precis_file_feature(file, PRECIS_FEATURE_TRACING_DATA, &tracing), 0);
	CU_ASSERT_EQUAL_FATAL(tracing.bytes, 8);
	CU_ASSERT_EQUAL(memcmp(tracing.data, "tracing!", 8), 0);
	EXPECT(file, "10 40 20 30 35 60 50 = 0");
	/* of the prologue: 2 features, attr, tracing data, name */
	CU_ASSERT_EQUAL(counts_of(file).records, 5 + 10);
}

static void pipe_mode(void)
{
	struct precis_file *file;

	begin_pipe();
	put_two_rounds();
	file = open_bytes(PRECIS_ORDER_FILE);
	check_pipe(file);
	CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	EXPECT(file, "10 40 20 30 35 60 50 = 0");
	CU_ASSERT_EQUAL(counts_of(file).records, 5 + 10);
	CU_ASSERT_EQUAL(precis_file_event_count(file), 1);
	precis_file_close(file);
	file = open_piped(PRECIS_ORDER_FILE);
	check_pipe(file);
	CU_ASSERT_EQUAL(precis_file_rewind(file), PRECIS_E_UNSUPPORTED);
	precis_file_close(file);
	file = open_piped(PRECIS_ORDER_TIME);
	EXPECT(file, "10 20 30 35 40 50 60 = 0");
	precis_file_close(file);
}

static void late_event(void)
{
	const struct precis_event *first;
	struct precis_file *file;

	begin_pipe();
	put_sample(ID, 1);
	put_attr_record(LATE_ID);
	put_name(LATE_ID, "late");
	put_sample(LATE_ID, 2);
	put_sample(ID, 3);
	file = open_bytes(PRECIS_ORDER_FILE);
	first = precis_file_event(file, 0);
	for (int twice = 0; twice < 2; twice++) {
		EXPECT(file, "1 2 3 = 0");
		CU_ASSERT_EQUAL_FATAL(precis_file_event_count(file), 2);
		CU_ASSERT_STRING_EQUAL(precis_file_event(file, 1)->name, "late");
		CU_ASSERT_PTR_EQUAL(precis_file_event(file, 0), first);
		CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	}
	precis_file_close(file);
}

/* Events by the hundred between samples: each would have all be sorted anew. */
static void too_many_late_events(void)
{
	struct precis_file *file;

	begin_pipe();
	put_sample(ID, 1);
	for (uint64_t n = 0; n < 300; n++)
		put_attr_record(100 + n);
	file = open_bytes(PRECIS_ORDER_FILE);
	EXPECT(file, "1 = -7");
	CU_ASSERT_PTR_NOT_NULL(strstr(precis_file_last_error(file)->expected, "all events"));
	precis_file_close(file);
}

static void broken_pipes(void)
{
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_file *file;
	size_t attr_at;

	begin_pipe(); /* tracing data that never come, in a file and in a pipe */
	put_tracing_data("", 100, 0);
	file = open_bytes(PRECIS_ORDER_FILE);
	EXPECT(file, "= -5");
	precis_file_close(file);
	file = open_piped(PRECIS_ORDER_FILE);
	EXPECT(file, "= -5");
	CU_ASSERT_EQUAL(precis_file_last_error(file)->offset, bytes.count);
	precis_file_close(file);
	begin_pipe();
	put_two_rounds();
	bytes.count -= 1;
	file = open_piped(PRECIS_ORDER_FILE);
	EXPECT(file, "10 40 20 30 35 60 = -5");
	precis_file_close(file);
	bytes.count = 0;
	put("PERFILE2", 8);
	put_u64(16);
	attr_at = bytes.count;
	put_attr_record(ID);
	bytes.at[attr_at + 8 + BUILD_ATTR_SIZE] = 200; /* larger than its record */
	build_file(path, bytes.at, bytes.count);
	CU_ASSERT_EQUAL(precis_file_open(path, NULL, &file, &error), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(error.offset, attr_at + 8 + BUILD_ATTR_SIZE);
}

static void seekable_through_a_pipe(void)
{
	struct precis_file_options options = { .size = sizeof(options),
					       .temporary_directory = "/nonexistent" };
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_file *file;
	int fd;

	begin_seekable("PERFILE2");
	put_two_rounds();
	end_seekable();
	file = open_piped(PRECIS_ORDER_FILE);
	CU_ASSERT_EQUAL(info_of(file).form, PRECIS_FORM_SEEKABLE);
	CU_ASSERT_EQUAL(info_of(file).file_bytes, bytes.count);
	for (int twice = 0; twice < 2; twice++) {
		EXPECT(file, "10 40 20 30 35 60 50 = 0");
		CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	}
	precis_file_close(file);
	fd = pipe_of_bytes();
	CU_ASSERT_EQUAL(precis_file_open_fd(fd, &options, &file, &error), PRECIS_E_IO);
	CU_ASSERT_EQUAL(error.sys_errno, ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.expected, "/nonexistent"));
	close(fd);
	CU_ASSERT_EQUAL(precis_file_open_fd(fd, NULL, &file, &error), PRECIS_E_IO);
	CU_ASSERT_EQUAL(error.sys_errno, EBADF);
}

static void write_in(const char *directory, const char *name)
{
	char where[128];

	snprintf(where, sizeof(where), "%s/%s", directory, name);
	build_file(where, bytes.at, bytes.count);
}

static void remove_in(const char *directory, const char *name)
{
	char where[128];

	snprintf(where, sizeof(where), "%s/%s", directory, name);
	unlink(where);
}

static void directory(void)
{
	static const char *const names[] = { "data",    "data.0", "data.2",
					     "data.10", "data.x", "data.03" };
	char where[] = "./precis-test-XXXXXX";
	struct precis_record record;
	struct precis_file *file;
	uint64_t seen = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(where));
	begin_seekable("PERFILE2");
	put_comm(0);
	put_sample(ID, 12);
	end_seekable();
	write_in(where, "data");
	bytes.count = 0;
	put_sample(ID, 10);
	put_sample(ID, 30);
	put_sample(ID, 50);
	write_in(where, "data.0");
	bytes.count = 0;
	put_sample(ID, 11);
	put_sample(ID, 30);
	bytes.count -= 2;
	write_in(where, "data.2");
	bytes.count = 0;
	put_sample(ID, 9);
	put_sample(ID, 40);
	put_sample(ID, 35); /* not in order */
	write_in(where, "data.10");
	bytes.count = 0;
	put("not ours", 8);
	write_in(where, "data.x");
	write_in(where, "data.03");
	for (uint32_t order = PRECIS_ORDER_FILE; order <= PRECIS_ORDER_TIME; order++) {
		file = open_path(where, order);
		CU_ASSERT_EQUAL(info_of(file).form, PRECIS_FORM_DIRECTORY);
		CU_ASSERT_STRING_EQUAL(info_of(file).directory, where);
		CU_ASSERT_PTR_NULL(precis_file_warning(file, 0));
		for (int twice = 0; twice < 2; twice++) {
			EXPECT(file, "9 10 11 12 30 40 35 50 = -5");
			CU_ASSERT_EQUAL(precis_file_last_error(file)->offset, SAMPLE_BYTES);
			CU_ASSERT_PTR_NOT_NULL(
				strstr(precis_file_last_error(file)->expected, "in data.2: "));
			CU_ASSERT_EQUAL(counts_of(file).records, 9);
			CU_ASSERT_EQUAL(counts_of(file).late_records, 1);
			CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
		}
		while (precis_file_next(file, &record) > 0)
			seen |= UINT64_C(1) << record.data_file;
		CU_ASSERT_EQUAL(seen, 1u << 0 | 1u << 1 | 1u << 3 | 1u << 11);
		precis_file_close(file);
	}
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
		remove_in(where, names[n]);
	rmdir(where);
}

#ifdef HAVE_ZSTD

/* One stream over all records of the file, as perf makes it: flushed, never ended */
static ZSTD_CStream *compressor;

static size_t compress(const uint8_t *from, size_t count, uint8_t *to, size_t room)
{
	ZSTD_inBuffer in = { from, count, 0 };
	ZSTD_outBuffer out = { to, room, 0 };

	CU_ASSERT_FATAL(!ZSTD_isError(ZSTD_compressStream(compressor, &out, &in)));
	CU_ASSERT_EQUAL_FATAL(ZSTD_flushStream(compressor, &out), 0);
	return out.pos;
}

/* The samples 1 to 6, in compressed records that are cut anywhere */
static void put_compressed(uint32_t type, size_t step)
{
	struct bytes *plain = malloc(sizeof(*plain));
	uint8_t packed[1024];

	CU_ASSERT_PTR_NOT_NULL_FATAL(plain);
	*plain = bytes;
	bytes.count = 0;
	for (uint64_t time = 1; time <= 6; time++)
		put_sample(ID, time);
	for (size_t at = 0; at < 6 * SAMPLE_BYTES; at += step) {
		size_t left = 6 * SAMPLE_BYTES - at;
		size_t count =
			compress(bytes.at + at, left < step ? left : step, packed, sizeof(packed));

		build_begin(&build, type, 0);
		if (type == PRECIS_RECORD_COMPRESSED2)
			build_u64(&build, count);
		build_bytes(&build, packed, count);
		if (type == PRECIS_RECORD_COMPRESSED2)
			build_bytes(&build, "\xff\xff\xff\xff\xff\xff\xff", 7 & -count);
		build_end(&build);
		memcpy(plain->at + plain->count, build.bytes, build.count);
		plain->count += build.count;
	}
	bytes = *plain;
	free(plain);
}

static void compressed(void)
{
	static const uint32_t types[] = { PRECIS_RECORD_COMPRESSED, PRECIS_RECORD_COMPRESSED2 };
	static const size_t steps[] = { 1, 7, 8, 39, 40, 41, 100, 240 };

	for (size_t n = 0; n < sizeof(types) / sizeof(types[0]); n++) {
		for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
			struct precis_file *file;

			compressor = ZSTD_createCStream();
			ZSTD_initCStream(compressor, 1);
			begin_seekable("PERFILE2");
			put_sample(ID, 0);
			put_compressed(types[n], steps[i]);
			put_sample(ID, 7);
			put_compressed(types[n], steps[i]);
			end_seekable();
			ZSTD_freeCStream(compressor);
			file = open_bytes(PRECIS_ORDER_FILE);
			for (int twice = 0; twice < 2; twice++) {
				EXPECT(file, "0 1 2 3 4 5 6 7 1 2 3 4 5 6 = 0");
				CU_ASSERT_EQUAL(info_of(file).compressed, 1);
				CU_ASSERT_EQUAL(counts_of(file).records, 14);
				CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
			}
			precis_file_close(file);
		}
	}
}

/* A compressed record that the file cuts: what can be had of it is handed out. */
static void cut_compressed(void)
{
	struct precis_file *file;
	uint64_t whole = 0;
	size_t start;

	compressor = ZSTD_createCStream();
	ZSTD_initCStream(compressor, 1);
	begin_seekable("PERFILE2");
	start = bytes.count;
	put_compressed(PRECIS_RECORD_COMPRESSED, 40);
	put_compressed(PRECIS_RECORD_COMPRESSED, 240);
	end_seekable();
	ZSTD_freeCStream(compressor);
	for (size_t count = bytes.count; count > start; count--) {
		struct precis_record record;
		int code;

		build_file(path, bytes.at, count);
		file = open_path(path, PRECIS_ORDER_FILE);
		while ((code = precis_file_next(file, &record)) > 0)
			continue;
		CU_ASSERT_EQUAL(code, count == bytes.count ? 0 : PRECIS_E_TRUNCATED);
		if (count == bytes.count)
			whole = counts_of(file).records;
		CU_ASSERT(counts_of(file).records <= whole);
		if (code < 0)
			CU_ASSERT(precis_file_last_error(file)->offset <= count);
		precis_file_close(file);
	}
	CU_ASSERT_EQUAL(whole, 12);
}

/* The last record in compressed data is not whole, though the compressed one is. */
static void rest_of_a_record(void)
{
	struct precis_file *file;
	size_t start;

	compressor = ZSTD_createCStream();
	ZSTD_initCStream(compressor, 1);
	begin_seekable("PERFILE2");
	put_compressed(PRECIS_RECORD_COMPRESSED, 240);
	start = bytes.count;
	put_compressed(PRECIS_RECORD_COMPRESSED, 210);
	bytes.count = start + bytes.at[start + 6] + 256u * bytes.at[start + 7];
	end_seekable();
	ZSTD_freeCStream(compressor);
	file = open_bytes(PRECIS_ORDER_FILE);
	EXPECT(file, "1 2 3 4 5 6 1 2 3 4 5 = -5");
	CU_ASSERT_EQUAL(precis_file_last_error(file)->offset, start);
	CU_ASSERT_PTR_NOT_NULL(strstr(precis_file_last_error(file)->expected, "10 bytes of it"));
	precis_file_close(file);
}

/* What follows a record outside its size, inside compressed data */
static void payload_in_compressed_data(void)
{
	struct precis_file *file;
	uint8_t packed[1024];
	size_t start, count;

	compressor = ZSTD_createCStream();
	ZSTD_initCStream(compressor, 1);
	begin_seekable("PERFILE2");
	start = bytes.count;
	put_tracing_data("12345678", 8, 8);
	put_sample(ID, 1);
	put_tracing_data("", 100, 0); /* never comes */
	count = compress(bytes.at + start, bytes.count - start, packed, sizeof(packed));
	bytes.count = start;
	build_begin(&build, PRECIS_RECORD_COMPRESSED, 0);
	build_bytes(&build, packed, count);
	put_record();
	end_seekable();
	ZSTD_freeCStream(compressor);
	file = open_bytes(PRECIS_ORDER_FILE);
	for (int twice = 0; twice < 2; twice++) {
		EXPECT(file, "1 = -5");
		CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	}
	precis_file_close(file);
}

static void broken_compression(void)
{
	struct precis_file *file;
	size_t start;

	compressor = ZSTD_createCStream();
	ZSTD_initCStream(compressor, 1);
	begin_seekable("PERFILE2");
	put_compressed(PRECIS_RECORD_COMPRESSED, 240);
	start = bytes.count;
	put_compressed(PRECIS_RECORD_COMPRESSED2, 240);
	end_seekable();
	ZSTD_freeCStream(compressor);
	memset(bytes.at + start + 16, 0xff, 3); /* a block of a type that does not exist */
	file = open_bytes(PRECIS_ORDER_FILE);
	for (int twice = 0; twice < 2; twice++) {
		EXPECT(file, "1 2 3 4 5 6 = -18");
		CU_ASSERT_EQUAL(precis_file_last_error(file)->offset, start);
		CU_ASSERT_PTR_NOT_NULL(strstr(precis_file_last_error(file)->expected, "240 bytes"));
		CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	}
	precis_file_close(file);
}

static void compressed_size_that_lies(void)
{
	struct precis_file *file;
	size_t start;

	compressor = ZSTD_createCStream();
	ZSTD_initCStream(compressor, 1);
	begin_seekable("PERFILE2");
	put_compressed(PRECIS_RECORD_COMPRESSED, 240);
	start = bytes.count;
	put_compressed(PRECIS_RECORD_COMPRESSED2, 240);
	end_seekable();
	ZSTD_freeCStream(compressor);
	build_put_u64(bytes.at, start + 8, 100000); /* more than the record has */
	file = open_bytes(PRECIS_ORDER_FILE);
	EXPECT(file, "1 2 3 4 5 6 = -6");
	CU_ASSERT_EQUAL(precis_file_last_error(file)->offset, start + 8);
	precis_file_close(file);
}

#define BOMB_RECORD 65528u
#define BOMB_RECORDS 17000u /* more than 1 GiB */
#define BOMB_STEP 1000u

/* Records of an unknown type that are nothing but zeros: ten thousand times as many as compressed */
static void put_bomb(void)
{
	static uint8_t packed[60000];
	uint8_t *plain = calloc(BOMB_STEP, BOMB_RECORD);

	CU_ASSERT_PTR_NOT_NULL_FATAL(plain);
	for (uint32_t n = 0; n < BOMB_STEP; n++) {
		const uint16_t size = BOMB_RECORD;

		plain[n * BOMB_RECORD] = 200;
		memcpy(plain + n * BOMB_RECORD + 6, &size, sizeof(size));
	}
	for (uint32_t n = 0; n < BOMB_RECORDS; n += BOMB_STEP) {
		build_begin(&build, PRECIS_RECORD_COMPRESSED, 0);
		build_bytes(&build, packed,
			    compress(plain, BOMB_STEP * BOMB_RECORD, packed, sizeof(packed)));
		put_record();
	}
	free(plain);
}

/* How reading with that limit ends, and how many records there are before */
static int read_bomb(uint64_t limit, uint64_t *records, struct precis_file_error *why)
{
	struct precis_file_options options = { .size = sizeof(options), .expansion_limit = limit };
	struct precis_record record;
	struct precis_file *file;
	int code;

	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, &options, &file, NULL), 0);
	while ((code = precis_file_next(file, &record)) > 0)
		;
	*records = counts_of(file).records;
	*why = *precis_file_last_error(file);
	CU_ASSERT_EQUAL(precis_file_next(file, &record), code);
	precis_file_close(file);
	return code;
}

static void too_much_compressed_data(void)
{
	struct precis_file_error why;
	uint64_t records, first;

	compressor = ZSTD_createCStream();
	ZSTD_initCStream(compressor, 1);
	begin_seekable("PERFILE2");
	first = bytes.count;
	put_bomb();
	end_seekable();
	ZSTD_freeCStream(compressor);
	build_file(path, bytes.at, bytes.count);
	CU_ASSERT_EQUAL(read_bomb(0, &records, &why), PRECIS_E_EXPANSION);
	CU_ASSERT(records >= (1u << 30) / BOMB_RECORD && records < BOMB_RECORDS);
	CU_ASSERT(why.has_offset && why.offset >= first && why.offset < bytes.count);
	CU_ASSERT_PTR_NOT_NULL(strstr(why.expected, "more than 1000 times as many"));
	CU_ASSERT_EQUAL(read_bomb(UINT64_MAX, &records, &why), 0);
	CU_ASSERT_EQUAL(records, BOMB_RECORDS);
	CU_ASSERT_EQUAL(read_bomb(100000, &records, &why), 0);
	CU_ASSERT_EQUAL(read_bomb(1, &records, &why), PRECIS_E_EXPANSION);
}

#endif

static void refuses_wrong_arguments(void)
{
	struct precis_file_options options = { .size = sizeof(options), .order = 2 };
	struct precis_file *file;

	begin_seekable("PERFILE2");
	end_seekable();
	build_file(path, bytes.at, bytes.count);
	CU_ASSERT_EQUAL(precis_file_open(path, &options, &file, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_open_fd(-1, NULL, &file, NULL), PRECIS_E_IO);
	CU_ASSERT_EQUAL(precis_file_open_fd(0, NULL, NULL, NULL), PRECIS_E_ARGUMENT);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "version 1", version_1 },
		{ "order of times: rounds, rewinding", order_of_times },
		{ "records that are late in spite of the rounds", late_ones_are_counted },
		{ "order of times in a file that is cut", cut_in_order },
		{ "pipe mode from a file and from a pipe", pipe_mode },
		{ "an event behind the first sample", late_event },
		{ "too many of them", too_many_late_events },
		{ "pipes that are cut, or lie", broken_pipes },
		{ "a seekable file through a pipe", seekable_through_a_pipe },
		{ "a directory, one file of which is cut", directory },
#ifdef HAVE_ZSTD
		{ "compressed records, cut anywhere", compressed },
		{ "a compressed record that the file cuts", cut_compressed },
		{ "the rest of a record", rest_of_a_record },
		{ "data behind a compressed record", payload_in_compressed_data },
		{ "compressed data that is broken", broken_compression },
		{ "a size of compressed data that lies", compressed_size_that_lies },
		{ "compressed data that become too many", too_much_compressed_data },
#endif
		{ "wrong arguments", refuses_wrong_arguments },
	};
	int code;

	build_path(path);
	code = tap_main("forms", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(path);
	return code;
}
