/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_blocks.h. */
#include "live_blocks.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Of granules; all others are a multiple of the step. */
#define SMALLEST_SHIFT 7u
#define SHIFT_STEP 4u

/* Where a block that is no longer than this begins is looked for granule by granule. */
#define SHORT_MOST 4096u
#define FIRST_LONG_CLASS 2u

/* --- where blocks are --- */

/* Slots are in pages, so that few are there that nobody needs and none are copied. */
#define PAGE_BITS 10u
#define PAGE_SLOTS (UINT32_C(1) << PAGE_BITS)
_Static_assert(PAGE_SLOTS * sizeof(struct live_block) == SHARED_PAGE_BYTES, "a page of slots");

#define FIRST_SLOTS 64u

static struct live_block *slot_at(const struct live_blocks *blocks, uint32_t slot)
{
	return (struct live_block *)blocks->slots.at[slot >> PAGE_BITS] + slot % PAGE_SLOTS;
}

/* The same, to be written; NULL: memory is short */
static struct live_block *own_slot(struct live_blocks *blocks, uint32_t slot)
{
	return shared_pages_own(&blocks->slots, slot >> PAGE_BITS) < 0 ? NULL
								       : slot_at(blocks, slot);
}

static int grow_slots(struct live_blocks *blocks)
{
	const size_t room = shared_pages_bytes(&blocks->slots) / sizeof(struct live_block);
	size_t wanted = room + 1;

	if (room < PAGE_SLOTS) {
		wanted = room ? room / 4 * 5 : FIRST_SLOTS;
		wanted = wanted < PAGE_SLOTS ? wanted : PAGE_SLOTS;
	}
	if (shared_pages_grow(&blocks->slots, wanted * sizeof(struct live_block)) < 0)
		return -1;
	blocks->room = (uint32_t)(shared_pages_bytes(&blocks->slots) / sizeof(struct live_block));
	return 0;
}

/* The number of a slot that is free, and can be written; 0: memory is short */
static uint32_t take_slot(struct live_blocks *blocks)
{
	const uint32_t slot = blocks->free ? blocks->free : blocks->used + 1;
	struct live_block *block;

	if (slot >= blocks->room && grow_slots(blocks) < 0)
		return 0;
	block = own_slot(blocks, slot);
	if (!block)
		return 0;
	if (blocks->free)
		blocks->free = (uint32_t)block->start;
	else
		blocks->used++;
	return slot;
}

/* --- by hash --- */

#define LINE_BLOCKS 8u
#define FIRST_LINES 16u

/*
 * 'tags': 24 bits of the hash of a granule, below them in which 256th part of it the block begins. The hash
 * has 32 bits, and lines are in its order: the line and its lower 24 bits tell all of it (hash_before()).
 */
struct live_line {
	uint32_t tags[LINE_BLOCKS];
	uint32_t slots[LINE_BLOCKS]; /* 0: none */
};
_Static_assert(sizeof(struct live_line) == 64, "a cache line");

/* In the last one of a line's slots: some went on to the next line, where this one was full */
#define PASSED (UINT32_C(1) << 31)
#define SLOT_MASK (PASSED - 1)
_Static_assert(LIVE_BLOCKS_MOST < PASSED, "numbers of slots");

#define HASH_BITS_IN_TAG 24u
#define HASH_IN_TAG ((UINT32_C(1) << HASH_BITS_IN_TAG) - 1)

#define LINE_BITS 9u
#define PAGE_LINES (UINT32_C(1) << LINE_BITS)
_Static_assert(PAGE_LINES * sizeof(struct live_line) == SHARED_PAGE_BYTES, "a page of lines");

struct key {
	uint32_t line, tag;
};

static inline struct live_line *line_at(const struct live_index *index, uint32_t line)
{
	return (struct live_line *)index->lines.at[line >> LINE_BITS] + line % PAGE_LINES;
}

/* The same, to be written; NULL: memory is short */
static inline struct live_line *own_line(struct live_index *index, uint32_t line)
{
	return shared_pages_own(&index->lines, line >> LINE_BITS) < 0 ? NULL : line_at(index, line);
}

static uint32_t shift_of(uint32_t class)
{
	return class ? 8 + SHIFT_STEP * class : SMALLEST_SHIFT;
}

static uint32_t class_of(uint64_t bytes)
{
	uint32_t class = 0;

	while (class + 1 < LIVE_CLASSES && bytes > UINT64_C(1) << shift_of(class))
		class ++;
	return class;
}

static uint32_t line_of_hash(const struct live_index *index, uint64_t hash)
{
	return (uint32_t)(hash * index->room >> 32);
}

static struct key key_of(const struct live_index *index, uint32_t class, uint64_t address)
{
	const uint32_t shift = shift_of(class);
	const uint64_t hash =
		((address >> shift) * LIVE_CLASSES + class) * UINT64_C(0x9e3779b97f4a7c15) >> 32;

	return (struct key){
		.line = line_of_hash(index, hash),
		.tag = (uint32_t)hash << 8 | (uint32_t)(address << 8 >> shift & 0xff),
	};
}

static uint32_t line_behind(const struct live_index *index, uint32_t line)
{
	return line + 1 < index->room ? line + 1 : 0;
}

/* Of a line's eight words those that have 'word' in these bits: each of them a bit */
static inline uint32_t words_with(const uint32_t *words, uint32_t word, uint32_t bits)
{
#ifdef __SSE2__
	const __m128i is = _mm_set1_epi32((int)(word & bits)), mask = _mm_set1_epi32((int)bits),
		      low = _mm_load_si128((const __m128i *)words),
		      high = _mm_load_si128((const __m128i *)(words + 4)),
		      same = _mm_packs_epi32(_mm_cmpeq_epi32(_mm_and_si128(low, mask), is),
					     _mm_cmpeq_epi32(_mm_and_si128(high, mask), is));

	return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(same, _mm_setzero_si128()));
#else
	uint32_t found = 0;

	for (uint32_t n = 0; n < LINE_BLOCKS; n++)
		found |= (uint32_t)(((words[n] ^ word) & bits) == 0) << n;
	return found;
#endif
}

static inline int is_passed(const struct live_line *line)
{
	return (line->slots[LINE_BLOCKS - 1] & PASSED) != 0;
}

/* 0, or -1 if memory is short */
static inline int index_put(struct live_index *index, struct key key, uint32_t slot)
{
	struct live_line *line = own_line(index, key.line);
	uint32_t room;

	while (line && !(room = words_with(line->slots, 0, SLOT_MASK))) {
		index->passed += !is_passed(line);
		line->slots[LINE_BLOCKS - 1] |= PASSED;
		key.line = line_behind(index, key.line);
		line = own_line(index, key.line);
	}
	if (!line)
		return -1;

	const uint32_t n = (uint32_t)__builtin_ctz(room);

	line->tags[n] = key.tag;
	line->slots[n] |= slot;
	index->count++;
	return 0;
}

/* A walk along the lines that may have what has a key */
struct walk {
	struct live_line *line;
	uint32_t at, left; /* lines */
	uint32_t tag, bits; /* of a tag, and which of them are asked for */
	uint32_t found; /* of the line's blocks, each a bit */
};

static inline struct walk walk_begin(const struct live_index *index, struct key key, uint32_t bits)
{
	return (struct walk){
		.line = line_at(index, key.line),
		.at = key.line,
		.left = index->room,
		.tag = key.tag,
		.bits = bits,
		.found = words_with(line_at(index, key.line)->tags, key.tag, bits),
	};
}

/* Which of the line's blocks is the next one; LINE_BLOCKS: there is none */
static inline uint32_t walk_next(const struct live_index *index, struct walk *walk)
{
	while (!walk->found) {
		if (!is_passed(walk->line) || !--walk->left)
			return LINE_BLOCKS;
		walk->at = line_behind(index, walk->at);
		walk->line = line_at(index, walk->at);
		walk->found = words_with(walk->line->tags, walk->tag, walk->bits);
	}

	const uint32_t n = (uint32_t)__builtin_ctz(walk->found);

	walk->found &= walk->found - 1;
	return n;
}

/* 'n' of a line's blocks. 0, or -1 if memory is short */
static int index_remove(struct live_index *index, uint32_t at, uint32_t n)
{
	struct live_line *line = own_line(index, at);

	if (!line)
		return -1;
	line->slots[n] &= PASSED;
	index->count--;
	return 0;
}

static int is_full(const struct live_index *index)
{
	return index->count >= (uint64_t)index->room * LINE_BLOCKS * 3 / 4 ||
	       index->passed > index->passed_most;
}

/*
 * Where a block is that begins there. Who wants the line fetched says so himself: of a function that does
 * nothing else compilers think that it does nothing, and leave out calls.
 */
static struct live_line *line_of(const struct live_index *by_start, uint64_t start)
{
	return line_at(by_start, key_of(by_start, 0, start).line);
}

/* --- more lines --- */

/* So many lines beside each other passed something on, at most: so far from its own line may a block be. */
static uint32_t longest_way(const struct live_index *index)
{
	uint32_t longest = 0, way = 0;

	/* twice: the last line passes on to the first one */
	for (uint64_t n = 0; n < 2 * (uint64_t)index->room; n++) {
		way = is_passed(line_at(index, (uint32_t)(n % index->room))) ? way + 1 : 0;
		longest = way > longest ? way : longest;
		if (n >= index->room && !way)
			break;
	}
	return longest;
}

/* The last one of those that belong into the line */
static uint32_t last_hash_of(const struct live_index *index, uint32_t line)
{
	return (uint32_t)(((((uint64_t)line + 1) << 32) - 1) / index->room);
}

/* Of what is in a line that has this last one, or was to be in one a little before it */
static uint32_t hash_before(uint32_t last, uint32_t tag)
{
	return last - ((last - (tag >> 8)) & HASH_IN_TAG);
}

/* Where nothing was removed, blocks are at the begin of their line: 'used' counts them. */
static void put_in_order(struct live_index *index, struct key key, uint32_t slot, uint8_t *used)
{
	struct live_line *line;

	for (; used[key.line] == LINE_BLOCKS; key.line = line_behind(index, key.line)) {
		line = line_at(index, key.line);
		index->passed += !is_passed(line);
		line->slots[LINE_BLOCKS - 1] |= PASSED;
	}

	const uint32_t n = used[key.line]++;

	line = line_at(index, key.line);
	line->tags[n] = key.tag;
	line->slots[n] |= slot;
	index->count++;
}

static void move_line(struct live_index *index, const struct live_line *line, uint32_t last,
		      uint8_t *used)
{
	for (uint32_t n = 0; n < LINE_BLOCKS; n++) {
		const uint32_t slot = line->slots[n] & SLOT_MASK, tag = line->tags[n];

		if (slot)
			put_in_order(
				index,
				(struct key){ line_of_hash(index, hash_before(last, tag)), tag },
				slot, used);
	}
}

/* Memory for more, none of it shared. 0, or -1 if memory is short: what is in them has not changed then */
static int more_lines(struct live_index *index, uint32_t room)
{
	const uint32_t before = index->lines.count;

	if (shared_pages_grow(&index->lines, room * sizeof(struct live_line)) < 0)
		return -1;
	for (uint32_t n = 0; n < before; n++) {
		if (shared_pages_own(&index->lines, n) < 0)
			return -1;
	}
	for (uint32_t n = before; n < index->lines.count; n++)
		memset(index->lines.at[n], 0, SHARED_PAGE_BYTES);
	return 0;
}

/*
 * In place, from the last line to the first: they are in the order of the hash, so that of what is in one
 * nothing belongs into one before it. No block is looked at, as memory would have to be waited for. Of the
 * first lines that does not hold, where their own lines were full: these few are put aside meanwhile.
 * @param way  longest_way()
 * @return 0, or -1 if memory is short: nothing has changed then
 */
static int grow_in_order(struct live_index *index, uint32_t room, uint32_t way)
{
	const struct live_index old = *index;
	const uint32_t wanted = (uint32_t)((way + UINT64_C(1)) * room / (room - old.room)) + 2,
		       aside = wanted < old.room ? wanted : old.room;
	struct live_line *first = malloc(aside * sizeof(*first));
	uint8_t *used = calloc(room, sizeof(*used));
	const int failed = !first || !used || more_lines(index, room) < 0;

	if (!failed) {
		index->room = room;
		index->count = index->passed = 0;
		for (uint32_t at = 0; at < aside; at++) {
			first[at] = *line_at(index, at);
			memset(line_at(index, at), 0, sizeof(struct live_line));
		}
		for (uint32_t at = old.room; at-- > aside;) {
			const struct live_line line = *line_at(index, at);

			memset(line_at(index, at), 0, sizeof(line));
			move_line(index, &line, last_hash_of(&old, at), used);
		}
		for (uint32_t at = 0; at < aside; at++)
			move_line(index, &first[at], last_hash_of(&old, at), used);
	}
	free(first);
	free(used);
	return failed ? -1 : 0;
}

/* Each block is looked at. 0, or -1 if memory is short: nothing has changed then */
static int index_anew(const struct live_blocks *blocks, struct live_index *index, int is_of_long,
		      uint32_t room)
{
	struct live_index anew = { .room = room };
	int failed = shared_pages_grow(&anew.lines, room * sizeof(struct live_line));

	for (uint32_t n = 0; n < anew.lines.count && !failed; n++)
		memset(anew.lines.at[n], 0,
		       anew.lines.count > 1 ? SHARED_PAGE_BYTES : shared_pages_bytes(&anew.lines));
	for (uint32_t slot = 1; slot <= blocks->used && !failed; slot++) {
		const struct live_block *block = slot_at(blocks, slot);
		const uint32_t class = is_of_long && block->bytes ? class_of(block->bytes) : 0;

		if (block->bytes && (!is_of_long || class >= FIRST_LONG_CLASS))
			failed = index_put(&anew, key_of(&anew, class, block->start), slot);
	}
	shared_pages_free(failed ? &anew.lines : &index->lines);
	if (!failed)
		*index = anew;
	return failed;
}

/* Lines enough for one more; those that were passed need not have been. 0, or -1 if memory is short */
static int index_grow(const struct live_blocks *blocks, struct live_index *index, int is_of_long)
{
	const int is_used = index->count > (uint64_t)index->room * LINE_BLOCKS / 2;
	const uint32_t room = !index->room ? FIRST_LINES
			      : is_used    ? index->room + index->room / 4
					   : index->room,
		       way = longest_way(index);
	/* a line and the bits of a tag are all of a hash while blocks are near the lines of theirs */
	const int has_hashes = ((uint64_t)way + 2) << (32 - HASH_BITS_IN_TAG) < index->room;

	if ((is_used && has_hashes ? grow_in_order(index, room, way)
				   : index_anew(blocks, index, is_of_long, room)) < 0)
		return -1;
	index->passed_most = index->passed + index->room / 4;
	return 0;
}

/* --- blocks --- */

int live_blocks_add(struct live_blocks *blocks, const struct live_block *block)
{
	const uint32_t class = class_of(block->bytes);
	uint32_t slot;

	if (blocks->count >= LIVE_BLOCKS_MOST ||
	    (is_full(&blocks->by_start) && index_grow(blocks, &blocks->by_start, 0) < 0) ||
	    (class >= FIRST_LONG_CLASS && is_full(&blocks->of_long) &&
	     index_grow(blocks, &blocks->of_long, 1) < 0))
		return -1;
	slot = take_slot(blocks);
	if (!slot ||
	    index_put(&blocks->by_start, key_of(&blocks->by_start, 0, block->start), slot) < 0 ||
	    (class >= FIRST_LONG_CLASS &&
	     index_put(&blocks->of_long, key_of(&blocks->of_long, class, block->start), slot) < 0))
		return -1;
	*slot_at(blocks, slot) = *block;
	blocks->in_class[class]++;
	blocks->count++;
	return 0;
}

/* The number of the block's slot, and where it is in the line that the walk is at; 0: none begins there */
static inline uint32_t find_start(const struct live_blocks *blocks, uint64_t start, struct walk *walk,
				  uint32_t *n)
{
	if (!blocks->count)
		return 0;
	*walk = walk_begin(&blocks->by_start, key_of(&blocks->by_start, 0, start), UINT32_MAX);
	while ((*n = walk_next(&blocks->by_start, walk)) < LINE_BLOCKS) {
		const uint32_t slot = walk->line->slots[*n] & SLOT_MASK;

		if (slot && slot_at(blocks, slot)->start == start)
			return slot;
	}
	return 0;
}

/* 0, or -1 if memory is short */
static int remove_long(struct live_blocks *blocks, uint32_t class, uint64_t start, uint32_t slot)
{
	const struct key key = key_of(&blocks->of_long, class, start);
	struct walk walk = walk_begin(&blocks->of_long, key, UINT32_MAX);
	uint32_t n;

	while ((n = walk_next(&blocks->of_long, &walk)) < LINE_BLOCKS) {
		if ((walk.line->slots[n] & SLOT_MASK) == slot)
			return index_remove(&blocks->of_long, walk.at, n);
	}
	return 0;
}

int live_blocks_remove(struct live_blocks *blocks, uint64_t start, struct live_block *removed)
{
	struct walk walk;
	uint32_t n, class;
	const uint32_t slot = find_start(blocks, start, &walk, &n);
	struct live_block *block;

	if (!slot)
		return 0;
	block = own_slot(blocks, slot);
	if (!block)
		return -1;
	class = class_of(block->bytes);
	if (index_remove(&blocks->by_start, walk.at, n) < 0 ||
	    (class >= FIRST_LONG_CLASS && remove_long(blocks, class, start, slot) < 0))
		return -1;
	if (removed)
		*removed = *block;
	*block = (struct live_block){ .start = blocks->free };
	blocks->free = slot;
	blocks->in_class[class]--;
	blocks->count--;
	return 1;
}

const struct live_block *live_blocks_at(const struct live_blocks *blocks, uint64_t start)
{
	struct walk walk;
	uint32_t n;
	const uint32_t slot = find_start(blocks, start, &walk, &n);

	return slot ? slot_at(blocks, slot) : NULL;
}

struct live_block *live_blocks_change(struct live_blocks *blocks, uint64_t start)
{
	struct walk walk;
	uint32_t n;
	const uint32_t slot = find_start(blocks, start, &walk, &n);

	return slot ? own_slot(blocks, slot) : NULL;
}

void live_blocks_expect(const struct live_blocks *blocks, uint64_t start, int is_soon)
{
	const struct live_line *line;
	struct key key;
	uint32_t found, slot;

	if (!blocks->count)
		return;
	if (!is_soon) {
		__builtin_prefetch(line_of(&blocks->by_start, start), 1);
		return;
	}
	key = key_of(&blocks->by_start, 0, start);
	line = line_at(&blocks->by_start, key.line);
	found = words_with(line->tags, key.tag, UINT32_MAX);
	if (!found)
		return;
	slot = line->slots[__builtin_ctz(found)] & SLOT_MASK;
	if (slot)
		__builtin_prefetch(slot_at(blocks, slot), 1);
}

/* The one of those that begin in the granule of 'of' that has the address */
static const struct live_block *find_in_granule(const struct live_blocks *blocks,
						const struct live_index *index, uint32_t class,
						uint64_t of, uint64_t address)
{
	const struct key key = key_of(index, class, of);
	struct walk walk = walk_begin(index, key, ~UINT32_C(0xff));
	uint32_t n;

	while ((n = walk_next(index, &walk)) < LINE_BLOCKS) {
		const uint32_t slot = walk.line->slots[n] & SLOT_MASK;
		const struct live_block *block = slot ? slot_at(blocks, slot) : NULL;

		if (block && address - block->start < block->bytes)
			return block;
	}
	return NULL;
}

static const struct live_block *find_short(const struct live_blocks *blocks, uint64_t address)
{
	const uint64_t most = blocks->in_class[1] ? SHORT_MOST : UINT64_C(1) << SMALLEST_SHIFT;
	const uint64_t first = (address >= most ? address - most + 1 : 0) >> SMALLEST_SHIFT;
	const struct live_block *found = NULL;

	for (uint64_t granule = address >> SMALLEST_SHIFT; !found; granule--) {
		found = find_in_granule(blocks, &blocks->by_start, 0, granule << SMALLEST_SHIFT, address);
		if (granule == first)
			break;
	}
	return found;
}

const struct live_block *live_blocks_find(const struct live_blocks *blocks, uint64_t address)
{
	const struct live_block *found = blocks->count ? find_short(blocks, address) : NULL;

	for (uint32_t class = FIRST_LONG_CLASS; class < LIVE_CLASSES && !found; class ++) {
		const uint64_t granule = UINT64_C(1) << shift_of(class);

		if (!blocks->in_class[class])
			continue;
		found = find_in_granule(blocks, &blocks->of_long, class, address, address);
		if (!found && address >= granule)
			found = find_in_granule(blocks, &blocks->of_long, class, address - granule, address);
	}
	return found;
}

size_t live_blocks_bytes(const struct live_blocks *blocks)
{
	return shared_pages_bytes(&blocks->slots) + shared_pages_bytes(&blocks->by_start.lines) +
	       shared_pages_bytes(&blocks->of_long.lines);
}

size_t live_blocks_own_bytes(const struct live_blocks *blocks)
{
	return shared_pages_own_bytes(&blocks->slots) +
	       shared_pages_own_bytes(&blocks->by_start.lines) +
	       shared_pages_own_bytes(&blocks->of_long.lines);
}

static int index_copy(struct live_index *to, struct live_index *from)
{
	struct shared_pages lines = { .count = 0 };

	if (shared_pages_copy(&lines, &from->lines) < 0)
		return -1;
	*to = *from;
	to->lines = lines;
	return 0;
}

int live_blocks_copy(struct live_blocks *to, struct live_blocks *from)
{
	if (shared_pages_copy(&to->slots, &from->slots) < 0 ||
	    index_copy(&to->by_start, &from->by_start) < 0 ||
	    index_copy(&to->of_long, &from->of_long) < 0) {
		live_blocks_free(to);
		return -1;
	}
	to->count = from->count;
	to->used = from->used;
	to->room = from->room;
	to->free = from->free;
	memcpy(to->in_class, from->in_class, sizeof(to->in_class));
	return 0;
}

void live_blocks_free(struct live_blocks *blocks)
{
	shared_pages_free(&blocks->slots);
	shared_pages_free(&blocks->by_start.lines);
	shared_pages_free(&blocks->of_long.lines);
	memset(blocks, 0, sizeof(*blocks));
}
