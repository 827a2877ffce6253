/* SPDX-License-Identifier: BSD-3-Clause */
/* See live.h. */
#include "live.h"

#include <precis/objects.h>

#include "arena.h"

#define EXPORTED __attribute__((visibility("default")))

#define LEVELS 4u /* of nodes, above the pages */
#define FAN_LOG 9u
#define FAN (1u << FAN_LOG)
#define PAGE_LOG 12u
#define GRANULE_LOG 4u /* malloc(3) aligns no less */
#define PLACES (1u << (PAGE_LOG - GRANULE_LOG))
#define ADDRESS_MOST (UINT64_C(1) << 48)
#define TRIES 8u

struct place {
	uint64_t size; /* of the block that begins here, and 1 more; 0: there is none */
	uint64_t site;
};

/* Which children have a block, or which places; only ever changed bit by bit */
struct page {
	uint64_t used[PLACES / 64];
	struct place places[PLACES];
};

struct node {
	uint64_t used[FAN / 64];
	void *children[FAN];
};

int live_is_kept;

static struct node *root;
static struct arena arena; /* where nodes and pages come from */

EXPORTED int precis_objects_1_find(const void *address, struct precis_objects_block *block);

static uint64_t load(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

int live_begin(void)
{
	root = arena_take(&arena, sizeof(*root));
	live_is_kept = root != NULL;
	return root ? 0 : -1;
}

/* ---- which child, which place ---- */

static unsigned int index_at(uint64_t address, unsigned int level)
{
	return (unsigned int)(address >> (PAGE_LOG + FAN_LOG * (LEVELS - 1 - level))) & (FAN - 1);
}

static unsigned int place_of(uint64_t address)
{
	return (unsigned int)(address >> GRANULE_LOG) & (PLACES - 1);
}

static void set_bit(uint64_t *used, unsigned int n)
{
	__atomic_fetch_or(&used[n / 64], UINT64_C(1) << n % 64, __ATOMIC_SEQ_CST);
}

static void clear_bit(uint64_t *used, unsigned int n)
{
	__atomic_fetch_and(&used[n / 64], ~(UINT64_C(1) << n % 64), __ATOMIC_SEQ_CST);
}

static int has_bit(const uint64_t *used, unsigned int n)
{
	return (load(&used[n / 64]) >> n % 64 & 1) != 0;
}

static int is_empty(const uint64_t *used, unsigned int words)
{
	while (words-- > 0) {
		if (load(&used[words]))
			return 0;
	}
	return 1;
}

/* The highest bit up to 'n'. @return -1: there is none */
static int highest(const uint64_t *used, int n)
{
	for (int word = n / 64; n >= 0 && word >= 0; word--) {
		uint64_t bits = load(&used[word]);

		if (word == n / 64)
			bits &= UINT64_MAX >> (63 - n % 64);
		if (bits)
			return word * 64 + 63 - __builtin_clzll(bits);
	}
	return -1;
}

/* ---- the way to a page ---- */

struct path {
	struct node *nodes[LEVELS];
	struct page *page;
	uint64_t address;
};

static void *child(struct node *node, unsigned int n, size_t bytes)
{
	void *found = __atomic_load_n(&node->children[n], __ATOMIC_ACQUIRE), *made;

	if (found || !bytes)
		return found;
	made = arena_take(&arena, bytes);
	if (!made || __atomic_compare_exchange_n(&node->children[n], &found, made, 0, __ATOMIC_ACQ_REL,
						 __ATOMIC_ACQUIRE))
		return made;
	return found;
}

/* @return 1; 0: there is no such page, or no memory for it */
static int find_path(struct path *path, uint64_t address, int makes)
{
	void *next = root;

	path->address = address;
	for (unsigned int level = 0; next && level < LEVELS; level++) {
		size_t bytes = level + 1 < LEVELS ? sizeof(struct node) : sizeof(struct page);

		path->nodes[level] = next;
		next = child(next, index_at(address, level), makes ? bytes : 0);
	}
	path->page = next;
	return next != NULL;
}

/* From this level on up. A bit that is there may be about to be taken away: who does it looks again. */
static void mark(const struct path *path, unsigned int level)
{
	for (;; level--) {
		unsigned int n = index_at(path->address, level);

		if (!has_bit(path->nodes[level]->used, n))
			set_bit(path->nodes[level]->used, n);
		if (!level)
			return;
	}
}

static int is_below_empty(const struct path *path, unsigned int level)
{
	return level + 1 < LEVELS ? is_empty(path->nodes[level + 1]->used, FAN / 64)
				  : is_empty(path->page->used, PLACES / 64);
}

static void unmark(const struct path *path)
{
	for (unsigned int level = LEVELS; level-- > 0;) {
		if (!is_below_empty(path, level))
			return;
		clear_bit(path->nodes[level]->used, index_at(path->address, level));
		if (!is_below_empty(path, level)) {
			mark(path,
			     level); /* a block came meanwhile, and may have found the bit still there */
			return;
		}
	}
}

/* ---- blocks that come and go ---- */

static int is_usual(uint64_t start)
{
	return start < ADDRESS_MOST && !(start & ((1u << GRANULE_LOG) - 1));
}

void live_add(uint64_t start, uint64_t size, uint64_t site)
{
	struct place *place;
	struct path path;

	if (!is_usual(start) || !find_path(&path, start, 1))
		return;
	place = &path.page->places[place_of(start)];
	__atomic_store_n(&place->site, site, __ATOMIC_RELAXED);
	__atomic_store_n(&place->size, size + 1, __ATOMIC_SEQ_CST);
	set_bit(path.page->used, place_of(start));
	mark(&path, LEVELS - 1);
}

void live_remove(uint64_t start)
{
	struct path path;

	if (!is_usual(start) || !find_path(&path, start, 0))
		return;
	__atomic_store_n(&path.page->places[place_of(start)].size, 0, __ATOMIC_SEQ_CST);
	clear_bit(path.page->used, place_of(start));
	unmark(&path);
}

int live_at(uint64_t start, uint64_t *size, uint64_t *site)
{
	struct place *place;
	struct path path;

	if (!is_usual(start) || !find_path(&path, start, 0))
		return 0;
	place = &path.page->places[place_of(start)];
	*size = load(&place->size) - 1;
	*site = load(&place->site);
	return *size != UINT64_MAX;
}

/* ---- questions ---- */

enum found { FOUND = 1, NOTHING = 0, CHANGED = -2 };

/* The last page with a block, below the node that is at 'level' of the path */
static struct page *last_page(struct node *node, unsigned int level, uint64_t *address)
{
	void *next = node;

	for (; next && level < LEVELS; level++) {
		int n = highest(((struct node *)next)->used, FAN - 1);

		if (n < 0)
			return NULL;
		*address = *address << FAN_LOG | (unsigned int)n;
		next = __atomic_load_n(&((struct node *)next)->children[n], __ATOMIC_ACQUIRE);
	}
	return next;
}

/* The page before that of an address, with a block. @return FOUND, NOTHING, CHANGED */
static enum found page_before(const struct path *path, unsigned int levels, struct page **page,
			      uint64_t *number)
{
	while (levels-- > 0) {
		int n = highest(path->nodes[levels]->used, (int)index_at(path->address, levels) - 1);
		struct node *below;

		if (n < 0)
			continue;
		*number = path->address >> (PAGE_LOG + FAN_LOG * (LEVELS - levels)) << FAN_LOG |
			  (unsigned int)n;
		below = __atomic_load_n(&path->nodes[levels]->children[n], __ATOMIC_ACQUIRE);
		*page = below ? last_page(below, levels + 1, number) : NULL;
		return *page ? FOUND : CHANGED;
	}
	return NOTHING;
}

/* The nodes above an address, as far as there are any. @return how many */
static unsigned int known_path(struct path *path, uint64_t address)
{
	void *next = root;
	unsigned int level = 0;

	path->address = address;
	path->page = NULL;
	while (next && level < LEVELS) {
		path->nodes[level] = next;
		next = __atomic_load_n(&((struct node *)next)->children[index_at(address, level)],
				       __ATOMIC_ACQUIRE);
		level++;
	}
	if (level == LEVELS)
		path->page = next;
	return level;
}

/* The block that begins last, up to an address */
static enum found last_block(uint64_t address, struct precis_objects_block *block)
{
	uint64_t number = address >> PAGE_LOG, size;
	struct path path;
	unsigned int levels = known_path(&path, address);
	struct page *page = path.page;
	int n = page ? highest(page->used, (int)place_of(address)) : -1;

	if (n < 0) {
		enum found found = page_before(&path, levels, &page, &number);

		if (found != FOUND)
			return found;
		n = highest(page->used, PLACES - 1);
		if (n < 0)
			return CHANGED;
	}
	size = load(&page->places[n].size);
	block->site = load(&page->places[n].site);
	if (!size || load(&page->places[n].size) != size)
		return CHANGED;
	block->start = number << PAGE_LOG | (uint64_t)n << GRANULE_LOG;
	block->size = size - 1;
	return FOUND;
}

int precis_objects_1_find(const void *address, struct precis_objects_block *block)
{
	uint64_t at = (uint64_t)address;
	enum found found = CHANGED;

	if (!live_is_kept)
		return -1;
	if (at >= ADDRESS_MOST)
		return NOTHING;
	for (unsigned int n = 0; found == CHANGED && n < TRIES; n++)
		found = last_block(at, block);
	if (found != FOUND)
		return found;
	return at - block->start < block->size ? FOUND : NOTHING;
}

/* ---- after a fork ---- */

static int mend_page(struct page *page)
{
	for (unsigned int n = 0; n < PLACES; n++) {
		if (page->places[n].size)
			set_bit(page->used, n);
		else
			clear_bit(page->used, n);
	}
	return !is_empty(page->used, PLACES / 64);
}

/* LEVELS deep. @return 1: there are blocks below */
static int mend_node(struct node *node, unsigned int level)
{
	for (unsigned int n = 0; n < FAN; n++) {
		void *below = node->children[n];

		if (below && (level + 1 < LEVELS ? mend_node(below, level + 1) : mend_page(below)))
			set_bit(node->used, n);
		else
			clear_bit(node->used, n);
	}
	return !is_empty(node->used, FAN / 64);
}

void live_mend(void)
{
	if (live_is_kept)
		mend_node(root, 0);
}
