/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalogue by number and by name. */
#include <string.h>

#include <precis/error.h>
#include <precis/fields.h>

#include "abi.h"
#include "catalogue.h"
#include "words.h"

int precis_field_info(uint32_t field, struct precis_field_info *info)
{
	const struct field_row *row;

	ABI_OUT(struct precis_field_info, info, precis_field_info(field, &abi));
	if (field >= PRECIS_FIELD_COUNT)
		return PRECIS_E_ARGUMENT;
	row = &precis_field_rows[field];
	info->field = field;
	info->type = row->type;
	info->unit = row->unit;
	info->name = row->name;
	info->aliases = row->aliases;
	info->meaning = row->meaning;
	return 0;
}

const char *precis_field_name(uint32_t field)
{
	return field < PRECIS_FIELD_COUNT ? precis_field_rows[field].name : NULL;
}

static int has_alias(const char *aliases, const char *name, size_t length)
{
	while (*aliases) {
		size_t word = strcspn(aliases, " ");

		if (word == length && precis_words_equal(aliases, name, length))
			return 1;
		aliases += word;
		aliases += *aliases == ' ';
	}
	return 0;
}

int precis_field_find(const char *name, size_t length)
{
	if (!name || !length)
		return PRECIS_E_NO_FIELD;
	for (int i = 0; i < PRECIS_FIELD_COUNT; i++) {
		const struct field_row *row = &precis_field_rows[i];

		if (strlen(row->name) == length && !memcmp(row->name, name, length))
			return i;
	}
	for (int i = 0; i < PRECIS_FIELD_COUNT; i++) {
		if (has_alias(precis_field_rows[i].aliases, name, length))
			return i;
	}
	return PRECIS_E_NO_FIELD;
}
