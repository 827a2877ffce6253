#ifndef PRECIS_PEBS_PT_EVENTS_H
#define PRECIS_PEBS_PT_EVENTS_H

#include <precis/export.h>
#include <precis/file.h>
#include <precis/pebs_record.h>
#include <precis/tool_records.h>

PRECIS_BEGIN_DECLS

struct precis_pebs_pt_events;

#define PRECIS_PEBS_PT_NO_TIME UINT64_MAX

enum precis_pebs_pt_by {
	PRECIS_PEBS_PT_BY_NOTHING = 0,
	PRECIS_PEBS_PT_BY_COUNTERS = 1,
	PRECIS_PEBS_PT_BY_BEING_ALONE = 2
};

struct precis_pebs_pt_match {
	uint32_t size;
	uint32_t by;
	uint32_t count;
	uint32_t reserved;
	uint64_t unmatched;
	uint64_t ambiguous;
};

PRECIS_API int precis_pebs_pt_events_open(struct precis_file *file,
					  struct precis_pebs_pt_events **events);
PRECIS_API void precis_pebs_pt_events_close(struct precis_pebs_pt_events *events);

PRECIS_API int precis_pebs_pt_events_record(struct precis_pebs_pt_events *events,
					    const struct precis_record *record);

PRECIS_API int precis_pebs_pt_events_match(const struct precis_pebs_pt_events *events,
					   const struct precis_auxtrace *trace, uint64_t time,
					   const struct precis_pebs *record,
					   struct precis_pebs_pt_match *match);

PRECIS_API int precis_pebs_pt_time(const struct precis_auxtrace_info *info, uint64_t tsc,
				   uint64_t *time);

PRECIS_END_DECLS

#endif
