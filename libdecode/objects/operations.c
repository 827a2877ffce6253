/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the operations, and what follows each. */
#include "operations.h"

#include <precis/object_file.h>

#include "format.h"

static const struct operation {
	const char *name, *fields;
} operations[] = {
#define OPERATION(number, name, text, fields) [number] = { text, fields },
#include "operations.def"
#undef OPERATION
};

#define OPERATION(number, name, text, fields)                                                      \
	_Static_assert(PRECIS_OBJECT_##name == (number), "the public number is that of the file");
#include "operations.def"
#undef OPERATION

static const struct operation *find(uint32_t operation)
{
	return operation < sizeof(operations) / sizeof(*operations) && operations[operation].name ?
		       &operations[operation] :
		       NULL;
}

const char *precis_object_operation_name(uint32_t operation)
{
	const struct operation *found = find(operation);

	return found ? found->name : NULL;
}

const char *operation_fields(uint32_t operation)
{
	const struct operation *found = find(operation);

	return found ? found->fields : NULL;
}
