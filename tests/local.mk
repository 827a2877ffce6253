# SPDX-License-Identifier: BSD-3-Clause
# make check. Every test prints TAP.
#
# The folders of what is tested have the names that they have in the tree: tests/libdecode/ibs,
# tests/analysis, tests/command/report. What has no single subject is by its kind: differential,
# property, hostile, fuzz, live, tree. A program is test_NAME.c and one line in UNIT_TESTS, a script is a
# line in SHELL_TESTS or PYTHON_TESTS. Tests of either kind find below what they may rely on.

UNIT_TESTS = \
	tests/analysis/test_advice \
	tests/analysis/test_analyses \
	tests/analysis/test_block_site \
	tests/analysis/test_by_rows \
	tests/analysis/test_findings \
	tests/analysis/test_latencies \
	tests/analysis/test_live_blocks \
	tests/analysis/test_live_ranges \
	tests/analysis/test_mix \
	tests/analysis/test_mix_program \
	tests/analysis/test_mix_recorded \
	tests/analysis/test_mix_stacks \
	tests/analysis/test_mix_deferred \
	tests/analysis/test_neighbours \
	tests/analysis/test_offcpu \
	tests/analysis/test_outcomes \
	tests/analysis/test_saving \
	tests/analysis/test_seen \
	tests/analysis/test_row_blocks \
	tests/analysis/test_sharing \
	tests/analysis/test_sharing_spots \
	tests/analysis/test_code_maps \
	tests/analysis/test_processes \
	tests/analysis/test_thread_pointers \
	tests/bench/accuracy/test_compare \
	tests/bench/accuracy/test_faults \
	tests/bench/accuracy/test_kernels \
	tests/bench/accuracy/test_ladder \
	tests/bench/accuracy/test_measure \
	tests/bench/accuracy/test_paper \
	tests/bench/accuracy/test_published \
	tests/bench/accuracy/test_records \
	tests/bench/accuracy/test_resonance \
	tests/bench/accuracy/test_random_periods \
	tests/bench/accuracy/test_runs_alike \
	tests/document/test_document \
	tests/document/test_output \
	tests/libdecode/code/test_blocks \
	tests/libdecode/code/test_code \
	tests/libdecode/code/test_forms \
	tests/libdecode/code/test_pokes \
	tests/libdecode/code/test_streams \
	tests/libdecode/ibs/test_errata \
	tests/libdecode/ibs/test_ibs_bits \
	tests/libdecode/ibs/test_ibs_fetch \
	tests/libdecode/ibs/test_ibs_op \
	tests/libdecode/ibs/test_ibs_payload \
	tests/libdecode/ibs/test_ibs_sources \
	tests/libdecode/ibs/test_ibs_words \
	tests/libdecode/objects/test_object_file \
	tests/libdecode/pebs/test_ds \
	tests/libdecode/pebs/test_intel_cores \
	tests/libdecode/pebs/test_pebs_adaptive \
	tests/libdecode/pebs/test_pebs_arch \
	tests/libdecode/pebs/test_pebs_buffer \
	tests/libdecode/pebs/test_pebs_data_source \
	tests/libdecode/pebs/test_pebs_encode \
	tests/libdecode/pebs/test_pebs_fixed \
	tests/libdecode/pebs/test_pebs_groups \
	tests/libdecode/pebs/test_pebs_names \
	tests/libdecode/pebs/test_pebs_pt \
	tests/libdecode/pebs/test_pebs_pt_packet \
	tests/libdecode/pebs/test_pebs_sample \
	tests/libdecode/pebs/test_pebs_views \
	tests/libdecode/perf/test_columns \
	tests/libdecode/perf/test_decoder \
	tests/libdecode/perf/test_features \
	tests/libdecode/perf/test_file \
	tests/libdecode/perf/test_file_damage \
	tests/libdecode/perf/test_file_kinds \
	tests/libdecode/perf/test_file_payload \
	tests/libdecode/perf/test_file_sample \
	tests/libdecode/perf/test_file_state \
	tests/libdecode/perf/test_forms \
	tests/libdecode/perf/test_input \
	tests/libdecode/perf/test_input_parts \
	tests/libdecode/perf/test_input_runs \
	tests/libdecode/perf/test_kernel_records \
	tests/libdecode/perf/test_loss_threads \
	tests/libdecode/perf/test_losses \
	tests/libdecode/perf/test_pebs_pt_events \
	tests/libdecode/perf/test_pebs_pt_samples \
	tests/libdecode/perf/test_perf_sample \
	tests/libdecode/perf/test_record \
	tests/libdecode/perf/test_ring \
	tests/libdecode/perf/test_sorter \
	tests/libdecode/perf/test_tool_records \
	tests/libdecode/perf/test_tracepoint \
	tests/libdecode/perf/test_writer \
	tests/libdecode/perf/test_writer_forms \
	tests/libdecode/plan/test_plan \
	tests/libdecode/plan/test_plan_advice \
	tests/libdecode/plan/test_plan_parse \
	tests/libdecode/sample/test_cpu \
	tests/libdecode/sample/test_data_source \
	tests/libdecode/sample/test_escape \
	tests/libdecode/sample/test_fields \
	tests/libdecode/sample/test_filter \
	tests/libdecode/sample/test_reasons \
	tests/libdecode/sample/test_sample_parts \
	tests/libdecode/symbols/test_beneath \
	tests/libdecode/symbols/test_object_code \
	tests/libdecode/symbols/test_symbol_lines \
	tests/libdecode/symbols/test_symbol_sources \
	tests/libdecode/symbols/test_symbols \
	tests/statistics/test_difference \
	tests/statistics/test_fit \
	tests/statistics/test_heavy \
	tests/statistics/test_mean \
	tests/statistics/test_moments \
	tests/statistics/test_poisson_sum \
	tests/statistics/test_regression \
	tests/statistics/test_serial \
	tests/statistics/test_sparse \
	tests/statistics/test_statistics \
	tests/statistics/test_thinned \
	tests/statistics/test_two_samples \
	tests/statistics/test_weighted

SHELL_TESTS = \
	tests/tree/check_arrows.sh \
	tests/tree/check_doxygen.sh \
	tests/tree/check_exports.sh \
	tests/tree/check_globals.sh \
	tests/tree/check_headers.sh \
	tests/tree/check_lists.sh \
	tests/tree/check_mutations.sh \
	tests/tree/check_pure.sh \
	tests/tree/check_vendors.sh \
	tests/doc/check_fields.sh \
	tests/doc/check_manpages.sh

PYTHON_TESTS = \
	tests/tree/check_circles.py \
	tests/tree/check_comments.py \
	tests/doc/check_examples.py \
	tests/doc/check_guide.py \
	tests/doc/check_options.py \
	tests/doc/check_promises.py \
	tests/doc/check_readme.py \
	tests/doc/check_rendering.py \
	tests/doc/check_walkthrough.py \
	tests/libdecode/ibs/test_added_fields.py

# Read by tests, run by none
TEST_FILES = \
	tests/libdecode/ibs/added_fields.c \
	tests/support/api.sh \
	tests/support/bare/string.h \
	tests/support/build.h \
	tests/support/built_file.h \
	tests/support/causeless_traps.h \
	tests/support/check-loaded \
	tests/support/files.h \
	tests/support/guarded.h \
	tests/support/mapped_file.h \
	tests/support/points.py \
	tests/support/records.h \
	tests/support/repetitions.h \
	tests/support/sums.sh \
	tests/support/same_observations.h \
	tests/support/symbol_records.h \
	tests/support/tap.sh \
	tests/support/again.sh \
	tests/support/tap_count.sh \
	tests/support/timed-driver.sh \
	tests/support/tracing.h \
	tests/bench/accuracy/kernels_here.h \
	tests/bench/accuracy/published_counts.def \
	tests/libdecode/objects/side_file.h \
	tests/libdecode/sample/decode.h \
	tests/libdecode/pebs/pebs_bytes.h \
	tests/libdecode/perf/loss_recording.h \
	tests/libdecode/symbols/symbol_files.h \
	tests/libdecode/perf/changed_file.h \
	tests/libdecode/perf/differ.h \
	tests/libdecode/perf/recordings.h \
	tests/libdecode/perf/traced_file.h

# Takes longest, so make check begins it first; make check-vm has a guest with what it builds
LONGEST_TESTS = tests/papi/test_papi.sh
TESTS += $(LONGEST_TESTS)

# What takes half a minute: behind all others it would be alone
LONG_UNIT_TESTS = tests/sharing/test_slow_programs
if HAVE_CUNIT
TESTS += $(LONG_UNIT_TESTS)
endif

include tests/abi/local.mk
include tests/command/cli/local.mk
include tests/differential/local.mk
include tests/command/dump/local.mk
include tests/command/export/local.mk
include tests/fuzz/local.mk
include tests/golden/local.mk
include tests/hostile/local.mk
include tests/papi/local.mk
include tests/live/local.mk
include tests/mix/local.mk
include tests/perf_scripts/local.mk
include tests/property/local.mk
include tests/recorder/local.mk
include tests/vendor/local.mk
include tests/command/annotate/local.mk
include tests/bench/local.mk
include tests/bench/results/local.mk
include tests/command/bench/local.mk
include tests/command/diff/local.mk
include tests/command/plan/local.mk
include tests/command/profiles/local.mk
include tests/command/mix/local.mk
include tests/command/objects/local.mk
include tests/command/symbols/local.mk
include tests/command/usage/local.mk
include tests/command/report/local.mk
include tests/command/sharing/local.mk
include tests/sharing/local.mk
include tests/libdecode/code/local.mk
include tests/libdecode/symbols/local.mk
include tests/libdecode/symbols/types/local.mk
include tests/vm/local.mk

EXTRA_DIST += $(LONGEST_TESTS) $(SHELL_TESTS) $(PYTHON_TESTS) $(TEST_FILES) \
	tests/support/no_cunit.sh \
	tests/support/no_python.sh

# Compress by themselves
tests_libdecode_perf_test_forms_SOURCES = tests/libdecode/perf/test_forms.c
tests_libdecode_perf_test_forms_CFLAGS = $(AM_CFLAGS) $(ZSTD_CFLAGS)
tests_libdecode_perf_test_forms_LDADD = $(LDADD) $(ZSTD_LIBS)
tests_libdecode_perf_test_file_payload_SOURCES = tests/libdecode/perf/test_file_payload.c
tests_libdecode_perf_test_file_payload_CFLAGS = $(AM_CFLAGS) $(ZSTD_CFLAGS)
tests_libdecode_perf_test_file_payload_LDADD = $(LDADD) $(ZSTD_LIBS)
# Inside the library, and not to be seen from outside
tests_libdecode_perf_test_sorter_SOURCES = tests/libdecode/perf/test_sorter.c \
	libdecode/perf/stream/sorter.c libdecode/perf/stream/sorter_blocks.c \
	libdecode/perf/stream/sorter_merge.c libdecode/perf/stream/sorter_spill.c \
	libdecode/perf/stream/temporary_file.c
tests_libdecode_perf_test_sorter_CFLAGS = $(AM_CFLAGS)
tests_libdecode_symbols_test_beneath_SOURCES = tests/libdecode/symbols/test_beneath.c \
	libdecode/symbols/beneath.c libdecode/symbols/places.c
tests_libdecode_symbols_test_beneath_CFLAGS = $(AM_CFLAGS)

# In the environment of every test. $srcdir and $builddir are the tops, absolute.
#   PRECIS             the command that was built: not libtool's script around it, which takes five
#                      times as long to begin, thousands of times
#   LIBPRECIS          the library for who loads it by itself (python, perf)
#   PRECIS_DLFILTER    precis-dlfilter.so
#   PRECIS_PRELOAD     what LD_PRELOAD must name for python or perf to load a sanitized library;
#                      empty: nothing. PRECIS_SANITIZED=yes with it empty: they cannot
#   PRECIS_WITHOUT     the libraries that this build has not: elfutils, zstd, libtraceevent, sqlite,
#                      jansson, zydis, capstone, libpfm, debuginfod
#   PERF, PYTHON, CC, CXX, NM   as configured; PERF and CXX may be empty
#   PRECIS_SHARED      a directory of foreign perf.data files; need not exist
#   PYTHONPYCACHEPREFIX  where python keeps what it has compiled: modules that many tests have are compiled once, and
#                      nothing is written beside them
#   PRECIS_TEST_TIMES  the file in which tests/support/timed-driver.sh notes what each test took
AM_TESTS_ENVIRONMENT = \
	unset COLUMNS; \
	srcdir='$(abs_top_srcdir)'; export srcdir; \
	builddir='$(abs_top_builddir)'; export builddir; \
	PRECIS='$(abs_top_builddir)/precis'; \
	if test -x '$(abs_top_builddir)/.libs/precis'; then \
		PRECIS='$(abs_top_builddir)/.libs/precis'; \
		LD_LIBRARY_PATH="$(abs_top_builddir)/.libs$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}"; \
		export LD_LIBRARY_PATH; \
	fi; \
	export PRECIS; \
	LIBPRECIS='$(abs_top_builddir)/.libs/libprecis.so'; export LIBPRECIS; \
	PRECIS_DLFILTER='$(abs_top_builddir)/.libs/precis-dlfilter.so'; export PRECIS_DLFILTER; \
	PRECIS_PRELOAD='$(SANITIZER_PRELOAD)'; export PRECIS_PRELOAD; \
	PRECIS_SANITIZED='$(enable_sanitizers)'; export PRECIS_SANITIZED; \
	PRECIS_WITHOUT='$(PRECIS_WITHOUT)'; export PRECIS_WITHOUT; \
	PERF='$(PERF)'; export PERF; \
	PYTHON='$(PYTHON)'; export PYTHON; \
	unset PYTHONDONTWRITEBYTECODE; \
	PYTHONPYCACHEPREFIX='$(abs_top_builddir)/tests/bytecode'; export PYTHONPYCACHEPREFIX; \
	CC='$(CC)'; export CC; \
	CXX='$(CXX)'; export CXX; \
	NM='$(NM)'; export NM; \
	PRECIS_SHARED="$${PRECIS_SHARED-$(abs_top_srcdir)/../shared}"; export PRECIS_SHARED; \
	PRECIS_TEST_TIMES="$${PRECIS_TEST_TIMES-$(abs_top_builddir)/tests/times.log}"; \
	export PRECIS_TEST_TIMES;

TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/tests/support/timed-driver.sh \
	$(top_srcdir)/build-aux/tap-driver.sh
CLEANFILES += tests/times.log
CLEAN_DIRECTORIES += tests/bytecode
LOG_DRIVER = $(TAP_DRIVER)
TEST_EXTENSIONS = .sh .py
SH_LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_COMPILER = $(SHELL)
PY_LOG_DRIVER = $(TAP_DRIVER)
PY_LOG_COMPILER = $(PYTHON)

TESTS += $(SHELL_TESTS)

if HAVE_PYTHON
TESTS += $(PYTHON_TESTS)
else
TESTS += tests/support/no_python.sh
endif

# What unit tests link to: whatever has no _LDADD of its own. Programs that are installed and
# benchmarks have theirs.
LDADD = libprecis.la

if HAVE_CUNIT
check_LTLIBRARIES += tests/support/libtap.la
tests_support_libtap_la_SOURCES = tests/support/tap.c tests/support/tap.h
AM_CPPFLAGS += $(CUNIT_CFLAGS)
LDADD += tests/support/libtap.la libstatistics.la $(CUNIT_LIBS)
check_PROGRAMS += $(UNIT_TESTS) $(LONG_UNIT_TESTS)
tests_bench_accuracy_test_compare_LDADD = libaccuracy.la $(LDADD) $(LIBM)
tests_bench_accuracy_test_faults_LDADD = libaccuracy.la $(LDADD)
tests_bench_accuracy_test_kernels_LDADD = libaccuracy.la $(LDADD)
tests_bench_accuracy_test_ladder_LDADD = libaccuracy.la $(LDADD) $(LIBM)
tests_bench_accuracy_test_measure_LDADD = libaccuracy.la $(LDADD)
tests_bench_accuracy_test_measure_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ioctl,--wrap=read
tests_bench_accuracy_test_paper_LDADD = libaccuracy.la $(LDADD)
tests_bench_accuracy_test_published_LDADD = libaccuracy.la $(LDADD)
tests_bench_accuracy_test_records_LDADD = libaccuracy.la $(LDADD)
tests_bench_accuracy_test_resonance_LDADD = libaccuracy.la $(LDADD)
tests_bench_accuracy_test_random_periods_LDADD = libaccuracy.la $(LDADD)
tests_bench_accuracy_test_runs_alike_LDADD = libaccuracy.la $(LDADD) $(LIBM)
tests_document_test_document_LDADD = libdocument.la $(LDADD)
tests_document_test_document_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=realloc,--wrap=calloc
tests_document_test_output_LDADD = libdocument.la $(LDADD)
tests_analysis_test_advice_LDADD = libanalysis.la $(LDADD) $(LIBM)
tests_analysis_test_analyses_LDADD = libanalysis.la $(LDADD)
tests_analysis_test_by_rows_LDADD = libanalysis.la $(LDADD)
tests_analysis_test_findings_LDADD = libanalysis.la $(LDADD) $(LIBM)
tests_analysis_test_latencies_LDADD = libanalysis.la $(LDADD)
tests_libdecode_objects_test_object_file_LDADD = $(LDADD) $(LIBM)
tests_analysis_test_row_blocks_LDADD = libanalysis.la $(LDADD) $(LIBM)
tests_analysis_test_neighbours_LDADD = libanalysis.la $(LDADD) $(LIBM)
tests_analysis_test_sharing_LDADD = libanalysis.la $(LDADD) $(LIBM)
tests_analysis_test_sharing_spots_LDADD = libanalysis.la $(LDADD) $(LIBM)
tests_analysis_test_mix_LDADD = libanalysis.la $(LDADD) $(LIBM)
tests_analysis_test_mix_recorded_LDADD = libanalysis.la $(LDADD) $(LIBM)
tests_analysis_test_mix_stacks_LDADD = libanalysis.la libcode.la $(LDADD) $(LIBM)
tests_analysis_test_mix_deferred_LDADD = libanalysis.la $(LDADD) $(LIBM)
tests_analysis_test_mix_program_LDADD = libanalysis.la libcode.la $(LDADD) $(LIBM)
tests_libdecode_plan_test_plan_LDADD = $(LDADD) $(LIBM)
tests_libdecode_plan_test_plan_advice_LDADD = $(LDADD) $(LIBM)
tests_statistics_test_two_samples_LDADD = $(LDADD) $(LIBM)
tests_statistics_test_poisson_sum_LDADD = $(LDADD) $(LIBM)
tests_statistics_test_regression_LDADD = $(LDADD) $(LIBM)
tests_analysis_test_block_site_LDADD = libanalysis.la $(LDADD) $(LIBM)
tests_analysis_test_live_blocks_LDADD = libanalysis.la $(LDADD)
tests_analysis_test_live_ranges_LDADD = libanalysis.la $(LDADD) $(LIBM)
tests_analysis_test_outcomes_LDADD = libanalysis.la $(LDADD)
tests_analysis_test_seen_LDADD = libanalysis.la $(LDADD)
tests_analysis_test_code_maps_LDADD = libanalysis.la $(LDADD)
tests_analysis_test_processes_LDADD = libanalysis.la $(LDADD)
tests_analysis_test_thread_pointers_LDADD = libanalysis.la $(LDADD)
tests_analysis_test_offcpu_LDADD = libanalysis.la $(LDADD)
tests_analysis_test_saving_LDADD = libanalysis.la $(LDADD) $(LIBM)
TESTS += $(UNIT_TESTS)
else
TESTS += tests/support/no_cunit.sh
endif

# RUNS=20 times beside BUSY=4 loops that keep the CPUs busy, JOBS=1 at a time; TESTS='...' takes some of them
check-loaded: all $(check_PROGRAMS) $(check_LTLIBRARIES)
	$(AM_V_at)RUNS='$(RUNS)' BUSY='$(BUSY)' JOBS='$(JOBS)' $(SHELL) $(top_srcdir)/tests/support/check-loaded \
		$(abs_top_builddir) $(TESTS)
.PHONY: check-loaded
CLEAN_DIRECTORIES += loaded-check

# What TESTS can name, a line each
list-tests:
	@printf '%s\n' $(TESTS)
.PHONY: list-tests

# What needs no more than compilers: the pure rooms, alone
check-pure:
	$(AM_V_at)$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS=tests/tree/check_pure.sh
.PHONY: check-pure
