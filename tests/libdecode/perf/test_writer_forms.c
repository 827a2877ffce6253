/* SPDX-License-Identifier: BSD-3-Clause */
/* The writer's other forms: compressed, and pipe mode; what is in the file, and what is read back. */
#include <fcntl.h>

#include <precis/precis.h>

#include "tests/support/build.h"
#include "tests/support/tap.h"

#define IS_COMPRESSIBLE 1
#define PIPE_ATTR_BYTES 128

static char path[64];
static struct build build;
static const uint64_t ids[] = { 11, 12 };
static uint64_t state = 1;

static uint64_t random64(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * UINT64_C(2685821657736338717);
}

static struct precis_writer *create(void)
{
	struct precis_writer *writer;

	CU_ASSERT_EQUAL_FATAL(precis_writer_open(path, &writer), 0);
	return writer;
}

static struct precis_writer *create_pipe(void)
{
	int fd = open(path, O_WRONLY | O_TRUNC);
	struct precis_writer *writer;

	CU_ASSERT_EQUAL_FATAL(precis_writer_open_fd(fd, &writer), 0);
	close(fd);
	return writer;
}

static int can_compress(struct precis_writer *writer, int level)
{
	int error = precis_writer_compress(writer, level);

	if (error == PRECIS_E_UNSUPPORTED) {
		tap_skip("built without zstd");
		precis_writer_close(writer);
		return 0;
	}
	CU_ASSERT_EQUAL_FATAL(error, 0);
	return 1;
}

static void add_event_of(struct precis_writer *writer, size_t bytes, const uint64_t *own,
			 uint32_t id_count, const char *name)
{
	uint8_t attr[BUILD_ATTR_BYTES];

	build_attr(attr, 10, PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_IP, 0);
	build_put_u64(attr, BUILD_ATTR_TYPE, 10 | (uint64_t)bytes << 32);
	CU_ASSERT_EQUAL_FATAL(precis_writer_event(writer, attr, bytes, own, id_count, name), 0);
}

static void add_event(struct precis_writer *writer, size_t bytes, uint32_t id_count,
		      const char *name)
{
	add_event_of(writer, bytes, ids, id_count, name);
}

/* A sample of that many words behind its id */
static void make_sample(uint64_t n, size_t words, int is_compressible)
{
	build_begin(&build, PRECIS_RECORD_SAMPLE, PRECIS_CPUMODE_USER);
	build_u64(&build, 11);
	build_u64(&build, n);
	for (size_t i = 1; i < words; i++)
		build_u64(&build, is_compressible ? i : random64());
	build_end(&build);
}

static void add_sample(struct precis_writer *writer, uint64_t n, size_t words, int is_compressible)
{
	make_sample(n, words, is_compressible);
	CU_ASSERT_EQUAL_FATAL(precis_writer_record(writer, build.bytes, build.count), 0);
}

static void add_round(struct precis_writer *writer)
{
	build_begin(&build, PRECIS_RECORD_FINISHED_ROUND, 0);
	build_end(&build);
	CU_ASSERT_EQUAL_FATAL(precis_writer_record(writer, build.bytes, build.count), 0);
}

/* A record AUXTRACE with that many bytes behind it */
static int add_auxtrace(struct precis_writer *writer, size_t says, size_t has)
{
	build_begin(&build, PRECIS_RECORD_AUXTRACE, 0);
	build_u64(&build, says);
	for (int n = 0; n < 4; n++)
		build_u64(&build, 0);
	build_end(&build);
	for (size_t n = 0; n < has; n += 8)
		build_u64(&build, UINT64_MAX);
	return precis_writer_record(writer, build.bytes, build.count);
}

static uint64_t word(const uint8_t *bytes, size_t at)
{
	uint64_t value;

	memcpy(&value, bytes + at, sizeof(value));
	return value;
}

/* The types of the records of a seekable file's data section, as they lie there. */
static size_t walk(uint32_t *types, size_t room)
{
	size_t count, found = 0;
	uint8_t *file = build_slurp(path, &count);
	size_t at = word(file, 40), end = at + word(file, 48);
	struct precis_record record;

	CU_ASSERT_FATAL(end <= count);
	while (at < end && found < room) {
		CU_ASSERT_EQUAL_FATAL(precis_record_at(file + at, end - at, &record), 0);
		types[found++] = record.type;
		at += record.size;
		if (record.type == PRECIS_RECORD_AUXTRACE)
			at += word(record.data, 8);
	}
	CU_ASSERT_EQUAL(at, end);
	free(file);
	return found;
}

/* Samples n = 0, 1, ... with 'words' as written, whatever is between them. @return how many */
static uint64_t read_back(size_t words, int is_compressible)
{
	struct precis_record record;
	struct precis_file *file;
	uint64_t count = 0;
	int found;

	state = 1;
	CU_ASSERT_EQUAL_FATAL(precis_file_open(path, NULL, &file, NULL), 0);
	while ((found = precis_file_next(file, &record)) == 1) {
		if (record.type != PRECIS_RECORD_SAMPLE)
			continue;
		make_sample(count++, words, is_compressible);
		CU_ASSERT_EQUAL_FATAL(record.size, build.count);
		CU_ASSERT_EQUAL(memcmp(record.data, build.bytes, build.count), 0);
	}
	CU_ASSERT_EQUAL(found, 0);
	precis_file_close(file);
	return count;
}

/* The tool's own records, and what follows them, stand between the compressed ones. */
static void tool_records_outside(void)
{
	static const uint32_t expected[] = {
		PRECIS_RECORD_FINISHED_ROUND, PRECIS_RECORD_COMPRESSED,
		PRECIS_RECORD_FINISHED_ROUND, PRECIS_RECORD_COMPRESSED,
		PRECIS_RECORD_AUXTRACE,       PRECIS_RECORD_COMPRESSED,
	};
	struct precis_file_counts counts = { .size = sizeof(counts) };
	struct precis_writer *writer = create();
	uint32_t types[8];

	if (!can_compress(writer, 1))
		return;
	add_event(writer, BUILD_ATTR_BYTES, 2, "a");
	add_round(writer);
	for (uint64_t n = 0; n < 3; n++)
		add_sample(writer, n, 5, IS_COMPRESSIBLE);
	add_round(writer);
	add_sample(writer, 3, 5, IS_COMPRESSIBLE);
	CU_ASSERT_EQUAL(add_auxtrace(writer, 640, 640), 0);
	add_sample(writer, 4, 5, IS_COMPRESSIBLE);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	CU_ASSERT_EQUAL(walk(types, 8), 6);
	CU_ASSERT_EQUAL(memcmp(types, expected, sizeof(expected)), 0);
	CU_ASSERT_EQUAL(read_back(5, IS_COMPRESSIBLE), 5);
}

/* {version, type, level, ratio, mmap_len}; a finished payload wins */
static void compressed_feature(void)
{
	for (int is_given = 0; is_given < 2; is_given++) {
		struct precis_writer *writer = create();
		struct precis_bytes section;
		struct precis_file *file;
		uint32_t values[5];

		if (!can_compress(writer, 7))
			return;
		add_event(writer, BUILD_ATTR_BYTES, 2, "a");
		for (uint64_t n = 0; n < 5000; n++)
			add_sample(writer, n, 20, IS_COMPRESSIBLE);
		if (is_given)
			CU_ASSERT_EQUAL(
				precis_writer_feature(writer, PRECIS_FEATURE_COMPRESSED, "four", 4),
				0);
		CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
		CU_ASSERT_EQUAL_FATAL(precis_file_open(path, NULL, &file, NULL), 0);
		CU_ASSERT_EQUAL_FATAL(
			precis_file_feature(file, PRECIS_FEATURE_COMPRESSED, &section), 0);
		CU_ASSERT_EQUAL(section.bytes, is_given ? 4 : sizeof(values));
		if (!is_given) {
			memcpy(values, section.data, sizeof(values));
			CU_ASSERT_EQUAL(values[0], 0);
			CU_ASSERT_EQUAL(values[1], 1);
			CU_ASSERT_EQUAL(values[2], 7);
			CU_ASSERT(values[3] > 5 && values[3] < 500);
			CU_ASSERT_EQUAL(values[4], 65536);
		}
		precis_file_close(file);
	}
}

/* What cannot be compressed, the largest records, and all levels' ends */
static void sizes(void)
{
	static const struct {
		int level, is_compressible;
		uint64_t count;
		size_t words;
	} forms[] = {
		{ 1, 0, 40, 8188 },  { 1, 1, 40, 8188 }, { 22, 0, 3000, 30 },
		{ 22, 1, 3000, 30 }, { 3, 0, 20000, 1 }, { 3, 1, 1, 1 },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct precis_writer *writer = create();

		if (!can_compress(writer, forms[i].level))
			return;
		add_event(writer, BUILD_ATTR_BYTES, 2, "a");
		state = 1;
		for (uint64_t n = 0; n < forms[i].count; n++)
			add_sample(writer, n, forms[i].words, forms[i].is_compressible);
		CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
		CU_ASSERT_EQUAL(read_back(forms[i].words, forms[i].is_compressible),
				forms[i].count);
	}
}

static void refused_compression(void)
{
	struct precis_writer *writer = create();

	CU_ASSERT_EQUAL(precis_writer_compress(NULL, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_compress(writer, 0), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_compress(writer, 23), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_compress(writer, -1), PRECIS_E_ARGUMENT);
	if (!can_compress(writer, 22))
		return;
	CU_ASSERT_EQUAL(precis_writer_compress(writer, 22), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	writer = create();
	add_round(writer);
	CU_ASSERT_EQUAL(precis_writer_compress(writer, 1), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
}

/* What would make perf misread all that comes behind it */
static void refused_records(void)
{
	static const uint32_t compressed[] = { PRECIS_RECORD_COMPRESSED,
					       PRECIS_RECORD_COMPRESSED2 };
	struct precis_writer *writer = create();
	uint32_t types[4];

	add_event(writer, BUILD_ATTR_BYTES, 2, "a");
	CU_ASSERT_EQUAL(add_auxtrace(writer, 64, 0), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(add_auxtrace(writer, 64, 56), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(add_auxtrace(writer, 0, 8), PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(add_auxtrace(writer, UINT64_MAX, 8), PRECIS_E_BAD_SIZE);
	build_begin(&build, PRECIS_RECORD_AUXTRACE, 0);
	build_end(&build);
	CU_ASSERT_EQUAL(precis_writer_record(writer, build.bytes, build.count), PRECIS_E_BAD_SIZE);
	build_begin(&build, PRECIS_RECORD_HEADER_TRACING_DATA, 0);
	build_u64(&build, 8);
	build_end(&build);
	CU_ASSERT_EQUAL(precis_writer_record(writer, build.bytes, build.count), PRECIS_E_BAD_SIZE);
	for (size_t i = 0; i < 2; i++) {
		build_begin(&build, compressed[i], 0);
		build_u64(&build, 0);
		build_end(&build);
		CU_ASSERT_EQUAL(precis_writer_record(writer, build.bytes, build.count),
				PRECIS_E_ARGUMENT);
	}
	CU_ASSERT_EQUAL(add_auxtrace(writer, 0, 0), 0);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	CU_ASSERT_EQUAL(walk(types, 4), 1);
}

struct stream {
	uint8_t *bytes;
	size_t count, at;
};

static struct stream open_stream(void)
{
	struct stream stream = { NULL, 0, 16 };

	stream.bytes = build_slurp(path, &stream.count);
	CU_ASSERT_FATAL(stream.count >= 16);
	CU_ASSERT_EQUAL(memcmp(stream.bytes, "PERFILE2", 8), 0);
	CU_ASSERT_EQUAL(word(stream.bytes, 8), 16);
	return stream;
}

/* The next record, which must be of that type. @return its body */
static const uint8_t *expect(struct stream *stream, uint32_t type, size_t body)
{
	struct precis_record record;

	CU_ASSERT_EQUAL_FATAL(
		precis_record_at(stream->bytes + stream->at, stream->count - stream->at, &record),
		0);
	CU_ASSERT_EQUAL(record.type, type);
	CU_ASSERT_EQUAL(record.size, 8 + body);
	CU_ASSERT_EQUAL(record.misc, 0);
	stream->at += record.size;
	return record.data + 8;
}

/* Attrs with ids, features, names, records: each where perf looks for it */
static void pipe_bytes(void)
{
	const uint64_t other_id = 13;
	uint8_t build_id[2 * 40] = { 0 };
	struct precis_writer *writer = create_pipe();
	const uint8_t *body;
	struct stream stream;

	build_id[6] = 40;
	build_id[8] = 77; /* pid */
	memcpy(build_id + 40, build_id, 40);
	add_event(writer, 112, 2, "first");
	add_event_of(writer, 112, &other_id, 1, NULL);
	add_event(writer, 112, 0, "third");
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_ARCH, "x86_64"), 0);
	CU_ASSERT_EQUAL(precis_writer_pmu(writer, 10, "ibs_op"), 0);
	CU_ASSERT_EQUAL(precis_writer_feature(writer, PRECIS_FEATURE_BUILD_ID, build_id, 80), 0);
	CU_ASSERT_EQUAL(precis_writer_feature(writer, PRECIS_FEATURE_TRACING_DATA, "abcde", 5), 0);
	CU_ASSERT_EQUAL(precis_writer_feature(writer, PRECIS_FEATURE_AUXTRACE, "12345678", 8), 0);
	CU_ASSERT_EQUAL(precis_writer_feature(writer, PRECIS_FEATURE_DIR_FORMAT, "12345678", 8), 0);
	add_sample(writer, 5, 1, IS_COMPRESSIBLE);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	stream = open_stream();
	body = expect(&stream, PRECIS_RECORD_HEADER_ATTR, PIPE_ATTR_BYTES + 16);
	CU_ASSERT_EQUAL(word(body, 0), 10 | (uint64_t)PIPE_ATTR_BYTES << 32);
	CU_ASSERT_EQUAL(word(body, BUILD_ATTR_SAMPLE_TYPE),
			PRECIS_SAMPLE_IDENTIFIER | PRECIS_SAMPLE_IP);
	CU_ASSERT_EQUAL(word(body, 112), 0);
	CU_ASSERT_EQUAL(word(body, PIPE_ATTR_BYTES), 11);
	CU_ASSERT_EQUAL(word(body, PIPE_ATTR_BYTES + 8), 12);
	body = expect(&stream, PRECIS_RECORD_HEADER_ATTR, PIPE_ATTR_BYTES + 8);
	CU_ASSERT_EQUAL(word(body, PIPE_ATTR_BYTES), 13);
	expect(&stream, PRECIS_RECORD_HEADER_ATTR, PIPE_ATTR_BYTES);
	body = expect(&stream, PRECIS_RECORD_HEADER_TRACING_DATA, 8);
	CU_ASSERT_EQUAL(word(body, 0), 8);
	CU_ASSERT_EQUAL(memcmp(body + 8, "abcde\0\0\0", 8), 0);
	stream.at += 8;
	for (int n = 0; n < 2; n++) {
		body = expect(&stream, PRECIS_RECORD_HEADER_BUILD_ID, 32);
		CU_ASSERT_EQUAL(word(body, 0), 77);
	}
	body = expect(&stream, PRECIS_RECORD_HEADER_FEATURE, 8 + 4 + 64);
	CU_ASSERT_EQUAL(word(body, 0), PRECIS_FEATURE_ARCH);
	CU_ASSERT_STRING_EQUAL((const char *)body + 12, "x86_64");
	body = expect(&stream, PRECIS_RECORD_HEADER_FEATURE, 8 + 4 + 4 + 4 + 64);
	CU_ASSERT_EQUAL(word(body, 0), PRECIS_FEATURE_PMU_MAPPINGS);
	body = expect(&stream, PRECIS_RECORD_EVENT_UPDATE, 24);
	CU_ASSERT_EQUAL(word(body, 0), 2);
	CU_ASSERT_EQUAL(word(body, 8), 11);
	CU_ASSERT_STRING_EQUAL((const char *)body + 16, "first");
	make_sample(5, 1, IS_COMPRESSIBLE);
	CU_ASSERT_EQUAL(stream.count - stream.at, build.count);
	CU_ASSERT_EQUAL(memcmp(stream.bytes + stream.at, build.bytes, build.count), 0);
	free(stream.bytes);
}

/* A sole event is named without an id; attrs larger than perf's stay as they are. */
static void pipe_sole_event(void)
{
	struct precis_writer *writer = create_pipe();
	struct stream stream;
	const uint8_t *body;

	add_event(writer, BUILD_ATTR_BYTES, 0, "seven77");
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	stream = open_stream();
	expect(&stream, PRECIS_RECORD_HEADER_ATTR, BUILD_ATTR_BYTES);
	body = expect(&stream, PRECIS_RECORD_EVENT_UPDATE, 24);
	CU_ASSERT_EQUAL(word(body, 8), 0);
	CU_ASSERT_STRING_EQUAL((const char *)body + 16, "seven77");
	CU_ASSERT_EQUAL(stream.at, stream.count);
	free(stream.bytes);
}

static void pipe_compressed(void)
{
	struct precis_writer *writer = create_pipe();

	if (!can_compress(writer, 1))
		return;
	add_event(writer, BUILD_ATTR_BYTES, 2, "a");
	for (uint64_t n = 0; n < 3000; n++)
		add_sample(writer, n, 10, IS_COMPRESSIBLE);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	CU_ASSERT_EQUAL(read_back(10, IS_COMPRESSIBLE), 3000);
}

static void pipe_refuses(void)
{
	static uint64_t many_ids[8200];
	static uint8_t large[65536];
	struct precis_writer *writer;
	uint8_t attr[BUILD_ATTR_BYTES];

	CU_ASSERT_EQUAL(precis_writer_open_fd(-1, &writer), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_open_fd(1, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_open_fd(1 << 20, &writer), PRECIS_E_IO);
	writer = create_pipe();
	build_attr(attr, 10, PRECIS_SAMPLE_IP, 0);
	CU_ASSERT_EQUAL(precis_writer_event(writer, attr, sizeof(attr), many_ids, 8175, "a"),
			PRECIS_E_NO_SPACE);
	CU_ASSERT_EQUAL(precis_writer_event(writer, attr, sizeof(attr), many_ids, 8174, "a"), 0);
	CU_ASSERT_EQUAL(precis_writer_feature(writer, 32, "", 0), PRECIS_E_UNSUPPORTED);
	add_sample(writer, 0, 1, IS_COMPRESSIBLE);
	CU_ASSERT_EQUAL(precis_writer_feature(writer, PRECIS_FEATURE_STAT, "", 0),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_string(writer, PRECIS_FEATURE_ARCH, "a"), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_pmu(writer, 1, "a"), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_pmu_cap(writer, "a", "b", "c"), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_command(writer, "a"), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_writer_close(writer), 0);
	for (size_t fits = 0; fits < 2; fits++) {
		writer = create_pipe();
		CU_ASSERT_EQUAL(precis_writer_feature(writer, PRECIS_FEATURE_CACHE, large,
						      65535 - 16 + !fits),
				0);
		CU_ASSERT_EQUAL(precis_writer_close(writer), fits ? 0 : PRECIS_E_NO_SPACE);
	}
	for (uint8_t size = 0; size < 2; size++) { /* of a record of 40 bytes: 0, and 48 */
		large[6] = size * 48;
		writer = create_pipe();
		CU_ASSERT_EQUAL(precis_writer_feature(writer, PRECIS_FEATURE_BUILD_ID, large, 40),
				0);
		make_sample(0, 1, IS_COMPRESSIBLE);
		for (int twice = 0; twice < 2; twice++)
			CU_ASSERT_EQUAL(precis_writer_record(writer, build.bytes, build.count),
					PRECIS_E_BAD_SIZE);
		CU_ASSERT_EQUAL(precis_writer_close(writer), PRECIS_E_BAD_SIZE);
	}
}

static const struct tap_case cases[] = {
	{ "compressed: the tool's own records stay outside", tool_records_outside },
	{ "compressed: the feature", compressed_feature },
	{ "compressed: sizes and levels", sizes },
	{ "compressed: what is refused", refused_compression },
	{ "records that are refused", refused_records },
	{ "pipe mode, byte by byte", pipe_bytes },
	{ "pipe mode: a sole event", pipe_sole_event },
	{ "pipe mode: compressed", pipe_compressed },
	{ "pipe mode: what is refused", pipe_refuses },
};

int main(void)
{
	int failed;

	build_path(path);
	failed = tap_main("writer_forms", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(path);
	return failed;
}
