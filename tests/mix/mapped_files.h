/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of which code was executed, where they were mapped, and their build ids. */
#ifndef TESTS_MIX_MAPPED_FILES_H
#define TESTS_MIX_MAPPED_FILES_H

#include "truth.h"

#define MAPPED_ID_BYTES 20u

struct mapped_file {
	uint64_t start, end, offset;
	uint8_t build_id[MAPPED_ID_BYTES];
	uint8_t build_id_bytes;  /* 0: it has none */
	char path[512];
};

/**
 * @param maps   a copy of /proc/PID/maps
 * @param files  to be freed by the caller
 * @return how many, by address; negative: the maps could not be read, or have no place of some code
 */
int mapped_files(const char *maps, const struct truth *truth, struct mapped_file **files);

#endif
