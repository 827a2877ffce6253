/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A data source word in perf's words, to the letter: scripts compare such lines.
 *
 * Source: tools/perf/util/mem-events.c of Linux 6.1 and 6.12.
 */
#include <precis/data_source.h>

#include "text.h"

/* Names of bits, from bit 0 on. */
struct bit_words {
	const char *words[14];
};

static const struct bit_words lvl_words = {
	{ "N/A", "HIT", "MISS", "L1", "LFB/MAB", "L2", "L3", "Local RAM", "Remote RAM (1 hop)",
	  "Remote RAM (2 hops)", "Remote Cache (1 hop)", "Remote Cache (2 hops)", "I/O", "Uncached" },
};

static const struct bit_words snoop_words = { { "N/A", "None", "Hit", "Miss", "HitM" } };
static const struct bit_words snoopx_words = { { "Fwd", "Peer" } };
static const struct bit_words dtlb_words = {
	{ "N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault" },
};

/* Of mem_lvl_num, by wording; a level without words gets 'else_words' and its number. */
static const struct {
	const char *else_words;
	const char *words[16];
} lvl_num_words[] = {
	[PRECIS_WORDING_PERF_6_1] = {
		"L",
		{ [9] = "CXL", [10] = "I/O", [11] = "Any cache", [12] = "LFB/MAB", [13] = "RAM",
		  [14] = "PMEM", [15] = "N/A" },
	},
	[PRECIS_WORDING_PERF_6_12] = {
		"Unknown level ",
		{ [1] = "L1", [2] = "L2", [3] = "L3", [4] = "L4", [5] = "L2 MHB",
		  [6] = "Memory-side Cache", [8] = "Uncached", [9] = "CXL", [10] = "I/O",
		  [11] = "Any cache", [12] = "LFB/MAB", [13] = "RAM", [14] = "PMEM", [15] = "N/A" },
	},
};

static const char *const hops_words[8] = {
	"", "core, same node ", "node, same socket ", "socket, same board ", "board ",
	"unknown hops ", "unknown hops ", "unknown hops ",
};

/* The first of the bits, from bit 0 on, has the word. */
static const char *const op_words[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
static const char *const lock_words[] = { "N/A", "Yes" };

static const char *first_word(uint32_t bits, const char *const *words, uint32_t count,
			      const char *none)
{
	for (uint32_t i = 0; i < count; i++) {
		if (bits >> i & 1)
			return words[i];
	}
	return none;
}

/* The words of all bits that are set, with "or" between them. 'any': some are there already. */
static int add_words(struct text *text, uint32_t bits, const struct bit_words *names, int any)
{
	for (uint32_t i = 0; i < sizeof(names->words) / sizeof(names->words[0]); i++) {
		if (!(bits >> i & 1))
			continue;
		if (any)
			text_add(text, " or ");
		text_add(text, names->words[i]);
		any = 1;
	}
	return any;
}

static void add_lvl_num(struct text *text, uint32_t wording, uint32_t lvl_num)
{
	const char *words = lvl_num_words[wording].words[lvl_num];

	text_add(text, words ? words : lvl_num_words[wording].else_words);
	if (!words)
		text_add_number(text, lvl_num);
}

/* Where, as of 6.1: both fields, one after the other. */
static void add_both_levels(struct text *text, const struct precis_data_source *source)
{
	const uint32_t outcome = PRECIS_DATA_LVL_HIT | PRECIS_DATA_LVL_MISS;
	int any = 0;

	if (source->remote)
		text_add(text, "Remote ");
	if (source->hops)
		text_add(text, hops_words[source->hops]);
	else
		any = add_words(text, source->lvl & ~outcome, &lvl_words, 0);
	if (source->lvl_num) {
		if (any)
			text_add(text, " or ");
		add_lvl_num(text, PRECIS_WORDING_PERF_6_1, source->lvl_num);
		any = 1;
	}
	if (!any && !source->remote && !source->hops)
		text_add(text, "N/A");
	if (source->lvl & PRECIS_DATA_LVL_HIT)
		text_add(text, " hit");
	if (source->lvl & PRECIS_DATA_LVL_MISS)
		text_add(text, " miss");
}

/* As of 6.12: mem_lvl only where mem_lvl_num says nothing. */
static void add_one_level(struct text *text, const struct precis_data_source *source)
{
	const uint32_t no_place = PRECIS_DATA_LVL_NA | PRECIS_DATA_LVL_HIT | PRECIS_DATA_LVL_MISS;

	if (source->lvl_num && source->lvl_num != PRECIS_DATA_LVL_NUM_NA) {
		if (source->remote)
			text_add(text, "Remote ");
		text_add(text, hops_words[source->hops]);
		add_lvl_num(text, PRECIS_WORDING_PERF_6_12, source->lvl_num);
	} else if (source->lvl & ~no_place) {
		add_words(text, source->lvl & ~no_place, &lvl_words, 0);
	} else {
		text_add(text, "N/A");
		return;
	}
	text_add(text, source->lvl & PRECIS_DATA_LVL_HIT  ? " hit" :
		       source->lvl & PRECIS_DATA_LVL_MISS ? " miss" :
							    " ");
}

static void add_snoop(struct text *text, const struct precis_data_source *source)
{
	int any = add_words(text, source->snoop, &snoop_words, 0);

	if (!add_words(text, source->snoopx, &snoopx_words, any))
		text_add(text, "N/A");
}

static void add_dtlb(struct text *text, const struct precis_data_source *source)
{
	const uint32_t outcome = PRECIS_DATA_DTLB_HIT | PRECIS_DATA_DTLB_MISS;

	if (!add_words(text, source->dtlb & ~outcome, &dtlb_words, 0))
		text_add(text, "N/A");
	if (source->dtlb & PRECIS_DATA_DTLB_HIT)
		text_add(text, " hit");
	if (source->dtlb & PRECIS_DATA_DTLB_MISS)
		text_add(text, " miss");
}

static void add_blk(struct text *text, const struct precis_data_source *source)
{
	if (!source->blk || source->blk & PRECIS_DATA_BLK_NA) {
		text_add(text, " N/A");
		return;
	}
	if (source->blk & PRECIS_DATA_BLK_DATA)
		text_add(text, " Data");
	if (source->blk & PRECIS_DATA_BLK_ADDRESS)
		text_add(text, " Addr");
}

size_t precis_data_source_text(uint64_t word, uint32_t wording, char *at, size_t room)
{
	struct text text = { at, room, 0 };
	struct precis_data_source source = { .size = sizeof(source) };

	precis_data_source_decode(word, &source);
	text_add(&text, "|OP ");
	text_add(&text, first_word(source.op, op_words, 5, "No"));
	text_add(&text, "|LVL ");
	if (wording == PRECIS_WORDING_PERF_6_1)
		add_both_levels(&text, &source);
	else
		add_one_level(&text, &source);
	text_add(&text, "|SNP ");
	add_snoop(&text, &source);
	text_add(&text, "|TLB ");
	add_dtlb(&text, &source);
	text_add(&text, "|LCK ");
	text_add(&text, first_word(source.lock, lock_words, 2, "No"));
	text_add(&text, "|BLK ");
	add_blk(&text, &source);
	return text.length;
}
