/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading perf.data that is damaged, or none: what is read all the same, what is refused and where. */
#include <errno.h>
#include <sys/stat.h>

#include "changed_file.h"

/* Put bytes behind the n-th record of a plain recording and say that the data have them. */
static void insert(size_t at, size_t count, uint8_t byte)
{
	uint8_t *longer = malloc(slurped_bytes + count);

	CU_ASSERT_PTR_NOT_NULL_FATAL(longer);
	memcpy(longer, slurped, at);
	memset(longer + at, byte, count);
	memcpy(longer + at + count, slurped + at, slurped_bytes - at);
	free(slurped);
	slurped = longer;
	slurped_bytes += count;
	build_put_u64(slurped, AT_DATA_BYTES, word_of(AT_DATA_BYTES) + count);
	rewrite();
}

/* What the writer would not write: make the record at 'at' one of that type. */
static void retype(size_t at, uint32_t type)
{
	memcpy(slurped + at, &type, sizeof(type));
	rewrite();
}

static void steps_over_payloads(void)
{
	static const uint32_t types[] = { PRECIS_RECORD_AUXTRACE,
					  PRECIS_RECORD_HEADER_TRACING_DATA };
	static const uint64_t ip = 9;

	for (size_t i = 0; i < 2; i++) {
		uint64_t payload[5] = { 600000 }; /* larger than the window; u64 and u32 alike */
		struct precis_writer *writer = create_plain(0, PRECIS_SAMPLE_IP, 0);
		size_t behind = 104 + BUILD_ATTR_BYTES + 16 + 48;
		struct precis_record record;
		struct precis_file *file;

		add_words(writer, PRECIS_RECORD_FINISHED_INIT, 0, payload, 5);
		add_words(writer, PRECIS_RECORD_SAMPLE, 0, &ip, 1);
		precis_file_close(reopen(writer));
		retype(behind - 48, types[i]);
		insert(behind, 600000, 0xff);
		file = open_file();
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(record.type, types[i]);
		CU_ASSERT_EQUAL(record.data[40], 0); /* the view stays until the next call */
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(record.type, PRECIS_RECORD_SAMPLE);
		CU_ASSERT_EQUAL(record.offset, behind + 600000);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 0);
		precis_file_close(file);
		build_put_u64(slurped, behind - 40, 0xffffffff); /* beyond the end */
		rewrite();
		file = open_file();
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(record.type, types[i]);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), PRECIS_E_TRUNCATED);
		CU_ASSERT_EQUAL(precis_file_last_error(file)->offset, behind + 600000 + 16);
		precis_file_close(file);
		if (i)
			continue;
		build_put_u64(slurped, behind - 40, UINT64_MAX);
		rewrite();
		file = open_file();
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), PRECIS_E_TRUNCATED);
		precis_file_close(file);
	}
}

static void payload_without_size(void)
{
	struct precis_writer *writer = create_plain(0, PRECIS_SAMPLE_IP, 0);
	struct precis_record record;
	struct precis_file *file;

	add_words(writer, PRECIS_RECORD_FINISHED_INIT, 0, NULL, 0);
	precis_file_close(reopen(writer));
	retype((size_t)word_of(AT_DATA), PRECIS_RECORD_AUXTRACE);
	file = open_file();
	CU_ASSERT_EQUAL(precis_file_next(file, &record), PRECIS_E_BAD_SIZE);
	precis_file_close(file);
}

static void compressed_records_that_are_none(void)
{
	static const uint32_t types[] = { PRECIS_RECORD_COMPRESSED, PRECIS_RECORD_COMPRESSED2 };

	for (size_t i = 0; i < 2; i++) {
		struct precis_writer *writer = create_plain(0, PRECIS_SAMPLE_IP, 0);
		const struct precis_file_error *error;
		const uint64_t words[] = { 8, UINT64_C(0xfeedfacecafebeef) };
		const uint64_t word = 1;
		struct precis_file *file;
		int code;

		add_words(writer, PRECIS_RECORD_SAMPLE, 0, &word, 1);
		add_words(writer, PRECIS_RECORD_FINISHED_INIT, 0, words, 2);
		precis_file_close(reopen(writer));
		retype((size_t)word_of(AT_DATA) + 16, types[i]);
		file = open_file();
		for (int twice = 0; twice < 2; twice++) {
			CU_ASSERT_EQUAL(drain(file, &code), twice ? 0 : 1);
			CU_ASSERT(code == PRECIS_E_COMPRESSION || code == PRECIS_E_UNSUPPORTED);
		}
		error = precis_file_last_error(file);
		CU_ASSERT_EQUAL(error->code, code);
		CU_ASSERT_EQUAL(error->offset, word_of(AT_DATA) + 16);
		CU_ASSERT_PTR_NOT_NULL(strstr(error->expected, "zstd"));
		CU_ASSERT_EQUAL(counts_of(file).records, 1);
		precis_file_close(file);
	}
}

static void record_sizes_that_lie(void)
{
	for (uint8_t size = 0; size < 8; size++) {
		struct precis_record first, record;
		struct precis_file *file;
		size_t second;

		write_recording();
		second = (size_t)word_of(AT_DATA);
		CU_ASSERT_EQUAL_FATAL(precis_record_at(slurped + second, 400, &first), 0);
		second += first.size;
		slurped[second + 6] = size;
		slurped[second + 7] = 0;
		rewrite();
		file = open_file();
		CU_ASSERT_EQUAL(precis_file_next(file, &record), 1);
		CU_ASSERT_EQUAL(precis_file_next(file, &record), PRECIS_E_BAD_SIZE);
		CU_ASSERT_EQUAL(precis_file_last_error(file)->offset, second + 6);
		precis_file_close(file);
	}
}

/* The recorder died: no sizes, no features, maybe half a record at the end. */
static void recorder_died(void)
{
	struct precis_file_info info = { .size = sizeof(info) };
	struct precis_file *file;
	size_t end;
	int code;

	write_recording();
	end = (size_t)(word_of(AT_DATA) + word_of(AT_DATA_BYTES));
	build_put_u64(slurped, AT_DATA_BYTES, 0);
	slurped_bytes = end;
	rewrite();
	file = open_file();
	CU_ASSERT_EQUAL(precis_file_info(file, &info), 0);
	CU_ASSERT_EQUAL(info.recorder_died, 1);
	CU_ASSERT_EQUAL(info.data_bytes, end - info.data_offset);
	CU_ASSERT_EQUAL(info.features[0], 0);
	CU_ASSERT_PTR_NULL(info.hostname);
	CU_ASSERT_STRING_EQUAL(precis_file_event(file, 0)->name, "event-0");
	CU_ASSERT_EQUAL(drain(file, &code), 10);
	CU_ASSERT_EQUAL(code, 0);
	precis_file_close(file);
	slurped_bytes = end - 8;
	rewrite();
	file = open_file();
	CU_ASSERT_EQUAL(drain(file, &code), 9);
	CU_ASSERT_EQUAL(code, PRECIS_E_TRUNCATED);
	CU_ASSERT(precis_file_last_error(file)->offset < end - 8);
	precis_file_close(file);
	slurped_bytes = end;
	memset(slurped + end - 8, 0, 8); /* the last record is there, and nothing comes after it */
	slurped = realloc(slurped, end + 64);
	CU_ASSERT_PTR_NOT_NULL_FATAL(slurped);
	memset(slurped + end, 0, 64); /* pages that were allocated and never written */
	slurped_bytes = end + 64;
	rewrite();
	file = open_file();
	CU_ASSERT_EQUAL(drain(file, &code), 10);
	CU_ASSERT_EQUAL(code, PRECIS_E_BAD_SIZE);
	CU_ASSERT_EQUAL(precis_file_last_error(file)->offset, end + 6);
	precis_file_close(file);
}

/* Every prefix: all complete records come, and the error is where the bytes end. */
static void every_prefix(void)
{
	size_t ends[16], whole, data;
	uint32_t records = 0;
	struct precis_record record;
	struct precis_file *file;

	write_recording();
	whole = slurped_bytes;
	data = (size_t)word_of(AT_DATA);
	file = open_file();
	while (precis_file_next(file, &record) > 0)
		ends[records++] = (size_t)record.offset + record.size;
	precis_file_close(file);
	for (slurped_bytes = 0; slurped_bytes < whole; slurped_bytes++) {
		struct precis_file_error error = { .size = sizeof(error) };
		uint32_t complete = 0;
		int code;

		rewrite();
		code = precis_file_open(path, NULL, &file, &error);
		if (slurped_bytes < data) {
			CU_ASSERT_EQUAL(code, slurped_bytes ? PRECIS_E_TRUNCATED
							    : PRECIS_E_NOT_PERF_DATA);
			CU_ASSERT_EQUAL(error.has_offset, 1);
			CU_ASSERT(error.offset <= data);
			continue;
		}
		CU_ASSERT_EQUAL_FATAL(code, 0);
		while (complete < records && ends[complete] <= slurped_bytes)
			complete++;
		CU_ASSERT_EQUAL(drain(file, &code), complete);
		CU_ASSERT_EQUAL(code, complete < records ? PRECIS_E_TRUNCATED : 0);
		if (code) {
			CU_ASSERT_EQUAL(precis_file_last_error(file)->offset,
					complete ? ends[complete - 1] : data);
		}
		CU_ASSERT_PTR_NOT_NULL(
			precis_file_warning(file, 0)); /* of features that are gone */
		precis_file_close(file);
	}
}

static void refuses_other_files(void)
{
	static const struct {
		const char *bytes;
		uint32_t count;
		int code;
		int64_t offset;
		const char *part;
	} rows[] = {
		{ "", 0, PRECIS_E_NOT_PERF_DATA, 0, "found an empty file" },
		{ "ELF", 3, PRECIS_E_NOT_PERF_DATA, 0, "found only 3 bytes 45 4c 46" },
		{ "PERF", 4, PRECIS_E_TRUNCATED, 0, "found only 4 bytes" },
		{ "\0\0\0\0\0\0\0\0\0", 9, PRECIS_E_NOT_PERF_DATA, 0,
		  "expected the magic PERFILE2, found 8 bytes 00 00 00 00 00 00 00 00" },
		{ "PERFFILE", 8, PRECIS_E_TRUNCATED, 8, "header of 104 bytes" },
		{ "PERFFILE\0\0\0\0\0\0\0\x68", 16, PRECIS_E_ENDIAN, 8, "other byte order" },
		{ "2ELIFREP", 8, PRECIS_E_ENDIAN, 0, "big-endian machine (magic 2ELIFREP" },
		{ "PERFILE2", 8, PRECIS_E_TRUNCATED, 8, "header of 104 bytes" },
		{ "2ELIFREP\0\0\0\0\0\0\0\x10", 16, PRECIS_E_ENDIAN, 0, "big-endian machine" },
		{ "PERFILE2\x67\0\0\0\0\0\0\0", 16, PRECIS_E_BAD_SIZE, 8, "found 103" },
		{ "PERFILE2\x68\0\0\0\0\0\0\0", 16, PRECIS_E_TRUNCATED, 16, "header of 104 bytes" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		build_file(path, rows[i].bytes, rows[i].count);
		check_refused(rows[i].code, rows[i].offset, rows[i].part);
	}
}

static void refuses_what_is_no_file(void)
{
	struct precis_file_error error;
	uid_t user = geteuid();

	error = refused(".");
	CU_ASSERT_EQUAL(error.code, PRECIS_E_DIRECTORY);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.expected, "\"data\" in it"));
	error = refused("/nonexistent/perf.data");
	CU_ASSERT_EQUAL(error.code, PRECIS_E_IO);
	CU_ASSERT_EQUAL(error.sys_errno, ENOENT);
	CU_ASSERT_EQUAL(error.has_offset, 0);
	CU_ASSERT_EQUAL(refused("/dev/null").code, PRECIS_E_NOT_PERF_DATA);
	write_recording();
	CU_ASSERT_EQUAL(chmod(path, 0), 0);
	if (!user && seteuid(65534))
		return; /* root may read everything */
	error = refused(path);
	CU_ASSERT_EQUAL(error.code, PRECIS_E_IO);
	CU_ASSERT_EQUAL(error.sys_errno, EACCES);
	CU_ASSERT_EQUAL(seteuid(user), 0);
	CU_ASSERT_EQUAL(chmod(path, 0600), 0);
}

static void header_lies(void)
{
	uint64_t attrs, bytes;

	write_recording();
	attrs = word_of(AT_ATTRS);
	bytes = slurped_bytes;
	check_lie(AT_HEADER_SIZE, 105, PRECIS_E_BAD_SIZE, AT_HEADER_SIZE, "found 105");
	check_lie(AT_ATTR_SIZE, 0, PRECIS_E_BAD_SIZE, AT_ATTR_SIZE, "at least 80");
	check_lie(AT_ATTR_SIZE, 79, PRECIS_E_BAD_SIZE, AT_ATTR_SIZE, "found 79");
	check_lie(AT_ATTR_SIZE, UINT64_MAX, PRECIS_E_BAD_SIZE, AT_ATTRS_BYTES, "multiple");
	check_lie(AT_ATTR_SIZE, 143, PRECIS_E_BAD_SIZE, AT_ATTRS_BYTES,
		  "multiple of attr_size 143");
	check_lie(AT_ATTRS, bytes + 1, PRECIS_E_TRUNCATED, AT_ATTRS, "the file ends at");
	check_lie(AT_ATTRS, UINT64_MAX - 16, PRECIS_E_TRUNCATED, AT_ATTRS, "the file ends at");
	check_lie(AT_ATTRS_BYTES, bytes, PRECIS_E_TRUNCATED, AT_ATTRS, "the file ends at");
	check_lie(AT_DATA, bytes + 1, PRECIS_E_TRUNCATED, AT_DATA, "data section at");
	check_lie(AT_DATA_BYTES, UINT64_MAX, PRECIS_E_BAD_SIZE, AT_DATA_BYTES, "data section");
	/* attr.size of the second event, and its section of ids */
	attrs += BUILD_ATTR_BYTES + 16;
	check_lie(attrs, FETCH_TYPE | UINT64_C(136) << 32, PRECIS_E_BAD_SIZE, (int64_t)attrs + 4,
		  "from 64 to 128, found 136");
	check_lie(attrs, FETCH_TYPE | UINT64_C(63) << 32, PRECIS_E_BAD_SIZE, (int64_t)attrs + 4,
		  "found 63");
	attrs += BUILD_ATTR_BYTES;
	check_lie(attrs, bytes, PRECIS_E_TRUNCATED, (int64_t)attrs, "ids of event 1");
	check_lie(attrs + 8, UINT64_MAX - 7, PRECIS_E_TRUNCATED, (int64_t)attrs, "ids of event 1");
	check_lie(attrs + 8, 15, PRECIS_E_BAD_SIZE, (int64_t)attrs + 8, "ids of event 1");
	rewrite();
	precis_file_close(open_file());
}

/* All events together may not claim more ids than a file of that size can hold. */
static void ids_that_overlap(void)
{
	struct precis_writer *writer = create();
	uint64_t half;

	for (uint32_t n = 0; n < 4; n++)
		add_event(writer, OP_TYPE, SAMPLE_TYPE, 0, op_ids, 2, NULL);
	CU_ASSERT_EQUAL_FATAL(precis_writer_close(writer), 0);
	slurp();
	half = slurped_bytes / 16 * 8;
	for (uint32_t n = 0; n < 4; n++) {
		size_t entry = (size_t)word_of(AT_ATTRS) + n * (BUILD_ATTR_BYTES + 16);

		build_put_u64(slurped, entry + BUILD_ATTR_BYTES, 0);
		build_put_u64(slurped, entry + BUILD_ATTR_BYTES + 8, half);
	}
	rewrite();
	CU_ASSERT_EQUAL(refused(path).code, PRECIS_E_BAD_SIZE);
}

/* An attr that says 0 or less than its entry: old or careless tools */
static void small_attrs(void)
{
	static const uint32_t sizes[] = { 0, 64, 72, 80, 96, 104, 112, 120, 128 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct precis_file *file;

		write_recording();
		build_put_u64(slurped, (size_t)word_of(AT_ATTRS),
			      OP_TYPE | (uint64_t)sizes[i] << 32);
		rewrite();
		file = open_file();
		CU_ASSERT_EQUAL(precis_file_event(file, 0)->attr_bytes, sizes[i] ? sizes[i] : 64);
		CU_ASSERT_EQUAL(precis_file_event(file, 0)->id_count, 2);
		precis_file_close(file);
	}
}

static size_t feature_entry(uint32_t feature)
{
	size_t at = (size_t)(word_of(AT_DATA) + word_of(AT_DATA_BYTES));
	uint64_t bits = word_of(AT_FEATURES);

	for (uint32_t bit = 0; bit < feature; bit++)
		at += bits >> bit & 1 ? 16 : 0;
	return at;
}

static void check_warning(const char *part)
{
	struct precis_file *file;
	int code;

	rewrite();
	file = open_file();
	CU_ASSERT_PTR_NOT_NULL_FATAL(precis_file_warning(file, 0));
	CU_ASSERT_PTR_NOT_NULL(strstr(precis_file_warning(file, 0), part));
	CU_ASSERT_EQUAL(drain(file, &code), 10);
	CU_ASSERT_EQUAL(code, 0);
	precis_file_close(file);
}

/* A broken feature is a warning, and the records are read nevertheless. */
static void broken_features(void)
{
	static const struct {
		uint32_t feature;
		const char *name;
	} rows[] = {
		{ PRECIS_FEATURE_HOSTNAME, "HOSTNAME" },
		{ PRECIS_FEATURE_NRCPUS, "NRCPUS" },
		{ PRECIS_FEATURE_CPUID, "CPUID" },
		{ PRECIS_FEATURE_CMDLINE, "CMDLINE" },
		{ PRECIS_FEATURE_EVENT_DESC, "EVENT_DESC" },
		{ PRECIS_FEATURE_PMU_MAPPINGS, "PMU_MAPPINGS" },
		{ PRECIS_FEATURE_SAMPLE_TIME, "SAMPLE_TIME" },
		{ PRECIS_FEATURE_PMU_CAPS, "PMU_CAPS" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t offset, bytes;
		size_t entry;

		write_recording();
		entry = feature_entry(rows[i].feature);
		offset = word_of(entry);
		bytes = word_of(entry + 8);
		for (uint64_t cut = 0; cut < bytes; cut += cut < 16 ? 1 : 61) {
			build_put_u64(slurped, entry + 8, cut);
			check_warning(rows[i].name);
		}
		build_put_u64(slurped, entry + 8, bytes);
		build_put_u64(slurped, entry, slurped_bytes);
		check_warning(rows[i].name);
		build_put_u64(slurped, entry, UINT64_MAX - 4);
		check_warning(rows[i].name);
		build_put_u64(slurped, entry, offset);
		if (bytes <= 16)
			continue;
		memset(slurped + offset, 0xff, 4); /* a count or a length */
		check_warning(rows[i].name);
	}
}

/* What is not within the file, or more than it together with others, cannot be had. */
static void features_beyond_the_file(void)
{
	struct precis_file_info info = { .size = sizeof(info) };
	struct precis_bytes section;
	struct precis_file *file;

	write_recording();
	build_put_u64(slurped, feature_entry(PRECIS_FEATURE_ARCH), slurped_bytes - 10);
	rewrite();
	file = open_file();
	CU_ASSERT_EQUAL(precis_file_feature(file, PRECIS_FEATURE_ARCH, &section),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_info(file, &info), 0);
	CU_ASSERT_EQUAL(info.features[0] >> PRECIS_FEATURE_ARCH & 1, 0);
	precis_file_close(file);
	write_recording();
	for (uint32_t n = 0; n < 2; n++) {
		size_t entry = feature_entry(n ? PRECIS_FEATURE_CPUID : PRECIS_FEATURE_HOSTNAME);

		build_put_u64(slurped, entry, 0);
		build_put_u64(slurped, entry + 8, slurped_bytes - 100);
	}
	rewrite();
	file = open_file();
	CU_ASSERT_EQUAL(precis_file_feature(file, PRECIS_FEATURE_HOSTNAME, &section), 0);
	CU_ASSERT_EQUAL(section.bytes, slurped_bytes - 100);
	CU_ASSERT_EQUAL(precis_file_feature(file, PRECIS_FEATURE_CPUID, &section),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_info(file, &info), 0);
	CU_ASSERT_EQUAL(info.features[0] >> PRECIS_FEATURE_HOSTNAME & 1, 1);
	CU_ASSERT_EQUAL(info.features[0] >> PRECIS_FEATURE_CPUID & 1, 0);
	precis_file_close(file);
}

static void string_without_end(void)
{
	size_t entry;

	write_recording();
	entry = feature_entry(PRECIS_FEATURE_HOSTNAME);
	memset(slurped + word_of(entry) + 4, 'x', 64);
	check_warning("HOSTNAME");
}

static void feature_bytes(void)
{
	struct precis_bytes section;
	struct precis_file *file;
	uint32_t cpus[2];

	write_recording();
	file = open_file();
	CU_ASSERT_EQUAL(precis_file_feature(file, PRECIS_FEATURE_NRCPUS, &section), 0);
	CU_ASSERT_EQUAL_FATAL(section.bytes, 8);
	memcpy(cpus, section.data, 8);
	CU_ASSERT_EQUAL(cpus[0], 8);
	CU_ASSERT_EQUAL(precis_file_feature(file, PRECIS_FEATURE_BUILD_ID, &section),
			PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_feature(file, 255, &section), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_file_feature(file, 256, &section), PRECIS_E_ARGUMENT);
	precis_file_close(file);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "data behind a record", steps_over_payloads },
		{ "data behind a record, without its size", payload_without_size },
		{ "compressed records", compressed_records_that_are_none },
		{ "record sizes below a header's", record_sizes_that_lie },
		{ "the recorder died", recorder_died },
		{ "every prefix of a file", every_prefix },
		{ "files that are none of ours", refuses_other_files },
		{ "directory, pipe, no file, no permission", refuses_what_is_no_file },
		{ "sizes in header and attrs that lie", header_lies },
		{ "ids that overlap", ids_that_overlap },
		{ "attrs smaller than their entry", small_attrs },
		{ "broken features", broken_features },
		{ "features beyond the file", features_beyond_the_file },
		{ "a string without an end", string_without_end },
		{ "a feature's bytes", feature_bytes },
	};
	int failed;

	build_path(path);
	failed = tap_main("file_damage", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(path);
	free(slurped);
	return failed;
}
