/* SPDX-License-Identifier: BSD-3-Clause */
/* See type_methods.h. */
#include "type_methods.h"

#include "analysis/saving/fields.h"

static int add_both(struct type_methods *methods, const struct type_told *told,
		    const struct weighted *sample)
{
	weighted_add(&methods->both, sample);
	if (told->agreement == TYPES_SAME)
		weighted_add(&methods->same, sample);
	else if (told->agreement == TYPES_PART)
		weighted_add(&methods->part, sample);
	else
		return text_tally_add(&methods->differing,
				      (const char *[]){ told->by_address, told->by_instruction },
				      sample);
	return 0;
}

int type_methods_add(struct type_methods *methods, const struct type_told *told,
		     const struct weighted *sample)
{
	int failed = 0;

	if (!told->is_asked)
		return 0;
	weighted_add(&methods->asked, sample);
	if (told->type)
		failed |= text_tally_add(&methods->evidence,
					 (const char *[]){ told->type, told->evidence }, sample);
	if (told->untold)
		failed |= text_tally_add(&methods->untold, (const char *[]){ told->untold, NULL },
					 sample);
	if (told->verdict)
		failed |= text_tally_add(&methods->votes,
					 (const char *[]){ told->voted, told->verdict }, sample);
	if (told->has_both)
		failed |= add_both(methods, told, sample);
	return failed;
}

int type_methods_merge(struct type_methods *to, const struct type_methods *from)
{
	weighted_add(&to->asked, &from->asked);
	weighted_add(&to->both, &from->both);
	weighted_add(&to->same, &from->same);
	weighted_add(&to->part, &from->part);
	return text_tally_merge(&to->differing, &from->differing) |
	       text_tally_merge(&to->evidence, &from->evidence) |
	       text_tally_merge(&to->untold, &from->untold) |
	       text_tally_merge(&to->votes, &from->votes);
}

int type_methods_are_partial(const struct type_methods *methods)
{
	return text_tally_is_partial(&methods->differing) ||
	       text_tally_is_partial(&methods->evidence) ||
	       text_tally_is_partial(&methods->untold) || text_tally_is_partial(&methods->votes);
}

void type_methods_saved(struct saving *saving, struct type_methods *methods)
{
	if (saving->version < 2) /* it came with that */
		return;
	saved_weighted(saving, &methods->asked);
	saved_weighted(saving, &methods->both);
	saved_weighted(saving, &methods->same);
	saved_weighted(saving, &methods->part);
	text_tally_saved(saving, &methods->differing);
	text_tally_saved(saving, &methods->evidence);
	text_tally_saved(saving, &methods->untold);
	if (saving->version >= 4)
		text_tally_saved(saving, &methods->votes);
}

void type_methods_free(struct type_methods *methods)
{
	text_tally_free(&methods->differing);
	text_tally_free(&methods->evidence);
	text_tally_free(&methods->untold);
	text_tally_free(&methods->votes);
}
