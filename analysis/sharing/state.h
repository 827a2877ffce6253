/* SPDX-License-Identifier: BSD-3-Clause */
/* What the analysis of shared lines has counted. */
#ifndef ANALYSIS_SHARING_STATE_H
#define ANALYSIS_SHARING_STATE_H

#include "analysis/analysis.h"
#include "analysis/model/model.h"
#include "analysis/objects/lifetimes.h"
#include "analysis/objects/side_files.h"
#include "estimate.h"
#include "lines.h"
#include "parties.h"
#include "request.h"
#include "told.h"

/* Whose addresses a line's are: its space has one of these above, then the recording and the process */
enum { SHARING_OF_PROCESS, SHARING_OF_KERNEL, SHARING_PHYSICAL };
#define SHARING_OWNER_SHIFT 60
#define SHARING_RECORDING_SHIFT 32

/* Accesses, loads before stores */
enum { SHARING_LOADS, SHARING_STORES, SHARING_KINDS };

/* From when to when a recording's samples are */
struct sharing_time {
	uint64_t first, last; /* ns; 'first' UINT64_MAX: none has a time */
};

struct sharing {
	const struct analysis_about *about;
	const struct sharing_request *request;
	struct model model;
	struct lifetimes lifetimes; /* side files of the recording's processes */
	struct side_files side_files; /* what is told of these */
	struct nodes nodes;
	struct sharing_cores cores;
	struct sharing_parties parties;
	struct sharing_lines lines;
	struct weighted accesses[SHARING_KINDS]; /* that have an address */
	struct weighted nowhere[SHARING_KINDS];  /* that have none */
	struct weighted told, transfers;         /* loads that say where from; of these from another cache */
	uint64_t untold;    /* other samples of events of memory that do not tell what they do */
	uint64_t cycles;    /* accesses whose period counts cycles, and so not accesses */
	uint64_t unweighed; /* accesses whose period is not known */
	uint64_t nobodys;   /* accesses of which it is not known whose they are */
	uint64_t physical, linear;
	uint64_t wide, unwide; /* accesses whose width is known, or not */
	struct sharing_time time;
	double other_seconds; /* of other recordings */
	struct precis_symbols **taken; /* of other recordings, by number - 1; NULL: none */
	uint32_t taken_count;
	uint32_t recordings; /* others */
	struct sharing_told told_of; /* of runs that were saved */
	const char *
		why_unknown; /* of a program that runs: why nothing is known of transfers; NULL: it is */
	int failed;
};

/* Those that know the addresses of a recording; NULL: nobody does */
struct precis_symbols *sharing_symbols(const struct sharing *sharing, uint32_t recording);

/* How long it was sampled; NAN: that is not known */
double sharing_seconds(const struct sharing *sharing);

/* Is it known how many transfers there were, and of how many accesses samples are? Why not; NULL: it is */
const char *sharing_why_unweighed(const struct sharing *sharing);

#endif
