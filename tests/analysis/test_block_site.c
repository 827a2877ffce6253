/* SPDX-License-Identifier: BSD-3-Clause */
/* Which functions only pass a request for memory on, by their names. */
#include <stdio.h>

#include "analysis/objects/block_site.h"
#include "tests/support/tap.h"

static void check(const char *const *names, int expected)
{
	for (; *names; names++) {
		if (block_passes_on(*names) != expected) {
			printf("# %s\n", *names);
			CU_FAIL("taken for the other kind");
		}
	}
}

static void test_of_libraries(void)
{
	static const char *const names[] = {
		"malloc",
		"calloc",
		"realloc",
		"reallocarray",
		"memalign",
		"posix_memalign",
		"strdup",
		"getline",
		"__getdelim",
		"asprintf",
		"mmap",
		"operator new(unsigned long)",
		"operator new[](unsigned long, std::align_val_t)",
		"std::vector<int, std::allocator<int> >::reserve(unsigned long)",
		"void std::vector<int>::_M_realloc_insert<int const&>(int const&)",
		"__gnu_cxx::new_allocator<node>::allocate(unsigned long, void const*)",
		"__rust_alloc",
		"__rust_realloc",
		"alloc::raw_vec::finish_grow",
		"<alloc::vec::Vec<T> as core::clone::Clone>::clone",
		"<T as alloc::vec::spec_from_elem::SpecFromElem>::from_elem",
		"hashbrown::raw::RawTable<T,A>::reserve_rehash",
		"core::iter::traits::iterator::Iterator::collect",
		"_PyMem_RawMalloc",
		"PyObject_Malloc",
		"PyMem_Realloc",
		NULL,
	};

	check(names, 1);
}

static void test_of_programs(void)
{
	static const char *const names[] = {
		"Perl_safesysmalloc",
		"Perl_safesyscalloc",
		"Perl_safesysrealloc",
		"sqlite3Malloc",
		"sqlite3MemMalloc",
		"sqlite3DbMallocRawNN",
		"sqlite3_malloc64",
		"xmalloc",
		"x2nrealloc",
		"xreallocarray",
		"g_malloc0_n",
		"g_try_realloc",
		"ZSTD_customMalloc",
		"ruby_xmalloc2",
		"safe_malloc.constprop.0",
		"CRYPTO_zalloc_or_malloc",
		NULL,
	};

	check(names, 1);
}

static void test_who_asks(void)
{
	static const char *const names[] = {
		"main",
		"Perl_sv_grow",
		"Perl_Slab_Alloc",
		"reallocate",
		"preallocate_rows",
		"pmalloced",
		"rows::malloc_them(int)",
		"grid<my_malloc>::grid()",
		"_ZN4rows6mallocEm",
		"keep_stdlib(std::string const&)",
		"",
		NULL,
	};

	check(names, 0);
}

/* Functions of C++'s library ask for memory that they keep: what they return is another thing. */
static void test_is_returned(void)
{
	CU_ASSERT(block_is_returned("xmalloc"));
	CU_ASSERT(block_is_returned("strdup"));
	CU_ASSERT(block_is_returned("operator new(unsigned long)"));
	CU_ASSERT(!block_is_returned("std::string::_M_append(char const*, unsigned long)"));
	CU_ASSERT(!block_is_returned("main"));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "malloc(), operator new, what libraries of C++, Rust and Python have",
		  test_of_libraries },
		{ "a program's own malloc, calloc or realloc", test_of_programs },
		{ "those that want the memory themselves", test_who_asks },
		{ "what returns the block to who calls it", test_is_returned },
	};

	return tap_main("who asks for memory", cases, sizeof(cases) / sizeof(cases[0]));
}
