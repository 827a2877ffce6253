/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses of which the very instruction is known: the compiler chooses the operand, and the assembler notes
 * where it is and what it was meant to be, in a section of its own that is not loaded.
 */
#ifndef TESTS_OPERANDS_H
#define TESTS_OPERANDS_H

#define TRUTH(text)                                                                                        \
	".pushsection truth,\"\",@progbits\n\t.quad 771b\n\t.asciz \"" text "\"\n\t.popsection\n\t"

#define READ(lvalue, text)                                                                                 \
	({                                                                                                 \
		__typeof__((lvalue) + 0) value_; /* without const */                                       \
		__asm__ volatile("771: mov %1, %0\n\t" TRUTH(text) : "=r"(value_) : "m"(lvalue));          \
		value_;                                                                                    \
	})
#define READ_BYTE(lvalue, text)                                                                            \
	({                                                                                                 \
		int value_;                                                                                \
		__asm__ volatile("771: movzbl %1, %0\n\t" TRUTH(text) : "=r"(value_) : "m"(lvalue));       \
		value_;                                                                                    \
	})
#define READ_DOUBLE(lvalue, text)                                                                          \
	({                                                                                                 \
		double value_;                                                                             \
		__asm__ volatile("771: movsd %1, %0\n\t" TRUTH(text) : "=x"(value_) : "m"(lvalue));        \
		value_;                                                                                    \
	})
#define WRITE(lvalue, value, text)                                                                         \
	__asm__ volatile("771: mov %1, %0\n\t" TRUTH(text) : "=m"(lvalue) : "r"((__typeof__(lvalue))(value)))

#endif
