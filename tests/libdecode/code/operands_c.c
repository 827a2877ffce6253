/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses of C programs as they are: lists, trees, tables, arrays, what is passed and what is returned. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "operands.h"

#define NOINLINE __attribute__((noinline, noclone))

struct list {
	struct list *next, *previous;
};

struct node {
	long key;
	struct node *left, *right;
	int count;
	char tag;
	double weight;
	struct list link;
};

typedef struct table {
	struct entry **buckets;
	unsigned long size;
	struct stats {
		long hits, misses;
	} stats;
} table_t;

struct entry {
	struct entry *next;
	const char *name;
	uint32_t hash;
	struct node *value;
};

struct page {
	uint64_t version;
	uint8_t type;
	uint16_t count;
	uint64_t keys[255];
	struct page *children[255];
};

struct operations {
	long (*get)(struct node *node);
	void (*put)(struct node *node, long value);
};

struct device {
	const struct operations *operations;
	struct node *root;
	table_t *table;
	union {
		int small;
		char letters[8];
	} u;
};

struct point {
	double x, y, z;
};

static struct node pool[64];
static struct device device;
static struct point cloud[128];
static long counters[16];
static int sum;

/* --- lists and trees --- */

NOINLINE static long find(const struct node *node, long key)
{
	while (node) {
		const long here = READ(node->key, "struct node.key");

		if (here == key)
			return READ(node->count, "struct node.count");
		node = here < key ? READ(node->right, "struct node.right")
				  : READ(node->left, "struct node.left");
	}
	return -1;
}

NOINLINE static void insert(struct node **root, struct node *node)
{
	while (*root) {
		struct node *at = *root;

		root = READ(node->key, "struct node.key") < READ(at->key, "struct node.key") ? &at->left
												: &at->right;
	}
	WRITE(*root, node, "struct node *");
}

NOINLINE static double depth_first(struct node *node)
{
	double below;

	if (!node)
		return 0;
	below = depth_first(READ(node->left, "struct node.left"));
	below += depth_first(READ(node->right, "struct node.right"));
	WRITE(node->count, (int)below, "struct node.count");
	return below + READ_DOUBLE(node->weight, "struct node.weight");
}

NOINLINE static int walk_list(struct list *head)
{
	int total = 0;

	for (struct list *at = READ(head->next, "struct list.next"); at != head; at = at->next) {
		struct node *node = (struct node *)((char *)at - offsetof(struct node, link));

		total += READ(node->count, "struct node.count");
		WRITE(node->tag, 1, "struct node.tag");
	}
	return total;
}

/* --- tables --- */

static inline struct entry *bucket_of(table_t *table, uint32_t hash)
{
	return table->buckets[hash % table->size];
}

NOINLINE static struct node *look_up(table_t *table, const char *name, uint32_t hash)
{
	for (struct entry *entry = bucket_of(table, hash); entry;
	     entry = READ(entry->next, "struct entry.next")) {
		if (READ(entry->hash, "struct entry.hash") == hash && !strcmp(entry->name, name)) {
			WRITE(table->stats.hits, table->stats.hits + 1, "struct table.stats.hits");
			return READ(entry->value, "struct entry.value");
		}
	}
	WRITE(table->stats.misses, 1, "struct table.stats.misses");
	return NULL;
}

NOINLINE static long chain(struct device *of)
{
	const unsigned long size = READ(of->table->size, "struct table.size");
	struct entry *first = READ(of->table->buckets[0], "struct entry *");
	const long key = READ(first->value->left->key, "struct node.key");

	return key + (long)size + READ(of->root->right->left->count, "struct node.count");
}

/* --- arrays --- */

NOINLINE static double norm(const struct point *points, size_t count)
{
	double total = 0;

	for (size_t n = 0; n < count; n++)
		total += READ_DOUBLE(points[n].x, "struct point.x") +
			 READ_DOUBLE(points[n].z, "struct point.z");
	return total;
}

NOINLINE static void scale(double *values, size_t count)
{
	for (size_t n = 0; n < count; n++)
		WRITE(counters[n % 16], n, "long int");
	for (double *end = values + count; values < end; values++)
		sum += (int)READ_DOUBLE(*values, "double");
}

NOINLINE static uint64_t search(struct page *page, uint64_t key)
{
	while (READ_BYTE(page->type, "struct page.type")) {
		unsigned int low = 0, high = page->count;

		while (low < high) {
			const unsigned int middle = (low + high) / 2;

			if (READ(page->keys[middle], "struct page.keys[]") < key)
				low = middle + 1;
			else
				high = middle;
		}
		page = READ(page->children[low], "struct page.children[]");
	}
	return READ(page->version, "struct page.version");
}

NOINLINE static long before(struct page *page, unsigned int n)
{
	return (long)READ(page->keys[n - 1], "struct page.keys[]");
}

NOINLINE static double fixed(void)
{
	double total = 0;

	for (int n = 0; n < 128; n++)
		total += READ_DOUBLE(cloud[n].y, "struct point.y");
	WRITE(device.root, &pool[3], "struct device.root");
	return total + READ(pool[7].count, "struct node.count") +
	       READ(device.table->size, "struct table.size");
}

/* --- the frame --- */

NOINLINE static void fill(struct point *point, long n)
{
	WRITE(point->x, n, "struct point.x");
	WRITE(point->y, n, "struct point.y");
}

NOINLINE static double on_stack(long n)
{
	struct point points[4];
	struct node node = { .key = n };

	fill(&points[0], n);
	fill(&points[1], n + 1);
	insert(&device.root, &node);
	return READ_DOUBLE(points[1].y, "struct point.y") + READ(node.count, "struct node.count");
}

/* Pointers that live over calls: more than there are registers for */
NOINLINE static long spilled(struct node *a, struct node *b, struct entry *c, struct device *d,
			     struct point *e, struct page *f, struct list *g, struct node *h)
{
	long total = find(a, 1) + find(b, 2) + (long)norm(e, 2);

	total += walk_list(g);
	total += READ(a->key, "struct node.key") + READ(b->count, "struct node.count");
	total += READ(c->hash, "struct entry.hash") + READ(d->u.small, "struct device.u.small");
	total += (long)READ_DOUBLE(e->z, "struct point.z") + (long)READ(f->version, "struct page.version");
	total += find(h, 3);
	total += READ(h->key, "struct node.key") + (READ(g->previous, "struct list.previous") == g);
	return total + READ(a->count, "struct node.count");
}

/* --- calls --- */

NOINLINE static struct node *first_of(struct device *of)
{
	return READ(of->root, "struct device.root");
}

NOINLINE static long results(struct device *of, const char *name)
{
	return READ(first_of(of)->key, "struct node.key") +
	       READ(look_up(of->table, name, 3)->count, "struct node.count") +
	       READ(((struct entry *)calloc(1, sizeof(struct entry)))->hash, "struct entry.hash");
}

NOINLINE static long dispatch(struct device *of, int what, void *data)
{
	switch (what) {
	case 0: {
		struct node *node = data;

		return READ(node->key, "struct node.key");
	}
	case 1:
		return READ(of->root->key, "struct node.key");
	case 2: {
		struct entry *entry = data;

		return READ(entry->hash, "struct entry.hash") +
		       READ(of->table->stats.misses, "struct table.stats.misses");
	}
	case 3: {
		struct node *node = data;

		return of->operations->get(READ(node->left, "struct node.left"));
	}
	case 4: {
		struct point *point = data;

		return READ_DOUBLE(point->y, "struct point.y") > 0;
	}
	case 5:
		return READ(of->u.small, "struct device.u.small");
	default:
		of->operations->put(READ(of->root, "struct device.root"), what);
		return READ(of->operations->get, "struct operations.get") != NULL;
	}
}

static inline int is_leaf(const struct node *node)
{
	return !READ(node->left, "struct node.left") && !READ(node->right, "struct node.right");
}

NOINLINE static int leaves(struct node **nodes, int count)
{
	int total = 0;

	for (int n = 0; n < count; n++)
		total += is_leaf(nodes[n]) ? READ(nodes[n]->count, "struct node.count") : 0;
	return total;
}

NOINLINE static long one_of(struct node *a, struct node *b, int which)
{
	struct node *node = which ? a : b;

	return READ(node->key, "struct node.key") + READ_BYTE(node->tag, "struct node.tag");
}

int main(int argc, char **argv)
{
	/* never run: what is asked for is in the file */
	if (argc < 100)
		return 0;
	sum += (int)find(&pool[0], argc) + (int)depth_first(&pool[1]) + walk_list(&pool[2].link);
	sum += (int)chain(&device) + (int)norm(cloud, 5) + (int)search((void *)argv, 7) + (int)fixed();
	sum += (int)before((void *)argv, 3) + (int)on_stack(argc) + (int)results(&device, argv[0]);
	scale((double *)argv, 17);
	sum += (int)spilled((void *)argv, pool, (void *)argv, &device, cloud, (void *)argv,
			    (void *)argv, pool + 2);
	sum += (int)dispatch(&device, argc, argv) + leaves((void *)argv, argc) +
	       (int)one_of(pool, pool + argc, argc);
	return sum;
}
