# SPDX-License-Identifier: BSD-3-Clause
# precis mix: a program whose every block is known, and recordings that are drawn from its execution.

PYTHON_TESTS += \
	tests/command/mix/test_mix.py \
	tests/command/mix/test_mix_bpf.py \
	tests/command/mix/test_mix_input.py \
	tests/command/mix/test_mix_profiles.py \
	tests/command/mix/test_mix_totals.py

TEST_FILES += tests/command/mix/known_files.py tests/command/mix/known_program.py tests/command/mix/mix_page.py
