/* SPDX-License-Identifier: BSD-3-Clause */
/* Build ids: which file it was that ran. */
#ifndef PRECIS_SYMBOLS_BUILD_ID_H
#define PRECIS_SYMBOLS_BUILD_ID_H

#include <precis/record.h>

#define BUILD_ID_BYTES 20u /* what records have room for */

struct build_id {
	uint32_t bytes; /* 0: not known */
	uint8_t data[BUILD_ID_BYTES];
};

/** Take in what a record has. Too long or all zeros: it is not known. */
void precis_build_id_set(struct build_id *id, const uint8_t *data, size_t bytes);

/**
 * Is that the recorded file? Records without a length fill a shorter id up with zeros.
 * @param found  what the file says
 */
int precis_build_id_matches(const struct build_id *recorded, const uint8_t *found, size_t bytes);

/** A HEADER_BUILD_ID record, as it also stands in the BUILD_ID feature. */
struct build_id_record {
	struct build_id id;
	const char *filename; /* NUL-terminated inside the record */
};

/** @return 0, PRECIS_E_TRUNCATED */
int precis_build_id_parse(const struct precis_record *record, struct build_id_record *parsed);

#endif
