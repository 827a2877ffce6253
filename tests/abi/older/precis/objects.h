#ifndef PRECIS_OBJECTS_H
#define PRECIS_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct precis_objects_item {
	const void *start;
	size_t size;
	const char *name;
	const char *type;
	const char *tag;
};

typedef int (*precis_objects_next_fn)(void *context, struct precis_objects_item *item);

#if defined(__GNUC__) && defined(__linux__) && defined(__x86_64__)
#define PRECIS_OBJECTS_ADDRESS(function, type)                                                     \
	__extension__({                                                                            \
		type precis_objects_found;                                                         \
		__asm__(".weak " function "\n\tmovq " function "@GOTPCREL(%%rip), %0"              \
			: "=r"(precis_objects_found));                                             \
		precis_objects_found;                                                              \
	})
#else
#define PRECIS_OBJECTS_ADDRESS(function, type) ((type)0)
#endif

#define PRECIS_OBJECTS_CALL(function, type, arguments)                                             \
	do {                                                                                       \
		type precis_objects_call = PRECIS_OBJECTS_ADDRESS(function, type);                 \
		if (precis_objects_call)                                                           \
			precis_objects_call arguments;                                             \
	} while (0)

static inline int precis_objects_recorded(void)
{
	typedef void (*function_type)(const char *);

	return PRECIS_OBJECTS_ADDRESS("precis_objects_1_phase", function_type) != 0;
}

static inline void precis_objects_name(const void *start, size_t size, const char *name, const char *type)
{
	typedef void (*function_type)(const void *, size_t, const char *, const char *);

	PRECIS_OBJECTS_CALL("precis_objects_1_name", function_type, (start, size, name, type));
}

static inline void precis_objects_name_array(const void *start, size_t count, size_t stride, const char *name,
					     const char *type)
{
	typedef void (*function_type)(const void *, size_t, size_t, const char *, const char *);

	PRECIS_OBJECTS_CALL("precis_objects_1_name_array", function_type, (start, count, stride, name, type));
}

static inline void precis_objects_tag(const void *pointer, const char *tag)
{
	typedef void (*function_type)(const void *, const char *);

	PRECIS_OBJECTS_CALL("precis_objects_1_tag", function_type, (pointer, tag));
}

static inline void precis_objects_forget(const void *start)
{
	typedef void (*function_type)(const void *);

	PRECIS_OBJECTS_CALL("precis_objects_1_forget", function_type, (start));
}

static inline void precis_objects_phase(const char *name)
{
	typedef void (*function_type)(const char *);

	PRECIS_OBJECTS_CALL("precis_objects_1_phase", function_type, (name));
}

static inline void precis_objects_name_each(precis_objects_next_fn next, void *context)
{
	struct precis_objects_item item;

	if (!precis_objects_recorded())
		return;
	for (;;) {
		item.start = NULL;
		item.size = 0;
		item.name = item.type = item.tag = NULL;
		if (!next(context, &item))
			return;
		precis_objects_name(item.start, item.size, item.name, item.type);
		if (item.tag)
			precis_objects_tag(item.start, item.tag);
	}
}

#ifdef __cplusplus
}
#endif

#endif
