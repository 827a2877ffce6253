# SPDX-License-Identifier: BSD-3-Clause
# precis sharing: recordings of which it is known who wrote and read what, and perf c2c as an oracle.

PYTHON_TESTS += \
	tests/command/sharing/test_sharing.py \
	tests/command/sharing/test_sharing_c2c.py \
	tests/command/sharing/test_sharing_hostile.py

TEST_FILES += tests/command/sharing/accesses.py
