/* SPDX-License-Identifier: BSD-3-Clause */
/* The data behind AUXTRACE records, from every form of a recording, whole and cut off. */
#include <sys/stat.h>
#include <sys/wait.h>

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include <precis/precis.h>

#define BUILT_FILE_ROOM 1200000
#include "tests/support/built_file.h"
#include "tests/support/tap.h"

#define SAMPLE_TYPE (PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME)
#define HEADER_BYTES 104u
#define ATTR_ENTRY (BUILD_ATTR_BYTES + 16)
#define LARGE 700000u /* more than the reader's window */

static char path[64];

static void put_sample(uint64_t time)
{
	build_begin(&build, PRECIS_RECORD_SAMPLE, PRECIS_CPUMODE_USER);
	build_u64(&build, 0x400000);
	build_u64(&build, 1);
	build_u64(&build, time);
	put_record();
}

static uint8_t trace_byte(uint32_t index, size_t n)
{
	return (uint8_t)(index * 37 + n * 7 + (n >> 8));
}

/* An AUXTRACE record of that index; of the data that it announces, so many are there */
static void put_trace(uint32_t index, uint64_t announced, size_t there)
{
	build_begin(&build, PRECIS_RECORD_AUXTRACE, 0);
	build_u64(&build, announced);
	build_u64(&build, 0);
	build_u64(&build, 0);
	build_u32(&build, index);
	build_u32(&build, (uint32_t)-1);
	build_u32(&build, index);
	build_u32(&build, 0);
	put_record();
	for (size_t n = 0; n < there; n++) {
		uint8_t byte = trace_byte(index, n);

		put(&byte, 1);
	}
}

static void begin_seekable(void)
{
	uint8_t attr[BUILD_ATTR_BYTES];

	bytes.count = 0;
	put("PERFILE2", 8);
	put_u64(HEADER_BYTES);
	put_u64(ATTR_ENTRY);
	put_u64(HEADER_BYTES);
	put_u64(ATTR_ENTRY);
	for (int n = 0; n < 8; n++)
		put_u64(0);
	build_attr(attr, 1, SAMPLE_TYPE, 0);
	put(attr, sizeof(attr));
	put_u64(0);
	put_u64(0);
	build_put_u64(bytes.at, 40, bytes.count);
}

static void end_seekable(void)
{
	uint64_t start;

	memcpy(&start, bytes.at + 40, sizeof(start));
	build_put_u64(bytes.at, 48, bytes.count - start);
}

static void begin_pipe(void)
{
	uint8_t attr[BUILD_ATTR_BYTES];

	bytes.count = 0;
	put("PERFILE2", 8);
	put_u64(16);
	build_attr(attr, 1, SAMPLE_TYPE, 0);
	build_begin(&build, PRECIS_RECORD_HEADER_ATTR, 0);
	build_bytes(&build, attr, sizeof(attr));
	put_record();
}

/* Sizes of the traces, by index; the samples between have the times 3, 2 and 1. */
static const size_t sizes[] = { 24, 0, LARGE, 5 };

static void put_records(void)
{
	put_trace(0, sizes[0], sizes[0]);
	put_sample(3);
	put_trace(1, sizes[1], sizes[1]);
	put_sample(2);
	put_trace(2, sizes[2], sizes[2]);
	put_trace(3, sizes[3], sizes[3]);
	put_sample(1);
}

static struct precis_file *open_path(const char *what, uint32_t order)
{
	struct precis_file_options options = { .size = sizeof(options), .order = order };
	struct precis_file *file = NULL;

	CU_ASSERT_EQUAL_FATAL(precis_file_open(what, &options, &file, NULL), 0);
	return file;
}

static struct precis_file *open_bytes(uint32_t order)
{
	build_file(path, bytes.at, bytes.count);
	return open_path(path, order);
}

/* The same bytes through a pipe, which a child fills */
static struct precis_file *open_piped(uint32_t order, pid_t *child)
{
	struct precis_file_options options = { .size = sizeof(options), .order = order };
	struct precis_file *file = NULL;
	int ends[2];

	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	fflush(stdout);
	*child = fork();
	if (*child == 0) {
		close(ends[0]);
		for (size_t at = 0; at < bytes.count;) {
			ssize_t n = write(ends[1], bytes.at + at, bytes.count - at);

			if (n <= 0)
				_exit(1);
			at += (size_t)n;
		}
		_exit(0);
	}
	close(ends[1]);
	CU_ASSERT_EQUAL_FATAL(precis_file_open_fd(ends[0], &options, &file, NULL), 0);
	close(ends[0]);
	return file;
}

/* All data behind the last record, in pieces. @return how many bytes, or the error behind them */
static int64_t read_trace(struct precis_file *file, uint32_t index, size_t piece, size_t *total)
{
	uint8_t *buffer = malloc(piece);
	int64_t got;
	uint32_t wrong = 0;

	*total = 0;
	while ((got = precis_file_payload(file, buffer, piece)) > 0) {
		CU_ASSERT_FATAL((size_t)got <= piece);
		for (int64_t n = 0; n < got; n++)
			wrong += buffer[n] != trace_byte(index, *total + (size_t)n);
		*total += (size_t)got;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	free(buffer);
	return got;
}

/*
 * One pass. Of trace n everything is read if bit n of 'which' is set, of the others a byte.
 * @return bits of the traces that were met
 */
static uint32_t pass(struct precis_file *file, uint32_t which, size_t piece)
{
	struct precis_record record;
	uint32_t met = 0, samples = 0;
	uint8_t byte;
	int found;

	while ((found = precis_file_next(file, &record)) > 0) {
		struct precis_auxtrace trace = { .size = sizeof(trace) };
		size_t total;

		if (record.type != PRECIS_RECORD_AUXTRACE) {
			samples += record.type == PRECIS_RECORD_SAMPLE;
			CU_ASSERT_EQUAL(precis_file_payload(file, &byte, 1), 0);
			continue;
		}
		CU_ASSERT_EQUAL(precis_auxtrace_parse(&record, &trace), 0);
		CU_ASSERT_FATAL(trace.index < 4);
		met |= 1u << trace.index;
		CU_ASSERT_EQUAL(precis_file_payload(file, NULL, 0), 0);
		if (which >> trace.index & 1) {
			CU_ASSERT_EQUAL(read_trace(file, trace.index, piece, &total), 0);
			CU_ASSERT_EQUAL(total, sizes[trace.index]);
		} else if (sizes[trace.index]) {
			CU_ASSERT_EQUAL(precis_file_payload(file, &byte, 1), 1);
			CU_ASSERT_EQUAL(byte, trace_byte(trace.index, 0));
		}
	}
	CU_ASSERT_EQUAL(found, 0);
	CU_ASSERT_EQUAL(samples, 3);
	return met;
}

static void all_passes(struct precis_file *file)
{
	static const size_t pieces[] = { 1000000, 4096, 7 };

	for (uint32_t which = 0; which < 16; which++) {
		CU_ASSERT_EQUAL(pass(file, which, pieces[which % 3]), 15);
		CU_ASSERT_EQUAL(precis_file_rewind(file), 0);
	}
	precis_file_close(file);
}

static void seekable(void)
{
	begin_seekable();
	put_records();
	end_seekable();
	all_passes(open_bytes(PRECIS_ORDER_FILE));
	all_passes(open_bytes(PRECIS_ORDER_TIME));
}

static void pipe_form(void)
{
	begin_pipe();
	put_records();
	all_passes(open_bytes(PRECIS_ORDER_FILE));
	all_passes(open_bytes(PRECIS_ORDER_TIME));
}

/* The first trace comes before all that ends the description of the recording. */
static void through_a_pipe(void)
{
	struct precis_record record;
	struct precis_file *file;
	uint8_t byte;
	pid_t child;

	begin_pipe();
	put_records();
	for (uint32_t which = 0; which < 16; which++) {
		file = open_piped(PRECIS_ORDER_FILE, &child);
		CU_ASSERT_EQUAL(pass(file, which, 5000), 15);
		precis_file_close(file);
		waitpid(child, NULL, 0);
	}
	file = open_piped(PRECIS_ORDER_TIME, &child);
	do {
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	} while (record.type != PRECIS_RECORD_AUXTRACE);
	CU_ASSERT_EQUAL(precis_file_payload(file, &byte, 1), PRECIS_E_UNSUPPORTED);
	CU_ASSERT_PTR_NOT_NULL(strstr(precis_file_last_error(file)->expected, "pipe"));
	while (precis_file_next(file, &record) > 0)
		continue; /* and the records come all the same */
	precis_file_close(file);
	waitpid(child, NULL, 0);
}

static void directory(void)
{
	char where[] = "./precis-test-XXXXXX", data[64], first[64], second[64];

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(where));
	snprintf(data, sizeof(data), "%s/data", where);
	snprintf(first, sizeof(first), "%s/data.0", where);
	snprintf(second, sizeof(second), "%s/data.1", where);
	begin_seekable();
	put_trace(1, sizes[1], sizes[1]);
	put_sample(1);
	end_seekable();
	build_file(data, bytes.at, bytes.count);
	bytes.count = 0;
	put_trace(0, sizes[0], sizes[0]);
	put_sample(3);
	put_trace(2, sizes[2], sizes[2]);
	build_file(first, bytes.at, bytes.count);
	bytes.count = 0;
	put_sample(2);
	put_trace(3, sizes[3], sizes[3]);
	build_file(second, bytes.at, bytes.count);
	all_passes(open_path(where, PRECIS_ORDER_FILE));
	all_passes(open_path(where, PRECIS_ORDER_TIME));
	unlink(data);
	unlink(first);
	unlink(second);
	rmdir(where);
}

/* What is there is delivered, then the error tells where the data end. */
static void cut_off(void)
{
	for (uint32_t order = PRECIS_ORDER_FILE; order <= PRECIS_ORDER_TIME; order++) {
		for (size_t there = 0; there < 40; there++) {
			struct precis_record record;
			struct precis_file *file;
			size_t total, end;

			begin_seekable();
			put_trace(0, 1000, there);
			end_seekable();
			end = bytes.count;
			file = open_bytes(order);
			CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
			CU_ASSERT_EQUAL(read_trace(file, 0, 16, &total), PRECIS_E_TRUNCATED);
			CU_ASSERT_EQUAL(total, there);
			CU_ASSERT_EQUAL(precis_file_last_error(file)->has_offset, 1);
			CU_ASSERT_EQUAL(precis_file_last_error(file)->offset, end);
			CU_ASSERT_EQUAL(precis_file_next(file, &record), PRECIS_E_TRUNCATED);
			precis_file_close(file);
		}
	}
}

/* The data end where the section does, not where the file does. */
static void end_of_section(void)
{
	for (uint32_t order = PRECIS_ORDER_FILE; order <= PRECIS_ORDER_TIME; order++) {
		struct precis_record record;
		struct precis_file *file;
		size_t total;

		begin_seekable();
		put_trace(0, 1000, 100);
		end_seekable();
		for (int n = 0; n < 200; n++)
			put("feature", 8);
		file = open_bytes(order);
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(read_trace(file, 0, 64, &total), PRECIS_E_TRUNCATED);
		CU_ASSERT_EQUAL(total, 100);
		precis_file_close(file);
	}
}

#ifdef HAVE_ZSTD

static ZSTD_CStream *compressor;

/* What was put from 'start' on, as compressed records of about 'step' bytes each */
static void compress_from(size_t start, size_t step)
{
	size_t count = bytes.count - start;
	uint8_t *plain = malloc(count), packed[4096];

	memcpy(plain, bytes.at + start, count);
	bytes.count = start;
	for (size_t at = 0; at < count; at += step) {
		ZSTD_inBuffer in = { plain + at, count - at < step ? count - at : step, 0 };
		ZSTD_outBuffer out = { packed, sizeof(packed), 0 };

		CU_ASSERT_FATAL(!ZSTD_isError(ZSTD_compressStream(compressor, &out, &in)));
		CU_ASSERT_EQUAL_FATAL(ZSTD_flushStream(compressor, &out), 0);
		build_begin(&build, PRECIS_RECORD_COMPRESSED, 0);
		build_bytes(&build, packed, out.pos);
		put_record();
	}
	free(plain);
}

static void compressed(void)
{
	struct precis_record record;
	struct precis_file *file;
	uint8_t byte;
	size_t start;

	for (size_t step = 1000; step < 3000; step += 999) {
		compressor = ZSTD_createCStream();
		ZSTD_initCStream(compressor, 1);
		begin_seekable();
		start = bytes.count;
		put_records();
		compress_from(start, step);
		end_seekable();
		ZSTD_freeCStream(compressor);
		all_passes(open_bytes(PRECIS_ORDER_FILE));
	}
	file = open_bytes(PRECIS_ORDER_TIME);
	do {
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
	} while (record.type != PRECIS_RECORD_AUXTRACE);
	CU_ASSERT_EQUAL(precis_file_payload(file, &byte, 1), PRECIS_E_UNSUPPORTED);
	CU_ASSERT_PTR_NOT_NULL(strstr(precis_file_last_error(file)->expected, "compressed"));
	precis_file_close(file);
}

/* Compressed data that end, or stop for another record, in the middle of what follows a record */
static void compressed_and_cut(void)
{
	for (int interrupted = 0; interrupted < 2; interrupted++) {
		struct precis_record record;
		struct precis_file *file;
		size_t start, total;

		compressor = ZSTD_createCStream();
		ZSTD_initCStream(compressor, 1);
		begin_seekable();
		start = bytes.count;
		put_trace(0, 1000, 600);
		compress_from(start, 100);
		if (interrupted)
			put_sample(9);
		end_seekable();
		ZSTD_freeCStream(compressor);
		file = open_bytes(PRECIS_ORDER_FILE);
		CU_ASSERT_EQUAL_FATAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(read_trace(file, 0, 64, &total),
				interrupted ? PRECIS_E_UNSUPPORTED : PRECIS_E_TRUNCATED);
		CU_ASSERT_EQUAL(total, 600);
		if (interrupted)
			CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), PRECIS_E_TRUNCATED);
		precis_file_close(file);
	}
}

#endif

static void arguments(void)
{
	struct precis_file *file;
	uint8_t byte;

	begin_seekable();
	end_seekable();
	file = open_bytes(PRECIS_ORDER_FILE);
	CU_ASSERT_EQUAL(precis_file_payload(NULL, &byte, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_payload(file, NULL, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_payload(file, &byte, 1), 0);
	precis_file_close(file);
}

static const struct tap_case cases[] = {
	{ "a seekable file, in either order", seekable },
	{ "pipe mode in a file, in either order", pipe_form },
	{ "through a pipe", through_a_pipe },
	{ "a directory", directory },
	{ "a recording that ends in the data", cut_off },
	{ "data that go on behind the section", end_of_section },
#ifdef HAVE_ZSTD
	{ "compressed", compressed },
	{ "compressed and cut", compressed_and_cut },
#endif
	{ "arguments", arguments },
};

int main(void)
{
	int code;

	build_path(path);
	code = tap_main("file_payload", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(path);
	return code;
}
