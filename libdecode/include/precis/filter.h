/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The filter language: a condition over the fields of a sample.
 *
 *   dcache_miss_latency > 200 && mem_level == DRAM
 *   op == load and not (tlb_level == L1 or locked)
 *   missing(addr) || phys_addr >= 0x100000000
 *
 *   expression  = term { ("||" | "or") term }
 *   term        = factor { ("&&" | "and") factor }
 *   factor      = ("!" | "not") factor | "(" expression ")" | comparison
 *   comparison  = field [ relation value ] | name ( "==" | "=" | "!=" | "~" ) text |
 *                 ("present" | "missing") "(" ( field | name ) ")"
 *   relation    = "==" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "&"
 *   value       = decimal | 0x hexadecimal, with suffix k M G (times 1024), or
 *                 ns us ms s for times | name of the field's enumeration |
 *                 true | false | "text" in quotes for an event's name
 *   text        = "text" in quotes | a word
 *
 * A field alone means: present and not 0. "&" means: present and any of those
 * bits set. A comparison with a field that has no value is false, != included:
 * a field that was not measured is not "different". Only missing() is true
 * of it. Negation turns that around: !(addr > 5) is true where addr is absent.
 *
 * Names are what a program knows of samples beside the catalogue's fields, as the name of the thread:
 * there are those that it hands in (precis_filter_compile_names()). "~" compares all of a name with a
 * pattern: "*" stands for any bytes, "?" for one, "[a-z]" for one of these, "[!a-z]" for one of the
 * others, and a backslash takes from the character behind it what it means. Where a name is a field's,
 * too, it is the name if it is compared by "~" or with a text in quotes.
 *
 * The program lies in the caller's struct: nothing is allocated, and a filter without names may run in
 * a signal handler.
 */
#ifndef PRECIS_FILTER_H
#define PRECIS_FILTER_H

#include <precis/export.h>
#include <precis/fields.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

#define PRECIS_FILTER_STEPS 128
#define PRECIS_FILTER_DEPTH 32

#define PRECIS_FILTER_NAMES 32

/**
 * Looks up a name of a sample.
 * @param name  which: its place among precis_filter_names' names
 * @return the text, valid until the next call; NULL if the sample has none
 */
typedef const char *(*precis_filter_name_fn)(const struct precis_sample *sample, uint32_t name,
					     void *data);

/** Names that a program looks up for conditions. */
struct precis_filter_names {
	uint32_t size;  /* sizeof(struct precis_filter_names), set by the caller */
	uint32_t count; /* at most PRECIS_FILTER_NAMES */
	const char *const *names; /* what conditions call them: a word each */
	/*
	 * Bit n: name n is the path of a file, of which a text without a '/' is compared with what is
	 * behind the last one alone.
	 */
	uint32_t paths;
	uint32_t reserved; /* 0 */
	precis_filter_name_fn find;
	void *data; /* handed to 'find' */
	uint64_t fields[PRECIS_FIELD_WORDS]; /* what 'find' reads of the sample */
};

/**
 * A compiled filter. Members but 'size' and 'fields' are private and may be others in the next
 * version; the struct always has 2304 bytes.
 */
struct precis_filter {
	uint32_t size; /* sizeof(struct precis_filter), set by precis_filter_compile() */
	uint32_t count;
	uint64_t fields[PRECIS_FIELD_WORDS]; /* what it reads: decode at least these */
	struct {
		uint8_t op;
		uint8_t field;
		uint16_t jump;
		uint32_t flags;
		uint64_t value;
	} step[PRECIS_FILTER_STEPS];
	uint64_t names; /* bit n: it asks for name n */
	const char *text;
	precis_filter_name_fn find;
	void *data;
	uint64_t reserved[23];
};

/** What is wrong with an expression, and where. */
struct precis_filter_error {
	uint32_t size;   /* sizeof(struct precis_filter_error), set by the caller */
	uint32_t column; /* of the offending character, counting from 1 */
	char message[120];
};

/**
 * Finds the index of an event by its name, for expressions like event == "ibs_op//".
 * @return the index, or negative if there is none
 */
typedef int (*precis_filter_event_fn)(const char *name, size_t length, void *data);

/**
 * Compile an expression.
 *
 * @param text    NUL-terminated
 * @param events  looks up event names; NULL: comparing 'event' with a name is an error
 * @param data    handed to 'events'
 * @param error   filled on failure; NULL if not wanted
 * @return 0, PRECIS_E_SYNTAX, PRECIS_E_NO_FIELD, PRECIS_E_NO_SPACE if it is too
 *         long or nested too deeply
 */
PRECIS_API int precis_filter_compile(const char *text, precis_filter_event_fn events, void *data,
				     struct precis_filter *filter,
				     struct precis_filter_error *error);

/**
 * The same with names, which are looked up as late as possible: where fields decide none is asked for.
 * 'text' and what 'data' of 'names' points to must stay as long as the filter is used.
 *
 * @param names  NULL: none, as precis_filter_compile()
 * @return as precis_filter_compile(); PRECIS_E_ARGUMENT also of more names than PRECIS_FILTER_NAMES
 */
PRECIS_API int precis_filter_compile_names(const char *text, precis_filter_event_fn events,
					   void *data, const struct precis_filter_names *names,
					   struct precis_filter *filter,
					   struct precis_filter_error *error);

/** Which names it asks for. @return bit n: name n; 0: none, or it is no filter */
PRECIS_API uint64_t precis_filter_names_used(const struct precis_filter *filter);

/** Does the sample satisfy it? @return 1 or 0 */
PRECIS_API int precis_filter_match(const struct precis_filter *filter,
				   const struct precis_sample *sample);

PRECIS_END_DECLS

#endif
