/* SPDX-License-Identifier: BSD-3-Clause */
/* See form.h: what follows from a form without the decoder. */
#include "form.h"

#include <string.h>

static const struct {
	const char *name;
	int falls_through;
} branches[] = {
#define BRANCH(name, text, falls_through) { text, falls_through },
#include "branches.def"
#undef BRANCH
};

static const char *const figures[] = {
#define FIGURE(name, text) text,
#include "figures.def"
#undef FIGURE
};

void code_form_unknown(struct code_form *form)
{
	memset(form, 0, sizeof(*form));
	form->flops_figure = CODE_FIGURE_UNKNOWN;
	form->bytes_figure = CODE_FIGURE_UNKNOWN;
}

const char *code_branch_name(uint32_t branch)
{
	return branch < CODE_BRANCHES ? branches[branch].name : "unknown";
}

int code_falls_through(uint32_t branch)
{
	return branch < CODE_BRANCHES && branches[branch].falls_through;
}

const char *code_figure_text(uint32_t figure)
{
	return figure < CODE_FIGURES ? figures[figure] : "unknown reason";
}

static uint32_t bytes_of(const struct code_form *form, uint32_t does)
{
	uint32_t bytes = 0;

	for (uint32_t n = 0; n < CODE_ACCESSES; n++) {
		if (form->access[n].does & does)
			bytes += (uint32_t)form->access[n].bytes * form->access[n].times;
	}
	return bytes;
}

uint32_t code_read_bytes(const struct code_form *form)
{
	return bytes_of(form, CODE_READS);
}

uint32_t code_written_bytes(const struct code_form *form)
{
	return bytes_of(form, CODE_WRITES);
}
