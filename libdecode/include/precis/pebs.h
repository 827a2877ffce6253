/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All of Intel PEBS: raw records, debug stores, records in Intel PT, cores and events, and the way
 * from them to the vendor-neutral sample.
 */
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
