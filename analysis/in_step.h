/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which events were sampled in step with the program (statistics/serial.h), and what that does to the
 * intervals of their figures.
 */
#ifndef ANALYSIS_IN_STEP_H
#define ANALYSIS_IN_STEP_H

#include "analysis.h"
#include "findings/findings.h"
#include "statistics/serial.h"

/*
 * It is not looked at where a filter chose the samples: that chooses places, too, which then repeat.
 *
 * The samples of an event, or of all of ibs_op or ibs_fetch ('place' 0), of one of the recordings
 */
struct serial_effect in_step_of_recording(const struct analysis_about *about, uint32_t recording,
					  uint32_t kind, uint32_t place);

/* Figures that come next are of these. */
void in_step_tell(struct document *document, const struct analysis_about *about, uint32_t kind,
		  uint32_t place);

/* Findings that come next are of these. */
void in_step_offer(struct findings *findings, const struct analysis_about *about, uint32_t kind,
		   uint32_t place);

/* Likewise of all samples that the analysis is of, if it tells no events apart */
void in_step_tell_all(struct document *document, const struct analysis_about *about,
		      enum analysis_of of);
void in_step_offer_all(struct findings *findings, const struct analysis_about *about,
		       enum analysis_of of);

/* Below each table of such events: what is so, and what to do about it */
void in_step_warn(struct document *document, const struct analysis_about *about,
		  int is_one_of_several);

/* About as long a period that is in step with no usual loop: precis_plan_period(3). @param unit 16 of IBS */
uint64_t in_step_other_period(uint64_t period, uint64_t unit);

#endif
