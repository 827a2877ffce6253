/* SPDX-License-Identifier: BSD-3-Clause */
/* What a sample adds to a figure (--weight): what it stands for, one, or a field times that. */
#ifndef EXPORT_WEIGHT_H
#define EXPORT_WEIGHT_H

#include "analysis/event_places.h"
#include "analysis/weights.h"
#include "command/recording/recording.h"

enum weight_kind { WEIGHT_EVENTS, WEIGHT_SAMPLES, WEIGHT_FIELD };

/* A weight has no more bits: readers of these formats keep numbers in doubles. */
#define WEIGHT_BITS 53u

/* Zeroed memory weighs by events. */
struct weight {
	enum weight_kind kind;
	uint32_t field;
	struct weights weights;
	struct event_places places;
	uint32_t place; /* of the event whose samples are weighed */
	const char *event; /* its name */
	int is_refused; /* there were samples of another one: no sum of these is to be written */
	/* samples, by what became of them: weighed; without the field, and the first such; of unknown
	 * period; too heavy */
	uint64_t weighed, lacking, unknown, too_heavy;
	const char *lacking_reason, *lacking_detail;
};

/* --weight. EXIT_OK, or EXIT_USAGE after the error has been printed */
int weight_parse(struct weight *weight, const char *command, const char *word);

/* Fields that it is made from */
void weight_add_fields(const struct weight *weight, uint64_t fields[PRECIS_FIELD_WORDS]);

/*
 * What the sample weighs; 0: nothing that is known, which is counted. -1 in 'error' after what is
 * wrong has been printed: a sum of what cannot be summed up, or memory.
 */
uint64_t weight_of(struct weight *weight, const struct recording *recording,
		   const struct precis_event *event, const struct precis_sample *sample, int *error);

/* In lines on stderr: which samples are left out, and why. */
void weight_print(const struct weight *weight, const struct recording *recording);

void weight_free(struct weight *weight);

#endif
