/* SPDX-License-Identifier: BSD-3-Clause */
/* What precis_code_decode() says of an instruction of aarch64. */
#ifndef LIBDECODE_CODE_AARCH64_TEXT_H
#define LIBDECODE_CODE_AARCH64_TEXT_H

#include <precis/code.h>

/** As precis_code_decode(), of arguments that are right. PRECIS_E_UNSUPPORTED without capstone */
int precis_aarch64_decode(const uint8_t *bytes, size_t count, uint64_t address,
			  struct precis_instruction *instruction);

#endif
