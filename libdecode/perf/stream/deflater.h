/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records into COMPRESSED records: the other way of inflater.h. Each of them
 * ends with a zstd block, and unfolds to no more than DEFLATER_CHUNK bytes.
 */
#ifndef PRECIS_PERF_DEFLATER_H
#define PRECIS_PERF_DEFLATER_H

#include <stddef.h>
#include <stdint.h>

/* Of what cannot be compressed one fits into one record, with zstd's headers. */
#define DEFLATER_CHUNK (60u * 1024u)
#define DEFLATER_LEVEL_MAX 22

struct deflater {
	void *stream; /* ZSTD_CStream */
	uint64_t in, out; /* bytes, in all */
	int level;
	size_t taken; /* of 'chunk' */
	uint8_t chunk[DEFLATER_CHUNK];
	uint8_t record[65536];
};

/* @return 0, PRECIS_E_NO_MEMORY, PRECIS_E_UNSUPPORTED where the build has no zstd */
int precis_deflater_new(int level, struct deflater **deflater);
void precis_deflater_free(struct deflater *deflater);

/* Take in as much as fits. @return how much; less than 'count': get a record first */
size_t precis_deflater_take(struct deflater *deflater, const uint8_t *bytes, size_t count);

/* What was taken in as one record in 'record'. @return its size; 0: nothing was taken in; or
 * PRECIS_E_COMPRESSION */
int precis_deflater_flush(struct deflater *deflater);

#endif
