/* SPDX-License-Identifier: BSD-3-Clause */
/* See reasons.h. */
#include "reasons.h"

#include <stdlib.h>
#include <string.h>

void reasons_free(struct reasons *reasons)
{
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
		free(reasons->fields[field].reasons);
	memset(reasons, 0, sizeof(*reasons));
}

static struct reason_count *find(struct field_reasons *field, const char *reason,
				 const char *detail)
{
	/* static strings: the same one is most often at the same place */
	for (size_t i = 0; i < field->count; i++) {
		if (field->reasons[i].detail == detail && field->reasons[i].reason == reason)
			return &field->reasons[i];
	}
	for (size_t i = 0; i < field->count; i++) {
		if (!strcmp(field->reasons[i].reason, reason) &&
		    !strcmp(field->reasons[i].detail, detail))
			return &field->reasons[i];
	}
	return NULL;
}

static struct reason_count *add(struct field_reasons *field, const char *reason, const char *detail)
{
	struct reason_count *more =
		realloc(field->reasons, (field->count + 1) * sizeof(*field->reasons));

	if (!more)
		return NULL;
	field->reasons = more;
	more += field->count++;
	memset(more, 0, sizeof(*more));
	more->reason = reason;
	more->detail = detail;
	return more;
}

/* NULL if memory is short */
static struct reason_count *find_or_add(struct reasons *reasons, struct field_reasons *field,
					const char *reason, const char *detail)
{
	struct reason_count *found = find(field, reason, detail);

	if (!found)
		found = add(field, reason, detail);
	if (!found)
		reasons->failed = 1;
	return found;
}

void reasons_add(struct reasons *reasons, const struct precis_sample *sample, uint32_t field,
		 uint32_t population, uint64_t samples)
{
	struct field_reasons *to = &reasons->fields[field];
	struct reason_count *found;
	enum precis_reason reason;
	const char *detail;

	if (precis_fields_have(sample->present, field)) {
		to->present[population] += samples;
		return;
	}
	reason = precis_why_in_words(sample, (enum precis_field)field, &detail);
	found = find_or_add(reasons, to, precis_reason_name(reason), detail);
	if (found)
		found->samples[population] += samples;
}

void reasons_merge(struct reasons *reasons, const struct reasons *others)
{
	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++) {
		const struct field_reasons *from = &others->fields[field];
		struct field_reasons *to = &reasons->fields[field];

		for (uint32_t n = 0; n < POPULATION_COUNT; n++)
			to->present[n] += from->present[n];
		for (size_t i = 0; i < from->count; i++) {
			const struct reason_count *other = &from->reasons[i];
			struct reason_count *found =
				find_or_add(reasons, to, other->reason, other->detail);

			for (uint32_t n = 0; found && n < POPULATION_COUNT; n++)
				found->samples[n] += other->samples[n];
		}
	}
	reasons->failed |= others->failed;
}

static uint64_t sum_of(const uint64_t counts[POPULATION_COUNT], uint32_t populations)
{
	uint64_t sum = 0;

	for (uint32_t n = 0; n < POPULATION_COUNT; n++) {
		if (populations & POPULATION(n))
			sum += counts[n];
	}
	return sum;
}

uint64_t reasons_present(const struct reasons *reasons, uint32_t field, uint32_t populations)
{
	return sum_of(reasons->fields[field].present, populations);
}

uint64_t reasons_total(const struct reasons *reasons, uint32_t field, uint32_t populations)
{
	uint64_t total = reasons_present(reasons, field, populations);

	for (size_t i = 0; i < reasons->fields[field].count; i++)
		total += sum_of(reasons->fields[field].reasons[i].samples, populations);
	return total;
}

const char *reasons_only(const struct reasons *reasons, uint32_t field, enum precis_reason reason)
{
	const struct field_reasons *of = &reasons->fields[field];

	return of->count && !strcmp(of->reasons[0].reason, precis_reason_name(reason)) &&
			       !reasons_present(reasons, field, POPULATION(POPULATION_COUNT) - 1) ?
		       of->reasons[0].detail :
		       NULL;
}

void reasons_tell(const struct reasons *reasons, uint32_t field, uint32_t populations,
		  struct document *document)
{
	const struct field_reasons *from = &reasons->fields[field];
	uint64_t total = reasons_total(reasons, field, populations);

	if (!total)
		return;
	table_coverage(document, precis_field_name(field),
		       reasons_present(reasons, field, populations), total);
	for (size_t i = 0; i < from->count; i++) {
		uint64_t samples = sum_of(from->reasons[i].samples, populations);

		if (samples)
			coverage_absence(document, from->reasons[i].reason, from->reasons[i].detail,
					 samples);
	}
}
