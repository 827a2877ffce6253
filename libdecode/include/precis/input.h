/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples and records of whatever holds them, in one order: a perf.data in any
 * of its forms, with the samples of its AUX area where they belong, or a dump
 * of a PEBS buffer.
 *
 * An input hands out items without decoding them. Who wants the sample of an
 * item asks for it, for the fields that he names, as often as he likes. Nothing
 * is copied for it: views live until the next item.
 */
#ifndef PRECIS_INPUT_H
#define PRECIS_INPUT_H

#include <precis/export.h>
#include <precis/file.h>
#include <precis/pebs_pt_samples.h>
#include <precis/pebs_sample.h>

PRECIS_BEGIN_DECLS

/** An open input. Not to be used by two threads at once. */
struct precis_input;

/** A dump of a PEBS buffer: record after record, which say nothing of themselves. */
struct precis_pebs_dump {
	uint32_t size;      /* sizeof(struct precis_pebs_dump), set by the caller */
	uint32_t format;    /* enum precis_pebs_format */
	const struct precis_pebs_machine *machine; /* that wrote it; NULL: nothing is known */
	uint64_t skip;      /* bytes in front of the first record */
	uint64_t count;     /* bytes of records behind them, if 'has_count' … */
	uint32_t has_count; /* … else up to the end of the file. See precis_ds_extent() */
	uint32_t reserved;
};

/** How to open an input. All-zero: a perf.data that is believed, with all that is in it. */
struct precis_input_options {
	uint32_t size;           /* sizeof(struct precis_input_options), set by the caller */
	uint32_t without_traces; /* 1: samples in the AUX area are left there */
	const struct precis_file_options *file; /* of a perf.data; NULL: none */
	const struct precis_pebs_dump *dump;    /* NULL: it is a perf.data */
};

/** What an item is. */
enum precis_item_kind {
	PRECIS_ITEM_RECORD = 1, /* a record of a perf.data that is no sample */
	PRECIS_ITEM_SAMPLE = 2  /* see precis_input_sample() */
};

/** What an input hands out. It is the input's, as are its views: until the next one. */
struct precis_item {
	uint32_t size; /* of this struct in the library */
	uint32_t kind; /* enum precis_item_kind */
	/* of the file: the record, or the one behind which a sample of the AUX area stands; of a
	 * dump: the PEBS record. Of compressed records as of struct precis_record */
	uint64_t offset;
	const struct precis_record *record; /* NULL: a sample that is no record of the file's */
	const struct precis_event *event;   /* of a sample: whose; NULL: not known */
	const struct precis_pebs *pebs;     /* of a sample of the AUX area or a dump: the PEBS record … */
	const struct precis_pebs_groups *groups; /* … and its large groups. NULL: it is none */
};

/**
 * Open an input.
 *
 * @param path     as of precis_file_open(); of a dump: a file or a named pipe
 * @param options  NULL for none
 * @param input    set on success; release with precis_input_close()
 * @param error    filled on failure; NULL if not wanted; 'size' must be set
 * @return 0; as precis_file_open(); PRECIS_E_ARGUMENT also for a format that there is not
 */
PRECIS_API int precis_input_open(const char *path, const struct precis_input_options *options,
				 struct precis_input **input, struct precis_file_error *error);

/** The same from a descriptor, which stays the caller's: see precis_file_open_fd(). */
PRECIS_API int precis_input_open_fd(int fd, const struct precis_input_options *options,
				    struct precis_input **input, struct precis_file_error *error);

/** Close; NULL is allowed. */
PRECIS_API void precis_input_close(struct precis_input *input);

/**
 * The next item: records and samples as they stand in the file, or by time if the options say so;
 * samples of the AUX area behind the AUXTRACE record in whose data they are, those that end with
 * the trace behind the last record. A PEBS record of a dump that cannot be taken apart, where it is
 * known where the next one begins, is counted and passed over.
 *
 * @param item  set to the item
 * @return 1 with an item; 0 at the end; or a negative error: nothing can be read beyond this place,
 *         and every further call says the same. precis_input_last_error() tells the offset
 */
PRECIS_API int precis_input_next(struct precis_input *input, const struct precis_item **item);

/**
 * Decode the sample that was handed out last.
 *
 * @param wanted  fields to decode, as bits of enum precis_field: PRECIS_FIELD_WORDS words; NULL for all
 * @param perf    the parts in ABI terms, as far as there are any; NULL if not wanted. 'size' must
 *                be set
 * @param sample  initialised by precis_sample_init(), or filled here before
 * @return 0; PRECIS_E_ARGUMENT, also if the last item is no sample; PRECIS_E_NO_MEMORY; or what of
 *         the record could not be read, as precis_file_sample() has it, which is counted once
 */
PRECIS_API int precis_input_sample(struct precis_input *input, const uint64_t *wanted,
				   struct precis_perf_sample *perf, struct precis_sample *sample);

/** Samples of a run at most */
#define PRECIS_INPUT_RUN 64u

/**
 * Samples that stand one behind the other, all of one IBS event, with registers that can be read: the same
 * ones ('captured') of the same capabilities ('caps').
 */
struct precis_input_run {
	uint32_t size;  /* sizeof(struct precis_input_run), set by the caller */
	uint32_t count; /* of samples */
	const struct precis_event *event; /* whose they are */
	/* 'count' of one kind, see below; NULL: the samples are of the other unit */
	const struct precis_ibs_op *ops;
	const struct precis_ibs_fetch *fetches;
};

/** Registers of the run's n-th sample, from 0: the library's structs may be longer than the caller's. */
static inline const struct precis_ibs_op *precis_input_run_op(const struct precis_input_run *run,
							      uint32_t n)
{
	return (const struct precis_ibs_op *)(const void *)((const char *)run->ops +
							    (size_t)n * run->ops->size);
}

/** The same of an ibs_fetch run */
static inline const struct precis_ibs_fetch *
precis_input_run_fetch(const struct precis_input_run *run, uint32_t n)
{
	return (const struct precis_ibs_fetch *)(const void *)((const char *)run->fetches +
							       (size_t)n * run->fetches->size);
}

/**
 * Instead of precis_input_next(): many samples at once, where they come by themselves, for callers
 * who want columns of them. What is not usual about a sample (the first of an event is not, nor is
 * one that cannot be decoded) is left to precis_input_next() and precis_input_sample(), which have
 * to be asked then. The run is the input's, until it is asked for the next run or item.
 *
 * @param wanted  fields that columns will be asked of, as for precis_input_sample(): the same ones,
 *                or no run is ever found
 * @param most    samples at most; at most PRECIS_INPUT_RUN are taken
 * @param until   offset in the file (see precis_item) in front of which they have to stand;
 *                UINT64_MAX: anywhere
 * @param run     'size' must be set
 * @return how many; 0: ask precis_input_next(); PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_input_take_run(struct precis_input *input, const uint64_t *wanted,
				     uint32_t most, uint64_t until, struct precis_input_run *run);

/**
 * Columns of the run that was taken last.
 *
 * @param fields   of enum precis_field, 'count' of them, all of which were 'wanted'
 * @param values   for each field as many values as the run has samples; UINT64_MAX: absent
 * @param present  which of these fields each sample has: for each of the PRECIS_FIELD_WORDS words of
 *                 a set an array, present[word][n] is of sample n. NULL for a word, but for the
 *                 first, of which no field is asked for
 * @return 0; PRECIS_E_ARGUMENT, also if there is no run; PRECIS_E_NO_FIELD
 */
PRECIS_API int precis_input_run_columns(struct precis_input *input, const uint32_t *fields,
					uint32_t count, uint64_t *const *values,
					uint64_t *const *present);

/**
 * One of the run's samples, as precis_input_sample() decodes it.
 *
 * @param n  from 0
 * @return as precis_input_sample(); PRECIS_E_ARGUMENT also if there is no such sample
 */
PRECIS_API int precis_input_run_sample(struct precis_input *input, uint32_t n,
				       const uint64_t *wanted, struct precis_sample *sample);

/**
 * Pass over samples that come next and that the caller does not want, as far as that can be done
 * without looking into them; they count as handed out.
 *
 * @param until  offset in the file, as of precis_input_take_run()
 * @return how many; 0: ask precis_input_next()
 */
PRECIS_API uint64_t precis_input_pass(struct precis_input *input, uint64_t until);

/**
 * Find where a record begins, so that one of several inputs of a recording can read a part of it: by
 * looks, many records in a row. That is a guess, though bytes that are none would have to be made so:
 * who reads up to there comes to just this offset (precis_input_place()) if it was right.
 *
 * @param from    offset in the file; in its data
 * @param offset  set to the first offset from there on
 * @return 1; 0: there is none; PRECIS_E_UNSUPPORTED: it is no recording in which record stands behind
 *         record, in the order in which they are handed out, as a pipe, a directory, compressed data,
 *         or one in the order of time, or samples hold counters; PRECIS_E_ARGUMENT, _NO_MEMORY, _IO
 */
PRECIS_API int precis_input_find_record(struct precis_input *input, uint64_t from,
					uint64_t *offset);

/** Offset in the file of the record that comes next, where precis_input_seek() is possible; else 0 or
 * how far the file has been read. */
PRECIS_API uint64_t precis_input_place(const struct precis_input *input);

/**
 * Go on with the record that begins at that offset. All counts stay.
 *
 * @param until  so far will be read, and no further to be ahead; 0: that is not known
 * @return 0; PRECIS_E_UNSUPPORTED, as of precis_input_find_record(); PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_input_seek(struct precis_input *input, uint64_t offset, uint64_t until);

/**
 * Count as if none of the samples so far had been handed out; what records said stays.
 * @return as precis_input_seek()
 */
PRECIS_API int precis_input_forget_samples(struct precis_input *input);

/**
 * Count the samples of another input of the same recording as if they had been handed out here. One
 * that was handed all records, and its part of the samples, knows then what one has that read all,
 * losses and what events are included; but no faults of the others.
 *
 * @return 0; PRECIS_E_UNSUPPORTED, also if their first samples make another event of one than those
 *         here; PRECIS_E_NO_MEMORY, PRECIS_E_ARGUMENT. In each case what is counted here is in doubt
 */
PRECIS_API int precis_input_add_samples(struct precis_input *input,
					const struct precis_input *other);

/**
 * Where in the AUX area the sample that was handed out last came from.
 *
 * @param origin  'size' must be set. 'regs_intr' is that of the parts which
 *                precis_input_sample() filled last
 * @return 1; 0: it is none of the AUX area; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_input_origin(const struct precis_input *input,
				   struct precis_pebs_pt_origin *origin);

/**
 * Start over, with all counts at 0.
 * @return 0, PRECIS_E_ARGUMENT, or PRECIS_E_UNSUPPORTED: it came through a pipe
 */
PRECIS_API int precis_input_rewind(struct precis_input *input);

/** The file behind it, with all that it says of itself, for every function of file.h but those that
 * read on (precis_file_next(), _payload(), _rewind()). NULL: a dump. */
PRECIS_API struct precis_file *precis_input_file(const struct precis_input *input);

/** How many events it has so far; a dump is of one. */
PRECIS_API uint32_t precis_input_event_count(const struct precis_input *input);

/** Event n, or NULL, as precis_file_event() has it; of a dump a PRECIS_EVENT_PEBS without attr. */
PRECIS_API const struct precis_event *precis_input_event(const struct precis_input *input,
							 uint32_t n);

/** The CPU that took the samples: of the recording, or as it was told of the dump. */
PRECIS_API const struct precis_cpu *precis_input_cpu(const struct precis_input *input);

/** How far reading is: bytes of the data section, or of the dump. */
PRECIS_API uint64_t precis_input_position(const struct precis_input *input);

/** What opening or precis_input_next() said last, with its offset; 'code' 0: nothing failed. */
PRECIS_API const struct precis_file_error *
precis_input_last_error(const struct precis_input *input);

/** What has been handed out so far. */
struct precis_input_counts {
	uint32_t size; /* sizeof(struct precis_input_counts), set by the caller */
	uint32_t reserved;
	uint64_t records; /* that are no samples */
	uint64_t samples; /* of all kinds … */
	uint64_t traced;  /* … of these out of the AUX area */
};
/** @return 0 or PRECIS_E_ARGUMENT */
PRECIS_API int precis_input_counts(const struct precis_input *input,
				   struct precis_input_counts *counts);

/** What can be wrong with single items, so that reading goes on. The numbers are ABI. */
enum precis_input_fault_kind {
	/* samples, or PEBS records of a dump, that cannot be taken apart */
	PRECIS_INPUT_FAULT_UNREAD = 0,
	/* IBS payloads that cannot be decoded: the samples have perf's generic fields alone */
	PRECIS_INPUT_FAULT_UNDECODABLE = 1,
	/* likewise, as they carry no payload: recorded without --raw-samples */
	PRECIS_INPUT_FAULT_NO_PAYLOAD = 2,
	/* of the AUX area: traces that cannot be read, ids that are none, and whatever else
	 * precis_input_traces() counts by precis_pebs_pt_problem_name() */
	PRECIS_INPUT_FAULT_TRACE = 3,
	PRECIS_INPUT_FAULT_COUNT = 4
};

/** The faults of one kind. */
struct precis_input_fault {
	uint32_t size;   /* sizeof(struct precis_input_fault), set by the caller */
	int32_t code;    /* enum precis_error of the first; 0: a trace that could be read */
	uint64_t count;
	uint64_t offset; /* in the file, of the first; UINT64_MAX: there is none, or it is not known */
	const struct precis_event *event; /* of the first; NULL: not known */
	char text[160];  /* of the first: what is wrong, what was expected, what was found */
};

/**
 * What was wrong with items so far. Those of samples are found when they are decoded.
 * @param kind   enum precis_input_fault_kind
 * @param fault  'size' must be set; 'count' is 0 if there is none
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_input_fault(const struct precis_input *input, uint32_t kind,
				  struct precis_input_fault *fault);

/**
 * What was met in the traces of the AUX area so far.
 * @return 1; 0: none are read, 'counts' stays as it is; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_input_traces(const struct precis_input *input,
				   struct precis_pebs_pt_counts *counts);

PRECIS_END_DECLS

#endif
