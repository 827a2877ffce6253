/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tracepoints: what the RAW data of a tracepoint's samples mean.
 *
 * perf record keeps the descriptions of the recorded kernel's tracepoints in the
 * recording (HEADER_TRACING_DATA). Nothing here looks at the machine that runs:
 * its kernel may be another one.
 *
 * Source: tools/perf/util/trace-event-info.c and trace-event-read.c of Linux 6.12,
 * Documentation/trace/events.rst, "Event Formats".
 */
#ifndef PRECIS_TRACEPOINT_H
#define PRECIS_TRACEPOINT_H

#include <precis/export.h>
#include <precis/record.h>

PRECIS_BEGIN_DECLS

/** The tracepoints that a recording describes. Not to be used by two threads at once. */
struct precis_tracepoints;

/** Where and why reading the descriptions ended. */
struct precis_tracepoints_error {
	uint32_t size;       /* sizeof(struct precis_tracepoints_error), set by the caller */
	int32_t code;        /* enum precis_error; 0 = nothing failed */
	uint64_t offset;     /* in the tracing data, in bytes */
	char expected[200];  /* what was expected there */
};

/** How a field says where its data are. */
enum precis_tracepoint_place {
	PRECIS_PLACE_HERE = 0,     /* the field is the data */
	PRECIS_PLACE_DATA_LOC = 1, /* __data_loc: length and offset of the data in RAW */
	PRECIS_PLACE_REL_LOC = 2   /* __rel_loc: length and offset from the field's end */
};

/** One field. Strings belong to the tracepoints. The struct does not grow: there are arrays of it. */
struct precis_tracepoint_field {
	const char *name;
	const char *type;   /* as declared, without the name: "unsigned long", "char[16]" */
	uint32_t offset;    /* in RAW, in bytes */
	uint32_t bytes;     /* as declared; of the locator, where the data are elsewhere */
	uint8_t place;      /* enum precis_tracepoint_place */
	uint8_t is_common;  /* 1: one of those that each tracepoint has */
	uint8_t is_signed;
	uint8_t is_array;
	uint8_t is_text;    /* an array of char, u8 or s8 */
	uint8_t is_pointer;
	uint8_t is_long;    /* long, unsigned long, long long: often an address */
	uint8_t reserved;
	uint64_t reserved_words[4];
};

/** One tracepoint. Strings belong to the tracepoints. */
struct precis_tracepoint {
	uint32_t id;          /* attr.config of its events, common_type of its RAW data */
	uint32_t field_count;
	const char *system;   /* "sched" */
	const char *name;     /* "sched_switch" */
	const struct precis_tracepoint_field *fields;
};

/**
 * Read the descriptions.
 *
 * What cannot be read does not stop the rest: the tracepoints that stand before a
 * broken place are there, a description that does not parse is left out.
 *
 * @param tracing_data  the section of PRECIS_FEATURE_TRACING_DATA; not needed afterwards
 * @param bytes         of it
 * @param tracepoints   set on success; release with precis_tracepoints_free()
 * @param error         'size' must be set; filled on failure, and on success where a part of the
 *                      data is broken: 'code' is 0 if all of it was read. NULL if not wanted
 * @return 0; PRECIS_E_ARGUMENT; PRECIS_E_NO_MEMORY; PRECIS_E_ENDIAN if a machine of the
 *         other byte order wrote them; PRECIS_E_BAD_SIZE, PRECIS_E_TRUNCATED,
 *         PRECIS_E_UNSUPPORTED if the header is no such data's, or there is more than 64 MiB
 */
PRECIS_API int precis_tracepoints_new(const void *tracing_data, size_t bytes,
				      struct precis_tracepoints **tracepoints,
				      struct precis_tracepoints_error *error);

/** NULL is allowed. */
PRECIS_API void precis_tracepoints_free(struct precis_tracepoints *tracepoints);

/** Does this build of the library print with the kernel's print formats (libtraceevent)? */
PRECIS_API int precis_tracepoints_available(void);

/**
 * Which function of the recorded kernel an address lies in.
 *
 * @param data   as given to precis_tracepoints_set_functions()
 * @param start  to be set to the function's first address
 * @return its name, which is read before the next call; NULL if it is not known
 */
typedef const char *precis_tracepoint_function(void *data, uint64_t address, uint64_t *start);

/**
 * Have kernel addresses named where a print format asks for it (%pS). Without it they
 * are printed as numbers.
 *
 * @return 0, or PRECIS_E_ARGUMENT, also after the first text
 */
PRECIS_API int precis_tracepoints_set_functions(struct precis_tracepoints *tracepoints,
						precis_tracepoint_function *name, void *data);

/** Tracepoint n, in the order of ids, or NULL past the last. */
PRECIS_API const struct precis_tracepoint *
precis_tracepoints_at(const struct precis_tracepoints *tracepoints, size_t n);

/** The tracepoint of an event whose attr.type is 2 (PERF_TYPE_TRACEPOINT); NULL: not described. */
PRECIS_API const struct precis_tracepoint *
precis_tracepoints_find(const struct precis_tracepoints *tracepoints, uint64_t config);

/** The field of that name, or NULL. */
PRECIS_API const struct precis_tracepoint_field *
precis_tracepoint_field(const struct precis_tracepoint *tracepoint, const char *name);

/**
 * A field's value.
 *
 * @param raw    RAW data of a sample of the tracepoint, any alignment
 * @param bytes  of them
 * @param value  sign-extended if the field is signed
 * @return 0; PRECIS_E_ARGUMENT; PRECIS_E_TRUNCATED if RAW ends before the field does;
 *         PRECIS_E_UNSUPPORTED if the field is an array, or not of 1, 2, 4 or 8 bytes
 */
PRECIS_API int precis_tracepoint_number(const struct precis_tracepoint_field *field,
					const void *raw, size_t bytes, uint64_t *value);

/**
 * A field's data: of an array those that its locator points at.
 *
 * @param data  set to a view into 'raw'
 * @return 0; PRECIS_E_ARGUMENT; PRECIS_E_TRUNCATED if RAW ends before the field or
 *         the data that it points at; PRECIS_E_UNSUPPORTED if the locator is none
 *         of 2 or 4 bytes
 */
PRECIS_API int precis_tracepoint_data(const struct precis_tracepoint_field *field, const void *raw,
				      size_t bytes, struct precis_bytes *data);

/**
 * A field's text: its data up to the first NUL.
 *
 * @param text  set to a view into 'raw', without the NUL
 * @return as precis_tracepoint_data(); PRECIS_E_UNSUPPORTED also if the field is no text
 */
PRECIS_API int precis_tracepoint_string(const struct precis_tracepoint_field *field,
					const void *raw, size_t bytes, struct precis_bytes *text);

/**
 * A sample's data as a line: by the kernel's print format, as perf script prints
 * it; where that cannot be done safely, the fields as "name=value name=value".
 * A field that lies beyond RAW's end is "name=MALFORMED", never a number.
 *
 * Bytes of strings are as in RAW: they may be no printable text.
 *
 * Not in two threads of a program at once, whatever the tracepoints: libtraceevent parses print
 * formats in variables that it has once.
 *
 * @param tracepoint  one of 'tracepoints'
 * @param room        filled with at most size - 1 bytes and a NUL; NULL if size is 0
 * @param plain       NULL, or set to NULL if the print format was used, else to why it was
 *                    not, in a few words: it belongs to the library
 * @return the text's length, also if that is 'size' or more: then it was cut;
 *         PRECIS_E_ARGUMENT; PRECIS_E_NO_MEMORY; PRECIS_E_BAD_ID if RAW is another
 *         tracepoint's; PRECIS_E_TRUNCATED if RAW ends before its common_type does
 */
PRECIS_API int precis_tracepoints_text(struct precis_tracepoints *tracepoints,
				       const struct precis_tracepoint *tracepoint, const void *raw,
				       size_t bytes, char *room, size_t size, const char **plain);

PRECIS_END_DECLS

#endif
