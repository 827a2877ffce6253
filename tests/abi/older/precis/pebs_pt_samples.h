#ifndef PRECIS_PEBS_PT_SAMPLES_H
#define PRECIS_PEBS_PT_SAMPLES_H

#include <precis/export.h>
#include <precis/file.h>
#include <precis/pebs_pt.h>

PRECIS_BEGIN_DECLS

struct precis_pebs_pt_samples;

struct precis_pebs_pt_counts {
	uint32_t size;
	int32_t error;
	uint64_t traces;
	uint64_t bytes;
	uint64_t bytes_read;
	uint64_t packets;
	uint64_t bytes_skipped;
	uint64_t overflows;
	uint64_t records;
	uint64_t repeated;
	uint64_t by_counters;
	uint64_t by_being_alone;
	uint64_t unmatched;
	uint64_t partly_matched;
	uint64_t samples;
	uint64_t records_lost;
	uint64_t problems[PRECIS_PEBS_PT_PROBLEM_CAPACITY];
	uint64_t traces_unread;
	uint64_t bad_ids;
};

struct precis_pebs_pt_origin {
	uint32_t size;
	uint32_t data_file;
	uint64_t offset;
	uint64_t aux_offset;
	uint64_t regs_intr;
	uint32_t problems;
};

PRECIS_API int precis_file_has_pebs_pt(const struct precis_file *file);

PRECIS_API int precis_pebs_pt_samples_open(struct precis_file *file,
					   struct precis_pebs_pt_samples **samples);
PRECIS_API void precis_pebs_pt_samples_close(struct precis_pebs_pt_samples *samples);

PRECIS_API int precis_pebs_pt_samples_record(struct precis_pebs_pt_samples *samples,
					     const struct precis_record *record);

PRECIS_API int precis_pebs_pt_samples_end(struct precis_pebs_pt_samples *samples);

PRECIS_API int precis_pebs_pt_samples_rewind(struct precis_pebs_pt_samples *samples);

PRECIS_API int precis_pebs_pt_samples_next(struct precis_pebs_pt_samples *samples,
					   const uint64_t *wanted, struct precis_perf_sample *perf,
					   struct precis_sample *sample,
					   struct precis_pebs_pt_origin *origin);

PRECIS_API int precis_pebs_pt_samples_counts(const struct precis_pebs_pt_samples *from,
					     struct precis_pebs_pt_counts *counts);

PRECIS_END_DECLS

#endif
