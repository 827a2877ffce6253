/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * capstone, as far as instructions of aarch64 need it. It is loaded when there is one: with each program that
 * uses the library its start would take longer than all of theirs, as it has 77 000 relocations.
 */
#ifndef LIBDECODE_CODE_AARCH64_CAPSTONE_H
#define LIBDECODE_CODE_AARCH64_CAPSTONE_H

#include <capstone/capstone.h>

#include "aarch64_branches.h"
#include "library.h"

#define CAPSTONE_LIBRARY "libcapstone.so.4"

/* Its functions, in the order of these names */
#define AARCH64_CAPSTONE_NAMES                                                                     \
	{                                                                                          \
		"cs_open", "cs_close", "cs_option", "cs_malloc", "cs_free", "cs_disasm_iter",      \
			"cs_insn_name"                                                             \
	}

struct aarch64_calls {
	cs_err (*open)(cs_arch arch, cs_mode mode, csh *handle);
	cs_err (*close)(csh *handle);
	cs_err (*option)(csh handle, cs_opt_type type, size_t value);
	cs_insn *(*malloc)(csh handle);
	void (*free)(cs_insn *insn, size_t count);
	bool (*disassemble)(csh handle, const uint8_t **code, size_t *size, uint64_t *address,
			    cs_insn *insn);
	const char *(*insn_name)(csh handle, unsigned int id);
};

struct aarch64_capstone {
	void *library;
	csh handle;
	struct aarch64_calls calls;
};

/* It stays loaded: the next one opens it at once. 0: it is not there */
static inline int aarch64_capstone_open(struct aarch64_capstone *capstone)
{
	static const char *const names[] = AARCH64_CAPSTONE_NAMES;

	capstone->library = library_open(CAPSTONE_LIBRARY, names, sizeof(names) / sizeof(names[0]),
					 &capstone->calls);
	if (!capstone->library)
		return 0;
	if (capstone->calls.open(CS_ARCH_ARM64, CS_MODE_ARM, &capstone->handle) == CS_ERR_OK)
		return 1;
	dlclose(capstone->library);
	return 0;
}

static inline void aarch64_capstone_close(struct aarch64_capstone *capstone)
{
	capstone->calls.close(&capstone->handle);
	dlclose(capstone->library);
}

/* What is to be done with an instruction that capstone knows. @return 0: it is of no use */
typedef int (*aarch64_use_fn)(const cs_insn *insn, void *data);

/* The instruction at the start of AARCH64_BYTES bytes. 0: capstone does not know it, or is not there */
static inline int aarch64_capstone_use(const uint8_t *bytes, uint64_t address, int has_detail,
				       aarch64_use_fn use, void *data)
{
	struct aarch64_capstone capstone;
	size_t count = AARCH64_BYTES;
	cs_insn *insn;
	int is_known;

	if (!aarch64_capstone_open(&capstone))
		return 0;
	capstone.calls.option(capstone.handle, CS_OPT_DETAIL, has_detail ? CS_OPT_ON : CS_OPT_OFF);
	insn = capstone.calls.malloc(capstone.handle);
	is_known = insn &&
		   capstone.calls.disassemble(capstone.handle, &bytes, &count, &address, insn) &&
		   use(insn, data);
	if (insn)
		capstone.calls.free(insn, 1);
	aarch64_capstone_close(&capstone);
	return is_known;
}

#endif
