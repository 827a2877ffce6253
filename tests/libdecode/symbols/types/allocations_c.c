/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks as plain C programs allocate them: each site tells of its type. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"

struct point {
	double x, y, z;
};

struct item {
	struct item *next;
	struct point *place;
	char *label;
	int number;
};

struct tree {
	struct tree *left, *right;
	long key, weight[4];
};

struct table {
	struct item **buckets;
	struct point *points;
	double *weights;
	size_t count;
};

struct packet {
	unsigned length;
	unsigned short kind;
	unsigned char body[];
};

/* As programs did before there were flexible arrays, in the last member's last one, too */
struct key {
	unsigned hash, length;
	char text[1];
};

struct shared_key {
	struct shared_key *next;
	struct key key;
};

/* What objects of several types begin with */
struct object {
	struct object *next;
	unsigned char kind, marked;
};

struct name_object {
	struct object *next;
	unsigned char kind, marked, length;
	unsigned hash;
	struct item *of;
	char text[1];
};

struct list_object {
	struct object start;
	struct item *first, *last;
};

typedef struct {
	float real, imaginary;
} complex_t;

static struct table *the_table;
static struct item *all_items;
static struct object *all_objects;
struct point *origin;
static double *rows[8];

#define SITE __attribute__((noinline)) static
#define TYPE(text) (allocation_types = (text))
#define END (allocation_types = NULL)

SITE void local(void)
{
	struct point *point = malloc(sizeof(*point));

	point->x = 1;
	KEEP(point);
}

SITE void local_checked(void)
{
	struct tree *tree = malloc(sizeof(*tree));

	if (!tree)
		exit(1);
	memset(tree, 0, sizeof(*tree));
	tree->key = 7;
	KEEP(tree);
}

SITE void local_array(size_t count)
{
	complex_t *values = calloc(count, sizeof(*values));

	for (size_t n = 0; n < count; n++)
		values[n].real = (float)n;
	KEEP(values);
}

SITE void local_numbers(size_t count)
{
	int *numbers = malloc(count * sizeof(*numbers));

	if (numbers == NULL) {
		puts("no memory");
		return;
	}
	for (size_t n = 0; n < count; n++)
		numbers[n] = (int)(n * n);
	KEEP(numbers);
}

SITE void global(void)
{
	origin = malloc(sizeof(*origin));
	origin->x = origin->y = 0;
}

SITE void global_table(void)
{
	the_table = calloc(1, sizeof(*the_table));
	if (!the_table)
		abort();
	the_table->count = 16;
}

SITE void member(struct item *item)
{
	item->place = malloc(sizeof(*item->place));
	item->place->x = 4;
}

SITE void member_of_global(void)
{
	the_table->buckets = calloc(the_table->count, sizeof(*the_table->buckets));
	TYPE("double");
	the_table->weights = malloc(the_table->count * sizeof(double));
	TYPE("struct point");
	the_table->points = malloc(the_table->count * sizeof(struct point));
}

SITE void element(size_t n)
{
	rows[n] = malloc(32 * sizeof(double));
}

SITE struct item *returned(int number)
{
	struct item *item = malloc(sizeof(*item));

	if (item)
		item->number = number;
	return item;
}

SITE struct tree *returned_at_once(void)
{
	return malloc(sizeof(struct tree));
}

SITE void pushed(int number)
{
	struct item *item = malloc(sizeof(*item));

	item->number = number;
	item->next = all_items;
	all_items = item;
}

SITE struct tree *inserted(struct tree *tree, long key)
{
	if (!tree) {
		tree = calloc(1, sizeof(*tree));
		tree->key = key;
		return tree;
	}
	if (key < tree->key)
		tree->left = inserted(tree->left, key);
	else
		tree->right = inserted(tree->right, key);
	return tree;
}

SITE void consumed(struct packet *packet)
{
	packet->kind = 3;
	KEEP(packet);
}

SITE void cast(void)
{
	consumed((struct packet *)malloc(sizeof(struct packet) + 100));
}

SITE void flexible(unsigned length)
{
	struct packet *packet = malloc(sizeof(*packet) + length);

	packet->length = length;
	KEEP(packet);
}

SITE void older_flexible(unsigned length)
{
	struct shared_key *shared = malloc(offsetof(struct shared_key, key.text) + length);

	shared->key.length = length;
	KEEP(shared);
}

SITE struct object *made(unsigned char kind, size_t bytes)
{
	struct object *object = malloc(bytes);

	object->kind = kind;
	object->next = all_objects;
	all_objects = object;
	return object;
}

SITE void made_with_text(unsigned char length)
{
	struct name_object *name =
		(struct name_object *)made(1, offsetof(struct name_object, text) + length);

	name->length = length;
	name->of = all_items;
	KEEP(name);
}

SITE void made_with_start(void)
{
	struct object *object = made(2, sizeof(struct list_object));
	struct list_object *list = (struct list_object *)object;

	object->marked = 0;
	list->first = list->last = all_items;
	KEEP(list);
}

SITE int out(struct table **table)
{
	*table = malloc(sizeof(**table));
	return *table ? 0 : -1;
}

SITE void *checked(size_t bytes)
{
	void *block = malloc(bytes);

	if (!block) {
		fputs("no memory\n", stderr);
		exit(1);
	}
	return block;
}

SITE void wrapped(void)
{
	struct table *table = checked(sizeof(*table));

	table->count = 1;
	KEEP(table);
}

SITE void wrapped_member(struct item *item, const char *label)
{
	item->label = checked(strlen(label) + 1);
	strcpy(item->label, label);
}

/* How large it is stands before what is returned. */
SITE void *sized(size_t bytes)
{
	size_t *size = malloc(bytes + 2 * sizeof(*size));

	if (size == NULL)
		return NULL;
	size[0] = bytes;
	return size + 2;
}

SITE void behind_its_size(void)
{
	struct table *table = sized(sizeof(*table));

	table->count = 1;
	KEEP(table);
}

SITE void grown(void)
{
	struct point *points = NULL;
	size_t room = 0;

	for (size_t count = 0; count < 20; count++) {
		if (count == room) {
			struct point *larger = realloc(points, (room = room * 2 + 4) * sizeof(*points));

			if (!larger)
				break;
			points = larger;
		}
		points[count].x = (double)count;
	}
	KEEP(points);
}

SITE void text(const char *from)
{
	char *copy = malloc(strlen(from) + 1);

	strcpy(copy, from);
	KEEP(copy);
}

SITE void rows_of_matrix(size_t count)
{
	TYPE("double *|double");
	double **matrix = malloc(count * sizeof(*matrix));

	for (size_t n = 0; n < count; n++)
		matrix[n] = malloc(count * sizeof(**matrix));
	KEEP(matrix);
}

/* Nothing says what this is but what is done with it later */
SITE void nameless(void)
{
	void *block = malloc(sizeof(struct point));

	KEEP(block);
	((struct point *)block)->y = 2;
}

int main(void)
{
	struct item *item;
	struct tree *root = NULL;
	struct table *table;

	begin_allocations();
	TYPE("struct point"), local();
	TYPE("struct tree"), local_checked();
	TYPE("complex_t"), local_array(12);
	TYPE("int"), local_numbers(33);
	TYPE("struct point"), global();
	TYPE("struct table"), global_table();
	TYPE("struct item"), item = returned(3);
	TYPE("struct point"), member(item);
	TYPE("struct item *"), member_of_global();
	TYPE("double"), element(3);
	TYPE("struct tree"), KEEP(returned_at_once());
	TYPE("struct item"), pushed(9);
	TYPE("struct tree");
	for (long key = 0; key < 4; key++)
		root = inserted(root, key * 5 % 4);
	TYPE("struct packet"), cast();
	TYPE("struct packet"), flexible(55);
	TYPE("struct shared_key"), older_flexible(21);
	TYPE("struct name_object"), made_with_text(8); /* as long as three objects, and not so */
	TYPE("struct name_object"), made_with_text(11);
	TYPE("struct list_object"), made_with_start();
	TYPE("struct table"), out(&table);
	TYPE("struct table"), wrapped();
	TYPE("char"), wrapped_member(item, "a label");
	TYPE("struct table+16"), behind_its_size();
	TYPE("struct point"), grown();
	TYPE("char"), text("some text");
	rows_of_matrix(5);
	TYPE("struct point"), nameless();
	END;
	KEEP(root);
	return 0;
}
