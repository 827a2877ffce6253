#ifndef PRECIS_DATA_TYPES_H
#define PRECIS_DATA_TYPES_H

#include <precis/export.h>
#include <precis/symbols.h>

PRECIS_BEGIN_DECLS

struct precis_data_types;

struct precis_data_type;

enum precis_data_type_absent {
	PRECIS_DATA_TYPE_PRESENT = 0,
	PRECIS_DATA_TYPE_NOT_BUILT = 1,
	PRECIS_DATA_TYPE_NO_FILE = 2,
	PRECIS_DATA_TYPE_OTHER_BUILD_ID = 3,
	PRECIS_DATA_TYPE_NO_DEBUG_INFO = 4,
	PRECIS_DATA_TYPE_NO_VARIABLE = 5,
	PRECIS_DATA_TYPE_NONE_OF_NAME = 6,
	PRECIS_DATA_TYPE_NOT_DESCRIBED = 7,
	PRECIS_DATA_TYPE_INCOMPLETE = 8,
	PRECIS_DATA_TYPE_AMBIGUOUS = 9,
	PRECIS_DATA_TYPE_RUN_TIME = 10,
	PRECIS_DATA_TYPE_VIRTUAL_BASE = 11,
	PRECIS_DATA_TYPE_BEYOND = 12,
	PRECIS_DATA_TYPE_NO_SIZE = 13,
	PRECIS_DATA_TYPE_LOOP = 14,
	PRECIS_DATA_TYPE_TOO_MANY = 15,
	PRECIS_DATA_TYPE_MALFORMED = 16,
	PRECIS_DATA_TYPE_NO_SPLIT_FILE = 17,
	PRECIS_DATA_TYPE_PACKAGE = 18,
	PRECIS_DATA_TYPE_NO_SUPPLEMENT = 19,
	PRECIS_DATA_TYPE_DESCRIPTOR = 20
};

PRECIS_API const char *precis_data_type_absent_text(uint32_t absent);

PRECIS_API int precis_data_types_open(const struct precis_symbols_options *options, const char *path,
				 struct precis_bytes build_id, struct precis_data_types **types,
				 uint32_t *absent);

PRECIS_API void precis_data_types_free(struct precis_data_types *types);

PRECIS_API uint32_t precis_data_types_lack(const struct precis_data_types *types);

PRECIS_API int precis_data_types_address(const struct precis_data_types *types, uint64_t file_offset,
				    uint64_t *address);

enum precis_variable_flags {
	PRECIS_VARIABLE_THREAD = 1u << 0,
	PRECIS_VARIABLE_EXTERNAL = 1u << 1,
	PRECIS_VARIABLE_COMMON = 1u << 2
};

struct precis_variable {
	uint32_t size;
	uint32_t flags;
	const char *name;
	const char *scope;
	const char *file;
	uint32_t line;
	uint32_t absent;
	uint64_t address;
	uint64_t bytes;
};

PRECIS_API uint64_t precis_data_types_variables(const struct precis_data_types *types);

PRECIS_API int precis_data_types_variable(struct precis_data_types *types, uint64_t n,
				     struct precis_variable *variable);

PRECIS_API int precis_data_types_variable_at(struct precis_data_types *types, uint32_t flags,
					     uint64_t address, struct precis_variable *variable);

struct precis_code_function {
	uint32_t size;
	uint32_t declared;
	const char *name;
	uint32_t call_line;
};

PRECIS_API int precis_data_types_function(struct precis_data_types *types, uint64_t address, uint32_t n,
					  struct precis_code_function *function);

enum precis_data_type_kind {
	PRECIS_DATA_KIND_VOID = 0,
	PRECIS_DATA_KIND_BASE = 1,
	PRECIS_DATA_KIND_ENUMERATION = 2,
	PRECIS_DATA_KIND_POINTER = 3,
	PRECIS_DATA_KIND_MEMBER_POINTER = 4,
	PRECIS_DATA_KIND_STRUCTURE = 5,
	PRECIS_DATA_KIND_UNION = 6,
	PRECIS_DATA_KIND_ARRAY = 7,
	PRECIS_DATA_KIND_FUNCTION = 8,
	PRECIS_DATA_KIND_STRING = 9,
	PRECIS_DATA_KIND_OTHER = 10
};

PRECIS_API int precis_data_types_find(struct precis_data_types *types, const char *name, uint32_t n,
				 const struct precis_data_type **type);

PRECIS_API const char *precis_data_type_name(const struct precis_data_type *type);

PRECIS_API uint32_t precis_data_type_kind(const struct precis_data_type *type);

PRECIS_API int precis_data_type_bytes(const struct precis_data_type *type, uint64_t *bytes, uint32_t *absent);

PRECIS_API int precis_data_type_target(const struct precis_data_type *type,
				       const struct precis_data_type **target);

PRECIS_API int precis_data_type_pointed(const struct precis_data_type *type,
					const struct precis_data_type **target);

struct precis_data_type_paths;

enum precis_path_kind {
	PRECIS_PATH_MEMBER = 0,
	PRECIS_PATH_HOLE = 1,
	PRECIS_PATH_UNKNOWN = 2
};

struct precis_data_type_path {
	uint32_t size;
	uint32_t kind;
	const char *text;
	const char *pattern;
	uint64_t offset;
	uint64_t bytes;
	uint32_t bit_offset;
	uint32_t bits;
	const int64_t *index;
	uint32_t indexes;
	uint32_t absent;
	uint64_t elements;
	const struct precis_data_type *type;
	uint32_t alternative;
};

PRECIS_API int precis_data_type_paths_new(struct precis_data_type_paths **paths);

PRECIS_API void precis_data_type_paths_free(struct precis_data_type_paths *paths);

PRECIS_API int precis_data_type_at(const struct precis_data_type *type, uint64_t offset, uint32_t width,
			      struct precis_data_type_paths *paths);

PRECIS_API int precis_data_type_path(const struct precis_data_type_paths *paths, uint32_t n,
				struct precis_data_type_path *path);

PRECIS_API const char *precis_data_type_paths_text(const struct precis_data_type_paths *paths);

PRECIS_API uint32_t precis_data_type_paths_absent(const struct precis_data_type_paths *paths);

struct precis_data_type_layout;

struct precis_data_type_row {
	uint32_t size;
	uint32_t kind;
	const char *name;
	const struct precis_data_type *type;
	uint64_t offset;
	uint64_t bytes;
	uint32_t bit_offset;
	uint32_t bits;
	uint32_t depth;
	uint32_t is_base;
	uint64_t elements;
	uint32_t absent;
};

PRECIS_API int precis_data_type_layout_new(const struct precis_data_type *type,
				      struct precis_data_type_layout **layout);

PRECIS_API void precis_data_type_layout_free(struct precis_data_type_layout *layout);

PRECIS_API int precis_data_type_layout_next(struct precis_data_type_layout *layout,
				       struct precis_data_type_row *row);

PRECIS_API uint32_t precis_data_type_layout_absent(const struct precis_data_type_layout *layout);

enum precis_allocation_evidence {
	PRECIS_ALLOCATION_UNKNOWN = 0,
	PRECIS_ALLOCATION_CALL = 1,
	PRECIS_ALLOCATION_ALLOCATOR = 2,
	PRECIS_ALLOCATION_VARIABLE = 3,
	PRECIS_ALLOCATION_MEMBER = 4,
	PRECIS_ALLOCATION_OBJECT = 5,
	PRECIS_ALLOCATION_PARAMETER = 6,
	PRECIS_ALLOCATION_RETURNED = 7
};

struct precis_allocation {
	uint32_t size;
	uint32_t evidence;
	uint32_t frame;
	uint32_t absent;
};

PRECIS_API int precis_data_type_of_allocation(struct precis_data_types *types,
					      const uint64_t *return_addresses, uint32_t frames,
					      uint64_t bytes, struct precis_allocation *allocation);

struct precis_data_locals;

enum precis_local_place {
	PRECIS_LOCAL_REGISTER = 0,
	PRECIS_LOCAL_VALUE = 1,
	PRECIS_LOCAL_MEMORY = 2,
	PRECIS_LOCAL_FRAME = 3,
	PRECIS_LOCAL_ENTRY = 4
};

struct precis_local {
	uint32_t size;
	uint32_t place;
	uint32_t number;
	uint32_t depth;
	const char *name;
	const struct precis_data_type *type;
	uint64_t low, high;
	int64_t offset;
};

PRECIS_API int precis_data_locals_new(struct precis_data_types *types, uint64_t address,
				      struct precis_data_locals **locals);

PRECIS_API void precis_data_locals_free(struct precis_data_locals *locals);

PRECIS_API int precis_data_locals_get(const struct precis_data_locals *locals, uint32_t n,
				      struct precis_local *local);

PRECIS_API int precis_data_locals_range(const struct precis_data_locals *locals, uint32_t n, uint64_t *low,
					uint64_t *high);

PRECIS_API int precis_data_locals_returned(struct precis_data_locals *locals, uint64_t return_address,
					   uint64_t target, const struct precis_data_type **type);

PRECIS_END_DECLS

#endif
