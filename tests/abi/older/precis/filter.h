#ifndef PRECIS_FILTER_H
#define PRECIS_FILTER_H

#include <precis/export.h>
#include <precis/fields.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

#define PRECIS_FILTER_STEPS 128
#define PRECIS_FILTER_DEPTH 32

#define PRECIS_FILTER_NAMES 32

typedef const char *(*precis_filter_name_fn)(const struct precis_sample *sample, uint32_t name,
					     void *data);

struct precis_filter_names {
	uint32_t size;
	uint32_t count;
	const char *const *names;

	uint32_t paths;
	uint32_t reserved;
	precis_filter_name_fn find;
	void *data;
};

struct precis_filter {
	uint32_t size;
	uint32_t count;
	uint64_t fields[PRECIS_FIELD_WORDS];
	struct {
		uint8_t op;
		uint8_t field;
		uint16_t jump;
		uint32_t flags;
		uint64_t value;
	} step[PRECIS_FILTER_STEPS];
	uint64_t names;
	const char *text;
	precis_filter_name_fn find;
	void *data;
	uint64_t reserved[23];
};

struct precis_filter_error {
	uint32_t size;
	uint32_t column;
	char message[120];
};

typedef int (*precis_filter_event_fn)(const char *name, size_t length, void *data);

PRECIS_API int precis_filter_compile(const char *text, precis_filter_event_fn events, void *data,
				     struct precis_filter *filter,
				     struct precis_filter_error *error);

PRECIS_API int precis_filter_compile_names(const char *text, precis_filter_event_fn events,
					   void *data, const struct precis_filter_names *names,
					   struct precis_filter *filter,
					   struct precis_filter_error *error);

PRECIS_API uint64_t precis_filter_names_used(const struct precis_filter *filter);

PRECIS_API int precis_filter_match(const struct precis_filter *filter,
				   const struct precis_sample *sample);

PRECIS_END_DECLS

#endif
