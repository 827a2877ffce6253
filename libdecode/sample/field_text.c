/* SPDX-License-Identifier: BSD-3-Clause */
/* What the catalogue says of a field's origin and validity: each vendor adds its part. */
#include "catalogue.h"
#include "find_vendor.h"
#include "text.h"

size_t precis_field_source(uint32_t field, char *buffer, size_t room)
{
	struct text text = { buffer, room, 0 };

	text_add(&text, "");
	if (field >= PRECIS_FIELD_COUNT)
		return 0;
	for (const struct vendor *const *vendor = precis_vendors; *vendor; vendor++)
		(*vendor)->add_source(field, &text);
	if (precis_perf_sources[field] != PERF_SOURCE_NONE) {
		text_separate(&text);
		text_add(&text, precis_perf_source_names[precis_perf_sources[field]]);
	}
	return text.length;
}

size_t precis_field_rule(uint32_t field, char *buffer, size_t room)
{
	struct text text = { buffer, room, 0 };

	text_add(&text, "");
	if (field >= PRECIS_FIELD_COUNT)
		return 0;
	for (const struct vendor *const *vendor = precis_vendors; *vendor; vendor++)
		(*vendor)->add_rule(field, &text);
	return text.length;
}
