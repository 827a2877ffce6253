/* SPDX-License-Identifier: BSD-3-Clause */
/* What a full pass (full_pass.h) does with each part of a recording. */
#ifndef TESTS_HOSTILE_FULL_PASS_PARTS_H
#define TESTS_HOSTILE_FULL_PASS_PARTS_H

#include <stdint.h>

#include <precis/file.h>
#include <precis/pebs_pt.h>
#include <precis/sample_parts.h>

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
