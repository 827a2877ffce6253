/* SPDX-License-Identifier: BSD-3-Clause */
/* What a recording says of itself, as keys and values. */
#ifndef EXPORT_ABOUT_H
#define EXPORT_ABOUT_H

#include "command/recording/recording.h"

#define ABOUT_MOST 16u

struct about {
	struct {
		const char *key;
		char value[256]; /* escaped, cut where there is no more room */
	} fact[ABOUT_MOST];
	uint32_t count;
};

void about_recording(struct about *about, const struct recording *recording);

/* What is known at the end: of how many samples, whether all was read, what was lost */
void about_reading(struct about *about, const struct recording *recording, uint64_t samples);

#endif
