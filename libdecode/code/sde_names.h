/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A form's names in the mix that Intel's SDE prints ("*isa-ext-AVX2", "*elements_fp_double_4",
 * "*mem-read-8"), for scripts that read it. Every name of a form counts as often as the form is executed,
 * and "times" as often.
 */
#ifndef LIBDECODE_CODE_SDE_NAMES_H
#define LIBDECODE_CODE_SDE_NAMES_H

#include "form.h"

#define CODE_SDE_NAME 64u

struct code_sde_name {
	char name[CODE_SDE_NAME];
	uint32_t times; /* for each execution */
};

#define CODE_SDE_NAMES_MOST 16u

/** @return how many there are. An unknown instruction is "*category-UNKNOWN" alone. */
uint32_t code_sde_names(const struct code_form *form, struct code_sde_name names[CODE_SDE_NAMES_MOST]);

#endif
