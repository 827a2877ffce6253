/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of the joint estimate, as joint.h has them, and the variances that they are weighted by. */
#ifndef ANALYSIS_MIX_EQUATIONS_H
#define ANALYSIS_MIX_EQUATIONS_H

#include "joint_state.h"

/** How often a block was executed at most that neither samples nor stacks have, with 95 of 100 */
double joint_unseen_most(const struct joint *joint, uint32_t block);
/** How often a block was executed, by the LBR alone */
double joint_stream_level(const struct joint *joint, uint32_t block);
/** The same by EBS alone */
double joint_sample_level(const struct joint *joint, uint32_t block);
/** The part of a block's exits that an edge has */
double joint_share_of(const struct outcomes *outcomes, uint32_t edge, uint32_t block);
/** Of a share of a whole: what its groups tell of chance */
double joint_group_variance(const float *part, const float *whole, double share);
/** By edge, of its share: the variance by chance */
void joint_set_share_chances(const struct joint *joint, const struct outcomes *outcomes,
			     double *chance);
/** That of a share, with what bias may make of it */
double joint_share_variance(const struct joint *joint, const struct outcomes *outcomes,
			    uint32_t edge, double share);
/** That of the LBR's level, so */
double joint_level_variance(const struct joint *joint, uint32_t block);
/** That of a block's samples */
double joint_sample_variance(const struct joint *joint, uint32_t block);
/** What the equation of a block's samples is scaled by */
double joint_sample_size(const struct joint *joint, uint32_t block);
/** Instructions of blocks, by the last solution */
double joint_placed_instructions(const struct joint *joint);
/** All equations, weighted from the last solution, into the system. 'failed': memory is short */
void joint_put_all(struct joint *joint);

#endif
