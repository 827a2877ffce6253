/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A B+-tree with optimistic lock coupling: who looks up takes no lock, but reads a node's version before and
 * after (Leis, Haubenschild, Neumann: "Optimistic Lock Coupling", IEEE Data Engineering Bulletin 42, 2019).
 * Nodes are 4096 bytes and laid out as those that DaMoN 2025, "Breaking the Cycle", sampled: a header of 16
 * bytes, then two arrays of 255.
 */
#ifndef BENCH_BTREE_TREE_H
#define BENCH_BTREE_TREE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define TREE_SLOTS 255
#define TREE_MAX_HEIGHT 8

enum { TREE_INNER = 1, TREE_LEAF = 2 };

struct header {
	_Atomic uint64_t version; /* bit 1: locked for writing; else how often it was written, times 4 */
	uint8_t type;
	uint16_t count; /* keys */
};

struct inner {
	struct header header;
	struct header *children[TREE_SLOTS]; /* one more than keys: child n has keys up to keys[n] */
	uint64_t keys[TREE_SLOTS];
};

struct leaf {
	struct header header;
	uint64_t keys[TREE_SLOTS];
	uint64_t payloads[TREE_SLOTS];
};

_Static_assert(sizeof(struct inner) == 4096 && sizeof(struct leaf) == 4096, "nodes are 4096 bytes");
_Static_assert(offsetof(struct header, type) == 8 && offsetof(struct header, count) == 10, "a header");
_Static_assert(offsetof(struct inner, children) == 16, "an inner node");
_Static_assert(offsetof(struct inner, keys) == 2056, "an inner node");
_Static_assert(offsetof(struct leaf, keys) == 16 && offsetof(struct leaf, payloads) == 2056, "a leaf");

struct tree {
	struct header *_Atomic root;
	unsigned int height; /* 1: the root is a leaf */
	size_t nodes;
};

/** @return 0; -1: no memory */
int tree_create(struct tree *tree);

/** From one thread. A key that is there gets the new payload. @return 0; -1: no memory */
int tree_insert(struct tree *tree, uint64_t key, uint64_t payload);

/** From any thread. @return 1; 0: there is no such key */
int tree_lookup(struct tree *tree, uint64_t key, uint64_t *payload);

/** Calls 'visit' for each node, level 0 is the root, from the left to the right of each subtree. */
typedef void (*tree_visit_fn)(void *context, const struct header *node, unsigned int level);
void tree_visit(const struct tree *tree, tree_visit_fn visit, void *context);

/** Loads of one lookup, in the order in which they are made. 'level': 0 is the root */
typedef void (*tree_load_fn)(void *context, const struct header *node, unsigned int level,
			     const void *address);
void tree_tell_loads(const struct tree *tree, uint64_t key, tree_load_fn load, void *context);

void tree_destroy(struct tree *tree);

#endif
