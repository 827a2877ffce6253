// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * kallsyms_lookup_name() is not exported; a kprobe tells where it is.
 */
#include <linux/kprobes.h>
#include <linux/printk.h>

#include "kernel_symbols.h"

struct kernel_symbols kernel_symbols;

static unsigned long (*lookup_name)(const char *name);

static int find_lookup(void)
{
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };
	int error = register_kprobe(&probe);

	if (error)
		return error;
	lookup_name = (void *)probe.addr;
	unregister_kprobe(&probe);
	return 0;
}

void *kernel_symbol(const char *name)
{
	void *address = (void *)lookup_name(name);

	if (!address)
		pr_err("precis: this kernel has no %s()\n", name);
	return address;
}

int kernel_symbols_find(void)
{
	int error = find_lookup();

	if (error)
		return error;
	kernel_symbols.insn_decode = kernel_symbol("insn_decode");
	kernel_symbols.insn_get_addr_ref = kernel_symbol("insn_get_addr_ref");
	kernel_symbols.lookup_address_in_pgd = kernel_symbol("lookup_address_in_pgd");
	if (!kernel_symbols.insn_decode || !kernel_symbols.insn_get_addr_ref ||
	    !kernel_symbols.lookup_address_in_pgd)
		return -ENOENT;
	return 0;
}
