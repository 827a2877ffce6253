/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of the kernel's records that tell of the AUX area. */
#include <precis/kernel_records.h>

#include "libdecode/sample/abi.h"
#include "record_body.h"

int precis_aux_parse(const struct precis_record *record, struct precis_aux *aux)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_AUX, &body);

	ABI_OUT(struct precis_aux, aux, precis_aux_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_u64(&body, &aux->aux_offset) || !cursor_u64(&body, &aux->aux_size) ||
	    !cursor_u64(&body, &aux->flags))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_itrace_start_parse(const struct precis_record *record, struct precis_itrace_start *start)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_ITRACE_START, &body);

	ABI_OUT(struct precis_itrace_start, start, precis_itrace_start_parse(record, &abi));
	if (error)
		return error;
	return cursor_pair(&body, &start->pid, &start->tid) ? 0 : PRECIS_E_TRUNCATED;
}

int precis_aux_output_hw_id_parse(const struct precis_record *record,
				  struct precis_aux_output_hw_id *output)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_AUX_OUTPUT_HW_ID, &body);

	ABI_OUT(struct precis_aux_output_hw_id, output,
		precis_aux_output_hw_id_parse(record, &abi));
	if (error)
		return error;
	return cursor_u64(&body, &output->hw_id) ? 0 : PRECIS_E_TRUNCATED;
}
