/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ask_types [-d DIRECTORY]... FILE: what the library knows of a file's data. A question a line:
 *
 *     address ADDRESS WIDTH     the variable there, and what of it
 *     thread OFFSET WIDTH       likewise of the thread's storage
 *     pointer OFFSET WIDTH      likewise from the thread's pointer
 *     member TYPE, OFFSET WIDTH what of a type
 *     pointed VARIABLE, OFFSET WIDTH  of what a pointer of that name points to
 *     type TYPE                 its size
 *     layout TYPE               a line for each row, and an empty one
 *     variables                 a line for each one, and an empty one
 *     allocation BYTES ADDRESS…  the type of a block that these calls allocated, behind how many
 *                               bytes ("+8") where it does not begin with it, how many of the block
 *                               that tells of (", 24 bytes") if not all, and by which evidence
 *
 * Numbers are as C has them. An answer is a line; "!" and a reason is one, too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/data_types.h>
#include <precis/error.h>

struct asking {
	struct precis_data_types *types;
	struct precis_data_type_paths *paths;
};

static void print_reason(uint32_t absent)
{
	printf("!%s\n", precis_data_type_absent_text(absent));
}

static void print_paths(const struct asking *asking, const struct precis_data_type *type, const char *name,
			uint64_t offset, uint32_t width)
{
	const int count = precis_data_type_at(type, offset, width, asking->paths);
	struct precis_data_type_path path = { .size = sizeof(path) };

	if (count <= 0) {
		print_reason(precis_data_type_paths_absent(asking->paths));
		return;
	}
	for (uint32_t n = 0, last = 0; precis_data_type_path(asking->paths, n, &path) > 0; n++) {
		const int is_joined = !name[0] || !path.text[0] || path.text[0] == '[' ||
				      (path.text[0] == '(' && strcspn(path.text, "-0123456789") == 1);

		printf("%s%s%s%s", !n ? "" : path.alternative == last ? "|" : ", ", name,
		       is_joined ? "" : ".", path.text);
		last = path.alternative;
	}
	putchar('\n');
}

static void ask_address(const struct asking *asking, const char *rest, uint32_t flags)
{
	struct precis_variable variable = { .size = sizeof(variable) };
	uint64_t address;
	char *end;

	address = strtoull(rest, &end, 0);
	if (precis_data_types_variable_at(asking->types, flags, address, &variable) <= 0)
		print_reason(variable.absent);
	else if (!variable.type)
		printf("%s !%s\n", variable.name, precis_data_type_absent_text(variable.absent));
	else
		print_paths(asking, variable.type, variable.name, address - variable.address,
			    (uint32_t)strtoul(end, NULL, 0));
}

static const struct precis_data_type *find(const struct asking *asking, const char *name)
{
	const struct precis_data_type *type, *other;

	if (precis_data_types_find(asking->types, name, 0, &type) <= 0) {
		print_reason(PRECIS_DATA_TYPE_NONE_OF_NAME);
		return NULL;
	}
	if (precis_data_types_find(asking->types, name, 1, &other) > 0) {
		print_reason(PRECIS_DATA_TYPE_AMBIGUOUS);
		return NULL;
	}
	return type;
}

static void ask_member(const struct asking *asking, char *rest)
{
	char *comma = strrchr(rest, ','), *end;
	const struct precis_data_type *type;
	uint64_t offset;

	if (!comma)
		exit(2);
	*comma = '\0';
	type = find(asking, rest);
	offset = strtoull(comma + 1, &end, 0);
	if (type)
		print_paths(asking, type, "", offset, (uint32_t)strtoul(end, NULL, 0));
}

/* What the first variable of a name points to, if that is a pointer */
static int find_pointed(const struct asking *asking, const char *name, const struct precis_data_type **type)
{
	struct precis_variable variable = { .size = sizeof(variable) };

	for (uint64_t n = 0; precis_data_types_variable(asking->types, n, &variable) > 0; n++) {
		if (variable.type && strcmp(variable.name, name) == 0)
			return precis_data_type_kind(variable.type) == PRECIS_DATA_KIND_POINTER &&
			       precis_data_type_target(variable.type, type) > 0;
	}
	return 0;
}

static void ask_pointed(const struct asking *asking, char *rest)
{
	char *comma = strrchr(rest, ','), *end;
	const struct precis_data_type *type;
	uint64_t offset;

	if (!comma)
		exit(2);
	*comma = '\0';
	offset = strtoull(comma + 1, &end, 0);
	if (find_pointed(asking, rest, &type))
		print_paths(asking, type, "", offset, (uint32_t)strtoul(end, NULL, 0));
	else
		print_reason(PRECIS_DATA_TYPE_NO_VARIABLE);
}

static void ask_type(const struct asking *asking, const char *name)
{
	const struct precis_data_type *type = find(asking, name);
	uint64_t bytes;
	uint32_t absent;

	if (!type)
		return;
	if (precis_data_type_bytes(type, &bytes, &absent) > 0)
		printf("%" PRIu64 " %s\n", bytes, precis_data_type_name(type));
	else
		print_reason(absent);
}

static const char *const kinds[] = { "member", "hole", "unknown" };

static void ask_layout(const struct asking *asking, const char *name)
{
	const struct precis_data_type *type = find(asking, name);
	struct precis_data_type_row row = { .size = sizeof(row) };
	struct precis_data_type_layout *layout;

	if (!type)
		return;
	if (precis_data_type_layout_new(type, &layout) != 0)
		exit(1);
	while (precis_data_type_layout_next(layout, &row) > 0)
		printf("%u %s %" PRIu64 " %" PRIu64 " %u %u %" PRIu64 " %s;%s\n", row.depth, kinds[row.kind],
		       row.offset, row.bytes, row.bit_offset, row.bits, row.elements,
		       row.name ? row.name : "", row.type ? precis_data_type_name(row.type) : "");
	if (precis_data_type_layout_absent(layout))
		print_reason(precis_data_type_layout_absent(layout));
	putchar('\n');
	precis_data_type_layout_free(layout);
}

static void ask_variables(const struct asking *asking)
{
	struct precis_variable variable = { .size = sizeof(variable) };

	for (uint64_t n = 0; precis_data_types_variable(asking->types, n, &variable) > 0; n++)
		printf("%#" PRIx64 " %" PRIu64 " %u %s:%u %s;%s;%s\n", variable.address, variable.bytes,
		       variable.flags, variable.file ? variable.file : "", variable.line,
		       variable.scope ? variable.scope : "", variable.name,
		       variable.absent ? precis_data_type_absent_text(variable.absent)
				       : precis_data_type_name(variable.type));
	putchar('\n');
}

static const char *const evidences[] = {
	"unknown", "call", "allocator", "variable", "member", "object", "parameter", "returned",
};

static void ask_allocation(const struct asking *asking, char *rest)
{
	struct precis_allocation allocation = { .size = sizeof(allocation) };
	uint64_t bytes = strtoull(rest, &rest, 0), addresses[32];
	uint32_t count = 0;

	while (*rest && count < 32)
		addresses[count++] = strtoull(rest, &rest, 0);
	if (precis_data_type_of_allocation(asking->types, addresses, count, bytes, &allocation) <=
	    0) {
		print_reason(allocation.absent);
		return;
	}
	printf("%s", precis_data_type_name(allocation.type));
	if (allocation.start)
		printf("+%" PRIu64, allocation.start);
	if (allocation.known)
		printf(", %" PRIu64 " bytes", allocation.known);
	printf(";%s\n", evidences[allocation.evidence]);
}

static int starts(char **line, const char *word)
{
	const size_t bytes = strlen(word);

	if (strncmp(*line, word, bytes) != 0)
		return 0;
	*line += bytes;
	return 1;
}

static void ask(const struct asking *asking, char *line)
{
	line[strcspn(line, "\n")] = '\0';
	if (starts(&line, "address "))
		ask_address(asking, line, 0);
	else if (starts(&line, "thread "))
		ask_address(asking, line, PRECIS_VARIABLE_THREAD);
	else if (starts(&line, "pointer "))
		ask_address(asking, line, PRECIS_VARIABLE_POINTER);
	else if (starts(&line, "member "))
		ask_member(asking, line);
	else if (starts(&line, "pointed "))
		ask_pointed(asking, line);
	else if (starts(&line, "type "))
		ask_type(asking, line);
	else if (starts(&line, "layout "))
		ask_layout(asking, line);
	else if (starts(&line, "allocation "))
		ask_allocation(asking, line);
	else if (starts(&line, "variables"))
		ask_variables(asking);
	else
		exit(2);
}

int main(int argc, char **argv)
{
	const char *debug[8] = { NULL };
	const struct precis_symbols_options options = { .size = sizeof(options), .debug_directories = debug };
	const struct precis_bytes any = { NULL, 0 };
	struct asking asking = { NULL, NULL };
	static char line[65536];
	uint32_t absent;
	int n = 1;

	for (int at = 0; n + 2 < argc && strcmp(argv[n], "-d") == 0 && at < 7; n += 2)
		debug[at++] = argv[n + 1];
	if (n + 1 != argc)
		return 2;
	if (precis_data_types_open(&options, argv[n], any, &asking.types, &absent) <= 0) {
		print_reason(absent);
		return 0;
	}
	print_reason(precis_data_types_lack(asking.types));
	if (precis_data_type_paths_new(&asking.paths) != 0)
		return 1;
	while (fgets(line, sizeof(line), stdin))
		ask(&asking, line);
	precis_data_type_paths_free(asking.paths);
	precis_data_types_free(asking.types);
	return 0;
}
