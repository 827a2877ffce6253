/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks and items, and the record that they make. */
#ifndef PRECIS_PEBS_PT_RECORD_H
#define PRECIS_PEBS_PT_RECORD_H

#include "pt_items.h"

void precis_pt_note(struct precis_pebs_pt *decoder, enum precis_pebs_pt_problem problem,
		    uint64_t offset);

/* Forget the blocks that came. */
void precis_pt_record_begin(struct precis_pebs_pt *decoder);
void precis_pt_record_block(struct precis_pebs_pt *decoder, const struct precis_pt_packet *packet);
void precis_pt_record_item(struct precis_pebs_pt *decoder, const struct precis_pt_packet *packet);

/* The record of the blocks that came. 'groups' and 'about' may be NULL. */
void precis_pt_record_fill(struct precis_pebs_pt *decoder, struct precis_pebs *record,
			   struct precis_pebs_groups *groups, struct precis_pebs_pt_about *about);

#endif
