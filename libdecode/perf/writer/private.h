/* SPDX-License-Identifier: BSD-3-Clause */
/* struct precis_writer, and what writes a seekable file or a pipe. */
#ifndef PRECIS_PERF_WRITER_PRIVATE_H
#define PRECIS_PERF_WRITER_PRIVATE_H

#include <precis/error.h>
#include <precis/writer.h>

#include "blob.h"
#include "libdecode/perf/stream/deflater.h"

#define WRITER_FEATURES 256u
#define WRITER_BUFFER_BYTES (64u * 1024u)
#define WRITER_MAGIC UINT64_C(0x32454c4946524550) /* "PERFILE2", read little-endian */

struct writer_event {
	size_t first_id; /* in 'ids' */
	uint32_t id_count;
	char *name; /* NULL: none was given */
};

/* A capability of a PMU; all three strings are malloc'ed. */
struct writer_cap {
	char *pmu, *name, *value;
};

struct writer_feature {
	struct blob payload;
	int is_set;
};

struct precis_writer {
	int fd;
	int is_pipe; /* pipe mode: all that describes the records comes before them */
	int error; /* the first one: nothing is written any more */
	int has_started; /* the attrs are in the file, records may follow */
	size_t buffered;
	uint64_t position; /* in the file, of what has been buffered or written */
	uint64_t data_offset, attrs_offset;
	struct deflater *deflater; /* NULL: records are written as they are */

	struct writer_event *events;
	uint32_t event_count;
	size_t attr_bytes; /* of each event */
	struct blob attrs, ids;

	/* Entries of features that are given one by one; their counts come first in the file. */
	struct blob pmus, commands;
	uint32_t pmu_count, command_count;
	struct writer_cap *caps;
	uint32_t cap_count;

	struct writer_feature features[WRITER_FEATURES];
	uint8_t buffer[WRITER_BUFFER_BYTES];
};

/* output.c: through the buffer, and past it. @return 0, PRECIS_E_IO */
int precis_writer_put(struct precis_writer *writer, const void *bytes, size_t count);
int precis_writer_flush(struct precis_writer *writer);
int precis_writer_write(struct precis_writer *writer, const uint8_t *bytes, size_t count);

/* file.c: the seekable form */
int precis_writer_start_file(struct precis_writer *writer);
int precis_writer_finish_file(struct precis_writer *writer);

/* pipe.c: pipe mode */
int precis_writer_start_pipe(struct precis_writer *writer);
/* Can an event be said in one record? */
int precis_writer_fits_pipe(size_t attr_bytes, uint32_t id_count);

/* features.c: put together what was given piece by piece, where no finished payload was. */
int precis_writer_finish_features(struct precis_writer *writer);
void precis_writer_free_features(struct precis_writer *writer);

#endif
