/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writing perf.data that stock perf reads: a seekable file, compressed or not,
 * or a stream in pipe mode; from attrs, features and records. For tests,
 * simulators and own collectors.
 *
 * Order of calls: open, attrs, features in any order, records, close.
 *
 * Source: tools/perf/Documentation/perf.data-file-format.txt,
 * tools/perf/util/header.c and tools/perf/util/zstd.c of Linux 7.3.
 */
#ifndef PRECIS_WRITER_H
#define PRECIS_WRITER_H

#include <precis/export.h>
#include <precis/feature_number.h>

PRECIS_BEGIN_DECLS

struct precis_writer;

/**
 * Create the file. An existing one is overwritten.
 * @return 0, PRECIS_E_IO (errno is set), PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_writer_open(const char *path, struct precis_writer **writer);

/**
 * Write in pipe mode into a descriptor: nothing is sought in it, so it may be
 * a pipe, and "perf script -i -" reads it. All features must be given before
 * the first record.
 *
 * A pipe that nobody reads any more raises SIGPIPE, as write(2) says.
 *
 * @param fd  is duplicated: it stays the caller's
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_IO (errno is set), PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_writer_open_fd(int fd, struct precis_writer **writer);

/**
 * Compress the records, as perf record -z does: those of the kernel (types
 * below 64), in one zstd stream over all of them. To be called before the first
 * record.
 *
 * @param level  of zstd, 1 (fast) to 22 (small)
 * @return 0; PRECIS_E_ARGUMENT, also after the first record or a second time;
 *         PRECIS_E_UNSUPPORTED if the library was built without zstd; PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_writer_compress(struct precis_writer *writer, int level);

/**
 * Add an event.
 *
 * @param attr   a perf_event_attr of 'bytes' bytes (64 or more, all of one file equal)
 * @param ids    its ids, as samples will carry them; 'id_count' may be 0
 * @param name   for HEADER_EVENT_DESC; NULL for none
 * @return 0, PRECIS_E_ARGUMENT (also after the first record), PRECIS_E_NO_MEMORY;
 *         in pipe mode PRECIS_E_NO_SPACE if attr and ids do not fit into a record
 */
PRECIS_API int precis_writer_event(struct precis_writer *writer, const void *attr, size_t bytes,
				   const uint64_t *ids, uint32_t id_count, const char *name);

/**
 * A feature whose payload is one string: HOSTNAME, OSRELEASE, VERSION, ARCH, CPUDESC, CPUID.
 * @return 0; PRECIS_E_ARGUMENT, also for another feature and, in pipe mode, after the first record;
 *         PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_writer_string(struct precis_writer *writer, enum precis_feature feature,
				    const char *text);

/** One entry of PMU_MAPPINGS. @return as precis_writer_string() */
PRECIS_API int precis_writer_pmu(struct precis_writer *writer, uint32_t type, const char *name);

/**
 * One entry of PMU_CAPS: a capability of a PMU ("ibs_op", "zen4_ibs_extensions", "1").
 * @return as precis_writer_string()
 */
PRECIS_API int precis_writer_pmu_cap(struct precis_writer *writer, const char *pmu,
				     const char *name, const char *value);

/** One argument of CMDLINE. @return as precis_writer_string() */
PRECIS_API int precis_writer_command(struct precis_writer *writer, const char *argument);

/**
 * Any feature by its finished payload. Replaces what the functions above gave for it.
 *
 * In pipe mode EVENT_DESC, AUXTRACE and DIR_FORMAT, which say something of a file
 * or are said otherwise, are left out.
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY; in pipe mode PRECIS_E_UNSUPPORTED
 *         for a number above PMU_CAPS: a perf that does not know it gives up
 */
PRECIS_API int precis_writer_feature(struct precis_writer *writer, uint32_t feature,
				     const void *payload, size_t bytes);

/**
 * Append one record, header included. Its header.size must equal 'bytes'
 * (a multiple of 8); but the data that follows a record AUXTRACE or
 * HEADER_TRACING_DATA, as many bytes as the record says, belongs to it and counts
 * in 'bytes'.
 *
 * @return 0; PRECIS_E_BAD_SIZE; PRECIS_E_IO; PRECIS_E_ARGUMENT for a record COMPRESSED
 *         or COMPRESSED2, which only the writer makes; PRECIS_E_COMPRESSION if zstd
 *         failed; of the first record in pipe mode PRECIS_E_NO_SPACE if a feature does
 *         not fit into a record, PRECIS_E_BAD_SIZE if a BUILD_ID feature is malformed
 */
PRECIS_API int precis_writer_record(struct precis_writer *writer, const void *record, size_t bytes);

/**
 * Write what is still to be written, in a file features and header, and close. The writer is gone,
 * whatever is returned.
 * @return 0, PRECIS_E_ARGUMENT, or an error of precis_writer_record()
 */
PRECIS_API int precis_writer_close(struct precis_writer *writer);

PRECIS_END_DECLS

#endif
