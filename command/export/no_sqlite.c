/* SPDX-License-Identifier: BSD-3-Clause */
/* In place of the format sqlite, where precis is built without SQLite. */
#include "command/usage/complain.h"
#include "export.h"

static void nothing(struct dump *dump)
{
	(void)dump;
}

static void take(struct dump *dump, const struct precis_sample *sample)
{
	(void)dump;
	(void)sample;
}

static int refuse(struct export *export)
{
	complain(export->arguments->command,
		 "--format sqlite: this precis was built without SQLite (Debian: libsqlite3-dev)");
	return -1;
}

const struct export_format export_sqlite = {
	.dump = { "sqlite", nothing, take, nothing, NULL },
	.takes = EXPORT_FIELDS | EXPORT_REASONS | EXPORT_SORTED | EXPORT_FORCE,
	.open = refuse,
};
