#ifndef PRECIS_PRECIS_H
#define PRECIS_PRECIS_H

#include <precis/access.h>
#include <precis/amd.h>
#include <precis/code.h>
#include <precis/columns.h>
#include <precis/cpu.h>
#include <precis/data_source.h>
#include <precis/data_types.h>
#include <precis/decoder.h>
#include <precis/ds.h>
#include <precis/errata.h>
#include <precis/error.h>
#include <precis/escape.h>
#include <precis/export.h>
#include <precis/feature_number.h>
#include <precis/features.h>
#include <precis/fields.h>
#include <precis/file.h>
#include <precis/filter.h>
#include <precis/ibs.h>
#include <precis/input.h>
#include <precis/intel.h>
#include <precis/kernel_records.h>
#include <precis/loss.h>
#include <precis/object_file.h>
#include <precis/pebs.h>
#include <precis/pebs_data_source.h>
#include <precis/pebs_groups.h>
#include <precis/pebs_pt.h>
#include <precis/pebs_pt_events.h>
#include <precis/pebs_pt_samples.h>
#include <precis/pebs_record.h>
#include <precis/pebs_sample.h>
#include <precis/plan.h>
#include <precis/record.h>
#include <precis/ring.h>
#include <precis/sample.h>
#include <precis/sample_parts.h>
#include <precis/symbols.h>
#include <precis/tool_records.h>
#include <precis/tracepoint.h>
#include <precis/writer.h>

PRECIS_BEGIN_DECLS

PRECIS_API const char *precis_version(void);

PRECIS_END_DECLS

#endif
