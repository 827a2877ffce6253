/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptions of tracepoints and RAW data with anything in them: no crash, no
 * hang, and a text that ends where it says. What is changed are words and signs of
 * print formats, numbers of fields, bytes of all of it, and RAW.
 *
 * PRECIS_TRACE_RUNS says how many; PRECIS_SEED where to begin.
 */
#include <precis/precis.h>

#include "tests/property/random.h"
#include "tests/support/tap.h"
#include "tests/support/tracing.h"

#define RUNS 40000u
#define TEXT_ROOM 8192

#define FIELDS                                                                                     \
	TRACING_COMMON                                                                             \
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"                                 \
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"                                     \
	"\tfield:__data_loc char[] name;\toffset:28;\tsize:4;\tsigned:0;\n"                        \
	"\tfield:unsigned long addr;\toffset:32;\tsize:8;\tsigned:0;\n"                            \
	"\tfield:__data_loc u8[] buf;\toffset:40;\tsize:4;\tsigned:0;\n"                           \
	"\tfield:__rel_loc u8[] rel;\toffset:44;\tsize:4;\tsigned:0;\n"                            \
	"\tfield:unsigned long args[4];\toffset:48;\tsize:32;\tsigned:0;\n"                        \
	"\tfield:u8 mac[6];\toffset:80;\tsize:6;\tsigned:0;\n"                                     \
	"\tfield:u8 len;\toffset:86;\tsize:1;\tsigned:0;\n"                                        \
	"\tfield:s64 wide;\toffset:88;\tsize:8;\tsigned:1;\n"                                      \
	"\tfield:u8 ip[16];\toffset:96;\tsize:16;\tsigned:0;\n"                                    \
	"\n"
#define RAW_BYTES 160u

static const char *const seeds[] = {
	"name: a\nID: 7\n" FIELDS
	"print fmt: \"comm=%s pid=%d name=%s\", REC->comm, REC->pid, __get_str(name)\n",
	"name: b\nID: 7\n" FIELDS
	"print fmt: \"state=%s%s %lu\", (REC->wide & ((1 << 8) - 1)) ? __print_flags(REC->wide & "
	"255, \"|\", { 0x01, \"S\" }, { 0x02, \"D\" }, { (1UL << 4) | 8, \"T\" }) : \"R\", "
	"REC->wide & 256 ? \"+\" : \"\", REC->args[2]\n",
	"name: c\nID: 7\n" FIELDS
	"print fmt: \"%s %s %s\", __print_symbolic(REC->pid, { 0, \"zero\" }, { -1, \"minus\" }, "
	"{ HI_SOFTIRQ, \"hi\" }), __print_hex(REC->mac, 6), "
	"__print_array(__get_dynamic_array(buf), "
	"__get_dynamic_array_len(buf) / 8, 8)\n",
	"name: d\nID: 7\n" FIELDS
	"print fmt: \"%pM %pI4 %pI6c %pU %*phC %pISpc %pS\", REC->mac, REC->ip, REC->ip, REC->ip, "
	"REC->len, __get_dynamic_array(buf), __get_rel_dynamic_array(rel), (void *)REC->addr\n",
	"name: e\nID: 7\n" FIELDS
	"print fmt: \"%.*s %s %s\", REC->len, __get_str(name), __get_bitmask(buf), "
	"__get_rel_str(rel)\n",
	"name: f\nID: 7\n" FIELDS
	"print fmt: \"%u,%u %llu %x %c\", ((unsigned int)(REC->addr >> 20)), ((unsigned int)"
	"(REC->addr & ((1U << 20) - 1))), (unsigned long long)REC->wide / 1000 + 1, REC->pid * 3 % "
	"7, REC->len ? 'a' : 'b'\n",
};
#define SEEDS (sizeof(seeds) / sizeof(seeds[0]))

/* What is put in, or over what stands there */
static const char *const words[] = {
	"REC->",
	"REC->comm",
	"REC->pid",
	"REC->args[",
	"REC->buf",
	"(",
	")",
	",",
	"{",
	"}",
	"[",
	"]",
	" / ",
	" % ",
	" * ",
	" - ",
	" << ",
	" >> ",
	" & ",
	" | ",
	" ? ",
	" : ",
	"!",
	"~",
	"-",
	"0",
	"1",
	"8",
	"65535",
	"-1",
	"4294967295",
	"0x7fffffffffffffff",
	"\"",
	"\\",
	"\\\\",
	"\"x\"",
	"'",
	"'c'",
	"%s",
	"%d",
	"%p",
	"%*d",
	"%.*s",
	"%999d",
	"%pM",
	"%pI6c",
	"%ph",
	"%*ph",
	"%hhd",
	"%lld",
	"%",
	"\n",
	"u8",
	"(u8 *)",
	"(void *)",
	"sizeof(u64)",
	"__print_flags(",
	"__print_symbolic(",
	"__print_hex(",
	"__print_array(",
	"__get_str(",
	"__get_dynamic_array(",
	"__get_bitmask(",
	"__get_cpumask(",
	"__get_dynamic_array_len(",
	"__get_sockaddr(",
	"__builtin_expect(",
	"name",
	"buf",
	"rel",
	"comm",
	";",
	"\t",
	"offset:",
	"size:",
	"field:",
	"__data_loc ",
	"char",
	"*",
	"long",
	"ID:",
	"VIF_PR_FMT",
	"->",
	"++",
	"==",
};
#define WORDS (sizeof(words) / sizeof(words[0]))

static uint64_t state;

static uint32_t below(uint32_t limit)
{
	return (uint32_t)(random_next(&state) % limit);
}

/* Put 'word' at 'at' in place of 'removed' bytes, as far as there is room */
static void splice(char *text, size_t at, size_t removed, const char *word)
{
	size_t length = strlen(text), added = strlen(word);

	if (at > length)
		return;
	if (removed > length - at)
		removed = length - at;
	if (length - removed + added >= TEXT_ROOM)
		return;
	memmove(text + at + added, text + at + removed, length - at - removed + 1);
	memcpy(text + at, word, added);
}

/* Mostly where the print format is */
static size_t somewhere(const char *text)
{
	const char *print = strstr(text, "print fmt:");
	size_t length = strlen(text), start = 0;

	if (print && below(4))
		start = (size_t)(print - text) + 10;
	return start + (length > start ? below((uint32_t)(length - start)) : 0);
}

static void mutate_text(char *text)
{
	char one[2] = { 0, 0 };

	for (uint32_t n = below(5); n; n--) {
		size_t at = somewhere(text);

		switch (below(4)) {
		case 0:
			one[0] = (char)(1 + below(255));
			splice(text, at, 1, one);
			break;
		case 1:
			splice(text, at, below(12), "");
			break;
		default:
			splice(text, at, below(2) ? below(8) : 0, words[below(WORDS)]);
			break;
		}
	}
}

/* --- print formats as a grammar has them ----------------------------------------- */

static char made[TEXT_ROOM];

static void put(const char *text)
{
	if (strlen(made) + strlen(text) < TEXT_ROOM / 2)
		strcat(made, text);
}

static const char *one_of(const char *const *list, uint32_t count)
{
	return list[below(count)];
}

static void put_expression(uint32_t depth);

static void put_constant(uint32_t depth)
{
	static const char *const constants[] = { "0",   "1",          "0x10",
						 "1UL", "-1",         "(1 << 3)",
						 "~5",  "HI_SOFTIRQ", "( gfp_t)((2UL) | 64u)",
						 "'c'" };
	static const char *const operators[] = { " | ", " << ", " & ", " + ", " - ", " >> " };

	put(one_of(constants, 10));
	if (depth && !below(4)) {
		put(one_of(operators, 6));
		put_constant(depth - 1);
	}
}

static void put_list(uint32_t depth)
{
	static const char *const names[] = { "\"a\"", "\"b\" \"c\"", "0", "((void *)0)", "\"\"" };
	int is_flags = (int)below(2);

	put(is_flags ? "__print_flags(" : "__print_symbolic(");
	put_expression(depth);
	put(is_flags ? ", \"|\"" : "");
	for (uint32_t n = 1 + below(3); n; n--) {
		put(", { ");
		put_constant(2);
		put(", ");
		put(one_of(names, 5));
		put(" }");
	}
	put(")");
}

static void put_operand(uint32_t depth)
{
	static const char *const operands[] = {
		"REC->pid",
		"REC->addr",
		"REC->wide",
		"REC->comm",
		"REC->args[1]",
		"REC->len",
		"7",
		"\"text\"",
		"__get_str(name)",
		"__get_dynamic_array_len(buf)",
		"REC->mac[2]",
		"__get_bitmask(buf)",
		"HI_SOFTIRQ",
		"__get_rel_str(rel)",
		"REC->buf",
		"'x'",
		"__print_hex(REC->mac, REC->len)",
		"__print_hex_str(__get_dynamic_array(buf), 3)",
		"__print_array(REC->args, 4, 8)",
		"(unsigned long)-1",
		"__print_array(__get_dynamic_array(buf), __get_dynamic_array_len(buf) / 4, 4)",
		"__get_rel_dynamic_array_len(rel)",
		"__get_rel_bitmask(rel)",
		"__get_bitmask(rel)",
		"__print_array(__get_rel_dynamic_array(rel), __get_dynamic_array_len(rel), 1)",
		"__print_hex(__get_rel_dynamic_array(rel), REC->len)",
		"__get_str(rel)",
		"__builtin_expect(!!(REC->addr >= 5), 0)",
		"REC->ip",
		"0x7fffffffffffffffULL",
	};
	static const char *const casts[] = { "(u8)", "(unsigned long long)", "(void *)", "(s16)",
					     "(struct page *)" };
	static const char *const unary[] = { "!", "~", "-", "+", "!!" };

	switch (depth ? below(9) : 8) {
	case 0:
	case 1:
		put("(");
		put_expression(depth - 1);
		put(")");
		break;
	case 2:
		put(one_of(casts, 5));
		put_operand(depth - 1);
		break;
	case 3:
		put(one_of(unary, 5));
		put_operand(depth - 1);
		break;
	case 4:
		put_list(depth - 1);
		break;
	default:
		put(one_of(operands, sizeof(operands) / sizeof(operands[0])));
	}
}

static void put_expression(uint32_t depth)
{
	static const char *const operators[] = {
		" + ",  " - ",  " * ",  " & ",  " | ",  " ^ ",  " < ",  " > ",  " << ",
		" >> ", " <= ", " >= ", " == ", " != ", " && ", " || ", " / 3", " % 1000",
	};

	put_operand(depth);
	for (uint32_t n = below(4); depth && n; n--) {
		const char *operator= one_of(operators, 18);

		put(operator);
		if (operator[strlen(operator) - 1] == ' ')
			put_operand(depth - 1);
	}
	if (depth && !below(4)) {
		put(" ? ");
		put_expression(depth - 1);
		put(" : ");
		put_expression(depth - 1);
	}
}

static void make_format(void)
{
	static const char *const conversions[] = { "%s",   "%d",    "%llx", "%p",
						   "%pS",  "%*ph",  "%.*s", "%c",
						   "%pM",  "%pI4",  "%-8s", "%016lx",
						   "%hhu", "%pI6c", "%pU",  "%pISpc" };
	uint32_t count = 1 + below(5);
	const char *chosen[5];

	strcpy(made, "name: m\nID: 7\n" FIELDS "print fmt: \"");
	for (uint32_t n = 0; n < count; n++) {
		chosen[n] = one_of(conversions, 16);
		put("x=");
		put(chosen[n]);
	}
	put("\"");
	for (uint32_t n = 0; n < count; n++) {
		if (strchr(chosen[n], '*'))
			put(", REC->len");
		put(", ");
		if (strstr(chosen[n], "ph"))
			put(below(2) ? "__get_dynamic_array(buf)" : "__get_rel_dynamic_array(rel)");
		else
			put_expression(below(4));
	}
	put("\n");
}

static void fill_raw(uint8_t *raw)
{
	static const uint8_t locators[] = { 28, 40, 44 };
	uint16_t type = 7;

	for (uint32_t i = 0; i < RAW_BYTES; i++)
		raw[i] = (uint8_t)(below(3) ? 'a' + below(26) : below(256));
	memcpy(raw, &type, sizeof(type));
	for (size_t i = 0; i < sizeof(locators) && below(8); i++) {
		uint32_t value = (below(20) << 16) | (112 + below(28));

		if (i == 2)
			value -= 48;
		memcpy(raw + locators[i], &value, sizeof(value));
	}
}

static int printed, listed, misjudged;

static void print(struct precis_tracepoints *tracepoints, const char *text)
{
	static char room[TEXT_ROOM];
	const struct precis_tracepoint *tracepoint;
	uint8_t *raw;

	for (size_t n = 0; (tracepoint = precis_tracepoints_at(tracepoints, n)); n++) {
		for (uint32_t i = 0; i < 3; i++) {
			size_t bytes = below(3) ? RAW_BYTES : below(RAW_BYTES), size = 1;
			const char *plain = NULL;
			uint8_t all[RAW_BYTES];
			int length;

			size += below(3) ? TEXT_ROOM - 1 : below(100);
			raw = malloc(bytes + 1);
			fill_raw(all);
			memcpy(raw, all, bytes);
			length = precis_tracepoints_text(tracepoints, tracepoint, raw, bytes, room,
							 size, &plain);
			free(raw);
			if (length < 0)
				continue;
			*(plain ? &listed : &printed) += 1;
			if (plain && strstr(plain, "libtraceevent does not understand")) {
				misjudged++;
				fprintf(stderr, "# not understood: %s\n", text);
			}
			if (room[(size_t)length < size ? (size_t)length : size - 1])
				CU_FAIL("the text does not end where it says");
		}
	}
}

static void run(const char *text)
{
	static struct build build;
	struct precis_tracepoints *tracepoints;
	uint8_t *blob;
	size_t bytes;

	tracing_build(&build, "system", &text, 1);
	bytes = build.count;
	if (!below(8)) {
		build.bytes[below((uint32_t)bytes)] ^= (uint8_t)(1u << below(8));
		bytes -= below(2) ? below(200) : 0;
	}
	/* of its own, so that a sanitizer sees its end */
	blob = malloc(bytes);
	memcpy(blob, build.bytes, bytes);
	if (!precis_tracepoints_new(blob, bytes, &tracepoints, NULL)) {
		print(tracepoints, text);
		precis_tracepoints_free(tracepoints);
	}
	free(blob);
}

static void seeds_are_printed(void)
{
	printed = listed = 0;
	for (size_t i = 0; i < SEEDS; i++) {
		for (uint32_t n = 0; n < 20; n++)
			run(seeds[i]);
	}
	CU_ASSERT((precis_tracepoints_available() ? printed : listed) > 100);
}

static void mutants(void)
{
	const char *runs = getenv("PRECIS_TRACE_RUNS");
	unsigned long count = runs ? strtoul(runs, NULL, 0) : random_amount(RUNS);
	static char text[TEXT_ROOM];

	printed = listed = 0;
	for (unsigned long n = 0; n < count; n++) {
		if (below(2)) {
			strcpy(text, seeds[below(SEEDS)]);
			mutate_text(text);
		} else {
			make_format();
			strcpy(text, made);
			if (!below(4))
				mutate_text(text);
		}
		run(text);
	}
	printf("# %lu formats, %d texts by print formats, %d lists\n", count, printed, listed);
	CU_ASSERT(listed > 0);
	/* what is let through must not fail there: its way out of errors is not sound */
	CU_ASSERT_EQUAL(misjudged, 0);
	if (precis_tracepoints_available())
		CU_ASSERT(printed > 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the seeds are printed by their formats", seeds_are_printed },
		{ "mutants of descriptions and of RAW", mutants },
	};

	state = random_seed("test_tracepoint_hostile");
	return tap_main("hostile tracepoints", cases, sizeof(cases) / sizeof(cases[0]));
}
