/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a field is absent: the vendors know, by what the decoder noted in the sample. */
#include <precis/sample.h>

#include "catalogue.h"
#include "find_vendor.h"

static struct why why_absent(const struct precis_sample *sample, uint32_t field)
{
	struct why why = because(PRECIS_PRESENT, "");

	if (!precis_fields_have(sample->wanted, field))
		return because(PRECIS_NOT_CAPTURED, "not asked for");
	for (const struct vendor *const *vendor = precis_vendors; *vendor && !why.reason; vendor++)
		why = (*vendor)->why(sample, field);
	if (!why.reason && precis_perf_sources[field] != PERF_SOURCE_NONE)
		return because(PRECIS_NOT_CAPTURED, "perf's sample does not have it");
	for (const struct vendor *const *vendor = precis_vendors; *vendor && !why.reason; vendor++)
		why = (*vendor)->why_of_event(sample, field);
	return why.reason ? why : because(PRECIS_NOT_CAPTURED, precis_no_vendors_event);
}

static struct why why(const struct precis_sample *sample, enum precis_field field)
{
	if (!sample || (uint32_t)field >= PRECIS_FIELD_COUNT)
		return because(PRECIS_NOT_SUPPORTED, "no such field");
	if (precis_fields_have(sample->present, (uint32_t)field))
		return because(PRECIS_PRESENT, "");
	return why_absent(sample, (uint32_t)field);
}

enum precis_reason precis_why(const struct precis_sample *sample, enum precis_field field)
{
	return why(sample, field).reason;
}

const char *precis_why_detail(const struct precis_sample *sample, enum precis_field field)
{
	return why(sample, field).detail;
}

enum precis_reason precis_why_in_words(const struct precis_sample *sample, enum precis_field field,
				       const char **detail)
{
	const struct why found = why(sample, field);

	if (detail)
		*detail = found.detail;
	return found.reason;
}

const char *precis_reason_name(uint32_t reason)
{
	static const char *const names[] = {
		[PRECIS_PRESENT] = "PRESENT",
		[PRECIS_NOT_CAPTURED] = "NOT_CAPTURED",
		[PRECIS_NOT_SUPPORTED] = "NOT_SUPPORTED",
		[PRECIS_NOT_APPLICABLE] = "NOT_APPLICABLE",
		[PRECIS_ERRATUM] = "ERRATUM",
		[PRECIS_SCRUBBED] = "SCRUBBED",
		[PRECIS_MALFORMED] = "MALFORMED",
	};

	return reason < sizeof(names) / sizeof(names[0]) ? names[reason] : NULL;
}
