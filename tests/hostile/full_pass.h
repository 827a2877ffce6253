/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Everything that the library does with a recording, on any bytes: all of its
 * description, every record in every order, every parser, every field,
 * symbols, and all over again after a rewind. A broken promise traps.
 */
#ifndef TESTS_HOSTILE_FULL_PASS_H
#define TESTS_HOSTILE_FULL_PASS_H

#include <stdint.h>

#include <precis/file.h>
#include <precis/pebs_pt.h>
#include <precis/sample_parts.h>

/* What one pass over the records gave. */
struct full_pass {
	uint64_t records;
	uint64_t sum; /* of all records' types, sizes and bytes, whatever their order */
	int32_t code; /* 0 at the end, or the error that stopped it; of opening if 'opened' is 0 */
	uint32_t opened;
	uint32_t has_offset;
	uint32_t cut_short; /* 1: it had more records than anybody wants to wait for */
	uint64_t offset;
};

/* Handed each record of the pass in the file's order. */
typedef void full_pass_record(void *data, const struct precis_record *record);

/*
 * A recording in the order of the file, of time, and where it is one file also through a pipe: always
 * the same records, and the same error. 'result' is of the file's order.
 */
void full_pass(const char *path, full_pass_record *each, void *data, struct full_pass *result);

/* full_pass_describe.c: all that is asked of the recording as a whole */
void full_pass_describe(const struct precis_file *file);
/* full_pass_losses.c: what was lost so far */
void full_pass_losses(const struct precis_file *file);
/* full_pass_sections.c: a feature section; 'cpus' as NRCPUS says */
void full_pass_section(struct precis_bytes section, uint32_t cpus);
/* full_pass_kinds.c: parsers of records of all kinds; 'layout' may be NULL */
void full_pass_kinds(const struct precis_layout *layout, const struct precis_record *record);
void full_pass_values(const struct precis_read *read, uint32_t most);
/* full_pass_traced.c: samples out of the AUX area, of the first records; the file is at its start */
void full_pass_traced(struct precis_file *file, uint64_t most);
/* full_pass_record.c: all that is asked of one record */
void full_pass_parse(struct precis_file *file, const struct precis_record *record);
/* full_pass_trace.c: the next bytes of an area trace, and its end */
void full_pass_trace(struct precis_pebs_pt *decoder, const uint8_t *bytes, size_t count);
void full_pass_trace_end(struct precis_pebs_pt *decoder);

#endif
