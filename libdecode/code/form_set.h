/* SPDX-License-Identifier: BSD-3-Clause */
/* Forms, each once, by numbers: code has millions of instructions and a few thousand forms. */
#ifndef LIBDECODE_CODE_FORM_SET_H
#define LIBDECODE_CODE_FORM_SET_H

#include "form.h"

/* Zeroed memory is an empty set. */
struct form_set {
	struct code_form *form;
	uint32_t count, room;
	uint32_t *slot; /* of a hash table: 1 + a number, 0: empty */
	uint32_t slots; /* a power of 2 */
};

#define NO_FORM UINT32_MAX

/** The number of a form, which is put in if need be; NO_FORM if memory is short. */
uint32_t form_set_number(struct form_set *set, const struct code_form *form);
void form_set_free(struct form_set *set);

#endif
