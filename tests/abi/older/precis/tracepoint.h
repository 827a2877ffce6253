#ifndef PRECIS_TRACEPOINT_H
#define PRECIS_TRACEPOINT_H

#include <precis/export.h>
#include <precis/record.h>

PRECIS_BEGIN_DECLS

struct precis_tracepoints;

struct precis_tracepoints_error {
	uint32_t size;
	int32_t code;
	uint64_t offset;
	char expected[200];
};

enum precis_tracepoint_place {
	PRECIS_PLACE_HERE = 0,
	PRECIS_PLACE_DATA_LOC = 1,
	PRECIS_PLACE_REL_LOC = 2
};

struct precis_tracepoint_field {
	const char *name;
	const char *type;
	uint32_t offset;
	uint32_t bytes;
	uint8_t place;
	uint8_t is_common;
	uint8_t is_signed;
	uint8_t is_array;
	uint8_t is_text;
	uint8_t is_pointer;
	uint8_t is_long;
	uint8_t reserved;
	uint64_t reserved_words[4];
};

struct precis_tracepoint {
	uint32_t id;
	uint32_t field_count;
	const char *system;
	const char *name;
	const struct precis_tracepoint_field *fields;
};

PRECIS_API int precis_tracepoints_new(const void *tracing_data, size_t bytes,
				      struct precis_tracepoints **tracepoints,
				      struct precis_tracepoints_error *error);

PRECIS_API void precis_tracepoints_free(struct precis_tracepoints *tracepoints);

PRECIS_API int precis_tracepoints_available(void);

typedef const char *precis_tracepoint_function(void *data, uint64_t address, uint64_t *start);

PRECIS_API int precis_tracepoints_set_functions(struct precis_tracepoints *tracepoints,
						precis_tracepoint_function *name, void *data);

PRECIS_API const struct precis_tracepoint *
precis_tracepoints_at(const struct precis_tracepoints *tracepoints, size_t n);

PRECIS_API const struct precis_tracepoint *
precis_tracepoints_find(const struct precis_tracepoints *tracepoints, uint64_t config);

PRECIS_API const struct precis_tracepoint_field *
precis_tracepoint_field(const struct precis_tracepoint *tracepoint, const char *name);

PRECIS_API int precis_tracepoint_number(const struct precis_tracepoint_field *field,
					const void *raw, size_t bytes, uint64_t *value);

PRECIS_API int precis_tracepoint_data(const struct precis_tracepoint_field *field, const void *raw,
				      size_t bytes, struct precis_bytes *data);

PRECIS_API int precis_tracepoint_string(const struct precis_tracepoint_field *field,
					const void *raw, size_t bytes, struct precis_bytes *text);

PRECIS_API int precis_tracepoints_text(struct precis_tracepoints *tracepoints,
				       const struct precis_tracepoint *tracepoint, const void *raw,
				       size_t bytes, char *room, size_t size, const char **plain);

PRECIS_END_DECLS

#endif
