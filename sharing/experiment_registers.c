/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is watched in an experiment, in the writer and in others, as far as is known what they access;
 * see experiment.h.
 */
#include "experiment.h"

#define WORD_BYTES 8u
#define LINE_BYTES (EXPERIMENT_WORDS * WORD_BYTES)

/*
 * Registers of a thread: of the word stored to, and of another or the line, both of their kinds. Beside
 * those of a line the second one takes what the first one cannot of the words stored to.
 */
enum {
	ALL_OF_FIRST,
	STORES_OF_FIRST,
	MORE_OF_FIRST = STORES_OF_FIRST,
	ALL_OF_SECOND,
	STORES_OF_SECOND
};

static struct watch_register watch_of(uint64_t address, uint32_t bytes, enum watch_kind kind)
{
	return (struct watch_register){ address, bytes, kind };
}

static uint64_t word_at(const struct experiment_setup *setup, uint32_t word)
{
	return setup->line + WORD_BYTES * word;
}

/* That which was stored to, and the three others that it accesses most: any store there ends it. */
static void watch_writer(const struct experiment_setup *setup, const struct experiment_hints *hints,
			 struct watch_register registers[WATCH_REGISTERS])
{
	uint32_t taken = 1u << setup->word;

	registers[0] = watch_of(word_at(setup, setup->word), WORD_BYTES, WATCH_STORES);
	for (uint32_t n = 1; n < WATCH_REGISTERS; n++) {
		uint32_t most = EXPERIMENT_WORDS;

		for (uint32_t word = 0; word < EXPERIMENT_WORDS; word++) {
			if (!(taken >> word & 1) &&
			    (most == EXPERIMENT_WORDS || hints->counts[word] > hints->counts[most]))
				most = word;
		}
		taken |= 1u << most;
		registers[n] = watch_of(word_at(setup, most), WORD_BYTES, WATCH_STORES);
	}
}

/*
 * From so many stores to a line on a thread that has made none of these makes few, if any: of those that
 * are missed by taking it for one that loads alone there is less than one in thirty.
 */
#define LINE_STORES_LEAST 32u

/* Its stores need no registers, which others of its words can have. */
static int loads_alone(const struct experiment_setup *setup, const struct experiment_hints *hints)
{
	return setup->line_stores >= LINE_STORES_LEAST && !hints->stores &&
	       drawn_words_places(hints, setup->word) > 1;
}

/* How often registers have to tell that an access stores, and of so many at most one that does not */
#define STORED_LEAST 12u
#define STORED_FOR_LOADED 16u
/* The same where as many samples of the thread and the line are stores, all that there are */
#define STORED_LEAST_SAMPLED 3u

static int samples_are_stores(const struct experiment_hints *hints)
{
	uint32_t all = 0;

	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++)
		all += hints->counts[n];
	return all >= STORED_LEAST && hints->stores == all;
}

/*
 * How often that was told of the one of these words of which it was least; 0: not of all, or not often
 * enough
 */
static uint32_t always_stored(const struct experiment_hints *hints, uint32_t words)
{
	const uint32_t least = samples_are_stores(hints) ? STORED_LEAST_SAMPLED : STORED_LEAST;
	uint32_t stored = UINT8_MAX;

	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++) {
		if (!(words >> n & 1))
			continue;
		if (hints->stored[n] < least ||
		    hints->loaded[n] * STORED_FOR_LOADED > hints->stored[n])
			return 0;
		stored = hints->stored[n] < stored ? hints->stored[n] : stored;
	}
	return stored;
}

/*
 * Its loads need no registers. Now and then they have some: it may load by now, the seldomer the more
 * told.
 */
static int stores_alone(uint32_t beside, const struct experiment_hints *hints,
			struct random *random)
{
	const uint32_t stored = beside ? always_stored(hints, beside) : 0;

	return stored && random_below(random, 4 + stored / 4);
}

static int accesses(const struct experiment_hints *hints, uint32_t word)
{
	for (uint32_t n = 0; n <= word; n++) {
		if (hints->counts[n] && drawn_words_reach(hints, n) >> word & 1)
			return 1;
	}
	return 0;
}

/* Of the first word: two, or the one that it needs */
static uint32_t watch_first(const struct experiment_setup *setup,
			    const struct experiment_hints *hints, int is_loaded,
			    struct watch_register registers[WATCH_REGISTERS])
{
	const uint64_t first = word_at(setup, setup->word);

	registers[ALL_OF_FIRST] = watch_of(first, WORD_BYTES, WATCH_ALL);
	registers[STORES_OF_FIRST] = watch_of(first, WORD_BYTES, WATCH_STORES);
	if (is_loaded || !accesses(hints, setup->word))
		return 1;
	if (!always_stored(hints, 1u << setup->word))
		return 2;
	registers[0] = registers[STORES_OF_FIRST];
	return 1;
}

/* Each register but those of the first is of a word of its own. */
static void watch_more_words(const struct experiment_setup *setup,
			     const struct experiment_hints *hints, struct experiment_other *other,
			     int is_loaded, struct random *random,
			     struct watch_register registers[WATCH_REGISTERS])
{
	uint32_t slot = other->first_slots = watch_first(setup, hints, is_loaded, registers);

	drawn_words_draw(&other->drawn, hints, setup->word, setup->stored, WATCH_REGISTERS - slot,
			 random);
	for (; slot < WATCH_REGISTERS; slot++) {
		const uint32_t word = other->drawn.word[slot - other->first_slots];
		const int is_stored = !is_loaded && other->drawn.beside >> word & 1;

		registers[slot] = watch_of(word_at(setup, word), WORD_BYTES,
					   is_stored ? WATCH_STORES : WATCH_ALL);
	}
}

static void watch_words(const struct experiment_setup *setup, const struct experiment_hints *hints,
			struct experiment_other *other, struct random *random,
			struct watch_register registers[WATCH_REGISTERS])
{
	uint64_t second;

	drawn_words_draw(&other->drawn, hints, setup->word, setup->stored, 1, random);
	second = word_at(setup, other->drawn.word[0]);
	registers[ALL_OF_FIRST] = watch_of(word_at(setup, setup->word), WORD_BYTES, WATCH_ALL);
	registers[STORES_OF_FIRST] =
		watch_of(word_at(setup, setup->word), WORD_BYTES, WATCH_STORES);
	registers[ALL_OF_SECOND] = watch_of(second, WORD_BYTES, WATCH_ALL);
	registers[STORES_OF_SECOND] = watch_of(second, WORD_BYTES, WATCH_STORES);
	other->first_slots = ALL_OF_SECOND;
}

/* Registers take powers of two, aligned: the most of these words that one does, from the first on */
static struct watch_register watch_most(const struct experiment_setup *setup, uint32_t words)
{
	const uint32_t first = (uint32_t)__builtin_ctz(words);
	uint32_t most = 1;

	while (most < EXPERIMENT_WORDS && first % (2 * most) == 0 &&
	       !(drawn_words_from(first, 2 * most) & ~words))
		most *= 2;
	return watch_of(word_at(setup, first), WORD_BYTES * most, WATCH_ALL);
}

/* Of stores whose words want three registers or more, those of the first two are what is met. */
static void watch_stored(const struct experiment_setup *setup,
			 struct watch_register registers[WATCH_REGISTERS])
{
	uint32_t words = setup->stored;

	registers[ALL_OF_FIRST] = watch_most(setup, words);
	words &= ~drawn_words_from((uint32_t)__builtin_ctz(words),
				   registers[ALL_OF_FIRST].bytes / WORD_BYTES);
	if (words)
		registers[MORE_OF_FIRST] = watch_most(setup, words);
}

static void watch_line(const struct experiment_setup *setup, int is_writer,
		       struct watch_register registers[WATCH_REGISTERS])
{
	const struct watch_register nothing = watch_of(setup->line, WORD_BYTES, WATCH_NOTHING);

	registers[ALL_OF_FIRST] = watch_of(word_at(setup, setup->word), WORD_BYTES, WATCH_STORES);
	registers[MORE_OF_FIRST] = nothing;
	if (!is_writer)
		watch_stored(setup, registers);
	registers[ALL_OF_SECOND] =
		is_writer ? nothing : watch_of(setup->line, LINE_BYTES, WATCH_ALL);
	registers[STORES_OF_SECOND] = watch_of(setup->line, LINE_BYTES, WATCH_STORES);
}

/* Of the access's line: how many */
static uint32_t words_of(uint64_t address, uint32_t bytes)
{
	const uint32_t at = (uint32_t)(address % LINE_BYTES);
	const uint32_t last = (at + (bytes ? bytes : 1) - 1) / WORD_BYTES;

	return (last < EXPERIMENT_WORDS ? last + 1 : EXPERIMENT_WORDS) - at / WORD_BYTES;
}

void experiment_learn(struct experiment_hints *hints, uint64_t address, uint32_t bytes,
		      int is_store)
{
	const uint32_t word = (uint32_t)(address % LINE_BYTES / WORD_BYTES);
	const uint32_t words = words_of(address, bytes);

	hints->counts[word]++;
	hints->stores += is_store != 0;
	if (words > hints->words[word])
		hints->words[word] = (uint8_t)words;
}

/* Of a thread all of whose accesses are met */
static struct experiment_other all_of(uint32_t tid)
{
	return (struct experiment_other){ .tid = tid,
					  .first_slots = ALL_OF_SECOND,
					  .drawn = { .least = 1, .most = 1 } };
}

void experiment_begin(struct experiment_setup *setup, uint64_t address, uint32_t bytes,
		      uint32_t writer, uint64_t line_stores, int is_whole)
{
	setup->line = address - address % LINE_BYTES;
	setup->writer = writer;
	setup->is_whole = is_whole;
	setup->line_stores = line_stores;
	setup->word = (uint32_t)(address % LINE_BYTES / WORD_BYTES);
	setup->stored = drawn_words_from(setup->word, words_of(address, bytes));
	setup->count = 0;
	setup->unwatched = 0;
	setup->own = all_of(writer);
	setup->stored_at = setup->armed_at = setup->window_ns = setup->patience = 0;
	setup->same_ns = EXPERIMENT_SAME_ACCESS_NS;
}

void experiment_learn_kinds(struct experiment_hints *hints, const struct experiment_seen *seen)
{
	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++) {
		uint8_t *count = seen->stored >> n & 1 ? &hints->stored[n] : &hints->loaded[n];

		if (!(seen->of_both_kinds >> n & 1))
			continue;
		if (*count == UINT8_MAX) {
			hints->stored[n] /= 2;
			hints->loaded[n] /= 2;
		}
		++*count;
	}
}

/* How much of what the thread was seen to access meets no register */
static double unseen_of(const struct experiment_setup *setup, const struct experiment_hints *hints,
			const struct watch_register registers[WATCH_REGISTERS])
{
	uint32_t words = 0, all = 0, unseen = 0;

	for (uint32_t n = 0; n < WATCH_REGISTERS; n++)
		words |= drawn_words_from((uint32_t)(registers[n].address - setup->line) /
						  WORD_BYTES,
					  registers[n].bytes / WORD_BYTES);
	for (uint32_t n = 0; n < EXPERIMENT_WORDS; n++) {
		all += hints->counts[n];
		unseen += drawn_words_reach(hints, n) & words ? 0 : hints->counts[n];
	}
	return all ? (double)unseen / all : 0;
}

/* Of a word two registers tell loads from stores, and of all of a line those of the line. */
static uint32_t telling_stores(const struct watch_register registers[WATCH_REGISTERS])
{
	uint32_t stores = 0;

	for (uint32_t n = 0; n < WATCH_REGISTERS; n++)
		stores |= (uint32_t)(registers[n].kind == WATCH_STORES) << n;
	return stores;
}

static void watch_other(const struct experiment_setup *setup, const struct experiment_hints *hints,
			struct experiment_other *other, struct random *random,
			struct watch_register registers[WATCH_REGISTERS])
{
	const uint32_t beside = drawn_words_beside(hints, setup->word);

	if (setup->is_whole)
		watch_line(setup, 0, registers);
	else if (loads_alone(setup, hints))
		watch_more_words(setup, hints, other, 1, random, registers);
	else if (stores_alone(beside, hints, random))
		watch_more_words(setup, hints, other, 0, random, registers);
	else
		watch_words(setup, hints, other, random, registers);
	other->stores = telling_stores(registers);
}

void experiment_watch(struct experiment_setup *setup, uint32_t tid,
		      const struct experiment_hints *hints, struct random *random,
		      struct watch_register registers[WATCH_REGISTERS])
{
	struct experiment_other other = all_of(tid);

	if (tid != setup->writer)
		watch_other(setup, hints, &other, random, registers);
	else if (setup->is_whole)
		watch_line(setup, 1, registers);
	else
		watch_writer(setup, hints, registers);
	other.store_samples = hints->stores;
	other.unseen = unseen_of(setup, hints, registers);
	if (tid == setup->writer)
		setup->own = other;
	else if (setup->count < EXPERIMENT_SEEN_MOST)
		setup->others[setup->count++] = other;
}
