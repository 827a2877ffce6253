/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of the AUX area one by one, apart from what of them is decoded. */
#ifndef PRECIS_PERF_PEBS_PT_SAMPLES_PRIVATE_H
#define PRECIS_PERF_PEBS_PT_SAMPLES_PRIVATE_H

#include <precis/pebs_pt_samples.h>

/* Go on to the next sample behind the last record, and count it. @return 1, or 0: no more */
int precis_pebs_pt_samples_advance(struct precis_pebs_pt_samples *samples);

/* What is there of it before it is decoded; views live until the next one. */
struct traced_current {
	const struct precis_event *event; /* NULL: not known */
	const struct precis_pebs *record;
	const struct precis_pebs_groups *groups;
	uint64_t offset; /* as of struct precis_pebs_pt_origin */
};
void precis_pebs_pt_samples_current(const struct precis_pebs_pt_samples *samples,
				    struct traced_current *current);

/* Arguments as of precis_pebs_pt_samples_next(), which has checked them. May be repeated.
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY */
int precis_pebs_pt_samples_decode(struct precis_pebs_pt_samples *samples, const uint64_t *wanted,
				  struct precis_perf_sample *perf, struct precis_sample *sample);

/* All but 'size'; 'regs_intr' is that of the groups that were filled last. */
void precis_pebs_pt_samples_origin(const struct precis_pebs_pt_samples *samples,
				   struct precis_pebs_pt_origin *origin);

#endif
