/* SPDX-License-Identifier: BSD-3-Clause */
/* See sde_names.h. */
#include "sde_names.h"

#include <stdio.h>
#include <string.h>

#include "instruction.h"

struct names {
	struct code_sde_name *name;
	uint32_t count;
};

/* One of that name more; what has no room for its name is left out by nobody: the longest has 40 bytes */
static void add(struct names *names, const char *text, uint32_t times)
{
	for (uint32_t n = 0; n < names->count; n++) {
		if (strcmp(names->name[n].name, text) == 0) {
			names->name[n].times += times;
			return;
		}
	}
	if (names->count == CODE_SDE_NAMES_MOST)
		return;
	snprintf(names->name[names->count].name, CODE_SDE_NAME, "%s", text);
	names->name[names->count++].times = times;
}

static void add_kind(struct names *names, const char *kind, const char *of)
{
	char text[CODE_SDE_NAME];

	snprintf(text, sizeof(text), "*%s-%s", kind, of ? of : "UNKNOWN");
	add(names, text, 1);
}

static const char *element_of(const struct code_form *form, char room[16])
{
	if (form->element == CODE_ELEMENT_FLOAT) {
		switch (form->element_bits) {
		case 16:
			return "fp_half";
		case 32:
			return "fp_single";
		case 64:
			return "fp_double";
		default:
			return NULL;
		}
	}
	if ((form->element != CODE_ELEMENT_INT && form->element != CODE_ELEMENT_UINT) || !form->element_bits)
		return NULL;
	snprintf(room, 16, "i%u", form->element_bits);
	return room;
}

static void add_elements(struct names *names, const struct code_form *form)
{
	char text[CODE_SDE_NAME], room[16];
	const char *element = form->packing ? element_of(form, room) : NULL;

	if (!element || !form->element_count)
		return;
	snprintf(text, sizeof(text), "*elements_%s_%u", element, form->element_count);
	add(names, text, 1);
	if (form->traits & CODE_MASKED) {
		snprintf(text, sizeof(text), "*elements_%s_%u_masked", element, form->element_count);
		add(names, text, 1);
	}
}

static void add_memory(struct names *names, const struct code_form *form)
{
	static const struct {
		uint32_t does;
		const char *word;
	} ways[] = { { CODE_READS, "read" }, { CODE_WRITES, "write" } };
	char text[CODE_SDE_NAME];

	for (uint32_t n = 0; n < CODE_ACCESSES; n++) {
		for (uint32_t way = 0; way < 2; way++) {
			if (!(form->access[n].does & ways[way].does))
				continue;
			snprintf(text, sizeof(text), "*mem-%s-%u", ways[way].word, form->access[n].bytes);
			add(names, text, form->access[n].times);
		}
	}
}

uint32_t code_sde_names(const struct code_form *form, struct code_sde_name names[CODE_SDE_NAMES_MOST])
{
	struct names made = { .name = names };

	add_kind(&made, "category", code_category_name(form->category));
	if (!form->mnemonic)
		return made.count;
	add_kind(&made, "isa-ext", code_isa_extension_name(form->isa_extension));
	add_kind(&made, "isa-set", code_isa_set_name(form->isa_set));
	add_elements(&made, form);
	add_memory(&made, form);
	return made.count;
}
