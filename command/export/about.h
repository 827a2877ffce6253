/* SPDX-License-Identifier: BSD-3-Clause */
/* What a recording says of itself, as keys and values. */
#ifndef EXPORT_ABOUT_H
#define EXPORT_ABOUT_H

#include <precis/precis.h>

#define ABOUT_MOST 16u

struct about {
	struct {
		const char *key;
		char value[256]; /* escaped, cut where there is no more room */
	} fact[ABOUT_MOST];
	uint32_t count;
};

/* 'path' is its name for a person. */
void about_recording(struct about *about, const struct precis_file *file, const char *path);

#endif
