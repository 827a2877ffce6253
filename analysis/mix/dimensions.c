/* SPDX-License-Identifier: BSD-3-Clause */
/* See dimensions.h. */
#include "dimensions.h"

#include <stdio.h>
#include <string.h>

#include "libdecode/code/instruction.h"

static const struct mix_dimension_info infos[] = {
#define DIMENSION(id, name, of, meaning) [MIX_BY_##id] = { #name, meaning, MIX_OF_##of },
#include "dimensions.def"
#undef DIMENSION
};

const struct mix_dimension_info *mix_dimension_info(enum mix_dimension dimension)
{
	return &infos[dimension];
}

static const char *or_none(const char *name)
{
	return name ? name : "none";
}

static void put_bits(char text[MIX_CLASS_TEXT], uint32_t bits)
{
	if (bits)
		snprintf(text, MIX_CLASS_TEXT, "%u", bits);
	else
		strcpy(text, "none");
}

static const char *packing_of(const struct code_form *form)
{
	static const char *const names[] = {
		[CODE_PACKING_NONE] = "none",
		[CODE_PACKING_SCALAR] = "scalar",
		[CODE_PACKING_PACKED] = "packed",
	};

	return names[form->packing];
}

static void put_element(char text[MIX_CLASS_TEXT], const struct code_form *form)
{
	static const char letters[] = {
		[CODE_ELEMENT_NONE] = '-', [CODE_ELEMENT_INT] = 'i',   [CODE_ELEMENT_UINT] = 'u',
		[CODE_ELEMENT_FLOAT] = 'f', [CODE_ELEMENT_OTHER] = 'x',
	};

	if (form->packing == CODE_PACKING_NONE || !form->element_bits)
		strcpy(text, "none");
	else
		snprintf(text, MIX_CLASS_TEXT, "%c%u", letters[form->element], form->element_bits);
}

static const char *memory_of(const struct code_form *form)
{
	static const char *const names[] = { "none", "read", "write", "read+write" };
	uint32_t does = 0;

	for (uint32_t n = 0; n < CODE_ACCESSES; n++)
		does |= form->access[n].times ? form->access[n].does : 0;
	return names[does & (CODE_READS | CODE_WRITES)];
}

static void put_access(char text[MIX_CLASS_TEXT], const struct code_form *form)
{
	const uint32_t reads = code_read_bytes(form), writes = code_written_bytes(form);

	if (!reads && !writes)
		snprintf(text, MIX_CLASS_TEXT, "%s", memory_of(form));
	else if (!writes)
		snprintf(text, MIX_CLASS_TEXT, "read %u", reads);
	else if (!reads)
		snprintf(text, MIX_CLASS_TEXT, "write %u", writes);
	else
		snprintf(text, MIX_CLASS_TEXT, "read %u, write %u", reads, writes);
}

static void put_form(char text[MIX_CLASS_TEXT], const struct code_form *form)
{
	char access[MIX_CLASS_TEXT];
	const uint32_t bits = form->vector_bits ? form->vector_bits : form->operand_bits;

	put_access(access, form);
	snprintf(text, MIX_CLASS_TEXT, "%s %u%s%.100s%s%s", or_none(code_mnemonic_name(form->mnemonic)), bits,
		 strcmp(access, "none") ? " " : "", strcmp(access, "none") ? access : "",
		 form->traits & CODE_MASKED ? " masked" : "", form->traits & CODE_LOCKED ? " locked" : "");
}

/* Of all that it is in: a mix adds up only if each instruction is in one class. */
static void put_groups(char text[MIX_CLASS_TEXT], const struct code_form *form,
		       const struct code_groups *groups)
{
	const uint64_t of = code_groups_of(groups, form->mnemonic);
	size_t used = 0;

	strcpy(text, "none");
	for (uint32_t n = 0; n < groups->count && used + CODE_GROUP_NAME + 3 < MIX_CLASS_TEXT; n++) {
		if (of >> n & 1)
			used += (size_t)snprintf(text + used, MIX_CLASS_TEXT - used, "%s%s",
						 used ? " + " : "", groups->name[n]);
	}
}

/* Of an instruction whose length alone is known, with its branch */
static int is_unknown(enum mix_dimension dimension, const struct code_form *form)
{
	return !form->mnemonic && dimension != MIX_BY_BRANCH && dimension != MIX_BY_GROUP;
}

void mix_class_of(enum mix_dimension dimension, const struct code_form *form,
		  const struct code_groups *groups, char text[MIX_CLASS_TEXT])
{
	const char *name = NULL;

	if (is_unknown(dimension, form)) {
		snprintf(text, MIX_CLASS_TEXT, "unknown instruction");
		return;
	}

	switch (dimension) {
	case MIX_BY_MNEMONIC: name = code_mnemonic_name(form->mnemonic); break;
	case MIX_BY_CATEGORY: name = code_category_name(form->category); break;
	case MIX_BY_EXTENSION: name = code_isa_extension_name(form->isa_extension); break;
	case MIX_BY_ISA_SET: name = code_isa_set_name(form->isa_set); break;
	case MIX_BY_PACKED: name = packing_of(form); break;
	case MIX_BY_MEMORY: name = memory_of(form); break;
	case MIX_BY_BRANCH: name = code_branch_name(form->branch); break;
	case MIX_BY_LOCKED: name = form->traits & CODE_LOCKED ? "locked" : "not locked"; break;
	case MIX_BY_FORM: put_form(text, form); return;
	case MIX_BY_WIDTH: put_bits(text, form->vector_bits); return;
	/* what decodes as a vector instruction's tells nothing of its operands */
	case MIX_BY_SIZE: put_bits(text, form->packing ? 0 : form->operand_bits); return;
	case MIX_BY_ELEMENT: put_element(text, form); return;
	case MIX_BY_ACCESS: put_access(text, form); return;
	case MIX_BY_GROUP: put_groups(text, form, groups); return;
	default: break;
	}
	snprintf(text, MIX_CLASS_TEXT, "%s", or_none(name));
}
