/* SPDX-License-Identifier: BSD-3-Clause */
/* Two machines or kernels: what is better or worse than it was. */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "read.h"

/*
 * Tables of what differs between two machines and settings, and of what differs between what they
 * measured. They come first in the document, which has the preflight table of 'here' already.
 *
 * @param there  what was measured earlier, or elsewhere
 * @param here   with 'arguments', its settings
 *
 * Returns how many figures are certainly worse than there.
 */
uint32_t compare_present(const struct bench_file *there, const struct bench_cells *here,
			 const struct bench_arguments *arguments, struct document *document);

#endif
