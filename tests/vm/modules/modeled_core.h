/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * A modeled core for each CPU, and the exact totals over what ran on all of them.
 */
#ifndef MODELED_CORE_H
#define MODELED_CORE_H

#include <linux/seq_file.h>

#include "model.h"

/*
 * The machine that 'name' names; empty: the one whose family and model this CPU has.
 * NULL (logged): there is none, or not this CPU's family: drivers and recordings tell that
 * of the CPU.
 */
const struct vm_machine *modeled_machine(const char *name);

/* @return 0 or -ENOMEM */
int modeled_core_start(const struct vm_machine *machine);
void modeled_core_stop(void);

/* What the instruction did, on this CPU; with interrupts off. It counts in the totals. */
void modeled_core_ran(const struct vm_operation *operation, struct vm_outcome *outcome);

/* Empty caches, totals 0. Nothing must be running. */
void modeled_core_reset(void);

/* The totals as text, the first line says that they are modeled */
void modeled_core_show(struct seq_file *file);
/* The exact distributions as text: a line each that has values, NAME[INDEX] VALUE=COUNT... */
void modeled_core_show_histograms(struct seq_file *file);

#endif
