/* SPDX-License-Identifier: BSD-3-Clause */
/* See absence.h. */
#include "absence.h"

#include <precis/symbols.h>

static const char *const texts[] = {
	"present",
#define ABSENCE(name, text) text,
#include "absences.def"
#undef ABSENCE
};

const char *code_absence_text(uint32_t absence)
{
	return absence < CODE_ABSENCES ? texts[absence] : "unknown reason";
}

enum code_absence code_absence_of(uint32_t symbol_absent)
{
	switch (symbol_absent) {
#define OF_SYMBOLS(theirs, ours)       \
	case PRECIS_SYMBOL_##theirs: \
		return CODE_ABSENT_##ours;
#include "absences.def"
#undef OF_SYMBOLS
	default:
		return CODE_ABSENT_NO_FILE;
	}
}
