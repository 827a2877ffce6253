/* SPDX-License-Identifier: BSD-3-Clause */
/* See block_site.h. */
#define _GNU_SOURCE /* asprintf(), strcasestr() */
#include "block_site.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/record.h>

#include "analysis/model/absences.h"
#include "program_types.h"

/*
 * Functions that only pass a request on: who calls them is who wants the memory. An '*' stands for any end.
 * Those that are called malloc, calloc or realloc of something need no row.
 */
static const char *const wrappers[] = {
	"memalign", "aligned_alloc", "posix_memalign", "valloc",       "strdup",        "strndup",
	"__strdup", "__strndup",     "operator new*",  "xstrdup*",     "xzalloc*",      "g_slice_alloc*",
	"PyMem_*",  "_PyMem_*",      "__rust_alloc*",  "__rdl_*",      "alloc::*",      "<alloc::*",
	"mmap",     "mmap64",        "mremap",
};

/* The C library's that do so, too, but leave the block in what their caller gave them */
static const char *const fillers[] = {
	"getline",          "__getline",      "getdelim",
	"__getdelim",       "_IO_getdelim",   "asprintf",
	"__asprintf",       "vasprintf",      "__vasprintf_internal",
	"__vasprintf_chk",  "__asprintf_chk", "___asprintf_chk",
	"___vasprintf_chk",
};

/* Rust's libraries keep what they ask for, of their own and of what they do for all types */
static const char *const keepers[] = {
	"core::*", "<core::*", "hashbrown::*", "<hashbrown::*", "<T as alloc::*", "<T as core::*",
};

static int matches(const char *pattern, const char *name)
{
	const size_t length = strlen(pattern);

	return pattern[length - 1] == '*' ? !strncmp(pattern, name, length - 1)
					  : !strcmp(pattern, name);
}

static int is_of(const char *const *patterns, size_t count, const char *name)
{
	for (size_t n = 0; n < count; n++) {
		if (matches(patterns[n], name))
			return 1;
	}
	return 0;
}

static int begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/*
 * Programs have a malloc() of their own in front of the C library's: Perl_safesysmalloc, sqlite3MallocZero,
 * g_malloc0_n, xreallocarray; not reallocate or mallocator. Names of C++ say other things, too: of arguments.
 */
static int is_called_so(const char *name)
{
	static const char *const words[] = { "malloc", "calloc", "realloc" };

	if (strpbrk(name, ":<( ") || begins(name, "_Z"))
		return 0;
	for (size_t n = 0; n < sizeof(words) / sizeof(words[0]); n++) {
		const char *behind = name;

		while ((behind = strcasestr(behind, words[n])) != NULL) {
			behind += strlen(words[n]);
			if (*behind < 'a' || *behind > 'z' || strcmp(behind, "array") == 0)
				return 1;
		}
	}
	return 0;
}

/*
 * Of C++'s library: its own name says so, not those of its arguments, before which a function's type
 * may stand
 */
static int is_of_library(const char *name)
{
	int depth = 0; /* of template arguments */

	for (const char *at = name; *at && (depth || *at != '('); at++) {
		depth += (*at == '<') - (*at == '>');
		if (!depth && (at == name || at[-1] == ' ') &&
		    (begins(at, "std::") || begins(at, "__gnu_cxx::")))
			return 1;
	}
	return 0;
}

int block_is_returned(const char *name)
{
	return is_of(wrappers, sizeof(wrappers) / sizeof(wrappers[0]), name) || is_called_so(name);
}

int block_passes_on(const char *name)
{
	return block_is_returned(name) || is_of_library(name) ||
	       is_of(fillers, sizeof(fillers) / sizeof(fillers[0]), name) ||
	       is_of(keepers, sizeof(keepers) / sizeof(keepers[0]), name);
}

/* --- what was inlined --- */

static int passes_on(const struct program_passing *passing, const char *function)
{
	char *name = passing->demangle ? passing->demangle(function) : NULL;
	const int passes = block_passes_on(name ? name : function);

	free(name);
	return passes;
}

/* Headers, of C++ those without an extension, too; and Rust, of which most libraries' code is generic */
static int is_included(const char *file)
{
	const char *name = model_file_of(file), *extension = strrchr(name, '.');

	return !extension || extension[1] == 'h' || strcmp(extension, ".tcc") == 0 ||
	       strcmp(extension, ".ipp") == 0 || strcmp(extension, ".rs") == 0;
}

int block_site_refine(struct program_types *types, const struct program_place *place,
		      char *(*demangle)(const char *symbol), struct block_caller *caller)
{
	const struct program_passing passing = { passes_on, demangle };
	struct program_call call;
	int found;

	if (!caller->file || !caller->object || !is_included(caller->file))
		return 0;
	found = program_types_call(types, place, caller->object, caller->offset, &passing, &call);
	if (found > 0) {
		caller->file = call.file;
		caller->line = call.line;
	}
	return found;
}

char *block_site_text(const char *what, const struct block_caller *caller)
{
	char *text;
	int length;

	if (caller->symbol && caller->file)
		length = asprintf(&text, "%s of %s at %s:%u", what, caller->symbol,
				  model_file_of(caller->file), caller->line);
	else if (caller->symbol)
		length = asprintf(&text, "%s of %s", what, caller->symbol);
	else if (caller->object)
		length = asprintf(&text, "%s of [%s+0x%" PRIx64 "]", what,
				  model_file_of(caller->object), caller->offset);
	else
		length = asprintf(&text, "%s, calls not known", what);
	return length < 0 ? NULL : text;
}

/* --- by symbols alone --- */

/* A return address is behind the call. 0: nothing is known there */
static int call_at(const struct block_asked *asked, uint32_t n, struct precis_location *call)
{
	*call = (struct precis_location){ .size = sizeof(*call) };
	precis_symbols_find(asked->symbols, asked->life->stack_pid, PRECIS_CPUMODE_USER,
			    asked->life->stack_time, asked->life->stack[n] - 1, call);
	return call->object != NULL;
}

/* The innermost that passes nothing on, or the innermost. 0: no call is known */
static int find_caller(const struct block_asked *asked, struct precis_location *caller, char **name)
{
	*name = NULL;
	for (uint32_t n = 0; n < asked->life->stack_count; n++) {
		if (!call_at(asked, n, caller) || !caller->symbol)
			continue;
		free(*name);
		*name = asked->demangle ? asked->demangle(caller->symbol) : NULL;
		if (!block_passes_on(*name ? *name : caller->symbol))
			return 1;
	}
	free(*name);
	*name = NULL;
	if (!asked->life->stack_count || !call_at(asked, 0, caller))
		return 0;
	if (caller->symbol && asked->demangle)
		*name = asked->demangle(caller->symbol);
	return 1;
}

static int is_returned(const struct block_asked *asked, const struct precis_location *call)
{
	char *name = call->symbol && asked->demangle ? asked->demangle(call->symbol) : NULL;
	const int is = call->symbol && block_is_returned(name ? name : call->symbol);

	free(name);
	return is;
}

int block_site_find(const struct block_asked *asked, struct block_site *site)
{
	struct precis_location caller = { .size = sizeof(caller) }, call;
	struct precis_line source = { .size = sizeof(source) };
	char *name = NULL;
	const int is_known = find_caller(asked, &caller, &name);
	struct block_caller at;

	*site = (struct block_site){ .file = NULL };
	if (is_known)
		precis_symbols_line(asked->symbols, &caller, &source);
	at = (struct block_caller){
		.symbol = name ? name : caller.symbol,
		.file = source.file,
		.line = source.number,
		.object = caller.object,
		.offset = caller.offset,
	};
	if (block_site_refine(asked->types, asked->place, asked->demangle, &at) >= 0)
		site->text = block_site_text(
			asked->life->just_freed ? "block (just freed)" : "block", &at);
	free(name);
	site->source = at.file;
	site->source_line = at.line;
	site->file = caller.object;
	for (uint32_t n = 0; n < asked->life->stack_count && site->count < BLOCK_SITE_CALLS; n++) {
		/* what is looked up is before the return address */
		const int is_same = call_at(asked, n, &call) && call.object == caller.object;

		if (!is_same && !site->count && is_returned(asked, &call))
			continue;
		site->offsets[site->count++] = is_same ? call.offset + 1 : PROGRAM_ELSEWHERE;
	}
	return site->text ? 0 : -1;
}
