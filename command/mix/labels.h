/* SPDX-License-Identifier: BSD-3-Clause */
/* What blocks and instructions are called by where they are, and by who ran them. */
#ifndef MIX_LABELS_H
#define MIX_LABELS_H

#include "analysis/mix/pivot.h"
#include "reading.h"

#define MIX_LABEL 512u

struct mix_labels {
	struct mix_reading *reading;
	const struct mix_program *program;
	char text[MIX_LABEL];
};

/* A mix_labeller; 'data' is a struct mix_labels. */
const char *mix_label(void *data, enum mix_dimension dimension, uint32_t node, uint64_t offset);

/* The last part of a text's path; NULL is no file's. */
const char *mix_label_module(const struct code_text *text);

/* "function+0x1f (file)" of a place; valid until the next call */
const char *mix_label_place(struct mix_labels *labels, const struct code_text *text, uint64_t offset,
			    int with_offset);

/* The function of number n of those that were another code; likewise */
const char *mix_label_stale(struct mix_labels *labels, uint32_t n);

#endif
