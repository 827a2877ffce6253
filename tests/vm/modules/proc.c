// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* See proc.h. */
#include <linux/proc_fs.h>
#include <linux/uaccess.h>

#include "modeled_core.h"
#include "proc.h"
#include "shared_lines.h"
#include "stepper.h"

#define DIRECTORY "precis_model"

static const struct proc_functions *functions;

static int show_counts(struct seq_file *file, void *unused)
{
	const struct stepper_counts *steps = stepper_counts();

	functions->show_counts(file);
	seq_printf(file, "stepper steps=%llu undecoded=%llu unexpected=%llu dropped=%llu kernel=%llu "
		   "left=%llu\n", steps->steps, steps->undecoded, steps->unexpected, steps->dropped,
		   steps->kernel, steps->left);
	return 0;
}

static int show_totals(struct seq_file *file, void *unused)
{
	modeled_core_show(file);
	return 0;
}

static int show_histograms(struct seq_file *file, void *unused)
{
	modeled_core_show_histograms(file);
	return 0;
}

static int show_sharing(struct seq_file *file, void *unused)
{
	shared_lines_show(file);
	return 0;
}

static ssize_t write_trace(struct file *file, const char __user *text, size_t n, loff_t *offset)
{
	char c;

	if (n == 0 || get_user(c, text))
		return -EFAULT;
	if (c != '0' && c != '1')
		return -EINVAL;
	stepper_trace(c == '1');
	return n;
}

static ssize_t write_reset(struct file *file, const char __user *text, size_t n, loff_t *offset)
{
	stepper_reset();
	modeled_core_reset();
	functions->reset();
	return n;
}

static ssize_t write_seed(struct file *file, const char __user *text, size_t n, loff_t *offset)
{
	u64 seed;
	int error = kstrtou64_from_user(text, n, 0, &seed);

	if (error)
		return error;
	functions->seed(seed);
	return n;
}

static const struct proc_ops trace_ops = { .proc_write = write_trace };
static const struct proc_ops reset_ops = { .proc_write = write_reset };
static const struct proc_ops seed_ops = { .proc_write = write_seed };

int proc_start(const struct proc_functions *with)
{
	struct proc_dir_entry *directory = proc_mkdir(DIRECTORY, NULL);

	functions = with;
	if (directory && proc_create_single("counts", 0444, directory, show_counts) &&
	    proc_create_single("totals", 0444, directory, show_totals) &&
	    proc_create_single("histograms", 0444, directory, show_histograms) &&
	    proc_create_single("sharing", 0444, directory, show_sharing) &&
	    proc_create("trace", 0666, directory, &trace_ops) &&
	    proc_create("reset", 0600, directory, &reset_ops) &&
	    proc_create("seed", 0600, directory, &seed_ops))
		return 0;
	proc_stop();
	return -ENOMEM;
}

void proc_stop(void)
{
	remove_proc_subtree(DIRECTORY, NULL);
}
