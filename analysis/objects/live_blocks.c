/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_blocks.h. */
#define _DEFAULT_SOURCE /* madvise() */
#include "live_blocks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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

/*
 * Slots are in chunks, so that few are there that nobody needs and none are copied. The first chunk grows up
 * to its length. Of very many blocks they are parts of huge pages, so that looking for one does not cost a
 * walk of the page tables.
 */
#define FIRST_ROOM 64u
#define CHUNK_BITS 10u
#define CHUNK_SLOTS (UINT32_C(1) << CHUNK_BITS)
#define CHUNK_BYTES (CHUNK_SLOTS * sizeof(struct live_block))
#define HUGE_CHUNKS 64u /* in one page */
#define HUGE_BYTES (HUGE_CHUNKS * CHUNK_BYTES)
#define CHUNKS_BEFORE_HUGE 1024u /* both powers of 2 */

static struct live_block *slot_at(const struct live_blocks *blocks, uint32_t slot)
{
	return &blocks->chunks[slot >> CHUNK_BITS][slot % CHUNK_SLOTS];
}

/* It is faster where the system has huge pages, and no matter where it has none. */
static void want_huge_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
	const size_t before = (HUGE_BYTES - (uintptr_t)memory % HUGE_BYTES) % HUGE_BYTES;

	if (bytes >= before + HUGE_BYTES)
		madvise((char *)memory + before, bytes - before, MADV_HUGEPAGE);
#else
	(void)memory;
	(void)bytes;
#endif
}

/* Room for more in the first chunk. 0, or -1 if memory is short */
static int grow_first(struct live_blocks *blocks)
{
	uint32_t room = blocks->room ? blocks->room / 4 * 5 : FIRST_ROOM;
	struct live_block *chunk;

	if (!blocks->chunks)
		blocks->chunks = calloc(1, sizeof(struct live_block *));
	if (!blocks->chunks)
		return -1;
	room = room < CHUNK_SLOTS ? room : CHUNK_SLOTS;
	chunk = realloc(blocks->chunks[0], room * sizeof(*chunk));
	if (!chunk)
		return -1;
	blocks->chunks[0] = chunk;
	blocks->room = room;
	return 0;
}

static int grow_slots(struct live_blocks *blocks)
{
	const uint32_t chunks = blocks->room >> CHUNK_BITS,
		       more = chunks < CHUNKS_BEFORE_HUGE ? 1 : HUGE_CHUNKS;
	struct live_block *memory;

	if (!chunks || blocks->room % CHUNK_SLOTS)
		return grow_first(blocks);
	if (!(chunks & (chunks - 1))) { /* it has room for so many */
		struct live_block **list = realloc(blocks->chunks, 2 * (size_t)chunks * sizeof(*list));

		if (!list)
			return -1;
		blocks->chunks = list;
	}
	memory = more > 1 ? aligned_alloc(HUGE_BYTES, HUGE_BYTES) : malloc(CHUNK_BYTES);
	if (!memory)
		return -1;
	if (more > 1)
		want_huge_pages(memory, HUGE_BYTES);
	for (uint32_t n = 0; n < more; n++)
		blocks->chunks[chunks + n] = memory + n * CHUNK_SLOTS;
	blocks->room += more * CHUNK_SLOTS;
	return 0;
}

static void free_slots(struct live_blocks *blocks)
{
	const uint32_t chunks = (blocks->room + CHUNK_SLOTS - 1) >> CHUNK_BITS;

	for (uint32_t n = 0; n < chunks; n += n < CHUNKS_BEFORE_HUGE ? 1 : HUGE_CHUNKS)
		free(blocks->chunks[n]);
	free(blocks->chunks);
}

/* The number of a slot that is free; 0: memory is short */
static uint32_t take_slot(struct live_blocks *blocks)
{
	const uint32_t slot = blocks->free;

	if (slot) {
		blocks->free = (uint32_t)slot_at(blocks, slot)->start;
		return slot;
	}
	if (blocks->used + 1 >= blocks->room && grow_slots(blocks) < 0)
		return 0;
	return ++blocks->used;
}

/* --- by hash --- */

#define LINE_BLOCKS 8u
#define FIRST_LINES 16u

/* 'tags': 24 bits of the hash of a granule, below them in which 256th part of it the block begins */
struct live_line {
	uint32_t tags[LINE_BLOCKS];
	uint32_t slots[LINE_BLOCKS]; /* 0: none */
};
_Static_assert(sizeof(struct live_line) == 64, "a cache line");

/* In the last one of a line's slots: some went on to the next line, where this one was full */
#define PASSED (UINT32_C(1) << 31)
#define SLOT_MASK (PASSED - 1)
_Static_assert(LIVE_BLOCKS_MOST < PASSED, "numbers of slots");

struct key {
	uint32_t line, tag;
};

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

static struct key key_of(const struct live_index *index, uint32_t class, uint64_t address)
{
	const uint32_t shift = shift_of(class);
	const uint64_t hash = ((address >> shift) * LIVE_CLASSES + class) * UINT64_C(0x9e3779b97f4a7c15);

	return (struct key){
		.line = (uint32_t)((hash >> 32) * index->room >> 32),
		.tag = ((uint32_t)hash & ~UINT32_C(0xff)) | (uint32_t)(address << 8 >> shift & 0xff),
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

static void index_put(struct live_index *index, struct key key, uint32_t slot)
{
	struct live_line *line = &index->lines[key.line];
	uint32_t room;

	for (; !(room = words_with(line->slots, 0, SLOT_MASK)); line = &index->lines[key.line]) {
		index->passed += !is_passed(line);
		line->slots[LINE_BLOCKS - 1] |= PASSED;
		key.line = line_behind(index, key.line);
	}

	const uint32_t n = (uint32_t)__builtin_ctz(room);

	line->tags[n] = key.tag;
	line->slots[n] |= slot;
	index->count++;
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
		.line = &index->lines[key.line],
		.at = key.line,
		.left = index->room,
		.tag = key.tag,
		.bits = bits,
		.found = words_with(index->lines[key.line].tags, key.tag, bits),
	};
}

/* Which of the line's blocks is the next one; LINE_BLOCKS: there is none */
static inline uint32_t walk_next(const struct live_index *index, struct walk *walk)
{
	while (!walk->found) {
		if (!is_passed(walk->line) || !--walk->left)
			return LINE_BLOCKS;
		walk->at = line_behind(index, walk->at);
		walk->line = &index->lines[walk->at];
		walk->found = words_with(walk->line->tags, walk->tag, walk->bits);
	}

	const uint32_t n = (uint32_t)__builtin_ctz(walk->found);

	walk->found &= walk->found - 1;
	return n;
}

static void index_remove(struct live_index *index, struct live_line *line, uint32_t n)
{
	line->slots[n] &= PASSED;
	index->count--;
}

/* 0, or -1 if memory is short: nothing has changed then */
static int index_begin(struct live_index *index, uint32_t lines)
{
	struct live_line *memory = aligned_alloc(sizeof(*memory), lines * sizeof(*memory));

	if (!memory)
		return -1;
	want_huge_pages(memory, lines * sizeof(*memory));
	memset(memory, 0, lines * sizeof(*memory));
	free(index->lines);
	*index = (struct live_index){ .lines = memory, .room = lines };
	return 0;
}

static int is_full(const struct live_index *index)
{
	return index->count >= (uint64_t)index->room * LINE_BLOCKS * 7 / 10 ||
	       index->passed > index->passed_most;
}

/*
 * Where a block is that begins there. Who wants the line fetched says so himself: of a function that does
 * nothing else compilers think that it does nothing, and leave out calls.
 */
static struct live_line *line_of(const struct live_index *by_start, uint64_t start)
{
	return &by_start->lines[key_of(by_start, 0, start).line];
}

#define SLOTS_AHEAD 16u

/* Lines enough for one more; those that were passed need not have been. */
static int index_anew(struct live_blocks *blocks, struct live_index *index, int is_of_long)
{
	const uint32_t lines = !index->room ? FIRST_LINES
			       : index->count > (uint64_t)index->room * LINE_BLOCKS / 2
				       ? index->room + index->room / 5
				       : index->room;

	if (index_begin(index, lines) < 0)
		return -1;
	for (uint32_t slot = 1; slot <= blocks->used; slot++) {
		const struct live_block *block = slot_at(blocks, slot);
		const uint32_t class = is_of_long && block->bytes ? class_of(block->bytes) : 0;

		if (!is_of_long && slot + SLOTS_AHEAD <= blocks->used)
			__builtin_prefetch(line_of(index, slot_at(blocks, slot + SLOTS_AHEAD)->start), 1);
		if (block->bytes && (!is_of_long || class >= FIRST_LONG_CLASS))
			index_put(index, key_of(index, class, block->start), slot);
	}
	index->passed_most = index->passed + index->room / 4;
	return 0;
}

/* --- blocks --- */

int live_blocks_add(struct live_blocks *blocks, const struct live_block *block)
{
	const uint32_t class = class_of(block->bytes);
	uint32_t slot;

	if (blocks->count >= LIVE_BLOCKS_MOST ||
	    (is_full(&blocks->by_start) && index_anew(blocks, &blocks->by_start, 0) < 0) ||
	    (class >= FIRST_LONG_CLASS && is_full(&blocks->of_long) &&
	     index_anew(blocks, &blocks->of_long, 1) < 0))
		return -1;
	slot = take_slot(blocks);
	if (!slot)
		return -1;
	*slot_at(blocks, slot) = *block;
	index_put(&blocks->by_start, key_of(&blocks->by_start, 0, block->start), slot);
	if (class >= FIRST_LONG_CLASS)
		index_put(&blocks->of_long, key_of(&blocks->of_long, class, block->start), slot);
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

static void remove_long(struct live_blocks *blocks, uint32_t class, uint64_t start, uint32_t slot)
{
	const struct key key = key_of(&blocks->of_long, class, start);
	struct walk walk = walk_begin(&blocks->of_long, key, UINT32_MAX);
	uint32_t n;

	while ((n = walk_next(&blocks->of_long, &walk)) < LINE_BLOCKS) {
		if ((walk.line->slots[n] & SLOT_MASK) == slot) {
			index_remove(&blocks->of_long, walk.line, n);
			return;
		}
	}
}

int live_blocks_remove(struct live_blocks *blocks, uint64_t start, struct live_block *removed)
{
	struct walk walk;
	uint32_t n, class;
	const uint32_t slot = find_start(blocks, start, &walk, &n);
	struct live_block *block;

	if (!slot)
		return 0;
	block = slot_at(blocks, slot);
	class = class_of(block->bytes);
	index_remove(&blocks->by_start, walk.line, n);
	if (class >= FIRST_LONG_CLASS)
		remove_long(blocks, class, start, slot);
	if (removed)
		*removed = *block;
	*block = (struct live_block){ .start = blocks->free };
	blocks->free = slot;
	blocks->in_class[class]--;
	blocks->count--;
	return 1;
}

struct live_block *live_blocks_at(const struct live_blocks *blocks, uint64_t start)
{
	struct walk walk;
	uint32_t n;
	const uint32_t slot = find_start(blocks, start, &walk, &n);

	return slot ? slot_at(blocks, slot) : NULL;
}

void live_blocks_expect(const struct live_blocks *blocks, uint64_t start, int is_soon)
{
	struct key key;
	uint32_t found, slot;

	if (!blocks->count)
		return;
	if (!is_soon) {
		__builtin_prefetch(line_of(&blocks->by_start, start), 1);
		return;
	}
	key = key_of(&blocks->by_start, 0, start);
	found = words_with(blocks->by_start.lines[key.line].tags, key.tag, UINT32_MAX);
	if (!found)
		return;
	slot = blocks->by_start.lines[key.line].slots[__builtin_ctz(found)] & SLOT_MASK;
	if (slot)
		__builtin_prefetch(slot_at(blocks, slot), 1);
}

/* The one of those that begin in the granule of 'of' that has the address */
static struct live_block *find_in_granule(const struct live_blocks *blocks, const struct live_index *index,
					  uint32_t class, uint64_t of, uint64_t address)
{
	const struct key key = key_of(index, class, of);
	struct walk walk = walk_begin(index, key, ~UINT32_C(0xff));
	uint32_t n;

	while ((n = walk_next(index, &walk)) < LINE_BLOCKS) {
		const uint32_t slot = walk.line->slots[n] & SLOT_MASK;
		struct live_block *block = slot ? slot_at(blocks, slot) : NULL;

		if (block && address - block->start < block->bytes)
			return block;
	}
	return NULL;
}

static struct live_block *find_short(const struct live_blocks *blocks, uint64_t address)
{
	const uint64_t most = blocks->in_class[1] ? SHORT_MOST : UINT64_C(1) << SMALLEST_SHIFT;
	const uint64_t first = (address >= most ? address - most + 1 : 0) >> SMALLEST_SHIFT;
	struct live_block *found = NULL;

	for (uint64_t granule = address >> SMALLEST_SHIFT; !found; granule--) {
		found = find_in_granule(blocks, &blocks->by_start, 0, granule << SMALLEST_SHIFT, address);
		if (granule == first)
			break;
	}
	return found;
}

struct live_block *live_blocks_find(const struct live_blocks *blocks, uint64_t address)
{
	struct live_block *found = blocks->count ? find_short(blocks, address) : NULL;

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
	return blocks->room * sizeof(struct live_block) +
	       ((size_t)blocks->by_start.room + blocks->of_long.room) * sizeof(struct live_line);
}

int live_blocks_copy(struct live_blocks *to, const struct live_blocks *from)
{
	for (uint32_t slot = 1; slot <= from->used; slot++) {
		const struct live_block *block = slot_at(from, slot);

		if (block->bytes && live_blocks_add(to, block) < 0) {
			live_blocks_free(to);
			return -1;
		}
	}
	return 0;
}

void live_blocks_free(struct live_blocks *blocks)
{
	free_slots(blocks);
	free(blocks->by_start.lines);
	free(blocks->of_long.lines);
	memset(blocks, 0, sizeof(*blocks));
}
