/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For programs that print what is true of their own data, by the compiler that made them:
 *
 *     address ADDRESS WIDTH TEXT      what lies there; likewise "thread", by the offset in the storage, and
 *                                     "pointer", by that from the thread's pointer
 *     size TYPE, BYTES
 *     leaf TYPE, OFFSET BYTES TEXT    each member that has no members
 *     bits TYPE, FIRST BITS TEXT      a bit field
 *     ask TYPE, OFFSET WIDTH TEXT     what an access means
 *     pointed VARIABLE, OFFSET WIDTH TEXT  likewise of what a pointer points to
 */
#ifndef TESTS_TYPES_TRUTH_H
#define TESTS_TYPES_TRUTH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr() */
#endif

#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

extern char __executable_start; /* of the linker: where the file was loaded */

/* What an address is in the file */
static inline unsigned long in_file(const volatile void *address)
{
#ifdef __PIE__
	return (unsigned long)address - (unsigned long)&__executable_start;
#else
	return (unsigned long)address;
#endif
}

#define AT_NAMED(what, ...)                                                                                  \
	do {                                                                                                 \
		printf("address %#lx %zu ", in_file(&(what)), sizeof(what));                                 \
		printf(__VA_ARGS__);                                                                         \
		putchar('\n');                                                                               \
	} while (0)
#define AT(what) AT_NAMED(what, "%s", #what)
/* The first one is the program itself */
static inline int take_storage(struct dl_phdr_info *info, size_t size, void *storage)
{
	(void)size;
	*(char **)storage = (char *)info->dlpi_tls_data;
	return 1;
}

/* Where a variable is in the thread's storage */
static inline long in_storage(const volatile void *address)
{
	char *storage = NULL;

	dl_iterate_phdr(take_storage, &storage);
	return (long)((const volatile char *)address - storage);
}
#define THREAD(what) printf("thread %ld %zu %s\n", in_storage(&(what)), sizeof(what), #what)
/* Where it is from the thread's pointer, which is at its own address */
static inline long from_pointer(const volatile void *address)
{
	const volatile char *pointer;

	__asm__("mov %%fs:0, %0" : "=r"(pointer));
	return (long)((const volatile char *)address - pointer);
}
#define POINTER(what) printf("pointer %ld %zu %s\n", from_pointer(&(what)), sizeof(what), #what)
#define SIZE(name, type) printf("size %s, %zu\n", name, sizeof(type))
#define LEAF_NAMED(name, type, member, text)                                                                 \
	printf("leaf %s, %zu %zu %s\n", name, offsetof(type, member), sizeof(((type *)0)->member), text)
#define LEAF(name, type, member) LEAF_NAMED(name, type, member, #member)
#define ASK(name, offset, width, text)                                                             \
	printf("ask %s, %zu %zu %s\n", name, (size_t)(offset), (size_t)(width), text)

/* The first bit that is set of a structure in which one field is all ones */
static inline void print_bits(const char *type, const void *value, size_t bytes, const char *member)
{
	const unsigned char *byte = (const unsigned char *)value;
	size_t first = 0, count = 0;

	for (size_t n = 0; n < bytes * 8; n++) {
		if (byte[n / 8] >> n % 8 & 1) {
			first = count ? first : n;
			count++;
		}
	}
	printf("bits %s, %zu %zu %s\n", type, first, count, member);
}
#define BITS(name, type, member)                                                                             \
	do {                                                                                                 \
		type value;                                                                                  \
		memset(&value, 0, sizeof(value));                                                            \
		value.member = -1;                                                                           \
		print_bits(name, &value, sizeof(value), #member);                                            \
	} while (0)

#endif
