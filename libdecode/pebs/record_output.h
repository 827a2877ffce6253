/* SPDX-License-Identifier: BSD-3-Clause */
/* Words to bytes: what the encoders of all formats share. */
#ifndef PRECIS_PEBS_RECORD_OUTPUT_H
#define PRECIS_PEBS_RECORD_OUTPUT_H

#include <precis/pebs_record.h>

struct pebs_output {
	uint8_t *at;
	size_t room, used;
};

/* The next bytes of the output, set to 0; NULL if there is no room. */
uint8_t *precis_pebs_claim(struct pebs_output *out, size_t bytes);

/* As many bytes from somewhere. 0, PRECIS_E_ARGUMENT for NULL, PRECIS_E_NO_SPACE */
int precis_pebs_put_bytes(struct pebs_output *out, const uint8_t *from, size_t bytes);

/* Does the record have all words of these groups? What it has not cannot be written. */
int precis_pebs_has_words(const struct precis_pebs *pebs, uint32_t groups);

/* FLAGS to R15 in the order of the GPR group, to 144 bytes. */
void precis_pebs_store_registers(const struct precis_pebs *pebs, uint8_t *at);

/* The counters with their header and metrics. 0 or an error */
int precis_pebs_put_counters(struct pebs_output *out, const struct precis_pebs *pebs,
			     const struct precis_pebs_groups *groups);

#endif
