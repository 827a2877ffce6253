/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recording as bytes: one file, or the files of a directory that perf record --threads made. It is
 * placed where the library can open it as often as wanted, changed in between.
 */
#ifndef TESTS_HOSTILE_FORM_H
#define TESTS_HOSTILE_FORM_H

#include <stddef.h>
#include <stdint.h>

#define FORM_PARTS 4u

struct form_part {
	char name[32]; /* in the directory */
	uint8_t *bytes;
	size_t count;
};

struct form {
	char name[32];
	uint32_t part_count;
	uint32_t is_directory;
	struct form_part parts[FORM_PARTS]; /* the first is the file, or the directory's "data" */
};

/* The recordings of a directory, by name. @return their number */
uint32_t form_load_all(const char *directory, struct form *forms, uint32_t room);
void form_free_all(struct form *forms, uint32_t count);

/* Where a recording is opened: files in memory, or in a directory that is removed at the end. */
struct form_place {
	char path[128];
	int fds[FORM_PARTS];
	const struct form *form;
};

void form_place_open(struct form_place *place, const struct form *form);
/* The parts as they are now; those that 'parts' gives no bytes for are empty. */
void form_place_write(struct form_place *place, const struct form_part *parts);
void form_place_close(struct form_place *place);

#endif
