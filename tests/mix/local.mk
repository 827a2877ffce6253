# SPDX-License-Identifier: BSD-3-Clause
# Instruction mixes of programs that are known to the last block (qemu-user), sampled by a simulator.

PYTHON_TESTS += \
	tests/mix/test_mix_aarch64.py \
	tests/mix/test_mix_command.py \
	tests/mix/test_mix_guide.py \
	tests/mix/test_mix_kernels.py \
	tests/mix/test_mix_programs.py \
	tests/mix/test_mix_recordings.py

TEST_FILES += tests/mix/traced.py
EXTRA_DIST += \
	tests/mix/kernels.S \
	tests/mix/kernels.c \
	tests/mix/plugin.c \
	tests/mix/programs.c \
	tests/mix/trace.sh

check_PROGRAMS += tests/mix/mix_table
tests_mix_mix_table_SOURCES = \
	tests/mix/cutoffs.c \
	tests/mix/cutoffs.h \
	tests/mix/demands.c \
	tests/mix/demands.def \
	tests/mix/demands.h \
	tests/mix/mix_table.c \
	tests/mix/observe.c \
	tests/mix/simulate.c \
	tests/mix/simulate.h \
	tests/mix/truth.c \
	tests/mix/truth.h
tests_mix_mix_table_LDADD = libanalysis.la libstatistics.la libprecis.la $(LIBM)

check_PROGRAMS += tests/mix/mix_figures
tests_mix_mix_figures_SOURCES = \
	tests/mix/mix_figures.c \
	tests/mix/observe.c \
	tests/mix/simulate.c \
	tests/mix/simulate.h \
	tests/mix/truth.c \
	tests/mix/truth.h
tests_mix_mix_figures_LDADD = libcode.la libanalysis.la libstatistics.la libprecis.la $(LIBM)

check_PROGRAMS += tests/mix/mix_recording
tests_mix_mix_recording_SOURCES = \
	tests/mix/mapped_files.c \
	tests/mix/mapped_files.h \
	tests/mix/mix_recording.c \
	tests/mix/recording.c \
	tests/mix/recording.h \
	tests/mix/simulate.c \
	tests/mix/simulate.h \
	tests/mix/truth.c \
	tests/mix/truth.h
tests_mix_mix_recording_LDADD = libanalysis.la libstatistics.la libprecis.la

EXTRA_PROGRAMS += tests/mix/mix_cost
tests_mix_mix_cost_SOURCES = tests/mix/mix_cost.c
tests_mix_mix_cost_LDADD = libanalysis.la libstatistics.la libprecis.la $(LIBM)
CLEANFILES += tests/mix/mix_cost

# How far estimates of instruction mixes are from the truth: the programs that constants were chosen with,
# then those that they were not; and what counting costs. Ten minutes and 500 MB in mix-traces.
# BENCH_FLAGS: --states N, --samples N, --stacks N
bench-mix: tests/mix/mix_table tests/mix/mix_cost
	$(AM_V_at)CC='$(CC)' $(srcdir)/tests/mix/trace.sh mix-traces/tuning 8000000 tuning
	$(AM_V_at)CC='$(CC)' $(srcdir)/tests/mix/trace.sh mix-traces/proof 8000000 proof
	$(AM_V_at)for set in tuning proof; do \
		echo "# $$set"; \
		traces=; for name in `$(srcdir)/tests/mix/trace.sh --list $$set`; do \
			test ! -f mix-traces/$$set/$$name || traces="$$traces mix-traces/$$set/$$name"; done; \
		flags=--cutoffs; test $$set = tuning || flags="--states 16 --demands --cutoffs"; \
		./tests/mix/mix_table $$flags $(BENCH_FLAGS) $$traces || exit 1; \
	done
	$(AM_V_at)./tests/mix/mix_cost
.PHONY: bench-mix
CLEAN_DIRECTORIES += mix-traces
