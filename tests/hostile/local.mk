# SPDX-License-Identifier: BSD-3-Clause
# Recordings that are cut off or damaged, of every form that perf.data has.

HOSTILE_TESTS = \
	tests/hostile/test_mutations \
	tests/hostile/test_prefixes \
	tests/hostile/test_sizes

# One pass over any recording with all that the library can do; a fuzz target uses it too.
FULL_PASS = \
	tests/hostile/full_pass.c \
	tests/hostile/full_pass.h \
	tests/hostile/full_pass_parts.h \
	tests/hostile/full_pass_describe.c \
	tests/hostile/full_pass_kinds.c \
	tests/hostile/full_pass_losses.c \
	tests/hostile/full_pass_record.c \
	tests/hostile/full_pass_sections.c \
	tests/hostile/full_pass_trace.c \
	tests/hostile/full_pass_traced.c \
	tests/hostile/sum.h \
	tests/hostile/view.h

HOSTILE_COMMON = $(FULL_PASS) \
	tests/hostile/form.c \
	tests/hostile/form.h \
	tests/hostile/structure.c \
	tests/hostile/structure.h \
	tests/hostile/worker.c \
	tests/hostile/worker.h

SHELL_TESTS += tests/hostile/test_directories.sh

check_PROGRAMS += $(HOSTILE_TESTS)
TESTS += $(HOSTILE_TESTS)

tests_hostile_test_mutations_SOURCES = $(HOSTILE_COMMON) \
	tests/hostile/mutation.c \
	tests/hostile/mutation.h \
	tests/hostile/recompress.c \
	tests/hostile/recompress.h \
	tests/hostile/test_mutations.c
tests_hostile_test_mutations_LDADD = libprecis.la $(ZSTD_LIBS)

tests_hostile_test_prefixes_SOURCES = $(HOSTILE_COMMON) tests/hostile/test_prefixes.c
tests_hostile_test_prefixes_LDADD = libprecis.la $(ZSTD_LIBS)

tests_hostile_test_sizes_SOURCES = tests/hostile/test_sizes.c tests/hostile/worker.c
tests_hostile_test_sizes_LDADD = libprecis.la

UNIT_TESTS += tests/hostile/test_saved
tests_hostile_test_saved_SOURCES = tests/hostile/test_saved.c tests/fuzz/fuzz_saved.c tests/fuzz/target.h
tests_hostile_test_saved_LDADD = libanalysis.la $(LDADD) $(LIBM)

# Far more than make check does, in a build with --enable-sanitizers or without
MUTATIONS = 1000000
check-mutations: tests/hostile/test_mutations
	$(AM_V_at)srcdir='$(abs_top_srcdir)' tests/hostile/test_mutations --count $(MUTATIONS)
.PHONY: check-mutations

EXTRA_DIST += \
	tests/hostile/make_forms.py \
	tests/recordings/forms
