/* SPDX-License-Identifier: BSD-3-Clause */
/* A build without elfutils has no types, and says so where a file is opened. */
#include <precis/error.h>
#include <precis/data_types.h>

#include "libdecode/sample/abi.h"

int precis_data_types_open(const struct precis_symbols_options *options, const char *path,
		      struct precis_bytes build_id, struct precis_data_types **types, uint32_t *absent)
{
	ABI_MAY_IN(struct precis_symbols_options, options,
		   precis_data_types_open(&abi, path, build_id, types, absent));
	if (!path || !types)
		return PRECIS_E_ARGUMENT;
	*types = NULL;
	if (absent)
		*absent = PRECIS_DATA_TYPE_NOT_BUILT;
	return 0;
}

/* Without a file there is no handle: what follows is called with NULL alone */

void precis_data_types_free(struct precis_data_types *types)
{
	(void)types;
}

uint32_t precis_data_types_lack(const struct precis_data_types *types)
{
	(void)types;
	return PRECIS_DATA_TYPE_PRESENT;
}

int precis_data_types_address(const struct precis_data_types *types, uint64_t file_offset, uint64_t *address)
{
	(void)types;
	(void)file_offset;
	(void)address;
	return PRECIS_E_ARGUMENT;
}

uint64_t precis_data_types_variables(const struct precis_data_types *types)
{
	(void)types;
	return 0;
}

int precis_data_types_variable(struct precis_data_types *types, uint64_t n, struct precis_variable *variable)
{
	(void)types;
	(void)n;
	(void)variable;
	return PRECIS_E_ARGUMENT;
}

int precis_data_types_variable_at(struct precis_data_types *types, uint32_t flags, uint64_t address,
			     struct precis_variable *variable)
{
	(void)types;
	(void)flags;
	(void)address;
	(void)variable;
	return PRECIS_E_ARGUMENT;
}

int precis_data_types_function(struct precis_data_types *types, uint64_t address, uint32_t n,
			       struct precis_code_function *function)
{
	(void)types;
	(void)address;
	(void)n;
	(void)function;
	return PRECIS_E_ARGUMENT;
}

int precis_data_types_find(struct precis_data_types *types, const char *name, uint32_t n,
			   const struct precis_data_type **type)
{
	(void)types;
	(void)name;
	(void)n;
	(void)type;
	return PRECIS_E_ARGUMENT;
}

const char *precis_data_type_name(const struct precis_data_type *type)
{
	(void)type;
	return "void";
}

uint32_t precis_data_type_kind(const struct precis_data_type *type)
{
	(void)type;
	return PRECIS_DATA_KIND_VOID;
}

int precis_data_type_bytes(const struct precis_data_type *type, uint64_t *bytes, uint32_t *absent)
{
	(void)type;
	if (!bytes)
		return PRECIS_E_ARGUMENT;
	*bytes = 0;
	if (absent)
		*absent = PRECIS_DATA_TYPE_NO_SIZE;
	return 0;
}

int precis_data_type_target(const struct precis_data_type *type, const struct precis_data_type **target)
{
	(void)type;
	if (!target)
		return PRECIS_E_ARGUMENT;
	*target = NULL;
	return 0;
}

int precis_data_type_pointed(const struct precis_data_type *type, const struct precis_data_type **target)
{
	(void)type;
	if (!target)
		return PRECIS_E_ARGUMENT;
	*target = NULL;
	return 0;
}

int precis_data_type_layout_new(const struct precis_data_type *type, struct precis_data_type_layout **layout)
{
	(void)type;
	(void)layout;
	return PRECIS_E_ARGUMENT;
}

void precis_data_type_layout_free(struct precis_data_type_layout *layout)
{
	(void)layout;
}

int precis_data_type_layout_next(struct precis_data_type_layout *layout, struct precis_data_type_row *row)
{
	(void)layout;
	(void)row;
	return PRECIS_E_ARGUMENT;
}

uint32_t precis_data_type_layout_absent(const struct precis_data_type_layout *layout)
{
	(void)layout;
	return PRECIS_DATA_TYPE_PRESENT;
}

int precis_data_type_at(const struct precis_data_type *type, uint64_t offset, uint32_t width,
		   struct precis_data_type_paths *paths)
{
	(void)type;
	(void)offset;
	(void)width;
	(void)paths;
	return PRECIS_E_ARGUMENT;
}

int precis_data_type_paths_new(struct precis_data_type_paths **paths)
{
	if (!paths)
		return PRECIS_E_ARGUMENT;
	*paths = NULL;
	return PRECIS_E_UNSUPPORTED;
}

void precis_data_type_paths_free(struct precis_data_type_paths *paths)
{
	(void)paths;
}

int precis_data_type_path(const struct precis_data_type_paths *paths, uint32_t n,
			  struct precis_data_type_path *path)
{
	(void)paths;
	(void)n;
	(void)path;
	return PRECIS_E_ARGUMENT;
}

const char *precis_data_type_paths_text(const struct precis_data_type_paths *paths)
{
	(void)paths;
	return "";
}

uint32_t precis_data_type_paths_absent(const struct precis_data_type_paths *paths)
{
	(void)paths;
	return PRECIS_DATA_TYPE_NOT_BUILT;
}

int precis_data_type_of_allocation(struct precis_data_types *types, const uint64_t *return_addresses,
				   uint32_t frames, uint64_t bytes, struct precis_allocation *allocation)
{
	(void)types;
	(void)return_addresses;
	(void)frames;
	(void)bytes;
	(void)allocation;
	return PRECIS_E_ARGUMENT;
}

int precis_data_locals_new(struct precis_data_types *types, uint64_t address,
			   struct precis_data_locals **locals)
{
	(void)types;
	(void)address;
	(void)locals;
	return PRECIS_E_ARGUMENT;
}

void precis_data_locals_free(struct precis_data_locals *locals)
{
	(void)locals;
}

int precis_data_locals_get(const struct precis_data_locals *locals, uint32_t n, struct precis_local *local)
{
	(void)locals;
	(void)n;
	(void)local;
	return PRECIS_E_ARGUMENT;
}

int precis_data_locals_range(const struct precis_data_locals *locals, uint32_t n, uint64_t *low,
			     uint64_t *high)
{
	(void)locals;
	(void)n;
	(void)low;
	(void)high;
	return PRECIS_E_ARGUMENT;
}

int precis_data_locals_returned(struct precis_data_locals *locals, uint64_t return_address, uint64_t target,
				const struct precis_data_type **type)
{
	(void)locals;
	(void)return_address;
	(void)target;
	(void)type;
	return PRECIS_E_ARGUMENT;
}
