/* SPDX-License-Identifier: BSD-3-Clause */
/* Why there is no code, or no instruction, at a place. */
#ifndef LIBDECODE_CODE_ABSENCE_H
#define LIBDECODE_CODE_ABSENCE_H

#include <stdint.h>

enum code_absence {
	CODE_PRESENT = 0,
#define ABSENCE(name, text) CODE_ABSENT_##name,
#include "absences.def"
#undef ABSENCE
	CODE_ABSENCES
};

/** Never NULL. */
const char *code_absence_text(uint32_t absence);

/** Of an enum precis_symbol_absent that is not PRECIS_SYMBOL_PRESENT. */
enum code_absence code_absence_of(uint32_t symbol_absent);

#endif
