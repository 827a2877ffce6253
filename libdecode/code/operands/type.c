/* SPDX-License-Identifier: BSD-3-Clause */
/* See type.h: both tables in words. */
#include "type.h"

const char *operand_absence_text(uint32_t absence)
{
	static const char *const texts[OPERAND_ABSENCES] = {
#define A(name, text) text,
#include "absences.def"
#undef A
	};

	return absence < OPERAND_ABSENCES ? texts[absence] : "unknown reason";
}

const char *operand_evidence_text(uint32_t evidence)
{
	static const char *const texts[OPERAND_EVIDENCE] = {
#define E(name, text) text,
#include "evidence.def"
#undef E
	};

	return evidence < OPERAND_EVIDENCE ? texts[evidence] : "unknown evidence";
}
