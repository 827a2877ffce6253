/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What the modules need of the kernel that it does not export to modules.
 */
#ifndef KERNEL_SYMBOLS_H
#define KERNEL_SYMBOLS_H

#include <linux/mm.h>
#include <asm/insn.h>

struct kernel_symbols {
	int (*insn_decode)(struct insn *insn, const void *bytes, int size, enum insn_mode mode);
	void __user *(*insn_get_addr_ref)(struct insn *insn, struct pt_regs *regs);
	pte_t *(*lookup_address_in_pgd)(pgd_t *pgd, unsigned long address, unsigned int *level);
};

extern struct kernel_symbols kernel_symbols;

/*
 * Fills kernel_symbols. To be called first.
 *
 * @return 0, or -ENOENT: one is missing, which the kernel's log names
 */
int kernel_symbols_find(void);

/* The address of a function of the kernel; NULL (logged): there is none */
void *kernel_symbol(const char *name);

#endif
