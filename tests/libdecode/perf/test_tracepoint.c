/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptions of tracepoints: what is read of them, what is refused, values and texts of RAW. */
#include <precis/precis.h>

#include "tests/support/tap.h"
#include "tests/support/tracing.h"

#define FIELDS                                                                                     \
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"                                 \
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"                                     \
	"\tfield:__data_loc char[] name;\toffset:28;\tsize:4;\tsigned:0;\n"                        \
	"\tfield:unsigned long addr;\toffset:32;\tsize:8;\tsigned:0;\n"                            \
	"\tfield:__rel_loc u16[] rel;\toffset:40;\tsize:4;\tsigned:0;\n"                           \
	"\tfield:s16 small;\toffset:44;\tsize:2;\tsigned:1;\n"                                     \
	"\tfield:u8 len;\toffset:46;\tsize:1;\tsigned:0;\n"                                        \
	"\tfield:void * ptr;\toffset:48;\tsize:8;\tsigned:0;\n"                                    \
	"\n"
#define FORMAT(name, id, print)                                                                    \
	"name: " name "\nID: " id "\n" TRACING_COMMON FIELDS "print fmt: " print "\n"
#define RAW_BYTES 72u

static struct build build;
static struct precis_tracepoints *tracepoints;
static struct precis_tracepoints_error error;
static uint8_t raw[RAW_BYTES];

static int read_blob(size_t bytes)
{
	precis_tracepoints_free(tracepoints);
	tracepoints = NULL;
	memset(&error, 0, sizeof(error));
	error.size = sizeof(error);
	return precis_tracepoints_new(build.bytes, bytes, &tracepoints, &error);
}

static int read_formats(const char *const *formats, uint32_t count)
{
	tracing_build(&build, "sys", formats, count);
	return read_blob(build.count);
}

static void set(size_t at, uint64_t value, size_t bytes)
{
	memcpy(raw + at, &value, bytes);
}

/* RAW of tracepoint 'id': every field has a value of its own */
static void fill(uint16_t id)
{
	memset(raw, 0, sizeof(raw));
	set(0, id, 2);
	memcpy(raw + 8, "worker", 7);
	set(24, (uint32_t)-7, 4);
	set(28, 56 | 6u << 16, 4); /* "hello" */
	memcpy(raw + 56, "hello", 6);
	set(32, UINT64_C(0xffffffff81000010), 8);
	set(40, (64 - 44) | 4u << 16, 4);
	set(64, 0x00220011, 4);
	set(44, (uint16_t)-3, 2);
	set(46, 2, 1);
	set(48, 0xabc, 8);
}

/* Its text; *plain says why it is a list */
static const char *text_of(const char *format, const char **plain)
{
	static char room[512];

	CU_ASSERT_EQUAL_FATAL(read_formats(&format, 1), 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(precis_tracepoints_at(tracepoints, 0));
	fill((uint16_t)precis_tracepoints_at(tracepoints, 0)->id);
	CU_ASSERT(precis_tracepoints_text(tracepoints, precis_tracepoints_at(tracepoints, 0), raw,
					  sizeof(raw), room, sizeof(room), plain) >= 0);
	return room;
}

static void descriptions(void)
{
	static const char *const formats[] = { FORMAT("second", "20", "\"x\""),
					       FORMAT("first", "3", "\"x\""),
					       FORMAT("again", "20", "\"x\"") };
	const struct precis_tracepoint *found;
	const struct precis_tracepoint_field *field;

	CU_ASSERT_EQUAL_FATAL(read_formats(formats, 3), 0);
	CU_ASSERT_EQUAL(error.code, 0);
	CU_ASSERT_STRING_EQUAL(precis_tracepoints_at(tracepoints, 0)->name, "first");
	CU_ASSERT_STRING_EQUAL(precis_tracepoints_at(tracepoints, 1)->name, "second");
	CU_ASSERT_PTR_NULL(precis_tracepoints_at(tracepoints, 2)); /* of two with an id the first */
	found = precis_tracepoints_find(tracepoints, 20);
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	CU_ASSERT_STRING_EQUAL(found->system, "sys");
	CU_ASSERT_EQUAL(found->id, 20);
	CU_ASSERT_EQUAL(found->field_count, 12);
	CU_ASSERT_PTR_NULL(precis_tracepoints_find(tracepoints, 19));
	CU_ASSERT_PTR_NULL(precis_tracepoints_find(tracepoints, UINT64_MAX));
	CU_ASSERT(found->fields[3].is_common && !found->fields[4].is_common);
	field = precis_tracepoint_field(found, "comm");
	CU_ASSERT_PTR_NOT_NULL_FATAL(field);
	CU_ASSERT_STRING_EQUAL(field->type, "char[16]");
	CU_ASSERT(field->offset == 8 && field->bytes == 16 && field->is_array && field->is_text &&
		  !field->is_signed && !field->is_long);
	field = precis_tracepoint_field(found, "name");
	CU_ASSERT_STRING_EQUAL(field->type, "__data_loc char[]");
	CU_ASSERT(field->place == PRECIS_PLACE_DATA_LOC && field->is_text);
	field = precis_tracepoint_field(found, "rel");
	CU_ASSERT(field->place == PRECIS_PLACE_REL_LOC && field->is_array && !field->is_text);
	CU_ASSERT(precis_tracepoint_field(found, "addr")->is_long);
	CU_ASSERT(precis_tracepoint_field(found, "ptr")->is_pointer);
	CU_ASSERT(precis_tracepoint_field(found, "pid")->is_signed);
	CU_ASSERT_PTR_NULL(precis_tracepoint_field(found, "com"));
	CU_ASSERT_PTR_NULL(precis_tracepoint_field(NULL, "comm"));
}

/* Each of many is found, and nothing between them */
static void many(void)
{
	char texts[20][1024];
	const char *formats[20];

	for (uint32_t n = 0; n < 20; n++) {
		snprintf(texts[n], sizeof(texts[n]), FORMAT("a", "%u", "\"x\""), 100 + 3 * n);
		formats[n] = texts[n];
	}
	CU_ASSERT_EQUAL_FATAL(read_formats(formats, 20), 0);
	for (uint32_t id = 95; id < 165; id++) {
		int is_there = id >= 100 && id <= 157 && (id - 100) % 3 == 0;

		CU_ASSERT_EQUAL(precis_tracepoints_find(tracepoints, id) != NULL, is_there);
	}
}

static int64_t number(const char *name, size_t bytes, int *code)
{
	uint64_t value = 99;

	*code = precis_tracepoint_number(
		precis_tracepoint_field(precis_tracepoints_at(tracepoints, 0), name), raw, bytes,
		&value);
	return (int64_t)value;
}

static void values(void)
{
	static const char *const formats[] = { FORMAT("a", "3", "\"x\"") };
	const struct precis_tracepoint *tracepoint;
	struct precis_bytes data;
	int code;

	CU_ASSERT_EQUAL_FATAL(read_formats(formats, 1), 0);
	tracepoint = precis_tracepoints_at(tracepoints, 0);
	fill(3);
	CU_ASSERT_EQUAL(number("pid", sizeof(raw), &code), -7);
	CU_ASSERT_EQUAL(number("small", sizeof(raw), &code), -3);
	CU_ASSERT_EQUAL(number("len", 47, &code), 2);
	CU_ASSERT_EQUAL((uint64_t)number("addr", 40, &code), UINT64_C(0xffffffff81000010));
	CU_ASSERT_EQUAL(number("addr", 39, &code), 99);
	CU_ASSERT_EQUAL(code, PRECIS_E_TRUNCATED);
	number("comm", sizeof(raw), &code);
	CU_ASSERT_EQUAL(code, PRECIS_E_UNSUPPORTED);
	number("name", sizeof(raw), &code);
	CU_ASSERT_EQUAL(code, PRECIS_E_UNSUPPORTED);

	CU_ASSERT_EQUAL(precis_tracepoint_string(precis_tracepoint_field(tracepoint, "comm"), raw,
						 sizeof(raw), &data),
			0);
	CU_ASSERT(data.bytes == 6 && !memcmp(data.data, "worker", 6));
	CU_ASSERT_EQUAL(precis_tracepoint_string(precis_tracepoint_field(tracepoint, "name"), raw,
						 62, &data),
			0);
	CU_ASSERT(data.bytes == 5 && !memcmp(data.data, "hello", 5));
	CU_ASSERT_EQUAL(precis_tracepoint_string(precis_tracepoint_field(tracepoint, "name"), raw,
						 61, &data),
			PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(precis_tracepoint_string(precis_tracepoint_field(tracepoint, "rel"), raw,
						 sizeof(raw), &data),
			PRECIS_E_UNSUPPORTED);
	CU_ASSERT_EQUAL(
		precis_tracepoint_data(precis_tracepoint_field(tracepoint, "rel"), raw, 68, &data),
		0);
	CU_ASSERT(data.bytes == 4 && data.data == raw + 64);
	CU_ASSERT_EQUAL(
		precis_tracepoint_data(precis_tracepoint_field(tracepoint, "rel"), raw, 67, &data),
		PRECIS_E_TRUNCATED);
	CU_ASSERT_EQUAL(precis_tracepoint_data(NULL, raw, 67, &data), PRECIS_E_ARGUMENT);
}

static const char *const list = " comm=worker pid=-7 name=hello addr=0xffffffff81000010 "
				"rel=ARRAY[11, 00, 22, 00] small=-3 len=2 ptr=0xabc";

static void texts(void)
{
	static const struct {
		const char *print, *expected;
	} rows[] = {
		{ "\"comm=%s pid=%d\", REC->comm, REC->pid", "comm=worker pid=-7" },
		{ "\"%s %s\", __get_str(name), REC->len == 2 ? \"two\" : \"other\"", "hello two" },
		{ "\"%s\", __print_flags(REC->len, \"|\", { 1, \"A\" }, { 2, \"B\" })", "B" },
		{ "\"%s\", __print_symbolic(REC->len, { 2, \"two\" }, { 0, ((void *)0) })", "two" },
		/* how arrays look depends on libtraceevent's version */
		{ "\"%s\", __print_array(__get_rel_dynamic_array(rel), REC->len, 2)", NULL },
		{ "\"%s\", __print_array(__get_dynamic_array(name), "
		  "__get_dynamic_array_len(name) / 3, 1)",
		  NULL },
		{ "\"%d\", __get_dynamic_array_len(name)", "6" },
		{ "\"%.*s\", REC->len, REC->comm", "wo" },
		{ "\"%llu%%\", (unsigned long long)REC->len + 100 / 4", "27%" },
		{ "\"%p\", REC->ptr", "0xabc" },
		{ "\"%pS\", (void *)REC->addr", "0xffffffff81000010" },
	};
	const char *plain;
	char format[2048];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(format, sizeof(format), FORMAT("a", "3", "%s"), rows[i].print);
		const char *text = text_of(format, &plain);

		if (!precis_tracepoints_available()) {
			CU_ASSERT_STRING_EQUAL(text, list);
			CU_ASSERT_PTR_NOT_NULL(plain);
			continue;
		}
		CU_ASSERT_PTR_NULL(plain);
		if (plain || (rows[i].expected && strcmp(text, rows[i].expected))) {
			CU_FAIL("a text is another");
			printf("# %s: '%s' %s\n", rows[i].print, text, plain ? plain : "");
		}
	}
}

/* What libtraceevent must not get */
static void refused(void)
{
	static const char *const prints[] = {
		"\"%d\", REC->pid / REC->len",
		"\"%d\", REC->pid / (4 - 4)",
		"\"%d\", REC->pid / 4 % 4",
		"\"%d\", REC->pid / 0",
		"\"%d\", REC->absent",
		"\"%d\", REC->comm[REC->len]",
		"\"%d\", REC->comm[16]",
		"\"%d\", 1 + REC->comm[1]",
		"\"%*d\", REC->len, REC->pid",
		"\"%999d\", REC->pid",
		"\"%s %s\", REC->comm",
		"\"a\\\\\", REC->pid",
		"\"%d\", other(REC->pid)",
		"\"%d\", REC->pid REC->pid",
		"\"%d\", (REC->pid",
		"\"%s\", __print_hex(__get_rel_dynamic_array(rel), __get_str(name))",
		"\"%s\", __print_array(REC->comm, 4, 3)",
		"\"%s\", __get_str(comm)",
		"\"%d\", __get_dynamic_array_len(rel)",
		"\"%lx\", __get_dynamic_array(name)",
		"",
	};
	const char *plain;
	char format[2048];

	for (size_t i = 0; i < sizeof(prints) / sizeof(prints[0]); i++) {
		snprintf(format, sizeof(format), FORMAT("a", "3", "%s"), prints[i]);
		CU_ASSERT_STRING_EQUAL(text_of(format, &plain), list);
		CU_ASSERT_PTR_NOT_NULL(plain);
		if (!plain)
			printf("# not refused: %s\n", prints[i]);
	}
}

/* A print format that is good, and RAW that is not */
static void broken_raw(void)
{
	static const char *const formats[] = { FORMAT(
		"a", "3",
		"\"%s %.*s %s\", __get_str(name), REC->small, REC->comm, "
		"__print_hex(__get_rel_dynamic_array(rel), REC->len)") };
	const struct precis_tracepoint *tracepoint;
	const char *plain;
	char room[512];

	CU_ASSERT_EQUAL_FATAL(read_formats(formats, 1), 0);
	tracepoint = precis_tracepoints_at(tracepoints, 0);
	fill(3);
	set(44, 3, 2);
	precis_tracepoints_text(tracepoints, tracepoint, raw, sizeof(raw), room, sizeof(room),
				&plain);
	if (precis_tracepoints_available()) {
		CU_ASSERT_STRING_EQUAL(room, "hello wor 11 00");
	}
	fill(3); /* a limit of -3 */
	precis_tracepoints_text(tracepoints, tracepoint, raw, sizeof(raw), room, sizeof(room),
				&plain);
	CU_ASSERT_PTR_NOT_NULL(plain);
	set(44, 3, 2);
	set(46, 5, 1); /* five of four */
	precis_tracepoints_text(tracepoints, tracepoint, raw, sizeof(raw), room, sizeof(room),
				&plain);
	CU_ASSERT_PTR_NOT_NULL(plain);
	set(46, 2, 1);
	set(28, 70 | 6u << 16, 4); /* beyond RAW */
	precis_tracepoints_text(tracepoints, tracepoint, raw, sizeof(raw), room, sizeof(room),
				&plain);
	CU_ASSERT_PTR_NOT_NULL(plain);
	CU_ASSERT_PTR_NOT_NULL(strstr(room, "name=MALFORMED addr=0xffffffff81000010"));
	precis_tracepoints_text(tracepoints, tracepoint, raw, 30, room, sizeof(room), &plain);
	CU_ASSERT_STRING_EQUAL(room, " comm=worker pid=-7 name=MALFORMED addr=MALFORMED "
				     "rel=MALFORMED small=MALFORMED len=MALFORMED ptr=MALFORMED");
	CU_ASSERT_EQUAL(precis_tracepoints_text(tracepoints, tracepoint, raw, 1, room, sizeof(room),
						&plain),
			PRECIS_E_TRUNCATED);
	set(0, 4, 2);
	CU_ASSERT_EQUAL(precis_tracepoints_text(tracepoints, tracepoint, raw, sizeof(raw), room,
						sizeof(room), &plain),
			PRECIS_E_BAD_ID);
}

static void room_of_any_size(void)
{
	static const char *const formats[] = { FORMAT("a", "3", "\"comm=%s\", REC->comm"),
					       FORMAT("b", "4", "\"%d\", REC->absent") };
	const struct precis_tracepoint *tracepoint;
	char whole[256], room[256];

	CU_ASSERT_EQUAL_FATAL(read_formats(formats, 2), 0);
	for (uint16_t id = 3; id <= 4; id++) {
		int length;

		tracepoint = precis_tracepoints_find(tracepoints, id);
		fill(id);
		length = precis_tracepoints_text(tracepoints, tracepoint, raw, sizeof(raw), whole,
						 sizeof(whole), NULL);
		CU_ASSERT_EQUAL((size_t)length, strlen(whole));
		for (size_t size = 0; size <= (size_t)length + 1; size++) {
			memset(room, '#', sizeof(room));
			CU_ASSERT_EQUAL(precis_tracepoints_text(tracepoints, tracepoint, raw,
								sizeof(raw), size ? room : NULL,
								size, NULL),
					length);
			CU_ASSERT_EQUAL(room[size], '#');
			if (size) {
				CU_ASSERT_EQUAL(strlen(room), size - 1);
				CU_ASSERT(!memcmp(room, whole, size - 1));
			}
		}
	}
	CU_ASSERT_EQUAL(precis_tracepoints_text(tracepoints, NULL, raw, 1, room, 1, NULL),
			PRECIS_E_ARGUMENT);
}

static const char *name_function(void *data, uint64_t address, uint64_t *start)
{
	*start = address & ~UINT64_C(0xff);
	return data;
}

static void functions(void)
{
	static const char *const formats[] = { FORMAT("a", "3",
						      "\"%pS %ps\", REC->addr, REC->addr") };
	char room[64], name[] = "schedule";

	if (!precis_tracepoints_available()) {
		tap_skip("no libtraceevent");
		return;
	}
	CU_ASSERT_EQUAL_FATAL(read_formats(formats, 1), 0);
	CU_ASSERT_EQUAL(precis_tracepoints_set_functions(tracepoints, name_function, name), 0);
	fill(3);
	precis_tracepoints_text(tracepoints, precis_tracepoints_at(tracepoints, 0), raw,
				sizeof(raw), room, sizeof(room), NULL);
	CU_ASSERT_STRING_EQUAL(room, "schedule+0x10 schedule");
	CU_ASSERT_EQUAL(precis_tracepoints_set_functions(tracepoints, NULL, NULL),
			PRECIS_E_ARGUMENT);
}

/* Of each length: an error with its place, or less than all */
static void truncated(void)
{
	static const char *const formats[] = { FORMAT("a", "3", "\"x\""),
					       FORMAT("b", "4", "\"x\"") };
	size_t count;

	tracing_build(&build, "sys", formats, 2);
	count = build.count - 8; /* the command lines are not read */
	for (size_t bytes = 0; bytes < count; bytes++) {
		uint8_t *exact = malloc(bytes + 1);
		struct precis_tracepoints *made = NULL;
		int code;

		memcpy(exact, build.bytes, bytes);
		error = (struct precis_tracepoints_error){ .size = sizeof(error) };
		code = precis_tracepoints_new(exact, bytes, &made, &error);
		CU_ASSERT(error.code < 0 && error.offset <= bytes && error.expected[0]);
		CU_ASSERT(code == 0 ? made != NULL : code == error.code);
		precis_tracepoints_free(made);
		free(exact);
	}
	CU_ASSERT_EQUAL(read_blob(count), 0);
	CU_ASSERT_EQUAL(error.code, 0);
	/* The second format is cut: the first is there. */
	CU_ASSERT_EQUAL(read_blob(count - 30), 0);
	CU_ASSERT_EQUAL(error.code, PRECIS_E_TRUNCATED);
	CU_ASSERT_PTR_NOT_NULL(precis_tracepoints_find(tracepoints, 3));
	CU_ASSERT_PTR_NULL(precis_tracepoints_find(tracepoints, 4));
}

static void refused_blobs(void)
{
	static const char *const formats[] = { FORMAT("a", "3", "\"x\""), FORMAT("b", "04", "\"x\""),
					       FORMAT("c", "5", "\"x\"") };

	CU_ASSERT_EQUAL(read_formats(formats, 3), 0); /* b is left out */
	CU_ASSERT_EQUAL(error.code, PRECIS_E_SYNTAX);
	CU_ASSERT_EQUAL(build.bytes[error.offset], 'n');
	CU_ASSERT(precis_tracepoints_find(tracepoints, 3) &&
		  precis_tracepoints_find(tracepoints, 5));
	CU_ASSERT_PTR_NULL(precis_tracepoints_at(tracepoints, 2));

	tracing_build(&build, "sys", formats, 1);
	build.bytes[0] ^= 1;
	CU_ASSERT_EQUAL(read_blob(build.count), PRECIS_E_BAD_SIZE);
	tracing_head(&build, 1, 8, "");
	CU_ASSERT_EQUAL(read_blob(build.count), PRECIS_E_ENDIAN);
	tracing_head(&build, 0, 3, "");
	CU_ASSERT_EQUAL(read_blob(build.count), PRECIS_E_UNSUPPORTED);
	CU_ASSERT_EQUAL(precis_tracepoints_new(NULL, 1, &tracepoints, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_tracepoints_new(build.bytes, (64u << 20) + 1, &tracepoints, NULL),
			PRECIS_E_BAD_SIZE);
}

/* A long is the kernel's, which its page header tells better than a 32-bit perf. */
static void long_of_4_bytes(void)
{
	static const char *const pages[] = {
		"",
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n",
	};
	static const char *const formats[] = { FORMAT("a", "3", "\"%s\", REC->pid"), NULL };
	static const char *const expected[] = { "fffffff9", "\xf9\xff\xff\xff" };
	char room[64];

	if (!precis_tracepoints_available()) {
		tap_skip("no libtraceevent");
		return;
	}
	/* libtraceevent takes a number of a long's size for the address of a string */
	for (int i = 0; i < 2; i++) {
		tracing_head(&build, 0, 4, pages[i]);
		tracing_system(&build, "sys", formats, 1);
		tracing_tail(&build, "");
		CU_ASSERT_EQUAL_FATAL(read_blob(build.count), 0);
		fill(3);
		precis_tracepoints_text(tracepoints, precis_tracepoints_at(tracepoints, 0), raw,
					sizeof(raw), room, sizeof(room), NULL);
		CU_ASSERT_STRING_EQUAL(room, expected[i]);
	}
}

static void printk_formats(void)
{
	static const char *const formats[] = { FORMAT("a", "3", "\"%s\", REC->addr") };
	char room[64];

	if (!precis_tracepoints_available()) {
		tap_skip("no libtraceevent");
		return;
	}
	tracing_head(&build, 0, 8, "");
	tracing_system(&build, "sys", formats, 1);
	tracing_tail(&build, "0x1 : \"\n\n0x2 : \"\"\n0xffffffff81000010 : \"a string\"\n:::\n");
	CU_ASSERT_EQUAL_FATAL(read_blob(build.count), 0);
	fill(3);
	precis_tracepoints_text(tracepoints, precis_tracepoints_at(tracepoints, 0), raw,
				sizeof(raw), room, sizeof(room), NULL);
	CU_ASSERT_STRING_EQUAL(room, "a string");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what descriptions say", descriptions },
		{ "one of many", many },
		{ "values of fields", values },
		{ "texts by print formats", texts },
		{ "print formats that are refused", refused },
		{ "RAW that is broken", broken_raw },
		{ "room of any size for a text", room_of_any_size },
		{ "names of kernel functions", functions },
		{ "tracing data of each length", truncated },
		{ "tracing data that are refused", refused_blobs },
		{ "a long of 4 bytes", long_of_4_bytes },
		{ "strings of printk", printk_formats },
	};
	int failed = tap_main("tracepoints", cases, sizeof(cases) / sizeof(cases[0]));

	precis_tracepoints_free(tracepoints);
	return failed;
}
