/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sources: Itanium C++ ABI, 5.1 "External Names"; Rust's mangling before its RFC 2603 (rustc_demangle's
 * "legacy"), which is that of C++ with a hash behind and escapes within; rust_names.c has that of the RFC.
 */
#define _GNU_SOURCE /* stpcpy() */

#include "demangle.h"

#include <stdlib.h>
#include <string.h>

#include "rust_names.h"

/* Of libstdc++; <cxxabi.h> is for C++ alone */
char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status);

/* References to earlier parts of a name can double it each time: with so many the text has
 * some MiB at the worst, where a name of 500 bytes could fill the memory */
#define REFERENCES_MOST 40u

#define HASH_DIGITS 16u
#define PLT "@plt"
/* What LLVM puts behind a file's own function that other files call after its optimization of all of them */
#define PROMOTED ".llvm."

/* "S_", "S1A_", "T_", "T0_" */
static unsigned int references(const char *name)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	unsigned int count = 0;

	for (; *name; name++) {
		if (*name == 'S' || *name == 'T')
			count += name[1 + strspn(name + 1, digits)] == '_';
	}
	return count;
}

/* Into or out of brackets; "->" and the likes of "operator<" are none */
static int bracket(char c)
{
	return (strchr("<([{", c) != NULL) - (strchr(">)]}", c) != NULL);
}

/* Cut the parameters off: the last list in parentheses and what stands behind it */
static void cut_parameters(char *text)
{
	char *at = strrchr(text, ')');
	int depth = 0;

	/* "function(int)::variable" and "A::function(int) const::variable" are what is in the function */
	if (at && strstr(at, "::"))
		return;

	for (; at && at >= text; at--) {
		depth += (*at == ')') - (*at == '(');
		if (depth == 0)
			break;
	}
	/* "main::{lambda(int)#1}" has its list inside */
	if (at && at > text && !strchr(at, '}'))
		*at = '\0';
}

/* "const" and "&" behind parameters, or in a type: no name begins so */
static int is_qualifier(const char *text)
{
	static const char *const words[] = { "const", "volatile", "&" };

	for (size_t n = 0; n < sizeof(words) / sizeof(words[0]); n++) {
		const size_t length = strlen(words[n]);

		if (strncmp(text, words[n], length) == 0 && strchr(" :*&", text[length]))
			return 1;
	}
	return 0;
}

/* A template's instance has the type that it returns in front */
static char *behind_type(char *text)
{
	char *name = text, *at;
	int depth = 0;

	for (at = text; *at; at++) {
		if (depth == 0 && strncmp(at, "operator", 8) == 0)
			break;
		depth += bracket(*at);
		if (depth == 0 && *at == ' ' && !is_qualifier(at + 1))
			name = at + 1;
	}
	return name;
}

/* @return where Rust's "::h" and hash begin, NULL if the name does not end so */
static char *rust_hash(char *text)
{
	size_t length = strlen(text);
	char *hash = length > HASH_DIGITS + 3 ? text + length - HASH_DIGITS - 3 : NULL;

	if (!hash || strncmp(hash, "::h", 3) != 0 ||
	    strspn(hash + 3, "0123456789abcdef") != HASH_DIGITS)
		return NULL;
	return hash;
}

/* Write what an escape stands for. @return its length, 0 if it is none */
static size_t unescape(const char *from, char **to)
{
	static const struct {
		const char *escape, *text;
	} escapes[] = {
		{ "..", "::" },   { "$SP$", "@" },  { "$BP$", "*" },   { "$RF$", "&" },
		{ "$LT$", "<" },  { "$GT$", ">" },  { "$LP$", "(" },   { "$RP$", ")" },
		{ "$C$", "," },   { "$u20$", " " }, { "$u22$", "\"" }, { "$u27$", "'" },
		{ "$u2b$", "+" }, { "$u3b$", ";" }, { "$u5b$", "[" },  { "$u5d$", "]" },
		{ "$u7b$", "{" }, { "$u7d$", "}" }, { "$u7e$", "~" },
	};
	size_t i;

	for (i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++) {
		size_t length = strlen(escapes[i].escape);

		if (strncmp(from, escapes[i].escape, length) == 0) {
			*to = stpcpy(*to, escapes[i].text);
			return length;
		}
	}
	return 0;
}

/* In place: no escape is shorter than its text */
static void unescape_rust(char *text)
{
	char *from = text, *to = text;

	while (*from) {
		size_t length;

		/* A part that begins with an escape has an underscore in front */
		if (from[0] == '_' && from[1] == '$' && (from == text || from[-1] == ':'))
			from++;
		length = unescape(from, &to);
		if (length == 0)
			*to++ = *from++;
		from += length;
	}
	*to = '\0';
}

char *demangle(const char *symbol)
{
	size_t length = strlen(symbol), plt = strlen(PLT);
	int is_stub = length > plt && strcmp(symbol + length - plt, PLT) == 0;
	const char *promoted = strstr(symbol, PROMOTED);
	char *mangled, *text, *name, *hash;

	if (strncmp(symbol, "_R", 2) == 0 && !is_stub)
		return rust_name(symbol);
	if (strncmp(symbol, "_Z", 2) != 0 || references(symbol) > REFERENCES_MOST)
		return NULL;
	length = promoted ? (size_t)(promoted - symbol) : is_stub ? length - plt : length;
	mangled = strndup(symbol, length);
	text = mangled ? __cxa_demangle(mangled, NULL, NULL, NULL) : NULL;
	free(mangled);
	if (!text)
		return NULL;
	hash = rust_hash(text);
	if (hash) {
		*hash = '\0';
		unescape_rust(text);
		name = text;
	} else {
		/* "virtual thunk to NAME", "guard variable for NAME" are no types */
		cut_parameters(text);
		name = symbol[2] == 'T' || symbol[2] == 'G' ? text : behind_type(text);
	}
	length = strlen(name);
	mangled = malloc(length + sizeof(PLT));
	if (mangled) {
		memcpy(mangled, name, length + 1);
		if (is_stub)
			strcpy(mangled + length, PLT);
	}
	free(text);
	return mangled;
}
