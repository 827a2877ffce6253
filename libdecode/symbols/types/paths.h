/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths as they are collected: texts and numbers in blocks that grow, found again by their offsets. */
#ifndef PRECIS_SYMBOLS_TYPES_PATHS_H
#define PRECIS_SYMBOLS_TYPES_PATHS_H

#include "arrays.h"

/* Of one access. More of them say nothing to anybody */
#define PATHS 256u
#define PATH_TEXT 1024u
#define PATH_INDEXES 64u

struct path {
	uint64_t first, end; /* in bits, from the start of the type: what is named */
	uint32_t kind, absent, indexes;
	uint32_t text, pattern, index; /* offsets in the blocks */
	uint32_t alternative;
	uint64_t elements;
	uint64_t each; /* bits of an element, or of the whole */
	uint8_t is_bit_field;
	const struct precis_data_type *type;
};

struct block {
	void *at;
	size_t count, room;
};

struct precis_data_type_paths {
	struct path path[PATHS];
	uint32_t count;
	enum precis_data_type_absent absent;
	int is_short_of_memory;
	struct block texts, indexes; /* char, int64_t */
	char *joined; /* all texts; NULL: not made yet */
};

/** Where a descent through a type is: what leads there. */
struct trail {
	char text[PATH_TEXT], pattern[PATH_TEXT];
	size_t text_length, pattern_length;
	int64_t index[PATH_INDEXES];
	uint32_t indexes;
};

/** Lengths of a trail, to come back to. */
struct mark {
	size_t text_length, pattern_length;
	uint32_t indexes;
};

struct mark precis_trail_mark(const struct trail *trail);
void precis_trail_back(struct trail *trail, struct mark mark);

/** A member's name, or a base class'. @return 0 if it is too long */
int precis_trail_name(struct trail *trail, const char *name, int is_base);

/** The element at 'place', and with 'last' the neighbours up to that of the fastest dimension. */
int precis_trail_element(struct trail *trail, const struct array *array,
			 const uint64_t place[ARRAY_DIMENSIONS], uint64_t last);

/** Keep where the trail leads. */
void precis_paths_add(struct precis_data_type_paths *paths, const struct trail *trail,
		      const struct path *path);

/**
 * Once all are in: leave what the access cannot have meant, sort, number the alternatives.
 * @param first, end  the access, in bits
 * @param width       of it in bits; 0: not known
 */
void precis_paths_settle(struct precis_data_type_paths *paths, uint64_t first, uint64_t end, uint64_t width);

#endif
