# SPDX-License-Identifier: BSD-3-Clause
# Fuzz targets. With --enable-fuzzing they are libFuzzer programs for tests/fuzz/run.sh; without,
# programs that replay files, which tests/fuzz/replay.sh does with the corpus and past crashes.

FUZZ_TARGETS = \
	tests/fuzz/fuzz_code \
	tests/fuzz/fuzz_filter \
	tests/fuzz/fuzz_ibs_payload \
	tests/fuzz/fuzz_mix \
	tests/fuzz/fuzz_object_file \
	tests/fuzz/fuzz_pebs_pt \
	tests/fuzz/fuzz_pebs \
	tests/fuzz/fuzz_perf_data \
	tests/fuzz/fuzz_record \
	tests/fuzz/fuzz_ring \
	tests/fuzz/fuzz_saved \
	tests/fuzz/fuzz_types

if ENABLE_FUZZING
noinst_PROGRAMS += $(FUZZ_TARGETS)
FUZZ_MAIN =
else
check_PROGRAMS += $(FUZZ_TARGETS)
FUZZ_MAIN = tests/fuzz/standalone.c
endif

tests_fuzz_fuzz_code_SOURCES = tests/fuzz/fuzz_code.c tests/fuzz/one_function.h tests/fuzz/target.h $(FUZZ_MAIN)
tests_fuzz_fuzz_code_LDADD = libcode.la libprecis.la
tests_fuzz_fuzz_code_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_filter_SOURCES = tests/fuzz/fuzz_filter.c tests/fuzz/target.h $(FUZZ_MAIN)
tests_fuzz_fuzz_filter_LDADD = libprecis.la
tests_fuzz_fuzz_filter_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_ibs_payload_SOURCES = tests/fuzz/fuzz_ibs_payload.c tests/fuzz/target.h $(FUZZ_MAIN)
tests_fuzz_fuzz_ibs_payload_LDADD = libprecis.la
tests_fuzz_fuzz_ibs_payload_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_mix_SOURCES = tests/fuzz/fuzz_mix.c tests/fuzz/one_function.h tests/fuzz/target.h $(FUZZ_MAIN)
tests_fuzz_fuzz_mix_LDADD = libanalysis.la libcode.la libstatistics.la libprecis.la $(LIBM)
tests_fuzz_fuzz_mix_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_object_file_SOURCES = tests/fuzz/fuzz_object_file.c tests/fuzz/target.h $(FUZZ_MAIN)
tests_fuzz_fuzz_object_file_LDADD = libprecis.la
tests_fuzz_fuzz_object_file_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_pebs_pt_SOURCES = tests/fuzz/fuzz_pebs_pt.c tests/fuzz/target.h \
	tests/property/pebs_pt.h $(FUZZ_MAIN)
tests_fuzz_fuzz_pebs_pt_LDADD = libprecis.la
tests_fuzz_fuzz_pebs_pt_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_pebs_SOURCES = tests/fuzz/fuzz_pebs.c tests/fuzz/target.h $(FUZZ_MAIN)
tests_fuzz_fuzz_pebs_LDADD = libprecis.la
tests_fuzz_fuzz_pebs_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_perf_data_SOURCES = tests/fuzz/fuzz_perf_data.c tests/fuzz/target.h $(FULL_PASS) \
	$(FUZZ_MAIN)
tests_fuzz_fuzz_perf_data_LDADD = libprecis.la
tests_fuzz_fuzz_perf_data_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_record_SOURCES = tests/fuzz/fuzz_record.c tests/fuzz/target.h $(FUZZ_MAIN)
tests_fuzz_fuzz_record_LDADD = libprecis.la
tests_fuzz_fuzz_record_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_ring_SOURCES = tests/fuzz/fuzz_ring.c tests/fuzz/target.h $(FUZZ_MAIN)
tests_fuzz_fuzz_ring_LDADD = libprecis.la
tests_fuzz_fuzz_ring_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)

tests_fuzz_fuzz_types_SOURCES = tests/fuzz/fuzz_types.c tests/fuzz/target.h $(FUZZ_MAIN)
tests_fuzz_fuzz_types_LDADD = libcode.la libprecis.la
tests_fuzz_fuzz_types_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_saved_SOURCES = tests/fuzz/fuzz_saved.c tests/fuzz/target.h $(FUZZ_MAIN)
tests_fuzz_fuzz_saved_LDADD = libanalysis.la libprecis.la libstatistics.la $(LIBM)
tests_fuzz_fuzz_saved_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)

SHELL_TESTS += tests/fuzz/replay.sh tests/fuzz/replay_shared.sh

EXTRA_DIST += \
	tests/fuzz/corpus \
	tests/fuzz/crashes \
	tests/fuzz/make_corpus.py \
	tests/fuzz/run.sh
