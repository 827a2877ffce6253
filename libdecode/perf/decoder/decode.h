/* SPDX-License-Identifier: BSD-3-Clause */
/* precis_decoder_sample() for those inside the library. */
#ifndef PRECIS_PERF_DECODE_H
#define PRECIS_PERF_DECODE_H

#include <precis/decoder.h>

/* Of arguments that have been checked: a SAMPLE, structs of this library's size, an IBS context. */
int precis_decoder_decode(struct precis_decoder *decoder, const struct precis_record *record,
			  const uint64_t *wanted, struct precis_perf_sample *perf,
			  struct precis_sample *sample);

/*
 * Of registers that have been parsed, for a caller who wants next to nothing of the record around
 * them: the plan that many samples are decoded by stays. @return 1; 0: it wants more, or it failed
 */
int precis_decoder_decode_op(const struct precis_decoder *decoder,
			     const struct precis_record *record, const struct precis_ibs_op *op,
			     const uint64_t *wanted, struct precis_sample *sample);

#endif
