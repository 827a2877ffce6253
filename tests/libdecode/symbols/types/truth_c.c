/* SPDX-License-Identifier: BSD-3-Clause */
/* Data of C: what lies where by the compiler's own account (truth.h). */
#define _GNU_SOURCE

#include <stdlib.h>

#include "truth.h"
#include "truth_other.h"

struct flags {
	char first;
	int low : 3;
	unsigned middle : 7;
	int : 5;
	long long wide : 33;
	unsigned char tail : 2;
};

struct inner {
	char letter;
	double number;
	short pair[2];
};

union value {
	int whole;
	double real;
	char text[8];
	struct {
		short low, high;
	};
};

union broad {
	long double real;
	float part[8];
};

struct packed {
	char a;
	int b;
	short c;
} __attribute__((packed));

typedef struct inner inner_t;
typedef volatile inner_t row_t[3];

struct node {
	struct node *next;
	inner_t child[3];
	union value value;
	const char *const names[2];
	int (*call)(int, char);
	struct {
		int x;
		struct {
			int y, z;
		};
	};
	_Atomic int counter;
	enum colour { RED, GREEN } colour;
	struct packed packed;
	_Bool flag;
	long double big;
	char cube[2][3][5];
	void *data[];
};

struct empty_end {
	int count;
	int items[0];
};

struct outermost {
	struct middle {
		struct innermost {
			int deep[2];
		} innermost[2];
	} middle;
	char last;
};

static struct node first_node;
struct node nodes[3];
inner_t grid[4][5];
row_t rows[2];
int *pointers[7];
static struct outermost outermost = { { { { { 1, 2 } } } }, 3 };
struct flags some_flags[2];
_Thread_local int thread_number = 5;
static _Thread_local inner_t thread_inner[2];
struct opaque *opaque_pointer;
struct hidden_there *to_hidden;
extern struct other_unit elsewhere;
static const double constant[3] = { 1, 2, 3 };
__attribute__((vector_size(16))) float vector;
int unsized[] = { 1, 2, 3, 4 };
static struct empty_end ending;
union broad *broad;
struct {
	int in_unnamed;
	char tail[3];
} unnamed;

static long next_count(void)
{
	static long counter;

	AT(counter);
	return ++counter;
}

static void __attribute__((noinline)) touch(volatile void *what)
{
	__asm__ volatile("" : : "r"(what) : "memory");
}

static void print_variables(void)
{
	for (int i = 0; i < 3; i++) {
		AT_NAMED(nodes[i].next, "nodes[%d].next", i);
		AT_NAMED(nodes[i].packed.b, "nodes[%d].packed.b", i);
		AT_NAMED(nodes[i].x, "nodes[%d].x", i);
		AT_NAMED(nodes[i].z, "nodes[%d].z", i);
		AT_NAMED(nodes[i].counter, "nodes[%d].counter", i);
		for (int j = 0; j < 3; j++)
			AT_NAMED(nodes[i].child[j].pair[1], "nodes[%d].child[%d].pair[1]", i, j);
		for (int j = 0; j < 30; j++)
			AT_NAMED(nodes[i].cube[j / 15][j / 5 % 3][j % 5],
				 "nodes[%d].cube[%d][%d][%d]", i, j / 15, j / 5 % 3, j % 5);
	}
	for (int i = 0; i < 20; i++)
		AT_NAMED(grid[i / 5][i % 5].number, "grid[%d][%d].number", i / 5, i % 5);
	for (int i = 0; i < 6; i++)
		AT_NAMED(rows[i / 3][i % 3].letter, "rows[%d][%d].letter", i / 3, i % 3);
	for (int i = 0; i < 7; i++)
		AT_NAMED(pointers[i], "pointers[%d]", i);
	for (int i = 0; i < 3; i++)
		AT_NAMED(constant[i], "constant[%d]", i);
	for (int i = 0; i < 4; i++)
		AT_NAMED(unsized[i], "unsized[%d]", i);
	AT(first_node.names[1]);
	AT(first_node.call);
	AT(first_node.value.real);
	AT_NAMED(first_node.value.whole, "first_node.value.whole");
	AT(outermost.middle.innermost[1].deep[1]);
	AT(outermost.last);
	AT(opaque_pointer);
	AT(to_hidden);
	AT(elsewhere.number);
	AT(unnamed.in_unnamed);
	AT(unnamed.tail[2]);
	AT(ending.count);
	AT(some_flags[1].first);
#ifndef __clang__ /* which leaves out what is declared alone, and copies nothing with -fpie */
	AT(stdout);
#endif
	printf("address %#lx 16 vector[0..3]\n", in_file(&vector));
	printf("address %#lx 8 vector[2..3]\n", in_file((char *)&vector + 8));
}

static void print_types(void)
{
	SIZE("struct node", struct node);
	SIZE("node", struct node);
	SIZE("struct inner", struct inner);
	SIZE("inner_t", inner_t);
	SIZE("union value", union value);
	SIZE("struct flags", struct flags);
	SIZE("struct packed", struct packed);
	SIZE("struct outermost", struct outermost);
	SIZE("struct innermost", struct innermost);
	SIZE("enum colour", enum colour);
#ifdef __clang__ /* GCC leaves out the name of an array of volatile elements */
	SIZE("row_t", row_t);
#endif
	SIZE("struct other_unit", struct other_unit);
	LEAF("struct inner", struct inner, letter);
	LEAF("struct inner", struct inner, number);
	LEAF("struct inner", struct inner, pair[0]);
	LEAF("struct inner", struct inner, pair[1]);
	LEAF("struct packed", struct packed, a);
	LEAF("struct packed", struct packed, b);
	LEAF("struct packed", struct packed, c);
	LEAF("struct outermost", struct outermost, middle.innermost[0].deep[0]);
	LEAF("struct outermost", struct outermost, middle.innermost[0].deep[1]);
	LEAF("struct outermost", struct outermost, middle.innermost[1].deep[0]);
	LEAF("struct outermost", struct outermost, middle.innermost[1].deep[1]);
	LEAF("struct outermost", struct outermost, last);
	LEAF("struct other_unit", struct other_unit, letter);
	LEAF("struct other_unit", struct other_unit, number);
	LEAF("struct flags", struct flags, first);
	BITS("struct flags", struct flags, low);
	BITS("struct flags", struct flags, middle);
	BITS("struct flags", struct flags, wide);
	BITS("struct flags", struct flags, tail);
}

static void print_accesses(void)
{
	ASK("union value", 0, 8, "real");
	ASK("union value", 0, 4, "whole");
	ASK("union value", 0, 2, "low");
	ASK("union value", 2, 2, "high");
	ASK("union value", 0, 1, "text[0]");
	ASK("union value", 5, 1, "text[5]");
	ASK("union value", 4, 0, "real|text[4]");
	ASK("union value", 0, 0, "whole|real|text[0]|low");
	ASK("union broad", 0, 16, "real|part[0..3]");
	ASK("union broad", 0, 32, "part[0..7]");
	ASK("union broad", 0, 4, "part[0]");
	ASK("struct node", sizeof(struct node) + 8, 8, "data[1]");
	ASK("struct node", sizeof(struct node) + 8000, 8, "data[1000]");
	ASK("struct empty_end", 4 + 12, 4, "items[3]");
	ASK("struct node", offsetof(struct node, child[2].letter) + 1, 1, "child[2].(hole)");
	ASK("struct node", offsetof(struct node, x), 8, "x, y");
	ASK("struct node", offsetof(struct node, x), 12, "x, y, z");
	ASK("struct node", offsetof(struct node, cube[0][2][4]), 4, "cube[0][2][4], cube[1][0][0..2]");
	ASK("struct inner", sizeof(struct inner), 1, "!offset is not in the type");
	ASK("struct opaque", 0, 1, "!no type of that name");
	puts("pointed to_hidden, 8 8 second");
	puts("pointed to_hidden, 16 8 !offset is not in the type");
	puts("pointed opaque_pointer, 0 8 !declared, and defined nowhere in the file");
	ASK("size_t", 0, 8, "");
	ASK("int", 2, 1, "");
}

int main(void)
{
	extern char **environ;

	touch(&first_node);
	touch(&thread_number);
	touch(&thread_inner);
	touch(&outermost);
	touch(&ending);
	next_count();
	print_variables();
	print_types();
	print_accesses();
	THREAD(thread_number);
	THREAD(thread_inner[1].number);
	THREAD(thread_inner[0].letter);
	POINTER(thread_number);
	POINTER(thread_inner[1].number);
	POINTER(thread_inner[0].letter);
	return environ == NULL;
}
