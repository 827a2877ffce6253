#ifndef PRECIS_PEBS_H
#define PRECIS_PEBS_H

#include <precis/ds.h>
#include <precis/intel.h>
#include <precis/pebs_data_source.h>
#include <precis/pebs_groups.h>
#include <precis/pebs_pt.h>
#include <precis/pebs_pt_events.h>
#include <precis/pebs_pt_samples.h>
#include <precis/pebs_record.h>
#include <precis/pebs_sample.h>

#endif
