/* SPDX-License-Identifier: BSD-3-Clause */
/* How often each instruction ran, of a finished estimate: asked by its place in a file. */
#ifndef ANALYSIS_MIX_EXECUTIONS_H
#define ANALYSIS_MIX_EXECUTIONS_H

#include <precis/symbols.h>

#include "program.h"

struct mix_executions;

/**
 * @param program, estimate  must outlive it
 * @param symbols  that the program's texts were made with
 * @return NULL: memory is short
 */
struct mix_executions *mix_executions_new(const struct mix_program *program, struct mix_estimate *estimate,
					  struct precis_symbols *symbols);
void mix_executions_free(struct mix_executions *executions);

/**
 * The text that a location is in. Locations of other symbols, of the same recording, will do.
 * @param symbols  those of the location
 * @return NULL: nothing was seen in it
 */
const struct code_text *mix_executions_text(const struct mix_executions *executions,
					    struct precis_symbols *symbols,
					    const struct precis_location *location);

/**
 * Executions of the instruction at an offset of a text, by the joint estimate: of code that changed in
 * time the sum of what it was. Neighbours in a block cost nothing more.
 *
 * @param text  NULL: as mix_executions_text()
 * @param why   set if there is none
 * @return 1; 0: none is known
 */
int mix_executions_at(struct mix_executions *executions, const struct code_text *text, uint64_t offset,
		      struct mix_figure *figure, const char **why);

#endif
