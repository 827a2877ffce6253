/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of --records. */
#include "record_types.h"

#include <string.h>
#include <strings.h>

#include <precis/precis.h>

#include "command/usage/complain.h"
#include "command/usage/nearest.h"

static int type_of_word(const char *word, size_t length)
{
	for (uint32_t type = 0; type < RECORD_TYPES; type++) {
		const char *name = precis_record_name(type);

		if (name && strlen(name) == length && strncasecmp(name, word, length) == 0)
			return (int)type;
	}
	return -1;
}

static const char *type_hint(const char *word, size_t length, char hint[NEAREST_ROOM])
{
	struct nearest nearest = nearest_to(word, length);

	for (uint32_t type = 0; type < RECORD_TYPES; type++)
		nearest_offer(&nearest, precis_record_name(type));
	return nearest_hint(&nearest, hint);
}

int record_types_parse(struct record_types *types, const char *command, const char *list)
{
	char hint[NEAREST_ROOM];

	memset(types, 0, sizeof(*types));
	types->all = !list;
	for (; list; list++) {
		size_t length = strcspn(list, ",");
		int type = type_of_word(list, length);

		if (type < 0)
			return complain_usage(command,
					      "--records: no type of record is named '%.*s' "
					      "(COMM, MMAP2, SAMPLE, ...; see precis-dump(1))%s",
					      (int)length, list, type_hint(list, length, hint));
		types->wanted[type] = 1;
		list += length;
		if (!*list)
			break;
	}
	return EXIT_OK;
}
