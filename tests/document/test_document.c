/* SPDX-License-Identifier: BSD-3-Clause */
/* Documents: what each kind of cell is in text, JSON and CSV; absence; widths; short memory. */
#include "document/facts.h"
#include "document/print.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/tap.h"

#define ROOM 65536

typedef void print_function(struct output *output, const struct document *document);

/* The linker's --wrap: allocations that fail once 'left' have succeeded */
static long left = -1;
void *__real_realloc(void *memory, size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

static int fails(void)
{
	return left >= 0 && left-- == 0 ? (left = 0, 1) : 0;
}

void *__wrap_realloc(void *memory, size_t bytes)
{
	return fails() ? NULL : __real_realloc(memory, bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	return fails() ? NULL : __real_calloc(count, bytes);
}

/* What is printed at that width, in static memory */
static const char *printed(print_function *print, const struct document *document, size_t width)
{
	static char text[ROOM];
	char path[] = "/tmp/test_document.XXXXXX";
	int fd = mkstemp(path);
	struct output output;
	ssize_t length;

	CU_ASSERT_FATAL(fd >= 0 && !output_open(&output, path));
	output.width = width;
	print(&output, document);
	CU_ASSERT_EQUAL(output_close(&output), 0);
	length = read(fd, text, sizeof(text) - 1);
	CU_ASSERT_FATAL(length >= 0);
	text[length] = '\0';
	close(fd);
	unlink(path);
	return text;
}

static void expect(print_function *print, const struct document *document, const char *expected)
{
	const char *found = printed(print, document, 100);

	CU_ASSERT_STRING_EQUAL(found, expected);
	if (strcmp(found, expected))
		fprintf(stderr, "expected\n%sfound\n%s", expected, found);
}

static void build_cells(struct document *document)
{
	static const struct column columns[] = {
		{ "count", "count", 0 }, { "mean", "mean", 0 }, { "share", "share", 0 },
		{ "address", "address", 0 }, { "flag", "flag", COLUMN_LEFT },
		{ "of", "of", COLUMN_OF | COLUMN_LEFT }, { "text", "text", COLUMN_LEFT },
	};

	table_begin(document, "cells", "Cells", "kind", columns,
		    sizeof(columns) / sizeof(columns[0]));
	row_begin(document, "all");
	cell_count(document, 12);
	cell_decimal(document, 2.5, 4);
	cell_share(document, &(struct weighted){ .samples = 1 }, &(struct weighted){ .samples = 2 });
	cell_address(document, 0xfe);
	cell_flag(document, "it is");
	cell_of(document, &(struct weighted){ .samples = 7 }, "loads");
	cell_text(document, "a \"b\", c\n");
	row_begin(document, "none");
	cell_count(document, 0);
	cell_decimal(document, 2.5, 0);
	cell_share(document, &(struct weighted){ 0 }, &(struct weighted){ 0 });
}

static void test_text(void)
{
	struct document document = { 0 };

	build_cells(&document);
	expect(document_print_text, &document,
	       "Cells\n"
	       "  kind  count  mean                share  address  flag   of       text\n"
	       "  all      12   2.5  50.00% [2.67,97.33]     0xfe  it is  7 loads  a \"b\", c\\x0a\n"
	       "  none      0     -                    -        -                  \n");
	document_free(&document);
}

static void test_json(void)
{
	struct document document = { .is_bare = 1 };
	const char *found;

	build_cells(&document);
	found = printed(document_print_json, &document, 100);
	CU_ASSERT_PTR_NOT_NULL(strstr(found, "\"count\": 12,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(found, "\"mean\": 2.500000,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(found, "\"value\": 0.500000000,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(found, "\"n\": 2\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(found, "\"address\": \"0xfe\",\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(found, "\"flag\": true,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(found, "\"what\": \"loads\"\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(found, "\"text\": \"a \\\"b\\\", c\\n\"\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(found, "\"count\": 0,\n        \"mean\": null,\n"
					     "        \"share\": null,\n        \"address\": null"));
	document_free(&document);
}

static void test_csv(void)
{
	struct document document = { 0 };

	build_cells(&document);
	expect(document_print_csv, &document,
	       "section,row,column,value,n,low,high\n"
	       "cells,all,count,12,,,\n"
	       "cells,all,mean,2.500000,4,,\n"
	       "cells,all,share,0.500000000,2,0.026677342,0.973322658\n"
	       "cells,all,address,0xfe,,,\n"
	       "cells,all,flag,true,,,\n"
	       "cells,all,of,loads,7,,\n"
	       "cells,all,text,\"a \"\"b\"\", c\\x0a\",,,\n"
	       "cells,none,count,0,,,\n"
	       "cells,none,mean,,,,\n"
	       "cells,none,share,,,,\n"
	       "cells,none,address,,,,\n"
	       "cells,none,flag,,,,\n"
	       "cells,none,of,,,,\n"
	       "cells,none,text,,,,\n");
	document_free(&document);
}

/* Figures with intervals that their estimate has: inside of what shares can be, or none */
static void test_estimates(void)
{
	static const struct column columns[] = { { "share", "share", 0 }, { "mean", "mean", 0 } };
	struct document document = { 0 };

	table_begin(&document, "t", "T", "", columns, 2);
	row_begin(&document, "a");
	cell_share_between(&document, 0.25, -0.1, 0.5, 3);
	cell_decimal_between(&document, 0.125, 0.1, 0.15, 3);
	row_begin(&document, "b");
	cell_share_between(&document, 0.75, NAN, NAN, 3);
	cell_decimal_between(&document, 1234.5, NAN, NAN, 3);
	row_begin(&document, "c");
	cell_share_between(&document, NAN, 0, 1, 3);
	cell_decimal_between(&document, NAN, 0, 1, 3);
	expect(document_print_text, &document,
	       "T\n"
	       "                   share              mean\n"
	       "  a  25.00% [0.00,50.00]  0.125 [0.1,0.15]\n"
	       "  b               75.00%          1.23e+03\n"
	       "  c                    -                 -\n");
	expect(document_print_csv, &document,
	       "section,row,column,value,n,low,high\n"
	       "t,a,share,0.250000000,3,0.000000000,0.500000000\n"
	       "t,a,mean,0.125000,3,,\n"
	       "t,b,share,0.750000000,3,,\n"
	       "t,b,mean,1234.500000,3,,\n"
	       "t,c,share,,,,\n"
	       "t,c,mean,,,,\n");
	document_free(&document);
}

static void build_facts(struct document *document)
{
	document->is_bare = 1;
	document->absent_means = "nobody says";
	facts_begin(document, "machine", 0, 8);
	fact_text(document, "name", "host", "a  b");
	fact_count(document, "memory", 512);
	cell_unit(document, "KiB");
	fact_label(document, "memory");
	fact_bool(document, "is_on", 1);
	fact_label(document, "on");
	fact_bool(document, "is_off", 0);
	fact_text(document, "nothing", "nothing", NULL);
	fact(document, "broken");
	cell_why_absent(document, "no, \"really\"");
	fact_label(document, "broken");
	fact(document, "list");
	cell_entries(document);
	member_text(document, NULL, "x");
	member_text(document, NULL, "y");
	close_nest(document);
	fact_label(document, "list");
	fact_says(document, "two:");
	fact_says_line(document, "x and y");
	fact(document, "");
	fact_label(document, "people");
	fact_says(document, "alone");
	for (unsigned int n = 0; n < 2; n++) {
		facts_begin(document, "part", 2, 4);
		facts_entry_of(document, "parts");
		facts_title(document, "part %u", n);
		fact(document, "in");
		cell_members(document);
		member_entries(document, "deep");
		member_members(document, NULL);
		member_address(document, "at", 16 + n);
		member_absent(document, "why", n ? "it is hidden" : NULL);
		member_decimal(document, "mean", n ? NAN : 1.5);
		close_nest(document);
		close_nest(document);
		close_nest(document);
	}
	CU_ASSERT_EQUAL(document->depth, 0);
}

static void test_facts_text(void)
{
	struct document document = { 0 };

	build_facts(&document);
	expect(document_print_text, &document,
	       "host     a  b\n"
	       "memory   512 KiB\n"
	       "on       yes\n"
	       "broken   - (no, \"really\")\n"
	       "list     two:\n"
	       "         x and y\n"
	       "people   alone\n"
	       "\n"
	       "part 0\n"
	       "\n"
	       "part 1\n");
	document_free(&document);
}

static void test_facts_json(void)
{
	struct document document = { 0 };

	build_facts(&document);
	expect(document_print_json, &document,
	       "{\n"
	       "  \"name\": \"a  b\",\n"
	       "  \"memory\": 512,\n"
	       "  \"is_on\": true,\n"
	       "  \"is_off\": false,\n"
	       "  \"nothing\": null,\n"
	       "  \"broken\": null,\n"
	       "  \"broken_reason\": \"no, \\\"really\\\"\",\n"
	       "  \"list\": [\n"
	       "    \"x\",\n"
	       "    \"y\"\n"
	       "  ],\n"
	       "  \"parts\": [\n"
	       "    {\n"
	       "      \"in\": {\n"
	       "        \"deep\": [\n"
	       "          {\n"
	       "            \"at\": \"0x10\",\n"
	       "            \"why\": null,\n"
	       "            \"mean\": 1.500000\n"
	       "          }\n"
	       "        ]\n"
	       "      }\n"
	       "    },\n"
	       "    {\n"
	       "      \"in\": {\n"
	       "        \"deep\": [\n"
	       "          {\n"
	       "            \"at\": \"0x11\",\n"
	       "            \"why\": null,\n"
	       "            \"why_reason\": \"it is hidden\",\n"
	       "            \"mean\": null\n"
	       "          }\n"
	       "        ]\n"
	       "      }\n"
	       "    }\n"
	       "  ]\n"
	       "}\n");
	document_free(&document);
}

static void test_facts_csv(void)
{
	struct document document = { 0 };

	build_facts(&document);
	expect(document_print_csv, &document,
	       "section,row,column,value,n,low,high,unit,reason\n"
	       "machine,name,value,a  b,,,,,\n"
	       "machine,memory,value,512,,,,KiB,\n"
	       "machine,is_on,value,true,,,,,\n"
	       "machine,is_off,value,false,,,,,\n"
	       "machine,nothing,value,,,,,,nobody says\n"
	       "machine,broken,value,,,,,,\"no, \"\"really\"\"\"\n"
	       "machine,list,value,x,,,,,\n"
	       "machine,list,value,y,,,,,\n"
	       "parts,0,in.deep.0.at,0x10,,,,,\n"
	       "parts,0,in.deep.0.why,,,,,,nobody says\n"
	       "parts,0,in.deep.0.mean,1.500000,0,,,,\n"
	       "parts,1,in.deep.0.at,0x11,,,,,\n"
	       "parts,1,in.deep.0.why,,,,,,it is hidden\n"
	       "parts,1,in.deep.0.mean,,,,,,nobody says\n");
	document_free(&document);
}

/* Of figures, too: why there is none stands below the table, beside it, in a column. */
static void test_reasons(void)
{
	static const struct column columns[] = { { "a", "a", 0 }, { "b", "b", 0 } };
	struct document document = { .is_bare = 1, .absent_means = "nobody says" };
	const char *found;

	table_begin(&document, "t", "T", "", columns, 2);
	for (unsigned int n = 0; n < 2; n++) {
		row_begin(&document, "%u", n);
		cell_count(&document, 0);
		cell_unit(&document, "ns");
		cell_absent(&document);
		cell_why_absent(&document, "it was lost");
	}
	row_begin(&document, "2");
	expect(document_print_text, &document,
	       "T\n"
	       "     a  b\n"
	       "  0  0  -\n"
	       "  1  0  -\n"
	       "  2  -  -\n"
	       "  -: it was lost\n");
	expect(document_print_csv, &document,
	       "section,row,column,value,n,low,high,unit,reason\n"
	       "t,0,a,0,,,,ns,\n"
	       "t,0,b,,,,,,it was lost\n"
	       "t,1,a,0,,,,ns,\n"
	       "t,1,b,,,,,,it was lost\n"
	       "t,2,a,,,,,,nobody says\n"
	       "t,2,b,,,,,,nobody says\n");
	found = printed(document_print_json, &document, 100);
	CU_ASSERT_PTR_NOT_NULL(strstr(found, "\"a\": 0,\n        \"b\": null,\n"
					     "        \"b_reason\": \"it was lost\"\n"));
	document_free(&document);
}

/* Names from recordings: a control character and one of two bytes take the room that they show. */
static void test_escaped_widths(void)
{
	static const struct column columns[] = { { "a", "a", 0 } };
	struct document document = { 0 };

	table_begin(&document, "t", "T", "", columns, 1);
	row_begin(&document, "\033[1m");
	cell_count(&document, 1);
	row_begin(&document, "\303\244bc");
	cell_count(&document, 2);
	facts_begin(&document, "f", 0, 3);
	fact_text(&document, "x", "\303\244", "b\033");
	fact_text(&document, "y", "abc", "\303\244\303\244\303\244\303\244\303\244\303\244"
		  "\303\244\303\244\303\244\303\244\303\244\303\244\303\244\303\244\303\244"
		  " \303\244\303\244\303\244\303\244\303\244\303\244\303\244\303\244\303\244"
		  "\303\244\303\244\303\244\303\244\303\244\303\244 b");
	CU_ASSERT_STRING_EQUAL(printed(document_print_text, &document, 40),
	       "T\n"
	       "           a\n"
	       "  \\x1b[1m  1\n"
	       "  \303\244bc      2\n"
	       "\n"
	       "\303\244   b\\x1b\n"
	       "abc \303\244\303\244\303\244\303\244\303\244\303\244\303\244\303\244\303\244"
	       "\303\244\303\244\303\244\303\244\303\244\303\244 \303\244\303\244\303\244"
	       "\303\244\303\244\303\244\303\244\303\244\303\244\303\244\303\244\303\244"
	       "\303\244\303\244\303\244 b\n");
	document_free(&document);
}

/* A table that is wider than its page is folded, and a long text goes on in its column. */
static void test_widths(void)
{
	static const struct column columns[] = {
		{ "a", "a figure", 0 }, { "b", "another figure", 0 }, { "c", "words", COLUMN_LEFT },
	};
	struct document document = { 0 };

	table_begin(&document, "t", "A title", "", columns, 3);
	row_begin(&document, "one");
	cell_count(&document, 1);
	cell_count(&document, 2);
	cell_text(&document, "as many words as it takes to fill a line");
	row_begin(&document, "two");
	cell_count(&document, 3);
	CU_ASSERT_STRING_EQUAL(printed(document_print_text, &document, 100),
		"A title\n"
		"       a figure  another figure  words\n"
		"  one         1               2  as many words as it takes to fill a line\n"
		"  two         3               -  \n");
	CU_ASSERT_STRING_EQUAL(printed(document_print_text, &document, 60),
		"A title\n"
		"      a figure another figure words\n"
		"  one        1              2 as many words as it takes to\n"
		"                              fill a line\n"
		"  two        3              - \n");
	CU_ASSERT_STRING_EQUAL(printed(document_print_text, &document, 40),
		"A title\n"
		"      a figure another figure\n"
		"  one        1              2\n"
		"  two        3              -\n"
		"      words\n"
		"  one as many words as it takes to fill\n"
		"      a line\n"
		"  two \n");
	document_free(&document);
}

/* Wherever memory ends, it is noted, nothing is built on what is not there, and all is freed. */
static void test_short_memory(void)
{
	long needs = 0;

	for (;; needs++) {
		struct document document = { 0 };

		left = needs;
		build_facts(&document);
		build_cells(&document);
		table_note(&document, "a note");
		table_coverage(&document, "ip", 1, 2);
		coverage_absence(&document, "SCRUBBED", "it is hidden", 1);
		left = -1;
		if (!document.failed) {
			document_free(&document);
			break;
		}
		document_free(&document);
		CU_ASSERT_FATAL(needs < 10000);
	}
	CU_ASSERT(needs > 20);
}

/* No more members than a bound, and it is noted that there are more */
static void test_bound(void)
{
	struct document document = { 0 };

	facts_begin(&document, "f", 0, 1);
	fact(&document, "many");
	cell_entries(&document);
	for (uint32_t n = 0; n < DOCUMENT_MEMBERS_MOST; n++)
		member_count(&document, NULL, n);
	CU_ASSERT_EQUAL(document.is_cut, 0);
	member_members(&document, NULL);
	member_count(&document, "in it", 1);
	close_nest(&document);
	close_nest(&document);
	CU_ASSERT_EQUAL(document.is_cut, 1);
	CU_ASSERT_EQUAL(document.failed, 0);
	CU_ASSERT_EQUAL(document.tables[0].rows[0].cells[0].member_count, DOCUMENT_MEMBERS_MOST);
	document_free(&document);
}

/* Counts from n on, of a row with that number: there is none before it, nor its members */
static void make_row(struct document *document, size_t n, const void *data)
{
	CU_ASSERT_EQUAL(document->tables[0].row_count, 0);
	CU_ASSERT_EQUAL(document->member_count, 0);
	row_begin(document, "row %zu", n);
	cell_count(document, n);
	cell_entries(document);
	for (uint32_t k = 0; k < *(const uint32_t *)data; k++)
		member_count(document, NULL, n + k);
	close_nest(document);
}

static const struct column made_columns[] = { { "first", "first", 0 }, { "all", NULL, 0 } };

/* Rows that are there stand before those that are made, each source's behind the other's. */
static void test_made_rows(void)
{
	const uint32_t two = 2, none = 0;
	struct document document = { 0 };

	table_begin(&document, "made", "Made", "row", made_columns, 2);
	row_begin(&document, "kept");
	cell_count(&document, 9);
	table_makes_rows(&document, 2, make_row, &two);
	table_makes_rows(&document, 1, make_row, &none);
	document_settle(&document);
	document.is_bare = 1;
	expect(document_print_json, &document,
	       "{\n  \"made\": {\n    \"rows\": [\n      {\n        \"row\": \"kept\",\n"
	       "        \"first\": 9,\n        \"all\": null\n      },\n"
	       "      {\"row\":\"row 0\",\"first\":0,\"all\":[0,1]},\n"
	       "      {\"row\":\"row 1\",\"first\":1,\"all\":[1,2]},\n"
	       "      {\"row\":\"row 0\",\"first\":0,\"all\":[]}\n    ],\n"
	       "    \"coverage\": [],\n    \"notes\": []\n  }\n}\n");
	expect(document_print_csv, &document,
	       "section,row,column,value,n,low,high\nmade,kept,first,9,,,\nmade,kept,all,,,,\n"
	       "made,row 0,first,0,,,\nmade,row 0,all.0,0,,,\nmade,row 0,all.1,1,,,\n"
	       "made,row 1,first,1,,,\nmade,row 1,all.0,1,,,\nmade,row 1,all.1,2,,,\n"
	       "made,row 0,first,0,,,\nmade,row 0,all,,,,\n");
	CU_ASSERT_PTR_NULL(strstr(printed(document_print_text, &document, 80), "row 1"));
	document_free(&document);
}

/* More members than a document holds, and none is missing; where memory ends the page is not whole. */
static void test_made_rows_are_many(void)
{
	const uint32_t each = 64;
	struct document document = { 0 };
	struct output output;

	table_begin(&document, "made", NULL, "row", made_columns, 2);
	table_makes_rows(&document, DOCUMENT_MEMBERS_MOST / each + 2, make_row, &each);
	CU_ASSERT_FATAL(!output_open(&output, "/dev/null"));
	document_print_csv(&output, &document);
	CU_ASSERT_EQUAL(output.failed, 0);
	CU_ASSERT_EQUAL(output_close(&output), 0);
	CU_ASSERT_EQUAL(document.is_cut, 0);
	CU_ASSERT_FATAL(!output_open(&output, "/dev/null"));
	left = 30;
	document_print_json(&output, &document);
	left = -1;
	CU_ASSERT_EQUAL(output.failed, ENOMEM);
	CU_ASSERT_EQUAL(output_close(&output), -1);
	document_free(&document);
}

static void print_plain(struct output *output, const struct document *document)
{
	output->is_utf8 = 0;
	document_print_text(output, document);
}

static void print_utf8(struct output *output, const struct document *document)
{
	output->is_utf8 = 1;
	document_print_text(output, document);
}

/* A list of counts that text draws: in eight heights, none of them for 0 alone */
static void test_trend(void)
{
	static const struct column columns[] = { { "trend", "trend", 0 }, { NULL, "what", COLUMN_LEFT } };
	static const uint64_t counts[] = { 0, 1, 8, 9, 16, 40, 63, 64 };
	static const uint64_t nothing[2];
	struct document document = { 0 };

	table_begin(&document, "t", "T", "", columns, 2);
	row_begin(&document, "1");
	cell_trend(&document, counts, 8);
	cell_text(&document, "first");
	row_begin(&document, "2");
	cell_trend(&document, nothing, 2);
	cell_text(&document, "second");
	expect(print_plain, &document,
	       "T\n"
	       "        trend  what\n"
	       "  1   ..::+@@  first\n"
	       "  2            second\n");
	expect(print_utf8, &document,
	       "T\n"
	       "        trend  what\n"
	       "  1   \xe2\x96\x81\xe2\x96\x81\xe2\x96\x82\xe2\x96\x82\xe2\x96\x85\xe2\x96\x88\xe2\x96\x88"
	       "  first\n"
	       "  2            second\n");
	document_free(&document);
	table_begin(&document, "t", "T", "", columns, 2);
	document.member_count = DOCUMENT_MEMBERS_MOST - 1;
	row_begin(&document, "1");
	cell_trend(&document, nothing, 2);
	CU_ASSERT_EQUAL(document.tables[0].rows[0].cells[0].kind, CELL_ABSENT);
	CU_ASSERT_PTR_NOT_NULL(document.tables[0].rows[0].cells[0].reason);
	document_free(&document);
}

static void test_trend_csv(void)
{
	static const struct column columns[] = { { "trend", "trend", 0 } };
	static const uint64_t counts[] = { 5, 7 };
	struct document document = { 0 };

	table_begin(&document, "t", "T", "", columns, 1);
	row_begin(&document, "1");
	cell_trend(&document, counts, 2);
	expect(document_print_csv, &document,
	       "section,row,column,value,n,low,high\n"
	       "t,1,trend.0,5,,,\n"
	       "t,1,trend.1,7,,,\n");
	document_free(&document);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "counts that text draws", test_trend },
		{ "counts that text draws, as CSV", test_trend_csv },
		{ "each kind of cell as text", test_text },
		{ "each kind of cell as JSON", test_json },
		{ "each kind of cell as CSV", test_csv },
		{ "figures with the intervals of their estimates", test_estimates },
		{ "facts as text", test_facts_text },
		{ "facts as JSON", test_facts_json },
		{ "facts as CSV", test_facts_csv },
		{ "why figures are absent", test_reasons },
		{ "tables at several widths", test_widths },
		{ "what is escaped, and UTF-8, in columns", test_escaped_widths },
		{ "short memory is noted", test_short_memory },
		{ "members have a bound", test_bound },
		{ "rows that are made", test_made_rows },
		{ "rows that are made are many", test_made_rows_are_many },
	};

	return tap_main("document", cases, sizeof(cases) / sizeof(cases[0]));
}
