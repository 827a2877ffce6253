/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of record formats, and what each of its rows offers. */
#ifndef PRECIS_PEBS_FORMATS_H
#define PRECIS_PEBS_FORMATS_H

#include <precis/pebs_record.h>

#include "record_output.h"

/*
 * Takes a record apart. 'pebs' and 'groups' (may be NULL) have been emptied.
 * *fault: on an error, where in the bytes it is.
 */
typedef int (*pebs_parse_fn)(const uint8_t *at, size_t count, struct precis_pebs *pebs,
			     struct precis_pebs_groups *groups, size_t *fault);

/* A record of a format. 0 or an error */
typedef int (*pebs_encode_fn)(const struct precis_pebs *pebs,
			      const struct precis_pebs_groups *groups, struct pebs_output *out);

struct pebs_format {
	const char *name;
	uint32_t bytes; /* 0: the record tells */
	pebs_parse_fn parse;
	pebs_encode_fn encode;
};

/* The row of a format, NULL if there is none. */
const struct pebs_format *precis_pebs_format(uint32_t format);

/* precis_pebs_parse() with the place of an error; the arguments have been checked. */
int precis_pebs_parse_at(const struct pebs_format *row, const uint8_t *at, size_t count,
			 struct precis_pebs *pebs, struct precis_pebs_groups *groups, size_t *fault);

/* The rows' functions, each for what 'pebs->format' says. */
int precis_pebs_parse_netburst_32(const uint8_t *at, size_t count, struct precis_pebs *pebs,
				  struct precis_pebs_groups *groups, size_t *fault);
int precis_pebs_parse_0(const uint8_t *at, size_t count, struct precis_pebs *pebs,
			struct precis_pebs_groups *groups, size_t *fault);
int precis_pebs_parse_1(const uint8_t *at, size_t count, struct precis_pebs *pebs,
			struct precis_pebs_groups *groups, size_t *fault);
int precis_pebs_parse_2(const uint8_t *at, size_t count, struct precis_pebs *pebs,
			struct precis_pebs_groups *groups, size_t *fault);
int precis_pebs_parse_3(const uint8_t *at, size_t count, struct precis_pebs *pebs,
			struct precis_pebs_groups *groups, size_t *fault);
int precis_pebs_parse_adaptive(const uint8_t *at, size_t count, struct precis_pebs *pebs,
			       struct precis_pebs_groups *groups, size_t *fault);
int precis_pebs_parse_arch(const uint8_t *at, size_t count, struct precis_pebs *pebs,
			   struct precis_pebs_groups *groups, size_t *fault);

int precis_pebs_encode_fixed(const struct precis_pebs *pebs,
			     const struct precis_pebs_groups *groups, struct pebs_output *out);
int precis_pebs_encode_netburst_32(const struct precis_pebs *pebs,
				   const struct precis_pebs_groups *groups, struct pebs_output *out);
int precis_pebs_encode_adaptive(const struct precis_pebs *pebs,
				const struct precis_pebs_groups *groups, struct pebs_output *out);
int precis_pebs_encode_arch(const struct precis_pebs *pebs,
			    const struct precis_pebs_groups *groups, struct pebs_output *out);

#endif
