/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading perf.data.
 *
 * The reader copies the file through a buffer of fixed size: memory does not
 * grow with the file, a file that shrinks while it is read is an error and not
 * a signal, and a view that it hands out lives until the next call that reads.
 *
 * Source: tools/perf/Documentation/perf.data-file-format.txt and
 * tools/perf/util/header.c of Linux 7.3.
 */
#ifndef PRECIS_FILE_H
#define PRECIS_FILE_H

#include <precis/cpu.h>
#include <precis/export.h>
#include <precis/feature_number.h>
#include <precis/ibs.h>
#include <precis/record.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

/** An open recording. Not to be used by two threads at once. */
struct precis_file;

/** Where and why reading failed. */
struct precis_file_error {
	uint32_t size;       /* sizeof(struct precis_file_error), set by the caller */
	int32_t code;        /* enum precis_error; 0 = nothing failed */
	int32_t sys_errno;   /* errno for PRECIS_E_IO and for what open(2) refused, else 0 */
	uint32_t has_offset; /* 1 if 'offset' says where */
	uint64_t offset;     /* in the file, in bytes */
	char expected[200];  /* what was expected there, and what was found; "" if nothing to add */
};

/** Which layout the fetch payload has (see precis_ibs_fetch_parse()). */
enum precis_fetch_layout {
	PRECIS_FETCH_LAYOUT_AUTO = 0, /* by the OS release of the recording */
	PRECIS_FETCH_LAYOUT_NEW = 1,  /* Linux 5.10 and later: slot 3 is IbsFetchCtlExtd */
	PRECIS_FETCH_LAYOUT_OLD = 2   /* before: IbsBrTarget and IbsOpData4, never FetchCtlExtd */
};

/** In which order precis_file_next() hands out the records. */
enum precis_order {
	/** As they stand in the file. Those of a directory with several files: by their times. */
	PRECIS_ORDER_FILE = 0,
	/**
	 * By their times, as perf does it: what a FINISHED_ROUND record says is complete is sorted.
	 * Records without a time keep their place. Needs memory, and where that is not enough a
	 * temporary file.
	 */
	PRECIS_ORDER_TIME = 1
};

/** The forms of a recording. */
enum precis_form {
	PRECIS_FORM_SEEKABLE = 1,  /* perf record -o FILE */
	PRECIS_FORM_PIPE = 2,      /* perf record -o - */
	PRECIS_FORM_DIRECTORY = 3  /* perf record --threads, --kcore */
};

/** What takes time before there is a record to hand out. */
enum precis_file_step {
	PRECIS_FILE_STEP_COPY = 1, /* what came through a pipe is copied to a temporary file */
	PRECIS_FILE_STEP_SORT = 2  /* records are read ahead, to be put into the order of time */
};

/**
 * Told, many times a second, that precis_file_open() and precis_file_next() are at work.
 *
 * @param step   enum precis_file_step
 * @param bytes  of the recording that have been read so far
 */
typedef void (*precis_file_progress_fn)(void *data, uint32_t step, uint64_t bytes);

/**
 * How to open a recording, and what the caller knows better than it. All-zero means: believe the
 * recording, in the file's order.
 */
struct precis_file_options {
	uint32_t size;         /* sizeof(struct precis_file_options), set by the caller */
	uint32_t fetch_layout; /* enum precis_fetch_layout */
	const char *cpuid;     /* "AuthenticAMD,25,17,1", or NULL: HEADER_CPUID's */
	const char *os_release; /* "5.4.0-42", or NULL: HEADER_OSRELEASE's */
	uint32_t use_sysfs;    /* 1: a recording without PMU mappings may ask this machine's sysfs
				* which PMU has which type number */
	uint32_t order;        /* enum precis_order */
	uint64_t sort_memory;  /* bytes that PRECIS_ORDER_TIME may use for records; 0: 64 MiB */
	const char *temporary_directory; /* for what does not fit; NULL: $TMPDIR, else /var/tmp */
	uint32_t has_perf_capabilities; /* 1: the recording machine's IA32_PERF_CAPABILITIES is … */
	uint32_t reserved;
	uint64_t perf_capabilities; /* … this. Bit 17: its PEBS measures retire latency */
	uint64_t expansion_limit; /* beyond 1 GiB compressed data may become so many times as many
				   * bytes, or reading ends with PRECIS_E_EXPANSION; 0: 1000;
				   * UINT64_MAX: no limit */
	precis_file_progress_fn progress; /* called while a call takes long, or NULL */
	void *progress_data; /* its first argument */
};

/** How the kind of an event was found out. */
enum precis_kind_source {
	PRECIS_KIND_UNKNOWN = 0,
	PRECIS_KIND_PMU_MAPPINGS = 1, /* HEADER_PMU_MAPPINGS of the recording */
	PRECIS_KIND_SYSFS = 2,        /* this machine's sysfs */
	PRECIS_KIND_PAYLOAD = 3,      /* size and control bits of its first payload */
	PRECIS_KIND_CPU = 4           /* a precise event of the core's PMU, on an Intel CPU */
};

/** One event (one attr) of a recording. Strings belong to the file. */
struct precis_event {
	uint32_t index;        /* 0, 1, … in the file's order */
	uint32_t kind;         /* enum precis_event_kind */
	uint32_t kind_source;  /* enum precis_kind_source */
	uint32_t type;         /* attr.type */
	uint64_t config, config1, config2;
	uint64_t sample_period; /* period, or frequency in Hz if 'is_frequency' */
	uint32_t is_frequency;
	uint32_t precise_ip;
	uint32_t exclude_kernel, exclude_user;
	uint32_t attr_bytes;   /* size of the attr as it stands in the file */
	uint32_t id_count;
	const uint8_t *attr;   /* attr_bytes of it */
	const uint64_t *ids;   /* id_count of them */
	const char *name;      /* from EVENT_DESC, else as perf names its attr or the recording its
				* tracepoint, else from the PMU's name, else "event-N" */
	const char *pmu;       /* name of its PMU, NULL if unknown; of a generic event on a CPU with
				* cores of several kinds: that of the cores that it counts on */
	const struct precis_layout *layout;
	/* of a PRECIS_EVENT_PEBS alone: */
	uint32_t core_type;    /* enum precis_core_type: which cores, by the PMU's name */
	int32_t pebs_facility;    /* enum precis_pebs_facility: what its samples say of memory accesses;
				* negative: not known */
};

/** Counts of what has been read so far. Everything is per recording unless it says per event. */
struct precis_file_counts {
	uint32_t size; /* sizeof(struct precis_file_counts), set by the caller */
	uint32_t reserved;
	uint64_t records;          /* all records */
	uint64_t samples;          /* SAMPLE records */
	uint64_t samples_unread;   /* of these: could not be attributed to an event or taken apart */
	uint64_t lost_records;     /* LOST records */
	uint64_t lost;             /* samples and other records that they say were lost */
	uint64_t lost_samples_records; /* LOST_SAMPLES records */
	uint64_t lost_samples;     /* what they say: losses in the PMU, or counted by perf record */
	uint64_t throttle;         /* THROTTLE records */
	uint64_t unthrottle;       /* UNTHROTTLE records */
	uint64_t unknown_records;  /* of a type that this library does not know: skipped */
	uint64_t bytes;            /* of the data section, as it stands in the file */
	uint64_t late_records;     /* handed out behind one of a later time, though ordered by time */
};

/** Per-event counts. */
struct precis_event_counts {
	uint32_t size; /* sizeof(struct precis_event_counts), set by the caller */
	uint32_t reserved;
	uint64_t samples;    /* SAMPLE records of this event */
	uint64_t lost;       /* by LOST records with one of its ids */
	uint64_t throttle;
	uint64_t unthrottle;
	uint64_t undecodable; /* samples of an IBS event whose payload could not be decoded */
	uint64_t traced;     /* samples that precis_pebs_pt_samples_next() took from the AUX area */
	/* As READ in samples and records tells, ns, of all ids together: how long the event was on, and
	 * how long of that it counted: otherwise another one had its counter. 0: nothing tells */
	uint64_t enabled_ns, running_ns;
};

/** What of the recording as a whole is known. NULL or 0: not in the file. Strings belong to it. */
struct precis_file_info {
	uint32_t size; /* sizeof(struct precis_file_info), set by the caller */
	uint32_t header_version; /* 1 or 2 (the magic's) */
	uint64_t data_offset;
	uint64_t data_bytes; /* to the end of the file if the recorder died; all files of a directory
			      * together; 0 for a pipe */
	uint64_t file_bytes;     /* of the file with the header; 0: a pipe, of which it is not known */
	uint32_t form;           /* enum precis_form */
	uint32_t compressed;     /* 1: compressed records have been met so far */
	const char *directory;   /* of PRECIS_FORM_DIRECTORY: its path, as it was given */
	uint32_t recorder_died;  /* 1: data.size is 0, the features were never written */
	uint32_t cpus_online, cpus_available;
	uint32_t has_sample_time;
	uint64_t first_time, last_time; /* ns, from SAMPLE_TIME, if has_sample_time */
	const char *hostname, *os_release, *perf_version, *arch, *cpu_description, *cpuid;
	uint64_t features[4]; /* bit n = HEADER feature n is in the file */
};

/**
 * Open a recording and read what describes it: header, events and features, or
 * in pipe mode the records in front of the first sample.
 *
 * Read are the seekable form of versions 1 and 2, pipe mode (also from a named
 * pipe), compressed recordings if the library was built with zstd, directories,
 * and files whose recorder died. Recordings of machines of the other byte order
 * are refused with PRECIS_E_ENDIAN. A broken feature section does not stop the
 * file from being read: what is known of it is in precis_file_warning().
 *
 * @param path     the file, or the directory that perf record wrote
 * @param options  NULL for none
 * @param file     set on success; release with precis_file_close()
 * @param error    filled on failure; NULL if not wanted; 'size' must be set
 * @return 0 or a negative enum precis_error
 */
PRECIS_API int precis_file_open(const char *path, const struct precis_file_options *options,
				struct precis_file **file, struct precis_file_error *error);

/**
 * The same from a descriptor: a file, which is read from its start whatever its
 * position, or a pipe or socket, which is read once. A recording in the seekable
 * form that comes through a pipe is first copied to a temporary file.
 *
 * @param fd  is duplicated: it stays the caller's
 * @return as precis_file_open(); PRECIS_E_DIRECTORY for a directory
 */
PRECIS_API int precis_file_open_fd(int fd, const struct precis_file_options *options,
				   struct precis_file **file, struct precis_file_error *error);

/** Close; NULL is allowed. All strings and views of the file end with it. */
PRECIS_API void precis_file_close(struct precis_file *file);

/** The recording's own description. @return 0 or PRECIS_E_ARGUMENT */
PRECIS_API int precis_file_info(const struct precis_file *file, struct precis_file_info *info);

/** The recording's CPU (or the option's). 'vendor' is unknown if neither says. */
PRECIS_API const struct precis_cpu *precis_file_cpu(const struct precis_file *file);

/** Command line of the recorder: argument n, or NULL past the last. */
PRECIS_API const char *precis_file_command(const struct precis_file *file, uint32_t n);

/** PMU mapping n of the recording: its name and type number; NULL past the last. */
PRECIS_API const char *precis_file_pmu(const struct precis_file *file, uint32_t n, uint32_t *type);

/**
 * PMU capability n (HEADER_PMU_CAPS, HEADER_CPU_PMU_CAPS): returns its name and
 * sets the PMU's name and the value; NULL past the last.
 */
PRECIS_API const char *precis_file_pmu_cap(const struct precis_file *file, uint32_t n,
					   const char **pmu, const char **value);

/** Warning n met while opening (a feature that does not parse, …), or NULL past the last. */
PRECIS_API const char *precis_file_warning(const struct precis_file *file, uint32_t n);

/** How many events the recording has. */
PRECIS_API uint32_t precis_file_event_count(const struct precis_file *file);

/**
 * Event n, or NULL; valid until the file is closed. 'kind' may change from OTHER when its first
 * payload is seen. In pipe mode events may be added while the file is read.
 */
PRECIS_API const struct precis_event *precis_file_event(const struct precis_file *file, uint32_t n);

/**
 * The bytes of feature section n as they stand in the file. They are read when first asked for.
 * @return 0; PRECIS_E_ARGUMENT if absent; PRECIS_E_TRUNCATED, PRECIS_E_IO, PRECIS_E_NO_MEMORY
 */
PRECIS_API int precis_file_feature(const struct precis_file *file, uint32_t feature,
				   struct precis_bytes *section);

/**
 * The next record, in the order that was asked for. The view lives until the next call.
 *
 * @return 1 with a record, 0 at the end, or a negative error: the file is broken
 *         or truncated at that place and nothing can be read beyond it.
 *         precis_file_last_error() tells the offset. What was read before counts.
 */
PRECIS_API int precis_file_next(struct precis_file *file, struct precis_record *record);

/**
 * The data behind the record that was handed out last: the trace that follows an AUXTRACE record.
 * They come in pieces, in order; what is not read is stepped over by precis_file_next(). With the
 * first piece the view of the record itself ends.
 *
 * Works in every form of a recording. With PRECIS_ORDER_TIME the data are read from where they
 * stand in the file: what comes through a pipe, or is compressed, is refused then.
 *
 * @param room  bytes of 'buffer'
 * @return how many bytes there are now, less than 'room' only at the end; 0: no more, or the record
 *         has none. Negative: PRECIS_E_ARGUMENT; PRECIS_E_TRUNCATED where the recording ends before
 *         the data do, after all that is there; PRECIS_E_UNSUPPORTED as above; PRECIS_E_IO,
 *         PRECIS_E_COMPRESSION, PRECIS_E_EXPANSION. precis_file_last_error() tells the offset
 */
PRECIS_API int64_t precis_file_payload(struct precis_file *file, void *buffer, size_t room);

/**
 * Start over at the first record, with all counts at 0. The records that describe a recording in
 * pipe mode come with it again.
 *
 * @return 0, PRECIS_E_ARGUMENT, or PRECIS_E_UNSUPPORTED: it came through a pipe
 */
PRECIS_API int precis_file_rewind(struct precis_file *file);

/** How far reading is: bytes of the data section consumed. */
PRECIS_API uint64_t precis_file_position(const struct precis_file *file);

/** The error of the last call that failed, with its offset. */
PRECIS_API const struct precis_file_error *precis_file_last_error(const struct precis_file *file);

/** Which event a record belongs to; NULL if its id matches none. */
PRECIS_API const struct precis_event *precis_file_event_of(struct precis_file *file,
							   const struct precis_record *record);

/**
 * Which event an id is of, as LOST and READ records and the counts of a sample have
 * it; NULL if none. A recording with one event without ids: that one.
 */
PRECIS_API const struct precis_event *precis_file_event_of_id(struct precis_file *file,
							      uint64_t id);

/**
 * Take a SAMPLE record apart and, if its event is IBS, parse the payload's
 * registers and decode the wanted fields into the vendor-neutral sample.
 *
 * The sample is filled as far as the bytes allow. A payload that cannot be
 * decoded is no failure of this function: the fields it would have given say
 * why (precis_why()), and precis_event_counts.undecodable counts it.
 *
 * @param wanted  fields to decode, as bits of enum precis_field: PRECIS_FIELD_WORDS words; NULL for all
 * @param perf    the parts in ABI terms; NULL if not wanted. 'size' must be set
 * @param sample  initialised by precis_sample_init(), or filled here before
 * @return 0; PRECIS_E_ARGUMENT if the record is no SAMPLE; PRECIS_E_BAD_ID;
 *         PRECIS_E_TRUNCATED or PRECIS_E_UNKNOWN_BITS as precis_perf_sample_parse()
 */
PRECIS_API int precis_file_sample(struct precis_file *file, const struct precis_record *record,
				  const uint64_t *wanted, struct precis_perf_sample *perf,
				  struct precis_sample *sample);

/** What has been counted so far. @return 0 or PRECIS_E_ARGUMENT */
PRECIS_API int precis_file_counts(const struct precis_file *file, struct precis_file_counts *counts);

/** The same for event n. @return 0 or PRECIS_E_ARGUMENT */
PRECIS_API int precis_file_event_counts(const struct precis_file *file, uint32_t n,
					struct precis_event_counts *counts);

/**
 * What reading has counted so far: samples and what else there was, losses and throttling; for programs
 * that keep what they made of a recording, and not the recording. The bytes are those of any machine; what
 * they are is the library's matter, of which a later version reads what an earlier one wrote.
 *
 * @param buffer  gets them if they fit into 'room'; NULL with 'room' 0: none is wanted
 * @return how many there are; PRECIS_E_ARGUMENT, PRECIS_E_NO_MEMORY
 */
PRECIS_API int64_t precis_file_state(const struct precis_file *file, void *buffer, size_t room);

/**
 * Count as the file had from which they are, of which this one has the header, the events and features:
 * precis_file_counts(), precis_file_event_counts() and the functions of loss.h say the same, and so do
 * events of their kind, and the info of its form. To be called of a file that is not read on.
 *
 * @return 0; PRECIS_E_ARGUMENT, also if the other file had more events or fewer; PRECIS_E_TRUNCATED,
 *         PRECIS_E_BAD_SIZE: they are damaged; PRECIS_E_UNSUPPORTED: of a later version;
 *         PRECIS_E_NO_MEMORY. Then nothing is counted
 */
PRECIS_API int precis_file_set_state(struct precis_file *file, const void *bytes, size_t count);

PRECIS_END_DECLS

#endif
