/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of the records that tell of kernel code that comes, goes or changes. */
#include <precis/kernel_records.h>

#include "libdecode/sample/abi.h"
#include "record_body.h"

int precis_ksymbol_parse(const struct precis_record *record, struct precis_ksymbol *symbol)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_KSYMBOL, &body);

	ABI_OUT(struct precis_ksymbol, symbol, precis_ksymbol_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_u64(&body, &symbol->addr) || !cursor_u32(&body, &symbol->length) ||
	    !cursor_u16(&body, &symbol->type) || !cursor_u16(&body, &symbol->flags) ||
	    !cursor_text(&body, &symbol->name))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_bpf_event_parse(const struct precis_record *record, struct precis_bpf_event *event)
{
	struct cursor body;
	int error = record_open(record, PRECIS_RECORD_BPF_EVENT, &body);

	ABI_OUT(struct precis_bpf_event, event, precis_bpf_event_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_u16(&body, &event->type) || !cursor_u16(&body, &event->flags) ||
	    !cursor_u32(&body, &event->id) ||
	    !cursor_array(&body, 1, PRECIS_BPF_TAG_BYTES, &event->tag))
		return PRECIS_E_TRUNCATED;
	return 0;
}

int precis_text_poke_parse(const struct precis_record *record, struct precis_text_poke *poke)
{
	struct cursor body;
	uint16_t old_bytes, new_bytes;
	int error = record_open(record, PRECIS_RECORD_TEXT_POKE, &body);

	ABI_OUT(struct precis_text_poke, poke, precis_text_poke_parse(record, &abi));
	if (error)
		return error;
	if (!cursor_u64(&body, &poke->addr) || !cursor_u16(&body, &old_bytes) ||
	    !cursor_u16(&body, &new_bytes) || !cursor_view(&body, old_bytes, 1, &poke->old_code) ||
	    !cursor_view(&body, new_bytes, 1, &poke->new_code))
		return PRECIS_E_TRUNCATED;
	return 0;
}
