# SPDX-License-Identifier: BSD-3-Clause
# precis objects.

PYTHON_TESTS += tests/command/objects/test_objects.py

TEST_FILES += tests/command/objects/truth_stacks.c
