# SPDX-License-Identifier: BSD-3-Clause
# Benchmarks: make bench, make bench-btree, make bench-columns, make bench-forms, make bench-lines,
# make bench-mix-speed, make bench-objects, make bench-pebs, make bench-papi, make bench-papi-threads,
# make bench-plan, make bench-real-programs, make bench-replay, make bench-sharing,
# make bench-types-by-instruction. Nothing of these is run by make check. What precis bench measures is in
# bench/accuracy; make bench-mix is in tests/mix.

include bench/accuracy/local.mk
include bench/results/local.mk

EXTRA_DIST += bench/build-program bench/comdetective.csv bench/every_block.py bench/forms.py bench/held_out.py \
	bench/mix_files.py bench/mix_speed.py bench/objects.py bench/objects_read.py bench/papi.c bench/papi_threads.c bench/ratios.py \
	bench/real_programs.py bench/sharing.py bench/throughput.py bench/types_by_instruction.py

EXTRA_PROGRAMS = bench/columns bench/held_out_work bench/make_recording bench/measure bench/lookups bench/objects_work bench/pebs bench/scan tests/analysis/replay_speed
bench_columns_SOURCES = bench/columns.c
bench_columns_LDADD = libprecis.la
if HAVE_LIBDW
EXTRA_PROGRAMS += bench/lines
bench_lines_SOURCES = bench/lines.c
bench_lines_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
bench_lines_LDADD = libprecis.la $(ELFUTILS_LIBS)
endif
bench_held_out_work_SOURCES = bench/held_out_work.c
bench_held_out_work_LDADD =
bench_lookups_SOURCES = bench/lookups.c
bench_lookups_LDADD = libprecis.la
bench_make_recording_SOURCES = bench/make_recording.c
bench_make_recording_LDADD = libprecis.la
bench_measure_SOURCES = bench/measure.c
bench_measure_LDADD =
bench_objects_work_SOURCES = bench/objects_work.c
bench_objects_work_LDADD =
bench_pebs_SOURCES = bench/pebs.c
bench_pebs_LDADD = libprecis.la
bench_scan_SOURCES = bench/scan.c
bench_scan_LDADD = libprecis.la
# Of analyses, which a bench of the library alone does not know
tests_analysis_replay_speed_SOURCES = tests/analysis/replay_speed.c
tests_analysis_replay_speed_LDADD = libanalysis.la libprecis.la libstatistics.la $(LIBM)

include bench/btree/local.mk

EXTRA_LTLIBRARIES = bench/empty-dlfilter.la
bench_empty_dlfilter_la_SOURCES = bench/empty_dlfilter.c
bench_empty_dlfilter_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere

CLEANFILES += $(EXTRA_PROGRAMS) $(EXTRA_LTLIBRARIES)

# BENCH_FLAGS: more for throughput.py (--samples N, --runs N, --cpu N). libtool puts the programs
# themselves in the place of its wrapper scripts, which would be measured with them.
bench: all $(EXTRA_PROGRAMS) $(EXTRA_LTLIBRARIES)
	$(LIBTOOL) --mode=execute -dlopen libprecis.la $(PYTHON) $(srcdir)/bench/throughput.py --precis ./precis \
		--make-recording ./bench/make_recording --measure ./bench/measure --perf '$(PERF)' \
		--dlfilter .libs/precis-dlfilter.so \
		--empty-dlfilter bench/.libs/empty-dlfilter.so $(BENCH_FLAGS)

# The same for forms.py (--samples N, --runs N, --cpu N, --perf-share 0.1)
bench-forms: all $(EXTRA_PROGRAMS)
	$(LIBTOOL) --mode=execute -dlopen libprecis.la $(PYTHON) $(srcdir)/bench/forms.py \
		--make-recording ./bench/make_recording --measure ./bench/measure --scan ./bench/scan \
		--perf '$(PERF)' $(BENCH_FLAGS)

# What columns of a few fields cost beside reading the file as cat does (BENCH_FLAGS: fields, rounds)
bench-columns: bench/columns bench/make_recording
	./bench/make_recording bench/columns.data 1000000
	$(LIBTOOL) --mode=execute ./bench/columns bench/columns.data $(BENCH_FLAGS)
CLEANFILES += bench/columns.data

# What source lines cost, beside libdw's (BENCH_FLAGS: an ELF file with them, rounds)
bench-lines: libprecis.la bench/lines
	set x $(BENCH_FLAGS); test $$# -gt 1 || set x .libs/libprecis.so; shift; \
	$(LIBTOOL) --mode=execute ./bench/lines "$$@"

# What the recorder of objects costs a program (BENCH_FLAGS: --rounds N, --numerical-rounds N,
# --table pairs,programs,numerical)
bench-objects: precis libprecis-objects.la bench/objects_work
	$(LIBTOOL) --mode=execute -dlopen libprecis.la $(PYTHON) $(srcdir)/bench/objects.py --precis ./precis \
		--recorder .libs/libprecis-objects.so --work ./bench/objects_work $(BENCH_FLAGS)

# What is told of the objects of programs that people use, with Debian's debug information (BENCH_FLAGS: --fetch DIR,
# that of packages -dbg; --build, those without one are built; --sites N, who asked for most blocks; --debug-dir DIR,
# --program NAME=PATH, --only NAME,...)
bench-real-programs: precis libprecis-objects.la
	$(LIBTOOL) --mode=execute -dlopen libprecis.la $(PYTHON) $(srcdir)/bench/real_programs.py --precis ./precis \
		--recorder .libs/libprecis-objects.so --perf '$(PERF)' $(BENCH_FLAGS)

# Types by instruction beside perf's (BENCH_FLAGS: [--count N] [--differences] PROGRAM ARGUMENT...; PERF: that of Linux 6.8 on)
bench-types-by-instruction: precis
	$(LIBTOOL) --mode=execute -dlopen libprecis.la $(PYTHON) $(srcdir)/bench/types_by_instruction.py --precis ./precis \
		--perf '$(PERF)' $(BENCH_FLAGS)

# What decoding raw PEBS records costs (BENCH_FLAGS: mebibytes, default 1024)
bench-pebs: bench/pebs
	$(LIBTOOL) --mode=execute ./bench/pebs $(BENCH_FLAGS)

# What precis plan predicts for programs that no calibration has seen, and what came (BENCH_FLAGS: --blocks N,
# --pairs N, --runs N, --rounds N, --event NAME, --cpu N, --perf-cpu N, --calibration FILE)
bench-plan: all bench/held_out_work bench/measure
	$(LIBTOOL) --mode=execute -dlopen libprecis.la $(PYTHON) $(srcdir)/bench/held_out.py --precis ./precis \
		--measure ./bench/measure --work ./bench/held_out_work --perf '$(PERF)' $(BENCH_FLAGS)

# What a sample costs through PAPI (BENCH_FLAGS: --runs N). The PAPI is that of make papi.
bench-papi: papi
	$(AM_V_GEN)$(MKDIR_P) bench && $(CC) -O2 -o bench/papi -I$(srcdir) \
		-I$(srcdir)/libdecode/include -I$(srcdir)/papi_component/include \
		-include $(papi_component)/precis_names.h \
		-I$(papi_build)/src $(srcdir)/bench/papi.c $(srcdir)/tests/papi/fake_ibs.c \
		$(srcdir)/tests/support/bpf_payload.c -Wl,--wrap=syscall \
		$(papi_build)/src/libpapi.a -lpthread -ldl
	./bench/papi $(BENCH_FLAGS)
CLEANFILES += bench/papi

# What a signal and the helper thread cost beside 1 to 1000 threads that are sampled, too
bench-papi-threads: papi
	$(AM_V_GEN)$(MKDIR_P) bench && $(CC) -O2 -o bench/papi_threads \
		-I$(srcdir)/libdecode/include -I$(srcdir)/papi_component/include \
		-I$(papi_build)/src $(srcdir)/bench/papi_threads.c $(papi_build)/src/libpapi.a \
		-lpthread -ldl
	./bench/papi_threads
CLEANFILES += bench/papi_threads

# How right precis sharing is of programs that run, and what it costs them (BENCH_FLAGS: --runs N, --seconds S,
# --only PATTERN, see bench/sharing.py); an hour and a half
bench-sharing: precis
	CC='$(CC)' $(PYTHON) $(srcdir)/bench/sharing.py --precis ./precis $(BENCH_FLAGS)

# How far precis mix is from the truth out of files, without counted totals (BENCH_FLAGS: --states N, --models NAME);
# half an hour, 500 MB in mix-traces
bench-mix-files: all tests/mix/mix_recording tests/mix/mix_table
	$(AM_V_at)for set in tuning proof; do \
		CC='$(CC)' $(srcdir)/tests/mix/trace.sh mix-traces/$$set 8000000 $$set; \
		traces=; for name in `$(srcdir)/tests/mix/trace.sh --list $$set`; do \
			test ! -f mix-traces/$$set/$$name || traces="$$traces mix-traces/$$set/$$name"; done; \
		flags=; test $$set = tuning || flags=--demands; \
		$(LIBTOOL) --mode=execute -dlopen libprecis.la $(PYTHON) $(srcdir)/bench/mix_files.py --built . \
			$$flags $(BENCH_FLAGS) $$traces || exit 1; \
	done

.PHONY: bench bench-columns bench-forms bench-lines bench-mix-files bench-mix-speed bench-objects bench-papi \
	bench-papi-threads bench-pebs bench-plan bench-real-programs bench-replay bench-sharing \
	bench-types-by-instruction

# precis mix of a million stacks and samples, which qemu-user and a simulated CPU make, beside perf script
# (BENCH_FLAGS: --stacks N, --perf-stacks N); 1 GB in TMPDIR
bench-mix-speed: all tests/mix/mix_recording
	$(AM_V_at)CC='$(CC)' $(srcdir)/tests/mix/trace.sh mix-traces/speed 8000000 interpreter gzip sqlite3
	$(LIBTOOL) --mode=execute -dlopen libprecis.la $(PYTHON) $(srcdir)/bench/mix_speed.py --precis ./precis \
		--mix-recording ./tests/mix/mix_recording --perf '$(PERF)' $(BENCH_FLAGS) \
		`for name in interpreter gzip sqlite3; do \
			test ! -f mix-traces/speed/$$name || echo mix-traces/speed/$$name; done`

# What replaying the lifetimes of blocks costs (BENCH_FLAGS: events, live blocks, a side file), of few and of
# many, up to 10 million live ones, where no number of them is given; and beside heaptrack's own analysis
bench-replay: libprecis-objects.la precis tests/analysis/replay_speed
	$(LIBTOOL) --mode=execute ./tests/analysis/replay_speed $(if $(BENCH_FLAGS),$(BENCH_FLAGS),10000000)
	$(LIBTOOL) --mode=execute -dlopen libprecis.la $(PYTHON) $(srcdir)/bench/objects_read.py --precis ./precis \
		--recorder .libs/libprecis-objects.so --replay-speed ./tests/analysis/replay_speed
