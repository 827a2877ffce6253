/* SPDX-License-Identifier: BSD-3-Clause */
/* See tree.h. */
#include "tree.h"

#include <stdlib.h>

#define LOCKED 2u

static struct inner *as_inner(const struct header *node)
{
	return (struct inner *)(uintptr_t)node;
}

static struct leaf *as_leaf(const struct header *node)
{
	return (struct leaf *)(uintptr_t)node;
}

/* The first key that is not less */
static inline unsigned int lower_bound(const uint64_t *keys, unsigned int count, uint64_t key)
{
	unsigned int low = 0;

	while (low < count) {
		unsigned int middle = low + (count - low) / 2;

		if (keys[middle] < key)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

static struct header *new_node(struct tree *tree, uint8_t type)
{
	struct header *node;

	if (type == TREE_LEAF)
		node = aligned_alloc(4096, sizeof(struct leaf));
	else
		node = aligned_alloc(4096, sizeof(struct inner));
	if (!node)
		return NULL;
	atomic_init(&node->version, 4);
	node->type = type;
	node->count = 0;
	tree->nodes++;
	return node;
}

int tree_create(struct tree *tree)
{
	tree->nodes = 0;
	tree->height = 1;
	atomic_init(&tree->root, new_node(tree, TREE_LEAF));
	return atomic_load(&tree->root) ? 0 : -1;
}

/* ---- lookups ---- */

/* Waits while somebody writes. */
static inline uint64_t read_lock(const struct header *node)
{
	uint64_t version;

	while ((version = atomic_load_explicit(&node->version, memory_order_acquire)) & LOCKED)
		continue;
	return version;
}

static inline int is_unchanged(const struct header *node, uint64_t version)
{
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&node->version, memory_order_relaxed) == version;
}

/* @return 1, 0 as tree_lookup(); -1: somebody wrote meanwhile */
static int look_up_once(struct tree *tree, uint64_t key, uint64_t *payload)
{
	const struct header *node = atomic_load(&tree->root);
	uint64_t version = read_lock(node);
	const struct leaf *leaf;
	unsigned int at, count;
	int found;

	while (node->type == TREE_INNER) {
		const struct inner *inner = as_inner(node);
		const struct header *child = inner->children[lower_bound(inner->keys, node->count, key)];

		if (!is_unchanged(node, version))
			return -1;
		node = child;
		version = read_lock(node);
	}
	leaf = as_leaf(node);
	count = node->count;
	at = lower_bound(leaf->keys, count, key);
	found = at < count && leaf->keys[at] == key;
	if (found)
		*payload = leaf->payloads[at];
	return is_unchanged(node, version) ? found : -1;
}

int tree_lookup(struct tree *tree, uint64_t key, uint64_t *payload)
{
	int found;

	while ((found = look_up_once(tree, key, payload)) < 0)
		continue;
	return found;
}

/* ---- what a lookup loads ---- */

struct told {
	tree_load_fn load;
	void *context;
	const struct header *node;
	unsigned int level;
};

static void tell(const struct told *told, const void *address)
{
	told->load(told->context, told->node, told->level, address);
}

static unsigned int tell_search(const struct told *told, const uint64_t *keys, uint64_t key)
{
	unsigned int low = 0, high = told->node->count;

	tell(told, &told->node->count);
	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		tell(told, &keys[middle]);
		if (keys[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void tree_tell_loads(const struct tree *tree, uint64_t key, tree_load_fn load, void *context)
{
	struct told told = { load, context, atomic_load(&tree->root), 0 };
	const struct leaf *leaf;
	unsigned int at;

	for (;; told.level++) {
		const struct inner *inner = as_inner(told.node);

		tell(&told, &told.node->version);
		tell(&told, &told.node->type);
		if (told.node->type == TREE_LEAF)
			break;
		at = tell_search(&told, inner->keys, key);
		tell(&told, &inner->children[at]);
		tell(&told, &told.node->version);
		told.node = inner->children[at];
	}
	leaf = as_leaf(told.node);
	at = tell_search(&told, leaf->keys, key);
	if (at < leaf->header.count) {
		tell(&told, &leaf->keys[at]);
		if (leaf->keys[at] == key)
			tell(&told, &leaf->payloads[at]);
	}
	tell(&told, &told.node->version);
}

/* ---- building ---- */

static void write_lock(struct header *node)
{
	atomic_fetch_add(&node->version, LOCKED);
}

static void write_unlock(struct header *node)
{
	atomic_fetch_add(&node->version, LOCKED);
}

static void move(uint64_t *to, const uint64_t *from, unsigned int count)
{
	if (to > from) {
		while (count-- > 0)
			to[count] = from[count];
		return;
	}
	for (unsigned int n = 0; n < count; n++)
		to[n] = from[n];
}

static void put_child(struct inner *inner, unsigned int at, uint64_t key, struct header *right)
{
	unsigned int count = inner->header.count;

	move(&inner->keys[at + 1], &inner->keys[at], count - at);
	for (unsigned int n = count; n > at; n--)
		inner->children[n + 1] = inner->children[n];
	inner->keys[at] = key;
	inner->children[at + 1] = right;
	inner->header.count++;
}

/* The upper half of a node as a node of its own. @return what the lower half has at most */
static uint64_t fill_right(struct header *node, struct header *right)
{
	unsigned int kept = node->count / 2, first;

	if (node->type == TREE_LEAF) {
		move(as_leaf(right)->keys, &as_leaf(node)->keys[kept], node->count - kept);
		move(as_leaf(right)->payloads, &as_leaf(node)->payloads[kept], node->count - kept);
		right->count = (uint16_t)(node->count - kept);
		node->count = (uint16_t)kept;
		return as_leaf(node)->keys[kept - 1];
	}
	first = kept + 1; /* the key between the halves goes up */
	right->count = (uint16_t)(node->count - first);
	move(as_inner(right)->keys, &as_inner(node)->keys[first], right->count);
	for (unsigned int n = 0; n <= right->count; n++)
		as_inner(right)->children[n] = as_inner(node)->children[first + n];
	node->count = (uint16_t)kept;
	return as_inner(node)->keys[kept];
}

static int split(struct tree *tree, struct inner *parent, unsigned int at, struct header *node)
{
	struct header *right = new_node(tree, node->type);

	if (!right)
		return -1;
	write_lock(&parent->header);
	write_lock(node);
	put_child(parent, at, fill_right(node, right), right);
	write_unlock(node);
	write_unlock(&parent->header);
	return 0;
}

static int is_full(const struct header *node)
{
	return node->count == (node->type == TREE_LEAF ? TREE_SLOTS : TREE_SLOTS - 1);
}

static int split_root(struct tree *tree)
{
	struct header *old = atomic_load(&tree->root);
	struct inner *root = as_inner(new_node(tree, TREE_INNER));

	if (!root)
		return -1;
	root->children[0] = old;
	if (split(tree, root, 0, old) < 0) {
		free(root);
		tree->nodes--;
		return -1;
	}
	atomic_store(&tree->root, &root->header);
	tree->height++;
	return 0;
}

static void put(struct leaf *leaf, uint64_t key, uint64_t payload)
{
	unsigned int count = leaf->header.count, at = lower_bound(leaf->keys, count, key);

	write_lock(&leaf->header);
	if (at == count || leaf->keys[at] != key) {
		move(&leaf->keys[at + 1], &leaf->keys[at], count - at);
		move(&leaf->payloads[at + 1], &leaf->payloads[at], count - at);
		leaf->keys[at] = key;
		leaf->header.count++;
	}
	leaf->payloads[at] = payload;
	write_unlock(&leaf->header);
}

/* Full nodes are split on the way down, so that there is room above for what goes up. */
int tree_insert(struct tree *tree, uint64_t key, uint64_t payload)
{
	struct header *node;

	if (is_full(atomic_load(&tree->root)) && split_root(tree) < 0)
		return -1;
	node = atomic_load(&tree->root);
	while (node->type == TREE_INNER) {
		struct inner *inner = as_inner(node);
		unsigned int at = lower_bound(inner->keys, node->count, key);

		if (is_full(inner->children[at])) {
			if (split(tree, inner, at, inner->children[at]) < 0)
				return -1;
			at += inner->keys[at] < key;
		}
		node = inner->children[at];
	}
	put(as_leaf(node), key, payload);
	return 0;
}

/* ---- all nodes ---- */

/* 'visit' comes behind a node's children, so that it may free the node. */
void tree_visit(const struct tree *tree, tree_visit_fn visit, void *context)
{
	struct {
		struct header *node;
		unsigned int next;
	} path[TREE_MAX_HEIGHT];
	unsigned int depth = 0;

	path[0].node = atomic_load(&tree->root);
	path[0].next = 0;
	for (;;) {
		struct header *node = path[depth].node;

		if (node->type == TREE_INNER && path[depth].next <= node->count) {
			path[depth + 1].node = as_inner(node)->children[path[depth].next++];
			path[++depth].next = 0;
			continue;
		}
		visit(context, node, depth);
		if (depth-- == 0)
			return;
	}
}

static void free_node(void *context, const struct header *node, unsigned int level)
{
	(void)context;
	(void)level;
	free((void *)(uintptr_t)node);
}

void tree_destroy(struct tree *tree)
{
	tree_visit(tree, free_node, NULL);
	tree->nodes = 0;
}
