/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The records inside COMPRESSED and COMPRESSED2 records: one zstd stream over
 * all of a file's, of which a record may begin in one and end in another.
 */
#ifndef PRECIS_PERF_INFLATER_H
#define PRECIS_PERF_INFLATER_H

#include <stddef.h>
#include <stdint.h>

struct inflater {
	const uint8_t *at, *end; /* decompressed and not yet consumed */
	uint64_t end_offset; /* of 'end', in the decompressed stream */
	const uint8_t *input; /* of the record that is being read: compressed and not yet consumed */
	size_t input_bytes;
	uint32_t magic_seen; /* bytes of the magic that the frame began with so far */
	int is_drained; /* zstd has nothing more to give before it gets input */
	const char *reason; /* why decompression failed: the stream ends there */
	int is_over; /* 1: the reason is 'limit' */
	uint64_t fed; /* compressed bytes that were given so far */
	uint64_t limit; /* bytes that may come of each of them; beyond INFLATER_FREE */
	void *stream; /* ZSTD_DStream */
	size_t window_bytes;
	uint8_t window[];
};

/*
 * So much may come of whatever is little: the limit is for what would take long. Samples of
 * themselves are 3 to 30 times as large as what zstd makes of them, and stacks of zeros some hundred.
 */
#define INFLATER_FREE (UINT64_C(1) << 30)
#define INFLATER_LIMIT 1000u /* unless the caller sets another one */

/*
 * @param memory  what zstd may use for its own window; streams that need more are refused
 * @return 0, PRECIS_E_NO_MEMORY, PRECIS_E_UNSUPPORTED where the build has no zstd
 */
int precis_inflater_new(size_t window_bytes, uint64_t memory, struct inflater **inflater);
void precis_inflater_free(struct inflater *inflater);

/* Back to the beginning of the stream. */
void precis_inflater_reset(struct inflater *inflater);

/* Go on with these bytes; the ones before are consumed. They stay where they are until consumed. */
void precis_inflater_feed(struct inflater *inflater, const uint8_t *bytes, size_t count);

/*
 * Have 'count' bytes (up to 64 KiB) between 'at' and 'end', or as many as the input gives.
 * @return 0, PRECIS_E_EXPANSION: the limit is reached; PRECIS_E_COMPRESSION: there are fewer,
 *         'input' is about where it broke
 */
int precis_inflater_need(struct inflater *inflater, size_t count);

#endif
